// The spec loop's seed, sample by sample and row by row: what its own index says, and how people write it.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

const std::string kIndex = "specs/005-user-auth/.workflow/index.md";

constexpr const char* kLoopState = R"(## Priority Loop State

| Field | Value |
|-------|-------|
| **Loop Status** | clarifying |
| **Current Iteration** | 2 / 10 |
| **Last Activity** | 2024-01-15T10:30:00Z |
| **Stale Count** | 0 / 3 |

)";
constexpr const char* kRest = R"(## Pending Questions

| ID | Question Summary | Gaps | Status |
|----|------------------|------|--------|
| C2.1 | Session timeout | G-004 | awaiting_answer |

## Gap Priority Queue

| Priority | Gap ID | Status | Resolution |
|----------|--------|--------|------------|
| Critical | G-001 | resolved | Applied in iteration 1 |
| Important | G-004 | clarifying | Pending C2.1 |

## Gap Resolution History

| Gap ID | Iteration | Action | Details |
|--------|-----------|--------|---------|
| G-001 | 1 | resolved | Answer: "15 minute timeout" |
)";

std::string sample() { return std::string(kLoopState) + kRest; }

std::string with_replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

// The agent notes each step in ran.txt; validations find what stands in the file `gaps`.
void set_up_agent(const World& world) {
  world.write("agent.sh", R"(#!/bin/sh
echo "$REPRISE_STEP" >>ran.txt; d=specs/$subject; mkdir -p "$d"
case "$REPRISE_STAGE" in
scaffold) test -e "$d/spec.md" || echo '# Spec' >"$d/spec.md" ;;
write) echo 'Users sign in.' >"$d/spec.md" ;;
apply) cp "$REPRISE_BRIEF" brief.txt; echo applied >>"$d/spec.md" ;;
validate) if test -e gaps; then cat gaps >"$REPRISE_RESULT"; fi ;;
esac
)");
  world.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
}

// A feature whose index is `index`.
struct Feature {
  explicit Feature(const std::string& index, const std::string& spec = "# Spec\n\nUsers sign in.\n") {
    set_up_agent(world);
    world.write("specs/005-user-auth/spec.md", spec);
    world.write(kIndex, index);
  }
  Ended resume() const { return world.reprise({"resume", "005-user-auth", "--yes"}); }
  Ended answer(const std::string& id, const std::string& text) const {
    return world.reprise({"answer", "005-user-auth", id, text});
  }
  std::string plan() const { return world.reprise({"plan", "005-user-auth", "--json"}).out; }
  std::string ran() const { return world.has("ran.txt") ? world.read("ran.txt") : ""; }
  World world;
};

void expect_waits_for_c21(const std::string& index) {
  SCOPED_TRACE(index);
  const Feature feature(index);
  const std::string scanned = feature.world.reprise({"scan", "--json"}).out;
  EXPECT_TRUE(contains(scanned, "\"spec-loop/005-user-auth\"")) << scanned;
  EXPECT_TRUE(contains(scanned, "\"iteration\":2")) << scanned;
  const std::string plan = feature.plan();
  EXPECT_TRUE(contains(plan, "\"readiness\":\"wait\"")) << plan;
  EXPECT_TRUE(contains(plan, "C2.1")) << plan;
  EXPECT_TRUE(contains(feature.world.reprise({"inbox"}).out, "C2.1: Session timeout"));
  EXPECT_EQ(feature.world.read(kIndex), index);
}

TEST(SpecLoop, S02_SampleIsFoundUnderAnyTitle) {
  for (const char* title : {"", "# User auth\n\n", "# Feature Index: 005-user-auth\n\n", "Notes first.\n\n",
                            "# Auth\n\nSome prose.\n\n## Notes\n\n- one\n\n"})
    expect_waits_for_c21(title + sample());
}

