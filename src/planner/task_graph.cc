#include "planner/task_graph.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace reprise {
namespace {

bool is_work(const TaskClaim& task) { return !task.is_permanent && !task.is_internal; }

// How far a task is, for choosing the more conservative of two.
int progress_of(const TaskClaim& task) {
  switch (status_of(task)) {
    case TaskStatus::Unknown: return 0;
    case TaskStatus::Failed: return 1;
    case TaskStatus::Pending: return 2;
    case TaskStatus::InProgress: return 3;
    case TaskStatus::Completed: return 4;
  }
  return 0;
}

// The groups of nodes that reach one another (Tarjan), without recursion: chains of blockers may be long.
class Components {
 public:
  explicit Components(const TaskGraph& graph)
      : graph_(graph), seen_(static_cast<std::size_t>(graph.size()), 0), low_(seen_), of_(seen_.size(), -1) {
    for (int node = 0; node < graph.size(); ++node) {
      if (seen_[index(node)] == 0) walk(node);
    }
  }
  /// By node: the number of its group.
  const std::vector<int>& of() const { return of_; }
  int count() const { return count_; }

 private:
  struct Frame {
    int node;
    std::size_t next;
  };
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }

  void enter(int node) {
    seen_[index(node)] = low_[index(node)] = ++clock_;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void walk(int root) {
    enter(root);
    while (!frames_.empty()) {
      const int node = frames_.back().node;
      const std::span<const int> blockers = graph_.blockers(node);
      if (frames_.back().next == blockers.size()) {
        leave(node);
        continue;
      }
      const int to = blockers[frames_.back().next++];
      if (seen_[index(to)] == 0) {
        enter(to);
      } else if (of_[index(to)] < 0) {
        low_[index(node)] = std::min(low_[index(node)], seen_[index(to)]);
      }
    }
  }

  void leave(int node) {
    frames_.pop_back();
    if (!frames_.empty()) {
      int& low = low_[index(frames_.back().node)];
      low = std::min(low, low_[index(node)]);
    }
    if (low_[index(node)] != seen_[index(node)]) return;
    for (int member = -1; member != node;) {
      member = open_.back();
      open_.pop_back();
      of_[index(member)] = count_;
    }
    ++count_;
  }

  const TaskGraph& graph_;
  std::vector<int> seen_;  // when a node was met; 0: not yet
  std::vector<int> low_;
  std::vector<int> of_;
  std::vector<int> open_;
  std::vector<Frame> frames_;
  int clock_ = 0;
  int count_ = 0;
};

}  // namespace

TaskStatus status_of(const TaskClaim& task) {
  if (task.is_damaged) return TaskStatus::Unknown;
  return task.error.empty() ? task.status : TaskStatus::Failed;
}

TaskGraph::TaskGraph(const TaskListClaims& claims) {
  collect(claims);
  merge_edges(read_edges(claims));
  find_cycles();
}

void TaskGraph::collect(const TaskListClaims& claims) {
  std::unordered_set<std::string_view> repeated;
  for (const TaskClaim& task : claims.tasks) {
    if (!is_work(task)) continue;
    const auto [place, is_new] = by_id_.try_emplace(task.id, size());
    if (is_new) {
      tasks_.push_back(&task);
      continue;
    }
    if (repeated.insert(task.id).second) repeated_ids_.push_back(task.id);
    const TaskClaim*& kept = tasks_[static_cast<std::size_t>(place->second)];
    if (progress_of(task) < progress_of(*kept)) kept = &task;
  }
}

TaskGraph::Told TaskGraph::read_edges(const TaskListClaims& claims) {
  std::unordered_set<std::string_view> others;  // what is in the list and no work: it blocks nothing
  for (const TaskClaim& task : claims.tasks) {
    if (!is_work(task)) others.insert(task.id);
  }
  Told told;
  for (int node = 0; node < size(); ++node) {
    for (const std::string& id : task(node).blocked_by) {
      if (const auto found = by_id_.find(id); found != by_id_.end()) {
        told.by_dependent.push_back({found->second, node});
      } else if (!others.contains(id)) {
        removed_.push_back({node, id});
      }
    }
    for (const std::string& id : task(node).blocks) {
      if (const auto found = by_id_.find(id); found != by_id_.end()) {
        told.by_blocker.push_back({node, found->second});
      }
    }
  }
  return told;
}

