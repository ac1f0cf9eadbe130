#include "app/stats.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/json_writer.h"

namespace reprise {
namespace {

// The executor puts this into the reason of an attempt after which it does not try again.
constexpr std::string_view kSameErrorMark = "; the same error ";

std::string stage_of(const std::vector<StepPath>& at) {
  if (at.empty()) return "";
  const std::string& path = at.front().text;
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0: the whole
}

// "" for an end that is no stop.
std::string cause_of(SessionEnding ending) {
  switch (ending) {
    case SessionEnding::Vanished: return "killed";
    case SessionEnding::GivenBack: return "signal";
    case SessionEnding::Failed: return "failed";
    case SessionEnding::Waited: return "waiting";
    default: return "";
  }
}

std::string cause_of(const AttemptFinished& e) {
  switch (e.outcome) {
    case AttemptOutcome::Done: return "outdated";
    case AttemptOutcome::Later: return "later (rate limit, exit 75)";
    case AttemptOutcome::NeedsHuman: return "a person was asked";
    case AttemptOutcome::TimedOut: return "timeout";
    case AttemptOutcome::Stopped: return "stopped";
    case AttemptOutcome::Interrupted: return "cut off";
    case AttemptOutcome::Failed: break;
  }
  if (e.signal != 0) return "signal " + std::to_string(e.signal);
  if (e.exit_code && *e.exit_code != 0) return "exit " + std::to_string(*e.exit_code);
  return "ended well, but was not done";
}

// One pass over the events of one run for what is not about sessions.
class Counter {
 public:
  Counter(Stats& stats, const CountedRun& run) : stats_(stats), run_(run) {}

  void count(Timestamp now) {
    for (const RecordedEvent& event : run_.events) {
      now_ = event.at;
      std::visit(*this, static_cast<const AnyEvent&>(event.event));
    }
    now_ = now;
    if (status_ == RunStatus::Running) end_waiting();
    ++(status_ == RunStatus::Done      ? stats_.done
       : status_ == RunStatus::Failed  ? stats_.failed
       : status_ == RunStatus::Stopped ? stats_.stopped
                                       : stats_.unfinished);
  }

  void operator()(const AttemptStarted& e) {
    const auto before = ended_.find(e.step);
    if (before != ended_.end()) ++stats_.retries[cause_of(*before->second)];
  }
  void operator()(const AttemptFinished& e) {
    ended_[e.step] = &e;
    if (e.outcome == AttemptOutcome::Done) {
      take_success(e);
      settled("gate " + e.step.text);
    } else if (e.reason.find(kSameErrorMark) != std::string::npos) {
      ++stats_.same_error;
    }
  }
  void operator()(const GateOpened& e) { asked("gate " + e.gate.text); }
  void operator()(const GateDecided& e) { settled("gate " + e.gate.text); }
  void operator()(const QuestionAsked& e) { asked("question " + e.id); }
  void operator()(const QuestionAnswered& e) { settled("question " + e.id); }
  void operator()(const StepSkipped& e) { settled("gate " + e.step.text); }
  void operator()(const StepReset& e) { settled("gate " + e.step.text); }
  void operator()(const RunFinished& e) {
    status_ = e.status;
    end_waiting();
  }
  void operator()(const RunReopened&) { status_ = RunStatus::Running; }
  void operator()(const LaneRolledBack&) {
    if (status_ != RunStatus::Stopped) status_ = RunStatus::Running;  // as the fold has it
  }
  template <typename Other>
  void operator()(const Other&) {}

 private:
  void take_success(const AttemptFinished& e) {
    ++stats_.worked.steps;
    stats_.worked.time += e.took;
    stats_.worked.cost_usd += e.cost_usd;
    std::vector<LongStep>& longest = stats_.longest;
    const auto place = std::ranges::find_if(longest, [&](const LongStep& step) { return step.took < e.took; });
    if (place == longest.end() && longest.size() >= kLongestNamed) return;
    longest.insert(place, {run_.id, e.step, e.took});
    if (longest.size() > kLongestNamed) longest.pop_back();
  }