TEST(SpecLoop, S02_SampleIsFoundWithItsFieldsInAnotherForm) {
  for (const char* fields : {
           "## Priority Loop State\n\n- Loop Status: clarifying\n- Current Iteration: 2 / 10\n- Stale Count: 0 / "
           "3\n\n",
           "## Priority Loop State\n\n- **Loop Status:** clarifying\n- **Current Iteration**: 2/10\n\n",
           "## Priority Loop State\n\nloop_status: clarifying\ncurrent_iteration: 2\nstale_count: 0\n\n",
           "## priority_loop_state\n\n| Field | Value |\n|---|---|\n| loop_status | Clarifying |\n"
           "| current_iteration | 2 |\n\n",
           "---\nloop_status: clarifying\ncurrent_iteration: 2\n---\n\n# Auth\n\n",
           "# Auth\n\nloop_status: clarifying\ncurrent_iteration: 2 / 10\n\n",
           "Status: clarifying\nIteration: 2 / 10\n\n",
       })
    expect_waits_for_c21(fields + std::string(kRest));
}

TEST(SpecLoop, S01_RunOverTheSampleIsRefusedWithAResume) {
  const Feature feature(sample());
  const Ended ended = feature.world.reprise({"run", "spec-loop", "005-user-auth"});
  EXPECT_EQ(ended.exit, 3);
  EXPECT_TRUE(contains(ended.err, "reprise resume spec-loop/005-user-auth")) << ended.err;
  EXPECT_EQ(feature.world.read(kIndex), sample());
  EXPECT_EQ(feature.ran(), "");
}

TEST(SpecLoop, S02_SampleIsResumedToItsEnd) {
  const Feature feature(sample());
  EXPECT_EQ(feature.resume().exit, 3);
  EXPECT_EQ(feature.answer("C2.1", "30 minutes").exit, 0);
  const Ended ended = feature.resume();
  EXPECT_EQ(ended.exit, 0) << ended.err;
  EXPECT_EQ(feature.ran(), "clarify/2/apply\nclarify/2/validate\n");
  const std::string index = feature.world.read(kIndex);
  EXPECT_TRUE(contains(index, "| **Loop Status** | completed |")) << index;
  EXPECT_TRUE(contains(index, "| C2.1 | Session timeout | G-004 | applied — 30 minutes |")) << index;
  EXPECT_TRUE(contains(index, "| G-001 | 1 | resolved | Answer: \"15 minute timeout\" |")) << index;
  EXPECT_TRUE(index.starts_with("## Priority Loop State\n")) << index;
}

TEST(SpecLoop, S14_UserAnswersAreApplied) {
  for (const char* section : {
           "\n## User Answers\n\n| Question | Answer |\n|---|---|\n| C2.1 | 30 minutes |\n",
           "\n## User Answers\n\n| ID | Question | Answer |\n|---|---|---|\n| C2.1 | Session timeout | 30 minutes "
           "|\n",
           "\n## User Answers\n\n- C2.1: 30 minutes\n",
           "\n## User Answers\n\n- **C2.1**: 30 minutes\n",
           "\n## user_answers\n\n| Question | Answer |\n|---|---|\n| Session timeout | 30 minutes |\n",
       }) {
    SCOPED_TRACE(section);
    const Feature feature(sample() + section);
    const std::string plan = feature.plan();
    EXPECT_TRUE(contains(plan, "\"readiness\":\"ready\",\"resume_point\":{\"stage\":\"B2\"")) << plan;
    const Ended ended = feature.resume();
    EXPECT_EQ(ended.exit, 0) << ended.err;
    EXPECT_EQ(feature.ran(), "clarify/2/apply\nclarify/2/validate\n");
    EXPECT_TRUE(contains(feature.world.read("brief.txt"), "30 minutes"));
    EXPECT_TRUE(contains(feature.world.read(kIndex), "| C2.1 | Session timeout | G-004 | applied"));
  }
}

TEST(SpecLoop, A03_AnswerIsAppliedInEveryIteration) {
  int applied = 0;
  for (int iteration = 1; iteration <= 10; ++iteration) {
    SCOPED_TRACE(iteration);
    const std::string number = std::to_string(iteration);
    std::string index = with_replaced(sample(), "| 2 / 10 |", "| " + number + " / 10 |");
    for (int i = 0; i < 2; ++i) index = with_replaced(index, "C2.1", "C" + number + ".1");
    const Feature feature(index);
    EXPECT_EQ(feature.answer("C" + number + ".1", "30 minutes").exit, 0);
    feature.world.write("gaps",
                        R"({"gaps": [{"id": "G-004", "priority": "Important", "text": "Session timeout"}]})");
    const Ended ended = feature.resume();
    EXPECT_EQ(ended.exit, iteration == 10 ? 0 : 3) << ended.err;
    EXPECT_EQ(feature.ran(), "clarify/" + number + "/apply\nclarify/" + number + "/validate\n");
    const std::string after = feature.world.read(kIndex);
    EXPECT_TRUE(contains(after, "applied — 30 minutes")) << after;
    EXPECT_EQ(contains(after, "max_iterations"), iteration == 10) << after;
    ++applied;
  }
  EXPECT_EQ(applied, 10);
}

