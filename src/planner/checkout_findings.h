// Findings about where a run works: another worktree of the repository, or another branch in the same one. A run
// works on what is checked out, and the files that its steps left may not be there.

#pragma once

#include <vector>

#include "model/plan.h"
#include "model/run_snapshot.h"
#include "planner/graph.h"

namespace reprise {

/// Returns how the checkout differs from the one that the run last worked in: at most one warning. None if the run
/// is done or stopped, if only lanes work in it, if one of the two has no branch, or if a person accepted this
/// branch.
std::vector<Finding> find_checkout_difference(const RunSnapshot& snapshot, const Graph& graph);

}  // namespace reprise
