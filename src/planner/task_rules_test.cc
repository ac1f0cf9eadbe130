#include "planner/task_rules.h"

#include <gtest/gtest.h>

#include "planner/task_test_world.h"

namespace reprise {
namespace {

using enum TaskPhase;
constexpr TaskStatus kTaskDone = TaskStatus::Completed;
constexpr TaskStatus kTaskPending = TaskStatus::Pending;
constexpr TaskStatus kTaskInProgress = TaskStatus::InProgress;
constexpr TaskStatus kTaskFailed = TaskStatus::Failed;

// A standard pipeline with P0 to P3 done.
TaskWorld planned(TaskTier tier = TaskTier::Standard, TaskPhase current = P6) {
  TaskWorld world(tier, current);
  for (const TaskPhase phase : {P0, P1, P2, P3}) world.add_done(phase);
  if (tier == TaskTier::Complex) {
    for (const TaskPhase phase : {P4, P5}) world.add_done(phase);
  }
  return world;
}

const PhaseCounts& phase_of(const TaskRecovery& recovery, TaskPhase phase) {
  return *std::ranges::find(recovery.phases, phase, &PhaseCounts::phase);
}

TEST(TaskRules, TP03_TheResumePointIsTheFirstPhaseThatIsNotCompleted) {
  TaskWorld world = planned();
  world.add(P6, kTaskInProgress);
  world.add(P6, kTaskPending);
  world.add(P7, kTaskPending);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P6");
  EXPECT_EQ(phase_word(recovery.last_completed), "P3");
  EXPECT_EQ(recovery.counts.total, 7);
  EXPECT_EQ(recovery.counts.completed, 4);
  EXPECT_EQ(recovery.counts.in_progress, 1);
  EXPECT_EQ(recovery.counts.pending, 2);
  EXPECT_EQ(recovery.readiness, Readiness::Ready);
  EXPECT_EQ(decision_of(recovery, "2").decision, Decision::Keep);
  EXPECT_EQ(decision_of(recovery, "7").decision, Decision::Run);
}

TEST(TaskRules, TP04_AnAbsentTierIsComplexAndSaid) {
  TaskWorld world(TaskTier::Complex, P0);
  world.permanent().tier.reset();
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(recovery.tier, TaskTier::Complex);
  EXPECT_EQ(recovery.phases.size(), 9u);
  EXPECT_NE(finding_of(recovery, "tier_absent"), nullptr);
  world.permanent().tier_word = "HUGE";
  EXPECT_EQ(finding_of(world.recover(), "tier_unknown")->severity, Severity::Warning);
}

TEST(TaskRules, TP04_ATaskOfAPhaseThatTheTierDoesNotHaveIsReportedAndCountsBeforeIt) {
  TaskWorld world = planned();
  world.add(P5, kTaskPending);
  const TaskRecovery recovery = world.recover();
  EXPECT_NE(finding_of(recovery, "phase_off_path"), nullptr);
  EXPECT_EQ(phase_word(recovery.resume_phase), "P3");
}

TEST(TaskRules, TP05_ATrivialPipelineGoesOnWhereItsTaskSays) {
  const auto resumes_at = [](std::optional<TaskStatus> status) {
    TaskWorld world(TaskTier::Trivial, status ? P6 : P0);
    if (status) world.add(P6, *status);
    return phase_word(world.recover().resume_phase);
  };
  EXPECT_EQ(resumes_at(kTaskDone), "P8");
  EXPECT_EQ(resumes_at(kTaskFailed), "P6");
  EXPECT_EQ(resumes_at(kTaskInProgress), "P6");
  EXPECT_EQ(resumes_at(kTaskPending), "P6");
  EXPECT_EQ(resumes_at(std::nullopt), "P0");
}

TEST(TaskRules, TP06_AMixedPhaseOfTheStandardTierRestartsAsAWhole) {
  for (const TaskStatus other : {kTaskFailed, kTaskInProgress, kTaskPending}) {
    TaskWorld world = planned();
    world.add_done(P6);
    world.add(P6, other).outputs = {"out/2.md"};
    const TaskRecovery recovery = world.recover();
    EXPECT_EQ(phase_word(recovery.resume_phase), "P6");
    EXPECT_EQ(phase_of(recovery, P6).standing, PhaseStanding::Incomplete);
    EXPECT_EQ(decision_of(recovery, "6").decision, Decision::Rerun);
    EXPECT_EQ(decision_of(recovery, "6").rule, "TP-06 mixed");
    EXPECT_EQ(decision_of(recovery, "7").decision, other == kTaskPending ? Decision::Run : Decision::Rerun);
    EXPECT_EQ(recovery.granularity->granularity, Granularity::Phase);
  }
}

TEST(TaskRules, TP07_ACompletedTaskBehindAFailedOneIsSuspectAndVerified) {
  TaskWorld world = planned(TaskTier::Complex);
  const std::string failed = world.add(P6, kTaskFailed).id;
  const std::string suspect = world.add_done(P6).id;
  const std::string behind = world.add_done(P6).id;
  const std::string beside = world.add_done(P6).id;
  world.block(failed, suspect);
  world.block(suspect, behind);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, failed).decision, Decision::Rerun);
  EXPECT_EQ(decision_of(recovery, suspect).rule, "TP-07 suspect");
  EXPECT_EQ(decision_of(recovery, behind).rule, "TP-07 upstream");
  EXPECT_EQ(decision_of(recovery, beside).decision, Decision::Keep);
  EXPECT_TRUE(is_contradiction(recovery, "suspect_task"));
  EXPECT_EQ(phase_of(recovery, P6).suspect, 1);
}

