#include "app/resume_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace reprise {
namespace {

constexpr Duration kHour = std::chrono::hours(1);

Candidate candidate(const std::string& id, Duration age, int priority = 3) {
  Candidate out{.id = {id}, .system = "own", .workflow = "w", .subject = id};
  out.status = RunStatus::Interrupted;
  out.resumable = true;
  out.age = age;
  out.updated_at = Timestamp{} + std::chrono::hours(24 * 365) - age;
  out.priority = priority;
  return out;
}

Plan plan_with(std::vector<Finding> findings, Duration age = kHour) {
  Plan plan;
  plan.id = {"epic/5"};
  plan.findings = std::move(findings);
  plan.age = age;
  return plan;
}

Finding finding(Severity severity, const std::string& code) {
  return {.rule = "OR-04", .code = code, .severity = severity, .message = "about " + code};
}

StepDecision decided(const std::string& step, Decision decision, std::string_view rule) {
  StepDecision out;
  out.stage = step;
  out.step = {step};
  out.decision = decision;
  out.rule = rule;
  out.ground = "for a reason";
  return out;
}

bool has_line(const std::vector<std::string>& lines, std::string_view part) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

TEST(ResumeChoice, OR09_OfSeveralTheLastActiveIsTakenAndTheOthersAreNamedWithAReason) {
  const std::vector<Candidate> open = {candidate("epic/5", 3 * kHour, 1), candidate("qa-loop/2.1", kHour, 2),
                                       candidate("w/x", 50 * kHour)};
  const std::optional<ResumeChoice> choice = choose_latest(open);
  ASSERT_TRUE(choice);
  EXPECT_EQ(open[choice->index].id.text, "qa-loop/2.1");
  ASSERT_EQ(choice->passed_over.size(), 2u);
  EXPECT_EQ(choice->passed_over[0].id.text, "epic/5");
  const std::vector<std::string> words = words_for(*choice, open);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_TRUE(has_line(words, "autopilot chose qa-loop/2.1: of 3 it was active last, 1h 0m ago"));
  EXPECT_TRUE(has_line(words, "autopilot passed over w/x: its last activity is longer ago, 2d 2h"));
}

TEST(ResumeChoice, OfEqualsTheFirstInTheListIsTaken) {
  const std::vector<Candidate> open = {candidate("a/1", kHour), candidate("b/1", kHour)};
  EXPECT_EQ(choose_latest(open)->index, 0u);
  EXPECT_TRUE(has_line(words_for(*choose_latest(open), open), "further down"));
}

TEST(ResumeChoice, OR09_WhatWiderWorkCoversIsNotTakenForItself) {
  std::vector<Candidate> open(2);
  open[0].id = {"qa-loop/2.1"};
  open[0].updated_at = {1'000};
  open[1].id = {"story-cycle/2.1"};
  open[1].updated_at = {9'000};
  open[1].covered_by = "qa-loop/2.1";
  EXPECT_EQ(choose_latest(open)->index, 0u) << "although the other looks younger";
  EXPECT_TRUE(has_line(words_for(*choose_latest(open), open), "qa-loop/2.1 covers it"));
  open.erase(open.begin());
  EXPECT_EQ(choose_latest(open)->index, 0u) << "what covered it cannot be resumed";
}

TEST(ResumeChoice, ThereIsNoneToChooseFromNothing) { EXPECT_FALSE(choose_latest({})); }

TEST(ResumeChoice, WhatIsBeingWorkedOnOrIsOverIsNotOffered) {
  std::vector<Candidate> found = {candidate("a/1", kHour), candidate("b/1", kHour), candidate("c/1", kHour)};
  found[0].status = RunStatus::Running;
  found[1].resumable = false;
  const std::vector<Candidate> open = open_work(found);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].id.text, "c/1");
}

TEST(Autopilot, OR09_CleanAndYoungGoesAtOnce) {
  const AutopilotDecision decision =
      decide_as_autopilot(plan_with({finding(Severity::Info, "validated_meanwhile")}));
  EXPECT_EQ(decision.course, AutopilotCourse::AtOnce);
  ASSERT_EQ(decision.words.size(), 1u);
  EXPECT_EQ(decision.words[0], "autopilot resumes epic/5 at once: the state is clean and 1h 0m old");
}

TEST(Autopilot, OR09_CleanButOlderThanADayCountsAsAWarning) {
  for (const Duration age : {24 * kHour, 24 * kHour - Duration(1)}) {
    const AutopilotDecision decision = decide_as_autopilot(plan_with({}, age));
    const bool is_old = age == 24 * kHour;
    EXPECT_EQ(decision.course, is_old ? AutopilotCourse::WithWarnings : AutopilotCourse::AtOnce);
  }
}

TEST(Autopilot, OR09_EveryWarningIsLogged) {
  const AutopilotDecision decision = decide_as_autopilot(plan_with(
      {finding(Severity::Warning, "one"), finding(Severity::Info, "two"), finding(Severity::Warning, "three")}));
  EXPECT_EQ(decision.course, AutopilotCourse::WithWarnings);
  ASSERT_EQ(decision.words.size(), 3u);
  EXPECT_TRUE(has_line(decision.words, "2 warnings"));
  EXPECT_TRUE(has_line(decision.words, "warning: about one [one]"));
  EXPECT_TRUE(has_line(decision.words, "warning: about three [three]"));
}

TEST(Autopilot, OR09_AConflictHaltsWhateverElseThereIs) {
  const AutopilotDecision decision =
      decide_as_autopilot(plan_with({finding(Severity::Warning, "one"), finding(Severity::Blocking, "two")}));
  EXPECT_EQ(decision.course, AutopilotCourse::Halt);
  EXPECT_TRUE(has_line(decision.words, "halts at epic/5: 1 conflict"));
  Plan refused = plan_with({});
  refused.readiness = Readiness::Blocked;
  EXPECT_EQ(decide_as_autopilot(refused).course, AutopilotCourse::Halt);
}

TEST(Validation, IsInTheSeedsWords) {
  EXPECT_EQ(validation_of(plan_with({finding(Severity::Info, "a")})), "clean");
  EXPECT_EQ(validation_of(plan_with({finding(Severity::Warning, "a")})), "1 warning");
  EXPECT_EQ(validation_of(plan_with({finding(Severity::Warning, "a"), finding(Severity::Blocking, "b"),
                                     finding(Severity::Warning, "c")})),
            "1 conflict, 2 warnings");
}

TEST(PartialResume, OR13_IsWhereSomeFinishedPhasesStayAndOthersDoNot) {
  Plan plan = plan_with({});
  plan.decisions = {decided("a", Decision::Keep, "WF-21 done"), decided("b", Decision::Rerun, "WF-09 restart")};
  EXPECT_FALSE(is_partial(plan)) << "what was cut off was not finished";
  plan.decisions.push_back(decided("c", Decision::Rerun, "WF-14 missing"));
  EXPECT_TRUE(is_partial(plan));
  plan.decisions.erase(plan.decisions.begin());
  EXPECT_FALSE(is_partial(plan)) << "nothing is kept";
}

TEST(Risks, NameFindingsBegunStepsAndPeople) {
  Plan plan = plan_with({finding(Severity::Warning, "one")});
  plan.decisions = {decided("a", Decision::Keep, "WF-21 done"), decided("b", Decision::Continue, "WF-08 continue"),
                    decided("c", Decision::Rerun, "WF-17 inputs"), decided("d", Decision::Run, "WF-01 new")};
  plan.waiting_for = {{"gate", "ship", "Ship it?"}};
  const std::vector<std::string> risks = risks_of(plan);
  ASSERT_EQ(risks.size(), 4u);
  EXPECT_TRUE(has_line(risks, "finished work is not kept as it is, c"));
  EXPECT_TRUE(has_line(risks, "gate ship: Ship it?"));
}

TEST(Changes, OfACandidateAreFoundFieldByField) {
  const Candidate shown = candidate("a/1", kHour);
  EXPECT_TRUE(changes_of(shown, shown).empty());
  Candidate older = shown;
  older.age = 5 * kHour;
  EXPECT_TRUE(changes_of(shown, older).empty()) << "an age is not a change";
  Candidate now = shown;
  now.stage = "tests";
  now.status = RunStatus::Waiting;
  now.iteration = 3;
  now.damaged = true;
  const std::vector<std::string> changes = changes_of(shown, now);
  EXPECT_EQ(changes.size(), 4u);
  EXPECT_TRUE(has_line(changes, "stage: was nothing, is tests"));
}

TEST(Changes, OfAPlanAreWhatItDecidesAndFindsAndNotItsAge) {
  Plan shown = plan_with({finding(Severity::Warning, "one"), finding(Severity::Info, "old_state")});
  shown.decisions = {decided("a", Decision::Keep, "WF-21 done"), decided("b", Decision::Run, "WF-01 new")};
  Plan now = shown;
  now.age = 99 * kHour;
  now.findings.pop_back();
  EXPECT_TRUE(changes_of(shown, now).empty());
  now.decisions[0] = decided("a", Decision::Rerun, "WF-14 missing");
  now.decisions[1] = decided("z", Decision::Run, "WF-01 new");
  now.findings = {finding(Severity::Blocking, "two")};
  const std::vector<std::string> changes = changes_of(shown, now);
  EXPECT_TRUE(has_line(changes, "step a: was keep, is rerun: for a reason"));
  EXPECT_TRUE(has_line(changes, "step z: was not there, is run"));
  EXPECT_TRUE(has_line(changes, "step b: is not there any more"));
  EXPECT_TRUE(has_line(changes, "new: blocking two"));
  EXPECT_TRUE(has_line(changes, "no longer there: warning one"));
}

}  // namespace
}  // namespace reprise
