// Executor: gates, and whether an approval still counts when a step behind it starts.
//
// The files that a gate shows are compared when it is reached, when a person decides, and before each step behind
// it starts. A change is accepted if a step behind the gate recorded it (see planner/approval.h), or if only steps
// behind the gate ran while it appeared. Whatever else changed them, the gate asks again.

#include <algorithm>

#include "executor/executor.h"
#include "model/limits.h"
#include "model/seen_mode.h"
#include "os/file_system.h"
#include "planner/approval.h"

namespace reprise {

Result<void> Executor::open_gate(int leaf) {
  const std::vector<SeenFile> shown = TRY(attempts_.look_at_shown(graph_, leaf));
  const auto gate = state_.gates.find(graph_.node(leaf).path);
  if (is_approved(leaf)) {
    if (!is_approval_current(leaf, shown)) return ask_at_gate(leaf, shown);
    graph_.settle(leaf);
    return {};
  }
  const bool is_known = gate != state_.gates.end() && same_shown(gate->second.shows, shown);
  if (!is_known || is_redefined(leaf)) return ask_at_gate(leaf, shown);
  if (gate->second.record == GateState::Record::Rejected) graph_.fail(leaf);
  return {};
}

// Where approvals hold, the system words its own questions.
bool Executor::is_redefined(int gate) const {
  return !workflow_.policy.approvals_hold && !redefined_since_approval(graph_, gate, state_).empty();
}

Result<void> Executor::ask_at_gate(int gate, const std::vector<SeenFile>& shown) {
  covered_.erase(gate);
  TRY_VOID(keep_texts(shown));
  return record(
      GateOpened{graph_.node(gate).path, graph_.resolve(gate, graph_.node(gate).stage->gate->ask), shown});
}

// What a person is shown is kept, so that a later change of it can be shown as a difference. Secrets are not.
Result<void> Executor::keep_texts(const std::vector<SeenFile>& shown) {
  for (const SeenFile& file : shown) {
    if (file.digest.empty()) continue;
    const Result<std::string> bytes = parts_.files.read(setup_.project / file.path, kShownBytesMax);
    if (!bytes) continue;
    const std::string masked = attempts_.without_secrets(*bytes);
    if (masked == *bytes) {
      TRY(parts_.journal.put_text(*bytes));
    } else {
      TRY_VOID(parts_.journal.put_masked_text(file.digest, masked));
    }
  }
  return {};
}

// ---- the steps behind a gate

bool Executor::is_approved(int gate) const {
  const auto found = state_.gates.find(graph_.node(gate).path);
  return found != state_.gates.end() && found->second.record == GateState::Record::Approved;
}

// Found once for all leaves; a loop or a task list may add to the graph.
const std::vector<int>& Executor::gates_before(int leaf) {
  static const std::vector<int> none;
  if (gates_before_of_ != graph_.size()) {
    gates_before_of_ = graph_.size();
    gates_before_.clear();
    for (const int gate : graph_.leaves()) {
      if (graph_.node(gate).kind != Graph::Kind::Gate || graph_.node(gate).stage->gate->shows.empty()) continue;
      for (const int behind : graph_.leaves_behind(gate)) gates_before_[behind].push_back(gate);
    }
  }
  const auto found = gates_before_.find(leaf);
  return found == gates_before_.end() ? none : found->second;
}

bool Executor::is_behind(int gate, int leaf) {
  const std::vector<int>& gates = gates_before(leaf);
  return std::ranges::find(gates, gate) != gates.end();
}

bool Executor::is_approval_current(int gate, const std::vector<SeenFile>& shown) {
  if (workflow_.policy.approvals_hold) return true;
  if (is_redefined(gate)) return false;
  const auto covered = covered_.find(gate);
  const auto changed = [&](const std::string& path) -> const SeenFile* {
    const auto now = std::ranges::find(shown, path, &SeenFile::path);
    if (now == shown.end()) return nullptr;
    const bool is_covered =
        covered != covered_.end() && std::ranges::any_of(covered->second.shown, [&](const SeenFile& file) {
          return file.path == path && file.digest == now->digest && !has_other_mode(file, *now);
        });
    return is_covered ? nullptr : &*now;
  };
  return file_changed_since_approval(graph_, gate, state_, changed).empty();
}

// Since the gate's files were last found to be covered.
bool Executor::ran_only_steps_behind(int gate) {
  bool runs = false;
  for (const auto& [name, leaf] : running_) {
    if (!is_behind(gate, leaf)) return false;
    runs = true;
  }
  const auto covered = covered_.find(gate);
  const EventNumber since = covered == covered_.end() ? EventNumber{} : covered->second.at;
  for (auto ended = ended_.rbegin(); ended != ended_.rend() && ended->first > since; ++ended) {
    if (!is_behind(gate, ended->second)) return false;
  }
  return runs;
}

// Opens the gates before `leaf` whose approval does not cover what they show now. False: it has to wait for them.
Result<bool> Executor::are_approvals_current(int leaf) {
  if (workflow_.policy.approvals_hold) return true;
  bool all = true;
  for (const int gate : gates_before(leaf)) {
    if (!is_approved(gate)) continue;
    std::vector<SeenFile> shown = TRY(attempts_.look_at_shown(graph_, gate));
    if (is_approval_current(gate, shown) || ran_only_steps_behind(gate)) {
      covered_[gate] = {std::move(shown), state_.last};
    } else {
      TRY_VOID(ask_at_gate(gate, shown));
      all = false;
    }
  }
  if (!all) replan_ = true;
  return all;
}

// The attempt of `leaf` has ended and is still among the running ones.
Result<void> Executor::accept_changes_behind_gates(int leaf) {
  if (workflow_.policy.approvals_hold) return {};
  for (const int gate : gates_before(leaf)) {
    if (!is_approved(gate) || !ran_only_steps_behind(gate)) continue;
    covered_[gate] = {TRY(attempts_.look_at_shown(graph_, gate)), state_.last};
  }
  return {};
}

}  // namespace reprise
