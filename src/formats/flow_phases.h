// The phases of the workflows that everybody names and nobody writes out: a state that says "SDC, phase 3" has a
// phase behind it and two before.
//
// A workflow and its phases are found in any spelling: "SDC" and "story-development-cycle"; "Implement", "3",
// "2_development". Pure functions of text.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace reprise {

struct KnownPhase {
  std::string_view name;   // as the step is called where the file has no word for it
  std::string_view agent;  // without "@"
};

/// Returns the phases of a workflow by its name, in order; none if it is not one of these.
std::span<const KnownPhase> phases_of_workflow(std::string_view workflow);

/// Returns which of `phases` a word or a number means; nothing if none.
std::optional<std::size_t> find_known_phase(std::span<const KnownPhase> phases, std::string_view written);

}  // namespace reprise