TEST(SpecLoop, A03_ValidationRunsInEveryIteration) {
  for (int iteration = 1; iteration <= 10; ++iteration) {
    SCOPED_TRACE(iteration);
    std::string index = with_replaced(sample(), "| 2 / 10 |", "| " + std::to_string(iteration) + " / 10 |");
    index = with_replaced(with_replaced(index, "awaiting_answer", "answered"), "clarifying |\n| **Current",
                          "validating |\n| **Current");
    index = with_replaced(index, "G-004 | clarifying", "G-004 | resolved");
    const Feature feature(index);
    const Ended ended = feature.resume();
    EXPECT_EQ(ended.exit, 0) << ended.err;
    EXPECT_TRUE(feature.ran().ends_with("validate\n")) << feature.ran();
    EXPECT_TRUE(contains(feature.world.read(kIndex), "| success |"));
  }
}

TEST(SpecLoop, A04_FoundStaleCountGoesOn) {
  const Feature feature(with_replaced(sample(), "0 / 3", "2 / 3"));
  feature.world.write("gaps",
                      R"({"gaps": [{"id": "G-004", "priority": "Important", "text": "Session timeout"}]})");
  EXPECT_EQ(feature.answer("C2.1", "30 minutes").exit, 0);
  const Ended ended = feature.resume();
  EXPECT_EQ(ended.exit, 0) << ended.err;
  const std::string index = feature.world.read(kIndex);
  EXPECT_TRUE(contains(index, "| **Stale Count** | 3 / 3 |")) << index;
  EXPECT_TRUE(contains(index, "stale_accepted")) << index;
}

TEST(SpecLoop, A04_SomethingNewBeginsTheStaleCountAgain) {
  const Feature feature(with_replaced(sample(), "0 / 3", "2 / 3"));
  feature.world.write("gaps", R"({"gaps": [{"id": "G-009", "priority": "Important", "text": "Which log?"}]})");
  EXPECT_EQ(feature.answer("C2.1", "30 minutes").exit, 0);
  EXPECT_EQ(feature.resume().exit, 3);
  EXPECT_TRUE(contains(feature.world.read(kIndex), "| **Stale Count** | 0 / 3 |"));
}

TEST(SpecLoop, A29_OpenQuestionIsNotAskedASecondTime) {
  const Feature feature(with_replaced(sample(), "clarifying |\n| **Current", "validating |\n| **Current"));
  const std::string plan = feature.plan();
  EXPECT_TRUE(contains(plan, "\"waiting_for\":[]")) << plan;
  feature.world.write("gaps",
                      R"({"gaps": [{"id": "G-004", "priority": "Important", "text": "Session timeout"}]})");
  EXPECT_EQ(feature.resume().exit, 3);
  const std::string inbox = feature.world.reprise({"inbox"}).out;
  EXPECT_TRUE(contains(inbox, "C2.1: Session timeout")) << inbox;
  EXPECT_FALSE(contains(inbox, "C3.1")) << inbox;
  feature.world.write("gaps", R"({"gaps": []})");
  EXPECT_EQ(feature.answer("C2.1", "30 minutes").exit, 0);
  EXPECT_EQ(feature.resume().exit, 0);
}

TEST(SpecLoop, A31_AnsweredWithoutATextIsAskedAgainByPlanAndResume) {
  const Feature feature(with_replaced(sample(), "awaiting_answer", "answered"));
  const std::string plan = feature.plan();
  EXPECT_TRUE(contains(plan, "\"readiness\":\"wait\"")) << plan;
  EXPECT_TRUE(contains(plan, "answer_missing")) << plan;
  EXPECT_EQ(feature.resume().exit, 3);
  EXPECT_EQ(feature.ran(), "");
  EXPECT_TRUE(contains(feature.world.reprise({"inbox"}).out, "C2.1"));
}