TEST(TaskRules, TP07_APhaseIsDoneOnlyWithAllOfItsParallelBranches) {
  TaskWorld world = planned(TaskTier::Complex, P7);
  world.add_done(P6).domain = "code";
  world.add(P6, kTaskPending).domain = "infra";
  world.add_done(P7);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P6");
  EXPECT_EQ(decision_of(recovery, "10").decision, Decision::Verify);
  EXPECT_TRUE(is_contradiction(recovery, "phase_out_of_order"));
}

TEST(TaskRules, TP08_ACutOffTaskRestartsUnlessItLeftSomethingOnDisk) {
  TaskWorld world = planned(TaskTier::Complex);
  world.add(P6, kTaskInProgress).outputs = {"out/part.md", "out/gone.md"};
  world.add(P6, kTaskInProgress).outputs = {"out/gone.md"};
  world.add(P6, kTaskInProgress);
  world.seen.files["out/part.md"] = {.exists = true, .digest = "", .modified = {}};
  world.seen.files["out/gone.md"] = {};
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "8").decision, Decision::Continue);
  EXPECT_EQ(decision_of(recovery, "8").partial.get(), std::vector<std::string>{"out/part.md"});
  EXPECT_EQ(decision_of(recovery, "9").decision, Decision::Rerun);
  EXPECT_EQ(decision_of(recovery, "10").rule, "TP-08 restart");
}

TEST(TaskRules, TP10_TasksThatRanInParallelAreAllToBeDoneAtOnce) {
  TaskWorld world = planned(TaskTier::Complex);
  for (int i = 0; i < 4; ++i) world.add(P6, kTaskInProgress);
  const TaskRecovery recovery = world.recover();
  int together = 0;
  for (const TaskDecision& decision : recovery.decisions) together += decision.rule == "TP-08 restart" ? 1 : 0;
  EXPECT_EQ(together, 4);
}

TEST(TaskRules, TP11_CompletedTasksOfAComplexPhaseAreKeptOnlyIfAllLeftSomething) {
  TaskWorld world = planned(TaskTier::Complex);
  world.add_done(P6);
  world.add(P6, kTaskDone).metadata["summary"] = "three endpoints";
  world.add(P6, kTaskPending);
  const TaskRecovery kept = world.recover();
  EXPECT_EQ(kept.granularity->granularity, Granularity::Task);
  EXPECT_EQ(kept.depth->depth, Depth::Deep);
  EXPECT_EQ(decision_of(kept, "8").decision, Decision::Keep);
  world.task("9").metadata.clear();
  const TaskRecovery restarted = world.recover();
  EXPECT_EQ(restarted.granularity->granularity, Granularity::Phase);
  EXPECT_EQ(decision_of(restarted, "8").rule, "TP-11 no evidence");
  EXPECT_FALSE(restarted.granularity->reason.empty());
}

