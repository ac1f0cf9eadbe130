#include "planner/orchestrator_rules.h"

#include <gtest/gtest.h>

#include "planner/orchestrator_test_worlds.h"

namespace reprise {
namespace {

using std::chrono::hours;

Plan plan(const OrchestratorSnapshot& seen) { return plan_orchestrator(seen).plan; }

TEST(OrchestratorPlan, OR02_MissingFilesAreNamedWithPhaseAndCriticality) {
  OrchestratorSnapshot seen = a_flow();
  seen.files = {{.path = "conf.yaml", .role = FileRole::Config, .phase = "review", .made_by = "", .story = ""},
                {.path = "old.tmpl", .role = FileRole::Template, .phase = "plan", .made_by = "", .story = ""},
                {.path = "new.tmpl", .role = FileRole::Template, .phase = "review", .made_by = "", .story = ""}};
  const Plan blocked = plan(seen);
  EXPECT_EQ(blocked.readiness, Readiness::Blocked);
  ASSERT_EQ(blocked.findings.size(), 3u);
  EXPECT_EQ(blocked.findings[0].severity, Severity::Blocking);
  EXPECT_EQ(blocked.findings[0].message, "conf.yaml is gone, which review needs: it is needed by what is left");
  EXPECT_EQ(blocked.findings[1].severity, Severity::Info);
  EXPECT_EQ(blocked.findings[2].severity, Severity::Warning);
  seen.files.erase(seen.files.begin());
  EXPECT_EQ(plan(seen).readiness, Readiness::Confirm);
}

TEST(OrchestratorPlan, OR02_ADeletedStoryThatTheEpicNeedsBlocks) {
  OrchestratorSnapshot seen = an_epic();
  seen.stories["3.4"].exists = false;
  EXPECT_EQ(severity_of(plan(seen), "story_missing"), "blocking");
  EXPECT_EQ(decision_of(plan(seen), "wave-2/3.4"), "refuse");
  seen = an_epic();
  seen.stories["3.1"].exists = false;
  EXPECT_EQ(severity_of(plan(seen), "story_missing"), "warning");
  EXPECT_EQ(point_of(plan(seen)), "wave-2/3.3");
}

TEST(OrchestratorPlan, OR02_AMissingExecutionPlanMattersOnlyIfTheStateDoesNotListAllWaves) {
  OrchestratorSnapshot seen = an_epic();
  seen.files = {{.path = "EPIC-3-EXECUTION.yaml", .role = FileRole::ExecutionPlan, .phase = "wave-2/3.3"}};
  EXPECT_EQ(severity_of(plan(seen), "file_missing"), "warning");
  seen.epic.total_waves = 3;
  EXPECT_EQ(severity_of(plan(seen), "file_missing"), "blocking");
}

TEST(OrchestratorPlan, OR03_TheSeedsFourthExampleIsBlockedByBothConflicts) {
  OrchestratorSnapshot seen = an_epic();
  seen.epic.updated_at = ago(hours(24 * 14));
  seen.stories["3.3"].claims.status = StoryStatus::Done;
  seen.stories["3.4"].exists = false;
  const OrchestratorPlan out = plan_orchestrator(seen);
  EXPECT_EQ(out.plan.readiness, Readiness::Blocked);
  EXPECT_EQ(point_of(out.plan), "none");
  EXPECT_EQ(severity_of(out.plan, "done_outside"), "blocking");
  EXPECT_EQ(severity_of(out.plan, "story_missing"), "blocking");
  EXPECT_EQ(out.summary.validation, "2 conflicts, 1 warning");
  EXPECT_EQ(command_of(out.plan, "restart"), "reprise fresh epic/3 --run");
  EXPECT_EQ(command_of(out.plan, "cleanup"), "reprise cleanup epic/3");
}

TEST(OrchestratorPlan, OR03_WhatAPersonAcceptedNoLongerBlocks) {
  OrchestratorSnapshot seen = an_epic();
  seen.stories["3.3"].claims.status = StoryStatus::Done;
  const Plan blocked = plan(seen);
  EXPECT_EQ(find_code(blocked, "done_outside")->remedy, "reprise accept epic/3 done_outside --because TEXT");
  EXPECT_EQ(command_of(blocked, "accept"), "reprise accept epic/3 done_outside --because TEXT");
  seen.accepted = {"done_outside"};
  const Plan accepted = plan(seen);
  EXPECT_EQ(accepted.readiness, Readiness::Ready);
  EXPECT_EQ(decision_of(accepted, "wave-2/3.3"), "keep");
  EXPECT_EQ(point_of(accepted), "wave-2/3.4");
}

TEST(OrchestratorPlan, OR03_ALoopAndAGeneralStateAreComparedWithTheirStory) {
  OrchestratorSnapshot loop = a_loop();
  loop.stories["2.1"].claims.status = StoryStatus::Done;
  EXPECT_EQ(severity_of(plan(loop), "review_done_outside"), "blocking");
  loop.stories["2.1"].claims.status = StoryStatus::InProgress;  // a fix is in progress: no difference
  EXPECT_EQ(plan(loop).readiness, Readiness::Ready);
  OrchestratorSnapshot flow = a_flow();
  flow.flow.story = "9.1";
  flow.stories["9.1"] = a_story("9.1", StoryStatus::Draft);
  EXPECT_EQ(severity_of(plan(flow), "story_reset"), "blocking");
  flow.flow.steps[0] = a_step("plan", "in_progress");
  EXPECT_EQ(plan(flow).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, OR03_TwoFilesOfOneStoryAreReported) {
  OrchestratorSnapshot seen = an_epic();
  seen.stories["3.3"].others = {"docs/old/3.3.story.md"};
  EXPECT_EQ(severity_of(plan(seen), "two_story_files"), "warning");
}

TEST(OrchestratorPlan, OR04_AnotherWorkflowBlocksWhileItIsActiveAndFresh) {
  OrchestratorSnapshot seen = a_cycle(StoryStatus::InProgress);
  seen.others = {{.id = "epic/4", .story = "4.2", .status = "active", .active = true, .updated_at = kWorldNow}};
  EXPECT_EQ(severity_of(plan(seen), "other_workflow"), "blocking");
  seen.others[0].updated_at = kWorldNow - hours(1);
  EXPECT_EQ(severity_of(plan(seen), "other_workflow_seen"), "warning");
  seen.others[0] = {
      .id = "epic/4", .story = "4.2", .status = "completed", .active = false, .updated_at = kWorldNow};
  EXPECT_EQ(severity_of(plan(seen), "other_workflow_seen"), "warning");
}

TEST(OrchestratorPlan, OR04_ChangedDevNotesWarnAsInTheSeedsSecondExample) {
  OrchestratorSnapshot seen = a_loop();
  seen.qa_loop.updated_at = ago(hours(72));
  seen.stories["2.1"].claims.sections["dev_notes"] = "n2";
  seen.stories["2.1"].claims.sections["change_log"] = "c2";
  const OrchestratorPlan out = plan_orchestrator(seen);
  EXPECT_EQ(out.plan.readiness, Readiness::Confirm);
  EXPECT_EQ(out.summary.validation, "1 warning");
  EXPECT_EQ(find_code(out.plan, "story_changed")->message,
            "the story changed since the interruption: section \"dev_notes\" of story 2.1");
  EXPECT_EQ(severity_of(out.plan, "story_recorded"), "info");
  EXPECT_EQ(point_of(out.plan), "loop/3/review");
}

TEST(OrchestratorPlan, OR04_ChangedAcceptanceCriteriaBlockOnlyAfterTheImplementation) {
  for (const char* section : {"acceptance_criteria", "scope"}) {
    OrchestratorSnapshot early = a_cycle(StoryStatus::InProgress);
    early.stories["4.2"].claims.sections[section] = "other";
    EXPECT_EQ(severity_of(plan(early), "acceptance_changed_early"), "warning");
    OrchestratorSnapshot late = a_cycle(StoryStatus::InReview);
    late.stories["4.2"].claims.sections.erase(section);
    EXPECT_EQ(severity_of(plan(late), "acceptance_changed"), "blocking");
    late.stories["4.2"].sections_by = KnownBy::Time;
    EXPECT_EQ(severity_of(plan(late), "story_modified"), "info");
  }
}

TEST(OrchestratorPlan, OR04_WithoutAnOldVersionANewerStoryIsOnlyNoted) {
  OrchestratorSnapshot seen = a_loop();
  seen.stories["2.1"].sections_then.reset();
  seen.stories["2.1"].modified_at = kWorldNow - hours(1);
  EXPECT_EQ(severity_of(plan(seen), "story_modified"), "info");
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, OR04_FilesDependenciesAndStoriesThatAreNew) {
  OrchestratorSnapshot seen = an_epic();
  seen.changed = {{.path = "src/a.ts", .by = KnownBy::Git, .who = "1a2b3c Ann"}};
  EXPECT_EQ(severity_of(plan(seen), "file_changed"), "warning");
  seen.changed[0].by = KnownBy::Time;
  EXPECT_EQ(severity_of(plan(seen), "file_newer"), "info");
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
  seen.new_stories = {{.id = "3.5", .path = "docs/stories/3.5.story.md"}};
  EXPECT_EQ(severity_of(plan(seen), "story_new"), "warning");
  seen.new_dependencies = {{.story = "3.4", .on = "3.1"}};
  EXPECT_EQ(severity_of(plan(seen), "dependency_new"), "warning");
  seen.new_dependencies[0].on = "3.3";
  EXPECT_EQ(severity_of(plan(seen), "dependency_open"), "blocking");
}

TEST(OrchestratorPlan, OR05_AgeGivesAdviceAndAsksAfterADay) {
  OrchestratorSnapshot seen = a_flow();
  seen.flow.updated_at = ago(hours(23));
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
  EXPECT_EQ(plan_orchestrator(seen).summary.advice, "resume with quick validation");
  seen.flow.updated_at = ago(hours(25));
  EXPECT_EQ(plan(seen).readiness, Readiness::Confirm);
  EXPECT_EQ(severity_of(plan(seen), "old_state"), "info");
  seen.flow.updated_at = ago(hours(24 * 8));
  EXPECT_EQ(severity_of(plan(seen), "old_state"), "warning");
  EXPECT_EQ(command_of(plan(seen), "cleanup"), "reprise cleanup workflow/greenfield-1");
}

TEST(OrchestratorPlan, OR05_TheNewestTimeOfTheStateCountsAndTheFutureDoesNot) {
  OrchestratorSnapshot seen = an_epic();
  seen.epic.updated_at = ago(hours(50));
  seen.epic.waves[0].stories[0].completed_at = ago(hours(2));
  EXPECT_EQ(last_activity(seen), kWorldNow - hours(2));
  seen.epic.waves[0].stories[1].completed_at = ago(-hours(2));
  EXPECT_EQ(last_activity(seen), kWorldNow - hours(2));
  seen.epic = {};
  seen.file_time = kWorldNow + hours(2);
  EXPECT_EQ(last_activity(seen), kWorldNow);
}

TEST(OrchestratorPlan, OR06_TheStoryCycleGoesOnByStatus) {
  const std::vector<std::pair<StoryStatus, std::string>> cases = {{StoryStatus::Draft, "validate"},
                                                                  {StoryStatus::Ready, "implement"},
                                                                  {StoryStatus::InProgress, "implement"},
                                                                  {StoryStatus::InReview, "review"},
                                                                  {StoryStatus::Done, "none"}};
  for (const auto& [status, phase] : cases) EXPECT_EQ(point_of(plan(a_cycle(status))), phase);
  EXPECT_EQ(plan(a_cycle(StoryStatus::Done)).readiness, Readiness::Done);
  EXPECT_EQ(plan(a_cycle(StoryStatus::Unknown)).readiness, Readiness::Blocked);
  EXPECT_EQ(plan(a_cycle(StoryStatus::Missing)).readiness, Readiness::Blocked);
  OrchestratorSnapshot none = a_cycle(StoryStatus::Draft);
  none.stories.clear();
  EXPECT_EQ(plan(none).readiness, Readiness::Fresh);
  EXPECT_EQ(command_of(plan(none), "fresh"), "reprise run story-cycle 4.2");
}

TEST(OrchestratorPlan, OR06_NoGoGoesBackToCreateAndFailBackToImplement) {
  OrchestratorSnapshot draft = a_cycle(StoryStatus::Draft);
  draft.stories["4.2"].claims.changes = {
      {.at = {}, .by = "po", .text = "Validation NO-GO (5/10)", .to = {}, .line = 60}};
  EXPECT_EQ(point_of(plan(draft)), "create");
  draft.stories["4.2"].claims.changes.push_back(
      {.at = {}, .by = "po", .text = "Validation: GO", .to = {}, .line = 61});
  EXPECT_EQ(decision_of(plan(draft), "validate"), "verify");
  for (const StoryStatus status : {StoryStatus::InProgress, StoryStatus::InReview}) {
    OrchestratorSnapshot failed = a_cycle(status);
    failed.stories["4.2"].claims.gate = "FAIL";
    EXPECT_EQ(point_of(plan(failed)), "implement");
    failed.stories["4.2"].claims.gate = "CONCERNS";
    EXPECT_EQ(point_of(plan(failed)), "review");
    EXPECT_EQ(decision_of(plan(failed), "review"), "verify");
  }
}

TEST(OrchestratorPlan, OR06_TheSpecPipelineGoesOnWhereAnArtifactIsMissing) {
  OrchestratorSnapshot seen = a_spec();
  EXPECT_EQ(point_of(plan(seen)), "write");
  seen.spec.state_word = "research_complete";
  EXPECT_EQ(find_code(plan(seen), "pointer_disagrees"), nullptr);
  seen.spec.state_word = "requirements_gathered";
  EXPECT_EQ(severity_of(plan(seen), "pointer_disagrees"), "info");
  seen.spec.has_research = false;
  EXPECT_EQ(point_of(plan(seen)), "research");
  seen.spec.complexity = "SIMPLE";
  EXPECT_EQ(point_of(plan(seen)), "write");
  seen.spec.has_complexity = false;
  EXPECT_EQ(find_code(plan(seen), "pointer_disagrees"), nullptr);
  seen.spec = {};
  EXPECT_EQ(plan(seen).readiness, Readiness::Fresh);
}

TEST(OrchestratorPlan, OR06_TheCritiqueDecidesAboutTheSpec) {
  OrchestratorSnapshot seen = a_spec();
  seen.spec.has_spec = seen.spec.has_critique = true;
  seen.spec.verdict = SpecVerdict::Approved;
  EXPECT_EQ(plan(seen).readiness, Readiness::Done);
  seen.spec.verdict = SpecVerdict::NeedsRevision;
  EXPECT_EQ(point_of(plan(seen)), "write");
  EXPECT_EQ(decision_of(plan(seen), "critique"), "rerun");
  seen.spec.verdict = SpecVerdict::Blocked;
  EXPECT_EQ(plan(seen).readiness, Readiness::Blocked);
  seen.accepted = {"critique_blocked"};
  EXPECT_EQ(point_of(plan(seen)), "write");
}

TEST(OrchestratorPlan, OR06_AReviewThatWasCutOffIsDoneAgainAndNotCountedTwice) {
  const Plan out = plan(a_loop());
  EXPECT_EQ(point_of(out), "loop/3/review");
  EXPECT_EQ(decision_of(out, "loop/3/review"), "rerun");
  EXPECT_EQ(out.iteration, 3);
  EXPECT_EQ(out.readiness, Readiness::Ready);
  OrchestratorSnapshot unrecorded = a_loop();
  unrecorded.qa_loop.history.pop_back();
  EXPECT_EQ(point_of(plan(unrecorded)), "loop/3/review");
}

TEST(OrchestratorPlan, OR06_ARejectionLeadsToTheFixAndTheFixToTheNextReview) {
  OrchestratorSnapshot seen = a_loop();
  seen.qa_loop.history[2] = a_review(3, QaVerdict::Reject);
  EXPECT_EQ(point_of(plan(seen)), "loop/3/fix");
  EXPECT_EQ(plan(seen).iteration, 3);
  seen.qa_loop.history[2] = a_review(3, QaVerdict::Reject, true);
  EXPECT_EQ(point_of(plan(seen)), "loop/4/review");
  EXPECT_EQ(plan(seen).iteration, 4);
  seen.qa_loop.history[2] = a_review(3, QaVerdict::Approve);
  EXPECT_EQ(plan(seen).readiness, Readiness::Done);
}

TEST(OrchestratorPlan, OR06_AnEscalatedOrExhaustedLoopWaitsUntilAPersonLetsItGoOn) {
  OrchestratorSnapshot seen = a_loop();
  seen.qa_loop.iteration = 5;
  seen.qa_loop.history.push_back(a_review(5, QaVerdict::Reject));
  const Plan waiting = plan(seen);
  EXPECT_EQ(waiting.readiness, Readiness::Wait);
  EXPECT_EQ(waiting.waiting_for.size(), 1u);
  EXPECT_EQ(command_of(waiting, "accept"), "reprise accept qa-loop/2.1 escalated --because TEXT");
  EXPECT_EQ(command_of(waiting, "from"), "reprise resume qa-loop/2.1 --from loop/5/fix");
  seen.accepted = {"escalated"};
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
  EXPECT_EQ(point_of(plan(seen)), "loop/5/fix");
  OrchestratorSnapshot escalated = a_loop();
  escalated.qa_loop.status = QaLoopStatus::Escalated;
  EXPECT_EQ(plan(escalated).readiness, Readiness::Wait);
  escalated.from = "loop/3/review";
  EXPECT_EQ(point_of(plan(escalated)), "loop/3/review");
  EXPECT_EQ(decision_of(plan(escalated), "loop/3/review"), "rerun");
}

TEST(OrchestratorPlan, OR06_ALoopThatMayStillRunIsAWarningUntilAnHourHasPassedOrItsLockIsDead) {
  OrchestratorSnapshot seen = a_loop();
  seen.qa_loop.updated_at = ago(std::chrono::minutes(59));
  EXPECT_EQ(severity_of(plan(seen), "maybe_running"), "warning");
  seen.locks = {{.lock = {.name = "qa", .pid = 7}, .path = ".aiox/locks/qa.lock", .alive = false}};
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
  seen.locks.clear();
  seen.qa_loop.updated_at = ago(hours(1));
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
  seen.qa_loop.updated_at = ago(std::chrono::minutes(1));
  seen.qa_loop.status = QaLoopStatus::Stopped;
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, OR06_AnIdleLoopIsNothingToResumeAndANonsenseNumberBlocks) {
  OrchestratorSnapshot idle = a_snapshot(OrchestratorKind::QaLoop, "x", "qa/loop-status.json");
  idle.qa_loop.status = QaLoopStatus::Idle;
  EXPECT_EQ(plan(idle).readiness, Readiness::Fresh);
  OrchestratorSnapshot odd = a_loop();
  odd.qa_loop.iteration = 1'000'000'000'000;
  EXPECT_EQ(plan(odd).readiness, Readiness::Blocked);
  EXPECT_EQ(plan(odd).decisions.size(), 1u);
  odd.qa_loop.iteration = -4;
  EXPECT_EQ(plan(odd).readiness, Readiness::Blocked);
}

TEST(OrchestratorPlan, OR06_TheEpicGoesOnWithTheWavesFirstUnfinishedStory) {
  const Plan out = plan(an_epic());
  EXPECT_EQ(out.readiness, Readiness::Ready);
  EXPECT_EQ(point_of(out), "wave-2/3.3");
  EXPECT_EQ(decision_of(out, "wave-1/3.1"), "keep");
  EXPECT_EQ(decision_of(out, "wave-1/gate"), "keep");
  EXPECT_EQ(decision_of(out, "wave-2/3.3"), "continue");
  EXPECT_EQ(decision_of(out, "wave-2/3.4"), "run");
  EXPECT_EQ(decision_of(out, "wave-2/gate"), "run");
  EXPECT_EQ(decision_of(out, "final-gate"), "run");
  EXPECT_EQ(out.saved_steps, 3);
}

TEST(OrchestratorPlan, OR06_GatesAreRedoneAndTheFinalGateComesLast) {
  OrchestratorSnapshot seen = an_epic();
  for (const char* id : {"3.3", "3.4"}) seen.stories[id].claims.status = StoryStatus::Done;
  for (ClaimedStory& story : seen.epic.waves[1].stories) story.status = EpicStoryStatus::Completed;
  seen.epic.waves[1].status = WaveStatus::GateReview;
  EXPECT_EQ(point_of(plan(seen)), "wave-2/gate");
  EXPECT_EQ(decision_of(plan(seen), "wave-2/gate"), "rerun");
  seen.epic.waves[1].status = WaveStatus::Completed;
  EXPECT_EQ(point_of(plan(seen)), "final-gate");
  seen.epic.verdicts.push_back({.gate = "final", .verdict = "rejected", .agent = "", .at = {}, .line = 41});
  EXPECT_EQ(decision_of(plan(seen), "final-gate"), "rerun");
  seen.epic.verdicts.back().verdict = "approved";
  EXPECT_EQ(plan(seen).readiness, Readiness::Done);
}

TEST(OrchestratorPlan, OR06_ABlockedStoryWaitsWhileOthersGoOnAndNothingGoesPastIt) {
  OrchestratorSnapshot seen = an_epic();
  seen.epic.waves[1].stories[0].status = EpicStoryStatus::Blocked;
  EXPECT_EQ(point_of(plan(seen)), "wave-2/3.4");
  EXPECT_EQ(decision_of(plan(seen), "wave-2/3.3"), "wait");
  seen.epic.waves[1].stories[1].status = EpicStoryStatus::Completed;
  seen.stories["3.4"].claims.status = StoryStatus::Done;
  const Plan waiting = plan(seen);
  EXPECT_EQ(waiting.readiness, Readiness::Wait);
  EXPECT_EQ(point_of(waiting), "wave-2/3.3");
  EXPECT_EQ(decision_of(waiting, "wave-2/gate"), "run");
  EXPECT_EQ(command_of(waiting, "from"), "reprise resume epic/3 --from wave-2/3.3");
  seen.from = "wave-2/3.3";
  EXPECT_EQ(decision_of(plan(seen), "wave-2/3.3"), "rerun");
}

TEST(OrchestratorPlan, OR06_StoriesDecideWhereWaveAndPointerSayOtherwise) {
  OrchestratorSnapshot seen = an_epic();
  seen.epic.current_wave = "1";
  EXPECT_EQ(severity_of(plan(seen), "pointer_disagrees"), "info");
  seen.epic.waves[1].status = WaveStatus::Completed;
  EXPECT_EQ(severity_of(plan(seen), "wave_disagrees"), "warning");
  EXPECT_EQ(point_of(plan(seen)), "wave-2/3.3");
  seen.epic.status = EpicStatus::Completed;
  EXPECT_EQ(severity_of(plan(seen), "completed_with_open_stories"), "warning");
  seen = an_epic();
  seen.epic.status = EpicStatus::Aborted;
  EXPECT_EQ(plan(seen).readiness, Readiness::Confirm);
  EXPECT_EQ(point_of(plan(seen)), "wave-2/3.3");
}

TEST(OrchestratorPlan, OR06_WavesThatOnlyTheExecutionPlanHasAreStillToCome) {
  OrchestratorSnapshot seen = an_epic();
  seen.execution_plan.emplace();
  seen.execution_plan->stories = {{.id = "3.10", .file = "3.10.story.md", .executor = "data-engineer"}};
  seen.execution_plan->waves = {{.number = "wave-1", .stories = {"3.1", "3.2"}},
                                {.number = "3", .stories = {"3.10"}}};
  seen.stories["3.10"] = a_story("3.10", StoryStatus::Draft);
  seen.stories["3.10"].claims.executor.clear();
  const Plan out = plan(seen);
  EXPECT_EQ(decision_of(out, "wave-3/3.10"), "run");
  EXPECT_EQ(out.decisions.size(), 5u + 3u + 1u);
  EXPECT_EQ(point_of(out), "wave-2/3.3");
}

TEST(OrchestratorPlan, OR06_AStoryIsOneWhetherOrNotItsIdBeginsWithStory) {
  OrchestratorSnapshot seen = an_epic();
  add_to_wave(seen, 1, "story-3.9", EpicStoryStatus::Pending, StoryStatus::Draft);
  seen.execution_plan.emplace();
  seen.execution_plan->stories = {{.id = "3.9", .file = "3.9.story.md", .branch = "feat/3.9"}};
  seen.execution_plan->waves = {{.number = "2", .stories = {"3.3", "STORY-3.4", "3.9"}}};
  seen.stories["3.4"].claims.dependencies = {"Story 3.1"};
  const Plan out = plan(seen);
  EXPECT_EQ(out.decisions.size(), 5u + 2u + 1u);
  EXPECT_EQ(decision_of(out, "wave-2/story-3.9"), "run");
  EXPECT_EQ(out.readiness, Readiness::Ready);
  seen.stories["story-3.9"].claims.dependencies = {"3.3", "2.9"};
  EXPECT_EQ(severity_of(plan(seen), "dependency_unmet"), "warning");
  EXPECT_EQ(severity_of(plan(seen), "dependency_missing"), "warning");
}

TEST(OrchestratorPlan, OR06_TheGeneralStateGoesOnAtItsFirstOpenStep) {
  EXPECT_EQ(point_of(plan(a_flow())), "implement");
  OrchestratorSnapshot hole = a_flow();
  hole.flow.steps[2] = a_step("review", "completed");
  EXPECT_EQ(decision_of(plan(hole), "review"), "verify");
  OrchestratorSnapshot bare = a_flow();
  bare.flow.steps.clear();
  EXPECT_EQ(plan(bare).readiness, Readiness::Blocked);
  bare.flow.current_phase = "3_self_healing";
  EXPECT_EQ(point_of(plan(bare)), "3_self_healing");
  OrchestratorSnapshot cycle = a_flow();
  cycle.flow.status = FlowStatus::Missing;
  EXPECT_EQ(plan(cycle).readiness, Readiness::Ready);
  cycle.flow.steps = {a_step("a", "completed"), a_step("a", "skipped")};
  EXPECT_EQ(plan(cycle).readiness, Readiness::Done);
  EXPECT_EQ(decision_of(plan(cycle), "a~2"), "keep");
}

TEST(OrchestratorPlan, OR06_AMasterStateOlderThanADayIsAWarning) {
  OrchestratorSnapshot seen = a_flow();
  seen.flow.updated_at = ago(hours(24));
  EXPECT_EQ(find_code(plan(seen), "master_would_refuse"), nullptr);
  seen.flow.dialect = "master";
  EXPECT_EQ(severity_of(plan(seen), "master_would_refuse"), "warning");
}

TEST(OrchestratorPlan, OR07_AnArtifactThatIsGoneMakesItsPhaseRunAgain) {
  OrchestratorSnapshot seen = a_flow();
  seen.flow.steps[1] = a_step("implement", "completed");
  seen.files = {
      {.path = "plan.md", .role = FileRole::Artifact, .phase = "review", .made_by = "plan", .story = ""}};
  const Plan out = plan(seen);
  EXPECT_EQ(point_of(out), "plan");
  EXPECT_EQ(find_step(out, "plan")->reason(), "something that it made is gone (plan.md)");
  EXPECT_EQ(decision_of(out, "implement"), "verify");
  EXPECT_EQ(severity_of(out, "artifact_missing"), "warning");
  EXPECT_EQ(out.readiness, Readiness::Confirm);
  seen.files[0].made_by = "review";  // it is still to be made
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, OR07_AnInputThatNoPhaseMakesBlocks) {
  OrchestratorSnapshot seen = a_flow();
  seen.files = {{.path = "prd.md", .role = FileRole::Artifact, .phase = "implement", .made_by = "", .story = ""}};
  EXPECT_EQ(severity_of(plan(seen), "input_missing"), "blocking");
}

TEST(OrchestratorPlan, OR07_AMissingWorkerBlocksTheNextPhaseAndWarnsForLaterOnes) {
  OrchestratorSnapshot seen = a_cycle(StoryStatus::InProgress);
  seen.roles_without_worker = {"qa"};
  EXPECT_EQ(severity_of(plan(seen), "worker_missing"), "warning");
  seen.stories["4.2"].claims.executor = "data-engineer";
  seen.roles_without_worker = {"data-engineer"};
  EXPECT_EQ(severity_of(plan(seen), "worker_missing"), "blocking");
  seen.roles_without_worker = {"sm", "po"};
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, OR08_TheSummaryHoldsWhatTheSeedLists) {
  OrchestratorSnapshot seen = a_cycle(StoryStatus::InProgress);
  seen.stories["4.2"].claims.files = {"src/login.ts"};
  const ResumeSummary summary = plan_orchestrator(seen).summary;
  EXPECT_EQ(to_token(summary.kind), "story-cycle");
  EXPECT_EQ(summary.state_file, "docs/stories/4.2.story.md");
  EXPECT_EQ(summary.age, AgeClass::Fresh);
  EXPECT_EQ(summary.advice, "resume safely");
  ASSERT_TRUE(summary.last && summary.next);
  EXPECT_EQ(summary.last->step, "validate");
  EXPECT_EQ(summary.last->agent, "po");
  EXPECT_EQ(summary.last->outputs, std::vector<std::string>{"docs/stories/4.2.story.md"});
  EXPECT_EQ(summary.next->step, "implement");
  EXPECT_EQ(summary.next->agent, "dev");
  EXPECT_EQ(summary.next->inputs, std::vector<std::string>{"docs/stories/4.2.story.md"});
  EXPECT_EQ(summary.validation, "clean");
  EXPECT_EQ(summary.remaining, (std::vector<std::string>{"implement", "review"}));
}

TEST(OrchestratorPlan, OR09_CleanAndYoungIsReadyAndEverythingElseAsks) {
  EXPECT_EQ(plan(a_cycle(StoryStatus::InProgress)).readiness, Readiness::Ready);
  OrchestratorSnapshot old = a_cycle(StoryStatus::InProgress);
  old.file_time = kWorldNow - hours(25);
  EXPECT_EQ(plan(old).readiness, Readiness::Confirm);
  OrchestratorSnapshot warned = a_cycle(StoryStatus::InProgress);
  warned.changed = {{.path = "a.ts", .by = KnownBy::Stored, .who = ""}};
  EXPECT_EQ(plan(warned).readiness, Readiness::Confirm);
}

TEST(OrchestratorPlan, OR11_TheDependencyChainIsChecked) {
  OrchestratorSnapshot seen = an_epic();
  seen.stories["3.4"].claims.dependencies = {"3.1", "3.3", "9.9", "3.4"};
  seen.stories["3.3"].claims.dependencies = {"3.4"};
  const Plan out = plan(seen);
  EXPECT_EQ(severity_of(out, "dependency_missing"), "warning");
  EXPECT_EQ(severity_of(out, "dependency_itself"), "warning");
  EXPECT_EQ(severity_of(out, "dependency_circular"), "warning");
  EXPECT_EQ(find_code(out, "dependency_unmet"), nullptr);
  seen.stories["3.3"].claims.dependencies.clear();
  EXPECT_EQ(severity_of(plan(seen), "dependency_unmet"), "warning");
  seen.stories["3.4"].claims.dependencies = {"3.1"};
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, OR13_GoingOnFromAStepSettlesWhatCouldBeAcceptedAndJumpsOverNothing) {
  OrchestratorSnapshot seen = a_cycle(StoryStatus::InReview);
  seen.stories["4.2"].claims.sections["scope"] = "other";
  const Plan blocked = plan(seen);
  EXPECT_EQ(command_of(blocked, "from"), "reprise resume story-cycle/4.2 --from review");
  seen.from = "implement";
  const Plan again = plan(seen);
  EXPECT_EQ(again.readiness, Readiness::Confirm);
  EXPECT_EQ(point_of(again), "implement");
  OrchestratorSnapshot draft = a_cycle(StoryStatus::Draft);
  draft.from = "review";
  EXPECT_EQ(severity_of(plan(draft), "from_jumps"), "blocking");
  draft.from = "deploy";
  EXPECT_EQ(severity_of(plan(draft), "from_unknown"), "blocking");
}

TEST(OrchestratorPlan, OR14_ADamagedStateBlocksAndOffersRepair) {
  OrchestratorSnapshot seen = an_epic();
  seen.epic.damaged = true;
  EXPECT_EQ(severity_of(plan(seen), "state_damaged"), "blocking");
  EXPECT_EQ(command_of(plan(seen), "repair"), "reprise repair epic/3");
  OrchestratorSnapshot loop = a_snapshot(OrchestratorKind::QaLoop, "2.1", "qa/loop-status.json");
  loop.unreadable = "line 1: not JSON";
  EXPECT_EQ(plan(loop).readiness, Readiness::Blocked);
}

TEST(OrchestratorPlan, OR15_ALivingLockBlocksAndNothingThatTakesItAwayIsOffered) {
  OrchestratorSnapshot seen = an_epic();
  seen.locks = {{.lock = {.name = "epic-3",
                          .pid = 4711,
                          .owner = "orchestrator",
                          .created_at = kWorldNow - hours(1),
                          .ttl_seconds = 7200},
                 .path = ".aiox/locks/epic-3.lock",
                 .alive = true}};
  const Plan held = plan(seen);
  EXPECT_EQ(severity_of(held, "held_by_another"), "blocking");
  EXPECT_EQ(command_of(held, "fresh"), "not offered");
  EXPECT_EQ(command_of(held, "from"), "not offered");
  seen.accepted = {"held_by_another"};
  EXPECT_EQ(plan(seen).readiness, Readiness::Blocked);
  seen.locks[0].lock.ttl_seconds = 300;
  EXPECT_EQ(severity_of(plan(seen), "lock_expired"), "warning");
  seen.locks[0].alive = false;
  EXPECT_EQ(severity_of(plan(seen), "lock_left"), "info");
  EXPECT_EQ(plan(seen).readiness, Readiness::Ready);
}

TEST(OrchestratorPlan, TextFromFilesIsShownSafelyAndQuotedInCommands) {
  OrchestratorSnapshot seen = an_epic();
  seen.subject = "3; rm -rf x";
  seen.epic.current_wave = "\x1B[2J9";
  seen.epic.oddities.assign(50, {.line = 1, .text = "\x1B[31m", .why = "odd"});
  const Plan out = plan(seen);
  for (const Finding& finding : out.findings) EXPECT_EQ(finding.message.find('\x1B'), std::string::npos);
  EXPECT_EQ(command_of(out, "resume"), "reprise resume 'epic/3; rm -rf x'");
  EXPECT_EQ(std::ranges::count(out.findings, "not_understood", &Finding::code), 21);
}

}  // namespace
}  // namespace reprise
