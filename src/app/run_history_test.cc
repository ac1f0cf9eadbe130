#include "app/run_history.h"

#include <gtest/gtest.h>

#include "app/history_test_events.h"

namespace reprise {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

std::vector<StepPath> paths(std::initializer_list<const char*> names) {
  std::vector<StepPath> made;
  for (const char* name : names) made.push_back({name});
  return made;
}

TEST(RunHistory, ARunThatWasNeverWorkedOnHasNoSession) {
  EXPECT_TRUE(sessions_of({}).empty());
  EXPECT_TRUE(sessions_of(Story().created().events()).empty());
}

TEST(RunHistory, ASessionThatFinishesTheRunEndsWithIt) {
  const auto sessions =
      sessions_of(Story().created().session("dove:1").did("a").finished(RunStatus::Done).events());
  ASSERT_EQ(sessions.size(), 1u);
  EXPECT_EQ(sessions[0].ending, SessionEnding::Done);
  EXPECT_EQ(sessions[0].owner, "dove:1");
  EXPECT_FALSE(sessions[0].resumed);
  EXPECT_EQ(sessions[0].saved.steps, 0);
}

TEST(RunHistory, AnOwnerFoundDeadVanishedAtWhatItWasDoing) {
  Story story;
  story.created().session("dove:1").did("a").start("b").start("c");
  const Timestamp last = story.now();
  story.later(hours(3)).taken("dove:1", "dove:2");
  story.end("b", {.outcome = AttemptOutcome::Interrupted}).together().end("c", {.exit_code = 0});
  story.together().session("dove:2", true);
  const auto sessions = sessions_of(story.events());
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].ending, SessionEnding::Vanished);
  EXPECT_EQ(sessions[0].at, paths({"b", "c"}));
  EXPECT_EQ(sessions[0].last_at, last);
  EXPECT_EQ(sessions[1].gap, hours(3) + seconds(1));
  EXPECT_EQ(sessions[1].saved.steps, 2) << "a, and c, whose end was found out";
  EXPECT_EQ(sessions[1].ending, SessionEnding::Open);
}

TEST(RunHistory, ASessionThatGaveTheRunBackWithAnOpenGateWaited) {
  Story story;
  story.created().session("dove:1").did("a").asks("ok");
  const Timestamp last = story.now();
  story.later(hours(2)).approved("ok").session("dove:2", true);
  const auto sessions = sessions_of(story.events());
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].ending, SessionEnding::Waited);
  EXPECT_EQ(sessions[0].waits_for, "gate ok");
  EXPECT_EQ(sessions[0].at, paths({"ok"}));
  EXPECT_EQ(sessions[0].last_at, last) << "what a person decides afterwards is no sign of life";
}

TEST(RunHistory, AGateThatIsAnsweredInTheSessionIsNotWhatItEndedWith) {
  Story story;
  story.created().session("dove:1").asks("ok").approved("ok").start("b");
  story.later(hours(1)).end("b", {.outcome = AttemptOutcome::Interrupted}).together().session("dove:2", true);
  const auto sessions = sessions_of(story.events());
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].ending, SessionEnding::GivenBack) << "its worker was left to the guard";
  EXPECT_EQ(sessions[0].at, paths({"b"}));
  EXPECT_EQ(sessions[1].gap, hours(1));
}

TEST(RunHistory, AnOpenQuestionIsWaitedForToo) {
  Story story;
  story.created().session("dove:1").did("a").add(QuestionAsked{.id = "q1", .step = {"a"}, .text = "Which?"});
  story.add(QuestionAnswered{.id = "q1", .text = "this"}).session("dove:2", true);
  const auto sessions = sessions_of(story.events());
  EXPECT_EQ(sessions[0].ending, SessionEnding::Waited);
  EXPECT_EQ(sessions[0].waits_for, "question q1");
}

TEST(RunHistory, AFailedRunNamesTheStepThatFailed) {
  Story story;
  story.created().session("dove:1").did("a").start("b");
  story.end("b", {.outcome = AttemptOutcome::Failed, .exit_code = 1}).finished(RunStatus::Failed, "b");
  story.later(hours(1)).add(RunReopened{}).together().session("dove:2", true).start("b", 2);
  const auto sessions = sessions_of(story.events());
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].ending, SessionEnding::Failed);
  EXPECT_EQ(sessions[0].at, paths({"b"}));
  EXPECT_EQ(sessions[1].again, paths({"b"}));
}

