// Loops of a failed run that have used their iterations: a resume gives them new ones, which is said first.

#pragma once

#include <vector>

#include "model/plan.h"
#include "model/run_state.h"
#include "model/workflow.h"

namespace reprise {

/// Returns one warning per loop that gets new iterations if the failed run `state` is resumed. None for other
/// runs.
std::vector<Finding> find_exhausted_loops(const Workflow& workflow, const RunState& state);

/// Adds `findings`, which are warnings, to a plan: one that was ready has to be confirmed.
void add_warnings(Plan& plan, std::vector<Finding> findings);

}  // namespace reprise
