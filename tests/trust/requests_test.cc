// Requests: a decision counts once, for what was shown, by the process that was asked.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "journal/disk.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kShip =
    "stages:\n"
    "  spec: {run: 'echo good >spec.md', produces: [spec.md]}\n"
    "  ok: {needs: spec, gate: {ask: 'Ship it?', shows: [spec.md]}}\n"
    "  ship: {needs: ok, run: 'cat spec.md >>shipped'}\n"
    "  pay: {run: 'echo PAY >>paid'}\n"
    "  slow: {run: 'touch started; while [ ! -e go ]; do sleep 0.02; done'}\n";

/// The journal of a world, looked at from outside.
class Record {
 public:
  explicit Record(const World& world)
      : journal_(
            open_sqlite_journal(world.root() / ".git/reprise", OpenMode::ReadOnly, clock_, entropy_).value()) {}

  std::size_t open_requests(const std::string& run) { return journal_->requests(RunId{run})->size(); }
  bool is_open(const std::string& run, const std::string& gate) {
    const RunState state = journal_->state(RunId{run}).value();
    const auto found = state.gates.find(StepPath{gate});
    return found != state.gates.end() && found->second.record == GateState::Record::Open;
  }
  template <typename Kind>
  int count(const std::string& run) {
    int count = 0;
    const std::vector<RecordedEvent> events = journal_->events(RunId{run}, {0}, 1'000).value();
    for (const RecordedEvent& recorded : events) count += std::holds_alternative<Kind>(recorded.event) ? 1 : 0;
    return count;
  }

 private:
  SystemClock clock_;
  SystemEntropy entropy_;
  std::unique_ptr<Journal> journal_;
};

/// A run that waits at its gate beside a step that goes on, and that is killed while a command waits for its
/// answer.
class DyingOwner : public testing::Test {
 protected:
  DyingOwner() {
    world_.workflow("w", kShip);
    run_ = world_.start({"run", "w", "x"});
    EXPECT_TRUE(world_.wait_for_file("started"));
    record_.emplace(world_);
    EXPECT_TRUE(World::wait_until([&] { return record_->is_open("w/x", "ok") && world_.has("paid"); }));
  }
  ~DyingOwner() override {
    world_.write("go", "");
    world_.reprise({"cancel", "w/x"});
  }

  // Stops the owner, but not while it holds the lock that every writer needs.
  void stop_owner() {
    EXPECT_TRUE(World::wait_until([&] {
      run_->signal(SIGSTOP);
      int status = 0;
      waitpid(run_->pid(), &status, WUNTRACED);
      if (!is_locked(world_.root() / ".git/reprise/journal.lock", 0).value()) return true;
      run_->signal(SIGCONT);
      return false;
    }));
  }

  // Returns the exit code of the command.
  int ask_and_kill_owner(const std::vector<std::string>& words) {
    stop_owner();
    const std::unique_ptr<Background> command = world_.start(words, "command.txt");
    EXPECT_TRUE(World::wait_until([&] { return record_->open_requests("w/x") == 1; }));
    run_->signal(SIGKILL);
    run_->end();
    return command->end();
  }

  // Starts a second owner and has it serve whatever is open: `cancel` is the last of it.
  void resume_and_cancel() {
    const std::unique_ptr<Background> second = world_.start({"resume", "w/x", "--yes"}, "second.txt");
    EXPECT_TRUE(World::wait_until([&] { return record_->count<PlanAccepted>("w/x") == 2; }));
    EXPECT_TRUE(!expects_gate_ || World::wait_until([&] { return record_->is_open("w/x", "ok"); }));
    EXPECT_EQ(world_.reprise({"cancel", "w/x"}).exit, 0);
    second->end();
  }