TEST(SpecLoop, A31_PartlyAnsweredRoundWaitsForTheRest) {
  std::string index = with_replaced(sample(), "| C2.1 | Session timeout | G-004 | awaiting_answer |\n",
                                    "| C2.1 | Session timeout | G-004 | answered — 30 minutes |\n"
                                    "| C2.2 | Which log | G-005 | awaiting_answer |\n");
  index = with_replaced(index, "Pending C2.1 |\n",
                        "Pending C2.1 |\n| Important | G-005 | clarifying | Pending C2.2 |\n");
  const Feature feature(index);
  const std::string plan = feature.plan();
  EXPECT_TRUE(contains(plan, "\"readiness\":\"wait\"")) << plan;
  EXPECT_EQ(feature.resume().exit, 3);
  EXPECT_EQ(feature.ran(), "");
  EXPECT_EQ(feature.answer("C2.2", "the audit log").exit, 0);
  EXPECT_EQ(feature.resume().exit, 0);
  const std::string brief = feature.world.read("brief.txt");
  EXPECT_TRUE(contains(brief, "30 minutes")) << brief;
  EXPECT_TRUE(contains(brief, "the audit log")) << brief;
}

TEST(SpecLoop, A30_SpecTruncatedWhileItWasWrittenIsWrittenAgain) {
  const World world;
  set_up_agent(world);
  world.write("agent.sh",
              with_replaced(
                  world.read("agent.sh"), "write) ",
                  "write) if test -e hold; then : >\"$d/spec.md\"; echo $$ >pid; touch cut; exec sleep 30; fi; "));
  world.write("hold", "");
  const std::unique_ptr<Background> run = world.start({"run", "spec-loop", "006-export"});
  ASSERT_TRUE(world.wait_for_file("cut"));
  run->signal(9);
  run->end();
  ASSERT_EQ(world.shell("rm hold; kill -9 $(cat pid)").exit, 0);
  ASSERT_EQ(world.read("specs/006-export/spec.md"), "");
  const Ended ended = world.reprise({"resume", "006-export", "--yes"});
  EXPECT_EQ(ended.exit, 0) << ended.err << world.read("ran.txt");
  EXPECT_EQ(world.read("ran.txt"), "scaffold\nwrite\nwrite\nvalidate\n");
  EXPECT_EQ(world.read("specs/006-export/spec.md"), "Users sign in.\n");
}

TEST(SpecLoop, S23_RunOnATerminalShowsThePromptOfTheSeed) {
  const Feature feature(sample());
  const std::unique_ptr<Terminal> terminal = feature.world.terminal({"run", "spec-loop", "005-user-auth"});
  for (const char* line :
       {"Found interrupted workflow for '005-user-auth'.", "| Status | clarifying |", "| Iteration | 2 / 10 |",
        "| Pending Clarifications | 1 |", "| Last Activity | 2024-01-15T10:30:00Z |",
        "How would you like to proceed? (resume / fresh / cancel)"})
    EXPECT_TRUE(terminal->shows(line)) << line << "\n" << terminal->screen();
  terminal->type("cancel\n");
  EXPECT_EQ(terminal->end(), 3);
  EXPECT_EQ(feature.world.read(kIndex), sample());
}

TEST(SpecLoop, S23_ResumeOnATerminalOffersFreshBeforeItAsks) {
  const Feature feature(sample());
  const std::unique_ptr<Terminal> terminal = feature.world.terminal({"resume", "005-user-auth"});
  EXPECT_TRUE(terminal->shows("Found interrupted workflow for '005-user-auth'."));
  EXPECT_TRUE(terminal->shows("(resume / fresh / cancel)")) << terminal->screen();
  terminal->type("cancel\n");
  EXPECT_EQ(terminal->end(), 3);
  EXPECT_EQ(feature.ran(), "");
}

// The description fits another feature: that one is resumed, or set aside.
struct FittingFeature : Feature {
  FittingFeature()
      : Feature(
            "# Feature Index: 005-user-auth\n\n## Feature Metadata\n\n| Field | Value |\n|---|---|\n"
            "| Original Description | Let users sign in |\n\n" +
            sample()) {}
  std::unique_ptr<Terminal> run() const {
    return world.terminal({"run", "spec-loop", "006-login", "--input", "description=users sign in"});
  }
};

