// Worktrees: made, adopted, completed; removed only when nothing is lost.

#include "git/ensure_worktree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "git/ensure.h"
#include "git/worktree_place.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

const fs::path kPlace = ".worktrees/P1/SL-1";

WorktreeRequest lane(const std::string& name = "SL-1") {
  return {.path = fs::path(".worktrees/P1") / name, .branch = "lane/P1/" + name, .start = "main"};
}

RemovalRequest removal() { return {.path = kPlace}; }

template <typename Value>
std::string message_of(const Result<Value>& result) {
  return result ? "removed" : result.error().message;
}

TEST(EnsureWorktree, IsMadeAdoptedWithWhatIsInItAndExcludedOnce) {
  const GitRepository repo;
  const Result<WorktreeState> made = ensure_worktree(repo.git(), lane());
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(made->made);
  EXPECT_EQ(made->path, repo.path() / kPlace);
  EXPECT_EQ(made->head, repo.id_of("main"));
  EXPECT_EQ(repo.files(kPlace), (std::map<std::string, std::string>{{"README", "first\n"}}));
  repo.write(kPlace / "work", "in progress");
  const Result<WorktreeState> again = ensure_worktree(repo.git(), lane());
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_FALSE(again->made);
  EXPECT_EQ(repo.read(kPlace / "work"), "in progress");
  EXPECT_EQ(repo.run({"status", "--porcelain"}), "");
  const std::string exclude = repo.read(".git/info/exclude");
  EXPECT_EQ(exclude.find("/.worktrees/\n"), exclude.rfind("/.worktrees/\n"));
  EXPECT_NE(exclude.find("/.worktrees/\n"), std::string::npos);
}

TEST(EnsureWorktree, OneWhoseFolderVanishedIsMadeAgainFromItsBranchAndWhatWasStagedIsKept) {
  const GitRepository repo;
  ASSERT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
  repo.write(kPlace / "a", "a");
  const std::string head = repo.commit("in the lane", kPlace);
  repo.write(kPlace / "b", "staged");
  repo.run({"add", "b"}, kPlace);
  fs::remove_all(repo.path() / kPlace);
  const Result<WorktreeState> again = ensure_worktree(repo.git(), lane());
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->head, head);
  EXPECT_EQ(repo.run({"status", "--porcelain"}, kPlace), "");
  EXPECT_EQ(repo.read(kPlace / "a"), "a");
  ASSERT_EQ(again->notes.size(), 2u);
  const std::string ref = repo.run({"for-each-ref", "--format=%(refname)", "refs/reprise/rescue"});
  EXPECT_EQ(repo.run({"show", ref + ":b"}), "staged");
}

TEST(EnsureWorktree, ATornOrMissingDotGitIsRepairedAndNoFileChanges) {
  const GitRepository repo;
  ASSERT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
  repo.write(kPlace / "work", "in progress");
  for (const char* torn : {"", "gitdir: /", "missing"}) {
    repo.write(kPlace / ".git", torn);
    if (std::string_view(torn) == "missing") fs::remove(repo.path() / kPlace / ".git");
    const Result<WorktreeState> again = ensure_worktree(repo.git(), lane());
    ASSERT_TRUE(again.has_value()) << torn << ": " << again.error().message;
    EXPECT_EQ(repo.run({"status", "--porcelain"}, kPlace), "?? work");
  }
}

TEST(EnsureWorktree, HalfMadeOnesAreCompletedButNotOverForeignFiles) {
  const GitRepository repo;
  repo.write("big", std::string(100000, 'x'));
  repo.commit("big");
  ASSERT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
  const fs::path index = repo.path() / ".git/worktrees/SL-1/index";
  fs::remove(index);
  fs::remove(repo.path() / kPlace / "README");
  repo.write(kPlace / "big", std::string(500, 'x'));  // as if killed while it was written
  repo.write(kPlace / "foreign", "x");
  const Result<WorktreeState> refused = ensure_worktree(repo.git(), lane());
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("foreign"), std::string::npos);
  fs::remove(repo.path() / kPlace / "foreign");
  const Result<WorktreeState> completed = ensure_worktree(repo.git(), lane());
  ASSERT_TRUE(completed.has_value()) << completed.error().message;
  EXPECT_EQ(repo.run({"status", "--porcelain"}, kPlace), "");
  EXPECT_EQ(repo.read(kPlace / "big").size(), 100000u);
}

