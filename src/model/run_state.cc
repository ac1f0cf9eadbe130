#include "model/run_state.h"

#include <algorithm>

#include "model/limits.h"

namespace reprise {

RunState::RunState() = default;
RunState::RunState(const RunState& other) = default;
RunState::RunState(RunState&& other) noexcept = default;
RunState& RunState::operator=(const RunState& other) = default;
RunState& RunState::operator=(RunState&& other) noexcept = default;
RunState::~RunState() = default;

namespace {

std::unexpected<Error> does_not_follow(const RecordedEvent& event, const std::string& why) {
  return fail(ErrorKind::Corrupt, "event " + std::to_string(event.number.value) + " cannot follow: " + why);
}

// The fold proper: one function per kind of event.
class Fold {
 public:
  Fold(RunState& state, const RecordedEvent& recorded) : state_(state), recorded_(recorded) {}

  Result<void> operator()(const RunCreated& e) {
    if (recorded_.number.value != 1) return does_not_follow(recorded_, "the run exists already");
    state_.status = RunStatus::Running;
    state_.workflow = e.workflow;
    state_.subject = e.subject;
    state_.definition = e.definition;
    state_.source = e.source;
    state_.source_digest = e.source_digest;
    state_.mode = e.mode;
    state_.parallel = e.parallel;
    state_.values = e.values;
    state_.baseline = e.baseline;
    state_.forked_from = e.forked_from;
    state_.state_file.path = e.native_file;
    state_.adopted = e.adopted;
    state_.key = run_key(state_.id, e.serial);
    state_.started_at = recorded_.at;
    if (e.last_activity) state_.updated_at = std::min(*e.last_activity, recorded_.at);
    return {};
  }

  Result<void> operator()(const PlanAccepted& e) {
    state_.definition = e.definition;
    state_.source_digest = e.source_digest;
    state_.mode = e.mode;
    state_.session_at = recorded_.at;
    state_.session_event = recorded_.number;
    state_.checkout = e.checkout;
    state_.branch = e.branch;
    if (e.resumed) ++state_.resume_count;
    state_.state_file.refused.clear();  // the plan that was accepted said so
    state_.state_file.kept.clear();
    return {};
  }

  Result<void> operator()(const LeaseTakenOver&) { return {}; }

  Result<void> operator()(const FindingOverruled& e) {
    state_.overruled[e.code] = e;
    state_.overruled_event[e.code] = recorded_.number;
    return {};
  }

  Result<void> operator()(const AttemptStarted& e) {
    const StepState* before = state_.find_step(e.step);
    if (before != nullptr && before->record == StepState::Record::Open) {
      return does_not_follow(recorded_, "an attempt is open (J8)");
    }
    if (e.attempt.value != (before == nullptr ? 0 : before->attempts) + 1) {
      return does_not_follow(recorded_, "attempt number out of order");
    }
    StepState& step = state_.steps[e.step];
    step.record = StepState::Record::Open;
    step.attempts = static_cast<std::int32_t>(e.attempt.value);
    step.started_event = step.checked_event = recorded_.number;
    step.started_at = recorded_.at;
    step.finished_at = {};
    step.retry_at.reset();
    step.needs_human = false;
    step.work = e.work;
    step.inputs = e.inputs;
    step.before = e.before;
    return {};
  }

  Result<void> operator()(const AttemptFinished& e) {
    const auto found = state_.steps.find(e.step);
    if (found == state_.steps.end() || found->second.record != StepState::Record::Open ||
        found->second.attempts != e.attempt.value) {
      return does_not_follow(recorded_, "no such attempt is open");
    }
    StepState& step = found->second;
    step.outcome = e.outcome;
    step.timed_out = e.outcome == AttemptOutcome::TimedOut;
    step.exit_code = e.exit_code;
    step.signal = e.signal;
    step.finished_at = recorded_.at;
    step.took = e.took;
    step.verdict = e.verdict;
    step.summary = e.summary;
    step.result = e.result;
    if (!e.branch.empty()) state_.branch = e.branch;
    state_.cost_usd += e.cost_usd;
    state_.tokens += e.tokens;
    finish(step, e);
    return {};
  }

