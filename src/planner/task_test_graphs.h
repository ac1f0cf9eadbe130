// Random task pipelines for tests: clean ones, and contradictions to plant in them.
//
// A clean pipeline is one that an honest tool could have left: phases done one after the other with files to show
// for it, one phase at work, the rest to come; blockers done before what they block, times in order.

#pragma once

#include <functional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "planner/task_test_world.h"

namespace reprise {

class RandomPipeline {
 public:
  explicit RandomPipeline(std::uint32_t seed)
      : random_(seed), tier(kTaskTierTokens[pick(3)].first), world(tier, TaskPhase::P0) {
    const auto path = phases_of(tier);
    at_ = pick(path.size());
    for (std::size_t i = 0; i < path.size(); ++i) add_phase(path[i], i);
    add_edges();
    PermanentTask& permanent = world.permanent();
    permanent.current_phase = path[at_ > 0 && pick(4) == 0 ? at_ - 1 : at_];
    permanent.source = PhaseSource::Metadata;
    permanent.resume_count = static_cast<std::int64_t>(pick(3));
    if (pick(2) == 0) add_commits();
    if (pick(3) == 0) add_signals();
  }

  std::size_t pick(std::size_t count) { return random_() % count; }
  /// Returns a task that no earlier plant touched and for which `is_fit` holds, and takes it; null if there is
  /// none.
  TaskClaim* take(const std::function<bool(const TaskClaim&)>& is_fit) {
    std::vector<TaskClaim*> fit;
    for (TaskClaim& task : world.seen.claims.tasks) {
      if (!task.is_permanent && !touched_.contains(task.id) && is_fit(task)) fit.push_back(&task);
    }
    if (fit.empty()) return nullptr;
    TaskClaim* chosen = fit[pick(fit.size())];
    touched_.insert(chosen->id);
    return chosen;
  }
  TaskClaim* take(TaskStatus status) {
    return take([&](const TaskClaim& task) { return task.status == status; });
  }
  /// Adds a task that no later plant touches.
  TaskClaim& add(std::optional<TaskPhase> phase, TaskStatus status) { return touch(world.add(phase, status)); }
  TaskClaim& add_done(TaskPhase phase) { return touch(world.add_done(phase)); }
  TaskPhase phase_at_work() const { return phases_of(tier)[at_]; }

 private:
  std::mt19937 random_;

 public:
  TaskTier tier;
  TaskWorld world;

 private:
  TaskClaim& touch(TaskClaim& task) {
    touched_.insert(task.id);
    return task;
  }
  void add_phase(TaskPhase phase, std::size_t index) {
    if (index < at_) {
      const std::size_t count = 1 + pick(4);
      for (std::size_t i = 0; i < count; ++i) complete(world.add_done(phase));
      return;
    }
    const std::size_t count = index == at_ ? 1 + pick(5) : pick(3);
    const bool has_failed = pick(3) == 0;  // beside completed ones that would be a contradiction
    for (std::size_t i = 0; i < count; ++i) add_open(phase, index == at_, has_failed);
  }
  void add_open(TaskPhase phase, bool is_at_work, bool has_failed) {
    const std::size_t kind = is_at_work ? pick(4) : 0;
    if (kind == 3 && !has_failed && phase != TaskPhase::P8) {
      complete(world.add_done(phase));
    } else if (kind == 3 && has_failed) {
      world.add(phase, TaskStatus::Failed).error = "agent_interrupted";
      world.seen.claims.tasks.back().status_word = "failed";
    } else if (kind == 2) {
      TaskClaim& task = world.add(phase, TaskStatus::InProgress);
      task.outputs = {"part/" + task.id + ".md"};
      world.seen.files[task.outputs[0]] = {.exists = pick(2) == 0, .digest = "", .modified = world.seen.now};
      task.files = {"src/" + task.id + ".cc"};
      world.seen.git.dirty.push_back(task.files[0]);
    } else {
      world.add(phase, TaskStatus::Pending);
    }
  }
  void complete(TaskClaim& task) {
    task.completed_at =
        world.seen.now - std::chrono::hours(2) + std::chrono::seconds(world.seen.claims.tasks.size());
  }
  // From earlier to later tasks, and only where the blocker was done before anybody began.
  void add_edges() {
    std::vector<TaskClaim>& tasks = world.seen.claims.tasks;
    for (std::size_t i = 2; i < tasks.size(); ++i) {
      const std::size_t blocker = 1 + pick(i - 1);
      const bool is_begun = tasks[i].status != TaskStatus::Pending && tasks[i].status != TaskStatus::Failed;
      if (is_begun && tasks[blocker].status != TaskStatus::Completed) continue;
      if (pick(2) == 0) world.block(tasks[blocker].id, tasks[i].id);
    }
    if (pick(2) == 0) tasks.back().blocked_by.push_back("1");  // the permanent task, which blocks nothing
  }
  void add_commits() {
    for (TaskClaim& task : world.seen.claims.tasks) {
      if (task.status != TaskStatus::Completed || task.is_permanent) continue;
      task.commits = {"commit" + task.id};
      world.seen.git.commits[task.commits[0]] = true;
    }
  }
  void add_signals() {
    const auto path = phases_of(tier);
    for (std::size_t i = 0; i < at_; ++i)
      world.permanent().phases.push_back({path[i], PhaseSignal::Passed, "PASS"});
  }

  std::size_t at_ = 0;  // the phase at work, as an index into the tier's way
  std::set<std::string> touched_;
};

/// A contradiction that can be planted: returns false if the pipeline has no place for it.
struct Plant {
  std::string_view code;
  bool is_alone = false;  // it takes away what others need
  bool (*into)(RandomPipeline& pipeline) = nullptr;
};

/// Returns every kind.
std::vector<Plant> all_plants();

}  // namespace reprise
