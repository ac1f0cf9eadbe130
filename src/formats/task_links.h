// Which task waits for which: both directions of each edge, and the chains they make.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace reprise {

/// Gives each task that another one says it blocks, or waits for, the edge that its own file lacks. Each such
/// edge, and a task that waits for itself, is listed. Edges to tasks that are not there stay as they are. `tasks`
/// are in order (comes_before).
void complete_task_links(std::vector<TaskClaim>& tasks, std::vector<Oddity>& oddities);

/// An edge that is to be made: `blocked` waits for `blocker`.
struct TaskLink {
  std::string blocker;
  std::string blocked;
  bool operator==(const TaskLink&) const = default;
};

/// Returns the chain that making all of `links` would close, each task before the one that waits for it, the first
/// again at the end: {"5", "3", "5"} if 5 waits for 3 and 3 is to wait for 5. Empty if they close none; chains
/// that were there before do not count.
std::vector<std::string> find_closed_chain(const std::vector<TaskClaim>& tasks,
                                           const std::vector<TaskLink>& links);

/// Returns the task with this id; null if there is none. `tasks` are in order.
const TaskClaim* find_task(const std::vector<TaskClaim>& tasks, std::string_view id);

/// Returns which of a task's blockers are there and not completed.
std::vector<std::string> open_blockers(const std::vector<TaskClaim>& tasks, const TaskClaim& task);

}  // namespace reprise
