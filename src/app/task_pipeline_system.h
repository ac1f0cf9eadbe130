// The task pipeline as the system behind a run: what its rules make of the list, and how the run shows in it
// (TP-01 … TP-24).
//
// A list that was found stays in its folder: the permanent task's file is the run's state file, and the other
// tasks are kept in step by TaskFolderRecords. A list of our own is in the journal, and the same rules judge it
// there.

#pragma once

#include <memory>
#include <set>
#include <string>

#include "app/app.h"
#include "app/scan.h"
#include "app/task_lists.h"
#include "executor/native_state.h"
#include "executor/run_records.h"
#include "model/task_snapshot.h"

namespace reprise {

std::unique_ptr<NativeState> task_pipeline_system(App& app);

/// Returns what a plan for a found list is made from.
Result<TaskSnapshot> look_at_found_list(App& app, const Candidate& candidate);

/// Returns the same for a run of a task pipeline.
Result<TaskSnapshot> look_at_run(App& app, const RunState& state);

/// Makes a run of a found list. NotFound, with the way out, if it has no permanent task.
Result<RunId> adopt_task_list(App& app, Journal& journal, const Candidate& candidate);

/// Keeps the tasks of a list's folder in step with a run, and finds what agents put there themselves.
class TaskFolderRecords : public RunRecords {
 public:
  TaskFolderRecords(App& app, TaskListPlace place) : app_(app), place_(std::move(place)) {}
  Result<void> show(std::span<const RecordedEvent> events, const RunState& state) override;
  Result<void> show_all(const RunState& state) override;
  Result<std::vector<Event>> news(const RunState& state) override;

 private:
  Result<void> mark_duplicates();
  Result<void> show_tasks(const std::set<std::string>& ids, const RunState& state);
  Result<void> show_task(TaskStore& store, const TaskListClaims& list, const RunState& state,
                         const std::string& id);

  App& app_;
  TaskListPlace place_;
};

/// Returns what keeps the files of a run's list; null if its list is in the journal alone.
std::unique_ptr<RunRecords> task_records(App& app, const RunState& state);

}  // namespace reprise