  World world_;
  std::unique_ptr<Background> run_;
  std::optional<Record> record_;
  bool expects_gate_ = false;
};

TEST_F(DyingOwner, E02_AnApprovalCountsOnceAndNotForAnotherContent) {
  ASSERT_EQ(ask_and_kill_owner({"approve", "w/x", "ok"}), 0) << world_.read("command.txt");
  EXPECT_EQ(record_->count<GateDecided>("w/x"), 1);
  world_.write("spec.md", "evil\n");
  expects_gate_ = true;
  resume_and_cancel();
  EXPECT_EQ(record_->count<GateDecided>("w/x"), 1);
  EXPECT_FALSE(world_.has("shipped"));
  EXPECT_EQ(record_->open_requests("w/x"), 0u);
}

TEST_F(DyingOwner, E03_ARetryIsDoneOnce) {
  ASSERT_EQ(ask_and_kill_owner({"retry", "w/x", "pay"}), 0) << world_.read("command.txt");
  EXPECT_EQ(record_->count<StepReset>("w/x"), 1);
  resume_and_cancel();
  EXPECT_EQ(record_->count<StepReset>("w/x"), 1);
  EXPECT_EQ(world_.read("paid"), "PAY\nPAY\n");
}

TEST_F(DyingOwner, E03_ASkipIsDoneOnce) {
  world_.write("spec.md", "other\n");
  ASSERT_EQ(ask_and_kill_owner({"skip", "w/x", "ship", "--because", "later"}), 0) << world_.read("command.txt");
  resume_and_cancel();
  EXPECT_EQ(record_->count<StepSkipped>("w/x"), 1);
}

TEST_F(DyingOwner, E02_ACancelOfADeadOwnerEndsTheRunOnce) {
  ASSERT_EQ(ask_and_kill_owner({"cancel", "w/x"}), 0) << world_.read("command.txt");
  EXPECT_EQ(record_->count<RunFinished>("w/x"), 1);
}

// The owner is stopped between the command's look at the gate and its answer; the file that the gate shows changes
// in between. What is approved is what was shown.
TEST_F(DyingOwner, E02_ALivingOwnerRefusesWhatChangedSinceItWasShown) {
  stop_owner();
  const std::unique_ptr<Background> command = world_.start({"approve", "w/x", "ok"}, "command.txt");
  ASSERT_TRUE(World::wait_until([&] { return record_->open_requests("w/x") == 1; }));
  world_.write("spec.md", "evil\n");
  run_->signal(SIGCONT);
  EXPECT_EQ(command->end(), 2) << world_.read("command.txt");
  EXPECT_EQ(record_->count<GateDecided>("w/x"), 0);
  EXPECT_TRUE(record_->is_open("w/x", "ok"));
}

// Two answers to one question asked: the second finds that the first was done, and does nothing.
TEST_F(DyingOwner, E03_ARetryOfAStepThatWasTriedAgainMeanwhileIsRefused) {
  stop_owner();
  const std::unique_ptr<Background> first = world_.start({"retry", "w/x", "pay"}, "first.txt");
  ASSERT_TRUE(World::wait_until([&] { return record_->open_requests("w/x") == 1; }));
  const std::unique_ptr<Background> second = world_.start({"retry", "w/x", "pay"}, "command.txt");
  ASSERT_TRUE(World::wait_until([&] { return record_->open_requests("w/x") == 2; }));
  run_->signal(SIGCONT);
  EXPECT_EQ(first->end(), 0) << world_.read("first.txt");
  EXPECT_EQ(second->end(), 2) << world_.read("command.txt");
  EXPECT_EQ(record_->count<StepReset>("w/x"), 1);
}

// The person presses Ctrl-C while the owner does not answer, and decides otherwise.
TEST_F(DyingOwner, E02_AnInterruptedApprovalIsWithdrawn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    stop_owner();
    const std::unique_ptr<Background> command = world_.start({"approve", "w/x", "ok"}, "command.txt");
    ASSERT_TRUE(World::wait_until([&] { return record_->open_requests("w/x") == 1; }));
    command->signal(signal);
    EXPECT_EQ(command->end(), 128 + signal) << world_.read("command.txt");
    EXPECT_TRUE(contains(world_.read("command.txt"), "the request was withdrawn, and nothing was recorded"))
        << world_.read("command.txt");
    EXPECT_EQ(record_->open_requests("w/x"), 0u);
    run_->signal(SIGCONT);
  }
  const Ended rejected = world_.reprise({"reject", "w/x", "ok", "--because", "I changed my mind"});
  EXPECT_EQ(rejected.exit, 0) << rejected.err;
  EXPECT_EQ(record_->count<GateDecided>("w/x"), 1);
  EXPECT_FALSE(world_.has("shipped"));
}

