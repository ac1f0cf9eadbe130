#include "executor/executor.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "executor/look.h"
#include "model/limits.h"
#include "os/clock.h"
#include "os/signals.h"
#include "planner/planner.h"

namespace reprise {
namespace {

constexpr Duration kRequestPoll{2'000};   // a lost wake-up costs no more than this
constexpr Duration kTick{250};
constexpr int kLostGuardsMax = 3;
constexpr int kCopyEvery = 1'024;         // events; grows with the run so that copies stay a small part of the work

int parallel_of(const RunState& state, const Workflow& workflow, const Config& config) {
  if (state.parallel > 0) return state.parallel;
  if (workflow.limits.parallel > 0) return workflow.limits.parallel;
  return config.limits.parallel > 0 ? config.limits.parallel : kParallelDefault;
}

bool same_content(const std::vector<SeenFile>& a, const std::vector<SeenFile>& b) {
  return std::ranges::equal(a, b, [](const SeenFile& x, const SeenFile& y) { return x.path == y.path && x.digest == y.digest; });
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
      attempts_(setup, parts.files),
      copied_at_(state_.last) {
  parallel_ = parallel_of(state_, workflow_, setup_.config);
}

// ---- recording

Result<void> Executor::record(Event event) {
  if (pending_.empty()) pending_at_ = parts_.clock.now();
  TRY_VOID(apply(state_, {{state_.last.value + 1}, pending_at_, event}));
  pending_.push_back(std::move(event));
  return {};
}

// Makes everything recorded so far durable, then tells it, then starts what it announced. Never in
// another order (J6, J7, P1).
Result<void> Executor::flush() {
  if (!pending_.empty()) {
    const EventNumber durable{state_.last.value - static_cast<std::int64_t>(pending_.size())};
    TRY(parts_.journal.append(lease_, durable, pending_, pending_at_));
    const std::vector<Event> told = std::exchange(pending_, {});
    for (const Event& event : told) tell(event);
  }
  for (const auto& [request, refusal] : std::exchange(answers_, {})) {
    TRY_VOID(parts_.journal.answer(lease_, request, refusal));
  }
  if (!to_start_.empty()) {
    const Result<void> started = parts_.workers.start(to_start_);
    to_start_.clear();
    if (!started) return recover_from_lost_guard();
  }
  return maybe_copy();
}

void Executor::tell(const Event& event) {
  Observer& observer = parts_.observer;
  if (const AttemptStarted* started = std::get_if<AttemptStarted>(&event)) {
    const std::filesystem::path directory =
        attempt_directory(setup_.store, state_.id, started->step, started->attempt.value);
    observer.step_started({started->step, started->attempt.value, false, (directory / "stdout").string(),
                           (directory / "stderr").string()});
  } else if (const AttemptFinished* finished = std::get_if<AttemptFinished>(&event)) {
    observer.step_finished(*finished);
    const StepState* step = state_.find_step(finished->step);
    if (step != nullptr && step->retry_at) {
      observer.retry_scheduled(finished->step, *step->retry_at - parts_.clock.now(), finished->reason);
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
  const Timestamp last_activity = state_.updated_at;
  if (state_.status == RunStatus::Failed) TRY_VOID(record(RunReopened{setup_.actor, "resumed"}));
  TRY_VOID(resolve_open_attempts());
  failed_here_.clear();  // what failed before this session is tried again in it
  Plan plan = TRY(plan_now());
  if (!from.empty()) {
    TRY_VOID(apply_from(from, plan));
    plan = TRY(plan_now());
    warn_of_repeated_work(plan, from);
  }
  plan.age = std::max(Duration(0), parts_.clock.now() - last_activity);  // not of what this session found out
  int kept = 0;
  for (const StepDecision& decision : plan.decisions) kept += decision.decision == Decision::Keep ? 1 : 0;
  TRY_VOID(record(PlanAccepted{.definition = definition_, .source_digest = source_digest_,
                               .readiness = std::string(to_token(plan.readiness)), .owner = setup_.owner,
                               .by = setup_.actor, .mode = mode, .resumed = state_.session_event.value > 0,
                               .kept = kept, .from = from}));
  begin_graph(plan);
  return plan;
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
          attempt_directory(setup_.store, state_.id, path, state_.find_step(path)->attempts);
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
  AttemptFinished event{.step = path, .attempt = {step.attempts}, .outcome = AttemptOutcome::Interrupted,
                        .reason = "it was cut off: nothing recorded how it ended"};
  if (leaf >= 0) {
    const ProductsSeen seen = TRY(attempts_.products_of_cut_off(graph_, leaf, step));
    if (seen.declared && seen.complete && step.work == attempts_.work_of(*graph_.node(leaf).stage)) {
      event.outcome = AttemptOutcome::Done;
      event.reason = "no exit record, but " + seen.explanation + " (WF-06)";
      for (const SeenFile& before : step.before) event.artifacts.push_back(before);
      event.artifacts = TRY(attempts_.look_at(event.artifacts));
    }
  }
  return record(event);
}

Result<Plan> Executor::plan_now() {
  Collector collector(parts_.files, setup_.project);
  const auto sight = [&](const StepPath& path, std::int64_t attempt) -> Result<Sight> {
    return running_.contains(attempt_name(path, attempt)) ? Sight::Running : Sight::Gone;
  };
  const Snapshot snapshot = TRY(take_snapshot(state_, workflow_, definition_, graph_, attempts_, collector, sight,
                                              parts_.clock.now()));
  return make_plan(snapshot, graph_);
}

Result<void> Executor::apply_from(const std::string& from, const Plan& plan) {
  const std::vector<StepPath> repeated = TRY(steps_repeated_from(from, plan, graph_));
  for (const StepPath& path : repeated) {
    const StepState* step = state_.find_step(path);
    const bool open = step != nullptr && step->record == StepState::Record::Open;
    if (!open) TRY_VOID(record(StepReset{path, "from", setup_.actor, "resumed from " + from}));
  }
  return {};
}

void Executor::begin_graph(const Plan& plan) {
  std::set<int> kept;
  std::set<int> running;
  for (const auto& [name, leaf] : running_) {
    if (leaf >= 0) running.insert(leaf);
  }
  outdated_.clear();
  held_.clear();
  due_.clear();
  decisions_.clear();
  for (const StepDecision& decision : plan.decisions) {
    const std::optional<int> leaf = graph_.find(decision.step);
    if (!leaf) continue;
    if (decision.decision == Decision::Keep) {
      // What nothing asks for now may be asked for when the steps before it have run again.
      if (decision.rule != kNotNeededLabel) kept.insert(*leaf);
      continue;
    }
    decisions_[*leaf] = decision.decision;
    const StepState* step = state_.find_step(decision.step);
    if (step == nullptr || step->record != StepState::Record::Open) continue;
    const Graph::Node& node = graph_.node(*leaf);
    const bool is_behind = node.upstream_moving || node.upstream_changed > step->checked_event;
    if (is_behind || step->work != attempts_.work_of(*node.stage)) outdated_.insert(*leaf);
  }
  graph_.begin([kept = std::move(kept)](int leaf) { return kept.contains(leaf); },
               {running.begin(), running.end()});
}

// ---- starting

bool Executor::is_over_cost() const {
  const double limit = workflow_.limits.cost_usd > 0 ? workflow_.limits.cost_usd : setup_.config.limits.cost_usd;
  return limit > 0 && state_.cost_usd - state_.cost_allowed_usd >= limit;
}

Result<void> Executor::ask_for_cost() {
  const StepPath gate{std::string(kCostGate)};
  const auto found = state_.gates.find(gate);
  if (found != state_.gates.end() && found->second.record == GateState::Record::Open) return {};
  char ask[160];
  std::snprintf(ask, sizeof ask, "The run has spent $%.2f, which is its limit. Go on and spend as much again?", state_.cost_usd);
  return record(GateOpened{gate, ask, {}});
}

Result<void> Executor::fill() {
  if (cancel_ || interrupts_ > 0 || ending_signal_ != 0) return {};
  release_due();
  while (running_.size() < static_cast<std::size_t>(parallel_) && graph_.has_ready()) {
    if (is_over_cost()) return ask_for_cost();
    const std::optional<int> leaf = graph_.take_ready();
    if (!leaf) return {};
    TRY_VOID(start_leaf(*leaf));
  }
  return {};
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
  if (decision == Decision::Wait) {
    held_.insert(leaf);
    return {};
  }
  if (has_failed_for_good(leaf)) {
    graph_.fail(leaf);
    return {};
  }
  if (decision == Decision::Verify && TRY(keeps_after_verification(leaf))) {
    graph_.settle(leaf);
    return {};
  }
  if (step != nullptr && step->retry_at && *step->retry_at > parts_.clock.now()) {
    schedule(leaf, *step->retry_at);
    return {};
  }
  return start_attempt(leaf);
}

// A walk that begins anew within a session does not try again what this session has tried in vain, nor
// what a person has refused.
bool Executor::has_failed_for_good(int leaf) const {
  const StepPath& path = graph_.node(leaf).path;
  const auto gate = state_.gates.find(path);
  if (gate != state_.gates.end() && gate->second.record == GateState::Record::Rejected) return true;
  const StepState* step = state_.find_step(path);
  if (step == nullptr || step->record != StepState::Record::Failed || step->needs_human || is_cut_off(*step)) return false;
  return !step->retry_at && failed_here_.contains(path) && !has_upstream_changed(leaf);
}

bool Executor::has_upstream_changed(int leaf) const {
  const EventNumber checked = state_.find_step(graph_.node(leaf).path)->checked_event;
  return std::ranges::any_of(graph_.upstream_leaves(leaf), [&](int upstream) {
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
  if (!node.stage->verify.empty()) {
    if (!TRY(attempts_.verify(graph_, leaf, state_))) return false;
  } else {
    how = "what it needs came out the same";
    if (!same_content(inputs, step.inputs) || has_upstream_changed(leaf)) return false;
  }
  const std::vector<SeenFile> artifacts = TRY(attempts_.look_at(step.artifacts));
  TRY_VOID(record(StepVerified{node.path, how, attempts_.work_of(*node.stage), inputs, artifacts}));
  return true;
}

Result<void> Executor::open_gate(int leaf) {
  const Graph::Node& node = graph_.node(leaf);
  const std::vector<SeenFile> shown = TRY(attempts_.look_at_shown(graph_, leaf));
  const auto gate = state_.gates.find(node.path);
  if (gate != state_.gates.end() && same_content(gate->second.shows, shown)) {
    if (gate->second.record == GateState::Record::Approved) graph_.settle(leaf);
    if (gate->second.record == GateState::Record::Rejected) graph_.fail(leaf);
    return {};
  }
  return record(GateOpened{node.path, graph_.resolve(leaf, node.stage->gate->ask), shown});
}

Result<void> Executor::start_attempt(int leaf) {
  PreparedAttempt prepared = TRY(attempts_.prepare(graph_, leaf, state_));
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
  const AttemptFinished event = TRY(conclude_attempt(exit));
  if (leaf >= 0) after_attempt(leaf, event);
  return {};
}

// Records how a running attempt ended. What follows from it is the caller's part: before the walk of a
// session has begun it is the plan's.
Result<AttemptFinished> Executor::conclude_attempt(const ExitRecord& exit) {
  const auto found = running_.find(exit.attempt);
  const int leaf = found->second;
  running_.erase(found);
  ++executed_;
  if (leaf < 0) {
    const StepPath path{exit.attempt.substr(0, exit.attempt.rfind('#'))};
    const AttemptFinished gone{.step = path, .attempt = {state_.find_step(path)->attempts},
                               .outcome = AttemptOutcome::Stopped, .reason = "the definition no longer has it"};
    TRY_VOID(record(gone));
    return gone;
  }
  ConcludedAttempt concluded = TRY(attempts_.conclude(graph_, leaf, state_, exit));
  plan_next_attempt(*graph_.node(leaf).stage, *state_.find_step(graph_.node(leaf).path), concluded.event);
  const AttemptFinished event = concluded.event;
  TRY_VOID(record(std::move(concluded.event)));
  for (Event& more : concluded.more) TRY_VOID(record(std::move(more)));
  if (event.outcome != AttemptOutcome::Done && !event.retry_at) failed_here_.insert(event.step);
  return event;
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
  } else if (event.retry_at) {
    schedule(leaf, *event.retry_at);
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
  const bool same_work = state_.find_step(node.path)->work == attempts_.work_of(*node.stage);
  decisions_[leaf] = same_work ? Decision::Verify : Decision::Rerun;
  graph_.reopen(leaf);
}

void Executor::schedule(int leaf, Timestamp when) {
  const Duration in = std::max(Duration(0), when - parts_.clock.now());
  due_.emplace(parts_.clock.monotonic() + in, leaf);
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

// ---- people

Result<void> Executor::steer(const Steer& steer) {
  TRY_VOID(apply_steer(steer));
  return flush();
}

Result<void> Executor::apply_steer(const Steer& steer) {
  std::vector<SeenFile> shown;
  if (steer.kind == "approve" || steer.kind == "reject") {
    const StepPath gate = TRY(gate_meant(steer.target, state_));
    const std::optional<int> leaf = graph_.find(gate);
    if (leaf && graph_.node(*leaf).kind == Graph::Kind::Gate) {
      shown = TRY(attempts_.look_at_shown(graph_, *leaf));
      const std::vector<SeenFile>& opened = state_.gates.at(gate).shows;
      if (steer.kind == "approve" && !same_content(opened, shown)) {
        TRY_VOID(record(GateOpened{gate, state_.gates.at(gate).ask, shown}));
        return fail(ErrorKind::Conflict, "what gate " + gate.text + " shows has changed since it was opened; look again and approve again");
      }
    }
  }
  const std::vector<Event> events = TRY(events_for(steer, state_, graph_, shown));
  for (const Event& event : events) {
    if (const RunFinished* finished = std::get_if<RunFinished>(&event)) {
      cancel_ = *finished;
      stop_all();
      continue;
    }
    TRY_VOID(record(event));
    after_steer(event);
  }
  return {};
}

void Executor::after_steer(const Event& event) {
  const auto leaf_of = [&](const StepPath& path) { return graph_.find(path).value_or(-1); };
  if (const GateDecided* decided = std::get_if<GateDecided>(&event)) {
    const int leaf = leaf_of(decided->gate);
    if (leaf < 0) return;  // the cost gate
    held_.erase(leaf);
    decisions_[leaf] = Decision::Continue;
    if (!decided->approved) {
      graph_.fail(leaf);
    } else if (graph_.node(leaf).kind == Graph::Kind::Gate) {
      graph_.settle(leaf);
    } else {
      graph_.reopen(leaf);
    }
  } else if (const StepSkipped* skipped = std::get_if<StepSkipped>(&event)) {
    const int leaf = leaf_of(skipped->step);
    held_.erase(leaf);
    std::erase_if(due_, [&](const auto& entry) { return entry.second == leaf; });
    graph_.settle(leaf);
  } else if (const StepReset* reset = std::get_if<StepReset>(&event)) {
    const int leaf = leaf_of(reset->step);
    decisions_[leaf] = Decision::Rerun;  // whatever the plan said of it
    held_.erase(leaf);
    std::erase_if(due_, [&](const auto& entry) { return entry.second == leaf; });
    if (leaf < 0) return;
    const Graph::Node& node = graph_.node(leaf);
    if (node.reached && node.status != Graph::Status::Done) {
      graph_.reopen(leaf);
    } else {
      replan_ = true;  // it may have been kept
    }
  } else if (const QuestionAnswered* answered = std::get_if<QuestionAnswered>(&event)) {
    const StepPath& step = state_.questions.at(answered->id).step;
    const bool all = std::ranges::all_of(state_.questions, [&](const auto& entry) {
      return entry.second.step != step || entry.second.answer;
    });
    const int leaf = leaf_of(step);
    if (!all || leaf < 0) return;
    decisions_[leaf] = Decision::Continue;
    if (held_.erase(leaf) > 0) graph_.reopen(leaf);
  }
}

Result<void> Executor::serve_requests() {
  requests_seen_at_ = parts_.clock.monotonic();
  for (const Request& request : TRY(parts_.journal.requests(state_.id))) {
    if (std::ranges::find(cancel_requests_, request.number) != cancel_requests_.end()) continue;
    Result<Steer> steer = decode_steer(request.kind, request.body, request.by);
    Result<void> done = steer ? apply_steer(*steer) : Result<void>(fail(steer.error()));
    if (!done && (done.error().kind == ErrorKind::Io || done.error().kind == ErrorKind::Corrupt)) return done;
    if (done && cancel_ && request.kind == "cancel") {
      cancel_requests_.push_back(request.number);  // answered when the run has really ended
    } else {
      answers_.emplace_back(request.number, done ? "" : done.error().message);
    }
  }
  return {};
}

Result<bool> Executor::serve_while_waiting() {
  const EventNumber before = state_.last;
  TRY_VOID(serve_requests());
  TRY_VOID(flush());
  return state_.last != before || cancel_.has_value();
}

void Executor::stop_all() {
  for (const auto& [name, leaf] : running_) {
    // A guard that is gone is noticed by the next wait; there is nothing to stop then.
    [[maybe_unused]] const Result<void> ignored = parts_.workers.stop(name);
  }
}

void Executor::take_signals() {
  if (parts_.signals == nullptr) return;
  const SignalsSeen seen = parts_.signals->poll();
  if (seen.interrupts > interrupts_) {
    interrupts_ = seen.interrupts;
    if (interrupts_ == 1 && !running_.empty()) {
      parts_.observer.note("interrupted: waiting for " + std::to_string(running_.size()) +
                           " running step(s); press Ctrl-C again to stop them");
    }
    if (interrupts_ > 1) stop_all();
  }
  ending_signal_ = seen.ending;
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
  if (news.poked || parts_.clock.monotonic() - requests_seen_at_ >= kRequestPoll) TRY_VOID(serve_requests());
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
  return std::ranges::any_of(state_.gates, [](const auto& gate) { return gate.second.record == GateState::Record::Open; });
}

std::string Executor::first_failure() const {
  if (graph_.failed().empty()) return "no step can run";
  const Graph::Node& node = graph_.node(graph_.failed().front());
  const StepState* step = state_.find_step(node.path);
  const auto gate = state_.gates.find(node.path);
  if (gate != state_.gates.end() && gate->second.record == GateState::Record::Rejected) {
    return "gate " + node.path.text + " was rejected: " + gate->second.because;
  }
  return "step " + node.path.text + " failed: " + (step == nullptr ? node.failure : step->reason);
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
    for (const std::int64_t request : cancel_requests_) answers_.emplace_back(request, "");
    return SessionEnd{.status = RunStatus::Stopped, .reason = cancel_->reason};
  }
  if (interrupts_ > 0) return SessionEnd{.status = RunStatus::Interrupted, .signal = 2, .reason = "interrupted"};
  if (graph_.is_done()) return TRY(end_with(RunStatus::Done, ""));
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
  for (;;) {
    // Something done is to be done again: what follows from it is the planner's to say.
    if (std::exchange(replan_, false)) begin_graph(TRY(plan_now()));
    TRY_VOID(fill());
    TRY_VOID(flush());
    if (std::optional<SessionEnd> end = TRY(find_end())) {
      TRY_VOID(flush());
      if (copied_at_ != state_.last) {
        copied_at_ = state_.last;
        TRY_VOID(parts_.journal.put_copy(lease_, state_));
      }
      parts_.observer.progress({graph_.done_leaf_count(), graph_.leaf_count(), static_cast<int>(running_.size())});
      end->executed = executed_;
      return *end;
    }
    TRY_VOID(wait_for_news());
  }
}

}  // namespace reprise