  void asked(const std::string& what) {
    if (open_.empty()) waits_since_ = now_;
    if (open_.insert(what).second) ++stats_.asked;
  }
  void settled(const std::string& what) {
    if (open_.erase(what) > 0 && open_.empty()) stats_.waited += std::max(Duration(0), now_ - waits_since_);
  }
  void end_waiting() {
    if (!open_.empty()) stats_.waited += std::max(Duration(0), now_ - waits_since_);
    open_.clear();
  }

  Stats& stats_;
  const CountedRun& run_;
  Timestamp now_;
  RunStatus status_ = RunStatus::Running;
  std::map<StepPath, const AttemptFinished*> ended_;  // the last attempt of each
  std::set<std::string> open_;                        // gates and questions
  Timestamp waits_since_;
};

void count_sessions(Stats& stats, const CountedRun& run) {
  for (const SessionSpan& session : sessions_of(run.events)) {
    ++stats.sessions;
    if (session.resumed) {
      ++stats.resumes;
      stats.saved.steps += session.saved.steps;
      stats.saved.time += session.saved.time;
      stats.saved.cost_usd += session.saved.cost_usd;
    }
    const std::string cause = cause_of(ending_by_lease(session, run.owner));
    if (!cause.empty()) ++stats.stops[{cause, stage_of(session.at)}];
  }
}

Result<CountedRun> read_run(Journal& journal, const RunEntry& entry) {
  CountedRun run{.id = entry.id, .archived = entry.archived};
  run.owner = TRY(journal.owner(entry.id));
  run.events = TRY(all_events(journal, entry.id));
  return run;
}

void write_work(JsonWriter& json, const SavedWork& work) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, std::max(0.0, work.cost_usd), std::chars_format::fixed, 4);
  json.begin_object().field("steps", work.steps);
  json.field("seconds", static_cast<std::int64_t>(work.time.count() / 1000));
  json.key("usd").raw(end.ec == std::errc() ? std::string_view(text, end.ptr) : "0").end_object();
}

}  // namespace

void count_run(Stats& stats, const CountedRun& run, Timestamp now) {
  ++stats.runs;
  if (run.archived) ++stats.archived;
  Counter(stats, run).count(now);
  count_sessions(stats, run);
}

Result<Stats> count_runs(Journal& journal, Timestamp now) {
  Stats stats;
  for (const RunEntry& entry : TRY(journal.runs())) {
    const Result<CountedRun> run = read_run(journal, entry);
    if (run) {
      count_run(stats, *run, now);
    } else {
      stats.uncounted.push_back({entry.id, run.error().message});
    }
  }
  return stats;
}

std::string stats_document(const Stats& stats) {
  JsonWriter json;
  json.begin_object().key("runs").begin_object().field("total", stats.runs).field("done", stats.done);
  json.field("failed", stats.failed).field("stopped", stats.stopped).field("unfinished", stats.unfinished);
  json.field("archived", stats.archived).end_object();
  json.field("sessions", stats.sessions).field("resumes", stats.resumes).key("worked");
  write_work(json, stats.worked);
  json.key("saved");
  write_work(json, stats.saved);
  json.key("stops").begin_array();
  for (const auto& [where, count] : stats.stops) {
    json.begin_object().field("cause", where.first).key("stage");
    where.second.empty() ? json.null() : json.value(where.second);
    json.field("count", count).end_object();
  }
  json.end_array().key("retries").begin_array();
  for (const auto& [cause, count] : stats.retries)
    json.begin_object().field("cause", cause).field("count", count).end_object();
  json.end_array().field("given_up_on_same_error", stats.same_error).key("waiting").begin_object();
  json.field("seconds", static_cast<std::int64_t>(stats.waited.count() / 1000)).field("asked", stats.asked);
  json.end_object().key("longest").begin_array();
  for (const LongStep& step : stats.longest) {
    json.begin_object().field("id", step.run.shown()).field("step", step.step.text);
    json.field("seconds", static_cast<std::int64_t>(step.took.count() / 1000)).end_object();
  }
  json.end_array().key("uncounted").begin_array();
  for (const UncountedRun& run : stats.uncounted)
    json.begin_object().field("id", run.id.shown()).field("why", run.why).end_object();
  json.end_array().end_object();
  return json.take();
}

}  // namespace reprise
