// Where a spec loop goes on: every situation there is, and plans made from claims and what is seen beside them.

#include "planner/spec_loop_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace reprise {
namespace {

const Timestamp kNow = parse_timestamp("2026-06-01T12:00:00Z").value();

template <typename Visit>
void for_every_loop_situation(Visit visit) {
  for (int status = 0; status <= static_cast<int>(LoopStatus::Terminated); ++status) {
    for (int bits = 0; bits < 64; ++bits) {
      visit(LoopSituation{.index = static_cast<LoopIndex>(bits & 1),
                          .place = static_cast<LoopPlace>(bits >> 1 & 1),
                          .status = static_cast<LoopStatus>(status),
                          .spec = static_cast<LoopSpec>(bits >> 2 & 1),
                          .questions = static_cast<LoopQuestions>(bits >> 3 & 1),
                          .answers = static_cast<LoopAnswers>(bits >> 4 & 1),
                          .trace = static_cast<LoopTrace>(bits >> 5 & 1)});
    }
  }
}

TEST(SpecLoopRules, SL03_EverySituationMatchesExactlyOneRowAndEveryRowIsReached) {
  int situations = 0;
  std::set<std::string_view> reached;
  for_every_loop_situation([&](const LoopSituation& situation) {
    ++situations;
    const auto matches =
        std::ranges::count_if(kSpecLoopRows, [&](const LoopRow& row) { return fits(row, situation); });
    EXPECT_EQ(matches, 1) << "status " << to_token(situation.status);
    reached.insert(decide(situation).label);
  });
  EXPECT_EQ(situations, 9 * 64);
  for (const LoopRow& row : kSpecLoopRows)
    EXPECT_TRUE(reached.contains(row.label)) << row.label << " decides nothing";
}

TEST(SpecLoopRules, LabelsAreUniqueAndPhasesAreKnown) {
  std::set<std::string_view> labels = {kLoopPassedLabel, kLoopAheadLabel};
  for (const LoopRow& row : kSpecLoopRows) {
    EXPECT_TRUE(labels.insert(row.label).second) << row.label;
    EXPECT_TRUE(row.label.starts_with("SL-03 "));
    EXPECT_FALSE(row.reason.empty());
    const bool is_phase = std::ranges::find(kLoopPhases, row.phase, &LoopPhase::name) != kLoopPhases.end();
    EXPECT_TRUE(is_phase || row.phase.empty()) << row.label;
    const bool goes_on = row.readiness == Readiness::Ready || row.readiness == Readiness::Wait;
    EXPECT_EQ(goes_on, is_phase && row.label != "SL-03 new") << row.label;
  }
}

TEST(SpecLoopRules, SL03_AnIndexWithoutAKnownStatusIsNeverAFreshStart) {
  for_every_loop_situation([](const LoopSituation& s) {
    const bool is_unclear = s.status == LoopStatus::Missing || s.status == LoopStatus::Unknown;
    if (s.index == LoopIndex::Absent || !is_unclear) return;
    EXPECT_EQ(decide(s).decision, Decision::Refuse);
    EXPECT_EQ(decide(s).readiness, Readiness::Blocked);
  });
}

TEST(SpecLoopRules, SL07_WhatIsThereAlreadyIsNeverScaffoldedASecondTime) {
  int rounds = 0;
  for_every_loop_situation([&](const LoopSituation& s) {
    const LoopRow& row = decide(s);
    if (row.decision != Decision::Run || row.phase != "A1") return;
    ++rounds;
    EXPECT_EQ(s.index, LoopIndex::Absent);
    EXPECT_EQ(s.place, LoopPlace::New);
  });
  EXPECT_GT(rounds, 0);
}

TEST(SpecLoopRules, SL03_NoReceivedAnswerIsPassedOver) {
  for_every_loop_situation([](const LoopSituation& s) {
    const bool loops = s.status == LoopStatus::Clarifying || s.status == LoopStatus::Validating;
    if (s.index == LoopIndex::Present && loops && s.answers == LoopAnswers::Received) {
      EXPECT_EQ(decide(s).phase, "B2");
    }
  });
}

// A loop in good order that clarifies in iteration 2, with one question open.
SpecLoopSnapshot a_loop(LoopStatus status = LoopStatus::Clarifying) {
  SpecLoopSnapshot snapshot{.subject = "005-x", .state_file = "specs/005-x/.workflow/index.md"};
  snapshot.now = kNow;
  snapshot.index_exists = snapshot.directory_exists = snapshot.branch_exists = true;
  snapshot.spec_file = "specs/005-x/spec.md";
  snapshot.spec_exists = snapshot.spec_is_filled = true;
  SpecLoopClaims& claims = snapshot.claims;
  claims.feature = claims.branch = "005-x";
  claims.status = status;
  claims.status_line = 10;
  claims.iteration = {.number = 2, .out_of = 10, .written = "2 / 10", .line = 11};
  claims.last_activity = ClaimedTime{.time = kNow - std::chrono::minutes(5)};
  claims.gaps = {{.id = "G-001", .status = GapStatus::Clarifying, .line = 30}};
  claims.questions = {
      {.id = "C2.1", .question = "How long?", .gaps = {"G-001"}, .status = QuestionStatus::Open, .line = 20}};
  return snapshot;
}

// A loop of which nothing has happened but what its status says.
SpecLoopSnapshot a_new_loop(LoopStatus status) {
  SpecLoopSnapshot snapshot = a_loop(status);
  snapshot.claims.iteration.number = 1;
  snapshot.claims.gaps.clear();
  snapshot.claims.questions.clear();
  return snapshot;
}

std::string resume_point(const Plan& plan) {
  if (!plan.resume_point) return "none";
  const StepDecision& decision = plan.decisions[*plan.resume_point];
  return decision.stage + " " + std::string(to_token(decision.decision));
}

const Finding* find(const Plan& plan, std::string_view code) {
  const auto found = std::ranges::find(plan.findings, code, &Finding::code);
  return found == plan.findings.end() ? nullptr : &*found;
}

std::string options(const Plan& plan) {
  std::string out;
  for (const PlanOption& option : plan.options) out += option.action + ": " + option.command + "\n";
  return out;
}

TEST(SpecLoopRules, SL03_StatusToPhase) {
  SpecLoopSnapshot without_spec = a_new_loop(LoopStatus::Scaffolding);
  without_spec.spec_exists = false;
  EXPECT_EQ(resume_point(plan_spec_loop(a_new_loop(LoopStatus::NotStarted))), "A1 continue");
  EXPECT_EQ(resume_point(plan_spec_loop(without_spec)), "A1 rerun");
  EXPECT_EQ(resume_point(plan_spec_loop(a_new_loop(LoopStatus::Scaffolding))), "A2 run");
  EXPECT_EQ(resume_point(plan_spec_loop(a_new_loop(LoopStatus::SpecWriting))), "A2 rerun");
  EXPECT_EQ(resume_point(plan_spec_loop(a_new_loop(LoopStatus::Validating))), "A3 rerun");
  EXPECT_EQ(resume_point(plan_spec_loop(a_loop(LoopStatus::Validating))), "B3 rerun");
  EXPECT_EQ(resume_point(plan_spec_loop(a_loop(LoopStatus::Clarifying))), "B1 wait");
  EXPECT_EQ(resume_point(plan_spec_loop(a_new_loop(LoopStatus::Clarifying))), "B3 rerun");
  EXPECT_EQ(plan_spec_loop(a_loop(LoopStatus::Completed)).readiness, Readiness::Done);
  EXPECT_EQ(plan_spec_loop(a_loop(LoopStatus::Terminated)).readiness, Readiness::Fresh);
}

TEST(SpecLoopRules, SL03_TheFirstRecheckIsNotTakenForTheFirstValidation) {
  SpecLoopSnapshot resolved = a_new_loop(LoopStatus::Validating);
  resolved.claims.gaps = {{.id = "G-001", .status = GapStatus::Resolved}};
  SpecLoopSnapshot answered = a_new_loop(LoopStatus::Validating);
  answered.claims.questions = {{.id = "C1.1", .status = QuestionStatus::Answered, .applied = true}};
  SpecLoopSnapshot logged = a_new_loop(LoopStatus::Validating);
  logged.claims.history = {{.gap = "G-001", .iteration = 1}};
  for (const SpecLoopSnapshot& snapshot : {resolved, answered, logged}) {
    const Plan plan = plan_spec_loop(snapshot);
    EXPECT_EQ(resume_point(plan), "B3 rerun");
    EXPECT_EQ(plan.iteration, 1);
  }
}

TEST(SpecLoopRules, SL03_AReceivedAnswerIsAppliedFirst) {
  SpecLoopSnapshot snapshot = a_loop();
  snapshot.claims.questions[0].status = QuestionStatus::Answered;
  snapshot.claims.questions[0].answer = "15 minutes";
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(resume_point(plan), "B2 continue");
  EXPECT_EQ(plan.readiness, Readiness::Ready);
  EXPECT_EQ(plan.iteration, 2);
  EXPECT_TRUE(plan.waiting_for.empty());
  EXPECT_EQ(options(plan), "resume: reprise resume spec-loop/005-x\nfresh: reprise fresh spec-loop/005-x\n");
}

TEST(SpecLoopRules, SL03_AnAnswerWhoseQuestionIsGoneIsNotDropped) {
  SpecLoopSnapshot snapshot = a_loop();
  snapshot.claims.answers = {{.question = "C1.9", .answer = "oak", .applied = false}};
  EXPECT_EQ(resume_point(plan_spec_loop(snapshot)), "B2 continue");
  snapshot.claims.answers[0].applied = true;
  EXPECT_EQ(resume_point(plan_spec_loop(snapshot)), "B1 wait");
}

TEST(SpecLoopRules, SL03_WithSomeAnswersTheOthersStayOpen) {
  SpecLoopSnapshot snapshot = a_loop();
  snapshot.claims.questions.push_back(
      {.id = "C2.2", .question = "Who?", .status = QuestionStatus::Answered, .answer = "All"});
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(resume_point(plan), "B2 continue");
  ASSERT_EQ(plan.waiting_for.size(), 1u);
  EXPECT_EQ(plan.waiting_for[0].name, "C2.1");
  EXPECT_NE(find(plan, "questions_open"), nullptr);
  EXPECT_EQ(plan.readiness, Readiness::Wait);
}

TEST(SpecLoopRules, A31_AnsweredWithoutATextIsAskedAgain) {
  SpecLoopSnapshot snapshot = a_loop();
  snapshot.claims.questions[0].status = QuestionStatus::Answered;
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(resume_point(plan), "B1 wait");
  EXPECT_EQ(plan.waiting_for.size(), 1u);
  EXPECT_NE(find(plan, "answer_missing"), nullptr);
}

TEST(SpecLoopRules, A31_ReadyPlanWaitsForNothing) {
  for (const LoopStatus status : {LoopStatus::NotStarted, LoopStatus::SpecWriting, LoopStatus::Validating}) {
    const Plan plan = plan_spec_loop(a_loop(status));
    EXPECT_EQ(plan.readiness, Readiness::Ready);
    EXPECT_TRUE(plan.waiting_for.empty());
    EXPECT_NE(find(plan, "questions_open"), nullptr);
  }
}

TEST(SpecLoopRules, SL02_AnOpenQuestionIsWaitedForAndSaysHowToAnswer) {
  SpecLoopSnapshot snapshot = a_loop();
  snapshot.subject = "005 x";
  snapshot.claims.feature = "005 x";
  snapshot.claims.questions[0].options = "5, 15";
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(plan.id.text, "spec-loop/005 x");
  EXPECT_EQ(plan.readiness, Readiness::Wait);
  ASSERT_EQ(plan.waiting_for.size(), 1u);
  EXPECT_EQ(plan.waiting_for[0].kind, "question");
  EXPECT_EQ(plan.waiting_for[0].name, "C2.1");
  EXPECT_EQ(plan.waiting_for[0].ask, "How long? (5, 15)");
  EXPECT_EQ(options(plan),
            "resume: reprise resume 'spec-loop/005 x'\nanswer: reprise answer 'spec-loop/005 x' C2.1 TEXT\n"
            "fresh: reprise fresh 'spec-loop/005 x'\n");
}

TEST(SpecLoopRules, SL07_ACrashBeforeTheIndexGoesOnInWhatIsThere) {
  SpecLoopSnapshot snapshot{.subject = "005-x", .state_file = "specs/005-x/.workflow/index.md"};
  snapshot.now = kNow;
  snapshot.branch_exists = true;
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(resume_point(plan), "A1 continue");
  EXPECT_EQ(plan.decisions[0].rule, "SL-03 scaffold cut");
  snapshot.branch_exists = false;
  const Plan fresh = plan_spec_loop(snapshot);
  EXPECT_EQ(fresh.readiness, Readiness::Fresh);
  EXPECT_EQ(options(fresh), "fresh: reprise run spec-loop 005-x\n");
  EXPECT_EQ(fresh.age, Duration(0));
}

TEST(SpecLoopRules, SL10_AFaultBlocksAndOffersTheWaysOut) {
  SpecLoopSnapshot snapshot = a_loop();
  snapshot.claims.faults = {{.line = 11, .text = "12 / 10", .wrong = "out of range", .allowed = "1 to 10"}};
  snapshot.is_repairable = true;
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(plan.readiness, Readiness::Blocked);
  EXPECT_EQ(resume_point(plan), "none");
  const Finding* fault = find(plan, "integrity");
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->rule, "SL-09");
  EXPECT_EQ(fault->severity, Severity::Blocking);
  EXPECT_EQ(fault->message, "line 11: out of range; allowed: 1 to 10");
  EXPECT_EQ(fault->claimed, "12 / 10");
  EXPECT_EQ(fault->remedy, "reprise repair spec-loop/005-x");
  EXPECT_EQ(options(plan),
            "repair: reprise repair spec-loop/005-x\nmanual: reprise plan spec-loop/005-x\n"
            "fresh: reprise fresh spec-loop/005-x\n");
  snapshot.is_repairable = false;
  EXPECT_EQ(options(plan_spec_loop(snapshot)),
            "manual: reprise plan spec-loop/005-x\nfresh: reprise fresh spec-loop/005-x\n");
}

