// Phases and their standing, as task lists write them: "P6", "phase 6", "P4-P9", "PASS|files:3", "In progress".
//
// What names a phase that is none of ours (P9 of older pipelines) is told apart from what names none. A value that
// still lists its alternatives is no word at all. Pure functions of text.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace reprise {

/// The phases that a text begins with.
struct PhaseLabel {
  std::vector<TaskPhase> phases;  // in order, each once; none if all of them are beyond P8
  bool is_beyond = false;         // one or more was beyond P8
  std::size_t end = 0;            // behind the label
};
/// Reads "P4", "Phase 4", "P4-P9", "Phases 4–9", "P4, P5" at the start of `text`, behind marks of emphasis;
/// nothing if it does not begin with a phase.
std::optional<PhaseLabel> read_phase_label(std::string_view text);

/// Reads a value that is one phase: a label of one phase, maybe with a remark behind it, the bare number, or the
/// phase's name ("execution"). Nothing if it is anything else, several phases included.
std::optional<TaskPhase> read_task_phase(std::string_view text);

/// Reads what stands for a phase: the word that the value begins with. Unknown for words that say it is left out;
/// nothing if there is no word that is known.
std::optional<PhaseSignal> read_phase_signal(std::string_view text);

std::optional<TaskTier> read_task_tier(std::string_view text);

}  // namespace reprise
