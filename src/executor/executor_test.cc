// The loop that does the work: order of recording and starting, retries, and the end of a run.

#include "executor/executor.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "model/limits.h"
#include "testing/bench.h"

namespace reprise {
namespace {

using Names = std::vector<std::string>;

TEST(Executor, ARunGoesThroughItsStepsInOrder) {
  Bench bench(workflow({step("a"), step("b").after({"a"}), step("c").after({"b"})}));
  const SessionEnd end = bench.session();
  EXPECT_EQ(end.status, RunStatus::Done);
  EXPECT_EQ(end.executed, 3);
  EXPECT_EQ(bench.started(), (Names{"a#1", "b#1", "c#1"}));
  EXPECT_EQ(bench.state().status, RunStatus::Done);
}

TEST(Executor, J6_AWorkerExistsOnlyAfterItsStartIsDurable) {
  Bench bench(workflow({step("a"), step("b"), step("c").after({"a", "b"})}));
  int seen = 0;
  bench.guard().on_start([&](const WorkerSpec& spec) {
    const std::string path = spec.attempt.substr(0, spec.attempt.rfind('#'));
    EXPECT_EQ(bench.step_state(path).record, StepState::Record::Open) << spec.attempt;
    ++seen;
  });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(seen, 3);
}

TEST(Executor, J7_WhatAStepNeedsIsDurablyDoneBeforeItStarts) {
  Bench bench(workflow({step("a"), step("b").after({"a"}), gate("g").after({"b"}), step("c").after({"g"})}));
  bench.guard().on_start([&](const WorkerSpec& spec) {
    EXPECT_TRUE(spec.attempt != "b#1" || bench.step_state("a").record == StepState::Record::Done);
    EXPECT_TRUE(spec.attempt != "c#1" || bench.state().gates.at({"g"}).record == GateState::Record::Approved);
  });
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  EXPECT_EQ(bench.session({{"approve", "g", "", "", "ana"}}).status, RunStatus::Done);
}

TEST(Executor, J6_WhatCannotBeRecordedIsNotStarted) {
  Bench counting(workflow({step("a")}));
  EXPECT_EQ(counting.session().status, RunStatus::Done);
  int kills = 0;
  for (int call = 1; call <= counting.kill().calls(); ++call) {
    Bench bench(workflow({step("a")}));
    bench.kill_next_at(call);
    if (bench.try_session()) continue;
    ++kills;
    const bool recorded = bench.step_state("a").attempts > 0;
    EXPECT_TRUE(recorded || bench.started().empty()) << "call " << call;
  }
  EXPECT_GT(kills, 0);
}

TEST(Executor, TheEndOfAStepAndTheStartOfTheNextAreOneCommit) {
  Bench bench(workflow({step("a"), step("b").after({"a"})}));
  bench.session();
  Timestamp finished;
  Timestamp started;
  for (const RecordedEvent& event : bench.all_events()) {
    if (const auto* end = std::get_if<AttemptFinished>(&event.event); end != nullptr && end->step.text == "a")
      finished = event.at;
    if (const auto* begin = std::get_if<AttemptStarted>(&event.event); begin != nullptr && begin->step.text == "b")
      started = event.at;
  }
  EXPECT_EQ(finished, started);
}

// X2, by enumeration: every call of every port, before and after it took effect.
TEST(Executor, X2_KilledAtAnyCallTheNextSessionGetsToTheSameEnd) {
  const Workflow made = workflow({step("a").makes("a.txt"), step("b").after({"a"}).retries(1),
                                  step("e").each({"x", "y", "z"}, 2).after({"a"}), step("l").repeats("good", 4),
                                  step("z").after({"b", "e", "l"})});
  const auto prepare = [](Bench& bench) {
    bench.script("a", {succeeding({{"a.txt", "1"}})});
    bench.script("b", {failing(3), succeeding()});
    bench.script("l/1", {reporting(R"({"verdict":"bad"})")});
    bench.script("l/2", {reporting(R"({"verdict":"good"})")});
  };
  Bench whole(made);
  prepare(whole);
  ASSERT_EQ(whole.session().status, RunStatus::Done);
  const int calls = whole.kill().calls();
  int hit = 0;
  int recovered = 0;
  for (int call = 1; call <= calls; ++call) {
    for (const KillSwitch::Moment moment : {KillSwitch::Moment::BeforeEffect, KillSwitch::Moment::AfterEffect}) {
      Bench bench(made);
      prepare(bench);
      bench.kill_next_at(call, moment);
      const Result<SessionEnd> killed = bench.try_session();
      if (!bench.kill().is_dead()) continue;
      ++hit;
      const bool was_over = bench.state().status == RunStatus::Done;
      if (was_over || bench.session().status == RunStatus::Done) ++recovered;
      for (const std::string& name : bench.started()) {
        EXPECT_EQ(bench.guard().starts_of(name), 1) << name << " ran twice, call " << call;
      }
      EXPECT_LE(bench.started().size(), whole.started().size() + 2)
          << "at most the attempts in flight are repeated";
    }
  }
  std::printf("points counted %d hit %d recovered %d violations %d\n", 2 * calls, hit, recovered, hit - recovered);
  EXPECT_GT(hit, calls);
  EXPECT_EQ(recovered, hit);
}

TEST(Executor, J4_AnOwnerThatLostItsLeaseRecordsAndStartsNothingMore) {
  Bench bench(workflow({step("a"), step("b").after({"a"})}));
  MemoryJournalStore store;
  FixedClock clock;
  MemoryJournal old(store, clock);
  const Event created = RunCreated{.workflow = "demo"};
  const Lease lease = old.create({"demo/y"}, {&created, 1}, {}).value();
  old.release(lease);
  MemoryJournal other(store, clock);
  ASSERT_TRUE(other.acquire({"demo/y"}));
  const Workflow made = workflow({step("a")});
  ScriptedWorkers workers(bench.guard());
  Observer observer;
  Executor executor({old, workers, bench.files(), clock, observer}, bench.setup(), made, "d", "", lease,
                    old.state({"demo/y"}).value());
  ASSERT_TRUE(executor.begin("", Mode::Interactive));
  const Result<SessionEnd> end = executor.run();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::Conflict);
  EXPECT_TRUE(bench.started().empty());
}

// ---- retries

TEST(Executor, RetriesWaitOneSecondDoublingEachTime) {
  Bench bench(workflow({step("a").retries(8)}));
  bench.script("a", {failing(1), failing(2), failing(3), failing(4), failing(5), failing(6), failing(7),
                     failing(8), succeeding()});
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  std::vector<std::int64_t> waits;
  for (const RecordedEvent& event : bench.all_events()) {
    const auto* end = std::get_if<AttemptFinished>(&event.event);
    if (end != nullptr && end->retry_at) waits.push_back((*end->retry_at - event.at).count());
  }
  EXPECT_EQ(waits, (std::vector<std::int64_t>{1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 60'000, 60'000}));
}

TEST(Executor, AStageMaySayHowLongToWaitAndWorksWithoutRetriesAtAll) {
  Bench bench(workflow({step("a").retries(1).delay(Duration(7'000)), step("b")}));
  bench.script("a", {failing(1)});
  bench.script("b", {failing(9)});
  EXPECT_EQ(bench.session().status, RunStatus::Failed);
  EXPECT_EQ(bench.started(), (Names{"a#1", "b#1", "a#2"}));
  const std::vector<AttemptFinished> ends = bench.events<AttemptFinished>();
  EXPECT_TRUE(ends[0].retry_at);
  EXPECT_FALSE(ends[1].retry_at) << "b has no retries";
}

TEST(Executor, TheSameErrorThreeTimesInARowEndsTheRetries) {
  Bench bench(workflow({step("a").retries(50)}));
  bench.script("a", {failing(1)});
  const SessionEnd end = bench.session();
  EXPECT_EQ(end.status, RunStatus::Failed);
  EXPECT_EQ(bench.started().size(), 3u);
  EXPECT_NE(end.reason.find("the same error 3 times"), std::string::npos) << end.reason;
}

TEST(Executor, TryAgainLaterUsesUpNoRetriesAndWaitsLonger) {
  Bench bench(workflow({step("a")}));
  bench.script("a", {failing(75), failing(75), failing(75), succeeding()});
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  std::vector<std::int64_t> waits;
  for (const RecordedEvent& event : bench.all_events()) {
    const auto* end = std::get_if<AttemptFinished>(&event.event);
    if (end != nullptr && end->retry_at) waits.push_back((*end->retry_at - event.at).count());
  }
  EXPECT_EQ(waits, (std::vector<std::int64_t>{30'000, 60'000, 120'000}));
}

TEST(Executor, PatienceRunsOut) {
  Bench bench(workflow({step("a").patience(Duration(100'000))}));
  bench.script("a", {failing(75)});
  const SessionEnd end = bench.session();
  EXPECT_EQ(end.status, RunStatus::Failed);
  EXPECT_NE(end.reason.find("patience"), std::string::npos) << end.reason;
  EXPECT_EQ(bench.started().size(), 3u) << "30 s and 60 s fit into 100 s, 120 s do not";
}

TEST(Executor, AWorkerMaySayWhenToTryAgain) {
  Bench bench(workflow({step("a").makes("out")}));
  const Timestamp when = bench.clock().now() + Duration(500'000);
  bench.script("a", {reporting(R"({"retry_at":")" + to_text(when) + "\"}"), succeeding({{"out", "1"}})});
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  const std::vector<AttemptFinished> ends = bench.events<AttemptFinished>();
  EXPECT_EQ(ends[0].outcome, AttemptOutcome::Later);
  EXPECT_GE(bench.step_state("a").started_at.ms, when.ms / 1'000 * 1'000);
}

TEST(Executor, TheTimeOfTheNextAttemptSurvivesTheRunner) {
  Bench bench(workflow({step("a").retries(1).delay(Duration(50'000))}));
  bench.script("a", {failing(1), succeeding()});
  Timestamp due;
  bench.at_wait(2, [&] {
    due = *bench.step_state("a").retry_at;
    bench.kill().arm(1, KillSwitch::Moment::BeforeEffect);
  });
  EXPECT_FALSE(bench.try_session());
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_GE(bench.step_state("a").started_at, due);
}

TEST(Executor, ATimeoutIsAFailureOfItsOwn) {
  Bench bench(workflow({step("a").timeout(Duration(5'000)).retries(1)}));
  Script slow;
  slow.takes = Duration(60'000);
  bench.script("a", {slow, succeeding()});
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.events<AttemptFinished>()[0].outcome, AttemptOutcome::TimedOut);
}

TEST(Executor, AProgramThatCannotBeStartedIsAFailedAttempt) {
  Bench bench(workflow({step("a")}));
  Script broken;
  broken.end.start_error = "no-such-program: No such file or directory";
  bench.script("a", {broken});
  const SessionEnd end = bench.session();
  EXPECT_EQ(end.status, RunStatus::Failed);
  EXPECT_NE(end.reason.find("no-such-program"), std::string::npos);
}

// ---- failing, waiting, going on

TEST(Executor, AFailureStopsWhatNeedsItAndNothingElse) {
  Bench bench(workflow({step("a"), step("b").after({"a"}), step("c")}));
  bench.script("a", {failing(1), succeeding()});
  EXPECT_EQ(bench.session().status, RunStatus::Failed);
  EXPECT_EQ(bench.step_state("c").record, StepState::Record::Done);
  EXPECT_EQ(bench.session().status, RunStatus::Done) << "a resume opens it again";
  EXPECT_EQ(bench.started(), (Names{"a#1", "c#1", "a#2", "b#1"}));
  EXPECT_EQ(bench.events<RunReopened>().size(), 1u);
}

TEST(Executor, OnlyAsManyWorkersRunAsTheRunAllows) {
  Bench bench(workflow({step("e").each({"1", "2", "3", "4", "5"})}, 2));
  std::size_t most = 0;
  bench.guard().on_start([&](const WorkerSpec&) { most = std::max(most, bench.guard().running_count() + 1); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(most, 2u);
}

TEST(Executor, ACostLimitOpensAGateAndAnApprovalAllowsAsMuchAgain) {
  Workflow made = workflow({step("l").repeats("good", 5)});
  made.limits.cost_usd = 1;
  Bench bench(made);
  const std::string spends = R"({"verdict":"bad","cost":{"usd":0.6,"tokens":10}})";
  for (const char* round : {"l/1", "l/2", "l/3", "l/4"}) bench.script(round, {reporting(spends)});
  bench.script("l/5", {reporting(R"({"verdict":"good"})")});
  EXPECT_EQ(bench.session().status, RunStatus::Waiting);
  EXPECT_EQ(bench.started().size(), 2u);
  EXPECT_EQ(bench.session({{"approve", "cost-limit", "", "", "ana"}}).status, RunStatus::Waiting);
  EXPECT_EQ(bench.started().size(), 4u);
  EXPECT_EQ(bench.session({{"approve", "", "", "", "ana"}}).status, RunStatus::Done);
  EXPECT_EQ(bench.state().tokens, 40);
}

TEST(Executor, AGuardThatDiesIsNoticedAndItsWorkersAreStartedAgain) {
  Bench bench(workflow({step("a"), step("b").after({"a"})}));
  bench.at_wait(1, [&] { bench.guard().lose(false); });
  EXPECT_EQ(bench.session().status, RunStatus::Done);
  EXPECT_EQ(bench.started(), (Names{"a#1", "a#2", "b#1"}));
  EXPECT_EQ(bench.events<AttemptFinished>()[0].outcome, AttemptOutcome::Interrupted);
}

TEST(Executor, AGuardThatDiesDoesNotGiveAFailedStepAnotherAttempt) {
  Bench bench(workflow({step("a"), step("b")}));
  Script slow;
  slow.takes = Duration(60'000);
  bench.script("a", {failing(1)});
  bench.script("b", {slow, succeeding()});
  bench.at_wait(2, [&] { bench.guard().lose(false); });
  EXPECT_EQ(bench.session().status, RunStatus::Failed);
  EXPECT_EQ(bench.started(), (Names{"a#1", "b#1", "b#2"}));
}

}  // namespace
}  // namespace reprise
