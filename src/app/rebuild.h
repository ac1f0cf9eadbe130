// State that cannot be trusted, or is not there, made anew (OR-14, TP-15): an orchestrator's state file from
// stories, artifacts and change logs, a task list's permanent task from git and what its tasks say. Two steps, as
// in repair.h: what would be written, with the source of each fact, then the writing.

#pragma once

#include "app/repair.h"
#include "app/scan.h"

namespace reprise {

/// Returns what a rebuilt state file would be. Unavailable if there is nothing to build it from.
Result<StateRepair> plan_rebuild(App& app, const Candidate& candidate);

/// Returns the permanent task that the list of `candidate` would get. The diff is "" if it has one.
Result<StateRepair> plan_permanent_task(App& app, const Candidate& candidate);

/// Puts it on the list. Conflict if the list has one by now. Returns its file.
Result<std::string> create_permanent_task(App& app, const StateRepair& repair);

}  // namespace reprise
