// The walk over a run's steps: what may start when, for each construct of the definition.

#include "planner/graph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/builders.h"

namespace reprise {
namespace {

const auto kNothingKept = [](int) { return false; };

/// A graph that works, with its steps named by their paths.
class Walk {
 public:
  Walk(Workflow made, const RunState& state) : workflow_(std::move(made)), graph_(workflow_, state) {}

  Walk& begin() { return graph_.begin(kNothingKept), *this; }
  /// Takes everything that may start now; the paths, in order, separated by spaces.
  std::string ready() {
    std::string paths;
    while (const std::optional<int> leaf = graph_.take_ready()) {
      paths += (paths.empty() ? "" : " ") + graph_.node(*leaf).path.text;
    }
    return paths;
  }
  Walk& settle(const std::string& path) { return graph_.settle(leaf(path)), *this; }
  Walk& fail(const std::string& path) { return graph_.fail(leaf(path)), *this; }
  Walk& reopen(const std::string& path) { return graph_.reopen(leaf(path)), *this; }
  int leaf(const std::string& path) const {
    const std::optional<int> found = graph_.find({path});
    EXPECT_TRUE(found) << path;
    return found.value_or(0);
  }
  std::string paths(const std::vector<int>& leaves) const {
    std::string text;
    for (const int index : leaves) text += (text.empty() ? "" : " ") + graph_.node(index).path.text;
    return text;
  }
  Graph& graph() { return graph_; }