TEST(SpecLoopRules, SL09_AFaultOfALoopThatHasEndedIsOnlySaid) {
  SpecLoopSnapshot snapshot = a_loop(LoopStatus::Completed);
  snapshot.claims.faults = {{.line = 11, .text = "", .wrong = "out of range", .allowed = "1 to 10"}};
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(plan.readiness, Readiness::Done);
  EXPECT_EQ(find(plan, "integrity")->severity, Severity::Warning);
  EXPECT_EQ(options(plan), "");
}

TEST(SpecLoopRules, SL09_AnIndexThatCannotBeReadIsBlockedNotAnError) {
  SpecLoopSnapshot snapshot{.subject = "005-x", .state_file = "specs/005-x/.workflow/index.md"};
  snapshot.unreadable = "line 3: a NUL byte";
  snapshot.index_exists = snapshot.directory_exists = true;
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(plan.readiness, Readiness::Blocked);
  EXPECT_EQ(find(plan, "unreadable")->severity, Severity::Blocking);
  EXPECT_EQ(plan.decisions.size(), kLoopPhases.size());
}

TEST(SpecLoopRules, SL03_ATerminatedLoopSaysItsReason) {
  SpecLoopSnapshot snapshot = a_loop(LoopStatus::Terminated);
  snapshot.claims.termination_reason = "manual_edit";
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(plan.readiness, Readiness::Fresh);
  EXPECT_EQ(find(plan, "ended")->message, "the loop is terminated: manual_edit");
  EXPECT_TRUE(plan.waiting_for.empty());
  EXPECT_EQ(options(plan), "fresh: reprise fresh spec-loop/005-x\n");
}

