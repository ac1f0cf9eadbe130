#include "executor/prepare.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "os/clock.h"
#include "planner/loop_limits.h"
#include "planner/planner.h"

namespace reprise {
namespace {

// A system whose state is in the journal alone has no file to judge by.
Result<Judgement> judge(const PrepareRequest& with) {
  const std::string shown = with.state_file == nullptr ? "" : TRY(with.state_file->shown(with.state));
  return with.native->judge(shown, with.state, with.graph);
}

// What the rules of the system make of the run becomes part of the record, so that the engine plans from it. Their
// reasons and findings are about what they saw: they are not asked again.
Result<std::optional<Judgement>> record_judgement(const PrepareRequest& with) {
  if (with.native == nullptr) return std::nullopt;
  Judgement judgement = TRY(judge(with));
  if (with.is_for_decision && judgement.plan.readiness == Readiness::Blocked) return judgement;
  for (const Event& event : judgement.events) TRY_VOID(with.record(event));
  with.graph.take_in_tasks();
  return judgement;
}

Result<Plan> make(const PrepareRequest& with, const std::optional<Judgement>& judgement, Timestamp last_activity) {
  Collector collector(with.attempts.files(), with.attempts.setup().project);
  RunSnapshot snapshot = TRY(take_run_snapshot(with.state, with.workflow, with.definition, with.graph,
                                               with.attempts, collector, with.sight, with.clock.now()));
  snapshot.last_activity = last_activity;
  Plan plan = make_plan(snapshot, with.graph);
  return judgement ? merge_plans(std::move(plan), judgement->plan) : plan;
}

// Why gates were rejected that the reopening of the run asks again.
std::map<StepPath, std::string> rejections(const RunState& state) {
  std::map<StepPath, std::string> because;
  for (const auto& [path, gate] : state.gates) {
    if (gate.record == GateState::Record::Rejected && !gate.because.empty()) because[path] = gate.because;
  }
  return because;
}

void add_rejections(Plan& plan, const std::map<StepPath, std::string>& because) {
  for (StepDecision& decision : plan.decisions) {
    const auto rejected = because.find(decision.step);
    const bool is_asked_again = decision.decision == Decision::Wait || decision.decision == Decision::Run;
    if (rejected != because.end() && is_asked_again)
      decision.detail.edit() += "; rejected before: " + printable_line(rejected->second, 300);
  }
}

Result<void> record_resume_point(const PrepareRequest& with, const std::string& from, const Plan& plan) {
  for (const StepPath& path : TRY(steps_repeated_from(from, plan, with.graph))) {
    const StepState* step = with.state.find_step(path);
    const bool is_open = step != nullptr && step->record == StepState::Record::Open;
    if (!is_open) TRY_VOID(with.record(StepReset{path, "from", with.actor, "resumed from " + from}));
  }
  return {};
}

}  // namespace

Result<bool> import_changes(const PrepareRequest& with) {
  if (with.records == nullptr) return false;
  for (Event& event : TRY(with.records->news(with.state))) {
    if (TaskChanged* const task = std::get_if<TaskChanged>(&event)) with.attempts.take_secrets_out(*task);
    TRY_VOID(with.record(std::move(event)));
  }
  return with.graph.take_in_tasks();
}

Result<Prepared> prepare(const PrepareRequest& with, const std::string& from) {
  const Timestamp last_activity = with.state.updated_at;  // what is found out now does not make the run look fresh
  std::vector<Finding> exhausted = find_exhausted_loops(with.workflow, with.state);  // before they count again
  const std::map<StepPath, std::string> rejected = rejections(with.state);
  if (with.native != nullptr) with.native->resume_from(from);
  const bool reopens =
      with.state.status == RunStatus::Failed && !with.is_final_when_failed && !with.is_for_decision;
  if (reopens) TRY_VOID(with.record(RunReopened{with.actor, "resumed"}));
  if (with.settle) TRY_VOID(with.settle());
  if (with.import_edits) TRY_VOID(with.import_edits());
  TRY(import_changes(with));
  const std::optional<Judgement> judgement = TRY(record_judgement(with));
  Prepared prepared{.plan = TRY(make(with, judgement, last_activity)), .ask_first = {}};
  if (!from.empty()) {
    TRY_VOID(record_resume_point(with, from, prepared.plan));
    prepared.plan = TRY(make(with, judgement, last_activity));
    warn_of_repeated_work(prepared.plan, from);
    keep_from_in_options(prepared.plan, from);
  }
  add_warnings(prepared.plan, std::move(exhausted));
  add_rejections(prepared.plan, rejected);
  if (judgement) prepared.ask_first = judgement->ask_first;
  return prepared;
}

Result<Plan> plan_again(const PrepareRequest& with) {
  if (with.native == nullptr) return make(with, std::nullopt, with.state.updated_at);
  return make(with, TRY(judge(with)), with.state.updated_at);
}

}  // namespace reprise
