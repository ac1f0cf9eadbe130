// Looking at the orchestrator's work: the files it refers to, what others did since, locks and workers, in a real
// repository. What the plan makes of it is checked where that is the point.

#include "app/orchestrator_look.h"

#include "app/orchestrator_files.h"
#include "app/orchestrator_test_project.h"
#include "os/machine.h"

namespace reprise {
namespace {

class OrchestratorLookTest : public OrchestratorProject {
 protected:
  static const ReferencedFile* file(const OrchestratorSnapshot& seen, const std::string& path) {
    const auto found = std::ranges::find(seen.files, path, &ReferencedFile::path);
    return found == seen.files.end() ? nullptr : &*found;
  }
  static std::string changed(const OrchestratorSnapshot& seen) {
    std::string all;
    for (const ChangedFile& each : seen.changed)
      all += each.path + (each.by == KnownBy::Git ? " git " : " time ") + each.who + ";";
    return all;
  }
  void write_config() const {
    write(".reprise/config.yaml", "workers:\n  default:\n    run: [\"true\"]\n", hours(9));
  }
};

TEST_F(OrchestratorLookTest, OR02_AStoryCyclesFilesHaveTheirPhaseAndTheirMaker) {
  write_story("4.2", "InReview", "## File List\n\n- `src/rope.c`\n- `src/knot.c`\n");
  write("src/rope.c", "int rope;\n", hours(6));
  const OrchestratorSnapshot seen = look("story-cycle/4.2");
  ASSERT_EQ(seen.files.size(), 3u);
  const ReferencedFile* own = file(seen, "docs/stories/4.2.story.md");
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(own->role, FileRole::Story);
  EXPECT_EQ(own->made_by, "create");
  EXPECT_TRUE(own->digest.starts_with("sha256:"));
  const ReferencedFile* rope = file(seen, "src/rope.c");
  ASSERT_NE(rope, nullptr);
  EXPECT_TRUE(rope->exists);
  EXPECT_EQ(rope->phase, "review");
  EXPECT_EQ(rope->made_by, "implement");
  const ReferencedFile* knot = file(seen, "src/knot.c");
  ASSERT_NE(knot, nullptr);
  EXPECT_FALSE(knot->exists);
  EXPECT_EQ(knot->digest, "");
  EXPECT_TRUE(has(seen, "artifact_missing:warning")) << codes(seen);
}

TEST_F(OrchestratorLookTest, OR02_WhatTheWorkItselfRemovedIsNotMissing) {
  write("src/knot.c", "int knot;\n");
  commit(hours(9), "a knot");
  remove("src/knot.c");
  write_story("4.2", "InReview", "## File List\n\n- `src/knot.c` (deleted)\n");
  commit(hours(6), "no knot");
  EXPECT_EQ(file(look("story-cycle/4.2"), "src/knot.c"), nullptr);
}

TEST_F(OrchestratorLookTest, OR02_APlanPathOfAnotherMachineIsFoundByItsTail) {
  write_epic();
  std::string state = epic("active", hours(2));
  const std::string there = "docs/epics/EPIC-5-EXECUTION.yaml";
  state.replace(state.find(there), there.size(), "/Users/ana/work/harbour/" + there);
  write(".aiox/epic-5-state.yaml", state, hours(2));
  const OrchestratorSnapshot seen = look("epic/5");
  ASSERT_TRUE(seen.execution_plan);
  EXPECT_EQ(seen.execution_plan->stories.size(), 3u);
  ASSERT_NE(file(seen, there), nullptr);
  EXPECT_EQ(file(seen, there)->role, FileRole::ExecutionPlan);
  const ReferencedFile* story = file(seen, "docs/stories/5.2.story.md");
  ASSERT_NE(story, nullptr);
  EXPECT_EQ(story->phase, "wave-2/5.2");
  EXPECT_EQ(story->story, "5.2");
  EXPECT_EQ(path_in_project(*app_, "C:\\harbour\\docs\\epics\\EPIC-5-EXECUTION.yaml"), there);
  EXPECT_EQ(path_in_project(*app_, "../../etc/passwd"), "");
  EXPECT_EQ(path_in_project(*app_, "/etc/passwd"), "");
}

TEST_F(OrchestratorLookTest, OR02_APlanThatIsGoneIsMissingAndOneInItsUsualPlaceIsNot) {
  write_epic();
  remove("docs/epics");
  const OrchestratorSnapshot without = look("epic/5");
  ASSERT_NE(file(without, "docs/epics/EPIC-5-EXECUTION.yaml"), nullptr);
  EXPECT_FALSE(file(without, "docs/epics/EPIC-5-EXECUTION.yaml")->exists);
  EXPECT_TRUE(has(without, "file_missing:warning")) << codes(without);
  write("docs/stories/epics/epic-5/EPIC-5-EXECUTION.yaml", plan_file());
  const OrchestratorSnapshot with = look("epic/5");
  EXPECT_TRUE(with.execution_plan);
  EXPECT_FALSE(has(with, "file_missing:warning")) << codes(with);
}

TEST_F(OrchestratorLookTest, OR02_AMissingStoryIsNamedWithThePlaceThatThePlanGives) {
  write_epic();
  remove("docs/stories/5.10.story.md");
  const OrchestratorSnapshot seen = look("epic/5");
  ASSERT_TRUE(seen.stories.contains("5.10"));
  EXPECT_FALSE(seen.stories.at("5.10").exists);
  EXPECT_EQ(seen.stories.at("5.10").path, "docs/stories/5.10.story.md");
  EXPECT_TRUE(has(seen, "story_missing:blocking")) << codes(seen);
}

TEST_F(OrchestratorLookTest, OR02_ASimpleSpecMissesNoAssessment) {
  write("docs/stories/login/spec/requirements.json", "{\"functional\": [\"a door\"]}");
  write("docs/stories/login/spec/spec.md", "# A door\n\nIt opens.\n");
  write("docs/stories/login/spec/.pipeline-state.json",
        "{\"status\": \"spec_written\", \"complexity\": \"SIMPLE\", \"updatedAt\": \"" + ago(minutes(1)) + "\"}");
  OrchestratorSnapshot seen = look("spec-pipeline/login");
  EXPECT_EQ(seen.files.size(), 2u);
  ASSERT_NE(file(seen, "docs/stories/login/spec/spec.md"), nullptr);
  EXPECT_EQ(file(seen, "docs/stories/login/spec/spec.md")->made_by, "write");
  EXPECT_EQ(file(seen, "docs/stories/login/spec/spec.md")->phase, "critique");
  write_config();
  EXPECT_EQ(point(plan(look("spec-pipeline/login"))), "critique") << codes(look("spec-pipeline/login"));
  remove("docs/stories/login/spec/requirements.json");
  seen = look("spec-pipeline/login");
  ASSERT_NE(file(seen, "docs/stories/login/spec/requirements.json"), nullptr);
  EXPECT_FALSE(file(seen, "docs/stories/login/spec/requirements.json")->exists);
  EXPECT_EQ(point(plan(seen)), "gather") << codes(seen);
}

TEST_F(OrchestratorLookTest, OR02_AWorkflowsArtifactsBelongToTheStepThatMadeThem) {
  write(".aiox/workflow-state/x-state.yaml",
        "workflow_id: release\ninstance_id: r-1\nstatus: paused\nupdated_at: \"" + ago(hours(2)) +
            "\"\nsteps:\n  - { name: build, status: completed, output: out/app.tar }\n"
            "  - { name: sign, status: pending }\nartifacts: [/home/ana/x/out/app.sum]\n");
  write("out/app.sum", "1\n", hours(3));
  const OrchestratorSnapshot seen = look("workflow/r-1");
  ASSERT_NE(file(seen, "out/app.tar"), nullptr);
  EXPECT_EQ(file(seen, "out/app.tar")->made_by, "build");
  EXPECT_EQ(file(seen, "out/app.tar")->phase, "sign");
  EXPECT_FALSE(file(seen, "out/app.tar")->exists);
  ASSERT_NE(file(seen, "out/app.sum"), nullptr);
  EXPECT_TRUE(file(seen, "out/app.sum")->exists);
}

TEST_F(OrchestratorLookTest, OR04_ChangedAcceptanceCriteriaAreKnownByGitsVersionOfThatTime) {
  write("qa/2.1/loop-status.json", loop("2.1", "stopped", hours(3)), hours(3));
  write_story("2.1", "InReview");
  commit(hours(4), "story");
  std::string asks_more = story("2.1", "InReview");
  asks_more.replace(asks_more.find("rope holds"), 10, "rope holds two ships");
  write("docs/stories/2.1.story.md", asks_more);
  OrchestratorSnapshot seen = look("qa-loop/2.1");
  ASSERT_TRUE(seen.stories.at("2.1").sections_then);
  EXPECT_EQ(seen.stories.at("2.1").sections_by, KnownBy::Git);
  EXPECT_TRUE(has(seen, "acceptance_changed:blocking")) << codes(seen);
  commit(hours(1), "committed since");
  EXPECT_TRUE(has(look("qa-loop/2.1"), "acceptance_changed:blocking")) << "committed or not is the same";
  write("docs/stories/2.1.story.md", story("2.1", "InReview"));
  EXPECT_FALSE(has(look("qa-loop/2.1"), "acceptance_changed:blocking")) << "as it was again";
}

TEST_F(OrchestratorLookTest, OR04_AStoryThatIsNotNewerIsAsItWasAndOneThatGitDoesNotKnowIsKnownByTime) {
  write("qa/2.1/loop-status.json", loop("2.1", "stopped", hours(3)), hours(3));
  write_story("2.1", "InReview");
  OrchestratorSnapshot seen = look("qa-loop/2.1");
  EXPECT_EQ(seen.stories.at("2.1").sections_by, KnownBy::Time);
  EXPECT_EQ(seen.stories.at("2.1").sections_then, seen.stories.at("2.1").claims.sections);
  write("docs/stories/2.1.story.md", story("2.1", "InReview"));
  seen = look("qa-loop/2.1");
  EXPECT_FALSE(seen.stories.at("2.1").sections_then) << "not known";
  EXPECT_TRUE(has(seen, "story_modified:info")) << codes(seen);
}

TEST_F(OrchestratorLookTest, OR04_ADayWithoutATimeIsTakenToItsEnd) {
  const std::string day = ago(hours(0)).substr(0, 10);
  std::string state = loop("2.1", "stopped", hours(3));
  state.replace(state.find(ago(hours(3))), 20, day);
  write("qa/2.1/loop-status.json", state);
  write_story("2.1", "InReview", "", minutes(0));
  EXPECT_EQ(look("qa-loop/2.1").stories.at("2.1").sections_by, KnownBy::Time);
}

TEST_F(OrchestratorLookTest, OR04_FilesThatOthersChangedAreNamedWithCommitAndAuthor) {
  write_epic();
  commit(hours(4), "epic");
  EXPECT_EQ(changed(look("epic/5")), "");
  write("src/winch.c", "int winch = 2;\n");
  EXPECT_EQ(changed(look("epic/5")), "src/winch.c time ;") << "not committed: only its time tells";
  commit(hours(1), "somebody else");
  const std::string commit = repository_.run({"log", "-1", "--format=%h"});
  EXPECT_EQ(changed(look("epic/5")), "src/winch.c git " + commit + " Ana;");
  EXPECT_TRUE(has(look("epic/5"), "file_changed:warning"));
}

TEST_F(OrchestratorLookTest, OR04_ACommitThatHoldsTheStateIsTheWorkflowsOwn) {
  write_epic();
  commit(hours(4), "epic");
  write("src/winch.c", "int winch = 2;\n");
  write(".aiox/epic-5-state.yaml", epic("active", hours(2)) + "  note: saved\n");
  commit(hours(1), "all saved");
  EXPECT_EQ(changed(look("epic/5")), "");
}

TEST_F(OrchestratorLookTest, OR04_NamesOfFilesAreTakenLiterallyAndSpoilNoQuestion) {
  write("qa/2.1/loop-status.json", loop("2.1", "stopped", hours(3)), hours(3));
  write_story("2.1", "InReview",
              "## File List\n\n- `src/*.c`\n- `:(bogus)src/x.c`\n- `-x.c`\n- `../secret.c`\n- `src/rope.c`\n");
  commit(hours(4), "the state");
  write("src/rope.c", "int x;\n");
  write("src/other.c", "int x;\n");
  commit(hours(1), "other");
  EXPECT_EQ(changed(look("qa-loop/2.1")),
            "src/rope.c git " + repository_.run({"log", "-1", "--format=%h"}) + " Ana;");
}

TEST_F(OrchestratorLookTest, OR04_ANewDependencyIsSeenAndItsStoryLookedAt) {
  write_epic();
  commit(hours(4), "epic");
  write_story("6.1", "Draft");
  write("docs/stories/5.2.story.md", story("5.2", "InProgress", "## Dependencies\n\n- Story 6.1\n"));
  const OrchestratorSnapshot seen = look("epic/5");
  ASSERT_EQ(seen.new_dependencies.size(), 1u);
  EXPECT_EQ(seen.new_dependencies[0].story, "5.2");
  EXPECT_EQ(seen.new_dependencies[0].on, "6.1");
  ASSERT_TRUE(seen.stories.contains("6.1"));
  EXPECT_TRUE(has(seen, "dependency_open:blocking")) << codes(seen);
}

TEST_F(OrchestratorLookTest, OR11_ADependencyIsTheSameStoryHoweverItIsSpelled) {
  write_epic();
  std::string state = epic("active", hours(2));
  state.replace(state.find("5.1:"), 4, "story-5.1:");
  write(".aiox/epic-5-state.yaml", state, hours(2));
  write_story("5.1", "InProgress");
  write_story("5.2", "InProgress", "## Dependencies\n\n- Story 5.1\n");
  const OrchestratorSnapshot seen = look("epic/5");
  EXPECT_EQ(seen.stories.size(), 3u);
  EXPECT_EQ(seen.stories.at("5.2").claims.dependencies, std::vector<std::string>{"story-5.1"});
  EXPECT_FALSE(has(seen, "dependency_unmet:warning")) << "it comes in the wave before: " << codes(seen);
}

TEST_F(OrchestratorLookTest, OR02_AStoryThatAStateNamesByItsPathOnAnotherMachineIsFound) {
  write("docs/stories/active/2.1.story.md", story("2.1", "InProgress"), hours(5));
  write(".aiox/workflow-state/x-state.yaml",
        "workflowId: development-cycle\ncurrentPhase: 2_development\n"
        "currentStory: /Users/ana/harbour/docs/stories/2.1.story.md\nlastUpdated: " +
            ago(hours(2)) + "\nphaseResults:\n  1_validation: { status: completed }\n" +
            "  2_development: { status: in_progress }\n",
        hours(2));
  const OrchestratorSnapshot seen = look("workflow/x");
  ASSERT_EQ(seen.stories.size(), 1u);
  EXPECT_EQ(seen.stories.begin()->second.path, "docs/stories/active/2.1.story.md");
  EXPECT_NE(find("story-cycle/2.1").why.find("workflow/x covers this story"), std::string::npos);
}

TEST_F(OrchestratorLookTest, OR04_StoriesThatTheEpicDoesNotListAreNew) {
  write_epic();
  write_story("5.3", "Draft");
  write_story("50.1", "Draft");
  write("docs/stories/rigging.story.md", "# Story 7.1: Rigging\n\n**Status:** Draft\n**Epic:** 5 (Quay)\n");
  write("docs/stories/7.2.story.md", "# Story 7.2: Rust\n\n**Status:** Draft\n**Epic:** Epic 51\n");
  const OrchestratorSnapshot seen = look("epic/5");
  ASSERT_EQ(seen.new_stories.size(), 2u);
  EXPECT_EQ(seen.new_stories[0].id, "5.3");
  EXPECT_EQ(seen.new_stories[1].id, "7.1");
  EXPECT_TRUE(has(seen, "story_new:warning"));
}

TEST_F(OrchestratorLookTest, OR04_AnotherWorkflowOnTheSameStoryIsSeenUnlessItIsOver) {
  write_epic(minutes(20));
  write("qa/5.2/loop-status.json", loop("5.2", "in_progress", minutes(10)));
  write("qa/5.1/loop-status.json", loop("5.1", "completed", minutes(10)));
  write("qa/2.1/loop-status.json", loop("2.1", "in_progress", minutes(10)));
  const OrchestratorSnapshot epic = look("epic/5");
  ASSERT_EQ(epic.others.size(), 1u);
  EXPECT_EQ(epic.others[0].id, "qa-loop/5.2");
  EXPECT_EQ(epic.others[0].story, "5.2");
  EXPECT_TRUE(epic.others[0].active);
  EXPECT_TRUE(has(epic, "other_workflow:blocking")) << codes(epic);
  ASSERT_EQ(look("qa-loop/5.2").others.size(), 1u);
  EXPECT_EQ(look("qa-loop/5.2").others[0].id, "epic/5");
  EXPECT_TRUE(look("qa-loop/2.1").others.empty());
  EXPECT_EQ(look("story-cycle/5.2").others.size(), 2u);
}

TEST_F(OrchestratorLookTest, OR06_EachKindGoesOnWhereItStopped) {
  write_config();
  write_epic(minutes(20));
  write("qa/2.1/loop-status.json", loop("2.1", "stopped", minutes(30)), minutes(30));
  write_story("2.1", "InReview");
  write(".nexos/workflow-state/7-state.yaml",
        "workflow_id: release\ninstance_id: r-1\nstatus: paused\nupdated_at: \"" + ago(minutes(40)) +
            "\"\nsteps:\n  - { name: build, status: completed }\n  - { name: sign, status: in_progress }\n");
  write("docs/stories/4.2.story.md", story("4.2", "InProgress"), minutes(50));
  write("docs/stories/login/spec/requirements.json", "{\"functional\": [\"a door\"]}", minutes(55));
  EXPECT_EQ(point(plan(look("epic/5"))), "wave-2/5.2") << codes(look("epic/5"));
  EXPECT_EQ(point(plan(look("qa-loop/2.1"))), "loop/3/review") << codes(look("qa-loop/2.1"));
  EXPECT_EQ(plan(look("qa-loop/2.1")).iteration, 3);
  EXPECT_EQ(point(plan(look("workflow/r-1"))), "sign") << codes(look("workflow/r-1"));
  EXPECT_EQ(point(plan(look("story-cycle/4.2"))), "implement") << codes(look("story-cycle/4.2"));
  EXPECT_EQ(point(plan(look("spec-pipeline/login"))), "assess") << codes(look("spec-pipeline/login"));
  EXPECT_EQ(plan(look("story-cycle/4.2")).readiness, Readiness::Ready) << codes(look("story-cycle/4.2"));
}

TEST_F(OrchestratorLookTest, OR07_RolesWithoutAWorkerAreNamed) {
  write_story("4.2", "InProgress");
  EXPECT_TRUE(look("story-cycle/4.2").roles_without_worker.contains("dev"));
  EXPECT_TRUE(has(look("story-cycle/4.2"), "worker_missing:blocking"));
  write(".reprise/config.yaml", "workers:\n  roles:\n    dev: {run: [\"true\"]}\n");
  EXPECT_FALSE(look("story-cycle/4.2").roles_without_worker.contains("dev"));
  EXPECT_TRUE(look("story-cycle/4.2").roles_without_worker.contains("qa"));
  write_config();
  EXPECT_TRUE(look("story-cycle/4.2").roles_without_worker.empty());
}

TEST_F(OrchestratorLookTest, OR15_ALockOfALivingProcessBlocksAndOthersDoNot) {
  write_config();
  write_epic(minutes(20));
  const std::string created = "\", \"created_at\": \"" + ago(minutes(1)) + "\", \"ttl_seconds\": 300, \"pid\": ";
  write(".aiox/locks/story.lock",
        "{\"resource\": \"docs/stories/5.2.story.md" + created + std::to_string(own_pid()) + "}");
  write(".aiox/locks/other.lock", "{\"resource\": \"story-5.20" + created + std::to_string(own_pid()) + "}");
  OrchestratorSnapshot seen = look("epic/5");
  ASSERT_EQ(seen.locks.size(), 1u);
  EXPECT_EQ(seen.locks[0].path, ".aiox/locks/story.lock");
  EXPECT_TRUE(seen.locks[0].alive);
  EXPECT_TRUE(has(seen, "held_by_another:blocking")) << codes(seen);
  EXPECT_EQ(point(plan(seen)), "");
  write(".aiox/locks/story.lock", "{\"resource\": \"5.2" + created + "999999999}");
  seen = look("epic/5");
  ASSERT_EQ(seen.locks.size(), 1u);
  EXPECT_FALSE(seen.locks[0].alive);
  EXPECT_TRUE(has(seen, "lock_left:info")) << codes(seen);
  remove(".aiox/locks/story.lock");
  write(".aiox/locks/orchestrator.lock", "");
  EXPECT_TRUE(has(look("epic/5"), "held_by_another:blocking")) << "nobody says who holds it, and it is new";
  write(".aiox/locks/orchestrator.lock", "", hours(1));
  EXPECT_FALSE(has(look("epic/5"), "held_by_another:blocking"));
}

TEST_F(OrchestratorLookTest, OR14_AStateThatCannotBeReadStillGivesTheStoriesOfTheEpic) {
  write_epic();
  remove("docs/epics");
  write(".aiox/epic-5-state.yaml", std::string("\0\0\0", 3), hours(2));
  const OrchestratorSnapshot seen = look("epic/5");
  EXPECT_TRUE(seen.unreadable.starts_with(".aiox/epic-5-state.yaml: ")) << seen.unreadable;
  EXPECT_EQ(seen.stories.size(), 3u);
  EXPECT_TRUE(seen.stories.at("5.2").exists);
  EXPECT_TRUE(has(seen, "state_damaged:blocking"));
}

TEST_F(OrchestratorLookTest, OR16_WorkThatHasNotBegunIsLookedAtWithoutAState) {
  write("docs/epics/EPIC-5-EXECUTION.yaml", plan_file());
  const OrchestratorSnapshot epic = look_at_orchestrator(*app_, OrchestratorKind::Epic, "5", "", "").value();
  EXPECT_TRUE(epic.execution_plan);
  EXPECT_EQ(epic.stories.size(), 3u);
  EXPECT_EQ(epic.unreadable, "");
  for (const OrchestratorKind kind :
       {OrchestratorKind::QaLoop, OrchestratorKind::StoryCycle, OrchestratorKind::SpecPipeline}) {
    const std::string path =
        kind == OrchestratorKind::SpecPipeline ? "docs/stories/9.9/spec/.pipeline-state.json" : "x";
    const OrchestratorSnapshot seen = look_at_orchestrator(*app_, kind, "9.9", path, "").value();
    EXPECT_EQ(seen.unreadable, "");
    EXPECT_EQ(plan(seen).readiness, Readiness::Fresh) << to_token(kind);
  }
}

}  // namespace
}  // namespace reprise