  Result<void> operator()(const StepVerified& e) {
    StepState& step = state_.steps[e.step];
    step.record = StepState::Record::Done;
    step.checked_event = recorded_.number;
    step.work = e.work;
    step.inputs = e.inputs;
    step.artifacts = e.artifacts;
    return {};
  }

  Result<void> operator()(const ClaimImported& e) {
    const StepState* before = state_.find_step(e.step);
    if (before != nullptr && before->record == StepState::Record::Open)
      return does_not_follow(recorded_, "an attempt is open (J8)");
    StepState& step = state_.steps[e.step];
    step.record = e.done ? StepState::Record::Done : StepState::Record::Failed;
    step.outcome = e.done ? AttemptOutcome::Done : AttemptOutcome::Interrupted;
    step.needs_human = false;
    step.checked_event = recorded_.number;
    step.finished_at = recorded_.at;
    step.verdict = e.verdict;
    step.work = e.work;
    step.artifacts = e.artifacts;
    step.reason = e.rule + ", " + e.source;
    if (!e.inputs.empty()) step.inputs = e.inputs;
    if (!e.summary.empty()) step.summary = e.summary;
    if (!e.result.empty()) step.result = e.result;
    step.stalled = e.stalled;
    if (e.took > Duration{0}) step.took = e.took;
    return {};
  }

  Result<void> operator()(const AnswersApplied& e) {
    for (const std::string& id : e.questions) {
      const auto found = state_.questions.find(id);
      if (found == state_.questions.end() || !found->second.answer)
        return does_not_follow(recorded_, "question " + id + " was not answered");
      found->second.applied = true;
    }
    return {};
  }

  Result<void> operator()(const TaskChanged& e) {
    if (e.removed) {
      state_.tasks.erase(e.id);
      return {};
    }
    TaskState& task = state_.tasks[e.id];
    if (task.since == Timestamp{}) task.since = recorded_.at;
    task.subject = e.subject;
    task.description = e.description;
    task.owner = e.owner;
    task.status = e.status;
    task.phase = e.phase;
    task.blocked_by = e.blocked_by;
    task.metadata = e.metadata;
    return {};
  }

  Result<void> operator()(const GapChanged& e) {
    GapState& gap = state_.gaps[e.id];
    if (gap.since == Timestamp{}) gap.since = recorded_.at;
    gap.priority = e.priority;
    gap.status = e.status;
    if (!e.text.empty()) gap.text = e.text;
    if (!e.resolution.empty()) gap.resolution = e.resolution;
    return {};
  }

  Result<void> operator()(const StateFileWritten& e) {
    state_.state_file.path = e.file;
    state_.state_file.before = e.before;
    state_.state_file.digest = e.digest;
    return {};
  }

  Result<void> operator()(const StateFileEdited& e) {
    state_.state_file.before = e.before;
    state_.state_file.digest = e.digest;
    if (!e.refused.empty()) {
      state_.state_file.refused = e.refused;
      state_.state_file.kept = e.kept;
    }
    return {};
  }

  Result<void> operator()(const LaneCreated& e) { return in_order(apply_to_lanes(state_.lanes, e)); }
  Result<void> operator()(const CheckpointReached& e) {
    return in_order(apply_to_lanes(state_.lanes, e, recorded_.number, recorded_.at));
  }
  // What was done will not be done any more: the run goes on, unless somebody stopped it.
  Result<void> operator()(const LaneRolledBack& e) {
    const bool goes_on = state_.status == RunStatus::Done || state_.status == RunStatus::Failed;
    if (goes_on) reopen();
    return in_order(apply_to_lanes(state_.lanes, e, recorded_.at));
  }
  Result<void> operator()(const LaneClosed& e) { return in_order(apply_to_lanes(state_.lanes, e)); }

