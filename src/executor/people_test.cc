// People and resuming: gates, questions, requests while a run is alive, and what a session makes of what
// the last one left.

#include <gtest/gtest.h>

#include "testing/bench.h"

namespace reprise {
namespace {

using Names = std::vector<std::string>;

Steer approve(std::string gate) { return {"approve", std::move(gate), "", "", "ana"}; }

Script slow() {
  Script script;
  script.takes = Duration(600'000);
  return script;
}

// ---- gates

TEST(Gates, P30_AnApprovalHoldsAsLongAsWhatItShowsIsTheSame) {
  Bench bench(workflow({step("a").makes("r"), gate("g").after({"a"}).shows("r"), step("b").after({"g"})}));
  bench.script("a", {succeeding({{"r", "1"}})});
  bench.script("b", {failing(1)});
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  EXPECT_EQ(bench.session({approve("g")}).status, RunStatus::Failed);
  EXPECT_EQ(bench.session().status, RunStatus::Failed) << "asked once, never again";
  EXPECT_EQ(bench.events<GateOpened>().size(), 1u);
  bench.put("r", "2");
  EXPECT_EQ(bench.session().status, RunStatus::Waiting) << "it shows something else now";
  EXPECT_EQ(bench.events<GateOpened>().size(), 2u);
  EXPECT_EQ(bench.rule_of("g"), "WF-35 approval outdated");
}

TEST(Gates, P30_WhatChangedSinceTheGateOpenedIsShownAgainBeforeItIsApproved) {
  Bench bench(workflow({gate("g").shows("r")}));
  bench.put("r", "1");
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  bench.put("r", "2");
  const Result<SessionEnd> end = bench.try_session({approve("g")});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(bench.state().gates.at({"g"}).record, GateState::Record::Open);
}

TEST(Gates, AnUnchangedApprovalSurvivesThatItsStepRunsAgain) {
  Bench bench(workflow({step("a").makes("r"), gate("g").after({"a"}).shows("r"), step("b").after({"g"})}));
  bench.script("a", {succeeding({{"r", "1"}})});
  bench.session();
  bench.session({approve("g")});
  ASSERT_EQ(bench.state().status, RunStatus::Done);
  Bench other(workflow({step("a").makes("r"), gate("g").after({"a"}).shows("r"), step("b").after({"g"})}));
  other.script("a", {succeeding({{"r", "1"}})});
  other.script("b", {failing(1), succeeding()});
  other.session();
  other.session({approve("g")});
  other.erase("r");
  EXPECT_EQ(other.session().status, RunStatus::Done);
  EXPECT_EQ(other.events<GateOpened>().size(), 1u);
  EXPECT_EQ(other.started(), (Names{"a#1", "b#1", "a#2", "b#2"}));
}

TEST(Gates, ARejectionEndsTheRunAndAResumeAsksAnew) {
  Bench bench(workflow({gate("g"), step("b").after({"g"})}));
  bench.session();
  const SessionEnd end = bench.session({{"reject", "g", "not like this", "", "ana"}});
  EXPECT_EQ(end.status, RunStatus::Failed);
  EXPECT_NE(end.reason.find("not like this"), std::string::npos);
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
}

TEST(Gates, X2_ARejectionThatIsRecordedIsNotAskedAgainAfterACrash) {
  Bench bench(workflow({gate("g")}));
  bench.session();
  // Calls of the session: acquire, state, the look at the gate's files, and the append of the decision.
  for (int call = 1; call < 20; ++call) {
    bench.kill_next_at(call, KillSwitch::Moment::AfterEffect);
    static_cast<void>(bench.try_session({{"reject", "g", "no", "", "ana"}}));
    if (!bench.events<GateDecided>().empty()) break;
  }
  ASSERT_EQ(bench.events<GateDecided>().size(), 1u);
  if (bench.state().status == RunStatus::Running) static_cast<void>(bench.session());
  EXPECT_EQ(bench.state().status, RunStatus::Failed);
  EXPECT_EQ(bench.events<GateOpened>().size(), 1u);
}

// ---- workers that ask

TEST(Questions, AStepThatAsksGoesOnWhenItIsAnswered) {
  Bench bench(workflow({step("a").makes("out")}));
  bench.script("a", {reporting(R"({"status":"needs_human","questions":[{"id":"q1","text":"which?"}]})"),
                     succeeding({{"out", "1"}})});
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  EXPECT_EQ(bench.session().status, RunStatus::Waiting) << "nobody answered";
  EXPECT_EQ(bench.session({{"answer", "q1", "that one", "", "ana"}}).status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "a#2"}));
  const std::string context = bench.files().content("/store/attempts/demo/x+1-0/a/2/context.json").value_or("");
  EXPECT_NE(context.find("that one"), std::string::npos) << "the answer is in the brief";
}

TEST(Questions, AStepThatAsksWithoutQuestionsOpensAGateOfItsName) {
  Bench bench(workflow({step("a").makes("out"), step("b").after({"a"})}));
  bench.script("a", {reporting(R"({"status":"needs_human","summary":"may I?"})"), succeeding({{"out", "1"}})});
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  EXPECT_EQ(bench.state().gates.at({"a"}).ask, "may I?");
  EXPECT_EQ(bench.session({approve("a")}).status, RunStatus::Done);
}

// ---- requests to a living owner

TEST(Requests, AnApprovalReachesARunThatIsAlive) {
  Bench bench(workflow({gate("g"), step("b").after({"g"}), step("other")}));
  bench.script("other", {slow()});
  std::int64_t request = 0;
  bench.at_wait(1, [&] { request = bench.ask(approve("g")); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.answer_to(request), "");
}

TEST(Requests, WhatCannotBeDoneIsAnsweredWithTheReason) {
  Bench bench(workflow({step("a")}));
  bench.script("a", {slow()});
  std::int64_t request = 0;
  bench.at_wait(1, [&] { request = bench.ask({"skip", "a", "because", "", "ana"}); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_NE(bench.answer_to(request).value_or("").find("running"), std::string::npos);
}

TEST(Requests, ACancelStopsTheWorkersAndIsAnsweredWhenTheyAreGone) {
  Bench bench(workflow({step("a"), step("b").after({"a"})}));
  bench.script("a", {slow()});
  std::int64_t request = 0;
  bench.at_wait(1, [&] { request = bench.ask({"cancel", "", "enough", "", "ana"}); });
  EXPECT_EQ(bench.session().status, RunStatus::Stopped);
  EXPECT_EQ(bench.answer_to(request), "");
  EXPECT_EQ(bench.state().reason, "enough");
  EXPECT_EQ(bench.guard().running_count(), 0u);
  EXPECT_EQ(bench.events<AttemptFinished>().at(0).outcome, AttemptOutcome::Stopped);
}

TEST(Requests, AFailedStepMayBeSkippedWhileTheRunIsAlive) {
  Bench bench(workflow({step("a"), step("b").after({"a"}), step("other")}));
  bench.script("a", {failing(1)});
  bench.script("other", {slow()});
  bench.at_wait(2, [&] { bench.ask({"skip", "a", "not needed", "", "ana"}); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "other#1", "b#1"}));
}

TEST(Requests, J7_SkippingAStepBeforeItsTurnStartsNothingTooEarly) {
  Bench bench(workflow({step("a"), step("b").each({"x", "y"}).after({"a"}), step("c").after({"b"})}));
  bench.script("a", {slow()});
  bench.at_wait(1, [&] { bench.ask({"skip", "b/x", "not needed", "", "ana"}); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "b/y#1", "c#1"}));
}

TEST(Requests, AFinishedStepThatIsToBeDoneAgainIsDoneInThisVerySession) {
  Bench bench(workflow({step("a"), step("b").after({"a"}), step("other")}));
  bench.script("other", {slow()});
  bench.at_wait(3, [&] { bench.ask({"retry", "a", "", "", "ana"}); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "other#1", "b#1", "a#2", "b#2"}));
}

// ---- what the last session left

TEST(Resume, X2_TheEndOfAWorkerThatNobodyWatchedIsTakenOver) {
  Bench bench(workflow({step("a").makes("out"), step("b").after({"a"})}));
  bench.script("a", {succeeding({{"out", "1"}})});
  bench.at_wait(1, [&] { bench.kill().arm(1, KillSwitch::Moment::AfterEffect); });
  EXPECT_FALSE(bench.try_session());
  EXPECT_TRUE(bench.guard().records().contains("a#1"));
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "b#1"}));
}

