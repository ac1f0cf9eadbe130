// Phase plans of lanes (Markdown): recognised, and read as a definition.
//
// What always holds:
//
//   A file is a phase plan if it has a section "Lane Index"; other Markdown is refused as something else.
//   A plan is either sound (model/lane_plan.h) or refused with all its problems, each with its line.
//   How it is written makes no difference: an index in fenced code or not, "--", "-" or a dash before a name, any
//   order of columns, marks of emphasis, "-" or "none" for nothing, remarks in parentheses.
//
// A task whose test command is "-" has none of its own; an empty cell is a command that was forgotten. `Retries:
// n` below a lane of the index is ours; plans without it have none.
//
// A gate that a lane waits for is satisfied if it is ticked. Else the lane waits for the lane that provides it: by
// its own section (Interfaces Provided), by its Blocks, or by the gate's name (IF-1-P1-SETUP is SL-SETUP's, in
// phase P1). A gate that nobody in this plan provides is open: it has to be ticked by a person before the lane can
// begin.

#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "formats/problem.h"
#include "model/lane_plan.h"

namespace reprise {

/// A plan with more lanes is refused, and so is a lane or task that names more of anything.
inline constexpr std::size_t kLanesMax = 1'000;
inline constexpr std::size_t kNamedMax = 1'000;

/// Whether these bytes are a phase plan.
bool is_phase_plan(std::string_view bytes);

/// Reads a phase plan. All problems at once, in the order of their lines.
std::expected<PhasePlan, std::vector<Problem>> read_phase_plan(std::string_view bytes, const std::string& file);

}  // namespace reprise