// Sorting by counting keeps this linear; what is told twice lies side by side then.
void TaskGraph::merge_edges(Told told) {
  const Lists by_dependent = lists(told.by_dependent);
  const Lists by_blocker = lists(told.by_blocker);
  std::vector<Edge> all;
  std::vector<int> mark(tasks_.size(), -1);
  for (int node = 0; node < size(); ++node) {
    for (const int to : by_dependent.of(node)) {
      if (mark[static_cast<std::size_t>(to)] == 2 * node) continue;
      mark[static_cast<std::size_t>(to)] = 2 * node;
      all.push_back({node, to});
    }
    for (const int to : by_blocker.of(node)) {
      int& last = mark[static_cast<std::size_t>(to)];
      if (last == 2 * node + 1) continue;
      if (last != 2 * node) {
        all.push_back({node, to});
        one_sided_.push_back({.blocker = node, .dependent = to, .told_by_blocker = true});
      }
      last = 2 * node + 1;
    }
    for (const int to : by_dependent.of(node)) {
      if (mark[static_cast<std::size_t>(to)] != 2 * node) continue;
      one_sided_.push_back({.blocker = node, .dependent = to, .told_by_blocker = false});
      mark[static_cast<std::size_t>(to)] = 2 * node + 1;
    }
  }
  dependents_ = lists(all);
  for (Edge& edge : all) std::swap(edge.from, edge.to);
  blockers_ = lists(all);
}

TaskGraph::Lists TaskGraph::lists(std::span<const Edge> edges) const {
  Lists lists;
  lists.starts.assign(tasks_.size() + 1, 0);
  lists.nodes.resize(edges.size());
  for (const Edge& edge : edges) ++lists.starts[static_cast<std::size_t>(edge.from) + 1];
  for (std::size_t i = 1; i < lists.starts.size(); ++i) lists.starts[i] += lists.starts[i - 1];
  std::vector<int> next = lists.starts;
  for (const Edge& edge : edges) {
    lists.nodes[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.from)]++)] = edge.to;
  }
  return lists;
}

void TaskGraph::find_cycles() {
  const Components components(*this);
  in_cycle_.assign(tasks_.size(), false);
  std::vector<int> sizes(static_cast<std::size_t>(components.count()), 0);
  for (const int component : components.of()) ++sizes[static_cast<std::size_t>(component)];
  std::vector<bool> told(sizes.size(), false);
  for (int node = 0; node < size(); ++node) {
    const auto group = static_cast<std::size_t>(components.of()[static_cast<std::size_t>(node)]);
    const bool is_own_blocker = std::ranges::find(blockers(node), node) != blockers(node).end();
    if (is_own_blocker) cycles_.push_back({node});
    in_cycle_[static_cast<std::size_t>(node)] = is_own_blocker || sizes[group] > 1;
    if (sizes[group] == 1 || told[group]) continue;
    told[group] = true;
    cycles_.push_back(chain_through(node, components.of()));
  }
}

// Follows blockers within the group until one comes up again; from there on it is the chain.
std::vector<int> TaskGraph::chain_through(int start, const std::vector<int>& component) const {
  const auto group_of = [&](int node) { return component[static_cast<std::size_t>(node)]; };
  std::unordered_map<int, std::ptrdiff_t> place;
  std::vector<int> chain;
  int node = start;
  while (place.try_emplace(node, std::ssize(chain)).second) {
    chain.push_back(node);
    node = *std::ranges::find_if(blockers(node),
                                 [&](int to) { return to != node && group_of(to) == group_of(start); });
  }
  chain.erase(chain.begin(), chain.begin() + place[node]);
  return chain;
}

std::vector<bool> TaskGraph::downstream_of(const std::vector<bool>& from) const {
  std::vector<bool> reached(tasks_.size(), false);
  std::vector<int> open;
  for (int node = 0; node < size(); ++node) {
    if (from[static_cast<std::size_t>(node)]) open.push_back(node);
  }
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    for (const int to : dependents(node)) {
      if (reached[static_cast<std::size_t>(to)]) continue;
      reached[static_cast<std::size_t>(to)] = true;
      if (!from[static_cast<std::size_t>(to)]) open.push_back(to);
    }
  }
  return reached;
}

}  // namespace reprise
