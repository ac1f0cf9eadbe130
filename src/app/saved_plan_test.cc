// Saved plans as values: what differs between two plans, and that a file of one is read back whole or not at all.

#include "app/saved_plan.h"

#include <gtest/gtest.h>

#include "app/plan_differences.h"
#include "app/saved_plan_format.h"

namespace reprise {
namespace {

StepDecision decided(const std::string& step, Decision decision) {
  StepDecision out;
  out.stage = step;
  out.step = StepPath{step};
  out.decision = decision;
  out.ground = "it is a test";
  return out;
}

Plan example() {
  Plan plan;
  plan.id = RunId{"rel/a"};
  plan.decisions = {decided("build", Decision::Keep), decided("tests", Decision::Rerun)};
  plan.findings = {
      {.rule = "WF-20", .code = "artifact_changed", .severity = Severity::Warning, .message = "app.txt"}};
  plan.waiting_for = {{"gate", "ship", "Ship it?"}};
  return plan;
}

SavedPlan saved_example() {
  SavedPlan saved{.repository = "/some/where/.git", .from = "build"};
  saved.ground = {.last_event = 7,
                  .started_at = "2026-11-16T10:00:00.000Z",
                  .definition = "sha256:00",
                  .state_file = "specs/001/.pipeline-state.md",
                  .state_digest = "sha256:11",
                  .files = {{"spec.md", "sha256:22"}, {"gone.md", ""}},
                  .commits = {{"main", "33"}}};
  return saved;
}

std::string summary(const std::vector<PlanDifference>& differences) {
  std::string out;
  for (const PlanDifference& d : differences) out += d.kind + " " + d.name + ": " + d.was + "->" + d.is + "\n";
  return out;
}

TEST(PlanDifferences, TheSamePlanDoesNotDiffer) { EXPECT_EQ(summary(differences(example(), example())), ""); }

TEST(PlanDifferences, EveryKindOfDifferenceIsTold) {
  Plan after = example();
  after.decisions = {decided("build", Decision::Rerun), decided("docs", Decision::Run)};
  after.findings = {
      {.rule = "WF-40", .code = "baseline_changed", .severity = Severity::Blocking, .message = "spec.md"}};
  after.waiting_for = {{"question", "Q1", "left?"}};
  EXPECT_EQ(summary(differences(example(), after)),
            "decision build: keep->rerun\n"
            "decision docs: ->run\n"
            "decision tests: rerun->\n"
            "finding baseline_changed: ->blocking\n"
            "finding artifact_changed: warning->\n"
            "question Q1: ->waits\n"
            "gate ship: waits->\n");
}

TEST(PlanDifferences, TimeThatPassesIsNoDifference) {
  Plan after = example();
  after.age = std::chrono::hours(72);
  after.readiness = Readiness::Confirm;
  after.findings.push_back(
      {.rule = "OR-05", .code = "old_state", .severity = Severity::Warning, .message = "3d ago"});
  EXPECT_EQ(summary(differences(example(), after)), "");
  EXPECT_EQ(summary(differences(after, example())), "");
}

TEST(SavedPlan, IsReadBackAsItWasWritten) {
  const SavedPlan was = saved_example();
  const Result<SavedPlan> is = parse_saved_plan(saved_plan_text(was, example(), {}, "ana@host"));
  ASSERT_TRUE(is) << is.error().message;
  EXPECT_EQ(is->repository, was.repository);
  EXPECT_EQ(is->from, was.from);
  EXPECT_EQ(is->plan.id.text, "rel/a");
  EXPECT_EQ(is->ground.last_event, 7);
  EXPECT_EQ(is->ground.started_at, was.ground.started_at);
  EXPECT_EQ(is->ground.definition, was.ground.definition);
  EXPECT_EQ(is->ground.state_file, was.ground.state_file);
  EXPECT_EQ(is->ground.state_digest, was.ground.state_digest);
  EXPECT_EQ(is->ground.files, was.ground.files);
  EXPECT_EQ(is->ground.commits, was.ground.commits);
  EXPECT_EQ(decided_otherwise(*is, example()), std::vector<std::string>());
}

TEST(SavedPlan, CutAnywhereItIsRefused) {
  const std::string text = saved_plan_text(saved_example(), example(), {}, "ana@host");
  int cuts = 0;
  for (std::size_t size = 0; size + 1 < text.size(); ++size, ++cuts)
    EXPECT_FALSE(parse_saved_plan(std::string_view(text).substr(0, size))) << size;
  EXPECT_GT(cuts, 500);
}

TEST(SavedPlan, WithAnyKeyRenamedItIsRefused) {
  const std::string text = saved_plan_text(saved_example(), example(), {}, "ana@host");
  const std::string keys[] = {"reprise_plan", "repository", "from",     "stands_on",  "last_event",
                              "started_at",   "definition", "plan",     "decisions",  "state_file",
                              "files",        "commits",    "findings", "waiting_for"};
  for (const std::string& key : keys) {
    std::string changed = text;
    const std::size_t at = changed.find("\"" + key + "\":");
    ASSERT_NE(at, std::string::npos) << key;
    changed[at + 1] = '_';
    EXPECT_FALSE(parse_saved_plan(changed)) << key;
  }
}

TEST(SavedPlan, BytesThatAreNoTextDoNotMakeAPlanDifferFromItself) {
  Plan plan = example();
  plan.decisions.push_back(decided("odd\xff", Decision::Run));
  const Result<SavedPlan> saved = parse_saved_plan(saved_plan_text(saved_example(), plan, {}, ""));
  ASSERT_TRUE(saved);
  EXPECT_EQ(decided_otherwise(*saved, plan), std::vector<std::string>());
}

TEST(SavedPlan, WhatIsDecidedOtherwiseIsToldInSentences) {
  const Result<SavedPlan> saved = parse_saved_plan(saved_plan_text(saved_example(), example(), {}, ""));
  ASSERT_TRUE(saved);
  Plan now = example();
  now.decisions[0] = decided("build", Decision::Rerun);
  now.findings.clear();
  now.waiting_for.clear();
  EXPECT_EQ(
      decided_otherwise(*saved, now),
      (std::vector<std::string>{"step build: was keep, is rerun because it is a test",
                                "no longer found: app.txt [artifact_changed]", "gate ship: waits no longer"}));
}

}  // namespace
}  // namespace reprise