TEST(EnsureWorktree, ABranchCheckedOutElsewhereIsRefusedAndSaysWhere) {
  const GitRepository repo;
  repo.run({"worktree", "add", "-q", "-b", "lane/P1/SL-1", (repo.outside() / "elsewhere").string()});
  const Result<WorktreeState> made = ensure_worktree(repo.git(), lane());
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, ErrorKind::Conflict);
  EXPECT_NE(made.error().message.find((repo.outside() / "elsewhere").string()), std::string::npos);
}

TEST(EnsureWorktree, LinksAndPathsOutsideTheRootAreRefused) {
  const GitRepository repo;
  fs::create_directories(repo.outside() / "target");
  fs::create_directories(repo.path() / ".worktrees");
  fs::create_directory_symlink(repo.outside() / "target", repo.path() / ".worktrees/P1");
  EXPECT_EQ(ensure_worktree(repo.git(), lane()).error().kind, ErrorKind::Invalid);
  fs::remove(repo.path() / ".worktrees/P1");
  fs::create_directories(repo.path() / ".worktrees/P1");
  fs::create_directory_symlink(repo.outside() / "target", repo.path() / kPlace);
  EXPECT_EQ(ensure_worktree(repo.git(), lane()).error().kind, ErrorKind::Invalid);
  fs::remove_all(repo.path() / ".worktrees");
  fs::create_directory_symlink(repo.outside() / "target", repo.path() / ".worktrees");
  EXPECT_EQ(ensure_worktree(repo.git(), lane()).error().kind, ErrorKind::Invalid);
  fs::remove(repo.path() / ".worktrees");
  const std::string outside = (repo.outside() / "target").string();
  for (const std::string bad : {"", ".", "..", ".worktrees", ".worktrees/", ".worktrees/../x", "src", ".git/x",
                                ".worktrees/../../target", outside.c_str(), ".worktrees/a\nb"}) {
    WorktreeRequest request = lane();
    request.path = bad;
    EXPECT_EQ(ensure_worktree(repo.git(), request).error().kind, ErrorKind::Invalid) << bad;
  }
  EXPECT_TRUE(fs::is_empty(repo.outside() / "target"));
}

TEST(EnsureWorktree, ARepositoryReachedOverALinkIsTheSameOne) {
  const GitRepository repo;
  fs::create_directory_symlink(repo.path(), repo.outside() / "link");
  WorktreeRequest request = lane();
  request.path = repo.outside() / "link" / kPlace;
  const Result<WorktreeState> made = ensure_worktree(Git::open(repo.outside() / "link").value(), request);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->path, repo.path() / kPlace);
  request.root = ".";
  EXPECT_EQ(ensure_worktree(repo.git(), request).error().kind, ErrorKind::Invalid);
}

TEST(EnsureWorktree, WithoutCommitsOrStartItSaysSoWithAHint) {
  const GitRepository unborn(GitRepository::Kind::Unborn);
  const Result<WorktreeState> none = ensure_worktree(unborn.git(), lane());
  EXPECT_EQ(none.error().kind, ErrorKind::NotFound);
  EXPECT_NE(none.error().message.find("no commits"), std::string::npos);
  EXPECT_EQ(none.error().hints.size(), 1u);
  const GitRepository repo;
  WorktreeRequest request = lane();
  request.start = "no-such-branch";
  EXPECT_EQ(ensure_worktree(repo.git(), request).error().kind, ErrorKind::NotFound);
  EXPECT_FALSE(fs::exists(repo.path() / ".worktrees"));
}

TEST(EnsureWorktree, ABareRepositoryNeedsAnAbsoluteRoot) {
  const GitRepository repo;
  const GitRepository bare(repo.outside() / "bare", GitRepository::Kind::Bare);
  repo.run({"push", "-q", bare.path().string(), "main"});
  EXPECT_EQ(ensure_worktree(bare.git(), lane()).error().kind, ErrorKind::Invalid);
  WorktreeRequest request = lane();
  request.root = repo.outside() / "lanes";
  request.path = request.root / "SL-1";
  const Result<WorktreeState> made = ensure_worktree(bare.git(), request);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(fs::exists(request.path / "README"));
}

TEST(EnsureWorktree, DetachedHeadsAndDirtyCheckoutsAreNoObstacleAndStayAsTheyAre) {
  const GitRepository repo;
  repo.run({"switch", "-q", "--detach"});
  repo.write("README", "changed\n");
  repo.write("untracked", "x");
  ASSERT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
  EXPECT_EQ(repo.read("README"), "changed\n");
  EXPECT_EQ(repo.run({"status", "--porcelain"}), " M README\n?? untracked");
}

