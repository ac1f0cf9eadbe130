// What the program suggests, and what it says of runs that are over: nothing that loses work comes first, and
// nothing is announced that will not happen.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kStory =
    "# Story 4.2: Pay\n\n**Status:** InProgress\n\n## Acceptance Criteria\n\n- [ ] it works\n";

bool shows_text(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The first command that a plan or the overview suggests.
std::string first_option(const std::string& plan_json) {
  const std::size_t options = plan_json.find("\"options\":[");
  const std::size_t begin = plan_json.find("\"command\":\"", options) + 11;
  return plan_json.substr(begin, plan_json.find('"', begin) - begin);
}

TEST(Suggestions, DW24_MissingWorkerIsExplainedBeforeAnythingIsGivenUp) {
  const World world;
  world.write("docs/stories/4.2.story.md", kStory);
  const Ended overview = world.reprise({});
  EXPECT_TRUE(shows_text(overview.out, "type      reprise init")) << overview.out;
  EXPECT_TRUE(shows_text(overview.out, ".reprise/config.yaml")) << overview.out;
  EXPECT_FALSE(shows_text(overview.out, "reprise fresh")) << overview.out;
  EXPECT_EQ(first_option(world.reprise({"plan", "story-cycle/4.2", "--json"}).out), "reprise init");
  EXPECT_EQ(world.reprise({"init"}).exit, 0);
  const Ended again = world.reprise({});
  EXPECT_TRUE(shows_text(again.out, "type      ${EDITOR:-vi} .reprise/config.yaml")) << again.out;
  EXPECT_EQ(world.read("docs/stories/4.2.story.md"), kStory);
  world.write(".reprise/config.yaml", "workers: {default: {run: [./scripts/agent.sh]}}\n");
  EXPECT_TRUE(shows_text(world.reprise({}).out, "type      reprise resume story-cycle/4.2"))
      << "as the remedy says";
}

TEST(Suggestions, DW24_BlockedWorkIsNeverAbandonedFirst) {
  World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: 'true'}}\n");
  world.write("docs/stories/4.3.story.md",
              "# Story 4.3: Pay\n\n**Status:** Perhaps\n\n## Acceptance Criteria\n\n- [ ] x\n");
  world.write(".aiox/epic-5-state.yaml", "epic_id: '5'\nstatus: somehow\nwaves:\n  - {number: 1, stories: [}\n");
  world.write("qa/4.4/loop-status.json", "{\"storyId\": \"4.4\", \"status\": \"what\", ");
  world.write(
      "specs/005-x/.workflow/index.md",
      "# Feature Index: x\n\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop Status** | odd |\n"
      "| **Current Iteration** | 99 / 10 |\n");
  world.write("specs/001-y/.pipeline-state.md",
              "# Pipeline State: y\n\n- status: PERHAPS\n- current_stage: tdd\n- spec_hash: sha256:00\n");
  int blocked = 0;
  for (const char* id : {"epic/5", "qa-loop/4.4", "spec-loop/005-x", "playbook/001-y"}) {
    const Ended plan = world.reprise({"plan", id, "--json"});
    if (!shows_text(plan.out, "\"readiness\":\"blocked\"")) continue;
    ++blocked;
    const std::string first = first_option(plan.out);
    EXPECT_FALSE(first.starts_with("reprise fresh") || first.starts_with("reprise cleanup"))
        << id << ": " << first;
  }
  EXPECT_GE(blocked, 3);
  const std::string overview = world.reprise({}).out;
  EXPECT_FALSE(shows_text(overview, "type      reprise fresh")) << overview;
  EXPECT_FALSE(shows_text(overview, "type      reprise cleanup")) << overview;
}

TEST(Suggestions, DW25_ResumeOfAFailedPlaybookIsRefused) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: 'echo ran >>ran.txt'}}\n");
  const std::string state =
      "# Pipeline State: x\n\n- status: FAILED\n- current_stage: tdd\n- spec_hash: sha256:00\n";
  world.write("specs/001-x/.pipeline-state.md", state);
  const Ended ended = world.reprise({"resume", "playbook/001-x"});
  EXPECT_EQ(ended.exit, 4) << ended.err;
  EXPECT_TRUE(shows_text(ended.err, "cannot resume playbook/001-x: ")) << ended.err;
  EXPECT_TRUE(shows_text(ended.err, "\n  try: reprise fresh playbook/001-x")) << ended.err;
  const Ended json = world.reprise({"resume", "playbook/001-x", "--json"});
  EXPECT_EQ(json.exit, 4);
  EXPECT_TRUE(shows_text(json.out, "\"exit\":4")) << json.out;
  EXPECT_EQ(world.read("specs/001-x/.pipeline-state.md"), state);
  EXPECT_FALSE(world.has("ran.txt"));
}

