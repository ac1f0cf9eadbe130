#include "planner/orchestrator_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "planner/epic_rules.h"
#include "planner/flow_rules.h"
#include "planner/qa_loop_rules.h"
#include "planner/spec_pipeline_rules.h"
#include "planner/story_cycle_rules.h"

namespace reprise {
namespace {

constexpr int kStoryStatuses = static_cast<int>(StoryStatus::Done) + 1;
constexpr int kEpicStoryStatuses = static_cast<int>(EpicStoryStatus::Skipped) + 1;

// Counts situations and remembers which rows they met.
class TableWalk {
 public:
  template <typename Row>
  void meet(const Row& row) {
    ++situations_;
    EXPECT_FALSE(row.label.empty());
    met_.insert(row.label);
  }
  template <typename Rows>
  void expect_all(const Rows& rows, int situations) const {
    EXPECT_EQ(situations_, situations);
    for (const auto& row : rows) EXPECT_TRUE(met_.contains(row.label)) << row.label << " is never met";
  }

 private:
  int situations_ = 0;
  std::set<std::string_view> met_;
};

template <typename Visit>
void for_every_pair(Visit visit) {
  for (int state = 0; state < kEpicStoryStatuses; ++state) {
    for (int story = 0; story < kStoryStatuses; ++story) {
      visit(static_cast<EpicStoryStatus>(state), static_cast<StoryStatus>(story));
    }
  }
}

TEST(StatusTable, OR03_EveryPairIsClassifiedAndEveryRowIsMet) {
  TableWalk walk;
  for_every_pair([&](EpicStoryStatus state, StoryStatus story) { walk.meet(decide(state, story)); });
  walk.expect_all(kStatusRows, 9 * 7);
}

TEST(StatusTable, OR03_TheSeedsFiveRowsAreAsTheSeedHasThem) {
  using S = EpicStoryStatus;
  EXPECT_EQ(decide(S::InProgress, StoryStatus::InProgress).severity, std::nullopt);
  EXPECT_EQ(decide(S::InProgress, StoryStatus::Done).severity, Severity::Blocking);
  EXPECT_EQ(decide(S::InProgress, StoryStatus::Draft).severity, Severity::Blocking);
  EXPECT_EQ(decide(S::InReview, StoryStatus::Done).severity, Severity::Blocking);
  EXPECT_EQ(decide(S::Pending, StoryStatus::Ready).severity, Severity::Info);
}

TEST(StatusTable, OR03_NoOtherPairBlocksAndOnlyEqualOnesAreSilent) {
  int blocking = 0;
  int silent = 0;
  int differing = 0;
  for_every_pair([&](EpicStoryStatus state, StoryStatus story) {
    const StatusRow& row = decide(state, story);
    blocking += row.severity == Severity::Blocking ? 1 : 0;
    silent += row.severity ? 0 : 1;
    differing += row.code == "status_differs" ? 1 : 0;
    EXPECT_EQ(row.severity.has_value(), !row.code.empty()) << row.label;
  });
  EXPECT_EQ(blocking, 3);
  EXPECT_EQ(silent, 4 + 7 + 6 + 6);  // the four equal pairs, skipped, failed and blocked but for Done
  EXPECT_EQ(blocking + silent + differing + 1, 9 * 7);
}

TEST(AgeTable, OR05_AgesAndAdviceAreTheSeeds) {
  using std::chrono::hours;
  TableWalk walk;
  for (const Duration age :
       {Duration(0), Duration(hours(1)) - Duration(1), Duration(hours(1)), Duration(hours(24)) - Duration(1),
        Duration(hours(24)), Duration(hours(168)) - Duration(1), Duration(hours(168))}) {
    walk.meet(decide(age_class(age)));
  }
  walk.expect_all(kAgeRows, 7);
  EXPECT_EQ(decide(age_class(hours(1))).advice, "resume with quick validation");
  EXPECT_FALSE(decide(age_class(Duration(hours(24)) - Duration(1))).asks);
  EXPECT_TRUE(decide(age_class(hours(24))).asks);
  EXPECT_EQ(decide(age_class(hours(168))).severity, Severity::Warning);
}

TEST(MissingFileTable, OR02_EveryMissingFileHasItsCriticality) {
  TableWalk walk;
  for (int role = 0; role <= static_cast<int>(FileRole::ExecutionPlan); ++role) {
    for (int bits = 0; bits < 4; ++bits) {
      const MissingFile missing{static_cast<FileRole>(role), (bits & 1) != 0, (bits & 2) != 0};
      const MissingFileRow& row = decide(missing);
      walk.meet(row);
      // Nothing that only the past needed can stop what is left, but for a plan that says what is left.
      if (!missing.ahead && missing.role != FileRole::ExecutionPlan) {
        EXPECT_NE(row.severity, Severity::Blocking);
      }
    }
  }
  walk.expect_all(kMissingFileRows, 5 * 4);
}

TEST(ConflictTable, OR04_EveryConflictHasItsSeverity) {
  TableWalk walk;
  for (int conflict = 0; conflict <= static_cast<int>(Conflict::OldLock); ++conflict) {
    for (int bits = 0; bits < 4; ++bits) {
      const ConflictSeen seen{static_cast<Conflict>(conflict), (bits & 1) != 0, (bits & 2) != 0};
      const ConflictRow& row = decide(seen);
      walk.meet(row);
      EXPECT_FALSE(row.code.empty());
      if (row.severity == Severity::Blocking) {
        EXPECT_TRUE(seen.grave) << row.label;
      }
      const bool compares = seen.conflict == Conflict::Acceptance || seen.conflict == Conflict::Section ||
                            seen.conflict == Conflict::FileChanged;
      if (compares && seen.by_time) {
        EXPECT_EQ(row.severity, Severity::Info) << row.label;
      }
    }
  }
  walk.expect_all(kConflictRows, 9 * 4);
}

TEST(StoryCycleTable, OR06_EverySituationOfAStoryIsDecided) {
  TableWalk walk;
  for (int status = 0; status < kStoryStatuses; ++status) {
    for (int bits = 0; bits < 9; ++bits) {
      const StoryCycleSituation s{static_cast<StoryStatus>(status), static_cast<Validation>(bits % 3),
                                  static_cast<StoryGate>(bits / 3)};
      const StoryCycleRow& row = decide(s);
      walk.meet(row);
      if (s.gate == StoryGate::Failed) {
        EXPECT_NE(row.course, Course::Done);
      }
      if (s.gate == StoryGate::Failed && s.status == StoryStatus::InReview) {
        EXPECT_EQ(row.phase, "implement");
      }
      EXPECT_EQ(row.phase.empty(), row.course != Course::GoOn) << row.label;
    }
  }
  walk.expect_all(kStoryCycleRows, 7 * 9);
}

TEST(SpecTable, OR06_EverySituationOfAPhaseIsDecided) {
  TableWalk walk;
  for (int phase = 0; phase < 5; ++phase) {
    for (int rest = 0; rest < 3 * 5 * 8; ++rest) {
      SpecSituation s{.phase = static_cast<SpecPhase>(phase)};
      s.made = (rest & 1) != 0;
      s.later_made = (rest & 2) != 0;
      s.skips = (rest & 4) != 0;
      s.size = static_cast<SpecSize>(rest / 8 % 3);
      s.verdict = static_cast<SpecVerdict>(rest / 24);
      const SpecRow& row = decide(s);
      walk.meet(row);
      const bool may_skip = s.phase == SpecPhase::Assess || s.phase == SpecPhase::Research;
      if (!s.made && !may_skip) {
        EXPECT_NE(row.decision, Decision::Keep) << row.label;
      }
    }
  }
  walk.expect_all(kSpecRows, 5 * 3 * 5 * 8);
}

TEST(QaLoopTable, OR06_EverySituationOfALoopIsDecided) {
  TableWalk walk;
  for (int status = 0; status <= static_cast<int>(QaLoopStatus::Escalated); ++status) {
    for (int review = 0; review <= static_cast<int>(ReviewSeen::Unknown); ++review) {
      for (int bits = 0; bits < 16; ++bits) {
        QaLoopSituation s{.status = static_cast<QaLoopStatus>(status)};
        s.review = static_cast<ReviewSeen>(review);
        s.names_story = (bits & 1) != 0;
        s.exhausted = (bits & 2) != 0;
        s.accepted = (bits & 4) != 0;
        s.over = (bits & 8) != 0;
        const QaLoopRow& row = decide(s);
        walk.meet(row);
        if (row.decision == Decision::Wait) {
          EXPECT_FALSE(s.accepted) << row.label;
        }
        const bool goes_on = row.course == Course::GoOn || row.course == Course::Wait;
        EXPECT_EQ(goes_on, row.step != LoopStep::Nowhere) << row.label;
      }
    }
  }
  walk.expect_all(kQaLoopRows, 9 * 7 * 16);
}

TEST(FlowTable, OR06_EveryStateAndStepIsDecided) {
  TableWalk walk;
  for (int status = 0; status <= static_cast<int>(FlowStatus::Aborted); ++status) {
    for (int steps = 0; steps < 3; ++steps)
      walk.meet(decide(static_cast<FlowStatus>(status), static_cast<FlowSteps>(steps)));
  }
  walk.expect_all(kFlowRows, 7 * 3);
  TableWalk steps;
  for (int seen = 0; seen <= static_cast<int>(FlowStepSeen::Untouched); ++seen)
    steps.meet(decide(static_cast<FlowStepSeen>(seen)));
  steps.expect_all(kFlowStepRows, 6);
}

TEST(EpicTable, OR06_EverySituationOfAStoryAndAGateIsDecided) {
  TableWalk stories;
  for (int claimed = 0; claimed < kEpicStoryStatuses; ++claimed) {
    for (int file = -1; file < kStoryStatuses; ++file) {
      for (const bool accepted : {false, true}) {
        EpicStorySituation s{.claimed = static_cast<EpicStoryStatus>(claimed), .accepted = accepted};
        if (file >= 0) s.story = static_cast<StoryStatus>(file);
        const EpicStoryRow& row = decide(s);
        stories.meet(row);
        if (s.claimed == EpicStoryStatus::Failed) {
          EXPECT_NE(row.decision, Decision::Keep);
        }
      }
    }
  }
  stories.expect_all(kEpicStoryRows, 9 * 8 * 2);
  TableWalk gates;
  for (int wave = 0; wave <= static_cast<int>(WaveStatus::Failed); ++wave) {
    for (int bits = 0; bits < 6; ++bits) {
      const WaveGateSituation s{static_cast<WaveStatus>(wave), static_cast<GateVerdict>(bits % 3), bits >= 3};
      const WaveGateRow& row = decide(s);
      gates.meet(row);
      if (s.open || s.verdict == GateVerdict::Rejected) {
        EXPECT_NE(row.decision, Decision::Keep) << row.label;
      }
    }
  }
  gates.expect_all(kWaveGateRows, 7 * 6);
  TableWalk epics;
  for (int status = 0; status <= static_cast<int>(EpicStatus::Aborted); ++status)
    epics.meet(decide(static_cast<EpicStatus>(status)));
  epics.expect_all(kEpicStatusRows, 6);
}

TEST(OrchestratorTables, LabelsAreRequirementIdsAndNoneIsUsedTwice) {
  std::vector<std::string_view> labels = orchestrator_labels();
  EXPECT_GT(labels.size(), 140u);
  for (const std::string_view label : labels) {
    EXPECT_TRUE(label.starts_with("OR-") && label.size() > 6 && label[5] == ' ') << label;
  }
  std::ranges::sort(labels);
  EXPECT_EQ(std::ranges::adjacent_find(labels), labels.end()) << *std::ranges::adjacent_find(labels);
}

}  // namespace
}  // namespace reprise
