// Finding the orchestrator's work in a real project: the six places, what counts where there are several files,
// what is left alone, and that the list says the same as the plan.

#include "app/orchestrator_find.h"

#include "app/orchestrator_locks.h"
#include "app/orchestrator_test_project.h"
#include "app/story_files.h"
#include "os/machine.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

class OrchestratorFindTest : public OrchestratorProject {
 protected:
  void write_one_of_each() const {
    write_epic();
    write("qa/2.1/loop-status.json", loop("2.1", "stopped", hours(3)), hours(3));
    write_story("2.1", "InReview");
    write(".nexos/workflow-state/7-state.yaml", flow("release-2026-01", "active", hours(4)), hours(4));
    write_story("4.2", "InProgress");
    write("docs/stories/login/spec/requirements.json", "{\"functional\": [\"a door\"]}\n", hours(6));
    write("docs/stories/login/spec/complexity.json", "{\"result\": \"STANDARD\"}\n", hours(6));
  }
};

TEST_F(OrchestratorFindTest, OR01_OneOfEachKindIsFoundInTheOrderOfTheSeed) {
  write_one_of_each();
  EXPECT_EQ(ids(),
            "epic/5 qa-loop/2.1 workflow/release-2026-01 story-cycle/4.2 story-cycle/5.2 story-cycle/2.1 "
            "spec-pipeline/login");
  std::string priorities;
  for (const Candidate& candidate : find()) {
    priorities += std::to_string(candidate.priority);
    EXPECT_EQ(candidate.system, "orchestrator");
    EXPECT_TRUE(candidate.resumable) << candidate.id.text;
    EXPECT_FALSE(candidate.damaged) << candidate.id.text;
    EXPECT_EQ(candidate.status, RunStatus::Interrupted) << candidate.id.text;
  }
  EXPECT_EQ(priorities, "1234456");
  EXPECT_TRUE(ignored_.empty());
}

TEST_F(OrchestratorFindTest, OR01_ACandidateSaysWhereItStands) {
  write_one_of_each();
  const Candidate epic = find("epic/5");
  EXPECT_EQ(epic.state_file, ".aiox/epic-5-state.yaml");
  EXPECT_EQ(epic.native_status, "active");
  EXPECT_EQ(epic.stage, "wave-2");
  EXPECT_EQ(epic.why, "the epic was active; wave-2/5.2: it was in progress");
  EXPECT_EQ(to_text(epic.updated_at), ago(hours(2)));
  const Candidate loop = find("qa-loop/2.1");
  EXPECT_EQ(loop.stage, "review");
  EXPECT_EQ(loop.iteration, 3);
  EXPECT_EQ(loop.iteration_max, 5);
  EXPECT_EQ(loop.native_status, "stopped");
  EXPECT_EQ(find("workflow/release-2026-01").native_status, "active");
  EXPECT_EQ(find("story-cycle/4.2").stage, "implement");
  EXPECT_EQ(find("story-cycle/4.2").native_status, "InProgress");
  EXPECT_EQ(find("story-cycle/2.1").stage, "review");
  EXPECT_EQ(find("spec-pipeline/login").stage, "research");
  EXPECT_EQ(find("spec-pipeline/login").state_file, "docs/stories/login/spec/.pipeline-state.json");
}

TEST_F(OrchestratorFindTest, OR06_TheListNamesTheStageThatThePlanResumesAt) {
  write_one_of_each();
  write(".aiox/master-orchestrator/4.2.json",
        "{\"storyId\": \"4.2\", \"workflowId\": \"m-1\", \"status\": \"active\", \"currentEpic\": 3, "
        "\"updatedAt\": \"" +
            ago(minutes(5)) +
            "\", \"epics\": {\"3\": {\"status\": \"completed\"}, \"4\": {\"status\": \"pending\"}}}");
  int compared = 0;
  for (const Candidate& candidate : find()) {
    const Plan found = plan(look(candidate));
    for (std::size_t i = 0; i < found.decisions.size(); ++i) {
      if (found.decisions[i].decision == Decision::Keep) continue;
      const std::string path = found.decisions[i].step.text;
      const std::string stage =
          candidate.workflow == "epic" ? path.substr(0, path.find('/')) : found.decisions[i].stage;
      EXPECT_EQ(candidate.stage, stage) << candidate.id.text;
      ++compared;
      break;
    }
    EXPECT_EQ(candidate.age.count() / 60'000, found.age.count() / 60'000) << candidate.id.text;
  }
  EXPECT_EQ(compared, 8);
}