// The command was killed, so that it could not withdraw anything: the next decision says what became of it.
TEST_F(DyingOwner, E02_ADecisionAfterAKilledApprovalSaysWhoApproved) {
  stop_owner();
  {
    const std::unique_ptr<Background> command = world_.start({"approve", "w/x", "ok"}, "command.txt");
    ASSERT_TRUE(World::wait_until([&] { return record_->open_requests("w/x") == 1; }));
    command->signal(SIGKILL);
    command->end();
  }
  run_->signal(SIGCONT);
  ASSERT_TRUE(World::wait_until([&] { return record_->count<GateDecided>("w/x") == 1; }));
  const Ended rejected = world_.reprise({"reject", "w/x", "ok", "--because", "I changed my mind"});
  EXPECT_EQ(rejected.exit, 2);
  EXPECT_TRUE(contains(rejected.err, "gate ok was approved already, by ")) << rejected.err;
}

TEST(Requests, E02_WithoutAnOwnerTooWhatIsApprovedIsWhatWasShown) {
  const World world;
  world.workflow(
      "g", "stages:\n  a: {gate: {ask: 'Ship it?', shows: [spec.md]}}\n  b: {needs: a, run: 'cat spec.md'}\n");
  world.write("spec.md", "good\n");
  ASSERT_EQ(world.reprise({"run", "g", "x"}).exit, 3);
  world.write("spec.md", "evil\n");
  const Ended refused = world.reprise({"approve", "g/x", "a"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("look again"), std::string::npos) << refused.err;
  EXPECT_EQ(world.reprise({"approve", "g/x", "a"}).exit, 0) << "it was shown again";
}

// The step that writes the file runs beside the gate: the person approved what was there before.
void expect_asked_again(const std::string& stages) {
  const World world;
  world.workflow("w", stages);
  world.write("app", "A\n");
  const std::unique_ptr<Background> run = world.start({"run", "w", "x"});
  ASSERT_TRUE(world.wait_for_file("started"));
  Record record(world);
  ASSERT_TRUE(World::wait_until([&] { return record.is_open("w/x", "ok"); }));
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  world.write("go", "");
  EXPECT_EQ(run->end(), 3);
  EXPECT_FALSE(world.has("sent")) << "approved was: A; sent was: " << world.read("sent");
  EXPECT_TRUE(record.is_open("w/x", "ok"));
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 0);
  EXPECT_EQ(world.read("sent"), "B\n");
}

TEST(Requests, E02_AnApprovalDoesNotCoverWhatAnotherStepWritesBeforeTheDependentStarts) {
  expect_asked_again(
      "limits: {parallel: 1}\n"
      "stages:\n"
      "  ok: {gate: {ask: Ship, shows: [app]}}\n"
      "  hold: {run: 'touch started; while [ ! -e go ]; do sleep 0.02; done; echo B >app'}\n"
      "  send: {needs: ok, run: 'cat app >>sent'}\n");
}

TEST(Requests, E02_AnApprovalDoesNotCoverWhatTheDependentsOtherNeedWrites) {
  expect_asked_again(
      "stages:\n"
      "  ok: {gate: {ask: Ship, shows: [app]}}\n"
      "  slow: {run: 'touch started; while [ ! -e go ]; do sleep 0.02; done; echo B >app'}\n"
      "  send: {needs: [ok, slow], run: 'cat app >>sent'}\n");
}

