// The table of LN-05, in all combinations.

#include "planner/lane_rules.h"

#include <gtest/gtest.h>

#include <set>

namespace reprise {
namespace {

constexpr LaneStage kAllStages[] = {LaneStage::BeforeLaneStart, LaneStage::AfterLaneStart, LaneStage::Unknown,
                                    LaneStage::AfterLaneTests,  LaneStage::RetryAttempt,   LaneStage::PrePr};
constexpr LaneStatus kAllStatuses[] = {LaneStatus::Ready,    LaneStatus::InProgress, LaneStatus::Failed,
                                       LaneStatus::Blocked,  LaneStatus::Complete,   LaneStatus::RolledBack,
                                       LaneStatus::Retrying, LaneStatus::Unknown};

LaneFound found_at(LaneStage stage, LaneStatus status) {
  LaneFound found{.id = RunId{"lanes/r/P1/SL-1"}, .file = "checkpoints.json", .plan_file = "plans/P1.md"};
  found.latest.stage = stage;
  found.latest.status = status;
  found.latest.status_text = "nonsense";
  found.records = {found.latest};
  found.worktree_is_there = true;
  return found;
}

TEST(LaneRules, LN05_EveryCheckpointHasOneRowAndEveryRowIsUsed) {
  std::set<std::string_view> used;
  int combinations = 0;
  for (const LaneStage stage : kAllStages) {
    for (const LaneStatus status : kAllStatuses) {
      used.insert(decide(stage, status).label);
      ++combinations;
    }
  }
  EXPECT_EQ(combinations, 48);
  EXPECT_EQ(used.size(), lane_rows().size());
}

TEST(LaneRules, LN05_AnUnknownStatusIsNeverAFreshStart) {
  for (const LaneStage stage : kAllStages) {
    const Plan plan = plan_lane_found(found_at(stage, LaneStatus::Unknown));
    EXPECT_EQ(plan.readiness, Readiness::Blocked);
    EXPECT_FALSE(plan.resume_point.has_value());
  }
}

TEST(LaneRules, LN05_WhatIsCompleteIsSkipped) {
  const Plan tested = plan_lane_found(found_at(LaneStage::AfterLaneTests, LaneStatus::Complete));
  ASSERT_EQ(tested.decisions.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(tested.decisions[i].decision, Decision::Keep);
  EXPECT_EQ(tested.decisions[*tested.resume_point].stage, "pre_pr");
  const Plan started = plan_lane_found(found_at(LaneStage::AfterLaneStart, LaneStatus::Complete));
  EXPECT_EQ(started.decisions[*started.resume_point].stage, "after_lane_start");
  EXPECT_EQ(plan_lane_found(found_at(LaneStage::PrePr, LaneStatus::Complete)).readiness, Readiness::Done);
}

TEST(LaneRules, LN08_UsedUpAttemptsNeedAPerson) {
  EXPECT_EQ(plan_lane_found(found_at(LaneStage::RetryAttempt, LaneStatus::Failed)).readiness, Readiness::Wait);
  EXPECT_EQ(plan_lane_found(found_at(LaneStage::RetryAttempt, LaneStatus::Retrying)).readiness, Readiness::Ready);
}

TEST(LaneRules, AWorktreeOutsideTheProjectIsNotUsedAndSaidSo) {
  LaneFound found = found_at(LaneStage::AfterLaneStart, LaneStatus::Complete);
  found.worktree_is_outside = true;
  const Plan plan = plan_lane_found(found);
  ASSERT_FALSE(plan.findings.empty());
  EXPECT_EQ(plan.findings[0].code, "worktree_outside");
  EXPECT_EQ(plan.readiness, Readiness::Confirm);
}

}  // namespace
}  // namespace reprise
