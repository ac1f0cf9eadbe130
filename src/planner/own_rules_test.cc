#include "planner/own_rules.h"

#include <gtest/gtest.h>

#include <set>

namespace reprise {
namespace {

template <typename Visit>
void for_every_step_situation(Visit visit) {
  for (int record = 0; record <= static_cast<int>(Record::Done); ++record) {
    for (int artifacts = 0; artifacts < 3; ++artifacts) {
      for (int resume = 0; resume < 3; ++resume) {
        for (int bits = 0; bits < 32 * 3; ++bits) {
          visit(StepSituation{.record = static_cast<Record>(record),
                              .artifacts = static_cast<Artifacts>(artifacts),
                              .products = static_cast<Products>(bits & 1),
                              .inputs = static_cast<Inputs>(bits >> 1 & 1),
                              .work = static_cast<Work>(bits >> 2 & 1),
                              .upstream = static_cast<Upstream>(bits >> 3 & 1),
                              .verifier = static_cast<Verifier>(bits >> 4 & 1),
                              .answer = static_cast<Answer>(bits >> 5),
                              .resume = static_cast<ResumeRule>(resume)});
        }
      }
    }
  }
}

TEST(OwnRules, EverySituationIsDecidedAndEveryRowIsReached) {
  int situations = 0;
  std::set<std::string_view> reached;
  for_every_step_situation([&](const StepSituation& situation) {
    ++situations;
    reached.insert(decide(situation).label);
  });
  EXPECT_EQ(situations, 10 * 3 * 3 * 32 * 3);
  for (const StepRow& row : kStepRows) EXPECT_TRUE(reached.contains(row.label)) << row.label << " decides nothing";
}

TEST(OwnRules, EveryGateSituationIsDecidedAndEveryRowIsReached) {
  std::set<std::string_view> reached;
  int situations = 0;
  for (int record = 0; record < 4; ++record) {
    for (int facts = 0; facts < 6; ++facts, ++situations) {
      const GateSituation situation{static_cast<GateRecord>(record), static_cast<Shown>(facts % 3),
                                    static_cast<Upstream>(facts / 3)};
      reached.insert(decide(situation).label);
    }
  }
  EXPECT_EQ(situations, 24);
  for (const GateRow& row : kGateRows) EXPECT_TRUE(reached.contains(row.label)) << row.label << " decides nothing";
}

TEST(OwnRules, ALL05_OnlyARecordedSuccessAPersonOrADeclaredCheckKeepsAStep) {
  for_every_step_situation([](const StepSituation& s) {
    if (decide(s).decision != Decision::Keep) return;
    const bool recorded = s.record == Record::Done || s.record == Record::Skipped;
    const bool declared = s.record == Record::Cut && s.products == Products::Proven;
    EXPECT_TRUE(recorded || declared);
  });
}

TEST(OwnRules, D5_WhatDependsOnSomethingThatRunsAgainIsNotKeptUnverified) {
  for_every_step_situation([](const StepSituation& s) {
    if (s.upstream == Upstream::Moving && s.record != Record::Skipped) {
      EXPECT_NE(decide(s).decision, Decision::Keep);
    }
  });
}

TEST(OwnRules, P30_AnApprovalIsNeverCarriedOverToSomethingElse) {
  EXPECT_EQ(decide(GateSituation{GateRecord::Approved, Shown::Changed, Upstream::Kept}).decision, Decision::Wait);
  EXPECT_EQ(decide(GateSituation{GateRecord::Approved, Shown::Redefined, Upstream::Moving}).decision,
            Decision::Wait);
  EXPECT_EQ(decide(GateSituation{GateRecord::Approved, Shown::Same, Upstream::Kept}).decision, Decision::Keep);
}

TEST(OwnRules, LabelsAreUnique) {
  std::set<std::string_view> labels;
  for (const StepRow& row : kStepRows) EXPECT_TRUE(labels.insert(row.label).second) << row.label;
  for (const GateRow& row : kGateRows) EXPECT_TRUE(labels.insert(row.label).second) << row.label;
}

}  // namespace
}  // namespace reprise
