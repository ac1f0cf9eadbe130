#include "app/run_history.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/stable_map.h"
#include "model/limits.h"

namespace reprise {
namespace {

constexpr int kBatch = 1'024;  // events that are read at a time, so that a long history is never held whole

// What counts of one step while the events go by.
struct StepRecord {
  EventNumber first_started;
  EventNumber last_started;
  EventNumber done_event;  // when its success was recorded; 0: it is not done
  Duration took{0};
  double cost_usd = 0;
  bool is_running = false;
  bool is_done() const { return done_event.value > 0; }
};

// Folds the events of a run into its sessions.
class Sessions {
 public:
  // `events` must not end between a PlanAccepted and the events that were appended with it.
  void fold(std::span<const RecordedEvent> events) {
    find_beginnings(events);
    for (std::size_t i = 0; i < events.size(); ++i) {
      now_ = &events[i];
      if (belongs_to_next_[i]) close(SessionEnding::GivenBack);
      std::visit(*this, static_cast<const AnyEvent&>(now_->event));
    }
  }

  std::vector<SessionSpan> take() {
    if (is_open_) describe(spans_.back());
    return std::move(spans_);
  }

  void operator()(const PlanAccepted& e) {
    close(SessionEnding::GivenBack);
    stopped_.clear();
    SessionSpan span{.began_event = now_->number, .last_event = now_->number, .began_at = now_->at};
    span.last_at = now_->at;
    span.owner = e.owner;
    span.by = e.by;
    span.mode = e.mode;
    span.resumed = e.resumed;
    span.from = e.from;
    if (!spans_.empty()) span.gap = std::max(Duration(0), now_->at - spans_.back().last_at);
    if (e.resumed) span.saved = done_;
    spans_.push_back(std::move(span));
    is_open_ = true;
    frozen_.reset();
  }

  void operator()(const LeaseTakenOver&) { close(SessionEnding::Vanished); }

  void operator()(const AttemptStarted& e) {
    StepRecord& step = steps_[e.step];
    if (is_open_) {
      SessionSpan& span = spans_.back();
      const bool is_known = step.first_started.value > 0 && step.first_started < span.began_event;
      if (is_known && step.last_started < span.began_event) span.again.push_back(e.step);
    }
    if (step.first_started.value == 0) step.first_started = now_->number;
    step.last_started = now_->number;
    undo(step);
    stopped_.erase(e.step);
    if (!std::exchange(step.is_running, true)) ++running_;
    live();
  }

  void operator()(const AttemptFinished& e) {
    StepRecord& step = steps_[e.step];
    if (std::exchange(step.is_running, false)) --running_;
    if (e.outcome == AttemptOutcome::Done) {
      gates_.erase(e.step);  // what a person was asked about it is settled with it
      finish(step, e.took, e.cost_usd);
    } else if (e.outcome == AttemptOutcome::Failed || e.outcome == AttemptOutcome::TimedOut ||
               e.outcome == AttemptOutcome::Later) {
      failed_ = e.step;
    } else if (e.outcome == AttemptOutcome::Stopped) {
      stopped_.insert(e.step);
    }
    live();
  }

  void operator()(const ClaimImported& e) {
    StepRecord& step = steps_[e.step];
    undo(step);
    if (e.done) finish(step, e.took, 0);
  }

  void operator()(const StepReset& e) {
    freeze();
    undo(steps_[e.step]);
    gates_.erase(e.step);
  }
  void operator()(const StepSkipped& e) {
    freeze();
    undo(steps_[e.step]);
    gates_.erase(e.step);
  }

  void operator()(const GateOpened& e) {
    gates_.insert(e.gate);
    live();
  }
  void operator()(const GateDecided& e) {
    freeze();
    gates_.erase(e.gate);
  }
  void operator()(const QuestionAsked& e) {
    questions_[e.id] = e.step;
    live();
  }
  void operator()(const QuestionAnswered& e) {
    freeze();
    questions_.erase(e.id);
  }

  void operator()(const RunFinished& e) {
    if (is_open_ && e.status == RunStatus::Failed && failed_) spans_.back().at = {*failed_};
    if (is_open_) live();
    close(e.status == RunStatus::Done     ? SessionEnding::Done
          : e.status == RunStatus::Failed ? SessionEnding::Failed
                                          : SessionEnding::Stopped);
  }

  // Only a session records these.
  void operator()(const StepVerified&) { live(); }
  void operator()(const AnswersApplied&) { live(); }
  void operator()(const LaneCreated&) { live(); }

  // These say nothing of a session: people, edits, other commands, or what goes along with another event.
  template <typename Other>
  void operator()(const Other&) {}

 private:
  // What stands directly before a PlanAccepted and was appended with it belongs to that session.
  void find_beginnings(std::span<const RecordedEvent> events) {
    belongs_to_next_.assign(events.size(), false);
    for (std::size_t i = events.size(); i-- > 0;) {
      const bool is_plan = std::holds_alternative<PlanAccepted>(events[i].event);
      const bool leads_to_plan =
          i + 1 < events.size() && belongs_to_next_[i + 1] && events[i].at == events[i + 1].at;
      const bool ends = std::holds_alternative<RunFinished>(events[i].event);
      belongs_to_next_[i] = is_plan || (leads_to_plan && !ends);
    }
  }

  // The session in progress shows that it is alive.
  void live() {
    if (!is_open_) return;
    spans_.back().last_event = now_->number;
    spans_.back().last_at = now_->at;
    frozen_.reset();
  }

