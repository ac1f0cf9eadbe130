// Steering a run from outside: through its owner where one is alive, else by taking the lease.

#pragma once

#include "app/app.h"
#include "executor/steering.h"

namespace reprise {

/// Does what `steer` says and returns when it is recorded, with the whole name of the gate, question or step that
/// it was recorded for. A living owner is asked and answers; Denied if this process is itself a worker: an agent
/// cannot approve itself.
Result<std::string> steer_run(App& app, const RunId& run, Steer steer);

/// Returns the attempts of a run whose workers are alive: where nobody owns it, they survived their runner.
Result<std::vector<std::string>> living_attempts(App& app, const RunState& state);

/// Copies `run` up to `from` into a new run that goes on from there; returns the new run's id.
Result<RunId> fork_run(App& app, const RunId& run, const std::string& from);

}  // namespace reprise
