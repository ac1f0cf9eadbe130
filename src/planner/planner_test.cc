// Plans end to end: a history, what is seen now, and what the planner makes of it.

#include "planner/planner.h"

#include <gtest/gtest.h>

#include "planner/own_rules.h"
#include "testing/builders.h"

namespace reprise {
namespace {

ShortDigest work_of(const Stage& stage) { return work_digest(stage); }

/// Puts a plan together from what a test says and answers questions about it.
class Planning {
 public:
  Planning(Workflow made, const History& history)
      : workflow_(std::move(made)), state_(history.state()), now_(history.now()) {}

  Planning& sees(SeenFile file) { return snapshot_.files[file.path] = std::move(file), *this; }
  Planning& sights(const std::string& path, Sight sight) { return snapshot_.sights[{path}] = sight, *this; }
  Planning& products(const std::string& path, bool complete) {
    return snapshot_.products[{path}] = {true, complete, complete ? "it passes" : "line 1: TODO"}, *this;
  }
  Planning& later(Duration by) { return now_ = now_ + by, *this; }
  Planning& definition_changed(std::string names) {
    return snapshot_.definition_changed = std::move(names), *this;
  }

  const Plan& plan() {
    snapshot_.state = &state_;
    snapshot_.workflow = &workflow_;
    snapshot_.now = now_;
    snapshot_.last_activity = state_.updated_at;
    graph_ = std::make_unique<Graph>(workflow_, state_);
    plan_ = make_plan(snapshot_, *graph_);
    return plan_;
  }
  /// "WF-21 done: keep" for each step named.
  std::string about(const std::string& path) {
    for (const StepDecision& decision : plan().decisions) {
      if (decision.step.text != path) continue;
      EXPECT_FALSE(decision.evidence().empty()) << "D3";
      return std::string(decision.rule) + ": " + std::string(to_token(decision.decision));
    }
    return "none";
  }
  Graph& graph() { return *graph_; }

