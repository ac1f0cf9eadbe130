// Gaps become questions: by priority, a few at a time, numbered by round.

#include "executor/gaps.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

WorkerResult found(std::vector<WorkerResult::Gap> gaps) {
  WorkerResult result;
  result.gaps = std::move(gaps);
  return result;
}

template <typename T>
std::vector<T> of_kind(const std::vector<Event>& events) {
  std::vector<T> kind;
  for (const Event& event : events) {
    if (const T* one = std::get_if<T>(&event)) kind.push_back(*one);
  }
  return kind;
}

TEST(Gaps, SL11_MinorGapsDoNotKeepASpecFromBeingComplete) {
  EXPECT_EQ(verdict_on(found({})), "complete");
  EXPECT_EQ(verdict_on(found({{"G-1", "Minor", ""}})), "complete");
  EXPECT_EQ(verdict_on(found({{"G-1", "Minor", ""}, {"G-2", "Important", ""}})), "gaps");
  EXPECT_EQ(verdict_on(found({{"G-1", "", ""}})), "gaps");
}

TEST(Gaps, SL11_TheMostImportantAreAskedFirstAndThreeAtATime) {
  const WorkerResult result = found({{"G-1", "Minor", "a"},
                                     {"G-2", "Important", "b"},
                                     {"G-3", "Critical", "c"},
                                     {"G-4", "Important", "d"},
                                     {"G-5", "Critical", "e"}});
  const std::vector<Event> events = events_of_gaps(result, {"validate"}, {});
  std::vector<std::string> asked;
  for (const QuestionAsked& question : of_kind<QuestionAsked>(events))
    asked.push_back(question.id + " " + question.gaps.at(0));
  EXPECT_EQ(asked, (std::vector<std::string>{"C1.1 G-3", "C1.2 G-5", "C1.3 G-2"}));
  std::map<std::string, GapStatus> status;
  for (const GapChanged& gap : of_kind<GapChanged>(events)) status[gap.id] = gap.status;
  EXPECT_EQ(status.at("G-1"), GapStatus::Deferred);
  EXPECT_EQ(status.at("G-2"), GapStatus::Clarifying);
  EXPECT_EQ(status.at("G-4"), GapStatus::Pending);
}

TEST(Gaps, SL11_AQuestionMayGroupSeveralGaps) {
  WorkerResult result = found({{"G-1", "Critical", "a"}, {"G-2", "Important", "b"}});
  result.questions = {{.id = "x", .text = "both?", .gaps = {"G-1", "G-2", "G-9"}, .options = {"yes", "no"}}};
  const std::vector<QuestionAsked> asked = of_kind<QuestionAsked>(events_of_gaps(result, {"validate"}, {}));
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].gaps, (std::vector<std::string>{"G-1", "G-2"}));
  EXPECT_EQ(asked[0].text, "both?");
}

TEST(Gaps, SL11_WhatIsNoLongerFoundIsResolvedAndRoundsAreCounted) {
  RunState state;
  state.gaps["G-1"] = {.status = GapStatus::Clarifying};
  state.gaps["G-2"] = {.status = GapStatus::Deferred};
  state.questions["C1.1"] = {};
  state.questions["C2.1"] = {};
  const std::vector<Event> events = events_of_gaps(found({{"G-3", "Critical", "c"}}), {"validate"}, state);
  const std::vector<GapChanged> gaps = of_kind<GapChanged>(events);
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[1].id, "G-1");
  EXPECT_EQ(gaps[1].status, GapStatus::Resolved);
  EXPECT_EQ(of_kind<QuestionAsked>(events).at(0).id, "C3.1");
}

}  // namespace
}  // namespace reprise
