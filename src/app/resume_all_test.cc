// What resume --all starts, what it leaves to a person, and how it ends as a whole. That processes are started,
// told and waited for is shown on the real program, in tests/cli.

#include "app/resume_all.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

Plan plan_with(Readiness readiness) {
  Plan plan;
  plan.id = {"w/x y"};
  plan.readiness = readiness;
  return plan;
}

TEST(ResumeAll, WhatIsReadyIsStartedUnlessItsModeWantsAPerson) {
  const Plan plan = plan_with(Readiness::Ready);
  EXPECT_FALSE(needs_person(plan, Mode::Interactive, false));
  EXPECT_FALSE(needs_person(plan, Mode::Autopilot, false));
  EXPECT_FALSE(needs_person(plan, Mode::Preflight, true));
  const auto listed = needs_person(plan, Mode::Preflight, false);
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->outcome, "waiting");
  EXPECT_EQ(listed->exit, 3);
  EXPECT_EQ(listed->command, "reprise resume 'w/x y' --yes");
}

TEST(ResumeAll, AWarningIsConfirmedByYesOrAutopilot) {
  Plan plan = plan_with(Readiness::Confirm);
  plan.findings.push_back({.code = "i", .severity = Severity::Info, .message = "by the way"});
  plan.findings.push_back({.code = "w", .severity = Severity::Warning, .message = "spec.md has changed"});
  EXPECT_FALSE(needs_person(plan, Mode::Autopilot, false));
  EXPECT_FALSE(needs_person(plan, Mode::Interactive, true));
  const auto listed = needs_person(plan, Mode::Interactive, false);
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->reason, "it wants a confirmation: spec.md has changed");
}

TEST(ResumeAll, AGateIsNeverPassedAndItsCommandIsTold) {
  Plan plan = plan_with(Readiness::Wait);
  plan.waiting_for = {{"gate", "ok", "Ship it?"}};
  for (const bool yes : {false, true}) {
    const auto listed = needs_person(plan, Mode::Interactive, yes);
    ASSERT_TRUE(listed);
    EXPECT_EQ(listed->exit, 3);
    EXPECT_EQ(listed->reason, "gate ok: Ship it?");
    EXPECT_EQ(listed->command, "reprise approve 'w/x y' ok");
  }
  plan.waiting_for = {{"question", "q1", "Which?"}};
  EXPECT_EQ(needs_person(plan, Mode::Interactive, false)->command, "reprise answer 'w/x y' q1 TEXT");
  EXPECT_FALSE(needs_person(plan, Mode::Autopilot, false)) << "it does what it can, and waits";
}

TEST(ResumeAll, ABlockingFindingIsAcceptedByNothing) {
  Plan plan = plan_with(Readiness::Blocked);
  plan.findings.push_back(
      {.code = "x", .severity = Severity::Blocking, .message = "gone", .remedy = "reprise fresh 'w/x y'"});
  for (const Mode mode : {Mode::Autopilot, Mode::Interactive, Mode::Preflight}) {
    const auto listed = needs_person(plan, mode, true);
    ASSERT_TRUE(listed);
    EXPECT_EQ(listed->outcome, "blocked");
    EXPECT_EQ(listed->exit, 4);
    EXPECT_EQ(listed->reason, "gone");
    EXPECT_EQ(listed->command, "reprise fresh 'w/x y'");
  }
  plan.findings[0].remedy = "look at it";
  EXPECT_EQ(needs_person(plan, Mode::Autopilot, true)->command, "reprise plan 'w/x y'") << "a command, always";
  plan.findings[0].code = "held_by_another";
  EXPECT_EQ(needs_person(plan, Mode::Autopilot, true)->outcome, "held");
  EXPECT_EQ(needs_person(plan, Mode::Autopilot, true)->exit, 5);
}

TEST(ResumeAll, WhatIsOverIsNotStarted) {
  EXPECT_EQ(needs_person(plan_with(Readiness::Done), Mode::Autopilot, true)->outcome, "done");
  EXPECT_EQ(needs_person(plan_with(Readiness::Fresh), Mode::Autopilot, true)->command, "reprise fresh 'w/x y'");
}

TEST(ResumeAll, OfTwoStateFilesAboutOneSubjectTheFirstIsResumed) {
  const auto work = [](const char* id, const char* system, const char* subject) {
    Candidate candidate;
    candidate.id = {id};
    candidate.system = system;
    candidate.subject = subject;
    return candidate;
  };
  const std::vector<Candidate> found = {work("playbook/001-login", "playbook", "001-login"),
                                        work("a/one", "own", "one"),
                                        work("spec-loop/001-login", "spec-loop", "001-login"),
                                        work("b/one", "own", "one"),
                                        work("lanes/x", "lanes", ""),
                                        work("lanes/y", "lanes", "")};
  const auto before = same_subject_before(found);
  ASSERT_EQ(before.size(), found.size());
  EXPECT_FALSE(before[0]);
  ASSERT_TRUE(before[2]);
  EXPECT_EQ(before[2]->text, "playbook/001-login");
  EXPECT_FALSE(before[3]) << "one's own workflows are not about one another";
  EXPECT_FALSE(before[5]) << "no subject is not the same subject";
}

TEST(ResumeAll, TheWorstPartIsTheExitCodeOfTheWhole) {
  const auto worst = [](std::initializer_list<int> codes) {
    std::vector<ResumedWork> work;
    for (const int code : codes) work.push_back({.exit = code});
    return worst_exit(work);
  };
  EXPECT_EQ(worst({}), 0);
  EXPECT_EQ(worst({0, 5, 0}), 0) << "held is no error of the whole";
  EXPECT_EQ(worst({0, 3, 5}), 3);
  EXPECT_EQ(worst({3, 4, 3}), 4);
  EXPECT_EQ(worst({4, 2, 3}), 2);
  EXPECT_EQ(worst({2, 1, 4}), 1);
  EXPECT_EQ(worst({1, 6, 2}), 6);
  EXPECT_EQ(worst({3, 137}), 1) << "a process of ours was killed";
}

TEST(ResumeAll, TheReportIsOneDocument) {
  ResumeAllReport report;
  report.work = {{.id = {"w/a"}, .outcome = "done", .started = true},
                 {.id = {"w/b"}, .outcome = "waiting", .exit = 3, .reason = "gate ok", .command = "reprise x"}};
  report.exit = 3;
  EXPECT_EQ(resume_all_document(report),
            R"({"runs":[{"id":"w/a","outcome":"done","exit":0,"started":true,"reason":"","command":null},)"
            R"({"id":"w/b","outcome":"waiting","exit":3,"started":false,"reason":"gate ok",)"
            R"("command":"reprise x"}],"exit":3})");
}

}  // namespace
}  // namespace reprise