TEST(Resume, X2_AWorkerThatIsStillAliveIsAdopted) {
  Bench bench(workflow({step("a"), step("b").after({"a"})}));
  bench.script("a", {slow()});
  bench.at_wait(1, [&] { bench.kill().arm(1, KillSwitch::Moment::BeforeEffect); });
  EXPECT_FALSE(bench.try_session());
  EXPECT_EQ(bench.guard().running_count(), 1u);
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "b#1"}));
}

TEST(Resume, X2_AWorkerInALaterRoundOfALoopIsAdoptedToo) {
  Bench bench(workflow({step("l").repeats("good", 5)}));
  Script second = reporting(R"({"verdict":"good"})");
  second.takes = Duration(600'000);
  bench.script("l/1", {reporting(R"({"verdict":"bad"})")});
  bench.script("l/2", {second});
  bench.at_wait(2, [&] { bench.kill().arm(1, KillSwitch::Moment::BeforeEffect); });
  EXPECT_FALSE(bench.try_session());
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"l/1#1", "l/2#1"}));
}

TEST(Resume, AnAdoptedWorkerOfAnotherDefinitionIsNotTheLastWord) {
  Bench bench(workflow({step("a")}));
  bench.script("a", {slow(), succeeding()});
  bench.at_wait(1, [&] { bench.kill().arm(1, KillSwitch::Moment::BeforeEffect); });
  EXPECT_FALSE(bench.try_session());
  bench.redefine(workflow({step("a").runs({"other", "work"})}));
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "a#2"}));
}

