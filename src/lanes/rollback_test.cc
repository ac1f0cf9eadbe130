// Rollbacks that lost work elsewhere, and places that are not the lane any more.

#include "lanes/rollback.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "lanes/rescue.h"
#include "os/process.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr Timestamp kRollbackTime{1'800'000'000'123};

class Rollback : public ::testing::Test {
 protected:
  Rollback() {
    repository_.write(".gitignore", "*.o\n/lanes/\n");
    repository_.commit("base");
    base_ = repository_.run({"rev-parse", "HEAD"});
    repository_.run({"worktree", "add", "-q", "--no-track", "-b", "lane/one", folder().string()});
  }

  fs::path folder() const { return repository_.path() / "lanes/one"; }
  void write(const std::string& name, std::string_view text) const {
    repository_.write("lanes/one/" + name, text);
  }
  std::string read(const std::string& name) const { return repository_.read("lanes/one/" + name); }
  std::string run(const std::vector<std::string>& arguments) const {
    return repository_.run(arguments, "lanes/one");
  }
  Result<Git> lane() const { return open_lane_folder(folder(), repository_.git()); }
  RollbackRequest request(bool is_stopped = true) const {
    return {.to = base_, .of = "one", .reason = "test", .time = kRollbackTime, .is_stopped = is_stopped};
  }

  GitRepository repository_;
  std::string base_;
};

TEST_F(Rollback, LN06_GoesToTheCommitWithBranchIndexAndFiles) {
  write("README", "changed");
  write("late", "late");
  run({"add", "late"});
  run({"commit", "-q", "-m", "late"});
  run({"rm", "-q", "-f", "README"});
  const RolledBack done = roll_back(lane().value(), request()).value();
  EXPECT_EQ(run({"rev-parse", "lane/one"}), base_);
  EXPECT_EQ(run({"status", "--porcelain", "-b"}), "## lane/one");
  EXPECT_EQ(read("README"), "first\n");
  EXPECT_FALSE(fs::exists(folder() / "late"));
  EXPECT_EQ(done.rescue.branch, "refs/heads/lane/one");
}

TEST_F(Rollback, R7_ForeignOutputThatTheAgentNeverMadeStays) {
  write("results/big.bin", "a gigabyte");
  write("late", "late");
  run({"add", "late"});
  const RolledBack done = roll_back(lane().value(), request()).value();
  EXPECT_EQ(read("results/big.bin"), "a gigabyte");
  EXPECT_EQ(done.restored.kept, std::vector<std::string>{"results/big.bin"});
  EXPECT_FALSE(fs::exists(folder() / "late"));
}

TEST_F(Rollback, R8_LaterCommitsAreReachableAndNamedAfterwards) {
  write("late", "late");
  run({"add", "late"});
  run({"commit", "-q", "-m", "late"});
  const std::string late = run({"rev-parse", "HEAD"});
  ASSERT_TRUE(roll_back(lane().value(), request()));
  repository_.run({"reflog", "expire", "--expire=now", "--all"});
  run({"gc", "-q", "--prune=now"});
  const std::vector<Rescue> list = list_rescues(repository_.git(), "one").value();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].head, late);
  EXPECT_EQ(list[0].lone_commits, 1u);
  ASSERT_TRUE(undo_rollback(lane().value(), list[0].ref, kRollbackTime, true));
  EXPECT_EQ(run({"rev-parse", "lane/one"}), late);
}

TEST_F(Rollback, R9_UntrackedAndIgnoredFilesSurviveAHardReset) {
  write("notes.txt", "untracked");
  write("out.o", "ignored");
  write("build/deep/out.o", "ignored too");
  write("README", "changed");
  ASSERT_TRUE(roll_back(lane().value(), request()));
  EXPECT_EQ(read("notes.txt"), "untracked");
  EXPECT_EQ(read("out.o"), "ignored");
  EXPECT_EQ(read("build/deep/out.o"), "ignored too");
  EXPECT_EQ(read("README"), "first\n");
}