TEST(Requests, E02_AnApprovalDoesNotCoverWhatAnotherStepWritesBetweenTwoDependents) {
  expect_asked_again(
      "stages:\n"
      "  ok: {gate: {ask: Ship, shows: [app]}}\n"
      "  first: {needs: ok, run: 'while [ ! -e written ]; do sleep 0.02; done'}\n"
      "  other: {run: 'touch started; while [ ! -e go ]; do sleep 0.02; done; echo B >app; touch written'}\n"
      "  send: {needs: first, run: 'cat app >>sent'}\n");
}

// What a step behind the gate makes of the file is what was approved to be done with it.
TEST(Requests, E02_AStepBehindAGateMayChangeWhatTheGateShows) {
  const World world;
  world.workflow("w",
                 "stages:\n"
                 "  ok: {gate: {ask: Ship, shows: [list]}}\n"
                 "  tick: {needs: ok, run: 'echo ticked >>list'}\n"
                 "  send: {needs: tick, run: 'cat list >>sent'}\n");
  world.write("list", "A\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 0);
  EXPECT_EQ(world.read("sent"), "A\nticked\n");
}

// It declares the file, so that a later session knows too where the change came from.
TEST(Requests, E02_AResumeKeepsAnApprovalOfAFileThatADeclaredStepBehindItChanged) {
  const World world;
  world.workflow("w",
                 "stages:\n"
                 "  ok: {gate: {ask: Ship, shows: [list]}}\n"
                 "  tick: {needs: ok, run: 'echo ticked >>list', produces: [list]}\n"
                 "  send: {needs: tick, run: 'test -e fixed && cat list >>sent'}\n");
  world.write("list", "A\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  ASSERT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 1);
  world.write("fixed", "");
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 0);
  EXPECT_EQ(world.read("sent"), "A\nticked\n");
}

void expect_asked_again_after(const std::string& before, const std::string& after) {
  const World world;
  const auto stages = [](const std::string& gate) {
    return "stages:\n  ok: {gate: " + gate + "}\n  send: {needs: ok, run: 'touch sent'}\n";
  };
  world.write("a", "A\n");
  world.write("b", "B\n");
  world.workflow("w", stages(before));
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  world.workflow("w", stages(after));
  const std::string plan = world.reprise({"plan", "w/x"}).out;
  EXPECT_NE(plan.find("approved, but the definition now asks or shows something else"), std::string::npos) << plan;
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  EXPECT_FALSE(world.has("sent")) << after;
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 0);
}

TEST(Requests, E02_AnApprovalOfOneQuestionDoesNotAnswerAnother) {
  expect_asked_again_after("{ask: Delete staging, shows: [a]}", "{ask: Delete production, shows: [a]}");
}

TEST(Requests, E02_AnApprovalCoversOnlyTheFilesThatTheGateShowed) {
  expect_asked_again_after("{ask: Delete, shows: [a]}", "{ask: Delete, shows: [b]}");
  expect_asked_again_after("{ask: Delete, shows: [a]}", "{ask: Delete, shows: [a, b]}");
  expect_asked_again_after("{ask: Delete, shows: [a]}", "{ask: Delete}");
}