TEST(EnsureWorktree, SubmodulesAreLeftEmptyWithANote) {
  const GitRepository repo;
  const GitRepository inner(repo.outside() / "inner");
  repo.run({"submodule", "--quiet", "add", inner.path().string(), "inner"});
  repo.commit("submodule");
  const Result<WorktreeState> made = ensure_worktree(repo.git(), lane());
  ASSERT_TRUE(made.has_value()) << made.error().message;
  ASSERT_EQ(made->notes.size(), 1u);
  EXPECT_NE(made->notes[0].find("submodules"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(repo.path() / kPlace / "inner"));
}

TEST(EnsureWorktree, R6_ARootInMemoryIsANote) {
  if (!fs::exists("/dev/shm")) GTEST_SKIP() << "no file system in memory here";
  const GitRepository repo;
  const fs::path root = "/dev/shm/reprise-volatile-" + std::to_string(::getpid());
  WorktreeRequest request = lane();
  request.root = root;
  request.path = root / "SL-1";
  const Result<WorktreeState> made = ensure_worktree(repo.git(), request);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  ASSERT_EQ(made->notes.size(), 1u);
  EXPECT_NE(made->notes[0].find("memory"), std::string::npos);
  fs::remove_all(root);
}

TEST(EnsureWorktree, R5_AVanishedWorktreeIsAnErrorAndNeverTheParentCheckout) {
  const GitRepository repo;
  ASSERT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
  fs::remove(repo.path() / kPlace / ".git");
  EXPECT_EQ(open_worktree(repo.git(), repo.path() / kPlace).error().kind, ErrorKind::NotFound);
  fs::remove_all(repo.path() / kPlace);
  EXPECT_EQ(open_worktree(repo.git(), repo.path() / kPlace).error().kind, ErrorKind::NotFound);
}

TEST(EnsureTakenOver, AFinishedTreeBecomesAnotherLane) {
  const GitRepository repo;
  ASSERT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
  repo.write(kPlace / "done", "done");
  const std::string done = repo.commit("done", kPlace);
  const TakeOver take{.from = repo.path() / kPlace, .from_branch = "lane/P1/SL-1"};
  for (int i = 0; i < 2; ++i) {
    const Result<WorktreeState> taken = ensure_taken_over(repo.git(), lane("SL-2"), take);
    ASSERT_TRUE(taken.has_value()) << taken.error().message;
    EXPECT_EQ(taken->head, repo.id_of("main"));
  }
  EXPECT_EQ(repo.run({"status", "--porcelain", "--branch"}, ".worktrees/P1/SL-2"), "## lane/P1/SL-2");
  EXPECT_FALSE(fs::exists(repo.path() / kPlace));
  EXPECT_FALSE(fs::exists(repo.path() / ".worktrees/P1/SL-2/done"));
  EXPECT_EQ(repo.id_of("lane/P1/SL-1"), done);
  EXPECT_TRUE(ensure_worktree(repo.git(), lane()).has_value());
}

class Removal : public testing::Test {
 protected:
  Removal() { check(ensure_worktree(repo.git(), lane()).has_value()); }
  GitRepository repo;
};

TEST_F(Removal, ACleanOneGoesItsBranchStaysAndARepeatIsFine) {
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), removal())), "removed");
  EXPECT_FALSE(fs::exists(repo.path() / kPlace));
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), removal())), "removed");
  EXPECT_EQ(repo.id_of("lane/P1/SL-1"), repo.id_of("main"));
  EXPECT_FALSE(fs::exists(repo.path() / ".git/worktrees/SL-1"));
}

TEST_F(Removal, R1_ADirtyLaneAndADetachedLoneCommitAreRefused) {
  repo.write(kPlace / "README", "changed");
  EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), removal())).find("README"), std::string::npos);
  repo.run({"checkout", "-q", "README"}, kPlace);
  repo.run({"switch", "-q", "--detach"}, kPlace);
  const std::string lone = repo.commit("lone", kPlace);
  EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), removal())).find(lone), std::string::npos);
  repo.run({"tag", "kept", lone});
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), removal())), "removed");
}

TEST_F(Removal, R1_ABranchThatLeavesKeepsNothingAlive) {
  const std::string lone = repo.commit("lone", kPlace);
  RemovalRequest request = removal();
  request.leaving = "lane/P1/SL-1";
  EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), request)).find(lone), std::string::npos);
  repo.run({"merge", "-q", "lane/P1/SL-1"});
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), request)), "removed");
}

