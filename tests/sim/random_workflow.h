// Random definitions for the simulation: every construct, small enough to run thousands of.

#pragma once

#include <random>
#include <string>
#include <vector>

#include "model/workflow.h"

namespace reprise {

using Rng = std::mt19937_64;

/// Returns true `percent` times in a hundred.
inline bool chance(Rng& rng, int percent) { return static_cast<int>(rng() % 100) < percent; }
/// Returns a number from `low` to `high`.
inline int between(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng() % static_cast<std::uint64_t>(high - low + 1));
}

/// Files that a person may change while a run goes on and that steps read.
inline constexpr int kInputFiles = 3;
inline std::string input_file(int number) { return "in/file" + std::to_string(number); }

Workflow random_workflow(Rng& rng);

/// Changes the work of one stage, as an author who edits the definition between two sessions.
void edit_definition(Rng& rng, Workflow& workflow);

}  // namespace reprise