 private:
  Workflow workflow_;
  RunState state_;
  Timestamp now_;
  RunSnapshot snapshot_;
  std::unique_ptr<Graph> graph_;
  Plan plan_;
};

// ---- the rules of steps, each from a history

TEST(Planner, AStepThatNeverStartedRuns) {
  EXPECT_EQ(Planning(workflow({step("a")}), History("demo/x")).about("a"), "WF-01 new: run");
}

TEST(Planner, AResetStepRunsAgain) {
  const History history = History("demo/x").did("a").add(StepReset{{"a"}, "retry", "ana", "again"});
  EXPECT_EQ(Planning(workflow({step("a")}), history).about("a"), "WF-02 reset: rerun");
}

TEST(Planner, ASkippedStepIsKept) {
  const History history =
      History("demo/x").add(StepSkipped{{"a"}, "ana", "no need"}).add(StepSkipped{{"g"}, "ana", "no"});
  Planning planning(workflow({step("a"), gate("g").after({"a"})}), history);
  EXPECT_EQ(planning.about("a"), "WF-03 skipped: keep");
  EXPECT_EQ(planning.about("g"), "WF-03 skipped: keep");
}

TEST(Planner, AnOpenAttemptIsDecidedByWhatIsSeenOfIt) {
  const History history = History("demo/x").started("a");
  EXPECT_EQ(Planning(workflow({step("a")}), history).sights("a", Sight::Running).about("a"),
            "WF-04 watched: continue");
  EXPECT_EQ(Planning(workflow({step("a")}), history).sights("a", Sight::Ended).about("a"), "WF-05 ended: verify");
  EXPECT_EQ(Planning(workflow({step("a")}), history).sights("a", Sight::Gone).about("a"), "WF-09 restart: rerun");
}

TEST(Planner, ALL05_ACutOffStepIsDoneOnlyByItsDeclaredCheck) {
  const Stage stage = step("a").makes("a.md", must_match("END"));
  const History history = History("demo/x").started("a", work_of(stage));
  EXPECT_EQ(Planning(workflow({stage}), history).products("a", true).about("a"), "WF-06 proven: keep");
  EXPECT_EQ(Planning(workflow({stage}), history).products("a", false).about("a"), "WF-09 restart: rerun");
  const History other = History("demo/x").started("a", shortened(digest_of("another work")));
  EXPECT_EQ(Planning(workflow({stage}), other).products("a", true).about("a"), "WF-09 restart: rerun");
}

TEST(Planner, TheResumeRuleDecidesAboutACutOffStep) {
  const History history = History("demo/x").started("a").ended("a", {.outcome = AttemptOutcome::Interrupted});
  EXPECT_EQ(Planning(workflow({step("a").resumes(ResumeRule::Report)}), history).about("a"), "WF-07 report: wait");
  EXPECT_EQ(Planning(workflow({step("a").resumes(ResumeRule::Continue)}), history).about("a"),
            "WF-08 continue: continue");
  EXPECT_EQ(Planning(workflow({step("a")}), history).about("a"), "WF-09 restart: rerun");
}

TEST(Planner, AQuestionHoldsItsStepUntilItIsAnswered) {
  History history =
      History("demo/x").started("a").ended("a", {.outcome = AttemptOutcome::NeedsHuman, .reason = "which?"});
  history.add(QuestionAsked{.id = "q1", .step = {"a"}, .text = "which?", .options = {}, .gaps = {}});
  Planning open(workflow({step("a")}), history);
  EXPECT_EQ(open.about("a"), "WF-10 asked: wait");
  EXPECT_EQ(open.plan().readiness, Readiness::Wait);
  ASSERT_EQ(open.plan().waiting_for.size(), 1u);
  EXPECT_EQ(open.plan().waiting_for[0].kind, "question");
  history.add(QuestionAnswered{"q1", "that one", "ana"});
  EXPECT_EQ(Planning(workflow({step("a")}), history).about("a"), "WF-11 answered: continue");
}

TEST(Planner, FailuresAndPostponementsRunAgain) {
  const History failed = History("demo/x").started("a").failed("a");
  EXPECT_EQ(Planning(workflow({step("a")}), failed).about("a"), "WF-13 failed: rerun");
  const History later =
      History("demo/x").started("a").ended("a", {.outcome = AttemptOutcome::Later, .reason = "busy"});
  EXPECT_EQ(Planning(workflow({step("a")}), later).about("a"), "WF-12 later: rerun");
}

TEST(Planner, ADoneStepIsJudgedByItsArtifacts) {
  const Stage stage = step("a").makes("a.txt");
  const History history = History("demo/x").started("a", work_of(stage)).done("a", {seen("a.txt", "1")});
  EXPECT_EQ(Planning(workflow({stage}), history).sees(seen("a.txt", "1")).about("a"), "WF-21 done: keep");
  EXPECT_EQ(Planning(workflow({stage}), history).sees(missing("a.txt")).about("a"), "WF-14 missing: rerun");
  Planning changed(workflow({stage}), history);
  EXPECT_EQ(changed.sees(seen("a.txt", "2")).about("a"), "WF-20 artifact: keep");
  ASSERT_EQ(changed.plan().findings.size(), 1u);
  EXPECT_EQ(changed.plan().findings[0].code, "artifact_changed");
  EXPECT_EQ(changed.plan().readiness, Readiness::Confirm);
  EXPECT_EQ(Planning(workflow({stage}), history).sees(seen("a.txt", "2")).products("a", false).about("a"),
            "WF-14 missing: rerun");
  const Stage verified = step("a").makes("a.txt").verified_by("true");
  const History other = History("demo/x").started("a", work_of(verified)).done("a", {seen("a.txt", "1")});
  EXPECT_EQ(Planning(workflow({verified}), other).sees(seen("a.txt", "2")).about("a"),
            "WF-19 artifact verify: verify");
}

TEST(Planner, APathThatSeveralStepsWroteIsComparedWithTheNewest) {
  const History history = History("demo/x").did("a", {seen("r", "1")}).did("b", {seen("r", "2")});
  Planning planning(workflow({step("a"), step("b").after({"a"})}), history);
  planning.sees(seen("r", "2"));
  EXPECT_EQ(planning.about("a"), "WF-21 done: keep");
  EXPECT_EQ(planning.about("b"), "WF-21 done: keep");
}

TEST(Planner, ADoneStepIsJudgedByItsDefinitionAndInputs) {
  const History history =
      History("demo/x").started("a", shortened(digest_of("old work")), {seen("in", "1")}).done("a");
  EXPECT_EQ(Planning(workflow({step("a")}), history).sees(seen("in", "1")).about("a"), "WF-15 redefined: rerun");
  const Stage plain = step("a").reads("in");
  const History same = History("demo/x").started("a", work_of(plain), {seen("in", "1")}).done("a");
  EXPECT_EQ(Planning(workflow({plain}), same).sees(seen("in", "2")).about("a"), "WF-17 inputs: rerun");
  EXPECT_EQ(Planning(workflow({plain}), same).sees(missing("in")).about("a"), "WF-17 inputs: rerun");
  const Stage verified = step("a").reads("in").verified_by("true");
  const History checked = History("demo/x").started("a", work_of(verified), {seen("in", "1")}).done("a");
  EXPECT_EQ(Planning(workflow({verified}), checked).sees(seen("in", "2")).about("a"),
            "WF-16 inputs verify: verify");
}

TEST(Planner, WhatNothingAsksForIsNotNeeded) {
  const History history = History("demo/x").did("l/1/review", {}, "good");
  Planning planning(workflow({block("l", {step("review"), step("polish").after({"review"})}).repeats("good", 3),
                              step("b").when("mode", {"never"})}),
                    history);
  EXPECT_EQ(planning.about("l/1/review"), "WF-21 done: keep");
  EXPECT_EQ(planning.about("l/1/polish"), "WF-22 not needed: keep");
  EXPECT_EQ(planning.about("b"), "WF-22 not needed: keep");
}

TEST(Planner, AnExhaustedLoopIsRefused) {
  const History history = History("demo/x").did("l/1", {}, "bad");
  Planning planning(workflow({step("l").repeats("good", 1), step("z").after({"l"})}), history);
  EXPECT_EQ(planning.about("l"), "WF-23 exhausted: refuse");
  EXPECT_EQ(planning.about("z"), "WF-01 new: run");
}

// ---- gates

TEST(Planner, GatesAreDecidedByWhatThePersonSaw) {
  const Workflow made = workflow({step("a"), gate("g").after({"a"}).shows("r")});
  const auto decided = [](bool approved) {
    return History("demo/x").did("a").add(GateDecided{{"g"}, approved, "ana", "ok", {seen("r", "1")}});
  };
  EXPECT_EQ(Planning(made, History("demo/x")).about("g"), "WF-31 not reached: run");
  EXPECT_EQ(Planning(made, History("demo/x").did("a")).about("g"), "WF-32 ask: wait");
  EXPECT_EQ(Planning(made, History("demo/x").did("a").add(GateOpened{{"g"}, "go?", {}})).about("g"),
            "WF-33 open: wait");
  EXPECT_EQ(Planning(made, decided(true)).sees(seen("r", "1")).about("g"), "WF-36 approved: keep");
  EXPECT_EQ(Planning(made, decided(true)).sees(seen("r", "2")).about("g"), "WF-35 approval outdated: wait");
  EXPECT_EQ(Planning(made, decided(false)).sees(seen("r", "1")).about("g"), "WF-30 rejected: refuse");
  const History moved = decided(true).add(StepReset{{"a"}, "retry", "ana", ""});
  EXPECT_EQ(Planning(made, moved).sees(seen("r", "1")).about("g"), "WF-34 approval moving: verify");
}

TEST(Planner, AGateThatNobodyOpenedIsAmongWhatARunWaitsFor) {
  Planning planning(workflow({gate("g")}), History("demo/x"));
  ASSERT_EQ(planning.plan().waiting_for.size(), 1u);
  EXPECT_EQ(planning.plan().waiting_for[0].name, "g");
  ASSERT_FALSE(planning.plan().options.empty());
  EXPECT_EQ(planning.plan().options[0].command, "reprise approve demo/x g");
}

// ---- what always holds

/// A run with something of everything.
Planning rich() {
  History history = History("demo/x", {{"mode", "fast"}});
  history.did("a", {seen("a.txt", "1")}).started("b").failed("b").did("l/1", {}, "bad").started("l/2");
  history.add(GateOpened{{"g"}, "go?", {}}).add(StepSkipped{{"s"}, "ana", "no"});
  Planning planning(
      workflow({step("a"), step("b").after({"a"}), step("l").repeats("good", 4), gate("g").after({"a"}), step("s"),
                step("e").after({"a"}).each({"x", "y"}), step("w").when("mode", {"slow"})}),
      history);
  planning.sees(missing("a.txt")).sights("l/2", Sight::Gone);
  return planning;
}

TEST(Planner, D1_TheSameSnapshotGivesTheSamePlan) {
  Planning planning = rich();
  const Plan first = planning.plan();
  const Plan second = planning.plan();
  ASSERT_EQ(first.decisions.size(), second.decisions.size());
  for (std::size_t i = 0; i < first.decisions.size(); ++i) {
    EXPECT_EQ(first.decisions[i].step, second.decisions[i].step);
    EXPECT_EQ(first.decisions[i].reason(), second.decisions[i].reason());
  }
}

TEST(Planner, D2_D3_EveryStepHasOneDecisionWithARuleAReasonAndEvidence) {
  Planning planning = rich();
  const Plan plan = planning.plan();
  std::set<std::string> steps;
  for (const StepDecision& decision : plan.decisions) {
    EXPECT_TRUE(steps.insert(decision.step.text).second) << decision.step.text;
    EXPECT_FALSE(decision.rule.empty() || decision.reason().empty() || decision.evidence().empty())
        << decision.step.text;
  }
  for (const int leaf : planning.graph().leaves())
    EXPECT_TRUE(steps.contains(planning.graph().node(leaf).path.text));
  EXPECT_EQ(steps.size(), 9u);
}

TEST(Planner, D4_ABlockingFindingLeavesNoResumePoint) {
  History history("demo/y");
  RunState state;
  state.id = {"demo/x"};
  ASSERT_TRUE(apply(state, {{1}, history.now(), RunCreated{.workflow = "demo", .baseline = {seen("base", "1")}}}));
  const Workflow made = workflow({step("a")});
  RunSnapshot snapshot{.state = &state, .workflow = &made, .now = history.now(), .last_activity = history.now()};
  snapshot.files["base"] = seen("base", "2");
  Graph graph(made, state);
  const Plan plan = make_plan(snapshot, graph);
  EXPECT_EQ(plan.readiness, Readiness::Blocked);
  EXPECT_FALSE(plan.resume_point);
  ASSERT_EQ(plan.findings.size(), 1u);
  EXPECT_EQ(plan.findings[0].code, "baseline_changed");
  const std::string seen_then = snapshot.files["base"].digest;
  ASSERT_TRUE(apply(state, {{2}, history.now(), FindingOverruled{"baseline_changed", seen_then, "ana", "meant"}}));
  EXPECT_TRUE(make_plan(snapshot, graph).resume_point) << "accepted as it was seen";
  snapshot.files["base"] = seen("base", "3");
  EXPECT_FALSE(make_plan(snapshot, graph).resume_point) << "another sight is another finding";
}

TEST(Planner, D5_WhatDependsOnSomethingThatRunsAgainIsVerified) {
  const History history = History("demo/x").did("a", {seen("a.txt", "1")}).did("b").did("c").did("z");
  Planning planning(workflow({step("a"), step("b").after({"a"}), step("c").after({"b"}), step("z")}), history);
  planning.sees(missing("a.txt"));
  EXPECT_EQ(planning.about("b"), "WF-18 upstream: verify");
  EXPECT_EQ(planning.about("c"), "WF-18 upstream: verify");
  EXPECT_EQ(planning.about("z"), "WF-21 done: keep");
}

TEST(Planner, D5_WhatRanAgainWhileNobodyLookedFurtherCountsAsWell) {
  const Workflow made = workflow({step("a"), step("b").after({"a"})});
  History history = History("demo/x").did("a", {seen("a.txt", "1")}).did("b");
  history.add(StepReset{{"a"}, "retry", "ana", ""});
  const History other = History(history).did("a", {seen("a.txt", "2")});
  EXPECT_EQ(Planning(made, other).about("b"), "WF-18 upstream: verify") << "a killed session verified nothing";
  const History same = History(history).did("a", {seen("a.txt", "1")});
  EXPECT_EQ(Planning(made, same).about("b"), "WF-21 done: keep") << "the same artifacts change nothing";
  const History verified = History(other).add(StepVerified{{"b"}, "it fits", {}, {}, {}});
  EXPECT_EQ(Planning(made, verified).about("b"), "WF-21 done: keep");
}

TEST(Planner, D5_LaterRoundsOfALoopDependOnEarlierOnes) {
  const History history =
      History("demo/x").did("l/1", {seen("r1", "1")}, "bad").did("l/2", {seen("r2", "1")}, "good");
  Planning planning(workflow({step("l").makes("r{iteration}").repeats("good", 4)}), history);
  planning.sees(missing("r1")).sees(seen("r2", "1"));
  EXPECT_EQ(planning.about("l/1"), "WF-14 missing: rerun");
  EXPECT_EQ(planning.about("l/2"), "WF-18 upstream: verify");
}

TEST(Planner, AStepOfASatisfiedLoopIsLookedAtToo) {
  const History history = History("demo/x").did("l/1/fix", {seen("r", "1")}).did("l/1/review", {}, "good");
  Planning planning(workflow({block("l", {step("fix"), step("review").after({"fix"})}).repeats("good", 4)}),
                    history);
  planning.sees(missing("r"));
  EXPECT_EQ(planning.about("l/1/fix"), "WF-14 missing: rerun");
  EXPECT_EQ(planning.about("l/1/review"), "WF-18 upstream: verify");
}

TEST(Planner, WhatIsDoneAgainIsCountedWithWhatItsLastAttemptTook) {
  const History history = History("demo/x").did("a", {seen("a.txt", "1")}).did("b").started("c");
  Planning planning(workflow({step("a").makes("a.txt"), step("b"), step("c"), step("d")}), history);
  planning.sees(missing("a.txt"));
  const Plan& plan = planning.plan();
  EXPECT_EQ(planning.about("a"), "WF-14 missing: rerun");
  EXPECT_EQ(plan.saved_steps, 1) << "b";
  EXPECT_EQ(plan.again_steps, 2) << "a, and c, which was cut off; d was never begun";
  EXPECT_EQ(plan.again_time, Duration(5'000)) << "what c took nobody knows";
}

TEST(Planner, D6_TheResumePointIsTheFirstStepThatIsNotKept) {
  const History history = History("demo/x").did("a").started("b").failed("b");
  Planning planning(workflow({step("a"), step("b").after({"a"}), step("c").after({"b"})}), history);
  const Plan& plan = planning.plan();
  ASSERT_TRUE(plan.resume_point);
  EXPECT_EQ(plan.decisions[*plan.resume_point].step.text, "b");
  EXPECT_EQ(plan.saved_steps, 1);
  EXPECT_EQ(plan.saved_time, Duration(5'000));
}

TEST(Planner, D6_NobodyStartsFromAStageBehindOneThatIsNotDone) {
  const History history = History("demo/x").did("a").started("b").failed("b");
  Planning planning(workflow({step("a"), step("b").after({"a"}), step("c").after({"b"})}), history);
  const Plan plan = planning.plan();
  const Result<std::vector<StepPath>> jump = steps_repeated_from("c", plan, planning.graph());
  ASSERT_FALSE(jump);
  EXPECT_EQ(jump.error().kind, ErrorKind::Invalid);
  EXPECT_NE(jump.error().message.find("\"b\""), std::string::npos);
  const Result<std::vector<StepPath>> unknown = steps_repeated_from("nope", plan, planning.graph());
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("a, b, c"), std::string::npos);
}

TEST(Planner, FromAStageRepeatsWhatIsKeptOfItAndBehindIt) {
  const History history = History("demo/x").did("a").did("b/x").did("b/y").did("c").did("z");
  Planning planning(
      workflow({step("a"), step("b").each({"x", "y"}).after({"a"}), step("c").after({"b"}), step("z")}), history);
  const Plan plan = planning.plan();
  const std::vector<StepPath> all = {{"b/x"}, {"b/y"}, {"c"}};
  EXPECT_EQ(steps_repeated_from("b", plan, planning.graph()).value(), all);
  const std::vector<StepPath> one = {{"b/y"}, {"c"}};
  EXPECT_EQ(steps_repeated_from("b/y", plan, planning.graph()).value(), one);
}

TEST(Planner, ReadinessSaysWhatARunNeeds) {
  const Workflow made = workflow({step("a")});
  EXPECT_EQ(Planning(made, History("demo/x")).plan().readiness, Readiness::Ready);
  const History done = History("demo/x").did("a").add(RunFinished{RunStatus::Done, "", ""});
  EXPECT_EQ(Planning(made, done).plan().readiness, Readiness::Done);
  const History stopped = History("demo/x").add(RunFinished{RunStatus::Stopped, "", "ana"});
  EXPECT_EQ(Planning(made, stopped).plan().readiness, Readiness::Fresh);
  EXPECT_EQ(Planning(workflow({gate("g")}), History("demo/x")).plan().readiness, Readiness::Wait);
  EXPECT_EQ(Planning(made, History("demo/x")).definition_changed("a").plan().readiness, Readiness::Confirm);
  EXPECT_EQ(Planning(made, History("demo/x")).later(std::chrono::hours(30)).plan().findings.at(0).code,
            "old_state");
}

TEST(Planner, TheSnapshotLooksAtEveryFileTheRecordMentions) {
  History history = History("demo/x");
  history.started("a", {}, {seen("in", "1")})
      .done("a", {seen("out", "1")})
      .started("b", {}, {}, {missing("b.md")});
  history.add(GateOpened{{"g"}, "go?", {seen("shown", "1")}});
  const Workflow made = workflow({step("a"), step("b").makes("b.md", must_match("END")), gate("g")});
  const Graph graph(made, history.state());
  const std::vector<std::string> expected = {"b.md", "in", "out", "shown"};
  EXPECT_EQ(files_of_interest(history.state(), graph), expected);
  ASSERT_EQ(cut_off_steps(history.state(), graph).size(), 1u);
  EXPECT_EQ(graph.node(cut_off_steps(history.state(), graph)[0]).path.text, "b");
}

}  // namespace
}  // namespace reprise
