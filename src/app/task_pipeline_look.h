// Looks at what a task list names: branch, commits and uncommitted changes of the repository, and the files of its
// tasks. Task state and git state are gathered side by side; nothing is changed (TP-24).

#pragma once

#include <string>

#include "app/app.h"
#include "base/result.h"
#include "model/run_state.h"
#include "model/task_snapshot.h"

namespace reprise {

/// Returns the claims of a list with what is seen of them now. `state_file`: where the list is kept, for messages.
Result<TaskSnapshot> look_at_task_list(App& app, TaskListClaims claims, const std::string& state_file);

/// Returns the list of a run as claims: its tasks, with what the record says became of each.
TaskListClaims claims_of_run(const RunState& state, Timestamp now);

/// Returns a task of a list as a change of a run's list, in the phase that it counts in.
TaskChanged change_from(const TaskClaim& claim, const std::string& phase);

/// Returns a task of a run as its own JSON.
std::string task_json(const RunState& state, const std::string& id);

/// Returns how a task of a run stands, by the step that does it, else by what its list last said.
TaskStatus standing_of(const RunState& state, const std::string& id, const TaskState& task);

/// Returns the step that does a task.
StepPath step_of_task(const std::string& phase, const std::string& id);

/// Returns the first phase of the run's way that is not finished; P8 if all are.
TaskPhase current_phase_of(const RunState& state);

/// Returns the phases of the run's way that are finished, in the words of phase signals.
std::vector<ClaimedPhase> finished_phases(const RunState& state);

/// Returns the tier of a run.
TaskTier tier_of(const RunState& state);

}  // namespace reprise
