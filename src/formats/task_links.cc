#include "formats/task_links.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "formats/problem.h"
#include "formats/state_file.h"
#include "formats/task_file.h"

namespace reprise {
namespace {

using Edge = std::pair<std::string_view, std::string_view>;

// One direction of all edges as their files have them: from the task to those that it names.
std::set<Edge> edges_of(const std::vector<TaskClaim>& tasks, std::vector<std::string> TaskClaim::* names) {
  std::set<Edge> edges;
  for (const TaskClaim& task : tasks) {
    for (const std::string& other : task.*names) edges.emplace(task.id, other);
  }
  return edges;
}

// Two fields that say the same of an edge from its two ends.
struct Direction {
  std::vector<std::string> TaskClaim::* from;
  std::vector<std::string> TaskClaim::* back;
  std::string_view says;   // what the task says of the other
  std::string_view lacks;  // what the other should say
};
constexpr Direction kDirections[] = {{&TaskClaim::blocks, &TaskClaim::blocked_by, "blocks", "waits for it"},
                                     {&TaskClaim::blocked_by, &TaskClaim::blocks, "waits for", "blocks it"}};

// Which tasks become free by a task: those that wait for it.
std::multimap<std::string_view, std::string_view> followers_of(const std::vector<TaskClaim>& tasks) {
  std::multimap<std::string_view, std::string_view> followers;
  for (const TaskClaim& task : tasks) {
    for (const std::string& other : task.blocks) followers.emplace(task.id, other);
    for (const std::string& other : task.blocked_by) followers.emplace(other, task.id);
  }
  return followers;
}

// The shortest way from one task to another, both included; empty if there is none.
std::vector<std::string> find_way(const std::multimap<std::string_view, std::string_view>& followers,
                                  std::string_view from, std::string_view to) {
  std::map<std::string_view, std::string_view> came_from = {{from, {}}};
  std::deque<std::string_view> queue = {from};
  while (!queue.empty() && !came_from.contains(to)) {
    const std::string_view id = queue.front();
    queue.pop_front();
    const auto [begin, end] = followers.equal_range(id);
    for (auto it = begin; it != end; ++it) {
      if (came_from.emplace(it->second, id).second) queue.push_back(it->second);
    }
  }
  std::vector<std::string> way;
  if (!came_from.contains(to)) return way;
  for (std::string_view id = to; !id.empty(); id = came_from.at(id)) way.emplace_back(id);
  std::ranges::reverse(way);
  return way;
}

}  // namespace

void complete_task_links(std::vector<TaskClaim>& tasks, std::vector<Oddity>& oddities) {
  std::map<std::string_view, TaskClaim*> by_id;
  for (TaskClaim& task : tasks) {
    by_id.emplace(task.id, &task);
    if (std::ranges::find(task.blocked_by, task.id) != task.blocked_by.end() ||
        std::ranges::find(task.blocks, task.id) != task.blocks.end())
      add_oddity(oddities, 0, task.file, "task " + quoted(task.id) + " waits for itself");
  }
  for (const Direction& direction : kDirections) {
    const std::set<Edge> there = edges_of(tasks, direction.from);
    const std::set<Edge> back = edges_of(tasks, direction.back);
    std::vector<std::pair<TaskClaim*, std::string>> missing;
    for (const auto& [from, to] : there) {
      const auto other = by_id.find(to);
      if (from == to || other == by_id.end() || back.contains({to, from})) continue;
      missing.emplace_back(other->second, from);
      if (other->second->is_damaged) continue;
      add_oddity(oddities, 0, other->second->file,
                 "task " + quoted(from) + " " + std::string(direction.says) + " task " + quoted(to) +
                     ", which does not say that it " + std::string(direction.lacks) + "; it is taken to be so");
    }
    for (auto& [task, id] : missing) (task->*direction.back).push_back(std::move(id));
  }
}

std::vector<std::string> find_closed_chain(const std::vector<TaskClaim>& tasks,
                                           const std::vector<TaskLink>& links) {
  std::multimap<std::string_view, std::string_view> followers = followers_of(tasks);
  for (const TaskLink& link : links) {
    const auto [begin, end] = followers.equal_range(link.blocker);
    const bool is_there = std::any_of(begin, end, [&](const auto& edge) { return edge.second == link.blocked; });
    if (is_there && link.blocker != link.blocked) continue;
    std::vector<std::string> way = find_way(followers, link.blocked, link.blocker);
    if (!way.empty()) {
      way.insert(way.begin(), link.blocker);
      return way;
    }
    followers.emplace(link.blocker, link.blocked);
  }
  return {};
}

const TaskClaim* find_task(const std::vector<TaskClaim>& tasks, std::string_view id) {
  const auto found = std::ranges::lower_bound(tasks, id, comes_before, &TaskClaim::id);
  return found == tasks.end() || found->id != id ? nullptr : &*found;
}

std::vector<std::string> open_blockers(const std::vector<TaskClaim>& tasks, const TaskClaim& task) {
  std::vector<std::string> open;
  for (const std::string& id : task.blocked_by) {
    const TaskClaim* blocker = find_task(tasks, id);
    if (blocker != nullptr && blocker->status != TaskStatus::Completed) open.push_back(id);
  }
  return open;
}

}  // namespace reprise
