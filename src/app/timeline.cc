#include "app/timeline.h"

#include <algorithm>
#include <map>
#include <variant>

namespace reprise {
namespace {

constexpr std::size_t kStepsNamedMax = 3;

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }
std::string by(const Actor& actor) { return actor.empty() ? "" : " by " + actor; }

std::string names_of(const std::vector<StepPath>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size() && i < kStepsNamedMax; ++i)
    text += (i == 0 ? "" : ", ") + steps[i].text;
  if (steps.size() > kStepsNamedMax) text += " and " + std::to_string(steps.size() - kStepsNamedMax) + " more";
  return text;
}

// "dove:4711" in words.
std::string process_of(const std::string& owner) {
  const std::size_t colon = owner.rfind(':');
  if (colon == std::string::npos) return owner;
  return "process " + owner.substr(colon + 1) + " on " + owner.substr(0, colon);
}

// Who works, without saying the machine twice.
std::string words_for_worker(const SessionSpan& session) {
  const std::string host = "@" + session.owner.substr(0, session.owner.rfind(':'));
  const bool is_there = session.by.ends_with(host);
  const std::string person = is_there ? session.by.substr(0, session.by.size() - host.size()) : session.by;
  return process_of(session.owner) + (person.empty() ? "" : ", " + person);
}

// How a session ended; "" where another entry tells it, or nothing is known yet.
std::string words_for_end(const SessionSpan& session) {
  const std::string at = session.at.empty() ? "between steps" : "at " + names_of(session.at);
  switch (session.ending) {
    case SessionEnding::Waited: return "waits for " + session.waits_for + ", gave the run back";
    case SessionEnding::GivenBack: return "was told to stop " + at + ", gave the run back";
    case SessionEnding::Vanished: return "vanished " + at + " without a word";
    default: return "";
  }
}

std::string words_for_resumption(const SessionSpan& session) {
  std::string text = "resumed after " + to_text(session.gap);
  if (!session.from.empty()) text += " from " + session.from;
  text += ": kept " + std::to_string(session.saved.steps) + " step(s)";
  if (session.saved.time.count() > 0) text += " of " + to_text(session.saved.time);
  if (!session.again.empty()) text += ", again: " + names_of(session.again);
  return text;
}

std::string_view kind_of_attempt(const AttemptFinished& e) {
  switch (e.outcome) {
    case AttemptOutcome::Interrupted: return "cut-off";
    case AttemptOutcome::NeedsHuman: return "asks";
    case AttemptOutcome::Stopped: return "stopped";
    default: return e.retry_at ? "retry" : "failed";
  }
}

std::string words_for_attempt(const AttemptFinished& e, Timestamp now) {
  std::string text = e.step.text + " attempt " + std::to_string(e.attempt.value);
  switch (e.outcome) {
    case AttemptOutcome::TimedOut: text += " ran out of time"; break;
    case AttemptOutcome::Later: text += " asked to be tried later"; break;
    case AttemptOutcome::Interrupted: text += " was cut off"; break;
    case AttemptOutcome::NeedsHuman: text += " wants a person"; break;
    case AttemptOutcome::Stopped: text += " was stopped"; break;
    default: text += " failed";
  }
  text += because(e.reason);
  if (e.retry_at) text += "; again in " + to_text(std::max(Duration(0), *e.retry_at - now));
  return text;
}

// One function per kind of event that tells people something.
class Timeline {
 public:
  Timeline(std::span<const RecordedEvent> events, std::vector<SessionSpan> sessions)
      : events_(events), sessions_(std::move(sessions)) {}

  std::vector<TimelineEntry> make() {
    for (const RecordedEvent& event : events_) {
      now_ = &event;
      std::visit(*this, static_cast<const AnyEvent&>(event.event));
    }
    add_unfinished_rollbacks();
    add_ends();
    return std::move(entries_);
  }