TEST(RunHistory, EachResumeSavesEachKeptStepOnce) {
  Story story;
  story.created().session("dove:1").did("a", seconds(10), 0.5).did("b", seconds(20), 0.25);
  story.taken("dove:1", "dove:2").session("dove:2", true).did("c", seconds(30));
  story.taken("dove:2", "dove:3").session("dove:3", true);
  const auto sessions = sessions_of(story.events());
  ASSERT_EQ(sessions.size(), 3u);
  EXPECT_EQ(sessions[1].saved.steps, 2);
  EXPECT_EQ(sessions[1].saved.time, seconds(30));
  EXPECT_DOUBLE_EQ(sessions[1].saved.cost_usd, 0.75);
  EXPECT_EQ(sessions[2].saved.steps, 3);
  EXPECT_EQ(sessions[2].saved.time, seconds(60));
}

TEST(RunHistory, WhatAResumeDoesAgainItDidNotSave) {
  Story story;
  story.created().session("dove:1").did("a", seconds(10)).did("b", seconds(20)).did("c", seconds(40));
  story.later(hours(1)).add(StepReset{.step = {"c"}, .rule = "from"}).together().session("dove:2", true);
  story.did("b", seconds(21), 0, 2).did("c", seconds(41), 0, 2).did("b", seconds(22), 0, 3);
  story.taken("dove:2", "dove:3").session("dove:3", true);
  const auto sessions = sessions_of(story.events());
  ASSERT_EQ(sessions.size(), 3u);
  EXPECT_EQ(sessions[1].saved.steps, 1) << "c was reset before, b was started again";
  EXPECT_EQ(sessions[1].saved.time, seconds(10));
  EXPECT_EQ(sessions[1].again, paths({"b", "c"})) << "each once";
  EXPECT_EQ(sessions[2].saved.steps, 3);
  EXPECT_EQ(sessions[2].saved.time, seconds(10 + 22 + 41)) << "the attempt that succeeded last";
}

TEST(RunHistory, AClaimOfAStateFileCountsAsAStepWithoutTime) {
  Story story;
  story.created().session("dove:1").add(ClaimImported{.step = {"a"}, .done = true});
  story.add(ClaimImported{.step = {"b"}, .done = false}).taken("dove:1", "dove:2").session("dove:2", true);
  const auto sessions = sessions_of(story.events());
  EXPECT_EQ(sessions[1].saved.steps, 1);
  EXPECT_EQ(sessions[1].saved.time, Duration(0));
}

TEST(RunHistory, ASkippedStepIsNotSaved) {
  Story story;
  story.created().session("dove:1").did("a").add(StepSkipped{.step = {"a"}, .by = "ana", .because = "no"});
  story.taken("dove:1", "dove:2").session("dove:2", true);
  EXPECT_EQ(sessions_of(story.events())[1].saved.steps, 0);
}

TEST(RunHistory, TheLeaseTellsHowTheLastSessionEnded) {
  Story story;
  story.created().session("dove:1").start("a");
  const SessionSpan working = sessions_of(story.events()).back();
  EXPECT_EQ(working.ending, SessionEnding::Open);
  EXPECT_EQ(working.at, paths({"a"}));
  EXPECT_EQ(ending_by_lease(working, Owner{.alive = true}), SessionEnding::Open);
  EXPECT_EQ(ending_by_lease(working, Owner{.alive = false}), SessionEnding::Vanished);
  EXPECT_EQ(ending_by_lease(working, std::nullopt), SessionEnding::GivenBack);
  story.end("a", {.exit_code = 0}).asks("ok");
  const SessionSpan waiting = sessions_of(story.events()).back();
  EXPECT_EQ(ending_by_lease(waiting, std::nullopt), SessionEnding::Waited);
  story.approved("ok").finished(RunStatus::Done);
  EXPECT_EQ(ending_by_lease(sessions_of(story.events()).back(), std::nullopt), SessionEnding::Done);
}

TEST(RunHistory, ClocksThatGoBackMakeNoNegativeGap) {
  Story story;
  story.created().session("dove:1").did("a").later(hours(-5)).taken("dove:1", "dove:2").session("dove:2", true);
  EXPECT_EQ(sessions_of(story.events())[1].gap, Duration(0));
}

}  // namespace
}  // namespace reprise
