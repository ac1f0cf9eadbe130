// Lanes: nothing that was in one is lost, and what commands say of them is so.

#include <gtest/gtest.h>
#include <unistd.h>

#include <iostream>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kLane =
    "stages:\n  part:\n    lane: {base: HEAD}\n    stages:\n"
    "      write: {run: 'echo text >text'}\n      check: {needs: write, run: 'test -s text'}\n";

void begin(const World& world) {
  world.workflow("change", kLane);
  world.write("secret.txt", "s\n");
  world.shell("git config user.name Ana; git config user.email ana@example.org; git add -A; git commit -qm begin");
}

class Lanes : public ::testing::Test {
 protected:
  void SetUp() override {
    begin(world_);
    ASSERT_EQ(world_.reprise({"run", "change", "c1", "--quiet"}).exit, 0);
  }
  World world_;
};

TEST_F(Lanes, DW7_DocumentsNameTheLane) {
  EXPECT_NE(world_.reprise({"status", "change/c1", "--json"}).out.find("\"lane\":\"part\""), std::string::npos);
  EXPECT_NE(world_.reprise({"plan", "change/c1", "--json"}).out.find("\"lane\":\"part\""), std::string::npos);
  EXPECT_NE(world_.reprise({"why", "change/c1", "part/write", "--json"}).out.find("\"lane\":\"part\""),
            std::string::npos);
}

