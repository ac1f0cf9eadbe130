// Who waits for whom among the work tasks of a list.
//
// A work task is one that is neither permanent nor internal. An edge counts if either end tells of it, and a pair
// that only one end tells of is listed. A blocker that is not in the list was finished and removed, and blocks
// nothing. Of two tasks with one id the one that is less far counts. Everything is linear in tasks and edges.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/task.h"

namespace reprise {

/// Returns how a task stands by the most conservative reading of what its file says (TP-17): an error outranks
/// `completed`, and a file that cannot be read gives nothing.
TaskStatus status_of(const TaskClaim& task);

class TaskGraph {
 public:
  /// An edge that only one of its ends tells of.
  struct OneSided {
    int blocker = 0;
    int dependent = 0;
    bool told_by_blocker = false;
  };
  /// A blocker that is named and not there.
  struct Removed {
    int dependent = 0;
    std::string_view id;
  };

  /// `claims` must outlive the graph.
  explicit TaskGraph(const TaskListClaims& claims);

  int size() const { return static_cast<int>(tasks_.size()); }
  /// The work tasks, in the order of the list.
  const TaskClaim& task(int node) const { return *tasks_[static_cast<std::size_t>(node)]; }
  /// What the node waits for, and what waits for it; each once.
  std::span<const int> blockers(int node) const { return blockers_.of(node); }
  std::span<const int> dependents(int node) const { return dependents_.of(node); }

  /// Tasks that wait for themselves, directly or through others: each group once, as a chain in which every task
  /// waits for the next and the last for the first.
  const std::vector<std::vector<int>>& cycles() const { return cycles_; }
  /// Whether the node waits for itself.
  bool is_in_cycle(int node) const { return in_cycle_[static_cast<std::size_t>(node)]; }
  const std::vector<OneSided>& one_sided() const { return one_sided_; }
  const std::vector<Removed>& removed() const { return removed_; }
  /// Ids that more than one work task has.
  const std::vector<std::string_view>& repeated_ids() const { return repeated_ids_; }

  /// Returns, for each node, whether it waits for one of `from`, directly or through others.
  std::vector<bool> downstream_of(const std::vector<bool>& from) const;

 private:
  // Lists of nodes, side by side in one vector.
  struct Lists {
    std::vector<int> starts;
    std::vector<int> nodes;
    std::span<const int> of(int node) const {
      const auto at = static_cast<std::size_t>(node);
      return std::span(nodes).subspan(static_cast<std::size_t>(starts[at]),
                                      static_cast<std::size_t>(starts[at + 1] - starts[at]));
    }
  };
  struct Edge {
    int from = 0;
    int to = 0;
  };
  struct Told {
    std::vector<Edge> by_dependent;
    std::vector<Edge> by_blocker;
  };

  void collect(const TaskListClaims& claims);
  Told read_edges(const TaskListClaims& claims);
  void merge_edges(Told told);
  Lists lists(std::span<const Edge> edges) const;
  void find_cycles();
  std::vector<int> chain_through(int start, const std::vector<int>& component) const;

  std::vector<const TaskClaim*> tasks_;
  std::unordered_map<std::string_view, int> by_id_;
  Lists blockers_;
  Lists dependents_;
  std::vector<std::vector<int>> cycles_;
  std::vector<bool> in_cycle_;
  std::vector<OneSided> one_sided_;
  std::vector<Removed> removed_;
  std::vector<std::string_view> repeated_ids_;
};

}  // namespace reprise
