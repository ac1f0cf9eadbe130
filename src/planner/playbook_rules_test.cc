#include "planner/playbook_rules.h"

#include <gtest/gtest.h>

#include <set>

namespace reprise {
namespace {

template <typename Visit>
int for_every_situation(Visit visit) {
  int situations = 0;
  for (int place = 0; place < 4; ++place) {
    for (int artifact = 0; artifact < 4; ++artifact) {
      for (int resume = 0; resume < 3; ++resume) {
        for (int bits = 0; bits < 64; ++bits, ++situations) {
          visit(PlaybookSituation{.place = static_cast<StagePlace>(place),
                                  .artifact = static_cast<StageArtifact>(artifact),
                                  .resume = static_cast<StageResume>(resume),
                                  .lacks_constitution = (bits & 1) != 0,
                                  .upstream_moving = (bits & 2) != 0,
                                  .waits = (bits & 4) != 0,
                                  .other_spec = (bits & 8) != 0,
                                  .spec_settled = (bits & 16) != 0,
                                  .behind_gate = (bits & 32) != 0});
        }
      }
    }
  }
  return situations;
}

TEST(PlaybookRules, EverySituationIsDecidedAndEveryRowIsReached) {
  std::set<std::string_view> reached;
  const int situations = for_every_situation([&](const PlaybookSituation& s) { reached.insert(decide(s).label); });
  EXPECT_EQ(situations, 4 * 4 * 3 * 64);
  for (const PlaybookRow& row : kPlaybookRows) EXPECT_TRUE(reached.contains(row.label)) << row.label;
}

TEST(PlaybookRules, PB05_NothingKeepsAStageThatLacksItsConstitutionCheck) {
  for_every_situation([](const PlaybookSituation& s) {
    if (!s.lacks_constitution || s.place == StagePlace::Later) return;
    EXPECT_EQ(decide(s).decision, Decision::Rerun);
  });
}

TEST(PlaybookRules, PB10_ACompletedStageRunsAgainOnlyIfItsArtifactIsGone) {
  for_every_situation([](const PlaybookSituation& s) {
    if (s.place != StagePlace::Completed || s.lacks_constitution || s.other_spec || s.spec_settled) return;
    EXPECT_EQ(decide(s).decision == Decision::Rerun, s.artifact == StageArtifact::Missing);
  });
}

TEST(PlaybookRules, S06_StageWithoutRowAndArtifactIsNeverKept) {
  for_every_situation([](const PlaybookSituation& s) {
    if (s.place != StagePlace::Passed || s.artifact == StageArtifact::Complete || s.spec_settled) return;
    EXPECT_NE(decide(s).decision, Decision::Keep);
    EXPECT_NE(decide(s).decision, Decision::Verify);
  });
}

TEST(PlaybookRules, A01_UntickedBoxIsNeverKept) {
  for (const bool moving : {false, true}) {
    EXPECT_EQ(decide(CheckpointBox::Ticked, moving).decision, Decision::Keep);
    EXPECT_EQ(decide(CheckpointBox::Open, moving).decision, moving ? Decision::Run : Decision::Wait);
  }
}

TEST(PlaybookRules, PB01_EveryStatusHasItsCourse) {
  for (int status = 0; status <= static_cast<int>(PlaybookStatus::Aborted); ++status) {
    const PlaybookStatusRow& row = decide(static_cast<PlaybookStatus>(status));
    EXPECT_EQ(row.status, static_cast<PlaybookStatus>(status));
  }
  EXPECT_EQ(decide(PlaybookStatus::Unknown).course, RunCourse::Blocked);
  EXPECT_EQ(decide(PlaybookStatus::Missing).course, RunCourse::Blocked);
  EXPECT_EQ(decide(PlaybookStatus::Failed).course, RunCourse::Fresh);
  EXPECT_EQ(decide(PlaybookStatus::Cancelled).course, RunCourse::Fresh);
}

// A world to plan in: all files there and complete, spec as approved, stopped at `stage`.
class World {
 public:
  explicit World(const std::string& stage, PlaybookStatus status = PlaybookStatus::InProgress) {
    seen_.subject = "001-login";
    seen_.state_file = "specs/001-login/.pipeline-state.md";
    seen_.spec_file = "specs/001-login/feature.spec.md";
    seen_.now = {1'000'000};
    seen_.file_time = {1'000'000};
    seen_.spec = SpecSeen::Same;
    seen_.constitution_completed = true;
    seen_.claims.status = status;
    seen_.claims.current_stage = stage;
    for (const PlaybookStageSpec& spec : kPlaybookStages) {
      if (spec.name == stage) break;
      const std::string artifact = std::string(spec.artifact);
      ClaimedStage claim{.stage = std::string(spec.name), .line = 9};
      if (!artifact.empty()) {
        claim.artifacts = {artifact};
        seen_.artifacts[artifact] = {.exists = true, .complete = true, .digest = "sha256:1"};
      }
      seen_.claims.completed.push_back(claim);
    }
    // What the run went past has been approved.
    for (const PlaybookCheckpoint& checkpoint : kPlaybookCheckpoints) {
      if (checkpoint.gate == checkpoint.stage) continue;
      const bool ticked = index_of_stage(checkpoint.stage) < index_of_stage(stage);
      seen_.claims.checkpoints.push_back({.name = std::string(checkpoint.box), .ticked = ticked, .line = 20});
    }
  }
  PlaybookSnapshot& see() { return seen_; }
  Plan plan() const { return plan_playbook(seen_); }