 private:
  Workflow workflow_;
  Graph graph_;
};

TEST(Graph, AStepStartsWhenEverythingItNeedsIsDone) {
  const History history("demo/x");
  Walk walk(workflow({step("a"), step("b"), step("c").after({"a", "b"}), step("d").after({"c"})}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "a b");
  EXPECT_EQ(walk.settle("b").ready(), "");
  EXPECT_EQ(walk.settle("a").ready(), "c");
  EXPECT_EQ(walk.settle("c").ready(), "d");
  EXPECT_FALSE(walk.graph().is_done());
  EXPECT_TRUE(walk.settle("d").graph().is_done());
  EXPECT_EQ(walk.graph().done_leaf_count(), 4);
}

TEST(Graph, KeptStepsAreDoneFromTheStart) {
  const History history("demo/x");
  Walk walk(workflow({step("a"), step("b").after({"a"}), step("c").after({"b"})}), history.state());
  const int a = walk.leaf("a");
  const int b = walk.leaf("b");
  walk.graph().begin([=](int leaf) { return leaf == a || leaf == b; });
  EXPECT_EQ(walk.ready(), "c");
  EXPECT_TRUE(walk.graph().node(a).kept);
}

TEST(Graph, WhatNeedsAFailedStepNeverStartsAndTheRestGoesOn) {
  const History history("demo/x");
  Walk walk(workflow({step("a"), step("b").after({"a"}), step("c")}), history.state());
  EXPECT_EQ(walk.begin().ready(), "a c");
  EXPECT_EQ(walk.fail("a").ready(), "");
  EXPECT_EQ(walk.settle("c").ready(), "");
  EXPECT_FALSE(walk.graph().is_done());
  EXPECT_EQ(walk.paths(walk.graph().failed()), "a");
  EXPECT_EQ(walk.reopen("a").ready(), "a");
  EXPECT_EQ(walk.settle("a").ready(), "b");
  EXPECT_TRUE(walk.settle("b").graph().is_done());
}

TEST(Graph, J7_AStepThatIsSkippedBeforeItsTurnLetsNothingOvertakeWhatItNeeds) {
  const History history("demo/x");
  Walk walk(workflow({step("a"), step("b").after({"a"}), step("c").after({"b"})}), history.state());
  EXPECT_EQ(walk.begin().ready(), "a");
  EXPECT_EQ(walk.settle("b").ready(), "") << "c must wait for a, whatever becomes of b";
  EXPECT_EQ(walk.settle("a").ready(), "c");
}

TEST(Graph, J7_AnItemThatIsSkippedBeforeItsTurnDoesNotLetTheOthersGo) {
  const History history("demo/x");
  Walk walk(workflow({step("a"), step("b").each({"x", "y", "z"}).after({"a"})}), history.state());
  EXPECT_EQ(walk.begin().ready(), "a");
  EXPECT_EQ(walk.settle("b/z").ready(), "");
  EXPECT_EQ(walk.settle("a").ready(), "b/x b/y");
  walk.settle("b/x");
  EXPECT_TRUE(walk.settle("b/y").graph().is_done());
}

// ---- each

TEST(Graph, PathsAreMadeOfNamesAndIterationsWithForeignBytesEscaped) {
  const History history("demo/x");
  Walk walk(
      workflow({block("lanes", {step("check")}).each({"api", "a b", "../x"}), step("polish").repeats("good", 3)}),
      history.state());
  EXPECT_EQ(walk.paths(walk.graph().leaves()), "lanes/api/check lanes/a%20b/check lanes/..%2Fx/check polish/1");
}

TEST(Graph, AnEachTakesItsItemsFromOneValueSplitAtSpacesAndCommas) {
  const History history("demo/x", {{"targets", "x, y\nz x"}});
  Walk walk(workflow({step("a").each({"{targets}"})}), history.state());
  EXPECT_EQ(walk.paths(walk.graph().leaves()), "a/x a/y a/z");
  EXPECT_EQ(walk.graph().resolve(walk.leaf("a/y"), "build {item} of {subject} {unknown}"),
            "build y of x {unknown}");
}

TEST(Graph, AnEachWithoutItemsIsDoneAtOnce) {
  const History history("demo/x", {{"targets", ""}});
  Walk walk(workflow({step("a").each({"{targets}"}), step("b").after({"a"})}), history.state());
  EXPECT_EQ(walk.begin().ready(), "b");
}

TEST(Graph, OnlyAsManyItemsWorkAtATimeAsTheirLimitAllows) {
  const History history("demo/x");
  Walk walk(workflow({block("e", {step("p"), step("q").after({"p"})}).each({"1", "2", "3"}, 2)}), history.state());
  EXPECT_EQ(walk.begin().ready(), "e/1/p e/2/p");
  EXPECT_EQ(walk.settle("e/1/p").ready(), "e/1/q") << "the item is not done yet";
  EXPECT_EQ(walk.settle("e/1/q").ready(), "e/3/p");
}

TEST(Graph, AFailedItemGivesItsPlaceToTheNextOnceNothingOfItRuns) {
  const History history("demo/x");
  Walk walk(workflow({block("e", {step("p"), step("q")}).each({"1", "2"}, 1), step("z").after({"e"})}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "e/1/p e/1/q");
  EXPECT_EQ(walk.fail("e/1/p").ready(), "") << "q of the failed item still runs";
  EXPECT_EQ(walk.settle("e/1/q").ready(), "e/2/p e/2/q");
  walk.settle("e/2/p").settle("e/2/q");
  EXPECT_EQ(walk.ready(), "") << "z needs all items";
  EXPECT_EQ(walk.reopen("e/1/p").ready(), "e/1/p");
  EXPECT_EQ(walk.settle("e/1/p").ready(), "z");
}

TEST(Graph, ARetriedStepOfAnItemWithAnotherFailureLeavesNoPlaceTwice) {
  const History history("demo/x");
  Walk walk(workflow({block("e", {step("p"), step("q")}).each({"1", "2", "3"}, 1)}), history.state());
  EXPECT_EQ(walk.begin().ready(), "e/1/p e/1/q");
  walk.fail("e/1/p");
  EXPECT_EQ(walk.reopen("e/1/q").ready(), "e/1/q") << "q is tried again and holds the item's place";
  EXPECT_EQ(walk.settle("e/1/q").ready(), "e/2/p e/2/q");
}

TEST(Graph, AFailedItemThatIsTriedAgainWaitsForAPlace) {
  const History history("demo/x");
  Walk walk(workflow({step("e").each({"1", "2", "3"}, 1)}), history.state());
  EXPECT_EQ(walk.begin().ready(), "e/1");
  EXPECT_EQ(walk.fail("e/1").ready(), "e/2");
  EXPECT_EQ(walk.reopen("e/1").ready(), "") << "e/2 has the only place";
  EXPECT_EQ(walk.settle("e/2").ready(), "e/1") << "and e/1 comes before what has not begun";
  EXPECT_EQ(walk.settle("e/1").ready(), "e/3");
  EXPECT_TRUE(walk.settle("e/3").graph().is_done());
}

TEST(Graph, SkippingTheFailedStepOfAnItemLetsTheItemGoOn) {
  const History history("demo/x");
  Walk walk(workflow({block("e", {step("p"), step("q").after({"p"})}).each({"1", "2"}, 1)}), history.state());
  EXPECT_EQ(walk.begin().ready(), "e/1/p");
  EXPECT_EQ(walk.fail("e/1/p").ready(), "e/2/p");
  EXPECT_EQ(walk.settle("e/1/p").ready(), "") << "e/2 has the only place";
  EXPECT_EQ(walk.settle("e/2/p").ready(), "e/2/q");
  EXPECT_EQ(walk.settle("e/2/q").ready(), "e/1/q");
}

TEST(Graph, ItemsInWhichAWorkerRunsAlreadyTakeTheirPlaceFirst) {
  const History history("demo/x");
  Walk walk(workflow({step("e").each({"1", "2", "3"}, 1)}), history.state());
  const int running = walk.leaf("e/2");
  walk.graph().begin(kNothingKept, {running});
  EXPECT_EQ(walk.ready(), "") << "its one place is taken by e/2";
  EXPECT_EQ(walk.settle("e/2").ready(), "e/1");
  EXPECT_EQ(walk.settle("e/1").ready(), "e/3");
}

TEST(Graph, WhatNobodyAsksForAnyMoreHoldsItsPlaceWhileItRuns) {
  History history("demo/x");
  history.did("e/1/1", {}, "good").did("e/1/2").started("e/1/2");
  Walk walk(workflow({step("e").each({"1", "2"}, 1).repeats("good", 3), step("z").after({"e"})}), history.state());
  const int kept = walk.leaf("e/1/1");
  const int running = walk.leaf("e/1/2");
  walk.graph().begin([=](int leaf) { return leaf == kept; }, {running});
  EXPECT_EQ(walk.ready(), "") << "the worker of round 2 is alive";
  walk.graph().worker_ended(running);
  EXPECT_EQ(walk.ready(), "e/2/1");
}

// ---- repeat

TEST(Graph, ALoopEndsWithItsVerdict) {
  History history("demo/x");
  Walk walk(workflow({block("l", {step("fix"), step("review").after({"fix"})}).repeats("good", 5),
                      step("z").after({"l"})}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "l/1/fix");
  history.did("l/1/fix");
  EXPECT_EQ(walk.settle("l/1/fix").ready(), "l/1/review");
  history.did("l/1/review", {}, "bad");
  EXPECT_EQ(walk.settle("l/1/review").ready(), "l/2/fix");
  EXPECT_EQ(walk.graph().node(walk.leaf("l/2/fix")).iteration, 2);
  EXPECT_EQ(walk.graph().resolve(walk.leaf("l/2/fix"), "{iteration}"), "2");
  history.did("l/2/fix");
  walk.settle("l/2/fix").ready();
  history.did("l/2/review", {}, "good");
  EXPECT_EQ(walk.settle("l/2/review").ready(), "z");
}

TEST(Graph, WhatARoundHasLeftIsNotNeededOnceItsVerdictIsThere) {
  History history("demo/x");
  Walk walk(workflow({block("l", {step("review"), step("polish").after({"review"})}).repeats("good", 5)}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "l/1/review");
  history.did("l/1/review", {}, "good");
  walk.settle("l/1/review");
  EXPECT_TRUE(walk.graph().is_done());
  EXPECT_TRUE(walk.graph().node(walk.leaf("l/1/polish")).not_needed);
}

TEST(Graph, ALoopFailsAfterItsLastRound) {
  History history("demo/x");
  Walk walk(workflow({step("l").repeats("good", 2)}), history.state());
  walk.begin().ready();
  history.did("l/1", {}, "bad");
  EXPECT_EQ(walk.settle("l/1").ready(), "l/2");
  history.did("l/2", {}, "worse");
  EXPECT_EQ(walk.settle("l/2").ready(), "");
  ASSERT_EQ(walk.paths(walk.graph().failed()), "l");
  EXPECT_EQ(walk.graph().node(walk.leaf("l")).failure,
            "no verdict \"good\" after 2 iterations, the last was \"worse\"");
}

TEST(Graph, ALoopFailsWhenItsRoundsChangeNothing) {
  History history("demo/x");
  Walk walk(workflow({step("l").repeats("good", 9, 2)}), history.state());
  walk.begin().ready();
  history.did("l/1", {seen("r", "1")}, "bad");
  EXPECT_EQ(walk.settle("l/1").ready(), "l/2");
  history.did("l/2", {seen("r", "2")}, "bad");
  EXPECT_EQ(walk.settle("l/2").ready(), "l/3");
  history.did("l/3", {seen("r", "2")}, "bad");
  EXPECT_EQ(walk.settle("l/3").ready(), "l/4") << "one in a row";
  history.did("l/4", {seen("r", "2")}, "bad");
  EXPECT_EQ(walk.settle("l/4").ready(), "");
  EXPECT_EQ(walk.graph().node(walk.leaf("l")).failure, "2 iterations in a row changed nothing");
}

TEST(Graph, RoundsInWhichThereIsNothingToDoAreCountedToo) {
  const History history("demo/x");
  Walk walk(workflow({block("l", {step("a").when("mode", {"never"})}).repeats("good", 3)}), history.state());
  EXPECT_EQ(walk.begin().ready(), "");
  EXPECT_EQ(walk.paths(walk.graph().failed()), "l");
}

TEST(Graph, RoundsThatSomethingIsRecordedOfAreThereFromTheStart) {
  History history("demo/x");
  history.did("l/1/fix", {}, "bad").started("l/2/fix");
  Walk walk(workflow({block("l", {step("fix")}).repeats("good", 5)}), history.state());
  EXPECT_TRUE(walk.graph().find({"l/2/fix"})) << "an attempt of it is open";
  EXPECT_FALSE(walk.graph().find({"l/3/fix"}));
}

TEST(Graph, AReopenedRunCountsTheRoundsOfALoopAnew) {
  History history("demo/x");
  history.did("l/1", {}, "bad").did("l/2", {}, "bad");
  history.add(RunFinished{RunStatus::Failed, "no verdict", ""}).add(RunReopened{"ana", "resumed"});
  Walk walk(workflow({step("l").repeats("good", 2)}), history.state());
  const int first = walk.leaf("l/1");
  const int second = walk.leaf("l/2");
  walk.graph().begin([=](int leaf) { return leaf == first || leaf == second; });
  EXPECT_EQ(walk.ready(), "l/3");
}

TEST(Graph, AnEachMayStandInALoopAndALoopInAnEach) {
  History history("demo/x");
  Walk walk(workflow({block("l", {step("e").each({"x", "y"})}).repeats("good", 3),
                      step("m").each({"p"}).repeats("good", 2)}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "l/1/e/x l/1/e/y m/p/1");
  history.did("l/1/e/x").did("l/1/e/y").did("m/p/1", {}, "good");
  EXPECT_EQ(walk.settle("l/1/e/x").settle("l/1/e/y").settle("m/p/1").ready(), "l/2/e/x l/2/e/y");
}

// ---- when

TEST(Graph, AConditionOnAValueDecidesAtOnce) {
  const History history("demo/x", {{"mode", "fast"}});
  Walk walk(workflow({step("a").when("mode", {"fast", "slow"}), step("b").when("mode", {"slow"}),
                      step("c").when("mode", {"slow"}, true), block("d", {step("e")}).when("mode", {"slow"})}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "a c");
  EXPECT_TRUE(walk.graph().node(walk.leaf("b")).not_needed);
}

TEST(Graph, AConditionOnAVerdictDecidesWhenItIsGiven) {
  History history("demo/x");
  Walk walk(workflow({step("triage"), step("fix").after({"triage"}).when("triage", {"broken"}),
                      step("ship").after({"triage"}).when("triage", {"broken"}, true)}),
            history.state());
  walk.begin().ready();
  history.did("triage", {}, "broken");
  EXPECT_EQ(walk.settle("triage").ready(), "fix");
}

// ---- looking

TEST(Graph, UpstreamIsWhatMustBeDoneBeforeAndDownstreamWhatHasToFollow) {
  History history("demo/x");
  history.did("l/1/b").did("l/2/b");
  Walk walk(workflow({step("a"), block("l", {step("b"), step("c").after({"b"})}).after({"a"}).repeats("good", 3),
                      step("d").after({"l"}), step("z")}),
            history.state());
  EXPECT_EQ(walk.paths(walk.graph().upstream_leaves(walk.leaf("l/2/c"))), "l/2/b l/1/b l/1/c a");
  EXPECT_EQ(walk.paths(walk.graph().downstream_leaves(walk.leaf("l/1/c"))), "l/1/c l/2/b l/2/c d");
  EXPECT_EQ(walk.paths(walk.graph().leaves_below(walk.leaf("l/2"))), "l/2/b l/2/c");
}

TEST(Graph, AUsedWorkflowSeesItsOwnValuesAndWhoItRunsFor) {
  const History history("demo/x", {{"secret", "outer"}, {"target", "t1"}});
  Walk walk(workflow({block("u", {step("a")}).uses("other", {{"goal", "make {target}"}})}), history.state());
  EXPECT_EQ(walk.graph().resolve(walk.leaf("u/a"), "{goal} {secret} {target} {subject} {run}"),
            "make t1 {secret} {target} x demo/x");
}

TaskChanged task(const std::string& id, const std::string& phase, std::vector<std::string> blocked_by = {}) {
  return {
      .id = id, .subject = "task " + id, .status = "pending", .phase = phase, .blocked_by = std::move(blocked_by)};
}

TEST(Graph, TP10_TasksOfAPhaseRunSideBySideAndEachComesAfterItsBlockers) {
  History history("demo/x");
  history.add(task("1", "P6")).add(task("2", "P6", {"1"})).add(task("10", "P6")).add(task("3", "P7"));
  Walk walk(workflow({step("work").each_task("P6"), step("check").each_task("P7").after({"work"})}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "work/1 work/10");
  EXPECT_EQ(walk.settle("work/1").ready(), "work/2");
  EXPECT_EQ(walk.settle("work/10").settle("work/2").ready(), "check/3");
}

TEST(Graph, ABlockerThatIsNoLongerOnTheListIsFinished) {
  History history("demo/x");
  history.add(task("2", "P6", {"1"}));
  Walk walk(workflow({step("work").each_task("P6")}), history.state());
  EXPECT_EQ(walk.begin().ready(), "work/2");
}

TEST(Graph, TasksThatWaitForOneAnotherOrForThemselvesStillHaveTheirTurn) {
  History history("demo/x");
  history.add(task("1", "P6", {"3", "1"})).add(task("2", "P6", {"1"})).add(task("3", "P6", {"2"}));
  Walk walk(workflow({step("work").each_task("P6")}), history.state());
  std::string order = walk.begin().ready();
  for (int left = 3; left > 0 && !order.empty(); --left) {
    walk.settle(order);
    order = walk.ready();
  }
  EXPECT_TRUE(walk.graph().is_done());
}

TEST(Graph, ATaskThatIsPutOnTheListBeforeItsPhaseTakesPartInTheSameWalk) {
  History history("demo/x");
  Walk walk(workflow({step("lead"), step("work").each_task("P6").after({"lead"}), step("end").after({"work"})}),
            history.state());
  EXPECT_EQ(walk.begin().ready(), "lead");
  history.add(task("1", "P6")).add(task("2", "P6", {"1"}));
  EXPECT_TRUE(walk.graph().take_in_tasks());
  EXPECT_FALSE(walk.graph().take_in_tasks());
  EXPECT_EQ(walk.settle("lead").ready(), "work/1");
  history.add(task("3", "P6"));
  EXPECT_TRUE(walk.graph().take_in_tasks());
  EXPECT_EQ(walk.begin().ready(), "lead") << "a walk that has begun with the phase begins anew";
  EXPECT_EQ(walk.settle("lead").ready(), "work/1 work/3");
  EXPECT_EQ(walk.settle("work/1").settle("work/3").ready(), "work/2");
  EXPECT_EQ(walk.settle("work/2").ready(), "end");
}

TEST(Graph, ALoopEndsWithAnyOfItsVerdicts) {
  for (const std::string verdict : {"PASS", "WAIVED"}) {
    History history("demo/x");
    StageBuilder loop = block("loop", {step("judge")}).repeats("PASS", 3);
    loop.stage().repeat->or_verdicts = {"WAIVED"};
    history.did("loop/1/judge", {}, "FAIL").did("loop/2/judge", {}, verdict);
    Walk walk(workflow({loop}), history.state());
    walk.graph().begin([&](int) { return true; });
    EXPECT_TRUE(walk.graph().is_done()) << verdict;
  }
}

TEST(Graph, TenThousandStepsInAChainAreWalkedWithoutRecursion) {
  constexpr int kSteps = 10'000;
  const History history("demo/x");
  std::vector<Stage> stages;
  for (int i = 0; i < kSteps; ++i) {
    StageBuilder builder = step("s" + std::to_string(i));
    if (i > 0) builder.after({"s" + std::to_string(i - 1)});
    stages.push_back(builder);
  }
  Walk walk(workflow(std::move(stages)), history.state());
  int visited = 0;
  walk.graph().survey([&](int, bool) { return ++visited, false; });
  EXPECT_EQ(visited, kSteps);
  walk.graph().begin([](int) { return true; });
  EXPECT_TRUE(walk.graph().is_done());
  walk.begin();
  for (int i = 0; i < kSteps; ++i) {
    const std::optional<int> leaf = walk.graph().take_ready();
    ASSERT_TRUE(leaf);
    walk.graph().settle(*leaf);
  }
  EXPECT_TRUE(walk.graph().is_done());
}

}  // namespace
}  // namespace reprise