TEST_F(Lanes, DW8_UndoOfARollbackBringsADoneRunBack) {
  ASSERT_EQ(world_.reprise({"rollback", "change/c1", "--to", "before_lane_start", "--yes"}).exit, 0);
  ASSERT_EQ(world_.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_NE(world_.reprise({"status", "change/c1", "--json"}).out.find("\"status\":\"done\""), std::string::npos);
  EXPECT_EQ(world_.reprise({"cleanup", "change/c1", "--yes"}).exit, 0);
}

TEST_F(Lanes, DB4_CleanupPreviewIsADocument) {
  const Ended shown = world_.reprise({"cleanup", "change/c1", "--json"});
  EXPECT_EQ(shown.exit, 3);
  EXPECT_NE(shown.out.find("\"worktrees\":[\".worktrees/change/c1/part\"]"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("\"applied\":false"), std::string::npos) << shown.out;
  const Ended done = world_.reprise({"cleanup", "change/c1", "--json", "--yes"});
  EXPECT_NE(done.out.find("\"applied\":true"), std::string::npos) << done.out;
}

TEST_F(Lanes, DW16_FreshPreviewListsTheWorktrees) {
  const Ended shown = world_.reprise({"fresh", "change/c1", "--json"});
  EXPECT_NE(shown.out.find("\"worktrees\":[\".worktrees/change/c1/part\"]"), std::string::npos) << shown.out;
}

TEST_F(Lanes, E26_ModesOfTrackedFilesComeBack) {
  world_.shell("chmod 0600 .worktrees/change/c1/part/secret.txt");
  ASSERT_EQ(world_.reprise({"rollback", "change/c1", "--to", "before_lane_start", "--yes"}).exit, 0);
  world_.shell("chmod 0644 .worktrees/change/c1/part/secret.txt");
  ASSERT_EQ(world_.reprise({"undo", "--yes"}).exit, 0);
  EXPECT_EQ(world_.shell("stat -c %a .worktrees/change/c1/part/secret.txt").out, "600\n");
}

// A folder of another user in the lane, as a container leaves it, and Reprise without the rights of root.
class LanesOfTwoUsers : public Lanes {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "making files of another user is not permitted here";
    Lanes::SetUp();
    world_.shell("cd .worktrees/change/c1/part; mkdir made; echo x >made/file; echo y >note; chown -R 4711 made");
  }
  Ended without_rights(const std::string& words) const {
    return world_.shell("setpriv --bounding-set=-all --inh-caps=-all reprise " + words);
  }
  void expect_work() const {
    EXPECT_EQ(world_.read(".worktrees/change/c1/part/made/file"), "x\n");
    EXPECT_EQ(world_.read(".worktrees/change/c1/part/note"), "y\n");
  }
  static constexpr const char* kLeftover = ".worktrees/.leftover/change/c1/part";
};

TEST_F(LanesOfTwoUsers, E17_CleanupRemovesALaneWithAFileThatCannotBeDeleted) {
  const Ended removed = without_rights("cleanup change/c1 --yes");
  EXPECT_EQ(removed.exit, 0) << removed.err;
  EXPECT_TRUE(contains(removed.err, std::string(kLeftover) + "/1/made/file: cannot be removed: Permission denied"))
      << removed.err;
  EXPECT_TRUE(contains(removed.err, "try: sudo rm -rf -- ")) << removed.err;
  EXPECT_FALSE(world_.has(".worktrees/change/c1/part"));
  const Ended still = without_rights("cleanup change/c1 --yes");
  EXPECT_NE(still.exit, 0) << still.err;
  EXPECT_TRUE(contains(still.err, "made/file")) << still.err;
  EXPECT_EQ(world_.reprise({"cleanup", "change/c1", "--yes"}).exit, 0);
  EXPECT_FALSE(world_.has(".worktrees/.leftover"));
  const Ended nothing = world_.reprise({"cleanup", "change/c1", "--yes"});
  EXPECT_TRUE(contains(nothing.err, "there is nothing to clean up")) << nothing.err;
}

TEST_F(LanesOfTwoUsers, E17_UndoRestoresALaneWhoseFilesCouldNotBeDeleted) {
  for (const char* command : {"cleanup change/c1 --yes", "fresh change/c1 --yes"}) {
    ASSERT_EQ(without_rights(command).exit, 0) << command;
    const Ended undone = without_rights("undo --yes");
    EXPECT_EQ(undone.exit, 0) << command << ": " << undone.err;
    expect_work();
    world_.shell("chown -R 4711 .worktrees/change/c1/part/made");
  }
  EXPECT_EQ(without_rights("rollback change/c1 --to before_lane_start --yes").exit, 0);
  EXPECT_TRUE(world_.has(std::string(kLeftover) + "/2/made/file"));
}

TEST_F(LanesOfTwoUsers, E17_CleanupDeletesNoFilesThatAppearedAfterARemoval) {
  world_.shell("chown -R 0 .worktrees/change/c1/part/made; git worktree remove --force .worktrees/change/c1/part");
  world_.shell("mkdir -p .worktrees/change/c1/part; echo mine >.worktrees/change/c1/part/mine");
  const Ended refused = world_.reprise({"cleanup", "change/c1", "--yes"});
  EXPECT_EQ(refused.exit, 5) << refused.err;
  EXPECT_TRUE(contains(refused.err, "try: mv -- ")) << refused.err;
  EXPECT_EQ(world_.read(".worktrees/change/c1/part/mine"), "mine\n");
}

TEST(LanesRoot, E24_RootWithFilesOfTheProjectIsRefused) {
  const World world;
  begin(world);
  world.shell("mkdir src; echo x >src/a.c; git add -A; git commit -qm src");
  world.write(".reprise/config.yaml", "lanes:\n  root: src\n");
  const Ended refused = world.reprise({"run", "change", "c1"});
  EXPECT_EQ(refused.exit, 2) << refused.err;
  EXPECT_NE(refused.err.find(".reprise/config.yaml:2"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find(".worktrees"), std::string::npos) << refused.err;
  world.write("src/new.c", "new\n");
  EXPECT_EQ(world.shell("git status --short src/new.c").out, "?? src/new.c\n");
}

TEST(LanesRoot, E24_RootAboveTheProjectIsRefused) {
  const World world;
  begin(world);
  int refused = 0;
  for (const char* root : {"/", ".", "..", "../..", "//", "a/.."}) {
    world.write(".reprise/config.yaml", std::string("lanes:\n  root: \"") + root + "\"\n");
    const Ended ended = world.reprise({"run", "change", "c1"});
    EXPECT_NE(ended.err.find(".reprise/config.yaml:2:9"), std::string::npos) << root << ": " << ended.err;
    refused += ended.exit == 2 ? 1 : 0;
  }
  EXPECT_EQ(refused, 6);
}

// A git that ends its caller before or after one of its calls, in the place of git.
constexpr const char* kStriker = R"sh(#!/bin/sh
n=$(($(cat ~/calls 2>/dev/null || echo 0) + 1)); echo $n >~/calls
at=$(cat ~/strike 2>/dev/null || echo 0)
if [ "$n" = "$at" ]; then
  touch ~/struck
  GIT "$@"
  kill -9 $PPID; exit 1
fi
exec GIT "$@"
)sh";

class KilledLanes : public Lanes {
 protected:
  void SetUp() override {
    Lanes::SetUp();
    const std::string git = world_.shell("command -v git | tr -d '\\n'").out;
    std::string text = kStriker;
    for (std::size_t at = text.find("GIT"); at != std::string::npos; at = text.find("GIT", at + git.size()))
      text.replace(at, 3, git);
    world_.write("striker", text);
    world_.shell("mv striker ~/bin/git; rm -f ~/calls");
    world_.shell(
        "echo untracked >.worktrees/change/c1/part/note; echo changed >.worktrees/change/c1/part/secret.txt");
  }

  // Kills `words` after its call number `at`, repeats it, and returns whether it was hit.
  bool strike(const std::vector<std::string>& words, int at) {
    world_.shell("rm -f ~/calls ~/struck; echo " + std::to_string(at) + " >~/strike");
    world_.reprise(words);
    const bool is_hit = world_.shell("test -e ~/struck").exit == 0;
    world_.shell("rm -f ~/strike");
    return is_hit;
  }

  void expect_work() {
    EXPECT_EQ(world_.read(".worktrees/change/c1/part/note"), "untracked\n");
    EXPECT_EQ(world_.read(".worktrees/change/c1/part/secret.txt"), "changed\n");
  }
};

TEST_F(KilledLanes, P24_CleanupKilledAfterAnyGitCallLosesNothing) {
  int hit = 0;
  for (int at = 1; at < 60; ++at) {
    const bool is_hit = strike({"cleanup", "change/c1", "--yes"}, at);
    if (!is_hit) break;
    ++hit;
    if (at % 2 == 0) {  // the other half is taken back as it was left
      const Ended again = world_.reprise({"cleanup", "change/c1", "--yes"});
      ASSERT_EQ(again.exit, 0) << at << ": " << again.err;
      ASSERT_FALSE(world_.has(".worktrees/change/c1/part")) << at;
    }
    const Ended undone = world_.reprise({"undo", "--yes"});
    if (!world_.has(".worktrees/change/c1/part/note")) FAIL() << at << ": " << undone.out << undone.err;
    expect_work();
  }
  std::cout << hit << " calls of git struck in cleanup\n";
  EXPECT_GT(hit, 5);
}

TEST_F(KilledLanes, L2_FreshKilledAfterAnyGitCallLeavesNoLockAndLosesNothing) {
  int hit = 0;
  for (int at = 1; at < 60; ++at) {
    if (!strike({"fresh", "change/c1", "--yes"}, at)) break;
    ++hit;
    world_.reprise({"fresh", "change/c1", "--yes"});
    EXPECT_EQ(world_.shell("find .git -name '*.lock' -path '*refs*' -o -name packed-refs.lock").out, "") << at;
    const Ended undone = world_.reprise({"undo", "--yes"});
    if (!world_.has(".worktrees/change/c1/part/note")) FAIL() << at << ": " << undone.out << undone.err;
    expect_work();
  }
  std::cout << hit << " calls of git struck in fresh\n";
  EXPECT_GT(hit, 5);
}

TEST_F(KilledLanes, P24_UndoKilledAfterAnyGitCallIsRepeated) {
  int hit = 0;
  for (int at = 1; at < 60; ++at) {
    ASSERT_EQ(world_.reprise({"cleanup", "change/c1", "--yes"}).exit, 0) << at;
    if (!strike({"undo", "--yes"}, at)) break;
    ++hit;
    const Ended undone = world_.reprise({"undo", "--yes"});
    if (!world_.has(".worktrees/change/c1/part/note")) FAIL() << at << ": " << undone.out << undone.err;
    expect_work();
  }
  std::cout << hit << " calls of git struck in undo\n";
  EXPECT_GT(hit, 5);
}

}  // namespace
}  // namespace reprise::cli_test