TEST(Suggestions, DW26_NothingRemainsOfARunThatIsDone) {
  const World world;
  world.write("spec.md", "one\n");
  world.workflow("f",
                 "stages:\n"
                 "  a: {run: 'cat spec.md >a.txt', inputs: [spec.md], produces: [a.txt], verify: 'true'}\n"
                 "  ok: {needs: a, gate: {ask: 'Ok?', shows: [spec.md]}}\n"
                 "  b: {needs: ok, run: 'echo b >b.txt', produces: [b.txt]}\n");
  EXPECT_EQ(world.reprise({"run", "f", "x"}).exit, 3);
  EXPECT_EQ(world.reprise({"approve", "f/x", "ok"}).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "f/x"}).exit, 0);
  world.write("spec.md", "two\n");
  fs::remove(world.root() / "b.txt");
  const Ended plan = world.reprise({"plan", "f/x", "--json"});
  EXPECT_TRUE(shows_text(plan.out, "\"readiness\":\"done\"")) << plan.out;
  EXPECT_TRUE(shows_text(plan.out, "\"remaining\":[]")) << plan.out;
  EXPECT_TRUE(shows_text(plan.out, "\"waiting_for\":[]")) << plan.out;
  for (const char* decision : {"wait", "verify", "run", "rerun", "refuse"})
    EXPECT_FALSE(shows_text(plan.out, "\"decision\":\"" + std::string(decision) + "\"")) << plan.out;
  const Ended why = world.reprise({"why", "f/x", "b"});
  EXPECT_TRUE(shows_text(why.out, "b.txt")) << "what changed since is still told: " << why.out;
}

TEST(Suggestions, DW12_RepairOfARunWithoutAStateFileNamesDoctor) {
  const World world;
  world.workflow("f", "stages:\n  a: {run: 'true'}\n");
  EXPECT_EQ(world.reprise({"run", "f", "x"}).exit, 0);
  for (const char* id : {"f/x", "x"}) {
    const Ended ended = world.reprise({"repair", id});
    EXPECT_EQ(ended.exit, 2);
    EXPECT_TRUE(shows_text(ended.err, "nothing to repair in f/x")) << ended.err;
    EXPECT_TRUE(shows_text(ended.err, "try: reprise doctor")) << ended.err;
    EXPECT_FALSE(shows_text(ended.err, "there is no run")) << ended.err;
  }
  EXPECT_TRUE(shows_text(world.reprise({"repair", "nope"}).err, "there is no run"));
}

TEST(WorkflowCheck, DW22_UnknownNamesInConditionsAreReportedBesideACircle) {
  const World world;
  world.workflow("w",
                 "stages:\n"
                 "  a: {run: 'true'}\n"
                 "  g: {needs: a, when: {nope: 1}, run: x}\n"
                 "  k: {run: x, needs: l}\n"
                 "  l: {run: x, needs: k}\n");
  const Ended circle = world.reprise({"workflow", "check", "w"});
  EXPECT_TRUE(shows_text(circle.out + circle.err, "\"nope\"")) << circle.out << circle.err;
  EXPECT_TRUE(shows_text(circle.out + circle.err, "k -> l -> k")) << circle.out << circle.err;
  world.workflow("w", "stages:\n  a: {run: 'true', needs: ghost}\n  g: {needs: a, when: {nope: 1}, run: x}\n");
  const Ended unknown = world.reprise({"workflow", "check", "w"});
  EXPECT_TRUE(shows_text(unknown.out + unknown.err, "\"nope\"")) << unknown.out << unknown.err;
  EXPECT_TRUE(shows_text(unknown.out + unknown.err, "\"ghost\"")) << unknown.out << unknown.err;
}

TEST(WorkflowCheck, DW31_UnknownKeyNamesTheNearestOne) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'true', retry: 2}\n");
  const Ended near = world.reprise({"workflow", "check", "w"});
  EXPECT_EQ(near.exit, 2);
  EXPECT_TRUE(shows_text(near.out + near.err, "unknown key: \"retry\" (did you mean \"retries\"?)\n"))
      << near.out << near.err;
  world.workflow("w", "stages:\n  a: {run: 'true', zzzzzz: 2}\n");
  const Ended far = world.reprise({"workflow", "check", "w"});
  EXPECT_TRUE(shows_text(far.out + far.err, "allowed: run, role, prompt")) << far.out << far.err;
}

TEST(WorkflowCheck, DW31_WrongValueShowsTheShortestCorrectForm) {
  const World world;
  world.workflow("w",
                 "stages:\n"
                 "  a: {run: 'true', produces: {x: 1}}\n"
                 "  b: {gate: true}\n"
                 "  c: {needs: a, when: pass, run: x}\n");
  const Ended ended = world.reprise({"workflow", "check", "w"});
  const std::string text = ended.out + ended.err;
  EXPECT_EQ(ended.exit, 2);
  EXPECT_TRUE(shows_text(text, "wrong value for \"gate\": \"true\"")) << text;
  for (const char* example : {"gate: \"Is it ready?\"", "produces: [report.md]", "when: {review: pass}"})
    EXPECT_TRUE(shows_text(text, example)) << text;
  world.workflow("w", "stages:\n  b: {gate: \"Is it ready?\"}\n");
  EXPECT_EQ(world.reprise({"workflow", "check", "w"}).exit, 0) << "the form that is shown is correct";
}

}  // namespace
}  // namespace reprise::cli_test
