// A task pipeline to recover in tests: a permanent task, a repository on its branch, and tasks as they are added.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include "planner/task_rules.h"

namespace reprise {

class TaskWorld {
 public:
  explicit TaskWorld(TaskTier tier, std::optional<TaskPhase> current = std::nullopt) {
    seen.state_file = "tasks/demo";
    seen.now = parse_timestamp("2026-11-15T12:00:00Z").value_or(Timestamp());
    seen.claims.list = "demo";
    seen.claims.updated_at = seen.now - std::chrono::hours(1);
    seen.git.has_repository = true;
    seen.git.branch = "feature/login";
    seen.git.default_branch = "main";
    TaskClaim permanent{.id = "1", .file = "1.json", .subject = "[PERMANENT] Login"};
    permanent.status = TaskStatus::Pending;
    permanent.is_permanent = true;
    seen.claims.tasks.push_back(permanent);
    PermanentTask& task = seen.claims.permanent.emplace();
    task.id = "1";
    task.feature = "Login";
    task.tier = tier;
    task.branch = "feature/login";
    task.current_phase = current;
    task.source = current ? PhaseSource::Metadata : PhaseSource::Assumed;
    seen.claims.high_water_mark = 1;
  }

  /// Adds a task with the next id.
  TaskClaim& add(std::optional<TaskPhase> phase, TaskStatus status) {
    const std::string id = std::to_string(++seen.claims.high_water_mark);
    TaskClaim task{.id = id, .file = id + ".json", .subject = "task " + id};
    task.description = "do " + id;
    task.status = status;
    task.status_word = to_token(status);
    task.phase = phase;
    task.file_time = seen.now - std::chrono::hours(2);
    seen.claims.tasks.push_back(task);
    return seen.claims.tasks.back();
  }
  /// Adds a completed task that left a file, as it is still there.
  TaskClaim& add_done(TaskPhase phase) {
    TaskClaim& task = add(phase, TaskStatus::Completed);
    const std::string path = "out/" + task.id + ".md";
    task.outputs = {path};
    task.hashes[path] = digest('a');
    seen.files[path] = {.exists = true, .digest = digest('a'), .modified = seen.now - std::chrono::hours(3)};
    return task;
  }
  /// Says at both ends that `blocker` blocks `dependent`.
  void block(const std::string& blocker, const std::string& dependent) {
    task(blocker).blocks.push_back(dependent);
    task(dependent).blocked_by.push_back(blocker);
  }

  TaskClaim& task(std::string_view id) { return *std::ranges::find(seen.claims.tasks, id, &TaskClaim::id); }
  PermanentTask& permanent() { return *seen.claims.permanent; }
  TaskRecovery recover() const { return reprise::recover(seen); }
  static std::string digest(char c) { return "sha256:" + std::string(64, c); }

  TaskSnapshot seen;
};

inline const TaskDecision& decision_of(const TaskRecovery& recovery, std::string_view task) {
  static const TaskDecision kNone;
  const auto found = std::ranges::find(recovery.decisions, task, &TaskDecision::task);
  EXPECT_NE(found, recovery.decisions.end()) << "no decision for " << task;
  return found == recovery.decisions.end() ? kNone : *found;
}
inline const Finding* finding_of(const TaskRecovery& recovery, std::string_view code) {
  const auto found = std::ranges::find(recovery.findings, code, &Finding::code);
  return found == recovery.findings.end() ? nullptr : &*found;
}
inline bool is_contradiction(const TaskRecovery& recovery, std::string_view code) {
  return std::ranges::find(recovery.contradictions, code, &Contradiction::code) != recovery.contradictions.end();
}
inline std::string phase_word(const std::optional<TaskPhase>& phase) {
  return phase ? std::string(to_token(*phase)) : std::string("none");
}

}  // namespace reprise
