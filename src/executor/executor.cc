#include "executor/executor.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "model/limits.h"
#include "os/clock.h"
#include "os/signals.h"
#include "planner/planner.h"

namespace reprise {
namespace {

constexpr Duration kRequestPoll{2'000};  // a lost wake-up costs no more than this
constexpr Duration kTick{250};
constexpr int kLostGuardsMax = 3;
constexpr int kCopyEvery = 1'024;  // events; grows with the run so that copies stay a small part of the work

bool has_lanes(const std::vector<Stage>& stages) {
  return std::ranges::any_of(stages, [](const Stage& stage) { return stage.lane || has_lanes(stage.stages); });
}

int parallel_of(const RunState& state, const Workflow& workflow, const Config& config) {
  if (state.parallel > 0) return state.parallel;
  if (config.lanes_parallel > 0 && has_lanes(workflow.stages)) return config.lanes_parallel;
  if (workflow.limits.parallel > 0) return workflow.limits.parallel;
  return config.limits.parallel > 0 ? config.limits.parallel : kParallelDefault;
}

}  // namespace

Executor::Executor(ExecutorParts parts, const RunSetup& setup, const Workflow& workflow, std::string definition,
                   std::string source_digest, Lease lease, RunState state)
    : parts_(parts),
      setup_(setup),
      workflow_(workflow),
      definition_(std::move(definition)),
      source_digest_(std::move(source_digest)),
      lease_(std::move(lease)),
      state_(std::move(state)),
      graph_(workflow_, state_),
      attempts_(setup, workflow_, parts.files),
      lanes_(setup),
      checkout_(parts.files, setup),
      copied_at_(state_.last) {
  parallel_ = parallel_of(state_, workflow_, setup_.config);
  if (parts_.native != nullptr && !state_.state_file.path.empty())
    projector_.emplace(*parts_.native, parts_.journal, parts_.files, setup_.project, setup_.store);
}

// ---- recording

Result<void> Executor::record(Event event) {
  attempts_.take_secrets_out(event);
  if (pending_.empty()) pending_at_ = parts_.clock.now();
  TRY_VOID(apply(state_, {{state_.last.value + 1}, pending_at_, event}));
  pending_.push_back(std::move(event));
  return {};
}

// Makes everything recorded so far durable, with the answers to the requests that led to it, then tells it, then
// starts what it announced. Never in another order (J6, J7, P1).
Result<void> Executor::flush() {
  if (!pending_.empty() && projector_) {
    if (std::optional<StateFileWritten> announced = TRY(projector_->prepare(state_)))
      TRY_VOID(record(std::move(*announced)));
  }
  if (!pending_.empty() || !answers_.empty()) {
    const EventNumber durable{state_.last.value - static_cast<std::int64_t>(pending_.size())};
    TRY(parts_.journal.append(lease_, durable, pending_, pending_at_, answers_));
    answers_.clear();
    const std::vector<Event> told = std::exchange(pending_, {});
    for (const Event& event : told) tell(event);
    if (projector_) TRY_VOID(projector_->write());
    if (parts_.records != nullptr && !told.empty()) show_in_records(told, durable);
  }
  if (!to_start_.empty()) {
    const Result<void> started = parts_.workers.start(to_start_);
    to_start_.clear();
    if (!started) return recover_from_lost_guard();
  }
  return maybe_copy();
}

// The journal is the record. What cannot be shown now is shown by the next session.
void Executor::show_in_records(const std::vector<Event>& told, EventNumber before) {
  std::vector<RecordedEvent> events;
  for (const Event& event : told) {
    const std::int64_t number = before.value + static_cast<std::int64_t>(events.size()) + 1;
    events.push_back({{number}, pending_at_, event});
  }
  const Result<void> shown = parts_.records->show(events, state_);
  if (shown || shown.error().message == not_shown_) return;
  not_shown_ = shown.error().message;
  parts_.observer.note("the files of this run cannot be written, its record is complete all the same: " +
                       not_shown_);
}

void Executor::tell(const Event& event) {
  Observer& observer = parts_.observer;
  if (const AttemptStarted* started = std::get_if<AttemptStarted>(&event)) {
    const std::filesystem::path directory =
        attempt_directory(setup_.store, state_, started->step, started->attempt.value);
    observer.step_started({started->step, started->attempt.value, false, (directory / "stdout").string(),
                           (directory / "stderr").string()});
  } else if (const AttemptFinished* finished = std::get_if<AttemptFinished>(&event)) {
    observer.step_finished(*finished);
    const StepState* step = state_.find_step(finished->step);
    if (step != nullptr && step->retry_at) {
      observer.retry_scheduled(finished->step, time_to_retry(finished->step, *step), finished->reason);
    }
  } else if (const StepVerified* verified = std::get_if<StepVerified>(&event)) {
    observer.step_kept(verified->step, verified->how);
  } else if (const StepSkipped* skipped = std::get_if<StepSkipped>(&event)) {
    observer.step_kept(skipped->step, "skipped: " + skipped->because);
  } else if (const GateOpened* opened = std::get_if<GateOpened>(&event)) {
    observer.gate_opened(*opened);
  } else if (const GateDecided* decided = std::get_if<GateDecided>(&event)) {
    observer.gate_decided(*decided);
  } else if (const QuestionAsked* asked = std::get_if<QuestionAsked>(&event)) {
    observer.question_asked(*asked);
  } else if (const StateFileEdited* edited = std::get_if<StateFileEdited>(&event)) {
    for (const std::string& refused : edited->refused)
      observer.note(words_for_refused_edit(edited->file, refused, edited->kept));
  }
}

Result<void> Executor::maybe_copy() {
  const std::int64_t since = state_.last.value - copied_at_.value;
  if (since < kCopyEvery + static_cast<std::int64_t>(state_.steps.size()) / 2) return {};
  copied_at_ = state_.last;
  return parts_.journal.put_copy(lease_, state_);
}

// ---- the beginning of a session

Result<Plan> Executor::begin(const std::string& from, Mode mode) {
  Prepared prepared = TRY(prepare_plan(from));
  Plan& plan = prepared.plan;
  ask_first_ = prepared.ask_first;
  int kept = 0;
  for (const StepDecision& decision : plan.decisions) kept += decision.decision == Decision::Keep ? 1 : 0;
  TRY_VOID(record(PlanAccepted{.definition = definition_,
                               .source_digest = source_digest_,
                               .readiness = std::string(to_token(plan.readiness)),
                               .owner = setup_.owner,
                               .by = setup_.actor,
                               .mode = mode,
                               .resumed = state_.session_event.value > 0,
                               .kept = kept,
                               .from = from,
                               .checkout = checkout_of(setup_.project, setup_.store),
                               .branch = checkout_.branch(state_.branch)}));
  begin_graph(plan);
  return std::move(plan);
}

PrepareRequest Executor::prepare_request() {
  return {.state = state_,
          .graph = graph_,
          .workflow = workflow_,
          .definition = definition_,
          .attempts = attempts_,
          .clock = parts_.clock,
          .state_file = projector_ ? &*projector_ : nullptr,
          .native = parts_.native,
          .records = parts_.records,
          .sight = [this](const StepPath& path, std::int64_t attempt) -> Result<Sight> {
            return running_.contains(attempt_name(path, attempt)) ? Sight::Running : Sight::Gone;
          },
          .record = [this](Event event) { return record(std::move(event)); },
          .settle = {},
          .import_edits = [this] { return take_edits(); },
          .actor = setup_.actor,
          .is_final_when_failed = parts_.is_final_when_failed};
}

// What became of open attempts is found out first; what failed before this session is tried again in it.
Result<Prepared> Executor::prepare_plan(const std::string& from) {
  PrepareRequest with = prepare_request();
  with.settle = [this]() -> Result<void> {
    began_with_open_ = may_be_from_worker();
    TRY_VOID(resolve_open_attempts());
    failed_here_.clear();
    return note_resumption();
  };
  Result<Prepared> prepared = prepare(with, from);
  began_with_open_ = false;
  return prepared;
}

Result<void> Executor::resolve_open_attempts() {
  std::vector<StepPath> open;
  for (const auto& [path, step] : state_.steps) {
    if (step.record == StepState::Record::Open) open.push_back(path);
  }
  std::ranges::sort(open);
  for (const StepPath& path : open) {
    const std::string name = attempt_name(path, state_.find_step(path)->attempts);
    if (running_.contains(name)) continue;
    const AttemptSighting sighting = TRY(parts_.workers.look_up(name));
    const int leaf = graph_.find(path).value_or(-1);
    if (sighting.what == AttemptSighting::What::Running) {
      running_[name] = leaf;
      if (leaf < 0) TRY_VOID(parts_.workers.stop(name));  // the definition no longer has it
      const std::filesystem::path directory =
          attempt_directory(setup_.store, state_, path, state_.find_step(path)->attempts);
      parts_.observer.step_started({path, state_.find_step(path)->attempts, true, (directory / "stdout").string(),
                                    (directory / "stderr").string()});
    } else if (sighting.what == AttemptSighting::What::Ended && leaf >= 0) {
      running_[name] = leaf;
      TRY(conclude_attempt(sighting.record));
    } else {
      TRY_VOID(resolve_gone(leaf, path));
    }
  }
  return {};
}

// Nothing is alive and nobody knows how it ended: done only by a check that the definition declares.
Result<void> Executor::resolve_gone(int leaf, const StepPath& path) {
  const StepState& step = *state_.find_step(path);
  TRY(attempts_.take_secrets_out(state_, path));
  AttemptFinished event{.step = path,
                        .attempt = {step.attempts},
                        .outcome = AttemptOutcome::Interrupted,
                        .reason = "it was cut off: nothing recorded how it ended"};
  if (leaf >= 0) {
    const ProductsSeen seen = TRY(attempts_.products_of_cut_off(graph_, leaf, step));
    if (seen.declared && seen.complete && step.work == work_digest(*graph_.node(leaf).stage)) {
      event.outcome = AttemptOutcome::Done;
      event.reason = "no exit record, but " + seen.explanation + " (WF-06)";
      for (const SeenFile& before : step.before) event.artifacts.push_back(before);
      event.artifacts = TRY(attempts_.look_at(event.artifacts));
    }
  }
  return record(event);
}

Result<Plan> Executor::plan_now() { return plan_again(prepare_request()); }

// What others put into the files beside the journal, above all tasks that agents made with a tool of their own.
Result<void> Executor::take_news() {
  if (TRY(import_changes(prepare_request()))) replan_ = true;
  return {};
}

Result<void> Executor::note_resumption() {
  const bool goes_on = state_.adopted || state_.session_event.value > 0;
  if (!projector_ || !goes_on || state_.state_file.digest.empty()) return {};
  const std::string before = TRY(parts_.journal.text(state_.state_file.digest));
  const std::string note = parts_.native->resume_note(before, parts_.clock.now());
  return note.empty() ? Result<void>() : record(NoteAdded{note, ""});
}

void Executor::begin_graph(const Plan& plan) {
  std::vector<bool> kept(static_cast<std::size_t>(graph_.size()));
  std::set<int> running;
  for (const auto& [name, leaf] : running_) {
    if (leaf >= 0) running.insert(leaf);
  }
  outdated_.clear();
  held_.clear();
  due_.clear();
  decisions_.clear();
  for (const StepDecision& decision : plan.decisions) {
    const int leaf = decision.leaf;
    if (leaf < 0) continue;
    if (decision.decision == Decision::Keep) {
      // What nothing asks for now may be asked for when the steps before it have run again.
      if (decision.rule != kNotNeededLabel) kept[static_cast<std::size_t>(leaf)] = true;
      continue;
    }
    if (decision.decision != Decision::Run) decisions_[leaf] = decision.decision;
    const StepState* step = graph_.record(leaf);
    if (step == nullptr || step->record != StepState::Record::Open) continue;
    const Graph::Node& node = graph_.node(leaf);
    const bool is_behind = node.upstream_moving || node.upstream_changed > step->checked_event;
    if (is_behind || step->work != work_digest(*node.stage)) outdated_.insert(leaf);
  }
  // A round that a loop adds later was not kept.
  const auto is_kept = [kept = std::move(kept)](int leaf) {
    return static_cast<std::size_t>(leaf) < kept.size() && kept[static_cast<std::size_t>(leaf)];
  };
  graph_.begin(is_kept, {running.begin(), running.end()});
}

// ---- waiting and ending

Result<void> Executor::recover_from_lost_guard() {
  if (++lost_guards_ > kLostGuardsMax) {
    return fail(ErrorKind::Unavailable, "the guard that holds the workers cannot be kept alive");
  }
  parts_.observer.note("the guard of this run died; finding out what became of its workers");
  running_.clear();
  TRY_VOID(resolve_open_attempts());
  TRY_VOID(flush());
  const std::vector<int> failed = graph_.failed();
  begin_graph(TRY(plan_now()));
  // What failed for good before the guard died stays failed: only a person's resume tries it again.
  for (const int index : failed) {
    if (graph_.node(index).kind <= Graph::Kind::Gate) graph_.fail(index);
  }
  return {};
}

Result<void> Executor::wait_for_news() {
  if (std::exchange(go_on_, false)) return {};
  std::optional<Duration> timeout;
  if (parts_.observer.wants_ticks()) timeout = kTick;
  const Duration now = parts_.clock.monotonic();
  if (!due_.empty()) {
    const Duration until = std::max(Duration(0), due_.begin()->first - now);
    timeout = timeout ? std::min(*timeout, until) : until;
  }
  timeout = timeout ? std::min(*timeout, kRequestPoll) : kRequestPoll;
  const WorkerNews news = TRY(parts_.workers.wait(timeout));
  if (news.guard_lost) return recover_from_lost_guard();
  for (const ExitRecord& exit : news.ended) {
    lost_guards_ = 0;
    TRY_VOID(finish_attempt(exit));
  }
  take_signals();
  if (news.poked || parts_.clock.monotonic() - requests_seen_at_ >= kRequestPoll) {
    TRY_VOID(serve_requests());
    TRY_VOID(take_edits());
  }
  parts_.observer.progress({graph_.done_leaf_count(), graph_.leaf_count(), static_cast<int>(running_.size())});
  parts_.observer.tick();
  return {};
}

// A person need not decide about a step that its loop no longer asks for.
bool Executor::settle_unneeded() {
  std::set<int> waiting = held_;
  for (const auto& [path, gate] : state_.gates) {
    const std::optional<int> leaf = graph_.find(path);
    if (gate.record == GateState::Record::Open && leaf) waiting.insert(*leaf);
  }
  bool any = false;
  for (const int leaf : waiting) {
    const Graph::Node& node = graph_.node(leaf);
    if (node.status != Graph::Status::Active || graph_.is_needed(leaf)) continue;
    held_.erase(leaf);
    graph_.settle(leaf);
    any = true;
  }
  return any;
}

bool Executor::waits_for_person() const {
  if (!held_.empty()) return true;
  return std::ranges::any_of(state_.gates,
                             [](const auto& gate) { return gate.second.record == GateState::Record::Open; });
}

std::string Executor::first_failure() const {
  if (graph_.failed().empty()) return "no step can run";
  const Graph::Node& node = graph_.node(graph_.failed().front());
  const StepState* step = state_.find_step(node.path);
  const auto gate = state_.gates.find(node.path);
  if (gate != state_.gates.end() && gate->second.record == GateState::Record::Rejected) {
    return "gate " + node.path.text + " was rejected: " + gate->second.because;
  }
  return "step " + node.path.text + " failed: " + *(step == nullptr ? node.failure : step->reason);
}

Result<SessionEnd> Executor::end_with(RunStatus status, std::string reason) {
  if (!state_.is_ended()) TRY_VOID(record(RunFinished{status, reason, ""}));
  return SessionEnd{.status = status, .reason = std::move(reason)};
}

Result<std::optional<SessionEnd>> Executor::find_end() {
  if (ending_signal_ != 0) {
    return SessionEnd{.status = RunStatus::Interrupted, .signal = ending_signal_, .reason = "ended by a signal"};
  }
  if (!running_.empty()) return std::nullopt;
  if (cancel_) {
    TRY_VOID(record(*cancel_));
    for (const std::int64_t request : cancel_requests_) answers_.push_back({request, ""});
    return SessionEnd{.status = RunStatus::Stopped, .reason = cancel_->reason};
  }
  if (interrupts_ > 0) return SessionEnd{.status = RunStatus::Interrupted, .signal = 2, .reason = "interrupted"};
  if (graph_.is_done()) return TRY(end_with(RunStatus::Done, ""));
  if (is_asked_first()) {
    const GateState& gate = state_.gates.at(*ask_first_);
    if (gate.record == GateState::Record::Rejected)
      return TRY(end_with(RunStatus::Failed, "gate " + ask_first_->text + " was rejected: " + gate.because));
    return SessionEnd{.status = RunStatus::Waiting, .reason = "waiting for a person"};
  }
  if (!due_.empty() || (graph_.has_ready() && !is_over_cost())) return std::nullopt;
  if (settle_unneeded()) {
    go_on_ = true;
    return std::nullopt;
  }
  if (waits_for_person()) return SessionEnd{.status = RunStatus::Waiting, .reason = "waiting for a person"};
  return TRY(end_with(RunStatus::Failed, first_failure()));
}

Result<SessionEnd> Executor::run() {
  requests_seen_at_ = parts_.clock.monotonic();
  if (parts_.records != nullptr) {  // a session that ended early may not have come to it
    TRY_VOID(flush());
    TRY_VOID(parts_.records->show_all(state_));
  }
  for (;;) {
    do {
      // Something done is to be done again: what follows from it is the planner's to say.
      if (std::exchange(replan_, false)) begin_graph(TRY(plan_now()));
      TRY_VOID(fill());
    } while (replan_);
    TRY_VOID(flush());
    if (std::optional<SessionEnd> end = TRY(find_end())) {
      TRY_VOID(flush());
      TRY_VOID(take_edits());  // an editor may have saved at the moment of the last write
      TRY_VOID(flush());
      if (copied_at_ != state_.last) {
        copied_at_ = state_.last;
        TRY_VOID(parts_.journal.put_copy(lease_, state_));
      }
      parts_.observer.progress({graph_.done_leaf_count(), graph_.leaf_count(), static_cast<int>(running_.size())});
      end->executed = executed_;
      return *end;
    }
    if (between_turns_) parts_.workers.watch(TRY(between_turns_()));
    TRY_VOID(wait_for_news());
  }
}

}  // namespace reprise