TEST_F(Removal, R2_UntrackedFilesAloneAreReasonEnoughAndIgnoredOnesUnlessAllowed) {
  repo.write(kPlace / "folder/untracked", "x");
  EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), removal())).find("folder/untracked"),
            std::string::npos);
  fs::remove_all(repo.path() / kPlace / "folder");
  repo.write(".git/info/exclude", "*.o\n/.worktrees/\n");
  repo.write(kPlace / "x.o", "x");
  EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), removal())).find("x.o"), std::string::npos);
  RemovalRequest request = removal();
  request.with_ignored = true;
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), request)), "removed");
}

TEST_F(Removal, R3_WhileAProcessWorksInItItIsRefused) {
  const std::vector<std::string> argv = {"/bin/sleep", "100"};
  const int pid = spawn({.argv = argv, .environment = {}, .directory = (repo.path() / kPlace).string()}).value();
  const std::string message = message_of(ensure_worktree_removed(repo.git(), removal()));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_NE(message.find("sleep (" + std::to_string(pid) + ")"), std::string::npos) << message;
  EXPECT_TRUE(fs::exists(repo.path() / kPlace / "README"));
  {
    const FileLock open = FileLock::lock(repo.path() / kPlace / "README", 0).value();
    EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), removal())).find("works in it"), std::string::npos);
  }
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), removal())), "removed");
}

TEST_F(Removal, R4_TheRepositoryItselfAndOtherPlacesAreNeverRemoved) {
  const std::map<std::string, std::string> before = repo.files();
  fs::create_directories(repo.path() / ".worktrees/P1/not-ours");
  repo.write(".worktrees/P1/not-ours/file", "x");
  for (const std::string bad : {"", ".", "..", "/", ".git", ".worktrees", ".worktrees/P1/..", repo.path().c_str(),
                                ".worktrees/P1/not-ours", ".worktrees/P1"}) {
    RemovalRequest request = removal();
    request.path = bad;
    EXPECT_FALSE(ensure_worktree_removed(repo.git(), request).has_value()) << bad;
  }
  fs::remove_all(repo.path() / ".worktrees/P1/not-ours");
  EXPECT_EQ(repo.files(), before);
  EXPECT_TRUE(repo.try_run({"fsck"}));
}

TEST_F(Removal, ALockedWorktreeIsRefusedWithTheWayOut) {
  repo.run({"worktree", "lock", kPlace.string()});
  EXPECT_NE(message_of(ensure_worktree_removed(repo.git(), removal())).find("locked"), std::string::npos);
}

TEST_F(Removal, ASnapshotThatProvablyHoldsTheTreeAllowsItAndAnotherDoesNot) {
  repo.write(kPlace / "README", "changed");
  repo.write(kPlace / "new", "new");
  const std::string stale = repo.id_of("main");
  RemovalRequest request = removal();
  request.snapshot = stale;
  EXPECT_FALSE(ensure_worktree_removed(repo.git(), request).has_value());
  const Git there = repo.git(kPlace);
  const std::vector<std::string> own = {"GIT_INDEX_FILE=" + (repo.outside() / "index").string()};
  check(there.ask({"add", "--all"}, {.environment = own}).has_value());
  const std::string tree = there.ask({"write-tree"}, {.environment = own}).value();
  request.snapshot = repo.run({"commit-tree", tree, "-m", "snapshot"});
  EXPECT_FALSE(ensure_worktree_removed(repo.git(), request).has_value()) << "no reference holds it";
  repo.run({"update-ref", "refs/reprise/snapshots/x", *request.snapshot});
  repo.write(kPlace / "new", "newer");
  EXPECT_FALSE(ensure_worktree_removed(repo.git(), request).has_value());
  repo.write(kPlace / "new", "new");
  EXPECT_EQ(message_of(ensure_worktree_removed(repo.git(), request)), "removed");
  EXPECT_EQ(repo.run({"show", "refs/reprise/snapshots/x:README"}), "changed");
}

TEST_F(Removal, OneThatWasCutOffHalfWayIsRestoredWhenTheLaneIsWantedAgain) {
  check(write_removal(repo.git(), {.path = repo.path() / kPlace, .id = "SL-1"}).has_value());
  fs::remove(repo.path() / kPlace / ".git");
  fs::remove(repo.path() / kPlace / "README");
  const Result<WorktreeState> again = ensure_worktree(repo.git(), lane());
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(repo.run({"status", "--porcelain"}, kPlace), "");
}

}  // namespace
}  // namespace reprise
