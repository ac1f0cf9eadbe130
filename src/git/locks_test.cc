// Lock files of git: those of dead calls go, all others stay.

#include "git/locks.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "git/call_records.h"
#include "git/ensure.h"
#include "os/clock.h"
#include "os/machine.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

using std::filesystem::exists;

// A call of ours that died: its record is there, nobody holds it.
void leave_dead_call(const Git& git) {
  ASSERT_TRUE(RecordedCall::begin(git, {"add", "--all"}, false).has_value());
}

// A program called git that works in `folder` until it is killed.
class LivingGit {
 public:
  LivingGit(const GitRepository& repo, const std::filesystem::path& folder) {
    const std::filesystem::path program = repo.outside() / "git-that-waits";
    std::filesystem::copy_file("/bin/sleep", program);
    const std::vector<std::string> argv = {program.string(), "100"};
    pid_ = spawn({.argv = argv, .environment = {}, .directory = folder.string()}).value();
  }
  ~LivingGit() { end(); }
  void end() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  int pid_ = 0;
};

TEST(GitLocks, R46_AStaleIndexLockOfADeadCallDoesNotBlock) {
  const GitRepository repo;
  leave_dead_call(repo.git());
  repo.write(".git/index.lock", "");
  repo.write(".git/refs/heads/main.lock", "");
  repo.write(".git/HEAD.lock", "");
  repo.write(".git/packed-refs.lock", "");
  repo.write(".git/config.lock", "");
  repo.write("a", "a");
  const Result<CommitOutcome> made = ensure_commit(repo.git(), {.message = "m", .token = "t"});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(made->made);
  for (const char* name : {"index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "refs/heads/main.lock"}) {
    EXPECT_FALSE(exists(repo.path() / ".git" / name)) << name;
  }
  EXPECT_TRUE(PosixFileSystem().list(repo.path() / ".git/reprise/git-calls")->empty());
}

TEST(GitLocks, R47_ALockOlderThanAnyDeadCallOfOursSurvivesAndIsNamed) {
  const GitRepository repo;
  repo.write(".git/index.lock", "theirs");
  pause_for(Duration(20));
  leave_dead_call(repo.git());
  repo.write("a", "a");
  const Result<CommitOutcome> made = ensure_commit(repo.git(), {.message = "m", .token = "t"});
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, ErrorKind::Conflict);
  EXPECT_NE(made.error().message.find("index.lock"), std::string::npos);
  EXPECT_NE(made.error().message.find("ago"), std::string::npos);
  EXPECT_EQ(made.error().hints.size(), 1u);
  EXPECT_EQ(repo.read(".git/index.lock"), "theirs");
}

TEST(GitLocks, R47_WithoutADeadCallOfOursNoLockIsRemoved) {
  const GitRepository repo;
  repo.write(".git/index.lock", "theirs");
  EXPECT_TRUE(clear_dead_locks(repo.git())->removed.empty());
  EXPECT_EQ(repo.read(".git/index.lock"), "theirs");
}

TEST(GitLocks, R47_ADeadCallInALaneSaysNothingOfTheMainCheckoutsIndexOrOfAnotherLane) {
  const GitRepository repo;
  for (const char* name : {"a", "b"}) repo.run({"worktree", "add", "-q", name});
  leave_dead_call(repo.git("a"));
  const std::vector<std::string> others = {".git/index.lock", ".git/HEAD.lock", ".git/worktrees/b/index.lock"};
  for (const std::string& name : others) repo.write(name, "theirs");
  repo.write(".git/worktrees/a/index.lock", "");
  EXPECT_EQ(clear_dead_locks(repo.git())->removed.size(), 1u);
  for (const std::string& name : others) EXPECT_EQ(repo.read(name), "theirs") << name;
  EXPECT_FALSE(exists(repo.path() / ".git/worktrees/a/index.lock"));
}

