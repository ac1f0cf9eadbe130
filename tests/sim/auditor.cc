#include "auditor.h"

#include <algorithm>
#include <set>

#include "app/documents.h"
#include "executor/look.h"
#include "planner/planner.h"

namespace reprise {
namespace {

bool same_digests(const std::vector<SeenFile>& a, const std::vector<SeenFile>& b) {
  return std::ranges::equal(
      a, b, [](const SeenFile& x, const SeenFile& y) { return x.path == y.path && x.digest == y.digest; });
}

}  // namespace

void Auditor::violated(const std::string& what) {
  violations_.push_back("after event " + std::to_string(state_.last.value) + ": " + what);
}

void Auditor::set_definition(const Workflow* workflow, std::string digest) {
  workflow_ = workflow;
  definition_ = std::move(digest);
}

void Auditor::appended(const RunId& run, const RecordedEvent& event) {
  if (state_.last.value == 0) state_.id = run;
  if (const AttemptStarted* started = std::get_if<AttemptStarted>(&event.event)) check_start(*started);
  if (const AttemptFinished* finished = std::get_if<AttemptFinished>(&event.event)) {
    const StepState* before = state_.find_step(finished->step);
    const bool same = before != nullptr && same_digests(before->artifacts, finished->artifacts);
    const bool is_done = finished->outcome == AttemptOutcome::Done;
    if (is_done && (!same || finished->artifacts.empty())) changed_[finished->step.text] = event.number;
  }
  const Result<void> applied = apply(state_, event);
  if (!applied) violated("J1/J8/J9: " + applied.error().message);
  if (const AttemptFinished* finished = std::get_if<AttemptFinished>(&event.event)) {
    finished_[finished->step.text] = event.number;
    check_finish(*finished);
  } else if (const StepVerified* verified = std::get_if<StepVerified>(&event.event)) {
    verified_[verified->step.text] = event.number;
  } else if (const StepReset* reset = std::get_if<StepReset>(&event.event)) {
    reset_[reset->step.text] = event.number;
  }
}

// ---- starts

void Auditor::check_start(const AttemptStarted& event) {
  ++attempts_;
  const StepState* step = state_.find_step(event.step);
  if (step == nullptr) return;
  if (step->record == StepState::Record::Skipped) violated("X2: skipped step " + event.step.text + " is started");
  if (step->record == StepState::Record::Failed) check_again_after_failure(event, *step);
  if (step->record == StepState::Record::Done && !is_repetition_explained(event, *step)) {
    violated("X2: step " + event.step.text + " has a recorded success and is started again for no reason");
  }
}

void Auditor::check_again_after_failure(const AttemptStarted& event, const StepState& step) {
  const std::string& name = event.step.text;
  if (step.needs_human) {
    const auto gate = state_.gates.find(event.step);
    bool open = gate != state_.gates.end() && gate->second.record == GateState::Record::Open;
    for (const auto& [id, question] : state_.questions)
      open = open || (question.step == event.step && !question.answer);
    if (open) violated("step " + name + " goes on although nobody answered it");
    return;
  }
  const Graph graph(*workflow_, state_);
  const std::optional<int> leaf = graph.find(event.step);
  if (is_cut_off(step)) {
    if (leaf && graph.node(*leaf).stage->resume == ResumeRule::Report) {
      violated("step " + name + " was cut off and is started again although a person decides (report)");
    }
    return;
  }
  if (step.retry_at) {
    if (*step.retry_at > guard_.clock().now()) violated("step " + name + " is tried again before its time");
    return;
  }
  const EventNumber ended = finished_[name];
  if (is_repetition_explained(event, step)) return;
  if (state_.session_event < ended && guard_lost_ < ended && state_.reopened_event < ended) {
    violated("step " + name + " failed for good and is tried again within the session");
  }
}

bool Auditor::is_edited_since(const std::vector<SeenFile>& files, EventNumber since) const {
  return std::ranges::any_of(files, [&](const SeenFile& file) {
    const auto found = edited_.find(file.path);
    return found != edited_.end() && found->second >= since;
  });
}

bool Auditor::is_repetition_explained(const AttemptStarted& event, const StepState& step) const {
  if (event.work != step.work || !same_digests(event.inputs, step.inputs)) return true;
  if (is_edited_since(step.artifacts, step.started_event) || is_edited_since(step.inputs, step.started_event))
    return true;
  const Graph graph(*workflow_, state_);
  const std::optional<int> leaf = graph.find(event.step);
  if (!leaf) return false;
  if (may_be_unneeded(graph, *leaf)) return true;  // it was not asked for, and is again
  for (const int upstream : graph.upstream_leaves(*leaf)) {
    const StepState* before = state_.find_step(graph.node(upstream).path);
    if (before != nullptr && before->started_event > step.started_event) return true;
    const auto reset = reset_.find(graph.node(upstream).path.text);
    if (reset != reset_.end() && reset->second > step.started_event) return true;
  }
  return false;
}

bool Auditor::may_be_unneeded(const Graph& graph, int leaf) const {
  for (int above = leaf; above > 0; above = graph.node(above).parent) {
    const Stage& stage = *graph.node(above).stage;
    if (!stage.when.empty() || stage.repeat) return true;
  }
  return false;
}

// Whether an earlier round of its loop has given the verdict: then it may still run, and nobody waits for it.
bool Auditor::is_after_verdict(const Graph& graph, int leaf) const {
  for (int above = leaf; above > 0; above = graph.node(above).parent) {
    const Graph::Node& repeat = graph.node(graph.node(above).parent);
    if (repeat.kind != Graph::Kind::Repeat) continue;
    for (const int round : repeat.children) {
      if (round == above) break;
      for (const int earlier : graph.leaves_below(round)) {
        const StepState* step = state_.find_step(graph.node(earlier).path);
        const bool is_done = step != nullptr && step->record == StepState::Record::Done;
        if (is_done && step->verdict == repeat.stage->repeat->until_verdict) return true;
      }
    }
  }
  return false;
}

void Auditor::starting(const WorkerSpec& spec) {
  const KillSwitch::Bystander looking(kill_);
  const std::size_t mark = spec.attempt.rfind('#');
  const StepPath path{spec.attempt.substr(0, mark)};
  const StepState* step = state_.find_step(path);
  if (step == nullptr || step->record != StepState::Record::Open ||
      std::to_string(step->attempts) != spec.attempt.substr(mark + 1)) {
    violated("J6: " + spec.attempt + " starts and its start is not durable");
    return;
  }
  if (guard_.starts_of(spec.attempt) > 0) violated("X2: " + spec.attempt + " is started twice");
  const Graph graph(*workflow_, state_);
  const std::optional<int> leaf = graph.find(path);
  if (!leaf) {
    violated(spec.attempt + " is not in the definition");
    return;
  }
  check_upstream(graph, *leaf);
  check_limits(graph, *leaf);
}

void Auditor::check_upstream(const Graph& graph, int leaf) {
  for (const int upstream : graph.upstream_leaves(leaf)) {
    const Graph::Node& node = graph.node(upstream);
    const StepState* step = state_.find_step(node.path);
    const auto gate = state_.gates.find(node.path);
    const bool settled = (step != nullptr && (step->record == StepState::Record::Done ||
                                              step->record == StepState::Record::Skipped)) ||
                         (node.kind == Graph::Kind::Gate && gate != state_.gates.end() &&
                          gate->second.record == GateState::Record::Approved);
    const bool running = step != nullptr && step->record == StepState::Record::Open;
    if (settled || (!running && may_be_unneeded(graph, upstream)) || is_after_verdict(graph, upstream)) continue;
    violated("J7: " + graph.node(leaf).path.text + " starts before " + node.path.text + " is done");
  }
}

void Auditor::check_limits(const Graph& graph, int leaf) {
  std::vector<std::string> running = guard_.running();
  if (static_cast<int>(running.size()) >= workflow_->limits.parallel)
    violated("more than limits.parallel workers run");
  for (int above = leaf; above > 0; above = graph.node(above).parent) {
    const Graph::Node& each = graph.node(graph.node(above).parent);
    if (each.kind != Graph::Kind::Each || each.stage->each->parallel == 0) continue;
    std::set<std::string> items = {graph.node(above).path.text};
    for (const std::string& name : running) {
      if (!name.starts_with(each.path.text + "/")) continue;
      const std::size_t end = name.find_first_of("/#", each.path.text.size() + 1);
      items.insert(name.substr(0, end));
    }
    if (static_cast<int>(items.size()) > each.stage->each->parallel) {
      violated("more items of " + each.path.text + " run than its `parallel` allows");
    }
  }
}

// ---- ends

void Auditor::check_finish(const AttemptFinished& event) {
  const KillSwitch::Bystander looking(kill_);
  const std::string name = attempt_name(event.step, event.attempt.value);
  const auto record = guard_.records().find(name);
  const Graph graph(*workflow_, state_);
  const std::optional<int> leaf = graph.find(event.step);
  if (event.outcome == AttemptOutcome::Interrupted && record != guard_.records().end()) {
    violated("X2: the recorded end of " + name + " is lost");
  }
  if (record != guard_.records().end() && record->second.exit_code != event.exit_code && leaf) {
    violated("X2: " + name + " ended otherwise than recorded");
  }
  if (event.outcome != AttemptOutcome::Done) return;
  if (record == guard_.records().end() && event.reason.find("WF-06") == std::string::npos) {
    violated("ALL-05: " + name + " is called done, and nobody saw it end");
  }
  if (leaf) check_products(graph, *leaf);
}

void Auditor::check_products(const Graph& graph, int leaf) {
  for (const Product& product : graph.node(leaf).stage->produces) {
    const std::optional<std::string> content = files_.content(setup_.project / graph.resolve(leaf, product.path));
    const bool complete = content && !content->empty() &&
                          (product.complete.matches.empty() || content->find("END") != std::string::npos);
    if (!complete) violated(graph.node(leaf).path.text + " is done without its product " + product.path);
  }
}

// ---- states and plans

void Auditor::compare(const RunState& state, const char* whose) {
  if (encode_state(state) != encode_state(state_)) {
    violated(std::string("J3: ") + whose + " is not the fold of the events:\n" + encode_state(state) +
             "\nagainst\n" + encode_state(state_));
  }
}

Plan Auditor::check_plan() {
  const KillSwitch::Bystander looking(kill_);
  Attempts attempts(setup_, *workflow_, files_);
  Collector collector(files_, setup_.project);
  ScriptedGuard& guard = guard_;
  const auto sight = [&](const StepPath& step, std::int64_t attempt) -> Result<Sight> {
    const std::string name = attempt_name(step, attempt);
    if (guard.records().contains(name)) return Sight::Ended;
    return guard.is_running(name) ? Sight::Running : Sight::Gone;
  };
  Plan plan;
  std::string first;
  for (int round = 0; round < 2; ++round) {
    Graph graph(*workflow_, state_);
    const Result<RunSnapshot> snapshot = take_run_snapshot(state_, *workflow_, definition_, graph, attempts,
                                                           collector, sight, guard_.clock().now());
    if (!snapshot) {
      violated("no snapshot: " + snapshot.error().message);
      return plan;
    }
    plan = make_plan(*snapshot, graph);
    if (round == 0) {
      first = plan_document(plan);
      check_decisions(plan, graph);
    } else if (first != plan_document(plan)) {
      violated("D1: one snapshot, two plans");
    }
  }
  return plan;
}

void Auditor::check_decisions(const Plan& plan, const Graph& graph) {
  std::map<std::string, const StepDecision*> by_step;
  for (const StepDecision& decision : plan.decisions) {
    if (!by_step.emplace(decision.step.text, &decision).second)
      violated("D2: two decisions for " + decision.step.text);
    if (decision.rule.empty() || decision.evidence().empty())
      violated("D3: no rule or evidence for " + decision.step.text);
  }
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < plan.decisions.size() && !first; ++i) {
    if (plan.decisions[i].decision != Decision::Keep) first = i;
  }
  for (const int leaf : graph.leaves()) {
    const auto found = by_step.find(graph.node(leaf).path.text);
    if (found == by_step.end()) {
      violated("D2: no decision for " + graph.node(leaf).path.text);
      continue;
    }
    const StepDecision& decision = *found->second;
    if (decision.decision != Decision::Keep || decision.rule == kNotNeededLabel ||
        decision.rule == "WF-03 skipped")
      continue;
    for (const int upstream : graph.upstream_leaves(leaf)) {
      const auto before = by_step.find(graph.node(upstream).path.text);
      if (before != by_step.end() && before->second->decision != Decision::Keep) {
        violated("D5: " + decision.step.text + " is kept although " + before->first + " runs again");
      }
    }
  }
  const bool blocking =
      std::ranges::any_of(plan.findings, [](const Finding& f) { return f.severity == Severity::Blocking; });
  if (blocking && plan.resume_point) violated("D4: a resume point in spite of a blocking finding");
  if (plan.resume_point && plan.resume_point != first)
    violated("D6: the resume point is not the first open decision");
}