TEST(SpecLoopRules, ALL03_WhatIsSeenStandsAgainstWhatIsClaimed) {
  SpecLoopSnapshot snapshot = a_loop(LoopStatus::Validating);
  snapshot.claims.feature = "006-y";
  snapshot.claims.documents = {{.document = "spec.md", .status = "present", .path = "", .line = 14}};
  snapshot.claims.workflows = {{.workflow = "specify", .status = "completed", .line = 16}};
  snapshot.claims.loop = {{.key = "pending_clarifications", .value = "3 (C2.1, C2.2, C2.3)", .line = 13}};
  snapshot.branch_exists = false;
  snapshot.spec_exists = false;
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(plan.readiness, Readiness::Confirm);
  EXPECT_EQ(find(plan, "name_differs")->severity, Severity::Warning);
  EXPECT_EQ(find(plan, "spec_missing")->severity, Severity::Warning);
  EXPECT_EQ(find(plan, "spec_missing")->remedy, "reprise resume spec-loop/005-x --from A2");
  EXPECT_EQ(find(plan, "branch_missing")->severity, Severity::Info);
  EXPECT_EQ(find(plan, "document_differs")->message, "line 14 says \"spec.md is present\", but it is not there");
  EXPECT_EQ(std::ranges::count(plan.findings, "pointer_differs", &Finding::code), 2);
  EXPECT_NE(options(plan).find("from: reprise resume spec-loop/005-x --from A2\n"), std::string::npos);
  snapshot.spec_exists = true;
  snapshot.spec_is_filled = false;
  EXPECT_NE(find(plan_spec_loop(snapshot), "spec_unfilled"), nullptr);
}