  struct Moment {
    std::vector<StepPath> running;
    std::vector<StepPath> asks;
    std::string waits_for;
  };
  Moment moment() const {
    Moment seen{.running = running_steps()};
    if (!gates_.empty()) {
      seen.asks = {*gates_.begin()};
      seen.waits_for = "gate " + gates_.begin()->text;
    } else if (!questions_.empty()) {
      seen.asks = {questions_.begin()->second};
      seen.waits_for = "question " + questions_.begin()->first;
    }
    return seen;
  }
  std::vector<StepPath> running_steps() const {
    std::vector<StepPath> paths;
    if (running_ == 0) return paths;
    for (const auto& [path, step] : steps_) {
      if (step.is_running) paths.push_back(path);
    }
    std::ranges::sort(paths);
    return paths;
  }
  // A person decides something: how it stood when the session was last heard of is kept, should it be over.
  void freeze() {
    if (is_open_ && !frozen_) frozen_ = moment();
  }

  // Where it is, as of its last sign of life.
  void describe(SessionSpan& span) const {
    const Moment last = frozen_ ? *frozen_ : moment();
    const bool asks = last.running.empty() && !last.waits_for.empty();
    span.at = asks ? last.asks : last.running;
    if (span.at.empty()) {
      for (const StepPath& step : stopped_) span.at.push_back(step);  // g++ 12 rejects assign() at -O2
    }
    span.waits_for = asks ? last.waits_for : "";
  }

  void close(SessionEnding ending) {
    if (!is_open_) return;
    is_open_ = false;
    failed_.reset();
    SessionSpan& span = spans_.back();
    if (ending != SessionEnding::Failed) describe(span);
    span.ending = ending;
    if (ending == SessionEnding::GivenBack && !span.waits_for.empty()) span.ending = SessionEnding::Waited;
  }

  void finish(StepRecord& step, Duration took, double cost_usd) {
    undo(step);
    step.done_event = now_->number;
    step.took = took;
    step.cost_usd = cost_usd;
    ++done_.steps;
    done_.time += took;
    done_.cost_usd += cost_usd;
  }

  // A success no longer counts; nor was it saved by the session that finds that out.
  void undo(StepRecord& step) {
    if (!step.is_done()) return;
    const bool was_kept = is_open_ && spans_.back().resumed && step.done_event < spans_.back().began_event;
    if (was_kept) take_off(spans_.back().saved, step);
    take_off(done_, step);
    step.done_event = {};
  }
  static void take_off(SavedWork& sum, const StepRecord& step) {
    --sum.steps;
    sum.time -= step.took;
    sum.cost_usd = sum.steps == 0 ? 0 : sum.cost_usd - step.cost_usd;
  }

  std::vector<bool> belongs_to_next_;  // of the events that are folded now
  const RecordedEvent* now_ = nullptr;
  std::vector<SessionSpan> spans_;
  bool is_open_ = false;
  StableMap<StepPath, StepRecord> steps_;
  SavedWork done_;
  std::set<StepPath> stopped_;                 // by a person, in this session
  int running_ = 0;                            // how many steps run
  std::set<StepPath> gates_;                   // open ones
  std::map<std::string, StepPath> questions_;  // open ones
  std::optional<StepPath> failed_;
  std::optional<Moment> frozen_;
};

// Where the last group of events with one time begins: more of that group may follow.
std::size_t begin_of_last_group(std::span<const RecordedEvent> events) {
  std::size_t begin = events.size();
  while (begin > 0 && events[begin - 1].at == events.back().at) --begin;
  return begin;
}

}  // namespace

std::vector<SessionSpan> sessions_of(std::span<const RecordedEvent> events) {
  Sessions sessions;
  sessions.fold(events);
  return sessions.take();
}

SessionEnding ending_by_lease(const SessionSpan& session, const std::optional<Owner>& owner) {
  if (session.ending != SessionEnding::Open || (owner && owner->alive)) return session.ending;
  if (owner) return SessionEnding::Vanished;
  return session.waits_for.empty() ? SessionEnding::GivenBack : SessionEnding::Waited;
}

Result<std::vector<RecordedEvent>> all_events(Journal& journal, const RunId& run) {
  std::vector<RecordedEvent> all;
  for (;;) {
    const EventNumber last = all.empty() ? EventNumber{0} : all.back().number;
    std::vector<RecordedEvent> part = TRY(journal.events(run, last, kEventsPerReadMax));
    if (part.empty()) return all;
    std::ranges::move(part, std::back_inserter(all));
  }
}

Result<RunHistory> read_history(Journal& journal, const RunId& run, bool (*is_kept)(const Event&)) {
  RunHistory history;
  Sessions sessions;
  std::vector<RecordedEvent> batch;
  for (EventNumber last{0};;) {
    std::vector<RecordedEvent> more = TRY(journal.events(run, last, kBatch));
    const bool is_end = more.empty();
    if (!is_end) last = more.back().number;
    if (batch.empty()) {
      batch = std::move(more);
    } else {
      std::ranges::move(more, std::back_inserter(batch));
    }
    const std::size_t end = is_end ? batch.size() : begin_of_last_group(batch);
    sessions.fold(std::span(batch).first(end));
    const auto rest = batch.begin() + static_cast<std::ptrdiff_t>(end);
    std::copy_if(std::move_iterator(batch.begin()), std::move_iterator(rest), std::back_inserter(history.events),
                 [&](const RecordedEvent& event) { return is_kept(event.event); });
    batch.erase(batch.begin(), rest);
    if (is_end) break;
  }
  history.sessions = sessions.take();
  return history;
}

}  // namespace reprise
