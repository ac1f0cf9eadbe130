#include "testing/scripted_workers.h"

#include <algorithm>

namespace reprise {

void ScriptedGuard::write(const std::map<std::string, std::string>& files) {
  for (const auto& [path, bytes] : files) files_.put(path, bytes);
}

void ScriptedGuard::start(const WorkerSpec& spec) {
  if (on_start_) on_start_(spec);
  started_.push_back(spec);
  Script script = director_ ? director_(spec) : Script{};
  if (!script.end.start_error.empty()) {
    script.end.attempt = spec.attempt;
    script.end.exit_code.reset();
    records_[spec.attempt] = script.end;
    news_.push_back(spec.attempt);
    return;
  }
  write(script.begins);
  if (spec.timeout_ms > 0 && script.takes > Duration(spec.timeout_ms)) {
    script.takes = Duration(spec.timeout_ms);
    script.end = ExitRecord{.exit_code = std::nullopt, .signal = 15, .timed_out = true, .ended_at = {}};
    script.writes.clear();
  }
  running_[spec.attempt] = {script, clock_.monotonic() + script.takes, false};
}

void ScriptedGuard::end(const std::string& attempt) {
  const Running& running = running_.at(attempt);
  ExitRecord record = running.script.end;
  record.attempt = attempt;
  record.duration_ms = running.script.takes.count();
  record.ended_at = clock_.now();
  if (running.is_stopped) {
    record.exit_code.reset();
    record.signal = 15;
    record.stopped = true;
  } else {
    write(running.script.writes);
  }
  records_[attempt] = record;
  news_.push_back(attempt);
  running_.erase(attempt);
}

// Lets the worker end whose end comes next, if that is not after `until`.
bool ScriptedGuard::end_next(Duration until) {
  const auto next = std::ranges::min_element(running_, {}, [](const auto& entry) { return entry.second.ends_at; });
  if (next == running_.end() || next->second.ends_at > until) return false;
  clock_.advance(std::max(Duration(0), next->second.ends_at - clock_.monotonic()));
  end(next->first);
  return true;
}

void ScriptedGuard::lose(bool finish_first) {
  if (finish_first && !running_.empty()) write(running_.begin()->second.script.writes);
  running_.clear();
  is_lost_ = true;
}

int ScriptedGuard::starts_of(const std::string& attempt) const {
  return static_cast<int>(std::ranges::count(started_, attempt, &WorkerSpec::attempt));
}

std::vector<std::string> ScriptedGuard::running() const {
  std::vector<std::string> names;
  for (const auto& [attempt, running] : running_) names.push_back(attempt);
  return names;
}

ScriptedWorkers::ScriptedWorkers(ScriptedGuard& guard, KillSwitch* kill) : guard_(guard), kill_(kill) {
  // Whoever connects anew asks for what it cares about; old news are for nobody, and a lost guard is replaced.
  guard_.news_.clear();
  guard_.is_lost_ = false;
}

Result<void> ScriptedWorkers::start(const std::vector<WorkerSpec>& specs) {
  return guarded([&]() -> Result<void> {
    if (guard_.is_lost_) {
      guard_.is_lost_ = false;
      return fail(ErrorKind::Unavailable, "the guard is gone");
    }
    for (const WorkerSpec& spec : specs) guard_.start(spec);
    return {};
  });
}

Result<WorkerNews> ScriptedWorkers::wait(std::optional<Duration> timeout) {
  if (guard_.on_wait_) guard_.on_wait_();
  return guarded([&]() -> Result<WorkerNews> {
    WorkerNews news;
    news.poked = std::exchange(guard_.is_poked_, false);
    if (std::exchange(guard_.is_lost_, false)) {
      news.guard_lost = true;
      return news;
    }
    const Duration until = guard_.clock_.monotonic() + timeout.value_or(std::chrono::hours(24 * 365));
    if (guard_.news_.empty() && !news.poked && !guard_.end_next(until) && timeout) guard_.clock_.advance(*timeout);
    for (const std::string& attempt : std::exchange(guard_.news_, {})) {
      news.ended.push_back(guard_.records_.at(attempt));
    }
    return news;
  });
}

Result<void> ScriptedWorkers::stop(const std::string& attempt) {
  return guarded([&]() -> Result<void> {
    const auto found = guard_.running_.find(attempt);
    if (found == guard_.running_.end()) return {};
    found->second.is_stopped = true;
    found->second.ends_at = guard_.clock_.monotonic();
    return {};
  });
}

Result<AttemptSighting> ScriptedWorkers::look_up(const std::string& attempt) {
  return guarded([&]() -> Result<AttemptSighting> {
    if (const auto record = guard_.records_.find(attempt); record != guard_.records_.end()) {
      return AttemptSighting{AttemptSighting::What::Ended, record->second};
    }
    const bool running = guard_.running_.contains(attempt);
    return AttemptSighting{running ? AttemptSighting::What::Running : AttemptSighting::What::Gone, {}};
  });
}

}  // namespace reprise
