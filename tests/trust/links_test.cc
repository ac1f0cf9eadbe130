// Symbolic links that come with a clone: Reprise writes its state files and logs only into the project.

#include <gtest/gtest.h>

#include <fstream>

#include "world.h"

namespace reprise::cli_test {
namespace {

// A project whose folder `name` is a link to a folder outside of it. The worker leaves a mark, so that a test sees
// whether anything was started.
class LinkedWorld : public World {
 public:
  LinkedWorld() : outside_(root().parent_path() / (root().filename().string() + "-outside")) {
    fs::create_directory(outside_);
    write(".reprise/config.yaml", "workers: {default: {run: 'echo ran >>ran.txt'}}\n");
  }
  ~LinkedWorld() { fs::remove_all(outside_); }
  LinkedWorld(const LinkedWorld&) = delete;
  LinkedWorld& operator=(const LinkedWorld&) = delete;

  const fs::path& outside() const { return outside_; }
  void link(const fs::path& target, const std::string& name) const {
    fs::create_directories((root() / name).parent_path());
    fs::create_directory_symlink(target, root() / name);
  }

  void expect_refused(const std::vector<std::string>& words, const std::string& name) const {
    SCOPED_TRACE(words[0] + " " + words[1] + " with the link " + name);
    const Ended ended = reprise(words);
    EXPECT_EQ(ended.exit, 3) << ended.err;
    EXPECT_TRUE(contains(ended.err, ": " + name + " is a symbolic link to ")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "\n  try: ls -ld " + name)) << ended.err;
    EXPECT_TRUE(fs::is_empty(outside_));
    EXPECT_FALSE(has("ran.txt")) << "a worker was started";
  }

 private:
  fs::path outside_;
};

constexpr const char* kOneLanePlan =
    "# P1: One\n\n## Lane Index & Dependencies\n\n- SL-A -- The only one\n  - Depends on: (none)\n\n"
    "## D. Swim Lanes\n\n### SL-A -- The only one\n\n"
    "| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance "
    "Criteria |\n"
    "|---|---|---|---|---|---|---|\n| A1 | impl | - | a.txt | - | `test -s a.txt` | a |\n";

constexpr const char* kCommit =
    "git config user.name T; git config user.email t@example.org; git add -A && git commit -qm begin";

struct LinkedPlace {
  const char* workflow;
  const char* subject;
  const char* link;
};
constexpr LinkedPlace kLinkedPlaces[] = {
    {"playbook", "001-login", "specs"},
    {"playbook", "001-login", "specs/001-login"},
    {"spec-loop", "005-user-auth", "specs"},
    {"spec-loop", "005-user-auth", "specs/005-user-auth/.workflow"},
    {"epic", "5", ".aiox"},
    {"story-cycle", "4.2", "docs/stories"},
    {"story-cycle", "4.2", "docs"},
    {"spec-pipeline", "harbour", "docs/stories"},
    {"lanes", "plans/P1.md", ".claude"},
    {"lanes", "plans/P1.md", ".claude/run-logs"},
    {"lanes", "plans/P1.md", ".claude/ai-dev-kit"},
};

TEST(Links, L11_NoRunWritesItsRecordsOutsideTheProject) {
  for (const LinkedPlace& place : kLinkedPlaces) {
    const LinkedWorld world;
    world.write("plans/P1.md", kOneLanePlan);
    if (std::string(place.workflow) == "epic")
      world.write("docs/epics/EPIC-5-EXECUTION.yaml",
                  "epic_id: '5'\nwaves:\n  - number: 1\n    stories:\n      - {id: '5.1', title: One}\n");
    world.link(world.outside(), place.link);
    ASSERT_EQ(world.shell(kCommit).exit, 0);
    world.expect_refused({"run", place.workflow, place.subject}, place.link);
    EXPECT_EQ(world.reprise({"status", "--json"}).out.find("\"id\""), std::string::npos) << "a run was created";
  }
}

TEST(Links, L11_LinksIntoGitAndToNothingAreRefused) {
  for (const char* target : {".git/hooks", ".git", ".reprise/workflows", "nowhere", "../nowhere"}) {
    const LinkedWorld world;
    world.link(target, "specs");
    world.expect_refused({"run", "playbook", "001-login"}, "specs");
    EXPECT_FALSE(world.has(".git/hooks/001-login"));
  }
}

TEST(Links, L11_LinkInsideTheProjectIsUsed) {
  const LinkedWorld world;
  fs::create_directories(world.root() / "documents/specs");
  world.link("documents/specs", "specs");
  const Ended ended = world.reprise({"run", "playbook", "001-login"});
  EXPECT_TRUE(world.has("documents/specs/001-login/.pipeline-state.md")) << ended.err;
  EXPECT_TRUE(fs::is_symlink(world.root() / "specs"));
  EXPECT_TRUE(world.has("ran.txt")) << ended.err;
}

TEST(Links, L11_ResumeAndFreshRefuseALinkThatAppearedMeanwhile) {
  const LinkedWorld world;
  world.reprise({"run", "playbook", "001-login"});
  ASSERT_TRUE(world.has("specs/001-login/.pipeline-state.md"));
  fs::remove(world.root() / "ran.txt");
  fs::rename(world.root() / "specs", world.root() / "specs.old");
  world.link(world.outside(), "specs");
  world.expect_refused({"resume", "playbook/001-login", "--yes"}, "specs");
  const fs::path precious = world.outside() / "001-login/.pipeline-state.md";
  fs::create_directory(precious.parent_path());
  std::ofstream(precious) << "not of this project\n";
  EXPECT_EQ(world.reprise({"fresh", "playbook/001-login", "--yes"}).exit, 3);
  EXPECT_EQ(slurp(precious), "not of this project\n");
}

TEST(Links, L11_CheckpointsAreNotPutOutsideTheProject) {
  const LinkedWorld world;
  world.link(world.outside(), ".claude");
  world.expect_refused({"checkpoint", "put", "--run-id", "r1", "--phase", "P1", "--lane", "SL-A", "--stage",
                        "before_lane_start", "--status", "ready"},
                       ".claude");
}

TEST(Links, L11_InitWritesNoConfigurationOutsideTheProject) {
  const LinkedWorld world;
  fs::remove_all(world.root() / ".reprise");
  world.link(world.outside(), ".reprise");
  world.expect_refused({"init", "--quiet"}, ".reprise");
}

}  // namespace
}  // namespace reprise::cli_test
