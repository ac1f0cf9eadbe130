// Histories for tests of what is read off them: events at chosen times, in words of the domain.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/event.h"

namespace reprise {

/// A run's events, one after the other. Each comes a second after the one before, unless later() was called.
class Story {
 public:
  Story& add(Event event) {
    now_.ms += step_.count();
    step_ = Duration(1'000);
    events_.push_back({{static_cast<std::int64_t>(events_.size()) + 1}, now_, std::move(event)});
    return *this;
  }
  /// The next event comes this much after the one before.
  Story& later(Duration by) { return step_ = by, *this; }
  /// The next event was appended together with the one before.
  Story& together() { return later(Duration(0)); }

  Story& created() { return add(RunCreated{.workflow = "w", .subject = "x"}); }
  Story& session(const std::string& owner, bool resumed = false) {
    return add(PlanAccepted{.owner = owner, .by = "ana@dove", .resumed = resumed});
  }
  Story& taken(const std::string& from, const std::string& to) { return add(LeaseTakenOver{from, to}); }
  Story& start(const std::string& step, std::int64_t attempt = 1) {
    return add(AttemptStarted{.step = {step}, .attempt = {attempt}});
  }
  Story& end(const std::string& step, AttemptFinished how) {
    how.step = {step};
    if (how.attempt.value == 0) how.attempt.value = 1;
    return add(std::move(how));
  }
  Story& did(const std::string& step, Duration took = Duration(10'000), double usd = 0, std::int64_t attempt = 1) {
    return start(step, attempt).end(step, {.attempt = {attempt}, .exit_code = 0, .took = took, .cost_usd = usd});
  }
  Story& asks(const std::string& gate) { return add(GateOpened{.gate = {gate}, .ask = "Go?"}); }
  Story& approved(const std::string& gate) {
    return add(GateDecided{.gate = {gate}, .approved = true, .by = "bo@dove"});
  }
  Story& finished(RunStatus status, std::string reason = "") {
    return add(RunFinished{.status = status, .reason = std::move(reason)});
  }

  const std::vector<RecordedEvent>& events() const { return events_; }
  Timestamp now() const { return now_; }

 private:
  std::vector<RecordedEvent> events_;
  Timestamp now_{1'763'200'800'000};
  Duration step_{1'000};
};

}  // namespace reprise