TEST(TaskRules, TP12_AnEarlierPhaseIsAcceptedWithAWarningAndRepeatsItsWork) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending);
  world.seen.from = "p2";
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P2");
  EXPECT_EQ(phase_word(recovery.found_phase), "P6");
  EXPECT_EQ(finding_of(recovery, "override_repeats_work")->severity, Severity::Warning);
  EXPECT_EQ(recovery.readiness, Readiness::Confirm);
  EXPECT_EQ(decision_of(recovery, "3").decision, Decision::Keep);
  EXPECT_EQ(decision_of(recovery, "4").rule, "TP-12 from");
  EXPECT_EQ(decision_of(recovery, "5").decision, Decision::Verify);
  EXPECT_EQ(finding_of(recovery, "permanent_ahead"), nullptr);
}

TEST(TaskRules, TP12_APhaseBehindUnfinishedWorkIsRefused) {
  TaskWorld world = planned();
  world.add(P6, kTaskFailed);
  for (const auto& [from, code] :
       {std::pair{"P7", "override_skips_unfinished"}, std::pair{"P8", "override_skips_unfinished"},
        std::pair{"P4", "override_not_on_path"}, std::pair{"P9", "override_unknown"}}) {
    world.seen.from = from;
    const TaskRecovery recovery = world.recover();
    ASSERT_NE(finding_of(recovery, code), nullptr) << from;
    EXPECT_EQ(recovery.readiness, Readiness::Blocked);
    EXPECT_FALSE(recovery.resume_phase || recovery.update);
  }
  world.seen.from = "execution";
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P6");
}

TEST(TaskRules, TP13_AnotherBranchStopsUntilAPersonConfirmsIt) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending);
  world.seen.git.branch = "main";
  const TaskRecovery stopped = world.recover();
  const Finding* finding = finding_of(stopped, "branch_mismatch");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::Blocking);
  EXPECT_EQ(finding->claimed, "feature/login");
  EXPECT_EQ(finding->seen, "main");
  EXPECT_FALSE(stopped.resume_phase);
  world.seen.accepted.insert("branch_mismatch");
  const TaskRecovery confirmed = world.recover();
  EXPECT_EQ(confirmed.readiness, Readiness::Ready);
  ASSERT_TRUE(confirmed.update);
  EXPECT_EQ(confirmed.update->branch, "main");
}

TEST(TaskRules, TP13_UnexpectedEditsAreReviewedAndThoseOfTasksAreNot) {
  TaskWorld world = planned();
  world.add(P6, kTaskInProgress).files = {"src/login.cc"};
  world.seen.git.dirty = {"src/login.cc"};
  EXPECT_EQ(world.recover().readiness, Readiness::Ready);
  world.seen.git.dirty.push_back("README.md");
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(recovery.readiness, Readiness::Confirm);
  EXPECT_EQ(finding_of(recovery, "uncommitted_changes")->seen, "README.md");
  world.seen.accepted.insert("uncommitted_changes");
  EXPECT_EQ(world.recover().readiness, Readiness::Ready);
}

TEST(TaskRules, TP13_AMissingCommitMakesItsPhaseIncompleteWhateverTheTasksSay) {
  TaskWorld world = planned(TaskTier::Standard, P7);
  world.add_done(P6).commits = {"c1"};
  world.add_done(P7);
  world.seen.git.commits["c1"] = false;
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P6");
  EXPECT_EQ(decision_of(recovery, "6").rule, "TP-13 commit");
  EXPECT_TRUE(is_contradiction(recovery, "commits_missing"));
  world.seen.git.commits["c1"] = true;
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P8");
}

TEST(TaskRules, TP13_ACommitThatOnlyThePermanentTaskNamesIsTakenAsExecutions) {
  TaskWorld world = planned(TaskTier::Complex, P7);
  world.add_done(P6);
  world.add_done(P6);
  world.permanent().commits = {"c9"};
  world.seen.git.commits["c9"] = false;
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P6");
  EXPECT_EQ(decision_of(recovery, "8").decision, Decision::Rerun);
  EXPECT_EQ(decision_of(recovery, "9").decision, Decision::Rerun);
}

TEST(TaskRules, TP13_WithoutRecordedCommitsItCannotTellAndSaysSo) {
  const TaskRecovery recovery = planned().recover();
  ASSERT_NE(finding_of(recovery, "commits_not_recorded"), nullptr);
  EXPECT_EQ(finding_of(recovery, "commits_not_recorded")->severity, Severity::Info);
}

