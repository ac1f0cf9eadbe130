// Coding agents' task lists on disk: where they are, which of them are about this project, and what they claim.
//
// What always holds:
//
//   Looking changes nothing and takes no lock. A file that is being written is read again; a list that changes
//   while it is read is read again. Every change is made under the list's lock, each file replaced in one step. An
//   edge is written on both sides, the task's own first: what a kill leaves is an edge that one side has, which
//   every reader takes to be there and the next change of the task completes. An id is given once, also after its
//   task was removed.

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/app.h"
#include "base/result.h"
#include "formats/task_file_edit.h"
#include "formats/task_links.h"
#include "model/task.h"

namespace reprise {

/// A task list, and whether it is about this project.
struct TaskListPlace {
  std::string id;                // as its folder is named
  std::filesystem::path folder;  // may not exist yet, if somebody named it
  bool belongs = false;
  std::string why;  // it belongs, or not
};

/// The folder that holds all lists: `tasks` in $CLAUDE_CONFIG_DIR, else in ~/.claude. Empty if there is neither.
std::filesystem::path task_lists_folder(const App& app);

/// Returns all lists there are, by name. A list belongs to the project if the environment
/// (CLAUDE_CODE_TASK_LIST_ID) or `configured` names it, or if its permanent task names this repository or, where
/// it names none, one of its branches.
Result<std::vector<TaskListPlace>> find_task_lists(App& app, std::span<const std::string> configured = {});

/// Returns the list that is meant: the one with this name, which need not exist; if it is "", the one of the
/// environment, else the only one that belongs to the project. NotFound if none does, Invalid with their names if
/// several do.
Result<TaskListPlace> choose_task_list(App& app, const std::string& name);

/// Reads a whole list. NotFound if there is no such folder.
Result<TaskListClaims> read_task_list(App& app, const TaskListPlace& place);

/// One task list that can be looked at and changed, wherever it is kept (TP-01).
class TaskStore {
 public:
  virtual ~TaskStore() = default;
  virtual Result<TaskListClaims> list() = 0;
  /// Returns a task's own JSON, everything in it. NotFound; Corrupt if it is damaged.
  virtual Result<std::string> get(const std::string& id) = 0;
  /// Makes a task and returns its id; with `once` the id of the one that has its phase and subject already, which
  /// then also blocks what the new one would. Invalid: an edge to a task that is not there, or that closes a
  /// chain.
  virtual Result<std::string> create(const NewTask& task) = 0;
  /// Changes a task. NotFound, Corrupt; Invalid as above.
  virtual Result<void> update(const std::string& id, const TaskChange& change) = 0;
  /// Removes a task and every mention of it in the edges of others. Invalid for a permanent task.
  virtual Result<void> remove(const std::string& id) = 0;
};

/// How long a change waits for the lock of a list before it is a Conflict.
inline constexpr Duration kTaskLockWait{15'000};

/// Returns the task that `task` would be once more: of the same phase and subject. Null if there is none.
const TaskClaim* find_same_task(const TaskListClaims& claims, const NewTask& task);

/// Opens a list in its folder, which is made by the first task.
std::unique_ptr<TaskStore> open_task_folder(App& app, TaskListPlace place, Duration lock_wait = kTaskLockWait);

}  // namespace reprise
