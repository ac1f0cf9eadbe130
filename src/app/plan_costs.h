// The money in a plan: what the work that is kept cost, and what the work that is done again cost.
//
// The journal has the cost of each attempt, the state only their sum, so this reads the run's events; a run whose
// workers never told of a cost is not read.

#pragma once

#include "base/result.h"
#include "journal/journal.h"
#include "model/plan.h"
#include "model/run_state.h"

namespace reprise {

/// Fills in `saved_usd` and `again_usd` of a plan for `state`: per step what its last attempt cost.
Result<void> add_costs(Journal& journal, const RunState& state, Plan& plan);

}  // namespace reprise