// The gate was opened with the first question; an approval that arrives later is not one of the second.
TEST(Requests, E02_AnOpenGateWhoseQuestionChangedIsShownAgainBeforeItIsApproved) {
  const World world;
  world.workflow("w", "stages:\n  ok: {gate: Delete staging}\n  send: {needs: ok, run: 'touch sent'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  world.workflow("w", "stages:\n  ok: {gate: Delete production}\n  send: {needs: ok, run: 'touch sent'}\n");
  ASSERT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  const std::string inbox = world.reprise({"inbox"}).out;
  EXPECT_NE(inbox.find("Delete production"), std::string::npos) << inbox;
}

// Each asks under the id Q1, and then notes what it was answered.
constexpr const char* kBothAsk =
    "if grep -q '\"answers\":\\[{' \"$REPRISE_CONTEXT\"; then\n"
    "  grep -o '\"answers\":[^]]*' \"$REPRISE_CONTEXT\" >\"answer-$REPRISE_STEP\"\n"
    "else\n"
    "  printf '{\"status\":\"needs_human\",\"questions\":[{\"id\":\"Q1\",\"text\":\"What about %s?\"}]}' "
    "\"$REPRISE_STEP\" >\"$REPRISE_RESULT\"\n"
    "fi\n";

TEST(Requests, E02_QuestionsOfTwoStepsWithTheSameIdAreAnsweredApart) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
  world.write("agent.sh", kBothAsk);
  world.workflow("w",
                 "limits: {parallel: 1}\n"
                 "stages:\n  a: {role: dev, prompt: x}\n  b: {role: dev, prompt: x}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const std::string inbox = world.reprise({"inbox"}).out;
  EXPECT_NE(inbox.find("What about a?"), std::string::npos) << inbox;
  EXPECT_NE(inbox.find("What about b?"), std::string::npos) << inbox;
  EXPECT_NE(inbox.find("Q1@b"), std::string::npos) << inbox;
  EXPECT_EQ(world.reprise({"answer", "w/x", "Q1@b", "right"}).exit, 0);
  EXPECT_EQ(world.reprise({"answer", "w/x", "Q1", "left"}).exit, 0);
  const Ended resumed = world.reprise({"resume", "w/x", "--yes"});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(world.read("answer-a"), "\"answers\":[{\"question\":\"Q1\",\"text\":\"left\"}\n");
  EXPECT_EQ(world.read("answer-b"), "\"answers\":[{\"question\":\"Q1\",\"text\":\"right\"}\n");
}

TEST(Requests, E02_TwoQuestionsOfOneResultWithTheSameIdAreBothAsked) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
  world.write("agent.sh",
              "echo '{\"status\":\"needs_human\",\"questions\":[{\"id\":\"Q1\",\"text\":\"First?\"},"
              "{\"id\":\"Q1\",\"text\":\"Second?\"}]}' >\"$REPRISE_RESULT\"\n");
  world.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const std::string inbox = world.reprise({"inbox"}).out;
  EXPECT_NE(inbox.find("First?"), std::string::npos) << inbox;
  EXPECT_NE(inbox.find("Second?"), std::string::npos) << inbox;
}

TEST(Requests, DW11_AGateThatWasApprovedIsNotSkipped) {
  const World world;
  world.workflow("g", "stages:\n  ok: {gate: 'Ship it?'}\n  b: {needs: ok, run: 'false'}\n");
  ASSERT_EQ(world.reprise({"run", "g", "x"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "g/x", "ok"}).exit, 0);
  const Ended skipped = world.reprise({"skip", "g/x", "ok", "--because", "x"});
  EXPECT_EQ(skipped.exit, 2);
  EXPECT_NE(skipped.err.find("approved already"), std::string::npos) << skipped.err;
  EXPECT_EQ(world.reprise({"why", "g/x", "ok"}).out.find("skip"), std::string::npos);
}

