// The task pipeline as the system behind a run: what its rules make of the list, and how the run shows in it
// (TP-01 … TP-24).
//
// A list that was found stays in its folder: the permanent task's file is the run's state file, and the other
// tasks are kept in step by task_folder_records.h. A list of our own is in the journal, and the same rules judge
// it there.

#pragma once

#include <memory>
#include <string>

#include "app/adoption.h"
#include "app/app.h"
#include "app/scan.h"
#include "executor/native_state.h"
#include "model/task_snapshot.h"

namespace reprise {

std::unique_ptr<NativeState> task_pipeline_system(App& app);

/// Returns what a plan for a found list is made from.
Result<TaskSnapshot> look_at_found_list(App& app, const Candidate& candidate);

/// Returns the same for a run of a task pipeline.
Result<TaskSnapshot> look_at_run(App& app, const RunState& state);

/// Reads the adoption of a task list. Fails with NotFound, and the command that helps, if it has no permanent
/// task.
Result<Adoption> read_task_list_adoption(App& app, const Candidate& candidate);

}  // namespace reprise
