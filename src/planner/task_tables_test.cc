#include "planner/task_tables.h"

#include <gtest/gtest.h>

#include <set>

#include "planner/task_choices.h"

namespace reprise {
namespace {

template <typename Visit>
int for_every_task(Visit visit) {
  int situations = 0;
  for (int work = 0; work < 6; ++work) {
    for (int restart = 0; restart < 3; ++restart) {
      for (int bits = 0; bits < 1024; ++bits, ++situations) {
        visit(TaskSituation{.work = static_cast<TaskWork>(work),
                            .restart = static_cast<PhaseRestart>(restart),
                            .in_cycle = (bits & 1) != 0,
                            .repeats = (bits & 2) != 0,
                            .lacks_commit = (bits & 4) != 0,
                            .lacks_output = (bits & 8) != 0,
                            .is_suspect = (bits & 16) != 0,
                            .is_stale = (bits & 32) != 0,
                            .phase_is_doubted = (bits & 64) != 0,
                            .is_unproven = (bits & 128) != 0,
                            .upstream_moving = (bits & 256) != 0,
                            .has_partial = (bits & 512) != 0});
      }
    }
  }
  return situations;
}

TEST(TaskTables, EveryTaskIsDecidedAndEveryRowIsReached) {
  std::set<const TaskRow*> reached;
  const int situations = for_every_task([&](const TaskSituation& s) { reached.insert(&decide(s)); });
  EXPECT_EQ(situations, 6 * 3 * 1024);
  for (const TaskRow& row : kTaskRows) EXPECT_TRUE(reached.contains(&row)) << row.label;
}

TEST(TaskTables, D5_NothingIsKeptThatIsInDoubt) {
  int kept = 0;
  for_every_task([&](const TaskSituation& s) {
    if (decide(s).decision != Decision::Keep) return;
    ++kept;
    EXPECT_EQ(s.work, TaskWork::Completed);
    EXPECT_EQ(s.restart, PhaseRestart::No);
    EXPECT_FALSE(s.repeats || s.lacks_commit || s.lacks_output || s.is_suspect || s.is_stale ||
                 s.phase_is_doubted || s.is_unproven || s.upstream_moving);
  });
  EXPECT_EQ(kept, 4);  // in a cycle or not, with outputs or not
}

TEST(TaskTables, TP08_OnlyACutOffTaskWithPartialOutputContinues) {
  int continued = 0;
  for_every_task([&](const TaskSituation& s) {
    const bool may = s.work == TaskWork::InProgress && s.has_partial && !s.upstream_moving && !s.in_cycle &&
                     s.restart == PhaseRestart::No;
    EXPECT_EQ(decide(s).decision == Decision::Continue, may);
    continued += may ? 1 : 0;
  });
  EXPECT_EQ(continued, 128);
}

TEST(TaskTables, TP07_ASuspectTaskIsVerifiedUnlessItRunsAgainAnyway) {
  for_every_task([](const TaskSituation& s) {
    if (s.work != TaskWork::Completed || !s.is_suspect) return;
    const Decision decision = decide(s).decision;
    EXPECT_TRUE(decision == Decision::Verify || decision == Decision::Rerun);
  });
}

TEST(TaskTables, EveryPhaseIsDecidedAndEveryRowIsReached) {
  std::set<const PhaseRow*> reached;
  int situations = 0;
  for (int work = 0; work < 5; ++work) {
    for (int bits = 0; bits < 128; ++bits, ++situations) {
      const PhaseSituation s{.work = static_cast<PhaseWork>(work),
                             .is_delivered = (bits & 1) != 0,
                             .repeats = (bits & 2) != 0,
                             .upstream_moving = (bits & 4) != 0,
                             .signal_is_bad = (bits & 8) != 0,
                             .begun_later = (bits & 16) != 0,
                             .claimed_past = (bits & 32) != 0,
                             .awaits_delivery = (bits & 64) != 0};
      const PhaseRow& row = decide(s);
      reached.insert(&row);
      if (s.work == PhaseWork::Mixed || s.work == PhaseWork::Unfinished) {
        EXPECT_EQ(row.standing, PhaseStanding::Incomplete);
      }
    }
  }
  EXPECT_EQ(situations, 5 * 128);
  for (const PhaseRow& row : kPhaseRows) EXPECT_TRUE(reached.contains(&row)) << row.label;
}

TEST(TaskTables, TP05_ATrivialPipelineGoesOnByItsWork) {
  std::set<std::string_view> reached;
  for (int preparation = 0; preparation < 3; ++preparation) {
    for (int work = 0; work < 5; ++work) {
      const TrivialRow& row = decide(static_cast<Preparation>(preparation), static_cast<TrivialWork>(work));
      reached.insert(row.label);
      if (static_cast<Preparation>(preparation) == Preparation::Unfinished) {
        EXPECT_EQ(row.phase, TaskPhase::P0);
      } else if (static_cast<TrivialWork>(work) == TrivialWork::Done) {
        EXPECT_EQ(row.phase, TaskPhase::P8);
      } else if (static_cast<TrivialWork>(work) != TrivialWork::None) {
        EXPECT_EQ(row.phase, TaskPhase::P6);
      }
    }
  }
  EXPECT_EQ(reached.size(), kTrivialRows.size());
  EXPECT_EQ(decide(Preparation::None, TrivialWork::None).phase, TaskPhase::P0);
}

TEST(TaskTables, TP11_GranularityAndDepthFollowFromTierAndEvidence) {
  std::set<std::string_view> reached;
  for (const auto& [tier, token] : kTaskTierTokens) {
    for (int evidence = 0; evidence < 3; ++evidence) {
      const GranularityRow& row = decide(tier, static_cast<CompletedEvidence>(evidence));
      reached.insert(row.label);
      const bool may =
          tier == TaskTier::Complex && static_cast<CompletedEvidence>(evidence) == CompletedEvidence::There;
      EXPECT_EQ(row.granularity == Granularity::Task, may);
    }
    for (const bool resumed : {false, true}) {
      const DepthRow& row = decide_depth(tier, resumed);
      reached.insert(row.label);
      EXPECT_EQ(row.depth == Depth::Deep, resumed || tier == TaskTier::Complex);
    }
  }
  EXPECT_EQ(reached.size(), kGranularityRows.size() + kDepthRows.size());
}

TEST(TaskTables, TP12_EveryPlaceOfAUsersPhaseHasItsOutcome) {
  for (int place = 0; place < 6; ++place) {
    const OverrideRow& row = decide(static_cast<OverridePlace>(place));
    EXPECT_EQ(row.place, static_cast<OverridePlace>(place));
    EXPECT_EQ(row.code.empty(), row.outcome == OverrideOutcome::AsFound || row.outcome == OverrideOutcome::Accept);
  }
  EXPECT_EQ(decide(OverridePlace::Later).outcome, OverrideOutcome::Refuse);
  EXPECT_EQ(decide(OverridePlace::Earlier).outcome, OverrideOutcome::AcceptWithWarning);
}

TEST(TaskTables, TP13_AnotherBranchIsNeverTakenSilently) {
  std::set<const BranchRow*> reached;
  for (int seen = 0; seen < 4; ++seen) {
    for (int bits = 0; bits < 4; ++bits) {
      const BranchRow& row = decide(static_cast<BranchSeen>(seen), (bits & 1) != 0, (bits & 2) != 0);
      reached.insert(&row);
      const bool differs = (bits & 1) != 0 && (static_cast<BranchSeen>(seen) == BranchSeen::Other ||
                                               static_cast<BranchSeen>(seen) == BranchSeen::Detached);
      if (differs) {
        EXPECT_EQ(row.outcome, (bits & 2) != 0 ? BranchOutcome::Confirmed : BranchOutcome::Ask);
      }
    }
  }
  EXPECT_EQ(reached.size(), kBranchRows.size());
}

TEST(TaskTables, TP14_TheResumeCountSaysHowMuchCareIsTaken) {
  for (const std::int64_t count : {-1, 0}) EXPECT_EQ(decide(count).care, ResumeCare::Standard);
  for (const std::int64_t count : {1, 2}) EXPECT_EQ(decide(count).care, ResumeCare::CheckEvidence);
  for (const std::int64_t count : {3, 4, 1'000'000}) EXPECT_EQ(decide(count).care, ResumeCare::Advise);
  std::set<const AdviceRow*> reached;
  for (int bits = 0; bits < 8; ++bits) {
    reached.insert(&decide_advice((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
  }
  EXPECT_EQ(reached.size(), kAdviceRows.size());
  EXPECT_EQ(decide_advice(true, true, true).advice, Advice::Diagnose);
  EXPECT_EQ(decide_advice(false, true, true).advice, Advice::Checkpoint);
  EXPECT_EQ(decide_advice(false, false, true).advice, Advice::Simplify);
}

TEST(TaskTables, TP04_EachTierHasItsWay) {
  EXPECT_EQ(phases_of(TaskTier::Trivial).size(), 3u);
  EXPECT_EQ(phases_of(TaskTier::Standard).size(), 7u);
  EXPECT_EQ(phases_of(TaskTier::Complex).size(), 9u);
  EXPECT_FALSE(is_on_path(TaskTier::Standard, TaskPhase::P4));
  EXPECT_FALSE(is_on_path(TaskTier::Trivial, TaskPhase::P7));
}

}  // namespace
}  // namespace reprise
