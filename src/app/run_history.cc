#include "app/run_history.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/limits.h"

namespace reprise {
namespace {

// What counts of one step while the events go by.
struct StepRecord {
  EventNumber first_started;
  EventNumber done_event;  // when its success was recorded; 0: it is not done
  Duration took{0};
  double cost_usd = 0;
  bool is_done() const { return done_event.value > 0; }
};

// One pass over the events.
class Sessions {
 public:
  explicit Sessions(std::span<const RecordedEvent> events) : events_(events) {}

  std::vector<SessionSpan> find() {
    find_beginnings();
    for (std::size_t i = 0; i < events_.size(); ++i) {
      now_ = &events_[i];
      if (belongs_to_next_[i]) close(SessionEnding::GivenBack);
      std::visit(*this, static_cast<const AnyEvent&>(now_->event));
    }
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
      if (is_known && std::ranges::find(span.again, e.step) == span.again.end()) span.again.push_back(e.step);
    }
    if (step.first_started.value == 0) step.first_started = now_->number;
    undo(step);
    running_.insert(e.step);
    stopped_.erase(e.step);
    live();
  }

  void operator()(const AttemptFinished& e) {
    running_.erase(e.step);
    if (e.outcome == AttemptOutcome::Done) {
      gates_.erase(e.step);  // what a person was asked about it is settled with it
      finish(steps_[e.step], e.took, e.cost_usd);
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
    if (e.done) finish(step, Duration(0), 0);
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
  void find_beginnings() {
    belongs_to_next_.assign(events_.size(), false);
    for (std::size_t i = events_.size(); i-- > 0;) {
      const bool is_plan = std::holds_alternative<PlanAccepted>(events_[i].event);
      const bool leads_to_plan =
          i + 1 < events_.size() && belongs_to_next_[i + 1] && events_[i].at == events_[i + 1].at;
      const bool ends = std::holds_alternative<RunFinished>(events_[i].event);
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
    Moment seen{.running = {running_.begin(), running_.end()}};
    if (!gates_.empty()) {
      seen.asks = {*gates_.begin()};
      seen.waits_for = "gate " + gates_.begin()->text;
    } else if (!questions_.empty()) {
      seen.asks = {questions_.begin()->second};
      seen.waits_for = "question " + questions_.begin()->first;
    }
    return seen;
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
    if (span.at.empty()) span.at.assign(stopped_.begin(), stopped_.end());
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

  std::span<const RecordedEvent> events_;
  std::vector<bool> belongs_to_next_;
  const RecordedEvent* now_ = nullptr;
  std::vector<SessionSpan> spans_;
  bool is_open_ = false;
  std::map<StepPath, StepRecord> steps_;
  SavedWork done_;
  std::set<StepPath> running_;
  std::set<StepPath> stopped_;                 // by a person, in this session
  std::set<StepPath> gates_;                   // open ones
  std::map<std::string, StepPath> questions_;  // open ones
  std::optional<StepPath> failed_;
  std::optional<Moment> frozen_;
};

}  // namespace

std::vector<SessionSpan> sessions_of(std::span<const RecordedEvent> events) { return Sessions(events).find(); }

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

}  // namespace reprise
