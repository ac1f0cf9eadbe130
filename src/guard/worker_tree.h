// Which processes belong to a worker: its group, its descendants, and whatever carries its tag (G5).
//
// The guard is the subreaper of all of them, so a process that was left behind by its parent has become
// the guard's own child: without a child that is not a worker, nothing was left behind. That makes the
// question cheap to ask at every exit; the process table is read only when the answer is yes.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "os/process.h"
#include "os/process_table.h"

namespace reprise {

struct WorkerTree {
  int leader = 0;              // the worker itself
  bool is_leader_ours = true;  // not waited for yet: its number cannot mean another
  std::string run_tag;         // of all workers of this run: "<run_tag>/<attempt>"
  std::string tag;             // of this worker
};

/// Whether anything of a worker that has ended may still be there. `leaders` are the workers that live.
bool may_have_leftovers(const WorkerTree& tree, const std::set<int>& leaders);
/// Kills what a worker that has ended left behind, again and again until nothing is left or a limit is reached: a
/// process that forks and exits all the time is reached by speed alone.
void kill_leftovers(const WorkerTree& tree, const std::set<int>& leaders);
/// Returns the living processes of the tree.
std::vector<ProcessEntry> find_tree(const WorkerTree& tree, const std::set<int>& leaders);
/// Sends `signal` to the whole tree. A stopped process is continued, so that it can obey.
void signal_tree(const WorkerTree& tree, const std::set<int>& leaders, int signal);

}  // namespace reprise