TEST(SpecLoopRules, OddThingsAreListedButNotWithoutEnd) {
  SpecLoopSnapshot snapshot = a_loop();
  for (int i = 1; i <= 50; ++i) snapshot.claims.oddities.push_back({.line = i, .text = "x\x1B[2J", .why = "odd"});
  const Plan plan = plan_spec_loop(snapshot);
  EXPECT_EQ(std::ranges::count(plan.findings, "not_understood", &Finding::code), 21);
  for (const Finding& finding : plan.findings) EXPECT_EQ(finding.message.find('\x1B'), std::string::npos);
}

TEST(SpecLoopRules, OR05_AnOldStateIsSaidToBeOld) {
  SpecLoopSnapshot snapshot = a_loop();
  EXPECT_EQ(find(plan_spec_loop(snapshot), "old_state"), nullptr);
  EXPECT_EQ(plan_spec_loop(snapshot).age, std::chrono::minutes(5));
  snapshot.claims.last_activity->time = kNow - std::chrono::hours(24 * 8);
  EXPECT_EQ(find(plan_spec_loop(snapshot), "old_state")->severity, Severity::Info);
  EXPECT_EQ(age_class(plan_spec_loop(snapshot).age), AgeClass::Stale);
  snapshot.claims.last_activity.reset();  // the file's own time is all there is
  snapshot.file_time = kNow - std::chrono::hours(2);
  EXPECT_EQ(age_class(plan_spec_loop(snapshot).age), AgeClass::Recent);
  snapshot.file_time = kNow + std::chrono::hours(2);
  EXPECT_EQ(plan_spec_loop(snapshot).age, Duration(0));
}

TEST(SpecLoopRules, ALL02_EveryPhaseHasOneDecisionWithRuleReasonAndEvidence) {
  int plans = 0;
  for (int status = 0; status <= static_cast<int>(LoopStatus::Terminated); ++status, ++plans) {
    const Plan plan = plan_spec_loop(a_loop(static_cast<LoopStatus>(status)));
    ASSERT_EQ(plan.decisions.size(), kLoopPhases.size());
    for (std::size_t i = 0; i < plan.decisions.size(); ++i) {
      const StepDecision& decision = plan.decisions[i];
      EXPECT_EQ(decision.stage, kLoopPhases[i].name);
      EXPECT_FALSE(decision.rule.empty());
      EXPECT_FALSE(decision.reason().empty());
      EXPECT_FALSE(decision.evidence().empty());
      if (!plan.resume_point) continue;
      // What lies before the resume point is kept, what lies behind it is still to run.
      if (i == *plan.resume_point) continue;
      EXPECT_EQ(decision.decision, i < *plan.resume_point ? Decision::Keep : Decision::Run);
    }
  }
  EXPECT_EQ(plans, 9);
}

}  // namespace
}  // namespace reprise
