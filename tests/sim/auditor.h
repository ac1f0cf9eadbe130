// The auditor of a simulated run: sees every durable event and every start of a worker, keeps a state of
// its own from them, and says what breaks a promise. It trusts nothing that the program under test says.
//
//   J1 J3 J8 J9   the history can be folded, and everybody's state is that fold
//   J6 J7         a worker starts only after its start, and the end of all it needs, are durable
//   X2            no recorded outcome is lost, no recorded success is repeated without a reason
//   D1-D6         of the plan, whenever one is made
//   limits        no more workers at a time than the run and each `each` allow; no attempt before its time

#pragma once

#include <map>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "testing/memory_file_system.h"
#include "testing/scripted_workers.h"

namespace reprise {

class Auditor {
 public:
  Auditor(ScriptedGuard& guard, MemoryFileSystem& files, KillSwitch& kill, const RunSetup& setup)
      : guard_(guard), files_(files), kill_(kill), setup_(setup) {}

  /// The definition that the next session works with.
  void set_definition(const Workflow* workflow, std::string digest);

  // What happens.
  void appended(const RunId& run, const RecordedEvent& event);
  void starting(const WorkerSpec& spec);
  void edited_by_hand(const std::string& path) { edited_[path] = state_.last; }
  void lost_guard() { guard_lost_ = state_.last; }

  // What must hold when it is asked for.
  void compare(const RunState& state, const char* whose);
  Plan check_plan();
  void check_done();

  void violated(const std::string& what);
  const std::vector<std::string>& violations() const { return violations_; }
  const RunState& state() const { return state_; }
  int attempts() const { return attempts_; }

 private:
  void check_start(const AttemptStarted& event);
  void check_again_after_failure(const AttemptStarted& event, const StepState& step);
  bool is_repetition_explained(const AttemptStarted& event, const StepState& step) const;
  void check_finish(const AttemptFinished& event);
  void check_products(const Graph& graph, int leaf);
  void check_upstream(const Graph& graph, int leaf);
  void check_limits(const Graph& graph, int leaf);
  bool is_after_verdict(const Graph& graph, int leaf) const;
  bool may_be_unneeded(const Graph& graph, int leaf) const;
  bool is_edited_since(const std::vector<SeenFile>& files, EventNumber since) const;
  void check_decisions(const Plan& plan, const Graph& graph);

  ScriptedGuard& guard_;
  MemoryFileSystem& files_;
  KillSwitch& kill_;
  const RunSetup& setup_;
  const Workflow* workflow_ = nullptr;
  std::string definition_;
  RunState state_;
  std::map<std::string, EventNumber> finished_;  // by step
  std::map<std::string, EventNumber> changed_;   // by step: its last success that gave something else
  std::map<std::string, EventNumber> verified_;
  std::map<std::string, EventNumber> reset_;
  std::map<std::string, EventNumber> edited_;  // by path
  EventNumber guard_lost_;
  int attempts_ = 0;
  std::vector<std::string> violations_;
};

}  // namespace reprise