TEST_F(Rollback, R11_WhatChangedAfterItWasSetAsideStopsIt) {
  write("README", "set aside");
  const PreparedRestore prepared = prepare_rollback(lane().value(), request()).value();
  EXPECT_EQ(read("README"), "set aside");
  write("README", "a step wrote this meanwhile");
  EXPECT_EQ(finish_rollback(lane().value(), prepared.plan, true).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(read("README"), "a step wrote this meanwhile");
  write("README", "set aside");
  run({"commit", "-q", "--allow-empty", "-m", "a step committed meanwhile"});
  EXPECT_EQ(finish_rollback(lane().value(), prepared.plan, true).error().kind, ErrorKind::Conflict);
  run({"reset", "-q", "--soft", base_});
  run({"add", "README"});
  EXPECT_EQ(finish_rollback(lane().value(), prepared.plan, true).error().kind, ErrorKind::Conflict);
  run({"reset", "-q"});
  ASSERT_TRUE(finish_rollback(lane().value(), prepared.plan, true));
  EXPECT_EQ(read("README"), "first\n");
}

TEST_F(Rollback, WhatChangedWhileOneWasCutOffIsSetAsideToo) {
  write("README", "set aside");
  const PreparedRestore prepared = prepare_rollback(lane().value(), request()).value();
  const fs::path note = fs::path(run({"rev-parse", "--absolute-git-dir"})) / "reprise/workshop/unfinished";
  ASSERT_TRUE(PosixFileSystem().replace(note, prepared.plan.to + "\n" + prepared.plan.rescue + "\nlenient\n"));
  write("README", "typed after the power came back");
  const Restored done = finish_rollback(lane().value(), prepared.plan, true).value();
  ASSERT_EQ(done.further_rescue.size(), 1u);
  EXPECT_EQ(run({"show", done.further_rescue[0] + ":README"}), "typed after the power came back");
  EXPECT_EQ(read("README"), "first\n");
  EXPECT_FALSE(fs::exists(note));
}

// Its caller may be killed before it writes down that the first one ended.
TEST_F(Rollback, ASecondFinishIsDoneAndChangesNothing) {
  write("README", "changed");
  const PreparedRestore prepared = prepare_rollback(lane().value(), request()).value();
  ASSERT_TRUE(finish_rollback(lane().value(), prepared.plan, true));
  EXPECT_TRUE(finish_rollback(lane().value(), prepared.plan, true));
  EXPECT_EQ(read("README"), "first\n");
  write("README", "work after the rollback");
  const Result<Restored> again = finish_rollback(lane().value(), prepared.plan, true);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->written + again->removed, 0u);
  EXPECT_EQ(read("README"), "work after the rollback");
  const PreparedRestore next = prepare_rollback(lane().value(), request()).value();
  ASSERT_TRUE(finish_rollback(lane().value(), next.plan, true)) << "another one is not the one that ended";
  EXPECT_EQ(read("README"), "first\n");
}