  Result<void> operator()(const StepSkipped& e) {
    StepState& step = state_.steps[e.step];
    step.record = StepState::Record::Skipped;
    step.checked_event = recorded_.number;
    step.reason = e.because;
    state_.gates.erase(e.step);
    return {};
  }

  Result<void> operator()(const StepReset& e) {
    StepState& step = state_.steps[e.step];
    step.record = StepState::Record::Reset;
    step.reason = e.because;
    step.needs_human = false;
    forget_failures(step);
    state_.gates.erase(e.step);
    return {};
  }

  Result<void> operator()(const GateOpened& e) {
    GateState& gate = state_.gates[e.gate];
    gate.record = GateState::Record::Open;
    gate.ask = e.ask;
    gate.shows = e.shows;
    gate.by.clear();
    gate.because.clear();
    gate.since = recorded_.at;
    return {};
  }

  Result<void> operator()(const GateDecided& e) {
    GateState& gate = state_.gates[e.gate];
    gate.record = e.approved ? GateState::Record::Approved : GateState::Record::Rejected;
    gate.by = e.by;
    gate.because = e.because;
    gate.shows = e.shows;
    if (e.approved) gate.approved = e.shows;
    gate.since = recorded_.at;
    if (e.approved && e.gate.text == kCostGate) state_.cost_allowed_usd = state_.cost_usd;
    return {};
  }

  Result<void> operator()(const QuestionAsked& e) {
    state_.questions[e.id] = QuestionState{.step = e.step,
                                           .text = e.text,
                                           .options = e.options,
                                           .gaps = e.gaps,
                                           .answer = std::nullopt,
                                           .by = "",
                                           .applied = false,
                                           .since = recorded_.at};
    return {};
  }

  Result<void> operator()(const QuestionAnswered& e) {
    const auto found = state_.questions.find(e.id);
    if (found == state_.questions.end()) return does_not_follow(recorded_, "no question " + e.id);
    found->second.answer = e.text;
    found->second.by = e.by;
    return {};
  }

  Result<void> operator()(const NoteAdded& e) {
    state_.notes.push_back(e.text);
    return {};
  }

  Result<void> operator()(const RunFinished& e) {
    state_.status = e.status;
    state_.reason = e.reason;
    return {};
  }

  Result<void> operator()(const RunReopened&) {
    if (state_.status != RunStatus::Failed)
      return does_not_follow(recorded_, "only a failed run is reopened (J9)");
    reopen();
    return {};
  }

  Result<void> operator()(const RunArchived& e) {
    if (e.again && !state_.archived) return does_not_follow(recorded_, "it is not set aside");
    if (e.again && state_.ended_to_archive) reopen();
    state_.archived = !e.again;
    state_.ended_to_archive = !e.again && e.ended;
    return {};
  }

 private:
  static void forget_failures(StepState& step) {
    step.failures = 0;
    step.same_error = 0;
    step.laters = 0;
    step.retry_at.reset();
  }

  static void remember_failure(StepState& step, const AttemptFinished& e) {
    std::vector<std::string>& lines = step.failure_context.edit();
    lines.push_back("attempt " + std::to_string(e.attempt.value) + ": " + e.reason);
    lines.insert(lines.end(), e.last_lines.begin(), e.last_lines.end());
    const std::size_t max = 4 * (2 * kFailureLinesMax + 1);
    if (lines.size() > max) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(max));
  }

