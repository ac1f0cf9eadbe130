// Workers that outlived the process that owned their run.

#pragma once

#include "app/app.h"
#include "base/result.h"
#include "model/run_state.h"

namespace reprise {

/// Checks that no worker of the run is alive: one that is would go on here while the run goes on elsewhere.
/// Conflict, with its step and the way out.
Result<void> check_no_survivor(App& app, const RunState& state);

}  // namespace reprise