  void operator()(const RunCreated& e) {
    std::string text = "started: workflow " + e.workflow + (e.subject.empty() ? "" : ", " + e.subject);
    if (!e.forked_from.empty()) text += ", forked from " + e.forked_from;
    if (e.adopted) text += ", taken up from " + e.native_file;
    add("started", std::move(text));
  }
  void operator()(const PlanAccepted&) {
    const SessionSpan& session = sessions_[next_session_++];
    std::string text = "session " + std::to_string(next_session_) + ": " + words_for_worker(session);
    if (session.mode != Mode::Interactive) text += ", " + std::string(to_token(session.mode));
    add("session", std::move(text));
    if (!session.resumed) return;
    add("resumed", words_for_resumption(session));
    entries_.back().lasted = session.gap;
  }
  void operator()(const LeaseTakenOver& e) { add("taken", process_of(e.from) + " was found dead; taken over"); }
  void operator()(const FindingOverruled& e) {
    add("overruled", e.code + " accepted" + by(e.by) + because(e.because), e.code);
  }
  void operator()(const AttemptFinished& e) {
    if (e.outcome != AttemptOutcome::Done) add(kind_of_attempt(e), words_for_attempt(e, now_->at), e.step.text);
  }
  void operator()(const StepSkipped& e) {
    add("skipped", e.step.text + " skipped" + by(e.by) + because(e.because), e.step.text);
  }
  void operator()(const StepReset& e) {
    add("reset", e.step.text + " is to be done again" + by(e.by) + because(e.because), e.step.text);
  }
  void operator()(const GateOpened& e) {
    waiting_since_["gate " + e.gate.text] = now_->at;
    add("gate", e.gate.text + " asks: " + e.ask, e.gate.text);
  }
  void operator()(const GateDecided& e) {
    const std::optional<Duration> waited = waited_for("gate " + e.gate.text);
    add("decided",
        e.gate.text + (e.approved ? " approved" : " rejected") + by(e.by) + after(waited) + because(e.because),
        e.gate.text);
    entries_.back().lasted = waited;
  }
  void operator()(const QuestionAsked& e) {
    waiting_since_["question " + e.id] = now_->at;
    add("question", e.id + ": " + e.text, e.id);
  }
  void operator()(const QuestionAnswered& e) {
    const std::optional<Duration> waited = waited_for("question " + e.id);
    add("answered", e.id + " answered" + by(e.by) + after(waited) + because(e.text), e.id);
    entries_.back().lasted = waited;
  }
  void operator()(const StateFileEdited& e) {
    // The first content of a run that was found is where the run begins.
    const bool is_first = e.before.empty() && e.refused.empty();
    std::string text = e.file + (is_first ? " was found" : " was edited by hand");
    if (!e.refused.empty()) {
      text += "; not taken over: " + e.refused.front();
      if (e.refused.size() > 1) text += " and " + std::to_string(e.refused.size() - 1) + " more";
    }
    add("edited", std::move(text), e.file);
  }
  void operator()(const LaneRolledBack& e) {
    if (!e.done) {
      rollbacks_[e.lane] = now_;
      return;
    }
    rollbacks_.erase(e.lane);
    add("rollback", e.lane.text + " rolled back to " + e.to + by(e.by) + because(e.because), e.lane.text);
  }
  void operator()(const LaneClosed& e) {
    add("lane", e.lane.text + (e.again ? " brought back" : " closed") + because(e.because), e.lane.text);
  }
  void operator()(const NoteAdded& e) { add("note", "note: " + e.text + (e.by.empty() ? "" : " (" + e.by + ")")); }
  void operator()(const RunFinished& e) {
    add("finished", "run " + std::string(to_token(e.status)) + by(e.by) + because(e.reason));
  }
  void operator()(const RunReopened& e) { add("reopened", "run opened again" + by(e.by) + because(e.because)); }
  void operator()(const RunArchived& e) {
    add("archived", (e.again ? "run brought back" : "run set aside") + by(e.by));
  }

  // What the work consists of. Named one by one: a new kind of event has to be thought of here.
  void operator()(const AttemptStarted&) {}
  void operator()(const StepVerified&) {}
  void operator()(const ClaimImported&) {}
  void operator()(const AnswersApplied&) {}
  void operator()(const GapChanged&) {}
  void operator()(const StateFileWritten&) {}
  void operator()(const LaneCreated&) {}
  void operator()(const CheckpointReached&) {}
  void operator()(const TaskChanged&) {}

 private:
  void add(std::string_view kind, std::string text, std::string subject = "") {
    entries_.push_back({.at = now_->at,
                        .kind = kind,
                        .text = std::move(text),
                        .event = now_->number,
                        .subject = std::move(subject),
                        .lasted = std::nullopt});
  }

  std::optional<Duration> waited_for(const std::string& what) {
    const auto since = waiting_since_.find(what);
    if (since == waiting_since_.end()) return std::nullopt;
    const Duration waited = std::max(Duration(0), now_->at - since->second);
    waiting_since_.erase(since);
    return waited;
  }
  static std::string after(const std::optional<Duration>& waited) {
    return waited ? " after " + to_text(*waited) : "";
  }

  void add_unfinished_rollbacks() {
    for (const auto& [lane, event] : rollbacks_) {
      now_ = event;
      const LaneRolledBack& e = std::get<LaneRolledBack>(event->event);
      add("rollback", lane.text + " began to go back to " + e.to + by(e.by) + "; a resume finishes it", lane.text);
    }
  }

  // An end is known by what follows it, and stands behind the last sign of life.
  void add_ends() {
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      const SessionSpan& session = sessions_[i];
      const std::string text = words_for_end(session);
      if (text.empty()) continue;
      entries_.push_back({.at = session.last_at,
                          .kind = "ended",
                          .text = "session " + std::to_string(i + 1) + " " + text,
                          .event = session.last_event,
                          .subject = "",
                          .lasted = std::nullopt});
    }
    std::ranges::stable_sort(entries_, {}, &TimelineEntry::event);
  }

  std::span<const RecordedEvent> events_;
  std::vector<SessionSpan> sessions_;
  std::size_t next_session_ = 0;
  const RecordedEvent* now_ = nullptr;
  std::map<std::string, Timestamp> waiting_since_;
  std::map<StepPath, const RecordedEvent*> rollbacks_;  // begun
  std::vector<TimelineEntry> entries_;
};

}  // namespace

bool is_on_timeline(const Event& event) {
  if (const auto* finished = std::get_if<AttemptFinished>(&event))
    return finished->outcome != AttemptOutcome::Done;
  return !std::holds_alternative<AttemptStarted>(event) && !std::holds_alternative<StepVerified>(event) &&
         !std::holds_alternative<StateFileWritten>(event);
}

std::vector<TimelineEntry> timeline_of(std::span<const RecordedEvent> events, std::vector<SessionSpan> sessions) {
  return Timeline(events, std::move(sessions)).make();
}

}  // namespace reprise