  void finish(StepState& step, const AttemptFinished& e) {
    switch (e.outcome) {
      case AttemptOutcome::Done:
        step.record = StepState::Record::Done;
        step.reason = e.reason;
        if (e.artifacts.empty() || !same_content(step.artifacts, e.artifacts))
          step.changed_event = recorded_.number;
        step.artifacts = e.artifacts;
        step.failure_context = {};
        forget_failures(step);
        state_.gates.erase(e.step);  // what a person was asked about this step is settled with it
        return;
      case AttemptOutcome::Later:
        step.record = StepState::Record::Failed;
        if (step.laters++ == 0) step.later_since = recorded_.at;
        step.reason = e.reason;
        step.retry_at = e.retry_at;
        return;
      case AttemptOutcome::NeedsHuman:
        step.record = StepState::Record::Failed;
        step.needs_human = true;
        step.reason = e.reason;
        if (!e.last_lines.empty()) remember_failure(step, e);
        forget_failures(step);  // what comes next is a person's decision
        return;
      case AttemptOutcome::Stopped:
      case AttemptOutcome::Interrupted:
        step.record = StepState::Record::Failed;
        step.reason = e.reason;
        step.retry_at.reset();
        return;
      case AttemptOutcome::Failed:
      case AttemptOutcome::TimedOut:
        step.record = StepState::Record::Failed;
        step.same_error = step.reason == e.reason ? step.same_error + 1 : 1;
        step.reason = e.reason;
        step.laters = 0;
        ++step.failures;
        step.retry_at = e.retry_at;
        remember_failure(step, e);
        return;
    }
  }

  void reopen() {
    state_.status = RunStatus::Running;
    state_.reason.clear();
    state_.reopened_event = recorded_.number;
    for (auto& [path, step] : state_.steps) {
      if (step.record == StepState::Record::Failed) forget_failures(step);
    }
    for (auto& [path, lane] : state_.lanes) lane.retries = 0;
    std::erase_if(state_.gates,
                  [](const auto& gate) { return gate.second.record == GateState::Record::Rejected; });
  }

  Result<void> in_order(Result<void> applied) {
    if (!applied) return does_not_follow(recorded_, applied.error().message);
    return {};
  }

  RunState& state_;
  const RecordedEvent& recorded_;
};

bool may_follow_the_end(const Event& event, RunStatus status) {
  if (std::holds_alternative<NoteAdded>(event) || std::holds_alternative<RunArchived>(event) ||
      std::holds_alternative<LeaseTakenOver>(event) || std::holds_alternative<StateFileWritten>(event) ||
      std::holds_alternative<StateFileEdited>(event) || std::holds_alternative<LaneRolledBack>(event) ||
      std::holds_alternative<LaneClosed>(event)) {
    return true;
  }
  return status == RunStatus::Failed && std::holds_alternative<RunReopened>(event);
}

// Taking over a lease, accepting a finding and adopting work is not work: it does not make the run look fresh.
bool is_activity(const Event& event, const RunState& state) {
  if (std::holds_alternative<LeaseTakenOver>(event) || std::holds_alternative<FindingOverruled>(event))
    return false;
  const bool is_dated = state.updated_at > Timestamp{};
  return !is_dated || !state.adopted || state.was_worked_on();
}

}  // namespace

const StepState* RunState::find_step(const StepPath& path) const {
  const auto found = steps.find(path);
  return found == steps.end() ? nullptr : &found->second;
}

Result<void> apply(RunState& state, const RecordedEvent& event) {
  if (event.number.value != state.last.value + 1) {
    return does_not_follow(event, "the last one was " + std::to_string(state.last.value) + " (J1)");
  }
  if (event.number.value == 1 && !std::holds_alternative<RunCreated>(event.event)) {
    return does_not_follow(event, "the first one must create the run");
  }
  if (state.is_ended() && !may_follow_the_end(event.event, state.status)) {
    return does_not_follow(event, "the run is " + std::string(to_token(state.status)) + " (J9)");
  }
  TRY_VOID(std::visit(Fold(state, event), event.event));
  state.last = event.number;
  if (is_activity(event.event, state)) state.updated_at = std::max(state.updated_at, event.at);
  return {};
}

}  // namespace reprise