TEST_F(OrchestratorFindTest, OR01_WhatIsFinishedOrIdleIsListedAndNotResumable) {
  write(".aiox/epic-6-state.yaml",
        "epic_state:\n  epicId: \"6\"\n  status: completed\n  waves:\n    1:\n      status: completed\n"
        "      stories:\n        6.1: { status: completed }\n");
  write_story("6.1", "Done");
  write("qa/loop-status.json",
        "{\"storyId\": null, \"iteration\": 0, \"maxIterations\": 5, \"status\": \"idle\"}");
  write(".aiox/workflow-state/old-state.yaml", flow("old-1", "completed", days(3)));
  EXPECT_EQ(ids(), "epic/6 qa-loop/loop-status workflow/old-1");
  for (const Candidate& candidate : find()) EXPECT_FALSE(candidate.resumable) << candidate.id.text;
  EXPECT_EQ(find("epic/6").status, RunStatus::Done);
  EXPECT_EQ(find("qa-loop/loop-status").status, RunStatus::Stopped);
}

TEST_F(OrchestratorFindTest, OR01_OfTwoFoldersTheNewestStateCountsAndTheOtherIsNamed) {
  write(".aios/epic-5-state.yaml", epic("active", hours(1)), days(2));
  write(".aiox/epic-5-state.yaml", epic("aborted", hours(9)), minutes(1));
  const Candidate candidate = find("epic/5");
  EXPECT_EQ(ids(), "epic/5");
  EXPECT_EQ(candidate.state_file, ".aios/epic-5-state.yaml")
      << "what it says of itself counts, not the file's time";
  EXPECT_EQ(candidate.other_files, std::vector<std::string>{".aiox/epic-5-state.yaml"});
}

TEST_F(OrchestratorFindTest, OR01_ALoopOfBothPlacesIsOne) {
  write("qa/loop-status.json", loop("2.1", "stopped", hours(8)));
  write("qa/2.1/loop-status.json", loop("2.1", "stopped", hours(3)));
  write("qa/2.10/loop-status.json", loop("2.10", "escalated", hours(4)));
  EXPECT_EQ(ids(), "qa-loop/2.1 qa-loop/2.10");
  EXPECT_EQ(find("qa-loop/2.1").state_file, "qa/2.1/loop-status.json");
  EXPECT_EQ(find("qa-loop/2.10").status, RunStatus::Waiting);
}

TEST_F(OrchestratorFindTest, OR01_ADamagedStateIsACandidateAndItsSoundBackupIsWeighed) {
  write("qa/2.1/loop-status.json", loop("2.1", "stopped", hours(3)).substr(0, 60), hours(2));
  write("qa/2.1/loop-status.json.bak", loop("2.1", "stopped", hours(3)), hours(2) - minutes(1));
  write(".aiox/epic-5-state.yaml", "epic_state:\n  epicId: \"5\"\n  status: active\n  waves: [\n", hours(1));
  write(".aiox/epic-5-state.yaml.bak", epic("active", hours(2)), hours(3));
  write(".aiox/epic-5-state.yaml.tmp.77.1", "epic_st", hours(1));
  const Candidate damaged_loop = find("qa-loop/2.1");
  EXPECT_TRUE(damaged_loop.damaged);
  EXPECT_TRUE(damaged_loop.resumable);
  EXPECT_TRUE(damaged_loop.why.starts_with("qa/2.1/loop-status.json: line 1: ")) << damaged_loop.why;
  EXPECT_NE(damaged_loop.why.find("; qa/2.1/loop-status.json.bak is sound and not older"), std::string::npos)
      << damaged_loop.why;
  const Candidate damaged_epic = find("epic/5");
  EXPECT_TRUE(damaged_epic.damaged);
  EXPECT_NE(damaged_epic.why.find(".aiox/epic-5-state.yaml.bak is sound, but older"), std::string::npos)
      << damaged_epic.why;
  EXPECT_EQ(damaged_epic.other_files.size(), 2u);
}

TEST_F(OrchestratorFindTest, OR01_ABackupAloneIsWhatAResetLeavesAndNoState) {
  write("qa/2.1/loop-status.json.bak", loop("2.1", "stopped", hours(3)));
  EXPECT_EQ(ids(), "");
  EXPECT_EQ(why_ignored("qa/2.1/loop-status.json.bak"), "it is a backup of a state file that is not there");
}

TEST_F(OrchestratorFindTest, OR01_AStoryThatAnEpicCoversSaysSo) {
  write_epic();
  EXPECT_EQ(find("story-cycle/5.2").why, "its implementation was in progress; epic/5 covers this story");
  write_story("5.1", "InProgress");
  EXPECT_EQ(find("story-cycle/5.1").why, "its implementation was in progress")
      << "the epic is done with this one, so nobody covers it";
}

