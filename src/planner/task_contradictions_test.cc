#include "planner/task_contradictions.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "planner/task_report.h"
#include "planner/task_test_graphs.h"

namespace reprise {
namespace {

using P = RandomPipeline;
constexpr TaskStatus kDone = TaskStatus::Completed;
constexpr TaskStatus kPending = TaskStatus::Pending;
constexpr TaskStatus kInProgress = TaskStatus::InProgress;
constexpr TaskStatus kFailed = TaskStatus::Failed;

bool has_output(const TaskClaim& task) { return task.status == kDone && !task.outputs.empty(); }

template <typename Change>
bool change(TaskClaim* task, Change change_it) {
  if (task == nullptr) return false;
  change_it(*task);
  return true;
}

// Makes a new task of `status` block one that is `dependent`.
bool plant_blocker(P& p, TaskStatus dependent, TaskStatus status) {
  const TaskClaim* task = p.take(dependent);
  if (task == nullptr) return false;
  const std::string id = task->id;
  const std::optional<TaskPhase> phase = task->phase;
  p.world.block(p.add(phase, status).id, id);
  return true;
}

bool plant_cycle(P& p) {
  std::vector<std::string> chain;
  for (std::size_t i = 0; i < 2 + p.pick(3); ++i) chain.push_back(p.add(p.phase_at_work(), kPending).id);
  for (std::size_t i = 0; i < chain.size(); ++i) p.world.block(chain[i], chain[(i + 1) % chain.size()]);
  return true;
}

bool plant_duplicate_permanent(P& p) {
  TaskClaim other = p.world.task("1");
  other.id = std::to_string(++p.world.seen.claims.high_water_mark);
  p.world.seen.claims.tasks.push_back(other);
  p.world.permanent().duplicates.push_back(other.id);
  return true;
}

bool plant_off_path(P& p) {
  if (p.tier == TaskTier::Complex) return false;
  p.add(TaskPhase::P5, kPending);
  return true;
}

bool plant_signal(P& p, PhaseSignal signal, TaskStatus status) {
  const TaskClaim* task = p.take([&](const TaskClaim& each) {
    return each.status == status && each.phase && (status != kDone || *each.phase < p.phase_at_work());
  });
  if (task == nullptr) return false;
  std::erase_if(p.world.permanent().phases, [&](const ClaimedPhase& each) { return each.phase == *task->phase; });
  p.world.permanent().phases.push_back({*task->phase, signal, "as told"});
  return true;
}

bool plant_ahead(P& p) {
  if (p.phase_at_work() == TaskPhase::P8 || p.take(kPending) == nullptr) return false;
  p.add(p.phase_at_work(), kPending);
  p.world.permanent().current_phase = TaskPhase::P8;
  return true;
}

bool plant_corrupted(P& p) {
  std::erase_if(p.world.seen.claims.tasks, [](const TaskClaim& task) { return !task.is_permanent; });
  p.world.permanent().current_phase = TaskPhase::P6;
  return true;
}

bool plant_lost_commit(P& p) {
  TaskClaim* task = p.take(kDone);
  if (task == nullptr) return false;
  task->commits.push_back("lost");
  p.world.seen.git.commits["lost"] = false;
  return true;
}

bool plant_stale(P& p, bool by_time) {
  TaskClaim* task = p.take(has_output);
  if (task == nullptr) return false;
  TaskFileSeen& file = p.world.seen.files[task->outputs[0]];
  if (by_time) task->hashes.clear();
  file.digest = TaskWorld::digest('f');
  file.modified = p.world.seen.now;
  return true;
}

bool plant_one_sided(P& p) {
  const std::string blocker = p.add(p.phase_at_work(), kPending).id;
  return change(p.take(kPending), [&](TaskClaim& t) { t.blocked_by.push_back(blocker); });
}

bool plant_backwards(P& p) {
  const TaskClaim* before =
      p.take([](const TaskClaim& task) { return task.status == kDone && task.completed_at; });
  if (before == nullptr) return false;
  const TaskClaim copy = *before;
  TaskClaim& after = p.add_done(*copy.phase);
  after.completed_at = *copy.completed_at - std::chrono::minutes(5);
  const std::string id = after.id;
  p.world.block(copy.id, id);
  return true;
}

bool plant_out_of_order(P& p) {
  if (p.phase_at_work() == TaskPhase::P8) return false;
  p.add(p.phase_at_work(), kPending);
  p.add_done(TaskPhase::P8);
  return true;
}

bool plant_unproven(P& p) {
  TaskClaim* task = p.take(has_output);
  // In a phase at work its tasks restart for want of evidence, which is said by their decisions.
  if (task == nullptr || *task->phase >= p.phase_at_work()) return false;
  task->outputs.clear();
  task->hashes.clear();
  task->commits.clear();
  p.world.permanent().resume_count = 2;
  return true;
}

}  // namespace

std::vector<Plant> all_plants() {
  return {
      {"suspect_task", false, [](P& p) { return plant_blocker(p, kDone, kFailed); }},
      {"blocker_unfinished", false, [](P& p) { return plant_blocker(p, kDone, kPending); }},
      {"started_early", false, [](P& p) { return plant_blocker(p, kInProgress, kPending); }},
      {"completed_with_error", false,
       [](P& p) { return change(p.take(kDone), [](TaskClaim& t) { t.error = "x"; }); }},
      {"status_unknown", false,
       [](P& p) { return change(p.take(kPending), [](TaskClaim& t) { t.status = TaskStatus::Unknown; }); }},
      {"damaged_task", false,
       [](P& p) { return change(p.take(kPending), [](TaskClaim& t) { t.is_damaged = true; }); }},
      {"self_block", false,
       [](P& p) { return change(p.take(kPending), [](TaskClaim& t) { t.blocks.push_back(t.id); }); }},
      {"blocker_cycle", false, plant_cycle},
      {"duplicate_id", false,
       [](P& p) {
         TaskClaim* task = p.take(kDone);
         if (task == nullptr) return false;
         const TaskClaim copy = *task;
         p.world.seen.claims.tasks.push_back(copy);
         return true;
       }},
      {"duplicate_permanent", false, plant_duplicate_permanent},
      {"phase_off_path", false, plant_off_path},
      {"phase_unknown", false,
       [](P& p) {
         return change(p.take(kPending), [](TaskClaim& t) {
           t.phase.reset();
           t.phase_word = "phase six";
         });
       }},
      {"phase_missing", false,
       [](P& p) { return change(p.take(kPending), [](TaskClaim& t) { t.phase.reset(); }); }},
      {"signal_ahead", false, [](P& p) { return plant_signal(p, PhaseSignal::Passed, kPending); }},
      {"signal_failed", true, [](P& p) { return plant_signal(p, PhaseSignal::Failed, kDone); }},
      {"permanent_ahead", true, plant_ahead},
      {"permanent_corrupted", true, plant_corrupted},
      {"no_pt_found", true,
       [](P& p) {
         p.world.seen.claims.permanent.reset();
         return true;
       }},
      {"delivered_but_open", false,
       [](P& p) {
         if (p.take(kPending) == nullptr) return false;
         p.world.permanent().is_delivered = true;
         return true;
       }},
      {"permanent_completed", true,
       [](P& p) {
         p.world.task("1").status = kDone;
         return true;
       }},
      {"outputs_missing", false,
       [](P& p) {
         return change(p.take(has_output), [&](TaskClaim& t) { p.world.seen.files[t.outputs[0]] = {}; });
       }},
      {"commits_missing", false, plant_lost_commit},
      {"commits_missing", false,
       [](P& p) {
         p.world.permanent().commits.push_back("lost by all");
         p.world.seen.git.commits["lost by all"] = false;
         return true;
       }},
      {"stale_task", false, [](P& p) { return plant_stale(p, false); }},
      {"stale_task", false, [](P& p) { return plant_stale(p, true); }},
      {"branch_mismatch", false,
       [](P& p) {
         p.world.seen.git.branch = "main";
         return true;
       }},
      {"uncommitted_changes", false,
       [](P& p) {
         p.world.seen.git.dirty.push_back("README.md");
         return true;
       }},
      {"one_sided_edge", false, plant_one_sided},
      {"blocker_never_given", false,
       [](P& p) { return change(p.take(kPending), [](TaskClaim& t) { t.blocked_by.push_back("900"); }); }},
      {"time_backwards", false, plant_backwards},
      {"time_in_future", false,
       [](P& p) {
         return change(p.take(kDone),
                       [&](TaskClaim& t) { t.completed_at = p.world.seen.now + std::chrono::hours(1); });
       }},
      {"phase_out_of_order", false, plant_out_of_order},
      {"phase_conflict", false,
       [](P& p) {
         const TaskClaim* task = p.take(kDone);
         if (task == nullptr) return false;
         p.add(TaskPhase(*task->phase), kFailed);
         return true;
       }},
      {"override_skips_unfinished", true,
       [](P& p) {
         if (p.phase_at_work() >= TaskPhase::P8) return false;
         p.add(p.phase_at_work(), kPending);
         p.world.seen.from = "P8";
         return true;
       }},
      {"override_unknown", true,
       [](P& p) {
         p.world.seen.from = "P12";
         return true;
       }},
      {"numeric_id", false,
       [](P& p) { return change(p.take(kPending), [](TaskClaim& t) { t.is_numeric_id = true; }); }},
      {"tier_unknown", true,
       [](P& p) {
         p.world.permanent().tier.reset();
         p.world.permanent().tier_word = "MEDIUM";
         return true;
       }},
      {"unproven_task", true, plant_unproven},
      {"repeated_resumes", false,
       [](P& p) {
         p.world.permanent().resume_count = 3;
         return true;
       }},
  };
}

namespace {

// What a clean pipeline may be told: what cannot be known, and where it is.
const std::set<std::string_view> kHarmless = {"commits_not_recorded", "not_delivered", "permanent_behind",
                                              "pipeline_changes"};

std::string path_of(const TaskDecision& decision) {
  return std::string(to_token(decision.phase)) + "/" + decision.task;
}
bool is_kept(const TaskDecision& decision) { return decision.decision == Decision::Keep; }

void expect_complete(const TaskSnapshot& seen, const TaskRecovery& recovery) {
  std::set<std::string> paths;
  std::set<std::string> decided;
  for (const TaskDecision& decision : recovery.decisions) {
    EXPECT_TRUE(paths.insert(path_of(decision)).second) << "D2: " << path_of(decision);
    EXPECT_FALSE(decision.rule.empty() || decision.reason.empty() || decision.evidence.empty()) << "D3";
    if (!decision.task.empty()) decided.insert(decision.task);
  }
  std::set<std::string> work;
  for (const TaskClaim& task : seen.claims.tasks) {
    if (!task.is_permanent) work.insert(task.id);
  }
  EXPECT_EQ(decided, work) << "D2";
  for (const PhaseCounts& phase : recovery.phases) {
    const int sum =
        phase.completed + phase.failed + phase.in_progress + phase.pending + phase.stale + phase.suspect;
    EXPECT_EQ(sum, phase.tasks);
    if (phase.tasks > 0) continue;
    EXPECT_TRUE(paths.contains(std::string(to_token(phase.phase)) + "/")) << "D2";
  }
}

void expect_safe(const TaskSnapshot& seen, const TaskRecovery& recovery) {
  std::map<std::string, const TaskDecision*> by_task;
  std::optional<TaskPhase> first_moving;
  for (const TaskDecision& decision : recovery.decisions) {
    if (!decision.task.empty()) by_task[decision.task] = &decision;
    const bool is_moving = !is_kept(decision) && decision.decision != Decision::Verify;
    if (is_moving && !first_moving) first_moving = decision.phase;
  }
  for (const TaskDecision& decision : recovery.decisions) {
    if (!is_kept(decision)) continue;
    EXPECT_FALSE(first_moving && *first_moving < decision.phase) << "D5: " << path_of(decision);
  }
  const auto expect_edge = [&](const std::string& blocker, const std::string& dependent) {
    if (!by_task.contains(blocker) || !by_task.contains(dependent) || !is_kept(*by_task[dependent])) return;
    EXPECT_TRUE(is_kept(*by_task[blocker])) << "D5: " << dependent << " is kept behind " << blocker;
  };
  for (const TaskClaim& task : seen.claims.tasks) {
    for (const std::string& id : task.blocked_by) expect_edge(id, task.id);
    for (const std::string& id : task.blocks) expect_edge(task.id, id);
    if (task.is_permanent || task.status == kDone) continue;
    EXPECT_FALSE(is_kept(*by_task[task.id])) << "D6: " << task.id;
  }
  const bool is_blocked = !recovery.findings.empty() && recovery.findings.front().severity == Severity::Blocking;
  EXPECT_EQ(recovery.readiness == Readiness::Blocked, is_blocked) << "D4";
  if (is_blocked) {
    EXPECT_FALSE(recovery.resume_phase || recovery.resume_decision || recovery.update) << "D4";
    return;
  }
  ASSERT_TRUE(recovery.resume_phase && recovery.resume_decision);
  EXPECT_EQ(recovery.decisions[*recovery.resume_decision].phase, *recovery.resume_phase) << "D6";
  for (std::size_t i = 0; i < *recovery.resume_decision; ++i) EXPECT_TRUE(is_kept(recovery.decisions[i])) << "D6";
}

std::string text_of(const TaskSnapshot& seen, const TaskRecovery& recovery) {
  std::string text =
      task_report_l1(recovery) + task_report_l2(seen, recovery, {}) + task_report_signal(recovery, "r");
  for (const TaskDecision& each : recovery.decisions)
    text += path_of(each) + std::string(each.rule) + *each.detail;
  return text;
}

TaskRecovery recover_and_check(const TaskSnapshot& seen, std::uint32_t seed) {
  const TaskRecovery recovery = recover(seen);
  if (seed % 4 == 0) {
    EXPECT_EQ(text_of(seen, recovery), text_of(seen, recover(seen))) << "D1";
  }
  expect_complete(seen, recovery);
  expect_safe(seen, recovery);
  return recovery;
}

constexpr std::uint32_t kRounds = 10'000;

TEST(TaskContradictions, TP17_NoCleanPipelineGetsAFinding) {
  std::uint32_t clean = 0;
  for (std::uint32_t seed = 0; seed < kRounds; ++seed, ++clean) {
    const RandomPipeline pipeline(seed);
    const TaskRecovery recovery = recover_and_check(pipeline.world.seen, seed);
    for (const Finding& finding : recovery.findings) {
      EXPECT_TRUE(kHarmless.contains(finding.code)) << seed << ": " << finding.code << ": " << finding.message;
      EXPECT_EQ(finding.severity, Severity::Info) << seed;
    }
    EXPECT_TRUE(recovery.contradictions.empty()) << seed;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(clean, kRounds);
}

TEST(TaskContradictions, TP17_EveryPlantedContradictionIsReported) {
  const std::vector<Plant> plants = all_plants();
  std::map<std::string_view, int> planted;
  std::uint32_t graphs = 0;
  std::uint32_t with_plants = 0;
  for (std::uint32_t seed = 0; seed < kRounds; ++seed, ++graphs) {
    RandomPipeline pipeline(seed + 1'000'000);
    std::vector<std::string_view> codes;
    const Plant& first = plants[seed % plants.size()];
    if (first.into(pipeline)) codes.push_back(first.code);
    const Plant& second = plants[pipeline.pick(plants.size())];
    const bool is_pair = !codes.empty() && seed % 2 == 1 && !first.is_alone && !second.is_alone;
    if (is_pair && second.into(pipeline)) codes.push_back(second.code);
    const TaskRecovery recovery = recover_and_check(pipeline.world.seen, seed);
    for (const std::string_view code : codes) {
      EXPECT_NE(finding_of(recovery, code), nullptr) << seed << ": " << code << " with " << codes.back();
      ++planted[code];
    }
    with_plants += codes.empty() ? 0 : 1;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(graphs, kRounds);
  EXPECT_GT(with_plants, kRounds * 3 / 4);
  EXPECT_GE(planted.size(), 30u);
  for (const auto& [code, count] : planted) EXPECT_GT(count, 20) << code;
  std::cout << "graphs " << graphs << ", with plants " << with_plants << ", kinds " << planted.size() << "\n";
}

TEST(TaskContradictions, EveryKindOfFindingHasOneRow) {
  std::set<std::string_view> codes;
  for (const TaskFindingRow& row : kTaskFindingRows) {
    EXPECT_TRUE(codes.insert(row.code).second) << row.code;
    EXPECT_EQ(&task_finding(row.code), &row);
  }
  for (const Plant& plant : all_plants()) EXPECT_TRUE(codes.contains(plant.code)) << plant.code;
}

TEST(TaskContradictions, ManyOfOneKindAreCountedNotListed) {
  TaskWorld world(TaskTier::Complex, TaskPhase::P6);
  for (int i = 0; i < 50; ++i) world.add(std::nullopt, kPending);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(std::ranges::count(recovery.findings, "phase_missing", &Finding::code), 21);
  EXPECT_TRUE(
      std::ranges::any_of(recovery.findings, [](const Finding& f) { return f.message == "30 more like these"; }));
}

TEST(TaskContradictions, D4_WhatBlocksIsNotLostAmongManyThatDoNot) {
  TaskWorld world(TaskTier::Complex, TaskPhase::P6);
  for (int i = 0; i < 30; ++i) {
    TaskClaim& task = world.add(TaskPhase::P6, i < 29 ? kDone : kPending);
    task.blocks = {task.id};
  }
  EXPECT_EQ(world.recover().readiness, Readiness::Blocked);
  world.seen.claims.tasks.pop_back();
  EXPECT_EQ(world.recover().readiness, Readiness::Confirm);
}

TEST(TaskContradictions, ALargeListIsPlannedInOnePass) {
  TaskWorld world(TaskTier::Complex, TaskPhase::P6);
  std::vector<TaskClaim>& tasks = world.seen.claims.tasks;
  for (int i = 0; i < 10'000; ++i) world.add(TaskPhase::P6, i < 5'000 ? kDone : kPending);
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    for (std::size_t step = 1; step <= 3 && i + step < tasks.size(); ++step) {
      tasks[i].blocks.push_back(tasks[i + step].id);
      tasks[i + step].blocked_by.push_back(tasks[i].id);
    }
  }
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(recovery.decisions.size(), 10'000u + 8u);
  EXPECT_EQ(phase_word(recovery.resume_phase), "P6");
}

}  // namespace
}  // namespace reprise