TEST(TaskRules, TP14_AfterAnEarlierResumeCompletedWorkNeedsFilesToShowForIt) {
  TaskWorld world = planned();
  TaskClaim& task = world.add(P6, kTaskDone);
  task.metadata["result"] = "done";
  world.add(P7, kTaskPending);
  EXPECT_EQ(decision_of(world.recover(), "6").decision, Decision::Keep);
  world.permanent().resume_count = 1;
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "6").rule, "TP-14 unproven");
  EXPECT_NE(finding_of(recovery, "unproven_task"), nullptr);
  EXPECT_EQ(decision_of(recovery, "2").decision, Decision::Keep);
  world.seen.last_resume = world.seen.now - std::chrono::hours(1);  // it was completed before that
  EXPECT_EQ(decision_of(world.recover(), "6").decision, Decision::Keep);
}

TEST(TaskRules, TP14_ThreeResumesGetAnAdviceThatNamesThePhaseWhereRunsEnd) {
  TaskWorld world = planned(TaskTier::Complex);
  world.permanent().resume_count = 3;
  world.add(P6, kTaskInProgress);
  TaskRecovery recovery = world.recover();
  ASSERT_NE(recovery.advice, nullptr);
  EXPECT_EQ(recovery.advice->advice, Advice::Checkpoint);
  EXPECT_EQ(phase_word(recovery.dies_in), "P6");
  EXPECT_NE(finding_of(recovery, "repeated_resumes")->message.find("P6"), std::string::npos);
  world.add(P6, kTaskFailed).error = "out of memory";
  EXPECT_EQ(world.recover().advice->advice, Advice::Diagnose);
  world.permanent().resume_count = 2;
  EXPECT_EQ(world.recover().advice, nullptr);
}

TEST(TaskRules, TP14_ACompletedTaskWhoseResultIsGoneRunsAgain) {
  TaskWorld world = planned();
  world.seen.files["out/3.md"] = {};
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "3").rule, "TP-14 output");
  EXPECT_EQ(phase_word(recovery.resume_phase), "P1");
  EXPECT_TRUE(is_contradiction(recovery, "outputs_missing"));
}

TEST(TaskRules, TP15_WithoutAPermanentTaskNothingIsResumed) {
  TaskWorld world = planned();
  world.seen.claims.permanent.reset();
  const TaskRecovery recovery = world.recover();
  const Finding* finding = finding_of(recovery, "no_pt_found");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->remedy, "reprise repair task-pipeline/demo");
  EXPECT_EQ(recovery.readiness, Readiness::Blocked);
  EXPECT_FALSE(recovery.resume_phase || recovery.resume_decision || recovery.update);
}

TEST(TaskRules, TP16_WithoutACurrentPhaseItIsInferredAndWrittenBack) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending);
  world.permanent().current_phase.reset();
  world.permanent().source = PhaseSource::Assumed;
  const TaskRecovery recovery = world.recover();
  EXPECT_NE(finding_of(recovery, "phase_inferred"), nullptr);
  ASSERT_TRUE(recovery.update);
  EXPECT_EQ(recovery.update->current_phase, P6);
}

TEST(TaskRules, TP17_TheMoreConservativeReadingWinsAndIsReported) {
  TaskWorld world = planned();
  TaskClaim& broken = world.add(P6, kTaskDone);
  broken.error = "agent_interrupted";
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "6").rule, "TP-03 failed");
  EXPECT_TRUE(is_contradiction(recovery, "completed_with_error"));
  EXPECT_EQ(recovery.counts.failed, 1);
}

TEST(TaskRules, TP17_ASignalOfFailureDoubtsThePhaseAndOneOfSuccessDoesNotHideOpenTasks) {
  TaskWorld world = planned();
  world.permanent().phases = {{P2, PhaseSignal::Failed, "FAIL|tests:2"}, {P6, PhaseSignal::Passed, "PASS"}};
  world.add(P6, kTaskPending);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "4").rule, "TP-17 doubted");
  EXPECT_TRUE(is_contradiction(recovery, "signal_failed"));
  EXPECT_TRUE(is_contradiction(recovery, "signal_ahead"));
  EXPECT_EQ(phase_word(recovery.resume_phase), "P2");
}