// A session that is killed while `a` runs and loses its guard: the attempt is gone without a record.
void cut_off(Bench& bench, bool finish_first = false) {
  bench.at_wait(1, [&bench, finish_first] {
    bench.guard().lose(finish_first);
    bench.kill().arm(1, KillSwitch::Moment::BeforeEffect);
  });
  EXPECT_FALSE(bench.try_session());
}

TEST(Resume, ACutOffStepIsRestarted) {
  Bench bench(workflow({step("a")}));
  cut_off(bench);
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "a#2"}));
}

TEST(Resume, AStepThatContinuesIsToldWhatItLeft) {
  Bench bench(workflow({step("a").makes("out").resumes(ResumeRule::Continue)}));
  Script partial = slow();
  partial.begins["/project/out"] = "half";
  bench.script("a", {partial, succeeding({{"out", "whole"}})});
  cut_off(bench);
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  const std::string context = bench.files().content("/store/attempts/demo/x+1-0/a/2/context.json").value_or("");
  EXPECT_NE(context.find(R"("partial":["out"])"), std::string::npos) << context;
}

TEST(Resume, AStepThatReportsWaitsForAPersonsWord) {
  Bench bench(workflow({step("a").resumes(ResumeRule::Report)}));
  cut_off(bench);
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  EXPECT_EQ(bench.started(), (Names{"a#1"}));
  EXPECT_EQ(bench.session({{"retry", "a", "", "", "ana"}}).status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "a#2"}));
}