// Two gates end with the same name: the name that inbox prints means the gate that it is printed for.
TEST(Requests, E02_TheGateThatIsNamedIsApproved) {
  const World world;
  world.workflow("w",
                 "stages:\n  aaa: {stages: {ok: {gate: 'Delete?'}, del: {needs: ok, run: 'touch deleted'}}}\n"
                 "  bbb: {stages: {ok: {gate: 'Delete more?'}}}\n"
                 "  ok: {gate: 'Harmless?'}\n  fine: {needs: ok, run: 'touch fine'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  EXPECT_TRUE(world.has("fine"));
  EXPECT_FALSE(world.has("deleted"));
  const Ended ambiguous = world.reprise({"approve", "w/x", "ok"});
  EXPECT_EQ(ambiguous.exit, 2);
  EXPECT_TRUE(contains(ambiguous.err, "aaa/ok, bbb/ok")) << ambiguous.err;
}

// The same approval is typed again, after another gate that ends with the same name has opened.
TEST(Requests, E02_ARepeatedApprovalDoesNotSlideToAnotherGate) {
  const World world;
  world.workflow("w",
                 "stages:\n  ok: {gate: 'Ship code?'}\n"
                 "  deep:\n    needs: ok\n    stages:\n      ok: {gate: 'Pay 1 million?'}\n"
                 "      pay: {needs: ok, run: 'touch paid'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0);
  ASSERT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"approve", "w/x", "ok"},
                                                {"approve", "w/x", "OK"},
                                                {"reject", "w/x", "ok", "--because", "no"}}) {
    const Ended again = world.reprise(words);
    EXPECT_EQ(again.exit, 2) << again.err;
    EXPECT_TRUE(contains(again.err, "gate ok was approved already, by ")) << again.err;
    EXPECT_TRUE(contains(again.err, "open: deep/ok")) << again.err;
  }
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  EXPECT_FALSE(world.has("paid"));
  const Ended whole = world.reprise({"approve", "w/x", "deep/ok"});
  EXPECT_EQ(whole.exit, 0) << whole.err;
}

TEST(Requests, E02_AWholeNameIsNotReadInLowerCaseWhereItIsAGate) {
  const World world;
  world.workflow("w",
                 "stages:\n  each:\n    each: {in: [A, a], as: part}\n    stages:\n"
                 "      ok: {gate: {ask: 'Ship $part?'}}\n      send: {needs: ok, run: 'touch sent'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const Ended first = world.reprise({"approve", "w/x", "each/A/ok"});
  EXPECT_EQ(first.exit, 0) << first.err;
  const Ended again = world.reprise({"approve", "w/x", "each/A/ok"});
  EXPECT_EQ(again.exit, 2) << again.err;
  EXPECT_TRUE(contains(again.err, "gate each/A/ok was approved already")) << again.err;
  EXPECT_TRUE(Record(world).is_open("w/x", "each/a/ok"));
}

// The end of a name meant one gate when it was first typed, and would mean another one now.
TEST(Requests, E02_TheEndOfANameDoesNotSlideToTheNextGate) {
  const World world;
  world.workflow("w",
                 "stages:\n  one: {stages: {ok: {gate: 'Delete?'}}}\n"
                 "  two: {needs: one, stages: {ok: {gate: 'Delete more?'}}}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const Ended first = world.reprise({"approve", "w/x", "ok"});
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_TRUE(contains(first.err, "recorded: approve one/ok")) << first.err;
  ASSERT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 3);
  const Ended again = world.reprise({"approve", "w/x", "ok"});
  EXPECT_EQ(again.exit, 2) << again.err;
  EXPECT_TRUE(contains(again.err, "two/ok")) << again.err;
  EXPECT_TRUE(Record(world).is_open("w/x", "two/ok"));
}

TEST(Requests, E02_AGateThatHasNotOpenedYetIsSaidToBeSo) {
  const World world;
  world.workflow("w",
                 "stages:\n  first: {gate: 'Begin?'}\n  last: {needs: first, gate: 'End?'}\n"
                 "  deep: {stages: {last: {gate: 'Other?'}}}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const Ended early = world.reprise({"approve", "w/x", "last"});
  EXPECT_EQ(early.exit, 2);
  EXPECT_TRUE(contains(early.err, "gate last is not open yet; open: deep/last, first")) << early.err;
}

}  // namespace
}  // namespace reprise::cli_test