TEST(TaskRules, TP17_TasksThatWaitForThemselvesAreRefusedAndTheChainIsNamed) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending);
  world.add(P6, kTaskPending);
  world.block("6", "7");
  world.block("7", "6");
  const TaskRecovery recovery = world.recover();
  ASSERT_NE(finding_of(recovery, "blocker_cycle"), nullptr);
  EXPECT_NE(finding_of(recovery, "blocker_cycle")->message.find("6 -> 7 -> 6"), std::string::npos);
  EXPECT_EQ(decision_of(recovery, "6").decision, Decision::Refuse);
  EXPECT_EQ(recovery.readiness, Readiness::Blocked);
  world.task("6").status = world.task("7").status = kTaskDone;
  EXPECT_EQ(finding_of(world.recover(), "blocker_cycle")->severity, Severity::Warning);
}

TEST(TaskRules, TP17_ATaskThatCannotBeReadBlocksAndIsNotTakenAsDone) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending).is_damaged = true;
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "6").decision, Decision::Refuse);
  EXPECT_EQ(finding_of(recovery, "damaged_task")->severity, Severity::Blocking);
}

TEST(TaskRules, TP18_AllDoneButNotDeliveredGoesOnWithDelivery) {
  TaskWorld world = planned(TaskTier::Standard, P7);
  world.add_done(P6);
  world.add_done(P7);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P8");
  EXPECT_EQ(phase_word(recovery.last_completed), "P7");
  EXPECT_NE(finding_of(recovery, "not_delivered"), nullptr);
  world.add_done(P8);
  const TaskRecovery with_task = world.recover();
  EXPECT_EQ(phase_word(with_task.resume_phase), "P8");
  ASSERT_TRUE(with_task.resume_decision);
  EXPECT_EQ(with_task.decisions[*with_task.resume_decision].rule, "TP-18 undelivered");
}

TEST(TaskRules, TP18_ThePermanentTaskAtP8BearsOutAVerificationWithoutTasks) {
  TaskWorld world = planned(TaskTier::Standard, P8);
  world.add_done(P6);
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P8");
  world.permanent().current_phase = P6;
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P7");
}

TEST(TaskRules, TP18_DeliveredIsDoneUnlessTasksAreOpen) {
  TaskWorld world = planned(TaskTier::Standard, P8);
  world.add_done(P6);
  world.permanent().is_delivered = true;
  world.seen.git.branch = "main";  // has been left since
  world.seen.files["out/2.md"].digest = TaskWorld::digest('b');
  EXPECT_EQ(world.recover().readiness, Readiness::Done);
  EXPECT_FALSE(world.recover().resume_phase);
  world.seen.git.branch = "feature/login";
  world.add(P7, kTaskPending);
  const TaskRecovery open = world.recover();
  EXPECT_TRUE(is_contradiction(open, "delivered_but_open"));
  EXPECT_NE(open.readiness, Readiness::Done);
}

TEST(TaskRules, TP19_AChangedFileMakesItsTaskStaleByDigestFirst) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending);
  world.seen.files["out/3.md"].modified = world.seen.now;  // newer, but the digest is the recorded one
  EXPECT_EQ(decision_of(world.recover(), "3").decision, Decision::Keep);
  world.seen.files["out/3.md"].digest = TaskWorld::digest('b');
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(decision_of(recovery, "3").rule, "TP-19 stale");
  EXPECT_EQ(phase_of(recovery, P1).stale, 1);
  EXPECT_EQ(phase_of(recovery, P1).completed, 0);
  EXPECT_EQ(phase_of(recovery, P1).failed, 0);
  EXPECT_EQ(phase_word(recovery.resume_phase), "P1");
  world.seen.verified["out/3.md"] = TaskWorld::digest('b');  // it passed
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P6");
}

TEST(TaskRules, TP19_WithoutADigestTheTimeDecidesUnlessALaterTaskLeftTheFileSo) {
  TaskWorld world = planned(TaskTier::Complex);
  world.add(P6, kTaskDone);
  world.task("8").files = {"src/a.cc"};
  world.task("8").completed_at = world.seen.now - std::chrono::hours(5);
  world.seen.files["src/a.cc"] = {
      .exists = true, .digest = "", .modified = world.seen.now - std::chrono::hours(4)};
  EXPECT_EQ(decision_of(world.recover(), "8").rule, "TP-19 stale");
  TaskClaim& second = world.add(P6, kTaskDone);
  second.files = {"src/a.cc"};
  second.completed_at = world.seen.now - std::chrono::hours(3);
  EXPECT_EQ(decision_of(world.recover(), "8").decision, Decision::Keep);
}