TEST_F(Rollback, P25_TheMainCheckoutIsNeverRolledBack) {
  repository_.write("README", "typed by a person");
  EXPECT_EQ(roll_back(repository_.git(), request()).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(open_lane_folder(repository_.path(), repository_.git()).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(repository_.read("README"), "typed by a person");
}

TEST_F(Rollback, P25_AVanishedLaneDoesNotMakeItsParentTheLane) {
  const Git opened = lane().value();
  repository_.write("README", "typed by a person");
  fs::rename(folder(), repository_.outside() / "elsewhere");
  EXPECT_EQ(lane().error().kind, ErrorKind::Conflict);
  EXPECT_EQ(roll_back(opened, request()).error().kind, ErrorKind::Conflict);
  fs::create_directories(folder());  // an empty folder in the main checkout: git would find that one
  EXPECT_EQ(lane().error().kind, ErrorKind::Conflict);
  EXPECT_EQ(roll_back(opened, request()).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(repository_.read("README"), "typed by a person");
}

TEST_F(Rollback, P25_ALaneOrLaneRootThatBecameALinkIsNotFollowed) {
  const Git opened = lane().value();
  const fs::path moved = repository_.outside() / "moved";
  fs::rename(folder(), moved);
  fs::create_directory_symlink(moved, folder());
  EXPECT_EQ(lane().error().kind, ErrorKind::Conflict);
  EXPECT_EQ(roll_back(opened, request()).error().kind, ErrorKind::Conflict);
  fs::remove(folder());
  fs::create_directory_symlink(repository_.path(), folder());
  EXPECT_EQ(lane().error().kind, ErrorKind::Conflict);
  EXPECT_EQ(roll_back(opened, request()).error().kind, ErrorKind::Conflict);
  fs::remove(folder());
  fs::rename(moved, folder());
  fs::rename(repository_.path() / "lanes", moved);
  fs::create_directory_symlink(moved, repository_.path() / "lanes");
  EXPECT_EQ(lane().error().kind, ErrorKind::Conflict);
  EXPECT_EQ(roll_back(opened, request()).error().kind, ErrorKind::Conflict);
}

TEST_F(Rollback, P25_AWorktreeOfAnotherRepositoryIsRefused) {
  const GitRepository other;
  fs::rename(folder(), repository_.outside() / "away");
  other.run({"worktree", "add", "-q", "-b", "lane/one", folder().string()});
  EXPECT_EQ(lane().error().kind, ErrorKind::Conflict);
}

TEST_F(Rollback, WhileSomebodyWorksInItItIsRefused) {
  write("README", "changed");
  const std::vector<std::string> argv = {"sleep", "100"};
  const std::vector<std::string> environment = current_environment();
  const int pid = spawn({.argv = argv, .environment = environment, .directory = folder().string()}).value();
  const Result<RolledBack> refused = roll_back(lane().value(), request(false));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Conflict);
  EXPECT_NE(refused.error().message.find("sleep"), std::string::npos);
  EXPECT_EQ(read("README"), "changed");
  signal_group(pid, 9);
  while (!reap_any()) {
  }
  EXPECT_TRUE(roll_back(lane().value(), request(false)));
}

TEST_F(Rollback, IgnoredFilesInTheWayAreSetAsideFirst) {
  write("out.o", "tracked at the checkpoint");
  run({"add", "-f", "out.o"});
  run({"commit", "-q", "-m", "with output"});
  RollbackRequest wanted = request();
  wanted.to = run({"rev-parse", "HEAD"});
  run({"rm", "-q", "out.o"});
  run({"commit", "-q", "-m", "without"});
  write("out.o/now/a/folder.o", "ignored, and in the way");
  const RolledBack done = roll_back(lane().value(), wanted).value();
  EXPECT_EQ(read("out.o"), "tracked at the checkpoint");
  EXPECT_EQ(run({"show", done.rescue.commit + ":out.o/now/a/folder.o"}), "ignored, and in the way");
  ASSERT_TRUE(undo_rollback(lane().value(), done.rescue.ref, kRollbackTime, true));
  EXPECT_EQ(read("out.o/now/a/folder.o"), "ignored, and in the way");
}

TEST_F(Rollback, WhatCannotBeSetAsideIsRefusedBeforeAnythingChanges) {
  write("README", "changed");
  write("place", "tracked at the checkpoint");
  run({"add", "place"});
  run({"commit", "-q", "-m", "with"});
  RollbackRequest wanted = request();
  wanted.to = run({"rev-parse", "HEAD"});
  fs::remove(folder() / "place");
  ASSERT_EQ(::mkfifo((folder() / "place").c_str(), 0600), 0);
  EXPECT_EQ(prepare_rollback(lane().value(), wanted).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(read("README"), "changed");
}

TEST_F(Rollback, ARepositoryInTheWayIsRefusedBeforeAnythingChanges) {
  write("place", "tracked at the checkpoint");
  run({"add", "place"});
  run({"commit", "-q", "-m", "with"});
  RollbackRequest wanted = request();
  wanted.to = run({"rev-parse", "HEAD"});
  run({"rm", "-q", "place"});
  const GitRepository inside(folder() / "place");
  EXPECT_EQ(prepare_rollback(lane().value(), wanted).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(inside.read("README"), "first\n");
}

TEST_F(Rollback, AnExactRestoreRemovesWhatIsSetAsideAndNothingElse) {
  const Git git = lane().value();
  const Snapshot clean =
      take_snapshot(git, {.ref = "refs/reprise/lanes/one", .message = "clean", .time = kRollbackTime}).value();
  write("loose", "untracked");
  write("out.o", "ignored");
  fs::create_directories(folder() / "empty");
  const RestoreRequest back{clean.commit, "refs/reprise/rescue/one/exact", "exact", kRollbackTime};
  ASSERT_TRUE(restore_snapshot(git, back, true));
  EXPECT_FALSE(fs::exists(folder() / "loose"));
  EXPECT_FALSE(fs::exists(folder() / "empty"));
  EXPECT_EQ(read("out.o"), "ignored");
  ASSERT_TRUE(undo_rollback(git, "refs/reprise/rescue/one/exact", kRollbackTime, true));
  EXPECT_EQ(read("loose"), "untracked");
  EXPECT_TRUE(fs::exists(folder() / "empty"));
}

TEST_F(Rollback, ABranchThatIsCheckedOutElsewhereIsNotMoved) {
  const Git git = lane().value();
  const Snapshot there =
      take_snapshot(git, {.ref = "refs/reprise/lanes/one", .message = "x", .time = kRollbackTime}).value();
  run({"checkout", "-q", "-b", "other"});
  repository_.run({"checkout", "-q", "lane/one"});
  RollbackRequest wanted = request();
  wanted.to = there.commit;
  EXPECT_EQ(prepare_rollback(git, wanted).error().kind, ErrorKind::Conflict);
}

}  // namespace
}  // namespace reprise
