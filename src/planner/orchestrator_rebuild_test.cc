#include "planner/orchestrator_rebuild.h"

#include <gtest/gtest.h>

#include "planner/orchestrator_test_worlds.h"

namespace reprise {
namespace {

const RebuiltFact* find_fact(const RebuiltState& state, std::string_view what) {
  for (const RebuiltFact& fact : state.facts) {
    if (fact.what == what) return &fact;
  }
  return nullptr;
}

std::string fact_of(const RebuiltState& state, std::string_view what) {
  const RebuiltFact* fact = find_fact(state, what);
  if (fact == nullptr) return "no such fact";
  return fact->value + " by " + std::string(to_token(fact->source)) + " " + fact->file + ":" +
         std::to_string(fact->line);
}

OrchestratorSnapshot a_damaged_epic() {
  OrchestratorSnapshot seen = an_epic();
  seen.epic.damaged = true;
  return seen;
}

TEST(OrchestratorRebuild, OR14_StoryStatusesAreTrustedFirst) {
  OrchestratorSnapshot seen = a_damaged_epic();
  seen.stories["3.3"].claims.status = StoryStatus::Done;
  seen.stories["3.3"].claims.changes = {
      {.at = {}, .by = "dev", .text = "", .to = StoryStatus::InProgress, .line = 70}};
  seen.files = {{.path = "src/a.ts",
                 .role = FileRole::Artifact,
                 .phase = "",
                 .made_by = "",
                 .story = "3.3",
                 .exists = true}};
  const RebuiltState rebuilt = rebuild_state(seen);
  ASSERT_TRUE(rebuilt.possible);
  EXPECT_EQ(fact_of(rebuilt, "story 3.3"), "completed by story docs/stories/3.3.story.md:3");
  EXPECT_EQ(fact_of(rebuilt, "story 3.4"), "pending by story docs/stories/3.4.story.md:3");
  EXPECT_FALSE(rebuilt.epic.damaged);
}

TEST(OrchestratorRebuild, OR14_ThenArtifactsThenChangeLogsThenWhatIsLeftOfTheFile) {
  OrchestratorSnapshot seen = a_damaged_epic();
  StoryClaims& story = seen.stories["3.3"].claims;
  story.status = StoryStatus::Unknown;
  story.changes = {{.at = {}, .by = "qa", .text = "", .to = StoryStatus::Done, .line = 70}};
  seen.files = {{.path = "src/a.ts",
                 .role = FileRole::Artifact,
                 .phase = "",
                 .made_by = "",
                 .story = "3.3",
                 .exists = true}};
  EXPECT_EQ(fact_of(rebuild_state(seen), "story 3.3"), "in_progress by artifact src/a.ts:0");
  seen.files[0].exists = false;
  EXPECT_EQ(fact_of(rebuild_state(seen), "story 3.3"), "completed by change_log docs/stories/3.3.story.md:70");
  story.changes.clear();
  EXPECT_EQ(fact_of(rebuild_state(seen), "story 3.3"), "in_progress by old_state .aiox/epic-3-state.yaml:20");
  seen.epic.waves[1].stories[0].status = EpicStoryStatus::Missing;
  const RebuiltState nothing = rebuild_state(seen);
  EXPECT_EQ(fact_of(nothing, "story 3.3"), " by nothing :0");
  EXPECT_NE(std::ranges::find(nothing.unknown, "how story 3.3 stands"), nothing.unknown.end());
}

TEST(OrchestratorRebuild, OR14_WavesComeFromTheExecutionPlanElseFromTheFileElseThereIsOne) {
  OrchestratorSnapshot seen = a_damaged_epic();
  seen.epic.execution_plan = "EPIC-3-EXECUTION.yaml";
  seen.execution_plan.emplace();
  seen.execution_plan->waves = {{.number = "1", .name = "base", .stories = {"3.1"}, .line = 12},
                                {.number = "2", .name = "top", .stories = {"3.2", "3.3", "3.4"}, .line = 20}};
  EXPECT_EQ(fact_of(rebuild_state(seen), "wave 2"), "in_progress by execution_plan EPIC-3-EXECUTION.yaml:20");
  seen.execution_plan->damaged = true;
  EXPECT_EQ(rebuild_state(seen).epic.waves[0].stories.size(), 2u);
  seen.epic.waves.clear();
  const RebuiltState one = rebuild_state(seen);
  ASSERT_EQ(one.epic.waves.size(), 1u);
  EXPECT_EQ(one.epic.waves[0].stories.size(), 4u);
  seen.stories.clear();
  EXPECT_FALSE(rebuild_state(seen).possible);
}

TEST(OrchestratorRebuild, OR14_AWaveIsCompletedOnlyIfItsGateIsKnownToHavePassed) {
  OrchestratorSnapshot seen = a_damaged_epic();
  EXPECT_EQ(rebuild_state(seen).epic.waves[0].status, WaveStatus::Completed);
  seen.epic.verdicts.clear();
  const RebuiltState rebuilt = rebuild_state(seen);
  EXPECT_EQ(rebuilt.epic.waves[0].status, WaveStatus::GateReview);
  EXPECT_EQ(rebuilt.epic.current_wave, "1");
  seen.epic = rebuilt.epic;
  EXPECT_EQ(point_of(plan_orchestrator(seen).plan), "wave-1/gate");
}

TEST(OrchestratorRebuild, OR14_BlockedAndSkippedAreKeptBecauseNoStoryCouldSaySo) {
  OrchestratorSnapshot seen = a_damaged_epic();
  seen.epic.waves[1].stories[0].status = EpicStoryStatus::Blocked;
  seen.epic.waves[1].stories[1].status = EpicStoryStatus::Skipped;
  const RebuiltState rebuilt = rebuild_state(seen);
  EXPECT_EQ(rebuilt.epic.waves[1].stories[0].status, EpicStoryStatus::Blocked);
  EXPECT_EQ(rebuilt.epic.waves[1].stories[1].status, EpicStoryStatus::Skipped);
  seen.stories["3.3"].claims.status = StoryStatus::Done;
  EXPECT_EQ(rebuild_state(seen).epic.waves[1].stories[0].status, EpicStoryStatus::Completed);
}

TEST(OrchestratorRebuild, OR14_ALoopIsRebuiltFromItsFilesAndItsStorysVerdict) {
  OrchestratorSnapshot seen = a_loop();
  seen.qa_loop = {};
  seen.unreadable = "line 1: not JSON";
  seen.files = {{.path = "qa/2.1/review-4.md",
                 .role = FileRole::Artifact,
                 .phase = "",
                 .made_by = "loop/4/review",
                 .story = "2.1",
                 .exists = true}};
  seen.stories["2.1"].claims.gate = "FAIL";
  const RebuiltState rebuilt = rebuild_state(seen);
  ASSERT_TRUE(rebuilt.possible);
  EXPECT_EQ(fact_of(rebuilt, "iteration"), "4 by artifact qa/2.1/review-4.md:0");
  EXPECT_EQ(fact_of(rebuilt, "verdict"), "REJECT (FAIL) by story docs/stories/2.1.story.md:0");
  EXPECT_EQ(rebuilt.qa_loop.status, QaLoopStatus::Stopped);
  seen.qa_loop = rebuilt.qa_loop;
  seen.unreadable.clear();
  EXPECT_EQ(point_of(plan_orchestrator(seen).plan), "loop/4/fix");
}

TEST(OrchestratorRebuild, OR14_ALoopTakesOnlyARejectionFromTheChangeLog) {
  OrchestratorSnapshot seen = a_loop();
  seen.stories["2.1"].claims.changes = {
      {.at = {}, .by = "qa", .text = "QA verdict: REJECT", .to = {}, .line = 80}};
  EXPECT_EQ(rebuild_state(seen).qa_loop.history[2].verdict, QaVerdict::Reject);
  EXPECT_EQ(find_fact(rebuild_state(seen), "verdict")->source, FactSource::ChangeLog);
  seen.stories["2.1"].claims.changes.push_back({.at = {}, .by = "qa", .text = "approved", .to = {}, .line = 81});
  EXPECT_EQ(rebuild_state(seen).qa_loop.history[2].verdict, QaVerdict::None);
  seen.stories["2.1"].claims.status = StoryStatus::Done;
  EXPECT_EQ(rebuild_state(seen).qa_loop.status, QaLoopStatus::Completed);
}

TEST(OrchestratorRebuild, OR14_AGeneralStateLosesStepsWhoseOutputIsGone) {
  OrchestratorSnapshot seen = a_flow();
  seen.flow.damaged = true;
  seen.flow.steps[0].output = "plan.md";
  seen.files = {
      {.path = "plan.md", .role = FileRole::Artifact, .phase = "", .made_by = "", .story = "", .exists = false}};
  const RebuiltState rebuilt = rebuild_state(seen);
  EXPECT_FALSE(rebuilt.flow.steps[0].completed);
  EXPECT_EQ(fact_of(rebuilt, "step plan"), "pending by artifact plan.md:0");
  EXPECT_EQ(rebuilt.flow.status, FlowStatus::Interrupted);
}

TEST(OrchestratorRebuild, OR14_WithoutStepsTheStorysCycleGivesThem) {
  OrchestratorSnapshot seen = a_flow();
  seen.flow = {};
  seen.flow.story = "9.1";
  seen.stories["9.1"] = a_story("9.1", StoryStatus::InProgress);
  const RebuiltState rebuilt = rebuild_state(seen);
  ASSERT_EQ(rebuilt.flow.steps.size(), 4u);
  EXPECT_TRUE(rebuilt.flow.steps[1].completed);
  EXPECT_FALSE(rebuilt.flow.steps[2].completed);
  seen.stories["9.1"].claims.status = StoryStatus::Missing;
  EXPECT_FALSE(rebuild_state(seen).possible);
  seen.stories["9.1"].claims.changes = {
      {.at = {}, .by = "dev", .text = "", .to = StoryStatus::InReview, .line = 70}};
  EXPECT_EQ(fact_of(rebuild_state(seen), "step implement"),
            "completed by change_log docs/stories/9.1.story.md:70");
}

TEST(OrchestratorRebuild, OR14_WhatIsItsOwnStateIsNotRebuilt) {
  EXPECT_FALSE(rebuild_state(a_cycle(StoryStatus::InProgress)).possible);
  EXPECT_FALSE(rebuild_state(a_spec()).possible);
}

}  // namespace
}  // namespace reprise