TEST_F(OrchestratorFindTest, OR01_ForeignFilesOfTheseNamesAreLeftAloneAndTold) {
  write(".aiox/project-state.yaml", "name: harbour\nversion: 3\n");
  write("qa/loop-status.json", "{\"tests\": 12}");
  write("docs/specs/tides/spec.md", "# Tides\n");
  write("docs/stories/README.md", "# Stories\n\n**Status:** InProgress\n");
  EXPECT_EQ(ids(), "");
  EXPECT_EQ(why_ignored(".aiox/project-state.yaml"), "it is not a workflow's state");
  EXPECT_EQ(why_ignored("qa/loop-status.json"), "it is not a QA loop's status");
  EXPECT_TRUE(why_ignored("docs/specs/tides").starts_with("it is not a spec pipeline's folder"));
  EXPECT_EQ(ignored_.size(), 3u);
  write("docs/specs/tides/requirements.json", "{\"functional\": [\"ebb\"]}");
  EXPECT_EQ(ids(), "spec-pipeline/tides");
}

TEST_F(OrchestratorFindTest, OR01_NoLinkIsFollowedOutOfTheProject) {
  const fs::path outside = repository_.outside() / "elsewhere";
  fs::create_directories(outside / "stories");
  std::ofstream(outside / "loop-status.json") << loop("9.9", "stopped", hours(1));
  std::ofstream(outside / "stories/9.8.story.md") << story("9.8", "InProgress");
  fs::create_directories(app_->project / "qa/9.9");
  fs::create_directories(app_->project / "docs/stories");
  fs::create_symlink(outside / "loop-status.json", app_->project / "qa/9.9/loop-status.json");
  fs::create_directory_symlink(outside / "stories", app_->project / "docs/stories/far");
  fs::create_symlink(outside / "stories/9.8.story.md", app_->project / "docs/stories/9.8.story.md");
  fs::create_directory_symlink(app_->project / "docs/stories", app_->project / "docs/stories/round");
  EXPECT_EQ(ids(), "");
  EXPECT_NE(why_ignored("qa/9.9/loop-status.json").find("outside"), std::string::npos);
  EXPECT_NE(why_ignored("docs/stories/9.8.story.md").find("outside"), std::string::npos);
  EXPECT_NE(why_ignored("docs/stories/round"), "");
}

TEST_F(OrchestratorFindTest, OR01_HundredsOfStoriesAreFoundWhereverTheyLie) {
  for (int i = 1; i <= 300; ++i) {
    const std::string id = std::to_string(i % 7 + 10) + "." + std::to_string(i);
    write("docs/stories/epic-" + std::to_string(i % 7) + "/" + id + ".story.md",
          story(id, i % 3 == 0   ? "In Progress"
                    : i % 3 == 1 ? "Ready for Review"
                                 : "Done"));
  }
  EXPECT_EQ(list_stories(*app_).size(), 300u);
  int in_progress = 0;
  int in_review = 0;
  for (const Candidate& candidate : find()) {
    in_progress += candidate.priority == 4 ? 1 : 0;
    in_review += candidate.priority == 5 ? 1 : 0;
  }
  EXPECT_EQ(in_progress, 100);
  EXPECT_EQ(in_review, 100);
}

TEST_F(OrchestratorFindTest, OR01_AStoryIsFoundByItsIdAsText) {
  write("docs/stories/epic-2/story-2.10-ropes.md", story("2.10", "Draft"));
  write("docs/stories/2.1.story.md", story("2.1", "Draft"));
  write("docs/stories/archive/2.1-old.md", story("2.1", "Done"));
  EXPECT_EQ(find_story_file(*app_, "2.10"), "docs/stories/epic-2/story-2.10-ropes.md");
  EXPECT_EQ(find_story_file(*app_, "story-2.10"), "docs/stories/epic-2/story-2.10-ropes.md");
  EXPECT_EQ(find_story_file(*app_, "2.1"), "docs/stories/2.1.story.md");
  EXPECT_EQ(find_story_file(*app_, "2.100"), "");
  EXPECT_EQ(find_story_file(*app_, "../2.1"), "");
  const StoryShelf shelf(list_stories(*app_));
  EXPECT_EQ(shelf.others_of("2.1"), std::vector<std::string>{"docs/stories/archive/2.1-old.md"});
}

TEST_F(OrchestratorFindTest, OR01_TwoFilesOfOneStoryAreOneCandidate) {
  write_story("4.2", "InProgress");
  write("docs/stories/old/4.2.story.md", story("4.2", "InReview"));
  EXPECT_EQ(ids(), "story-cycle/4.2");
  EXPECT_EQ(find("story-cycle/4.2").state_file, "docs/stories/4.2.story.md");
  EXPECT_EQ(find("story-cycle/4.2").other_files, std::vector<std::string>{"docs/stories/old/4.2.story.md"});
}