 private:
  PlaybookSnapshot seen_;
};

const StepDecision& of(const Plan& plan, std::string_view stage) {
  for (const StepDecision& decision : plan.decisions) {
    if (decision.stage == stage) return decision;
  }
  static const StepDecision kNone;
  ADD_FAILURE() << "no decision for " << stage;
  return kNone;
}

const Finding* finding(const Plan& plan, std::string_view code) {
  for (const Finding& found : plan.findings) {
    if (found.code == code) return &found;
  }
  return nullptr;
}

std::string point(const Plan& plan) {
  return plan.resume_point ? plan.decisions[*plan.resume_point].stage : "none";
}

TEST(PlaybookPlan, ALL02_EveryDecisionHasARuleAReasonAndEvidence) {
  for (const PlaybookStageSpec& spec : kPlaybookStages) {
    const Plan plan = World(std::string(spec.name)).plan();
    for (const StepDecision& decision : plan.decisions) {
      EXPECT_FALSE(decision.rule.empty() || decision.reason().empty() || decision.evidence().empty());
    }
  }
}

TEST(PlaybookPlan, PB07_InProgressAndAbortedGoOnAtTheCurrentStage) {
  for (const PlaybookStatus status : {PlaybookStatus::InProgress, PlaybookStatus::Aborted}) {
    const Plan plan = World("tasks", status).plan();
    EXPECT_EQ(plan.readiness, Readiness::Ready);
    EXPECT_EQ(point(plan), "tasks");
    EXPECT_EQ(of(plan, "architect").decision, Decision::Keep);
    EXPECT_EQ(of(plan, "tdd").decision, Decision::Run);
  }
}

TEST(PlaybookPlan, PB01_CompleteIsDoneAndCancelledStartsFresh) {
  EXPECT_EQ(World("done", PlaybookStatus::Complete).plan().readiness, Readiness::Done);
  const Plan cancelled = World("tdd", PlaybookStatus::Cancelled).plan();
  EXPECT_EQ(cancelled.readiness, Readiness::Fresh);
  EXPECT_EQ(point(cancelled), "none");
  EXPECT_EQ(of(cancelled, "tdd").decision, Decision::Refuse);
  EXPECT_EQ(of(World("tdd", PlaybookStatus::Complete).plan(), "tdd").decision, Decision::Keep);
}

TEST(PlaybookPlan, PB01_AnUnknownOrMissingStatusBlocksAndIsNeverAFreshStart) {
  for (const PlaybookStatus status : {PlaybookStatus::Unknown, PlaybookStatus::Missing}) {
    const Plan plan = World("tdd", status).plan();
    EXPECT_EQ(plan.readiness, Readiness::Blocked);
    ASSERT_NE(finding(plan, "status_unknown"), nullptr);
    EXPECT_EQ(point(plan), "none");
  }
}

TEST(PlaybookPlan, PB02_AChangedSpecBlocksUntilAPersonAccepts) {
  World world("tasks");
  world.see().spec = SpecSeen::Changed;
  const Plan plan = world.plan();
  EXPECT_EQ(plan.readiness, Readiness::Blocked);
  const Finding* found = finding(plan, "spec_hash_changed");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->remedy, "reprise accept playbook/001-login spec_hash_changed --because TEXT");
}

TEST(PlaybookPlan, PB02_AMissingSpecAndAHashThatIsNoneBlock) {
  World world("tasks");
  world.see().spec = SpecSeen::Missing;
  EXPECT_NE(finding(world.plan(), "spec_missing"), nullptr);
  world.see().spec = SpecSeen::Unreadable;
  EXPECT_EQ(world.plan().readiness, Readiness::Blocked);
}

TEST(PlaybookPlan, PB02_WithoutARecordedHashAfterApprovalThereIsAWarning) {
  World early("spec");
  early.see().spec = SpecSeen::NotPinned;
  EXPECT_EQ(early.plan().readiness, Readiness::Ready);
  World late("tdd");
  late.see().spec = SpecSeen::NotPinned;
  EXPECT_EQ(late.plan().readiness, Readiness::Confirm);
}

TEST(PlaybookPlan, PB03_MissingArtifactMakesStageRunAgain) {
  World world("tdd");
  world.see().artifacts["tasks.md"].exists = false;
  const Plan plan = world.plan();
  EXPECT_EQ(of(plan, "tasks").decision, Decision::Rerun);
  EXPECT_EQ(of(plan, "tasks").rule, "PB-03 missing");
  EXPECT_EQ(point(plan), "tasks");
  EXPECT_EQ(of(plan, "tdd").decision, Decision::Rerun);
}

TEST(PlaybookPlan, PB10_WhatDependsOnAStageThatRunsAgainIsVerified) {
  World world("tdd");
  world.see().artifacts["adr.md"].exists = false;
  const Plan plan = world.plan();
  EXPECT_EQ(of(plan, "architect").decision, Decision::Rerun);
  EXPECT_EQ(of(plan, "tasks").decision, Decision::Verify);
  EXPECT_EQ(of(plan, "spec").decision, Decision::Keep);
}

TEST(PlaybookPlan, PB04_ACompleteArtifactFinishesTheCurrentStage) {
  World world("tasks");
  world.see().of_current["tasks"] = {.exists = true, .complete = true, .digest = "sha256:2"};
  const Plan plan = world.plan();
  EXPECT_EQ(of(plan, "tasks").rule, "PB-04 complete");
  EXPECT_EQ(point(plan), "tdd");
  world.see().of_current["tasks"] = {.exists = true, .complete = false, .fault = "line 3: placeholder TODO"};
  EXPECT_EQ(of(world.plan(), "tasks").decision, Decision::Rerun);
}

TEST(PlaybookPlan, PB05_WithoutACompletedConstitutionCheckArchitectRunsAgain) {
  World world("programmer");
  world.see().constitution_completed = false;
  world.see().constitution_fault = "Article III has no status";
  const Plan plan = world.plan();
  EXPECT_EQ(point(plan), "architect");
  EXPECT_EQ(of(plan, "architect").rule, "PB-05 constitution");
  EXPECT_NE(of(plan, "architect").reason().find("Article III"), std::string::npos);
}

TEST(PlaybookPlan, PB06_WaitingShowsThePendingCheckpoint) {
  const Plan plan = World("architect", PlaybookStatus::WaitingForHuman).plan();
  EXPECT_EQ(plan.readiness, Readiness::Wait);
  ASSERT_EQ(plan.waiting_for.size(), 1u);
  EXPECT_EQ(plan.waiting_for[0].name, "Architecture sign-off");
  EXPECT_EQ(point(plan), "architect");
  EXPECT_EQ(plan.options.front().command, "reprise approve playbook/001-login 'Architecture sign-off'");
}

TEST(PlaybookPlan, PB11_ATickedBoxIsNotAskedAgain) {
  World world("architect", PlaybookStatus::WaitingForHuman);
  world.see().claims.checkpoints[1].ticked = true;
  const Plan plan = world.plan();
  EXPECT_TRUE(plan.waiting_for.empty());
  EXPECT_EQ(plan.readiness, Readiness::Ready);
  EXPECT_NE(finding(plan, "already_approved"), nullptr);
}

TEST(PlaybookPlan, PB12_AFailedRunIsNeverResumed) {
  const Plan plan = World("programmer", PlaybookStatus::Failed).plan();
  EXPECT_EQ(plan.readiness, Readiness::Fresh);
  EXPECT_EQ(plan.options.front().action, "fresh");
}

TEST(PlaybookPlan, PB08_EachStageIsResumedByItsRule) {
  for (const PlaybookStageSpec& spec : kPlaybookStages) {
    World world((std::string(spec.name)));
    const bool continues = spec.resume == StageResume::Continue;
    EXPECT_EQ(of(world.plan(), spec.name).decision, continues ? Decision::Continue : Decision::Rerun) << spec.name;
    if (spec.artifact.empty()) continue;
    world.see().of_current[std::string(spec.name)] = {.exists = true, .complete = false, .fault = "placeholder"};
    const bool with_partial = spec.resume != StageResume::Again;
    EXPECT_EQ(of(world.plan(), spec.name).decision, with_partial ? Decision::Continue : Decision::Rerun);
  }
}

TEST(PlaybookPlan, A01_EveryUntickedBoxBeforeTheResumePointIsWaitedFor) {
  World world("programmer");
  for (ClaimedCheckpoint& box : world.see().claims.checkpoints) box.ticked = false;
  const Plan plan = world.plan();
  EXPECT_EQ(plan.readiness, Readiness::Wait);
  ASSERT_EQ(plan.waiting_for.size(), 2u);
  EXPECT_EQ(plan.waiting_for[0].name, "Spec approval");
  EXPECT_EQ(plan.waiting_for[1].name, "Architecture sign-off");
  EXPECT_EQ(point(plan), "spec-approval");
  EXPECT_EQ(of(plan, "architecture-sign-off").decision, Decision::Wait);
  EXPECT_EQ(of(plan, "security-sign-off").decision, Decision::Run);
  EXPECT_EQ(of(plan, "tasks").rule, "PB-06 behind");
}

TEST(PlaybookPlan, A14_PointerAheadOfAllEvidenceIsNotBelieved) {
  World world("refactor");
  world.see().claims.completed.erase(world.see().claims.completed.begin() + 1, world.see().claims.completed.end());
  const Plan plan = world.plan();
  EXPECT_EQ(plan.readiness, Readiness::Confirm);
  EXPECT_EQ(point(plan), "architect");
  EXPECT_EQ(of(plan, "tasks").rule, "PB-07 passed unproven");
  EXPECT_EQ(of(plan, "programmer").rule, "PB-07 passed continue");
  EXPECT_NE(finding(plan, "pointer_ahead"), nullptr);
}

TEST(PlaybookPlan, S10_WhatIsSignedOffIsNotWaitedForAtItsStage) {
  World world("tasks", PlaybookStatus::WaitingForHuman);
  world.see().claims.current_stage = "architect";
  const Plan plan = world.plan();
  EXPECT_EQ(plan.readiness, Readiness::Ready);
  EXPECT_TRUE(plan.waiting_for.empty());
  EXPECT_EQ(point(plan), "tasks");
}

TEST(PlaybookPlan, A13_SpecThatIsUpForApprovalIsNotClarifiedBehindIt) {
  World world("spec", PlaybookStatus::WaitingForHuman);
  world.see().of_current["spec"] = {.exists = true, .complete = true, .digest = "sha256:1"};
  world.see().open_markers = 2;
  const Plan plan = world.plan();
  EXPECT_EQ(plan.readiness, Readiness::Wait);
  EXPECT_EQ(of(plan, "clarify").rule, "PB-11 settled");
  EXPECT_EQ(point(plan), "spec-approval");
  EXPECT_NE(finding(plan, "open_markers"), nullptr);
}

TEST(PlaybookPlan, A07_SignOffOfAFinishedStageKeepsTheStage) {
  World world("architect", PlaybookStatus::WaitingForHuman);
  world.see().of_current["architect"] = {.exists = true, .complete = true, .digest = "sha256:1"};
  const Plan plan = world.plan();
  EXPECT_EQ(of(plan, "architect").rule, "PB-04 complete");
  EXPECT_EQ(point(plan), "architecture-sign-off");
  EXPECT_EQ(plan.readiness, Readiness::Wait);
}

TEST(PlaybookPlan, DW1_StagesForAnotherSpecSaySoAndShowTheirRow) {
  World world("tdd");
  for (const char* stage : {"architect", "tasks"}) world.see().made_for_other_spec.insert(stage);
  const Plan plan = world.plan();
  EXPECT_EQ(of(plan, "architect").rule, "PB-02 other spec");
  EXPECT_EQ(of(plan, "architect").evidence().front().seen, "listed as completed");
}

TEST(PlaybookPlan, ALL03_WhatIsCompletedOutranksThePointer) {
  World world("tdd");
  world.see().claims.current_stage = "architect";
  const Plan plan = world.plan();
  EXPECT_EQ(point(plan), "tdd");
  EXPECT_NE(finding(plan, "pointer_disagrees"), nullptr);
  world.see().claims.current_stage = "deploying";
  EXPECT_NE(finding(world.plan(), "stage_unknown"), nullptr);
  EXPECT_EQ(world.plan().readiness, Readiness::Confirm);
}

TEST(PlaybookPlan, StagesThatOnlyTheFileKnowsKeepTheirPlace) {
  World world("architect");
  world.see().claims.completed.push_back({.stage = "red-team", .line = 12});
  const Plan plan = world.plan();
  EXPECT_EQ(plan.decisions[3].stage, "red-team");
  EXPECT_EQ(of(plan, "red-team").decision, Decision::Keep);
  EXPECT_EQ(point(plan), "architect");
}

}  // namespace
}  // namespace reprise
