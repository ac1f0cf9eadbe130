// Executor: what starts a step, and what follows from its end.

#include <algorithm>

#include "executor/executor.h"
#include "executor/questions.h"
#include "model/limits.h"
#include "os/clock.h"
#include "os/signals.h"
#include "planner/planner.h"

namespace reprise {

double Executor::cost_limit() const {
  return workflow_.limits.cost_usd > 0 ? workflow_.limits.cost_usd : setup_.config.limits.cost_usd;
}

bool Executor::is_over_cost() const {
  return cost_limit() > 0 && state_.cost_usd - state_.cost_allowed_usd >= cost_limit();
}

Result<void> Executor::ask_for_cost() {
  const StepPath gate{std::string(kCostGate)};
  const auto found = state_.gates.find(gate);
  if (found != state_.gates.end() && found->second.record == GateState::Record::Open) return {};
  char ask[160];
  std::snprintf(ask, sizeof ask, "The run has spent $%.2f of $%.2f. Continue with up to $%.2f more?",
                state_.cost_usd, state_.cost_allowed_usd + cost_limit(), cost_limit());
  return record(GateOpened{gate, ask, {}});
}

Result<void> Executor::fill() {
  if (cancel_ || interrupts_ > 0 || ending_signal_ != 0 || is_asked_first()) return {};
  release_due();
  while (running_.size() < static_cast<std::size_t>(parallel_) && graph_.has_ready() && !replan_) {
    if (is_over_cost()) return ask_for_cost();
    const std::optional<int> leaf = graph_.take_ready();
    if (!leaf) return {};
    TRY_VOID(start_leaf(*leaf));
  }
  return {};
}

bool Executor::is_asked_first() const {
  if (!ask_first_) return false;
  const auto gate = state_.gates.find(*ask_first_);
  return gate != state_.gates.end() && gate->second.record != GateState::Record::Approved;
}

bool Executor::waits_for_answers(int leaf) const {
  return graph_.node(leaf).stage->takes_answers &&
         std::ranges::any_of(state_.questions, [](const auto& entry) { return !entry.second.answer; });
}

Result<void> Executor::start_leaf(int leaf) {
  const Graph::Node& node = graph_.node(leaf);
  if (node.kind == Graph::Kind::Gate) return open_gate(leaf);
  const StepState* step = state_.find_step(node.path);
  if (step != nullptr && step->record == StepState::Record::Open) return {};  // adopted
  if (step != nullptr && step->record == StepState::Record::Skipped) {
    graph_.settle(leaf);  // nothing asked for it when the plan was made
    return {};
  }
  const auto decided = decisions_.find(leaf);
  const Decision decision = decided == decisions_.end() ? Decision::Run : decided->second;
  if (decided != decisions_.end()) decisions_.erase(decided);
  if (decision == Decision::Wait || waits_for_answers(leaf)) {
    held_.insert(leaf);
    return {};
  }
  if (has_failed_for_good(leaf)) {
    graph_.fail(leaf);
    return {};
  }
  if (decision == Decision::Verify) {
    if (TRY(keeps_after_verification(leaf))) {
      graph_.settle(leaf);
      return {};
    }
    const auto asked = state_.gates.find(node.path);
    const bool is_agreed = asked != state_.gates.end() && asked->second.record == GateState::Record::Approved;
    if (workflow_.policy.outdated_asks && !is_agreed) return ask_about_outdated(leaf);
  }
  if (step != nullptr) {
    const bool is_told = retry_due_.contains({node.path, step->attempts});
    const Duration wait = time_to_retry(node.path, *step);
    if (wait > Duration(0)) {
      if (!is_told) parts_.observer.retry_scheduled(node.path, wait, step->reason);
      schedule(leaf);
      return {};
    }
  }
  if (!TRY(are_approvals_current(leaf))) return {};
  return node.stage->publish.empty() ? start_attempt(leaf) : publish_lane(leaf);
}

// A walk that begins anew within a session does not try again what this session has tried in vain, nor
// what a person has refused.
bool Executor::has_failed_for_good(int leaf) const {
  const StepPath& path = graph_.node(leaf).path;
  const auto gate = state_.gates.find(path);
  if (gate != state_.gates.end() && gate->second.record == GateState::Record::Rejected) return true;
  const StepState* step = state_.find_step(path);
  if (step == nullptr || step->record != StepState::Record::Failed || step->needs_human || is_cut_off(*step))
    return false;
  return !step->retry_at && failed_here_.contains(path) && !has_upstream_changed(leaf);
}

// Where approvals hold, what stands before a gate is what a step behind it was made from, approved or not.
bool Executor::has_upstream_changed(int leaf) const {
  const EventNumber checked = state_.find_step(graph_.node(leaf).path)->checked_event;
  return has_changed_before(leaf, checked);
}

bool Executor::has_changed_before(int leaf, EventNumber checked) const {
  return std::ranges::any_of(graph_.upstream_leaves(leaf), [&](int upstream) {
    if (graph_.node(upstream).kind == Graph::Kind::Gate && workflow_.policy.approvals_hold)
      return has_changed_before(upstream, checked);
    const StepState* before = state_.find_step(graph_.node(upstream).path);
    return before != nullptr && before->record == StepState::Record::Done && before->changed_event > checked;
  });
}

// A finished step whose surroundings moved stays finished if its verify command says so or, without one,
// if everything it needs came out as before.
Result<bool> Executor::keeps_after_verification(int leaf) {
  const Graph::Node& node = graph_.node(leaf);
  const StepState& step = *state_.find_step(node.path);
  std::string how = "its verify command accepts it";
  const std::vector<SeenFile> inputs = TRY(attempts_.look_at_inputs(graph_, leaf, &step));
  if (node.stage->verify) {
    if (!TRY(attempts_.verify(graph_, leaf, state_))) return false;
  } else {
    how = "what it needs came out the same";
    if (!same_content(inputs, step.inputs) || has_upstream_changed(leaf)) return false;
  }
  const std::vector<SeenFile> artifacts = TRY(attempts_.look_at(step.artifacts));
  TRY_VOID(record(StepVerified{node.path, how, work_digest(*node.stage), inputs, artifacts}));
  return true;
}

// What a step needs came out otherwise than when it was done: whether it is done again is not ours to say.
Result<void> Executor::ask_about_outdated(int leaf) {
  const StepPath& path = graph_.node(leaf).path;
  held_.insert(leaf);
  return record(GateOpened{path,
                           "What " + path.text +
                               " was made from has come out differently. Approve to do it again; `reprise skip " +
                               state_.id.shown() + " " + path.text + " --because TEXT` keeps it as it is.",
                           {}});
}

Result<void> Executor::start_attempt(int leaf) {
  if (graph_.node(leaf).lane >= 0 && !TRY(enter_lane(leaf))) return {};
  PreparedAttempt prepared = TRY(attempts_.prepare(graph_, leaf, state_));
  if (graph_.node(leaf).lane >= 0 && !TRY(take_before(leaf, prepared.event.attempt.value))) return {};
  TRY_VOID(record(std::move(prepared.event)));
  running_[prepared.spec.attempt] = leaf;
  to_start_.push_back(std::move(prepared.spec));
  return {};
}

// ---- ending an attempt

Result<void> Executor::finish_attempt(const ExitRecord& exit) {
  const auto found = running_.find(exit.attempt);
  if (found == running_.end()) return {};
  const int leaf = found->second;
  if (leaf >= 0) TRY_VOID(accept_changes_behind_gates(leaf));
  TRY_VOID(take_edits());  // the state file may be what the worker works on
  const AttemptFinished event = TRY(conclude_attempt(exit, find_switched_branch(leaf)));
  ended_.emplace_back(state_.last, leaf);
  if (leaf >= 0) after_attempt(leaf, event);
  return {};
}

// Returns the branch that the project is on since this step, "" if it is still the same one. A step may switch it;
// a lane has its own.
std::string Executor::find_switched_branch(int leaf) const {
  if (leaf < 0 || graph_.node(leaf).lane >= 0) return "";
  const std::string branch = checkout_.branch(state_.branch);
  return branch == state_.branch ? "" : branch;
}

// Records how a running attempt ended. What follows from it is the caller's part: before the walk of a
// session has begun it is the plan's.
Result<AttemptFinished> Executor::conclude_attempt(const ExitRecord& exit, std::string branch) {
  const auto found = running_.find(exit.attempt);
  const int leaf = found->second;
  running_.erase(found);
  ++executed_;
  if (leaf < 0) {
    const StepPath path{exit.attempt.substr(0, exit.attempt.rfind('#'))};
    TRY(attempts_.take_secrets_out(state_, path));
    const AttemptFinished gone{.step = path,
                               .attempt = {state_.find_step(path)->attempts},
                               .outcome = AttemptOutcome::Stopped,
                               .reason = "the definition no longer has it"};
    TRY_VOID(record(gone));
    return gone;
  }
  ConcludedAttempt concluded = TRY(attempts_.conclude(graph_, leaf, state_, exit));
  concluded.event.branch = std::move(branch);
  if (exit.stopped && interrupts_ > 1) concluded.event.reason = "Ctrl-C was pressed twice";
  if (exit.stopped && cancel_) concluded.event.reason = "the run was cancelled";
  const bool is_in_lane = graph_.node(leaf).lane >= 0;
  if (is_in_lane) TRY_VOID(settle_in_lane(leaf, concluded));
  plan_next_attempt(*graph_.node(leaf).stage, *state_.find_step(graph_.node(leaf).path), concluded.event);
  if (is_in_lane) count_retry_of_lane(leaf, concluded);
  if (is_in_lane && state_.lanes.contains(graph_.node(graph_.node(leaf).lane).path))
    add_work_checkpoint(leaf, concluded);
  reset_for_retry(leaf, concluded);
  escalate(*graph_.node(leaf).stage, concluded);
  const AttemptFinished event = concluded.event;
  TRY_VOID(record(std::move(concluded.event)));
  if (event.outcome == AttemptOutcome::Done) TRY_VOID(record_answers_applied(leaf));
  make_question_ids_unique(concluded.more, state_);
  for (Event& more : concluded.more) TRY_VOID(record(std::move(more)));
  if (concluded.tasks) take_in_tasks();
  TRY_VOID(take_news());
  if (event.outcome != AttemptOutcome::Done && !event.retry_at) failed_here_.insert(event.step);
  if (is_in_lane && event.outcome == AttemptOutcome::Done) TRY_VOID(warn_of_overlaps(leaf));
  return event;
}

// Before anything follows from what brought them: a phase without tasks would be over at once.
void Executor::take_in_tasks() {
  if (graph_.take_in_tasks()) replan_ = true;
}

// Puts the time of the next attempt into the event, so that it survives us; none: there is no next one.
void Executor::plan_next_attempt(const Stage& stage, const StepState& step, AttemptFinished& event) const {
  const Timestamp now = parts_.clock.now();
  if (event.outcome == AttemptOutcome::Later) {
    const Duration doubled(kLaterDelayFirst.count() << std::min(step.laters, 10));
    const Timestamp next = event.retry_at ? *event.retry_at : now + std::min(doubled, kLaterDelayMax);
    const Timestamp since = step.laters == 0 ? now : step.later_since;
    const bool is_patient = next - since <= stage.patience.value_or(kPatienceDefault);
    event.retry_at = is_patient ? std::optional(next) : std::nullopt;
    if (!is_patient) event.reason += "; its patience has run out";
  } else if (event.outcome == AttemptOutcome::Failed || event.outcome == AttemptOutcome::TimedOut) {
    event.retry_at.reset();
    const int same = step.reason == event.reason ? step.same_error + 1 : 1;
    if (step.failures >= attempts_.retries_of(stage)) return;
    if (same >= kSameErrorMax) {
      event.reason += "; the same error " + std::to_string(same) + " times in a row";
      return;
    }
    const Duration doubled(kRetryDelayFirst.count() << std::min(step.failures, 10));
    event.retry_at = now + stage.delay.value_or(std::min(doubled, kRetryDelayMax));
  }
}

// A step that failed for good asks a person where the workflow says so; the run does not end.
void Executor::escalate(const Stage& stage, ConcludedAttempt& concluded) const {
  AttemptFinished& event = concluded.event;
  const bool failed = event.outcome == AttemptOutcome::Failed || event.outcome == AttemptOutcome::TimedOut ||
                      event.outcome == AttemptOutcome::Later;
  if (!workflow_.policy.failure_asks || !failed || event.retry_at) return;
  event.outcome = AttemptOutcome::NeedsHuman;
  concluded.more.push_back(
      GateOpened{event.step, "Stage " + stage.name + " failed: " + event.reason + ". Try it again?", {}});
}

Result<void> Executor::record_answers_applied(int leaf) {
  if (!graph_.node(leaf).stage->takes_answers) return {};
  AnswersApplied applied;
  for (const auto& [id, question] : state_.questions) {
    if (question.answer && !question.applied) applied.questions.push_back(id);
  }
  if (applied.questions.empty()) return {};
  TRY_VOID(record(applied));
  for (const std::string& id : applied.questions) {
    const QuestionState question = state_.questions.at(id);
    for (const std::string& gap : question.gaps) {
      const auto found = state_.gaps.find(gap);
      if (found == state_.gaps.end()) continue;
      TRY_VOID(record(GapChanged{.id = gap,
                                 .priority = found->second.priority,
                                 .status = GapStatus::Resolved,
                                 .text = "",
                                 .resolution = "Answer to " + id + ": " + *question.answer}));
    }
  }
  return {};
}

void Executor::after_attempt(int leaf, const AttemptFinished& event) {
  graph_.worker_ended(leaf);
  if (event.outcome == AttemptOutcome::Done) {
    after_success(leaf);
  } else if (!graph_.node(leaf).reached) {
    // Adopted, and its turn has not come: what follows is decided then.
    const bool asks = event.outcome == AttemptOutcome::NeedsHuman;
    decisions_[leaf] = asks || must_report(leaf, event.outcome) ? Decision::Wait : Decision::Rerun;
  } else if (event.outcome == AttemptOutcome::NeedsHuman) {
    held_.insert(leaf);
  } else if (event.outcome == AttemptOutcome::Stopped || event.outcome == AttemptOutcome::Interrupted) {
    if (cancel_ || interrupts_ > 1) return;  // the run is ending; the next session decides
    if (must_report(leaf, event.outcome)) {
      held_.insert(leaf);
    } else {
      graph_.reopen(leaf);
    }
  } else if (event.retry_at && event.outcome != AttemptOutcome::Later &&
             !graph_.node(leaf).stage->retry_from.empty()) {
    replan_ = true;  // it starts at an earlier stage
  } else if (event.retry_at) {
    schedule(leaf);
  } else {
    graph_.fail(leaf);
  }
}

bool Executor::must_report(int leaf, AttemptOutcome outcome) const {
  const bool cut_off = outcome == AttemptOutcome::Stopped || outcome == AttemptOutcome::Interrupted;
  return cut_off && graph_.node(leaf).stage->resume == ResumeRule::Report;
}

// A worker that was adopted while what it needs runs again, or after its definition changed, worked with
// what was there before: its success is looked at again when its turn has come.
void Executor::after_success(int leaf) {
  const Graph::Node& node = graph_.node(leaf);
  const bool is_outdated = outdated_.erase(leaf) > 0;
  if (node.reached && !is_outdated) {
    graph_.settle(leaf);
    return;
  }
  const bool same_work = state_.find_step(node.path)->work == work_digest(*node.stage);
  decisions_[leaf] = same_work ? Decision::Verify : Decision::Rerun;
  graph_.reopen(leaf);
}

// How long the step still has to wait for its next attempt. The wall clock may have been set since the retry was
// planned, so it is asked once per attempt and believed only up to the delay that was planned.
Duration Executor::time_to_retry(const StepPath& path, const StepState& step) {
  if (!step.retry_at) return Duration(0);
  const Duration now = parts_.clock.monotonic();
  const auto [due, is_new] = retry_due_.try_emplace({path, step.attempts});
  if (is_new) {
    const Duration planned = *step.retry_at - step.finished_at;
    due->second = now + std::min(planned, *step.retry_at - parts_.clock.now());
  }
  return std::max(Duration(0), due->second - now);
}

void Executor::schedule(int leaf) {
  const StepPath& path = graph_.node(leaf).path;
  due_.emplace(parts_.clock.monotonic() + time_to_retry(path, *state_.find_step(path)), leaf);
}

void Executor::release_due() {
  const Duration now = parts_.clock.monotonic();
  while (!due_.empty() && due_.begin()->first <= now) {
    const int leaf = due_.begin()->second;
    due_.erase(due_.begin());
    decisions_[leaf] = Decision::Rerun;
    graph_.reopen(leaf);
  }
}

}  // namespace reprise
