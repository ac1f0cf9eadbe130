// Executor: what people ask for, by requests, in this process, or with a signal.

#include <algorithm>

#include "base/strings.h"
#include "executor/executor.h"
#include "guard/guard.h"
#include "model/seen_mode.h"
#include "os/clock.h"
#include "os/signals.h"

namespace reprise {

Result<void> Executor::steer(const Steer& steer) {
  go_on_ = true;
  TRY_VOID(apply_steer(steer));
  return flush();
}

Result<void> Executor::decide(const Steer& steer) {
  PrepareRequest with = prepare_request();
  with.is_for_decision = true;
  begin_graph(TRY(prepare(with, "")).plan);
  const Result<void> decided = apply_steer(steer);
  if (cancel_) TRY_VOID(record(*cancel_));
  if (decided && steer.kind == "reject" && parts_.native != nullptr)
    TRY_VOID(end_with(RunStatus::Failed, first_failure()));
  TRY_VOID(flush());  // a gate that shows something else now is open again, though nothing was decided
  return decided;
}

Result<void> Executor::apply_steer(const Steer& steer) {
  std::vector<SeenFile> shown;
  if (steer.kind == "approve" || steer.kind == "reject") {
    const StepPath gate = TRY(gate_meant(steer.target, state_, graph_));
    const std::optional<int> leaf = graph_.find(gate);
    if (leaf && graph_.node(*leaf).kind == Graph::Kind::Gate) {
      shown = TRY(attempts_.look_at_shown(graph_, *leaf));
      const std::vector<SeenFile>& opened = state_.gates.at(gate).shows;
      const bool redefined = is_redefined(*leaf);
      if (steer.kind == "approve" && (redefined || !same_shown(opened, shown))) {
        TRY_VOID(keep_texts(shown));
        const std::string ask =
            redefined ? graph_.resolve(*leaf, graph_.node(*leaf).stage->gate->ask) : state_.gates.at(gate).ask;
        TRY_VOID(record(GateOpened{gate, ask, shown}));
        return fail(ErrorKind::Conflict, "what gate " + gate.text + (redefined ? " asks or shows" : " shows") +
                                             " has changed since it was opened; look again and approve again");
      }
    }
  }
  std::vector<Event> events = TRY(events_for(steer, state_, graph_, shown));
  for (Event& event : events) {
    attempts_.take_secrets_out(event);
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
  if (std::holds_alternative<TaskChanged>(event)) take_in_tasks();
  const auto leaf_of = [&](const StepPath& path) { return graph_.find(path).value_or(-1); };
  if (const GateDecided* decided = std::get_if<GateDecided>(&event)) {
    const int leaf = leaf_of(decided->gate);
    if (leaf < 0) return;  // the cost gate
    held_.erase(leaf);
    covered_.erase(leaf);
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
    const bool all = std::ranges::all_of(
        state_.questions, [&](const auto& entry) { return entry.second.step != step || entry.second.answer; });
    const std::set<int> held = held_;
    for (const int waiting : held) {
      if (!graph_.node(waiting).stage->takes_answers || waits_for_answers(waiting)) continue;
      decisions_[waiting] = Decision::Continue;
      held_.erase(waiting);
      graph_.reopen(waiting);
    }
    const int leaf = leaf_of(step);
    if (!all || leaf < 0) return;
    decisions_[leaf] = Decision::Continue;
    if (held_.erase(leaf) > 0) graph_.reopen(leaf);
  }
}

Result<void> Executor::serve_requests() {
  requests_seen_at_ = parts_.clock.monotonic();
  for (const Request& request : TRY(parts_.journal.claim_requests(state_.id))) {
    if (std::ranges::find(cancel_requests_, request.number) != cancel_requests_.end()) continue;
    Result<Steer> steer = decode_steer(request.kind, request.body, request.by);
    Result<void> done = steer ? apply_steer(*steer) : Result<void>(fail(steer.error()));
    if (!done && ends_work(done.error().kind)) return done;
    if (done && cancel_ && request.kind == "cancel") {
      cancel_requests_.push_back(request.number);  // answered when the run has really ended
    } else {
      answers_.push_back({request.number, done ? "" : attempts_.without_secrets(done.error().message)});
    }
  }
  return {};
}

Result<bool> Executor::serve_while_waiting() {
  const EventNumber before = state_.last;
  TRY_VOID(serve_requests());
  TRY_VOID(take_edits());
  TRY_VOID(flush());
  return state_.last != before || cancel_.has_value();
}

// There may be several edits: in the file, and in what was displaced when we wrote it.
Result<void> Executor::take_edits() {
  if (!projector_) return {};
  const ImportedEdits imported =
      TRY(import_edits({.state = state_,
                        .graph = graph_,
                        .attempts = attempts_,
                        .native = *parts_.native,
                        .file = *projector_,
                        .may_be_from_worker = may_be_from_worker(),
                        .find_other_worker = [this] { return find_other_worker(); },
                        .record = [this](Event event) { return record(std::move(event)); },
                        .decide = [this](const Steer& steer) { return apply_steer(steer); }}));
  go_on_ = go_on_ || imported.any;
  replan_ = replan_ || imported.has_completed_steps;
  return {};
}

// Workers can write the state file too, and nothing in it says who did: what appears in it while one is at work is
// nobody's decision.
bool Executor::may_be_from_worker() const {
  return began_with_open_ || std::ranges::any_of(state_.steps, [](const auto& step) {
           return step.second.record == StepState::Record::Open;
         });
}

// Returns when the state file was last written, or read as an edit, by this run. Its own steps are asked about
// apart.
Result<Timestamp> Executor::last_time_of_state_file() {
  constexpr int kPage = 1'000;
  Timestamp last;
  EventNumber after;
  for (;;) {
    const std::vector<RecordedEvent> page = TRY(parts_.journal.events(state_.id, after, kPage));
    if (after.value == 0 && !page.empty()) last = page.front().at;  // of a run that has not written it yet
    for (const RecordedEvent& recorded : page) {
      const bool is_ours = std::holds_alternative<StateFileWritten>(recorded.event) ||
                           std::holds_alternative<StateFileEdited>(recorded.event);
      if (is_ours) last = recorded.at;
    }
    if (page.size() < kPage) return last;
    after = page.back().number;
  }
}

// Whether a worker of another run of this project was at work at that time or later. One whose end nobody has
// recorded counts as long as it may be alive.
Result<bool> Executor::had_worker_since(const RunEntry& run, Timestamp since) {
  constexpr int kPage = 1'000;
  EventNumber after;
  while (run.updated_at >= since) {
    const std::vector<RecordedEvent> page = TRY(parts_.journal.events(run.id, after, kPage));
    for (const RecordedEvent& recorded : page) {
      const bool is_of_worker = std::holds_alternative<AttemptStarted>(recorded.event) ||
                                std::holds_alternative<AttemptFinished>(recorded.event);
      if (is_of_worker && recorded.at >= since) return true;
    }
    if (page.size() < kPage) break;
    after = page.back().number;
  }
  const RunState state = TRY(parts_.journal.state(run.id));
  const std::filesystem::path guard = guard_directory(setup_.store, state.key);
  for (const auto& [path, step] : state.steps) {
    if (step.record != StepState::Record::Open) continue;
    const AttemptSighting seen = TRY(sight_attempt(guard, attempt_name(path, step.attempts)));
    if (seen.what == AttemptSighting::What::Running) return true;
    if (seen.what == AttemptSighting::What::Ended && seen.record.ended_at >= since) return true;
  }
  return false;
}

// Says which other run's worker may have written what was just found in the state file, "" if none can.
Result<std::string> Executor::find_other_worker() {
  const Timestamp since = TRY(last_time_of_state_file());
  for (const RunEntry& run : TRY(parts_.journal.runs())) {
    const bool is_put_away = run.archived && run.updated_at < since;
    if (run.id != state_.id && !is_put_away && TRY(had_worker_since(run, since)))
      return "in a time in which a worker of run " + run.id.shown() + " was at work";
  }
  return std::string();
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

}  // namespace reprise
