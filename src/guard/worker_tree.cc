// Finding a worker's tree, and signalling it without ever reaching a stranger (P21).

#include "guard/worker_tree.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "os/process.h"

namespace reprise {
namespace {

constexpr int kReadsMax = 5;     // of a list of children that changes while it is read
constexpr int kSweepsMax = 200;  // some ten milliseconds

bool has_other_leaders(const WorkerTree& tree, const std::set<int>& leaders) {
  return std::ranges::any_of(leaders, [&](int pid) { return pid != tree.leader; });
}

// Whether an orphan that became our child comes from this worker. One that hides its origin (a session of
// its own and an emptied environment) is taken for this worker's only when no other worker is left.
bool is_orphan_of(const ProcessEntry& orphan, const WorkerTree& tree, const std::set<int>& leaders) {
  if (orphan.group == tree.leader) return true;
  const std::optional<std::string> tag = environment_value(orphan.pid, kTagVariable);
  if (tag == tree.tag) return true;
  if (tag && tag->starts_with(tree.run_tag + "/")) return false;
  return !has_other_leaders(tree, leaders);
}

bool is_root(const ProcessEntry& entry, const WorkerTree& tree, const std::set<int>& leaders, bool is_below_us) {
  if (entry.pid == tree.leader && tree.is_leader_ours) return true;
  if (leaders.contains(entry.pid)) return false;
  if (is_below_us && entry.group == tree.leader) return true;
  if (is_below_us && entry.parent == ::getpid()) return is_orphan_of(entry, tree, leaders);
  return environment_value(entry.pid, kTagVariable) == tree.tag;
}

// What the guard's list of children shows of one worker.
struct Orphans {
  std::vector<int> living;   // left behind by this worker
  bool is_changing = false;  // one has just ended, and may have left a child that the list did not have yet
};

// Takes the orphans that have ended: a process that forks and exits all the time would fill the process table
// while it is being looked for, and make the list longer at every look.
Orphans read_orphans(const WorkerTree& tree, const std::set<int>& leaders) {
  Orphans orphans;
  for (const int pid : own_children()) {
    if (leaders.contains(pid)) continue;
    const std::optional<ProcessEntry> orphan = find_process(pid);
    if (!orphan || orphan->has_ended()) {
      orphans.is_changing = true;
      reap_child(pid);
    } else if (is_orphan_of(*orphan, tree, leaders)) {
      orphans.living.push_back(pid);
    }
  }
  return orphans;
}

}  // namespace

bool may_have_leftovers(const WorkerTree& tree, const std::set<int>& leaders) {
  for (int round = 0; round < kReadsMax; ++round) {
    if (leaders.empty() && !has_children()) return false;
    const Orphans orphans = read_orphans(tree, leaders);
    if (!orphans.living.empty()) return true;
    if (!orphans.is_changing) return false;
  }
  return leaders.empty();
}

void kill_leftovers(const WorkerTree& tree, const std::set<int>& leaders) {
  signal_tree(tree, leaders, SIGKILL);
  for (int round = 0; round < kSweepsMax; ++round) {
    const Orphans orphans = read_orphans(tree, leaders);
    for (const int pid : orphans.living) kill_child(pid);
    if (orphans.living.empty() && !may_have_leftovers(tree, leaders)) return;
  }
}

std::vector<ProcessEntry> find_tree(const WorkerTree& tree, const std::set<int>& leaders) {
  const std::vector<ProcessEntry> all = list_processes();
  std::set<int> below_us;
  for (const ProcessEntry& entry : descendants_of(::getpid(), all)) below_us.insert(entry.pid);
  std::map<int, ProcessEntry> found;
  for (const ProcessEntry& entry : all) {
    if (entry.pid == ::getpid() || found.contains(entry.pid)) continue;
    if (!is_root(entry, tree, leaders, below_us.contains(entry.pid))) continue;
    found.emplace(entry.pid, entry);
    for (const ProcessEntry& below : descendants_of(entry.pid, all)) found.emplace(below.pid, below);
  }
  std::vector<ProcessEntry> living;
  for (const auto& [pid, entry] : found) {
    if (!entry.has_ended()) living.push_back(entry);
  }
  return living;
}

void signal_tree(const WorkerTree& tree, const std::set<int>& leaders, int signal) {
  const std::vector<ProcessEntry> members = find_tree(tree, leaders);
  // The group at once first: signalled one by one, a parent might replace a child that is already dead.
  if (tree.is_leader_ours) signal_group(tree.leader, signal);
  for (const ProcessEntry& entry : members) {
    const bool was_reached = tree.is_leader_ours && entry.group == tree.leader;
    if (!was_reached) signal_process(entry, signal);
  }
  if (signal == SIGKILL) return;
  if (tree.is_leader_ours) signal_group(tree.leader, SIGCONT);
  for (const ProcessEntry& entry : members) {
    if (entry.state == 'T') signal_process(entry, SIGCONT);
  }
}

}  // namespace reprise
