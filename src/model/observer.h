// The observer port: one call per thing a person might want to see while a run goes on. Front ends
// implement it, the executor calls it and never prints; so it lies where both can see it.

#pragma once

#include <string>

#include "base/time.h"
#include "model/event.h"
#include "model/ids.h"

namespace reprise {

struct StepStarted {
  StepPath step;
  std::int64_t attempt = 1;
  bool adopted = false;  // found running, not started now
  std::string stdout_path;
  std::string stderr_path;
};

/// How far the run is, for a progress bar.
struct Progress {
  int done = 0;
  int total = 0;  // as far as it is known: loops grow
  int running = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void step_started(const StepStarted&) {}
  virtual void step_finished(const AttemptFinished&) {}
  virtual void step_kept(const StepPath&, const std::string& /*why*/) {}
  virtual void retry_scheduled(const StepPath&, Duration /*in*/, const std::string& /*why*/) {}
  virtual void gate_opened(const GateOpened&) {}
  virtual void gate_decided(const GateDecided&) {}
  virtual void question_asked(const QuestionAsked&) {}
  virtual void progress(const Progress&) {}
  /// Something worth a line that is none of the above.
  virtual void note(const std::string&) {}
  /// Called at least every quarter of a second while something runs and `wants_ticks()`.
  virtual void tick() {}
  virtual bool wants_ticks() const { return false; }
};

}  // namespace reprise
