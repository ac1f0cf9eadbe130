// The tasks of a list that lies in its folder, kept in step with a run that took the list up, and what agents put
// there themselves.

#pragma once

#include <memory>
#include <set>
#include <string>

#include "app/app.h"
#include "app/task_lists.h"
#include "executor/run_records.h"

namespace reprise {

/// Keeps the tasks of a list's folder in step with a run, and finds what agents put there themselves.
class TaskFolderRecords : public RunRecords {
 public:
  TaskFolderRecords(App& app, TaskListPlace place) : app_(app), place_(std::move(place)) {}
  Result<void> show(std::span<const RecordedEvent> events, const RunState& state) override;
  Result<void> show_all(const RunState& state) override;
  Result<std::vector<Event>> news(const RunState& state) override;

 private:
  Result<void> mark_duplicates(const RunState& state);
  Result<void> show_tasks(const std::set<std::string>& ids, const RunState& state);
  Result<void> show_task(TaskStore& store, const TaskListClaims& list, const RunState& state,
                         const std::string& id);

  void add_hashes(const TaskClaim& task, TaskChange& change);

  App& app_;
  TaskListPlace place_;
};

/// Returns what keeps the files of a run's list; null if its list is in the journal alone.
std::unique_ptr<RunRecords> task_records(App& app, const RunState& state);

}  // namespace reprise