TEST(SpecLoop, A05_ResumeAtThePromptOfRunTakesTheFeatureThatFits) {
  const FittingFeature feature;
  const std::unique_ptr<Terminal> terminal = feature.run();
  EXPECT_TRUE(terminal->shows("(resume / fresh / cancel)")) << terminal->screen();
  terminal->type("resume\n");
  EXPECT_TRUE(terminal->shows("Session timeout")) << terminal->screen();
  terminal->type("\x04");
  terminal->end();
  EXPECT_FALSE(feature.world.has("specs/006-login"));
  EXPECT_TRUE(contains(feature.world.reprise({"status"}).out, "spec-loop/005-user-auth"));
}

TEST(SpecLoop, A06_FreshAtThePromptOfRunIsShownAndConfirmed) {
  const FittingFeature feature;
  {
    const std::unique_ptr<Terminal> terminal = feature.run();
    EXPECT_TRUE(terminal->shows("(resume / fresh / cancel)")) << terminal->screen();
    terminal->type("fresh\n");
    EXPECT_TRUE(terminal->shows("sets aside specs/005-user-auth")) << terminal->screen();
    EXPECT_TRUE(terminal->shows("(yes / no)")) << terminal->screen();
    terminal->type("no\n");
    EXPECT_EQ(terminal->end(), 3);
    EXPECT_TRUE(feature.world.has(kIndex));
  }
  const std::unique_ptr<Terminal> terminal = feature.run();
  EXPECT_TRUE(terminal->shows("(resume / fresh / cancel)")) << terminal->screen();
  terminal->type("fresh\n");
  EXPECT_TRUE(terminal->shows("(yes / no)")) << terminal->screen();
  terminal->type("yes\n");
  EXPECT_EQ(terminal->end(), 0) << terminal->screen();
  EXPECT_FALSE(feature.world.has(kIndex));
  EXPECT_TRUE(feature.world.has("specs/006-login/.workflow/index.md"));
}

TEST(SpecLoop, A31_EndedLoopIsNotCalledInterrupted) {
  for (const char* status : {"completed", "terminated", "pondering"}) {
    const Feature feature(
        with_replaced(sample(), "clarifying |\n| **Current", std::string(status) + " |\n| **Current"));
    const Ended ended = feature.world.reprise({"resume", "005-user-auth"});
    const bool has_ended = std::string(status) != "pondering";
    EXPECT_EQ(contains(ended.err, "Found interrupted workflow"), !has_ended) << status << ended.err;
  }
  const Feature damaged("# Feature Ind");
  EXPECT_FALSE(contains(damaged.world.reprise({"resume", "005-user-auth"}).err, "Found interrupted workflow"));
}

TEST(SpecLoop, A16_RefusedAnswerMakesNoRun) {
  const Feature feature(sample());
  const Ended ended = feature.answer("C9.9", "30 minutes");
  EXPECT_EQ(ended.exit, 2) << ended.err;
  EXPECT_FALSE(contains(feature.world.reprise({"status", "--json"}).out, "\"id\""));
  const Feature damaged("# Feature Ind");
  EXPECT_EQ(damaged.answer("C2.1", "30 minutes").exit, 2);
  EXPECT_FALSE(contains(damaged.world.reprise({"status", "--json"}).out, "\"id\""));
  EXPECT_EQ(damaged.world.reprise({"plan", "005-user-auth"}).exit, 0);
}

TEST(SpecLoop, S27_InconsistentLoopOffersManualInterventionOnATerminal) {
  const Feature feature(with_replaced(sample(), "G-004 | clarifying", "G-004 | pending"));
  const std::unique_ptr<Terminal> terminal = feature.world.terminal({"resume", "005-user-auth"});
  EXPECT_TRUE(terminal->shows("repair the state")) << terminal->screen();
  EXPECT_TRUE(terminal->shows("manual intervention")) << terminal->screen();
  EXPECT_TRUE(terminal->shows("or cancel)")) << terminal->screen();
  terminal->type("cancel\n");
  EXPECT_EQ(terminal->end(), 4);
}

TEST(SpecLoop, S27_RunNamesAnotherFeatureThatIsInProgress) {
  const Feature feature(sample());
  const Ended ended = feature.world.reprise({"run", "spec-loop", "007-report"});
  EXPECT_EQ(ended.exit, 0) << ended.err;
  EXPECT_TRUE(contains(ended.err, "reprise resume spec-loop/005-user-auth")) << ended.err;
}

}  // namespace
}  // namespace reprise::cli_test
