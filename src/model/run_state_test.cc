// The fold: what a history means, and which histories are refused.

#include "model/run_state.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/builders.h"

namespace reprise {
namespace {

/// Whether `event` may follow `history` with this number.
Result<void> follows(const History& history, Event event, std::int64_t skip = 0) {
  RunState state = history.state();
  return apply(state, {{state.last.value + 1 + skip}, history.now(), std::move(event)});
}

TEST(Fold, J1_AHoleInTheNumbersIsRefused) {
  const History history("demo/x");
  EXPECT_TRUE(follows(history, NoteAdded{"x", "ana"}));
  EXPECT_FALSE(follows(history, NoteAdded{"x", "ana"}, 1));
  EXPECT_FALSE(follows(history, NoteAdded{"x", "ana"}, -1));
  RunState empty;
  EXPECT_FALSE(apply(empty, {{1}, {}, NoteAdded{}})) << "the first event creates the run";
  EXPECT_FALSE(follows(history, RunCreated{})) << "and no other one does";
}

TEST(Fold, J8_AtMostOneAttemptOfAStepIsOpen) {
  const History open = History("demo/x").started("a");
  EXPECT_FALSE(follows(open, AttemptStarted{.step = {"a"}, .attempt = {2}}));
  EXPECT_TRUE(follows(open, AttemptStarted{.step = {"b"}, .attempt = {1}}));
  EXPECT_FALSE(follows(History("demo/x"), AttemptStarted{.step = {"a"}, .attempt = {2}})) << "numbers begin at 1";
  EXPECT_FALSE(follows(open, AttemptFinished{.step = {"a"}, .attempt = {2}})) << "another attempt is open";
  EXPECT_FALSE(follows(open, AttemptFinished{.step = {"b"}, .attempt = {1}})) << "none is";
  const History done = History("demo/x").did("a");
  EXPECT_FALSE(follows(done, AttemptFinished{.step = {"a"}, .attempt = {1}})) << "it ended already";
}

TEST(Fold, J9_AfterTheEndOnlyNotesArchivingAndTheReopeningOfAFailure) {
  for (const RunStatus status : {RunStatus::Done, RunStatus::Failed, RunStatus::Stopped}) {
    const History ended = History("demo/x").add(RunFinished{status, "", ""});
    EXPECT_TRUE(follows(ended, NoteAdded{})) << to_token(status);
    EXPECT_TRUE(follows(ended, RunArchived{}));
    EXPECT_TRUE(follows(ended, LeaseTakenOver{}));
    EXPECT_EQ(follows(ended, RunReopened{}).has_value(), status == RunStatus::Failed) << to_token(status);
    EXPECT_FALSE(follows(ended, AttemptStarted{.step = {"a"}, .attempt = {1}}));
    EXPECT_FALSE(follows(ended, PlanAccepted{}));
    EXPECT_FALSE(follows(ended, RunFinished{}));
  }
  EXPECT_FALSE(follows(History("demo/x"), RunReopened{})) << "it is not failed";
}

TEST(Fold, OR13_ARunThatIsBroughtBackIsAsItWasBeforeItWasSetAside) {
  const History open = History("demo/x").did("a");
  History aside = open;
  aside.add(RunFinished{RunStatus::Stopped, "a fresh start was made", ""}).add(RunArchived{.ended = true});
  EXPECT_TRUE(aside.state().archived);
  EXPECT_EQ(aside.state().status, RunStatus::Stopped);
  const RunState back = History(aside).add(RunArchived{.again = true}).state();
  EXPECT_FALSE(back.archived);
  EXPECT_EQ(back.status, RunStatus::Running);
  EXPECT_EQ(back.steps.size(), open.state().steps.size());

  History done = History("demo/x").add(RunFinished{RunStatus::Done, "", ""}).add(RunArchived{});
  EXPECT_EQ(done.add(RunArchived{.again = true}).state().status, RunStatus::Done);
  EXPECT_FALSE(follows(open, RunArchived{.again = true})) << "it is not set aside";
}

TEST(Fold, AnAnswerNeedsItsQuestion) {
  EXPECT_FALSE(follows(History("demo/x"), QuestionAnswered{"q", "yes", "ana"}));
}

TEST(Fold, ARefusedEventChangesNothing) {
  RunState state = History("demo/x").did("a").state();
  const std::string before = encode_state(state);
  EXPECT_FALSE(apply(state, {{99}, {}, NoteAdded{"x", ""}}));
  EXPECT_FALSE(apply(state, {{state.last.value + 1}, {}, AttemptFinished{.step = {"a"}, .attempt = {1}}}));
  EXPECT_FALSE(apply(state, {{state.last.value + 1}, {}, AttemptStarted{.step = {"new"}, .attempt = {7}}}));
  EXPECT_EQ(encode_state(state), before);
}

TEST(Fold, FailuresAreCountedUntilASuccessAResetOrAReopening) {
  History history = History("demo/x").started("a").failed("a", "exit 1").started("a").failed("a", "exit 1");
  EXPECT_EQ(history.state().find_step({"a"})->failures, 2);
  EXPECT_EQ(history.state().find_step({"a"})->same_error, 2);
  history.started("a").failed("a", "exit 2");
  EXPECT_EQ(history.state().find_step({"a"})->same_error, 1);
  EXPECT_EQ(History(history).add(StepReset{{"a"}, "retry", "ana", ""}).state().find_step({"a"})->failures, 0);
  EXPECT_EQ(History(history).started("a").done("a").state().find_step({"a"})->failures, 0);
  const History reopened =
      History(history).add(RunFinished{RunStatus::Failed, "", ""}).add(RunReopened{"ana", ""});
  EXPECT_EQ(reopened.state().find_step({"a"})->failures, 0);
  EXPECT_EQ(reopened.state().status, RunStatus::Running);
  EXPECT_EQ(reopened.state().find_step({"a"})->attempts, 3) << "attempts are never forgotten";
}

TEST(Fold, TheFailureContextIsWhatTheLastAttemptsEndedWithAndIsBounded) {
  History history("demo/x");
  for (int i = 0; i < 20; ++i) {
    history.started("a").ended("a", {.outcome = AttemptOutcome::Failed,
                                     .reason = "exit " + std::to_string(i),
                                     .last_lines = {"one", "two", "three", "four", "five"}});
  }
  const std::vector<std::string>& context = history.state().find_step({"a"})->failure_context;
  EXPECT_LE(context.size(), 44u) << "four attempts: a reason, and five lines of either stream";
  EXPECT_NE(std::ranges::find(context, "attempt 20: exit 19"), context.end());
  EXPECT_TRUE(history.started("a").done("a").state().find_step({"a"})->failure_context.empty());
}

TEST(Fold, AStepRemembersWhenItsArtifactsLastChanged) {
  History history = History("demo/x").did("a", {seen("r", "1")});
  const EventNumber first = history.state().find_step({"a"})->changed_event;
  EXPECT_GT(first.value, 0);
  history.did("a", {seen("r", "1")});
  EXPECT_EQ(history.state().find_step({"a"})->changed_event, first) << "the same content";
  history.did("a", {seen("r", "2")});
  EXPECT_GT(history.state().find_step({"a"})->changed_event, first);
  const EventNumber silent = History("demo/x").did("b").did("b").state().find_step({"b"})->changed_event;
  EXPECT_EQ(silent.value, 5) << "without artifacts nothing says that it is the same";
}

TEST(Fold, ARejectedGateIsForgottenByAReopeningAndTheCostGateAllowsMore) {
  History history =
      History("demo/x").add(GateOpened{{"g"}, "?", {}}).add(GateDecided{{"g"}, false, "ana", "no", {}});
  history.started("a").ended("a", {.cost_usd = 2.5, .tokens = 7});
  history.add(GateOpened{{std::string(kCostGate)}, "?", {}})
      .add(GateDecided{{std::string(kCostGate)}, true, "ana", "", {}});
  EXPECT_DOUBLE_EQ(history.state().cost_allowed_usd, 2.5);
  EXPECT_EQ(history.state().tokens, 7);
  history.add(RunFinished{RunStatus::Failed, "", ""}).add(RunReopened{"ana", ""});
  EXPECT_FALSE(history.state().gates.contains({"g"}));
}

// A state with something in every field.
RunState rich_state() {
  History history = History("demo/x", {{"k", "v"}});
  history.add(PlanAccepted{.definition = "d2", .mode = Mode::Autopilot, .resumed = true});
  history.started("a", shortened(digest_of("w")), {seen("in", "1")}, {missing("out")})
      .done("a", {seen("out", "1")}, "good");
  history.started("b").ended("b", {.outcome = AttemptOutcome::TimedOut,
                                   .signal = 9,
                                   .reason = "slow \"x\"\n",
                                   .retry_at = Timestamp{5},
                                   .last_lines = {"l"}});
  history.started("c").ended("c", {.outcome = AttemptOutcome::Later, .exit_code = 75, .reason = "busy"});
  history.started("d").ended("d", {.outcome = AttemptOutcome::NeedsHuman, .cost_usd = 0.1});
  history.started("e/1/f").add(StepSkipped{{"s"}, "ana", "no"}).add(GateOpened{{"g"}, "go?", {seen("r", "1")}});
  history.add(GateDecided{{"h"}, false, "ana", "because", {}}).add(FindingOverruled{"code", "seen", "ana", "why"});
  history.add(QuestionAsked{"q", {"d"}, "which?", {"x", "y"}, {}}).add(QuestionAnswered{"q", "x", "ana"});
  history.add(NoteAdded{"note", "ana"}).add(RunFinished{RunStatus::Failed, "b failed", ""});
  return history.state();
}

TEST(StoredCopy, J3_AStateReadsBackAsItWasWritten) {
  const RunState state = rich_state();
  const Result<RunState> back = decode_state(encode_state(state));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->steps.size(), state.steps.size());
  RunState rest = state;
  RunState rest_back = *back;
  rest.steps = {};
  rest_back.steps = {};
  EXPECT_EQ(encode_state(rest_back), encode_state(rest));
  for (const auto& [path, step] : state.steps) {
    RunState one;
    RunState one_back;
    one.steps[path] = step;
    one_back.steps[path] = back->steps.find(path)->second;
    EXPECT_EQ(encode_state(one_back), encode_state(one)) << path.text;
  }
  EXPECT_EQ(back->find_step({"b"})->retry_at, Timestamp{5});
  EXPECT_EQ(back->questions.at("q").answer, "x");
  EXPECT_EQ(back->overruled.at("code").because, "why");
}

TEST(StoredCopy, ACopyThatIsCutOrForeignIsCorrupt) {
  const std::string bytes = encode_state(rich_state());
  int refused = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    if (!decode_state(bytes.substr(0, length))) ++refused;
  }
  EXPECT_EQ(refused, static_cast<int>(bytes.size()));
  EXPECT_FALSE(decode_state("{}"));
  EXPECT_FALSE(decode_state(std::string(4'096, '\xff')));
}

}  // namespace
}  // namespace reprise