TEST(GitLocks, R47_ALockThatALivingGitMayOwnSurvivesUntilItEnds) {
  const GitRepository repo;
  leave_dead_call(repo.git());
  LivingGit living(repo, repo.path());
  repo.write(".git/index.lock", "");
  const LockReport report = clear_dead_locks(repo.git()).value();
  EXPECT_TRUE(report.removed.empty());
  ASSERT_EQ(report.left.size(), 1u);
  EXPECT_TRUE(report.left[0].may_go_later);
  EXPECT_TRUE(exists(repo.path() / ".git/index.lock"));
  living.end();
  EXPECT_EQ(clear_dead_locks(repo.git())->removed.size(), 1u);
}

TEST(GitLocks, R47_ALockThatAnyLivingProcessHasOpenSurvives) {
  const GitRepository repo;
  leave_dead_call(repo.git());
  {
    const FileLock open = FileLock::lock(repo.path() / ".git/index.lock", 7).value();
    EXPECT_TRUE(clear_dead_locks(repo.git())->removed.empty());
  }
  EXPECT_EQ(clear_dead_locks(repo.git())->removed.size(), 1u);
}

TEST(GitLocks, ACallThatIsUnderWayIsNotDead) {
  const GitRepository repo;
  const Result<RecordedCall> call = RecordedCall::begin(repo.git(), {"add"}, false);
  repo.write(".git/index.lock", "");
  EXPECT_TRUE(clear_dead_locks(repo.git())->removed.empty());
}

// The record names our own living process: only the kernel's lock decides, so a number used again means nothing.
TEST(GitLocks, R12_ADeadOwnersLockIsReclaimedThoughItsNumberIsInUse) {
  const GitRepository repo;
  leave_dead_call(repo.git());
  const std::vector<std::string> names = PosixFileSystem().list(repo.path() / ".git/reprise/git-calls").value();
  ASSERT_EQ(names.size(), 1u);
  const std::string text = repo.read(".git/reprise/git-calls/" + names[0]);
  EXPECT_TRUE(text.starts_with(std::to_string(own_pid()) + " "));
  repo.write(".git/index.lock", "");
  EXPECT_EQ(clear_dead_locks(repo.git())->removed.size(), 1u);
}

// The git outlives us: its children hold the lock, so its locks are not stale.
TEST(GitLocks, AGitThatOutlivesItsCallerKeepsItsLock) {
  const GitRepository repo;
  const Git git = repo.git();
  const std::vector<std::string> argv = {"/bin/sleep", "100"};
  int pid = 0;
  {
    const RecordedCall call = RecordedCall::begin(git, {"add"}, false).value();
    pid = spawn({.argv = argv, .environment = {}, .extra_fd = call.fd()}).value();
  }
  repo.write(".git/index.lock", "");
  EXPECT_TRUE(clear_dead_locks(git)->removed.empty());
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(clear_dead_locks(git)->removed.size(), 1u);
}

TEST(GitLocks, L2_LocksOfAKilledGitAreClearedAtOnce) {
  const GitRepository repo;
  const Git git = repo.git();
  const Result<GitAnswer> killed =
      run_recorded(git, {"-c", "alias.x=!touch .git/index.lock; sleep 30", "x"}, {.timeout = Duration(300)});
  EXPECT_FALSE(killed.has_value());
  EXPECT_FALSE(exists(repo.path() / ".git/index.lock"));
  repo.write("a", "a");
  EXPECT_TRUE(ensure_commit(git, {.message = "m", .token = "t"}).has_value());
}

TEST(GitLocks, AWorkersLocksGoOnceItIsProvenDeadButNotOlderOnes) {
  const GitRepository repo;
  const Git git = repo.git();
  repo.write(".git/index.lock", "");
  const Timestamp since = SystemClock().now();
  pause_for(Duration(20));
  repo.write(".git/HEAD.lock", "");
  repo.write(".git/refs/heads/main.lock", "");
  const LockReport report = clear_worker_locks(git, since).value();
  EXPECT_EQ(report.removed.size(), 2u);
  ASSERT_EQ(report.left.size(), 1u);
  EXPECT_EQ(report.left[0].file.filename(), "index.lock");
  EXPECT_TRUE(exists(repo.path() / ".git/index.lock"));
}

}  // namespace
}  // namespace reprise