TEST_F(OrchestratorFindTest, OR15_WorkWhoseLockIsHeldIsRunning) {
  write_epic();
  const auto lock = [&](int pid, Duration age) {
    return "{\"pid\": " + std::to_string(pid) + ", \"owner\": \"dev\", \"created_at\": \"" + ago(age) +
           "\", \"ttl_seconds\": 300, \"resource\": \"epic-5\"}";
  };
  write(".aiox/locks/epic-5.lock", lock(own_pid(), minutes(1)));
  EXPECT_EQ(find("epic/5").status, RunStatus::Running);
  EXPECT_EQ(find("epic/5").why,
            "it is being worked on: .aiox/locks/epic-5.lock is held by process " + std::to_string(own_pid()));
  write(".aiox/locks/epic-5.lock", lock(own_pid(), minutes(10)));
  EXPECT_EQ(find("epic/5").status, RunStatus::Interrupted) << "its time is over";
  write(".aiox/locks/epic-5.lock", lock(999'999'999, minutes(1)));
  EXPECT_EQ(find("epic/5").status, RunStatus::Interrupted) << "nobody is there";
}

TEST(OrchestratorLocks, OR15_AnIdIsMentionedAsAWholeOrNotAtAll) {
  for (const char* text : {"2.1", "story-2.1", "docs/stories/2.1.story.md", "qa-loop_2.1", "Story 2.1."})
    EXPECT_TRUE(mentions(text, "2.1")) << text;
  for (const char* text : {"2.10", "12.1", "2.1.3", "1.2.1", "v2.1x", ""})
    EXPECT_FALSE(mentions(text, "2.1")) << text;
}

TEST_F(OrchestratorFindTest, OR16_NothingToResumeIsNoError) {
  EXPECT_EQ(ids(), "");
  EXPECT_TRUE(ignored_.empty());
  fs::create_directories(app_->project / "docs/stories");
  fs::create_directories(app_->project / "qa");
  fs::create_directories(app_->project / ".aiox/workflow-state");
  EXPECT_EQ(ids(), "");
  EXPECT_TRUE(ignored_.empty());
}

// What a user without rights sees; a test that runs as root puts them down for as long as it looks.
class WithoutRights {
 public:
  WithoutRights() : was_root_(geteuid() == 0) {
    if (was_root_) check(seteuid(65534) == 0);
  }
  ~WithoutRights() {
    if (was_root_) check(seteuid(0) == 0);
  }
  WithoutRights(const WithoutRights&) = delete;
  WithoutRights& operator=(const WithoutRights&) = delete;

 private:
  bool was_root_;
};

TEST_F(OrchestratorFindTest, OR16_PermissionErrorsNamePathAndCause) {
  write(".aiox/epic-5-state.yaml", epic("active", hours(1)));
  write("docs/stories/5.2.story.md", story("5.2", "InProgress"));
  fs::permissions(repository_.outside(), fs::perms(0755));
  fs::permissions(app_->project / ".aiox/epic-5-state.yaml", fs::perms::none);
  fs::permissions(app_->project / "docs/stories/5.2.story.md", fs::perms::none);
  fs::create_directories(app_->project / "qa");
  fs::permissions(app_->project / "qa", fs::perms::none);
  {
    const WithoutRights user;
    const Candidate epic = find("epic/5");
    EXPECT_TRUE(epic.damaged);
    EXPECT_TRUE(epic.why.starts_with(".aiox/epic-5-state.yaml: ")) << epic.why;
    EXPECT_TRUE(epic.why.ends_with("Permission denied")) << epic.why;
    const Candidate story = find("story-cycle/5.2");
    EXPECT_TRUE(story.damaged);
    EXPECT_TRUE(story.why.starts_with("docs/stories/5.2.story.md: ")) << story.why;
    EXPECT_TRUE(why_ignored("qa").starts_with("qa: ")) << why_ignored("qa");
    EXPECT_TRUE(why_ignored("qa").ends_with("Permission denied")) << why_ignored("qa");
  }
  fs::permissions(app_->project / "qa", fs::perms::owner_all);
}

TEST_F(OrchestratorFindTest, OR17_FindingAndLookingChangesNothing) {
  write_one_of_each();
  commit(hours(7), "all of it");
  write("src/winch.c", "int other;\n");
  const std::map<std::string, std::string> before = everything();
  int looked = 0;
  for (const Candidate& candidate : find()) {
    look(candidate);
    ++looked;
  }
  EXPECT_EQ(looked, 7);
  EXPECT_EQ(everything(), before);
  EXPECT_GT(before.size(), 30u);
}

}  // namespace
}  // namespace reprise
