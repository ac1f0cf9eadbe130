// Workers whose ends a script decides, held by a guard that outlives the runner.
//
// ScriptedGuard is the world's side: workers that run, exit records that stay. ScriptedWorkers is one
// runner's connection to it; a new runner makes a new one and finds what the old one left. Time is the
// test's clock: waiting moves it on.

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "guard/workers.h"
#include "testing/fixed_clock.h"
#include "testing/kill_switch.h"
#include "testing/memory_file_system.h"

namespace reprise {

/// What one attempt does: how long it takes, what it leaves, how it ends.
struct Script {
  Duration takes{1'000};
  ExitRecord end{.exit_code = 0, .ended_at = {}};
  std::map<std::string, std::string> writes;  // path and content, when it ends
  std::map<std::string, std::string> begins;  // the same, as soon as it is started
};

class ScriptedGuard {
 public:
  using Director = std::function<Script(const WorkerSpec&)>;

  ScriptedGuard(FixedClock& clock, MemoryFileSystem& files) : clock_(clock), files_(files) {}

  /// Decides about every attempt that is started from now on; the default ends each with exit 0.
  void direct(Director director) { director_ = std::move(director); }
  /// Is called with each program just before it starts.
  void on_start(std::function<void(const WorkerSpec&)> watcher) { on_start_ = std::move(watcher); }
  /// Is called whenever somebody waits.
  void on_wait(std::function<void()> watcher) { on_wait_ = std::move(watcher); }
  void poke() { is_poked_ = true; }

  /// The guard dies. Its workers die with it; `finish_first` of them had just ended, unrecorded.
  void lose(bool finish_first);

  int starts_of(const std::string& attempt) const;
  const std::vector<WorkerSpec>& started() const { return started_; }
  std::size_t running_count() const { return running_.size(); }
  std::vector<std::string> running() const;
  bool is_running(const std::string& attempt) const { return running_.contains(attempt); }
  const std::map<std::string, ExitRecord>& records() const { return records_; }
  FixedClock& clock() { return clock_; }

 private:
  friend class ScriptedWorkers;
  struct Running {
    Script script;
    Duration ends_at{0};
    bool is_stopped = false;
  };
  void start(const WorkerSpec& spec);
  void write(const std::map<std::string, std::string>& files);
  void end(const std::string& attempt);
  bool end_next(Duration until);

  FixedClock& clock_;
  MemoryFileSystem& files_;
  Director director_;
  std::function<void(const WorkerSpec&)> on_start_;
  std::function<void()> on_wait_;
  std::map<std::string, Running> running_;
  std::map<std::string, ExitRecord> records_;  // survive the guard
  std::vector<std::string> news_;              // ended, and nobody has been told
  std::vector<WorkerSpec> started_;
  bool is_poked_ = false;
  bool is_lost_ = false;  // and the runner has not noticed
};

class ScriptedWorkers : public Workers {
 public:
  explicit ScriptedWorkers(ScriptedGuard& guard, KillSwitch* kill = nullptr);

  Result<void> start(const std::vector<WorkerSpec>& specs) override;
  Result<WorkerNews> wait(std::optional<Duration> timeout) override;
  Result<void> stop(const std::string& attempt) override;
  Result<AttemptSighting> look_up(const std::string& attempt) override;

 private:
  template <typename Effect>
  auto guarded(Effect&& effect) -> decltype(effect()) {
    return kill_ == nullptr ? effect() : kill_->call(effect);
  }
  ScriptedGuard& guard_;
  KillSwitch* kill_;
};

}  // namespace reprise