TEST(Resume, ALL05_WhatACutOffStepLeftCountsOnlyWithADeclaredCheckAndNewContent) {
  const Stage declared = step("a").makes("out", must_match("END"));
  Bench proven(workflow({declared}));
  proven.script("a", {succeeding({{"out", "text END"}})});
  cut_off(proven, true);
  EXPECT_EQ(proven.session().status, RunStatus::Done);
  EXPECT_EQ(proven.started(), (Names{"a#1"}));
  EXPECT_NE(proven.step_state("a").reason->find("WF-06"), std::string::npos);

  Bench incomplete(workflow({declared}));
  incomplete.script("a", {succeeding({{"out", "half"}}), succeeding({{"out", "text END"}})});
  cut_off(incomplete, true);
  EXPECT_EQ(incomplete.session().status, RunStatus::Done);
  EXPECT_EQ(incomplete.started().size(), 2u);

  Bench undeclared(workflow({step("a").makes("out")}));
  undeclared.script("a", {succeeding({{"out", "text END"}})});
  cut_off(undeclared, true);
  EXPECT_EQ(undeclared.session().status, RunStatus::Done);
  EXPECT_EQ(undeclared.started().size(), 2u) << "not empty is no proof";

  Bench old(workflow({declared}));
  old.put("out", "text END");
  old.script("a", {succeeding({{"out", "text END"}})});
  cut_off(old, true);
  EXPECT_EQ(old.session().status, RunStatus::Done);
  EXPECT_EQ(old.started().size(), 2u) << "the same content was there before the attempt";
}

TEST(Resume, FromAStageRepeatsItAndWhatNeedsIt) {
  Bench bench(
      workflow({step("a"), step("b").after({"a"}), step("c").after({"b"}), step("z"), step("last").after({"c"})}));
  bench.script("last", {failing(1), succeeding()});
  EXPECT_EQ(bench.session().status, RunStatus::Failed);
  EXPECT_EQ(bench.session({}, "b").status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "z#1", "b#1", "c#1", "last#1", "b#2", "c#2", "last#2"}));
}

TEST(Resume, D5_AChangedDefinitionRepeatsOnlyWhatItTouches) {
  const auto made = [](const char* word) {
    return workflow({step("a").runs({"work", word}).makes("r"), step("b").after({"a"}), step("c").after({"b"}),
                     step("z"), step("last").after({"c"})});
  };
  Bench same(made("one"));
  same.script("a", {succeeding({{"r", "1"}})});
  same.script("last", {failing(1), succeeding()});
  same.session();
  same.redefine(made("two"));
  EXPECT_EQ(same.session().status, RunStatus::Done);
  EXPECT_EQ(same.started(), (Names{"a#1", "z#1", "b#1", "c#1", "last#1", "a#2", "last#2"}))
      << "a gave the same artifacts: b and c are kept";
  EXPECT_EQ(same.events<StepVerified>().size(), 2u);

  Bench other(made("one"));
  other.script("a", {succeeding({{"r", "1"}}), succeeding({{"r", "2"}})});
  other.script("last", {failing(1), succeeding()});
  other.session();
  other.redefine(made("two"));
  EXPECT_EQ(other.session().status, RunStatus::Done);
  EXPECT_EQ(other.started(), (Names{"a#1", "z#1", "b#1", "c#1", "last#1", "a#2", "b#2", "c#2", "last#2"}));
}

TEST(Resume, D5_AKilledSessionThatHadNotVerifiedYetIsMadeUpFor) {
  Bench bench(workflow({step("a").makes("r"), step("b").after({"a"}), step("last").after({"b"})}));
  bench.script("a", {succeeding({{"r", "1"}}), succeeding({{"r", "2"}})});
  bench.script("last", {failing(1), succeeding()});
  bench.session();
  bench.erase("r");
  // Dies when a has run again, differently, and before b has been looked at.
  bench.guard().on_start([&](const WorkerSpec& spec) {
    if (spec.attempt == "b#2") bench.kill().arm(1, KillSwitch::Moment::BeforeEffect);
  });
  static_cast<void>(bench.try_session());
  bench.guard().lose(false);
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_GE(bench.step_state("b").attempts, 2);
}

}  // namespace
}  // namespace reprise
