// A run shown in the index of its spec loop, and read back.

#include "formats/spec_loop_show.h"

#include <gtest/gtest.h>

#include "formats/spec_loop.h"
#include "formats/spec_loop_test_files.h"
#include "testing/builders.h"

namespace reprise {
namespace {

History loop_history() {
  return History::of("spec-loop/005-auth", RunCreated{.workflow = "spec-loop",
                                                      .subject = "005-auth",
                                                      .values = {{"description", "user login"}},
                                                      .native_file = "specs/005-auth/.workflow/index.md"});
}

void validated(History& history, const std::string& step, const std::string& verdict, const std::string& result) {
  history.started(step).ended(step, {.verdict = verdict, .result = result});
}

History asked() {
  History history = loop_history();
  history.did("scaffold").did("write");
  validated(history, "validate", "gaps", "G-001 Critical\n");
  history.add(GapChanged{"G-001", GapPriority::Critical, GapStatus::Clarifying, "Timeout | how long?", ""});
  history.add(GapChanged{"G-002", GapPriority::Minor, GapStatus::Deferred, "Colour", ""});
  return history.add(QuestionAsked{"C1.1", {"validate"}, "How long?", {"15 min", "1 h"}, {"G-001"}});
}

SpecLoopClaims read_back(const std::string& text) {
  const Result<SpecLoopClaims> claims = read_spec_loop(text, "index.md");
  EXPECT_TRUE(claims) << claims.error().message;
  return claims.value_or(SpecLoopClaims{});
}

TEST(SpecLoopShow, SL04_WhatIsWrittenIsReadBackEqual) {
  History history = asked();
  const std::string text = show_spec_loop("", history.state()).value();
  const SpecLoopClaims claims = read_back(text);
  EXPECT_EQ(claims.feature, "005-auth");
  EXPECT_EQ(claims.status, LoopStatus::Clarifying);
  EXPECT_EQ(claims.iteration.number, 1);
  ASSERT_EQ(claims.gaps.size(), 2u);
  EXPECT_EQ(claims.gaps[0].id, "G-001");
  EXPECT_EQ(claims.gaps[0].status, GapStatus::Clarifying);
  EXPECT_EQ(claims.gaps[0].text, "Timeout | how long?");
  EXPECT_EQ(claims.gaps[1].status, GapStatus::Deferred);
  ASSERT_EQ(claims.questions.size(), 1u);
  EXPECT_EQ(claims.questions[0].gaps, (std::vector<std::string>{"G-001"}));
  EXPECT_TRUE(claims.questions[0].is_open());
  EXPECT_TRUE(claims.faults.empty());
  EXPECT_TRUE(claims.oddities.empty());
}

TEST(SpecLoopShow, SL05_EveryPhaseIsSavedAsItsStatus) {
  History history = loop_history();
  const auto status = [&] { return read_back(show_spec_loop("", history.state()).value()).status; };
  EXPECT_EQ(status(), LoopStatus::NotStarted);
  history.started("scaffold");
  EXPECT_EQ(status(), LoopStatus::Scaffolding);
  history.done("scaffold");
  EXPECT_EQ(status(), LoopStatus::SpecWriting);
  history.did("write");
  EXPECT_EQ(status(), LoopStatus::Validating);
  validated(history, "validate", "gaps", "G-001 Critical\n");
  EXPECT_EQ(status(), LoopStatus::Clarifying);
  history.did("clarify/1/apply");
  EXPECT_EQ(status(), LoopStatus::Validating);
  history.did("clarify/1/validate", {}, "complete").add(RunFinished{RunStatus::Done, "", ""});
  EXPECT_EQ(status(), LoopStatus::Completed);
}

TEST(SpecLoopShow, SL05_AnAnswerIsKeptInItsRowAndInASectionOfOurOwnUntilItIsApplied) {
  History history = asked();
  history.add(QuestionAnswered{"C1.1", "15 minutes", "ana"});
  const std::string answered = show_spec_loop("", history.state()).value();
  SpecLoopClaims claims = read_back(answered);
  EXPECT_EQ(claims.questions.at(0).answer, "15 minutes");
  EXPECT_TRUE(claims.questions[0].has_unapplied_answer());
  ASSERT_EQ(claims.answers.size(), 1u);
  EXPECT_FALSE(claims.answers[0].applied);
  history.did("clarify/1/apply").add(AnswersApplied{{"C1.1"}});
  history.add(GapChanged{"G-001", GapPriority::Critical, GapStatus::Resolved, "", "Answer to C1.1: 15 minutes"});
  claims = read_back(show_spec_loop(answered, history.state()).value());
  EXPECT_TRUE(claims.questions.at(0).applied);
  EXPECT_TRUE(claims.answers.at(0).applied);
  EXPECT_EQ(claims.gaps.at(0).status, GapStatus::Resolved);
  ASSERT_EQ(claims.history.size(), 1u);
  EXPECT_EQ(claims.iteration.number, 2);
}

TEST(SpecLoopShow, SL06_ASaveCarriesItsOwnLastActivity) {
  History history = asked();
  const SpecLoopClaims claims = read_back(show_spec_loop("", history.state()).value());
  ASSERT_TRUE(claims.last_activity);
  EXPECT_EQ(claims.last_activity->time.ms / 1'000, history.state().updated_at.ms / 1'000);
}

TEST(SpecLoopShow, SL11_AnEndIsCompletedWithItsReasonAndOnlyAStoppedLoopIsTerminated) {
  History stale = asked();
  stale.did("clarify/1/apply");
  validated(stale, "clarify/1/validate", "gaps", "G-001 Critical\n");
  stale.add(RunFinished{RunStatus::Done, "", ""});
  const SpecLoopClaims ended = read_back(show_spec_loop("", stale.state()).value());
  EXPECT_EQ(ended.status, LoopStatus::Completed);
  EXPECT_EQ(ended.termination_reason, "stale_accepted");
  EXPECT_EQ(ended.gaps.at(0).status, GapStatus::KnownGap);
  History stopped = asked();
  stopped.add(RunFinished{RunStatus::Stopped, "cancelled", "ana"});
  const SpecLoopClaims aborted = read_back(show_spec_loop("", stopped.state()).value());
  EXPECT_EQ(aborted.status, LoopStatus::Terminated);
  EXPECT_EQ(aborted.termination_reason, "aborted");
}

TEST(SpecLoopShow, F2_ShowingTwiceChangesNothingAndFilesOfOthersKeepTheirRest) {
  History history = asked();
  int rounds = 0;
  for (const auto& [name, bytes] : spec_loop_fixtures()) {
    const Result<std::string> once = show_spec_loop(bytes, history.state());
    if (!once) continue;
    ++rounds;
    EXPECT_EQ(show_spec_loop(*once, history.state()).value(), *once) << name;
    EXPECT_EQ(read_back(*once).status, LoopStatus::Clarifying) << name;
  }
  EXPECT_GT(rounds, 8);
}

}  // namespace
}  // namespace reprise
