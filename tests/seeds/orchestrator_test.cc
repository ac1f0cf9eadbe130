// The orchestrator's seed against the real program: saved states as people and agents write them.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "world.h"

namespace reprise::cli_test {
namespace {

// Each worker leaves a line and its brief, and gives the verdict that lets the work go on.
constexpr const char* kAgent = R"(#!/bin/sh
echo "$REPRISE_STEP" >>agent.log
cat "$REPRISE_BRIEF" >>briefs.log
case $REPRISE_STEP in
  *gate)   printf '{"status": "done", "verdict": "approved"}' >"$REPRISE_RESULT" ;;
  loop/*/review) printf '{"status": "done", "verdict": "APPROVE"}' >"$REPRISE_RESULT" ;;
  *review) printf '{"status": "done", "verdict": "PASS"}' >"$REPRISE_RESULT" ;;
esac
)";

class Orchestrator : public testing::Test {
 protected:
  Orchestrator() {
    world.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
    world.write("agent.sh", kAgent);
  }

  void story(const std::string& id, const std::string& status) const {
    world.write("docs/stories/" + id + ".story.md", "# Story " + id + ": Part\n\n**Status:** " + status +
                                                        "\n\n## Acceptance Criteria\n\n1. It works.\n");
  }
  void plan_of_epic(const std::string& epic, const std::string& waves) const {
    world.write("docs/epics/EPIC-" + epic + "-EXECUTION.yaml",
                "execution:\n  epicId: \"" + epic + "\"\n  waves:\n" + waves);
  }
  std::string plan(const std::string& id) const { return world.reprise({"plan", id}).out; }
  std::string scan() const { return world.reprise({"scan"}).out; }
  std::string worked_on() const { return world.has("agent.log") ? world.read("agent.log") : ""; }
  /// Resumes with --yes, which answers warnings; returns the exit code.
  int resume(const std::string& id) const {
    const Ended ended = world.reprise({"resume", id, "--yes"});
    if (ended.exit != 0) last_ = ended.out + ended.err;
    return ended.exit;
  }

  World world;
  mutable std::string last_;
};

TEST_F(Orchestrator, S08_AnInterruptedEpicIsResumedAndBecomesActive) {
  story("7.1", "Done");
  story("7.2", "InProgress");
  world.write(".aiox/epic-7-state.yaml",
              "epic_state:\n  epicId: \"7\"\n  status: interrupted\n  current_wave: 1\n  waves:\n    1:\n"
              "      status: in_progress\n      stories:\n        7.1: { status: completed }\n"
              "        7.2: { status: in_progress }\n");
  EXPECT_TRUE(contains(plan("epic/7"), "resume point: wave-1/7.2")) << plan("epic/7");
  world.write("agent.sh", "cp .aiox/epic-7-state.yaml seen.yaml\n" + std::string(kAgent));
  EXPECT_EQ(resume("epic/7"), 0) << last_;
  EXPECT_TRUE(contains(world.read("seen.yaml"), "status: active")) << world.read("seen.yaml");
  EXPECT_FALSE(contains(world.read("seen.yaml"), "interrupted"));
}

TEST_F(Orchestrator, S08_AnInterruptedQaLoopIsResumedAndBecomesActive) {
  story("2.1", "InReview");
  world.write("qa/loop-status.json",
              R"({"storyId": "2.1", "currentIteration": 3, "maxIterations": 5, "status": "interrupted",
                  "history": [{"iteration": 2, "verdict": "REJECT", "fixedAt": "2026-01-01T10:00:00Z"}]})");
  EXPECT_TRUE(contains(plan("qa-loop/2.1"), "iteration 3")) << plan("qa-loop/2.1");
  world.write("agent.sh", "cp qa/loop-status.json seen.json\n" + std::string(kAgent));
  EXPECT_EQ(resume("qa-loop/2.1"), 0) << last_;
  EXPECT_TRUE(contains(world.read("seen.json"), R"("status": "active")")) << world.read("seen.json");
}

TEST_F(Orchestrator, S09_FlatStoriesResumeAtTheFirstThatIsNotDone) {
  story("3.1", "Done");
  story("3.4", "InProgress");
  const std::vector<std::string> plans = {
      "    - { wave: 1, stories: [\"3.1\", \"3.4\"] }\n",
      "    - { wave: 1, stories: [\"3.1\"] }\n    - { wave: 2, stories: [\"3.4\"] }\n"};
  for (const std::string& waves : plans) {
    SCOPED_TRACE(waves);
    plan_of_epic("3", waves);
    world.write(
        ".aiox/epic-3-state.yaml",
        "epic_state:\n  epicId: \"3\"\n  status: active\n  stories: {\"3.1\": Done, \"3.4\": InProgress}\n");
    const std::string text = plan("epic/3");
    EXPECT_TRUE(contains(text, "/3.4\n") && contains(text, "resume point: wave-")) << text;
    EXPECT_FALSE(contains(text, "state says pending")) << text;
    EXPECT_TRUE(contains(scan(), "interrupted at wave-" + std::string(waves.contains("wave: 2") ? "2" : "1")))
        << scan();
  }
  EXPECT_EQ(resume("epic/3"), 0) << last_;
  EXPECT_FALSE(contains(worked_on(), "3.1")) << worked_on();
  EXPECT_TRUE(contains(world.read(".aiox/epic-3-state.yaml"), R"("3.1": Done, "3.4": Done)"))
      << world.read(".aiox/epic-3-state.yaml");
}

TEST_F(Orchestrator, S17_AStoryCycleIsFoundByItsPhaseInAnySpelling) {
  story("4.2", "InProgress");
  const std::vector<std::string> states = {
      "workflow: SDC\nstory: \"4.2\"\nphase: 3\nstatus: interrupted\n",
      "workflow: SDC\nstory: \"4.2\"\nphase: Implement\nstatus: interrupted\n",
      "workflow: SDC\nstory: docs/stories/4.2.story.md\nphase: 3/4\nstatus: interrupted\n",
      "Workflow: story-development-cycle\nStory: \"4.2\"\nLast Completed Phase: Validate\nStatus: Interrupted\n",
      "workflow: SDC\nstory_id: \"4.2\"\nlast_completed_phase: Validate\n",
      "workflow_type: sdc\nstory: \"4.2\"\ncompleted_phases: [Create, Validate]\nstatus: active\n",
      "workflow: sdc\nstory: \"4.2\"\nphases_completed: [1, 2]\ncurrent_phase: 3\n"};
  for (const std::string& state : states) {
    SCOPED_TRACE(state);
    world.write(".aiox/workflow-state/a.yaml", state);
    const std::string text = plan("workflow/a");
    EXPECT_TRUE(contains(text, "resume point: implement")) << text;
    EXPECT_TRUE(contains(text, "qa ")) << text;
    EXPECT_FALSE(contains(text, "pending")) << text;
    EXPECT_TRUE(contains(scan(), "workflow/a  interrupted at implement")) << scan();
  }
}

TEST_F(Orchestrator, S18_AQaLoopWithoutAStatusGoesOnAtItsIteration) {
  story("2.1", "InReview");
  const std::vector<std::string> states = {R"({"story": "2.1", "iteration": 3, "last_verdict": "REJECT"})",
                                           R"({"storyId": "2.1", "iteration": 3, "lastVerdict": "REJECT"})",
                                           R"({"story_id": "2.1", "currentIteration": 3, "verdict": "REJECT"})"};
  for (const std::string& state : states) {
    SCOPED_TRACE(state);
    world.write("qa/loop-status.json", state);
    EXPECT_TRUE(contains(scan(), "qa-loop/2.1  interrupted at fix, iteration 3")) << scan();
    EXPECT_TRUE(contains(plan("qa-loop/2.1"), "resume point: loop/3/fix")) << plan("qa-loop/2.1");
  }
  EXPECT_EQ(resume("qa-loop/2.1"), 0) << last_;
}

TEST_F(Orchestrator, B02_AStoryCycleAtPhaseThreeGoesThroughItsReview) {
  story("4.2", "InProgress");
  world.write(".aiox/workflow-state/a.yaml",
              "workflow: SDC\nstory: \"4.2\"\nphase: 3\nstatus: interrupted\ncontext: {branch: feat/4.2}\n");
  EXPECT_EQ(resume("workflow/a"), 0) << last_;
  EXPECT_EQ(worked_on(), "implement\nqa\n");
  const std::string briefs = world.read("briefs.log");
  EXPECT_TRUE(contains(briefs, "Do step implement (3 of 4) of workflow SDC")) << briefs;
  EXPECT_TRUE(contains(briefs, "Do step qa (4 of 4)")) << briefs;
  EXPECT_TRUE(contains(briefs, "`.aiox/workflow-state/a.yaml`")) << "its context is handed over";
  EXPECT_TRUE(contains(briefs, "docs/stories/4.2.story.md")) << briefs;
  EXPECT_TRUE(contains(world.read(".aiox/workflow-state/a.yaml"), "status: completed"));
  EXPECT_TRUE(contains(world.read(".aiox/workflow-state/a.yaml"), "phase: 4"));
}

TEST_F(Orchestrator, B02_ADevelopmentCycleGoesOnToItsCheckpoint) {
  story("4.2", "InProgress");
  world.write(
      ".aiox/workflow-state/4.2-state.yaml",
      "workflowId: development-cycle\ncurrentPhase: 2_development\ncurrentStory: \"4.2\"\n"
      "executor: '@dev'\nqualityGate: '@architect'\nphaseResults:\n  1_validation:\n    status: completed\n");
  EXPECT_EQ(resume("workflow/4.2"), 0) << last_;
  EXPECT_EQ(worked_on(), "2_development\n3_self_healing\n4_quality_gate\n5_push\n6_checkpoint\n");
}

TEST_F(Orchestrator, B02_AWorkflowWithUnknownPhasesAsksBeforeItIsCompleted) {
  world.write(".aiox/workflow-state/a.yaml",
              "execution_id: release-1\nworkflow: release\ncurrent_phase: publish\nphases_completed: [build]\n"
              "status: interrupted\n");
  EXPECT_TRUE(contains(plan("workflow/release-1"), "[rest_unknown]")) << plan("workflow/release-1");
  EXPECT_EQ(resume("workflow/release-1"), 3) << last_;
  EXPECT_EQ(worked_on(), "publish\n");
  EXPECT_FALSE(contains(world.read(".aiox/workflow-state/a.yaml"), "status: completed"));
  EXPECT_EQ(world.reprise({"approve", "workflow/release-1"}).exit, 0);
  EXPECT_EQ(resume("workflow/release-1"), 0) << last_;
  EXPECT_TRUE(contains(world.read(".aiox/workflow-state/a.yaml"), "status: completed"));
}

TEST_F(Orchestrator, B03_APausedCheckpointGoesOnWithItsNextStory) {
  for (const char* id : {"8.1", "8.2"}) story(id, "Done");
  story("8.3", "Ready");
  world.write(".nexos/workflow-state/8-state.yaml",
              "workflow: epic\ncurrent_story: \"8.2\"\ncurrent_phase: checkpoint\nstatus: paused\n"
              "paused_at: \"2026-11-18T10:00:00Z\"\nepic_id: \"8\"\nepic_progress:\n"
              "  completed_stories: [\"8.1\", \"8.2\"]\n  next_story: \"8.3\"\n  remaining_count: 2\n");
  EXPECT_TRUE(contains(scan(), "workflow/8  interrupted at 8.3")) << scan();
  EXPECT_TRUE(contains(plan("workflow/8"), "resume point: 8.3")) << plan("workflow/8");
  EXPECT_EQ(resume("workflow/8"), 3) << "one more story is counted and not named";
  EXPECT_EQ(worked_on(), "8.3\n");
}

TEST_F(Orchestrator, B19_AStoryCycleInValidationIsNotAStoryThatWasReset) {
  for (const char* status : {"Draft", "Ready"}) {
    story("4.2", status);
    world.write(".aiox/workflow-state/a.yaml",
                "workflow: SDC\nstory: \"4.2\"\ncurrent_phase: 2\nphases_completed: [1]\nstatus: active\n");
    const std::string text = plan("workflow/a");
    EXPECT_TRUE(contains(text, "workflow/a: ready to resume")) << text;
    EXPECT_TRUE(contains(text, "resume point: validate")) << text;
  }
}

TEST_F(Orchestrator, S19_UnusableContentAtAPlaceOfAStateIsNamed) {
  const std::vector<std::string> places = {".aiox/epic-5-state.yaml", "qa/4.2/loop-status.json",
                                           ".aiox/workflow-state/x.yaml", ".nexos/workflow-state/y.json"};
  const std::vector<std::string> contents = {"hello\n", "[1, 2]\n", "{\"a\": 1}\n", ""};
  for (const std::string& content : contents) {
    for (const std::string& place : places) world.write(place, content);
    for (const std::string& place : places)
      EXPECT_TRUE(contains(scan(), place)) << place << " with " << content << scan();
  }
}

TEST_F(Orchestrator, B22_APlaceThatCannotBeOpenedIsNamedAndStopsTheWorkThere) {
  story("7.2", "InProgress");
  EXPECT_EQ(world.shell("ln -s .aiox .aiox").exit, 0);
  EXPECT_TRUE(contains(scan(), ".aiox")) << scan();
  EXPECT_TRUE(contains(plan("story-cycle/7.2"), "[place_unreadable]")) << plan("story-cycle/7.2");
  EXPECT_EQ(resume("story-cycle/7.2"), 4) << last_;
  EXPECT_EQ(worked_on(), "");
}

TEST_F(Orchestrator, B07_ATornQaLoopKeepsItsIterationHistoryAndAge) {
  story("2.1", "InReview");
  const std::string whole =
      R"({"storyId": "2.1", "currentIteration": 3, "maxIterations": 5, "status": "in_progress",
 "updatedAt": "2026-01-05T10:00:00Z", "history": [{"iteration": 1, "verdict": "REJECT", "fixedAt": "2026-01-03T10:00:00Z"},
 {"iteration": 2, "verdict": "REJECT", "fixedAt": "2026-01-04T10:00:00Z"}, {"iteration": 3, "verdict": null}]})";
  world.write("qa/2.1/loop-status.json", whole.substr(0, whole.size() - 2));
  EXPECT_TRUE(contains(plan("qa-loop/2.1"), "[state_damaged]")) << plan("qa-loop/2.1");
  EXPECT_EQ(world.reprise({"repair", "qa-loop/2.1", "--yes"}).exit, 0);
  const std::string repaired = world.read("qa/2.1/loop-status.json");
  EXPECT_TRUE(contains(repaired, R"("currentIteration": 3)")) << repaired;
  EXPECT_TRUE(contains(repaired, "2026-01-04T10:00:00Z")) << repaired;
  EXPECT_TRUE(contains(repaired, R"("updatedAt": "2026-01-05T10:00:00Z")"))
      << "B23: no younger than what was torn";
  EXPECT_TRUE(contains(plan("qa-loop/2.1"), "[old_state]")) << plan("qa-loop/2.1");
}

TEST_F(Orchestrator, B18_AnEpicThatEndsTooEarlyIsRepairedFromItsStories) {
  story("7.1", "Done");
  story("7.2", "InProgress");
  plan_of_epic("7", "    - { wave: 1, stories: [\"7.1\", \"7.2\"] }\n");
  const std::vector<std::string> torn = {"epic_state:\n  epicId: \"7\"\n  status: active\n  current_wave: 1\n",
                                         "epic_state:\n  epicId: \"7\"\n  status: acti",
                                         "epic_state:\n  epicId: \"7\"\n  status: active\n  waves:\n    1:\n      "
                                         "status: in_progress\n      stories:\n"
                                         "        \"7.1\":\n",
                                         "epic_state:\n"};
  for (const std::string& state : torn) {
    world.write(".aiox/epic-7-state.yaml", state);
    EXPECT_TRUE(contains(scan(), "epic/7") && contains(scan(), "damaged")) << state << scan();
    EXPECT_TRUE(contains(plan("epic/7"), "reprise repair epic/7")) << state << plan("epic/7");
  }
  EXPECT_EQ(world.reprise({"repair", "epic/7", "--yes"}).exit, 0);
  EXPECT_EQ(resume("epic/7"), 0) << last_;
  EXPECT_EQ(worked_on(), "wave-1/7.2\nwave-1/gate\nfinal-gate\n");
}

TEST_F(Orchestrator, B20_MissingConfigurationBlocksAndAMissingTemplateWarns) {
  world.write(".aiox/workflow-state/a.yaml",
              "execution_id: r-1\nworkflow: release\ncurrent_phase: publish\nphases_completed: [build]\n"
              "status: interrupted\ntemplates: [templates/notes.md]\nconfig_files: [config/release.yaml]\n");
  const std::string text = plan("workflow/r-1");
  EXPECT_TRUE(contains(text, "blocking: config/release.yaml")) << text;
  EXPECT_TRUE(contains(text, "warning: templates/notes.md")) << text;
  world.write("config/release.yaml", "a: 1\n");
  world.write("templates/notes.md", "# Notes\n");
  EXPECT_FALSE(contains(plan("workflow/r-1"), "[file_missing]")) << plan("workflow/r-1");
}

TEST_F(Orchestrator, B21_AStoryAddedToThePlanIsAWarning) {
  story("7.1", "InProgress");
  story("7.9", "Ready");
  world.write(".aiox/epic-7-state.yaml",
              "epic_state:\n  epicId: \"7\"\n  status: active\n  waves:\n    1:\n      status: in_progress\n"
              "      stories:\n        \"7.1\": { status: in_progress }\n");
  plan_of_epic("7", "    - { wave: 1, stories: [\"7.1\", \"7.9\"] }\n");
  EXPECT_TRUE(contains(plan("epic/7"), "story 7.9 is in wave 1 of the execution plan")) << plan("epic/7");
  EXPECT_EQ(world.reprise({"resume", "epic/7", "--mode", "interactive"}).exit, 3) << "it asks first";
  EXPECT_EQ(worked_on(), "");
}

TEST_F(Orchestrator, B17_AWorkflowStartsOverFromItsFirstStep) {
  story("4.2", "InProgress");
  world.write(".aiox/workflow-state/a.yaml", "workflow: SDC\nstory: \"4.2\"\nphase: 3\nstatus: interrupted\n");
  EXPECT_TRUE(contains(plan("workflow/a"), "restart  reprise resume workflow/a --from create"))
      << plan("workflow/a");
  const Ended ended = world.reprise({"resume", "workflow/a", "--from", "create", "--yes"});
  EXPECT_EQ(ended.exit, 0) << ended.out << ended.err;
  EXPECT_EQ(worked_on(), "create\nvalidate\nimplement\nqa\n");
}

TEST_F(Orchestrator, B36_AnchorsAndAliasesAreRead) {
  story("7.1", "Done");
  story("7.2", "InProgress");
  world.write(".aiox/epic-7-state.yaml",
              "defaults: &usual\n  executor: \"@dev\"\nepic_state:\n  epicId: &id \"7\"\n  name: *id\n"
              "  status: active\n  waves:\n    1:\n      status: in_progress\n      stories:\n"
              "        \"7.1\": { status: completed }\n        \"7.2\":\n          <<: *usual\n"
              "          status: in_progress\n");
  EXPECT_TRUE(contains(plan("epic/7"), "resume point: wave-1/7.2")) << plan("epic/7");
  EXPECT_EQ(resume("epic/7"), 0) << last_;
  EXPECT_TRUE(contains(world.read(".aiox/epic-7-state.yaml"), "<<: *usual"))
      << world.read(".aiox/epic-7-state.yaml");
}

TEST_F(Orchestrator, B31_ACleanUpOfASpecPipelineArchivesItsArtifacts) {
  world.write("docs/stories/login/spec/requirements.json", R"({"functional": ["a login"]})");
  EXPECT_EQ(world.reprise({"cleanup", "spec-pipeline/login", "--yes"}).exit, 0);
  EXPECT_FALSE(world.has("docs/stories/login/spec/requirements.json"));
  EXPECT_FALSE(contains(scan(), "spec-pipeline/login")) << scan();
  EXPECT_EQ(world.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_TRUE(world.has("docs/stories/login/spec/requirements.json"));
}

}  // namespace
}  // namespace reprise::cli_test
