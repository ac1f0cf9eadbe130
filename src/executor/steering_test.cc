// Steering: which events a person's word means, and when it is refused.

#include "executor/steering.h"

#include <gtest/gtest.h>

#include "testing/builders.h"

namespace reprise {
namespace {

class SteeringTest : public testing::Test {
 protected:
  Result<std::vector<Event>> steer(Steer steer, std::vector<SeenFile> shown = {}) {
    steer.by = "ana";
    const Graph graph(workflow_, history_.state());
    return events_for(steer, history_.state(), graph, shown);
  }
  ErrorKind refusal(Steer steer_to) {
    const Result<std::vector<Event>> events = steer(std::move(steer_to));
    EXPECT_FALSE(events);
    return events ? ErrorKind::Io : events.error().kind;
  }
  Workflow workflow_ = workflow({step("a"), step("b").after({"a"}), gate("g"),
                                 block("polish", {step("fix")}).repeats("good", 3), step("e").each({"x", "y"})});
  History history_{"demo/x"};
};

TEST_F(SteeringTest, WhatIsAskedSurvivesTheJournal) {
  const Steer steer{"approve", "g \"1\"", "text\n", "seen", "ana"};
  const Result<Steer> back = decode_steer("approve", encode_steer(steer), "ana");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->target, steer.target);
  EXPECT_EQ(back->text, steer.text);
  EXPECT_EQ(back->seen, steer.seen);
  EXPECT_FALSE(decode_steer("approve", "[]", "ana"));
}

TEST_F(SteeringTest, P30_AnApprovalIsRecordedWithWhatThePersonSaw) {
  history_.add(GateOpened{{"g"}, "go?", {}});
  const std::vector<Event> events = steer({"approve", "", "fine", "", ""}, {seen("r", "1")}).value();
  const GateDecided& decided = std::get<GateDecided>(events.at(0));
  EXPECT_TRUE(decided.approved);
  EXPECT_EQ(decided.by, "ana");
  EXPECT_EQ(decided.shows.at(0).path, "r");
}

TEST_F(SteeringTest, AGateIsMeantByItsNameOrByBeingTheOnlyOne) {
  EXPECT_EQ(refusal({"approve", "", "", "", ""}), ErrorKind::NotFound) << "none is open";
  history_.add(GateOpened{{"g"}, "go?", {}}).add(GateOpened{{"polish/1/ok"}, "ok?", {}});
  EXPECT_EQ(refusal({"approve", "", "", "", ""}), ErrorKind::NotFound) << "two are";
  EXPECT_TRUE(steer({"approve", "ok", "", "", ""}));
  EXPECT_EQ(refusal({"approve", "k", "", "", ""}), ErrorKind::NotFound) << "whole names only";
  EXPECT_EQ(refusal({"reject", "g", "", "", ""}), ErrorKind::Invalid) << "a rejection needs a reason";
}

TEST_F(SteeringTest, AStepIsMeantByItsPathOrByTheEndOfIt) {
  EXPECT_TRUE(steer({"skip", "fix", "why", "", ""}));
  EXPECT_EQ(std::get<StepSkipped>(steer({"skip", "polish", "why", "", ""}).value()[0]).step.text, "polish/1/fix");
  EXPECT_EQ(refusal({"skip", "e", "why", "", ""}), ErrorKind::Invalid) << "e/x or e/y";
  EXPECT_EQ(refusal({"skip", "nope", "why", "", ""}), ErrorKind::NotFound);
  EXPECT_EQ(refusal({"skip", "b", "", "", ""}), ErrorKind::Invalid) << "a reason is needed";
}

TEST_F(SteeringTest, WhatIsDoneOrRunningIsNotSkipped) {
  history_.did("a").started("b");
  EXPECT_EQ(refusal({"skip", "a", "why", "", ""}), ErrorKind::Invalid);
  EXPECT_EQ(refusal({"skip", "b", "why", "", ""}), ErrorKind::Conflict);
  EXPECT_EQ(refusal({"retry", "b", "", "", ""}), ErrorKind::Conflict);
  EXPECT_EQ(refusal({"retry", "e/x", "", "", ""}), ErrorKind::Invalid) << "it has not been tried";
}

TEST_F(SteeringTest, WhatLetsAFailedRunGoOnOpensItAgain) {
  history_.started("a").failed("a").add(RunFinished{RunStatus::Failed, "", ""});
  const std::vector<Event> events = steer({"retry", "a", "", "", ""}).value();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<RunReopened>(events[0]));
  EXPECT_TRUE(std::holds_alternative<StepReset>(events[1]));
  EXPECT_TRUE(std::holds_alternative<RunReopened>(steer({"skip", "a", "why", "", ""}).value().at(0)));
  EXPECT_EQ(refusal({"approve", "g", "", "", ""}), ErrorKind::Invalid)
      << "a gate is asked again when the run goes on";
}

TEST_F(SteeringTest, AQuestionIsAnsweredOnce) {
  history_.started("a").ended("a", {.outcome = AttemptOutcome::NeedsHuman});
  history_.add(QuestionAsked{"q1", {"a"}, "which?", {}, {}});
  EXPECT_TRUE(steer({"answer", "q1", "this", "", ""}));
  EXPECT_EQ(refusal({"answer", "q2", "this", "", ""}), ErrorKind::NotFound);
  history_.add(QuestionAnswered{"q1", "this", "ana"});
  EXPECT_EQ(refusal({"answer", "q1", "that", "", ""}), ErrorKind::Invalid);
}

TEST_F(SteeringTest, J9_NothingIsAskedOfARunThatIsOver) {
  history_.add(RunFinished{RunStatus::Done, "", ""});
  for (const char* kind : {"approve", "reject", "answer", "skip", "retry", "cancel", "accept"}) {
    EXPECT_EQ(refusal({kind, "a", "why", "", ""}), ErrorKind::Invalid) << kind;
  }
}

TEST_F(SteeringTest, CancellingAndAcceptingAreRecordedWithWhoAndWhy) {
  const std::vector<Event> cancelled = steer({"cancel", "", "enough", "", ""}).value();
  EXPECT_EQ(std::get<RunFinished>(cancelled[0]).status, RunStatus::Stopped);
  EXPECT_EQ(std::get<RunFinished>(cancelled[0]).by, "ana");
  EXPECT_EQ(refusal({"accept", "baseline_changed", "", "", ""}), ErrorKind::Invalid);
  const std::vector<Event> accepted = steer({"accept", "baseline_changed", "meant", "sha256:1", ""}).value();
  EXPECT_EQ(std::get<FindingOverruled>(accepted[0]).seen, "sha256:1");
  EXPECT_EQ(refusal({"dance", "", "", "", ""}), ErrorKind::Invalid);
}

}  // namespace
}  // namespace reprise