// A run that is done has every step done, with what it needs done before it.
void Auditor::check_done() {
  const Plan plan = check_plan();
  std::set<std::string> unneeded;
  for (const StepDecision& decision : plan.decisions) {
    if (decision.rule == kNotNeededLabel) unneeded.insert(decision.step.text);
    if (decision.decision != Decision::Keep && !edited_.empty()) continue;
    if (decision.decision != Decision::Keep) {
      violated("the run is done, but " + decision.step.text + " is not: " + decision.reason());
    }
  }
  const Graph graph(*workflow_, state_);
  for (const int leaf : graph.leaves()) {
    const StepPath& path = graph.node(leaf).path;
    const StepState* step = state_.find_step(path);
    if (step == nullptr || step->record != StepState::Record::Done || unneeded.contains(path.text)) continue;
    if (is_after_verdict(graph, leaf) || (!edited_.empty() && may_be_unneeded(graph, leaf))) continue;
    const EventNumber looked_at = std::max(step->started_event, verified_[path.text]);
    for (const int upstream : graph.upstream_leaves(leaf)) {
      const StepState* before = state_.find_step(graph.node(upstream).path);
      if (before == nullptr || before->record != StepState::Record::Done) continue;
      if (unneeded.contains(graph.node(upstream).path.text)) continue;
      if (changed_[graph.node(upstream).path.text] > looked_at) {
        violated("D5: the run is done, but " + path.text + " was not looked at after " +
                 graph.node(upstream).path.text + " gave something else");
      }
    }
  }
}

}  // namespace reprise