TEST(TaskRules, TP20_APermanentTaskAheadOfItsTasksIsReset) {
  TaskWorld world(TaskTier::Complex, P5);
  for (const TaskPhase phase : {P0, P1, P2}) world.add_done(phase);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P3");
  EXPECT_EQ(phase_word(recovery.last_completed), "P2");
  EXPECT_TRUE(is_contradiction(recovery, "permanent_ahead"));
  EXPECT_EQ(recovery.readiness, Readiness::Confirm);
  ASSERT_TRUE(recovery.update);
  EXPECT_EQ(recovery.update->current_phase, P3);
}

TEST(TaskRules, TP20_AnAdvancedPermanentTaskWithoutAnyTaskIsCorrupted) {
  const TaskRecovery recovery = TaskWorld(TaskTier::Complex, P5).recover();
  ASSERT_NE(finding_of(recovery, "permanent_corrupted"), nullptr);
  EXPECT_EQ(finding_of(recovery, "permanent_corrupted")->remedy, "reprise repair task-pipeline/demo");
  EXPECT_EQ(recovery.readiness, Readiness::Blocked);
  const TaskRecovery fresh = TaskWorld(TaskTier::Complex, P0).recover();
  EXPECT_EQ(fresh.readiness, Readiness::Ready);
  EXPECT_EQ(phase_word(fresh.resume_phase), "P0");
}

TEST(TaskRules, TP23_AResumeCountsItselfAndKeepsWhatIsCompleted) {
  TaskWorld world = planned();
  world.add(P6, kTaskPending);
  world.permanent().resume_count = 1;
  const TaskRecovery recovery = world.recover();
  ASSERT_TRUE(recovery.update);
  EXPECT_EQ(recovery.update->resume_count, 2);
  EXPECT_EQ(recovery.update->current_phase, P6);
  EXPECT_FALSE(recovery.update->branch);
  EXPECT_EQ(decision_of(recovery, "2").decision, Decision::Keep);
}

TEST(TaskRules, TP24_TasksOutrankWhatIsSaidElsewhere) {
  TaskWorld world = planned();
  world.task("5").status = kTaskInProgress;  // P3, which the permanent task says has passed
  world.permanent().phases = {{P3, PhaseSignal::Passed, "PASS"}};
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_word(recovery.resume_phase), "P3");
  EXPECT_TRUE(is_contradiction(recovery, "permanent_ahead"));
}

TEST(TaskRules, PhasesWithoutTasksArePassedOnlyWhereLaterWorkBearsThemOut) {
  TaskWorld world(TaskTier::Complex, P6);
  world.add(P6, kTaskInProgress);
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P6");
  EXPECT_EQ(world.recover().readiness, Readiness::Ready);
  world.task("2").status = kTaskPending;  // made in advance: the permanent task has to agree
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P6");
  world.permanent().current_phase = P3;
  EXPECT_EQ(phase_word(world.recover().resume_phase), "P3");
}

TEST(TaskRules, TasksWithoutAPhaseCountInTheCurrentOne) {
  TaskWorld world(TaskTier::Complex, P4);
  world.add(std::nullopt, kTaskDone);
  world.add(std::nullopt, kTaskPending);
  const TaskRecovery recovery = world.recover();
  EXPECT_EQ(phase_of(recovery, P4).tasks, 2);
  EXPECT_EQ(phase_word(recovery.resume_phase), "P4");
  EXPECT_NE(finding_of(recovery, "phase_missing"), nullptr);
}

TEST(TaskPlan, SaysTheSameInTheWordsOfPlans) {
  TaskWorld world = planned();
  world.add(P6, kTaskInProgress).id = "fix it";
  const Plan plan = plan_task_pipeline(world.seen);
  EXPECT_EQ(plan.id.text, "task-pipeline/demo");
  EXPECT_EQ(plan.saved_steps, 4);
  ASSERT_TRUE(plan.resume_point);
  EXPECT_EQ(plan.decisions[*plan.resume_point].stage, "P6");
  EXPECT_EQ(plan.decisions[*plan.resume_point].step.text, "P6/fix%20it");
  EXPECT_EQ(plan.decisions.back().step.text, "P8");
  EXPECT_EQ(plan.options.front().command, "reprise resume task-pipeline/demo");
  world.seen.git.branch = "main";
  const Plan stopped = plan_task_pipeline(world.seen);
  EXPECT_FALSE(stopped.resume_point);
  EXPECT_EQ(stopped.options.front().command, "git switch feature/login");
}

}  // namespace
}  // namespace reprise
