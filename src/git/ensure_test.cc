// References, commits, merges and pushes that can be repeated.

#include "git/ensure.h"

#include <gtest/gtest.h>

#include "git/tree_move.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

using Kind = MergeOutcome::Kind;

TEST(EnsureRef, IsMadeOnceAndMovesOnlyFromWhereItWasSeen) {
  const GitRepository repo;
  const Git git = repo.git();
  const std::string first = repo.id_of("HEAD");
  const std::string second = repo.commit("second");
  const std::string ref = "refs/reprise/x";
  ASSERT_TRUE(ensure_ref(git, {.ref = ref, .to = first}).has_value());
  EXPECT_TRUE(ensure_ref(git, {.ref = ref, .to = first}).has_value());
  ASSERT_TRUE(ensure_ref(git, {.ref = ref, .to = second, .from = first}).has_value());
  const Result<void> moved = ensure_ref(git, {.ref = ref, .to = first, .from = first});
  EXPECT_TRUE(moved.has_value() == false && moved.error().kind == ErrorKind::Conflict);
  EXPECT_NE(moved.error().message.find(first), std::string::npos);
  EXPECT_NE(moved.error().message.find(second), std::string::npos);
  EXPECT_EQ(ensure_ref(git, {.ref = "--stdin", .to = first}).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(ensure_no_ref(git, ref, first).error().kind, ErrorKind::Conflict);
  EXPECT_TRUE(ensure_no_ref(git, ref, second).has_value());
  EXPECT_TRUE(ensure_no_ref(git, ref, second).has_value());
  EXPECT_EQ(git.commit_of(ref).value(), std::nullopt);
}

TEST(EnsureBranch, OneThatIsThereStaysWhereItIs) {
  const GitRepository repo;
  const std::string first = repo.id_of("HEAD");
  EXPECT_TRUE(ensure_branch(repo.git(), "lane/P1/SL-1", first)->made);
  const std::string second = repo.commit("second");
  const Result<BranchState> again = ensure_branch(repo.git(), "lane/P1/SL-1", second);
  EXPECT_FALSE(again->made);
  EXPECT_EQ(again->commit, first);
  EXPECT_FALSE(repo.try_run({"config", "--get", "branch.lane/P1/SL-1.merge"}));
  EXPECT_EQ(ensure_branch(repo.git(), "-f", first).error().kind, ErrorKind::Invalid);
}

TEST(EnsureCommit, TakesUntrackedAndDeletedFilesAndARepeatIsTheSameCommit) {
  const GitRepository repo;
  repo.write("new file", "x");
  std::filesystem::remove(repo.path() / "README");
  const CommitRequest request{.message = "task T1", .token = "run/T1/1", .branch = "main"};
  const Result<CommitOutcome> made = ensure_commit(repo.git(), request);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(made->made);
  EXPECT_EQ(repo.run({"ls-tree", "--name-only", "HEAD"}), "new file");
  EXPECT_EQ(ensure_commit(repo.git(), request)->commit, made->commit);
  EXPECT_TRUE(ensure_commit(repo.git(), request)->made);
  EXPECT_FALSE(ensure_commit(repo.git(), {.message = "x", .token = "run/T2/1"})->made);
  EXPECT_EQ(repo.run({"log", "-1", "--format=%(trailers:key=Reprise-Token,valueonly)"}), "run/T1/1");
}

TEST(EnsureCommit, WithoutAConfiguredIdentityItIsReprise) {
  const GitRepository repo;
  ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  repo.write("a", "a");
  EXPECT_TRUE(ensure_commit(repo.git(), {.message = "m", .token = "t"}).has_value());
  ::unsetenv("GIT_CONFIG_GLOBAL");
  ::unsetenv("GIT_CONFIG_NOSYSTEM");
  EXPECT_EQ(repo.run({"log", "-1", "--format=%an <%ae> %cn <%ce>"}),
            "Reprise <reprise@localhost> Reprise <reprise@localhost>");
}

TEST(EnsureCommit, RefusesInTheMiddleOfAMergeAndOnAnotherBranch) {
  const GitRepository repo;
  repo.run({"branch", "side"});
  repo.write("README", "ours\n");
  repo.commit("ours");
  repo.run({"switch", "-q", "side"});
  repo.write("README", "theirs\n");
  repo.commit("theirs");
  EXPECT_EQ(ensure_commit(repo.git(), {.message = "m", .token = "t", .branch = "main"}).error().kind,
            ErrorKind::Conflict);
  EXPECT_FALSE(repo.try_run({"merge", "main"}));
  EXPECT_EQ(ensure_commit(repo.git(), {.message = "m", .token = "t"}).error().kind, ErrorKind::Conflict);
  repo.run({"merge", "--abort"});
  repo.run({"switch", "-q", "--detach"});
  EXPECT_EQ(ensure_commit(repo.git(), {.message = "m", .token = "t", .branch = "side"}).error().kind,
            ErrorKind::Conflict);
}

TEST(EnsureCommit, ARepositoryOrWorktreeInsideIsLeftOutAndNamed) {
  const GitRepository repo;
  const GitRepository inner(repo.path() / "odd [x]*");
  repo.run({"worktree", "add", "-q", "tasks/T1"});
  const CommitRequest request{.message = "m", .token = "t"};
  const Result<CommitOutcome> none = ensure_commit(repo.git(), request);
  ASSERT_TRUE(none.has_value()) << none.error().message;
  EXPECT_FALSE(none->made);
  repo.write("a", "a");
  repo.write("tasks/b", "b");
  const Result<CommitOutcome> made = ensure_commit(repo.git(), request);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(made->made);
  EXPECT_EQ(made->left_out, (std::vector<std::string>{"odd [x]*", "tasks/T1"}));
  EXPECT_EQ(repo.run({"ls-tree", "-r", "--name-only", "HEAD"}), "README\na\ntasks/b");
  EXPECT_EQ(inner.read("README"), "first\n");
}

TEST(EnsureCommit, ChangesInsideASubmoduleAloneMakeNoEmptyCommit) {
  const GitRepository repo;
  const GitRepository inner(repo.outside() / "inner");
  repo.run({"submodule", "--quiet", "add", inner.path().string(), "inner"});
  const std::string head = repo.commit("submodule");
  repo.write("inner/README", "changed inside\n");
  const Result<CommitOutcome> made = ensure_commit(repo.git(), {.message = "m", .token = "t"});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->commit, head);
  EXPECT_FALSE(made->made);
}

TEST(EnsureMerge, FastForwardUpdatesTheCheckoutAndARepeatIsDone) {
  const GitRepository repo;
  repo.run({"switch", "-q", "-c", "side"});
  repo.write("a", "a");
  const std::string side = repo.commit("side");
  repo.run({"switch", "-q", "main"});
  const Result<MergeOutcome> merged = ensure_merge(repo.git(), {.branch = "main", .source = side});
  ASSERT_TRUE(merged.has_value()) << merged.error().message;
  EXPECT_EQ(merged->kind, Kind::FastForward);
  EXPECT_EQ(repo.read("a"), "a");
  EXPECT_EQ(repo.run({"status", "--porcelain"}), "");
  EXPECT_EQ(repo.id_of("main"), side);
  EXPECT_EQ(ensure_merge(repo.git(), {.branch = "main", .source = side})->kind, Kind::AlreadyThere);
}

TEST(EnsureMerge, DivergedBranchesAreMergedCheckedOutOrNot) {
  const GitRepository repo;
  repo.run({"branch", "other"});
  repo.run({"switch", "-q", "-c", "side"});
  repo.write("a", "a");
  const std::string side = repo.commit("side");
  repo.run({"switch", "-q", "main"});
  repo.write("b", "b");
  repo.commit("main");
  repo.run({"update-ref", "refs/heads/other", "main"});
  for (const char* branch : {"main", "other"}) {
    const Result<MergeOutcome> merged =
        ensure_merge(repo.git(), {.branch = branch, .source = side, .message = "merge side"});
    ASSERT_TRUE(merged.has_value()) << merged.error().message;
    EXPECT_EQ(merged->kind, Kind::Merged);
    EXPECT_EQ(repo.run({"ls-tree", "--name-only", branch}), "README\na\nb");
    EXPECT_EQ(repo.run({"log", "-1", "--format=%s", branch}), "merge side");
  }
  EXPECT_EQ(repo.run({"status", "--porcelain"}), "");
}

TEST(EnsureMerge, ConflictsAreNamedWithBothSidesAndNothingHasChanged) {
  const GitRepository repo;
  repo.run({"switch", "-q", "-c", "side"});
  repo.write("README", "theirs\n");
  const std::string side = repo.commit("side");
  repo.run({"switch", "-q", "main"});
  repo.write("README", "ours\n");
  const std::string main = repo.commit("main");
  const Result<MergeOutcome> merged = ensure_merge(repo.git(), {.branch = "main", .source = side});
  ASSERT_TRUE(merged.has_value()) << merged.error().message;
  EXPECT_EQ(merged->kind, Kind::Conflicts);
  ASSERT_EQ(merged->conflicts.size(), 1u);
  EXPECT_EQ(merged->conflicts[0].path, "README");
  EXPECT_EQ(repo.run({"cat-file", "blob", merged->conflicts[0].ours}), "ours");
  EXPECT_EQ(repo.run({"cat-file", "blob", merged->conflicts[0].theirs}), "theirs");
  EXPECT_EQ(repo.id_of("main"), main);
  EXPECT_EQ(repo.read("README"), "ours\n");
}

TEST(EnsureMerge, R5_OverADirtyTargetItStopsAndNothingIsLost) {
  const GitRepository repo;
  repo.run({"switch", "-q", "-c", "side"});
  repo.write("README", "theirs\n");
  repo.write("new", "theirs\n");
  const std::string side = repo.commit("side");
  repo.run({"switch", "-q", "main"});
  repo.write("README", "not committed\n");
  const Result<MergeOutcome> dirty = ensure_merge(repo.git(), {.branch = "main", .source = side});
  EXPECT_EQ(dirty.error().kind, ErrorKind::Conflict);
  EXPECT_NE(dirty.error().message.find("README"), std::string::npos);
  EXPECT_EQ(repo.read("README"), "not committed\n");
  repo.write("README", "first\n");
  repo.write("new", "untracked\n");
  const Result<MergeOutcome> in_the_way = ensure_merge(repo.git(), {.branch = "main", .source = side});
  EXPECT_EQ(in_the_way.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(repo.read("new"), "untracked\n");
  EXPECT_EQ(repo.read("README"), "first\n");
  EXPECT_FALSE(read_tree_move(repo.git())->has_value());
  std::filesystem::remove(repo.path() / "new");
  EXPECT_EQ(ensure_merge(repo.git(), {.branch = "main", .source = side})->kind, Kind::FastForward);
}

TEST(EnsureMerge, AMissingBranchIsNamed) {
  const GitRepository repo;
  const Result<MergeOutcome> merged =
      ensure_merge(repo.git(), {.branch = "nowhere", .source = repo.id_of("HEAD")});
  EXPECT_EQ(merged.error().kind, ErrorKind::NotFound);
}

// A move that was cut off is carried on, but not over what somebody wrote since.
TEST(TreeMove, IsCarriedOnUnlessAFileWasChangedSince) {
  const GitRepository repo;
  const std::string first = repo.id_of("HEAD");
  repo.run({"switch", "-q", "-c", "side"});
  repo.write("README", "second version of it\n");
  repo.write("new", "new\n");
  const std::string side = repo.commit("side");
  repo.run({"switch", "-q", "main"});
  ASSERT_TRUE(write_tree_move(repo.git(), {.from = first, .to = side, .branch = "main"}).has_value());
  repo.write("README", "the person's\n");
  const Result<MergeOutcome> refused = ensure_merge(repo.git(), {.branch = "main", .source = side});
  EXPECT_EQ(refused.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(repo.read("README"), "the person's\n");
  repo.write("README", "second ver");  // as git leaves it when it is killed while writing
  const Result<MergeOutcome> done = ensure_merge(repo.git(), {.branch = "main", .source = side});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(repo.read("README"), "second version of it\n");
  EXPECT_EQ(repo.run({"status", "--porcelain"}), "");
  EXPECT_EQ(repo.id_of("main"), side);
}

TEST(JoinCommits, SeveralHeadsBecomeOneCommitThatIsTheSameWheneverItIsAsked) {
  const GitRepository repo;
  std::vector<std::string> heads = {repo.id_of("HEAD")};
  for (const std::string name : {"a", "b", "c"}) {
    repo.run({"switch", "-q", "-c", name, "main"});
    repo.write(name, name);
    heads.push_back(repo.commit(name));
  }
  const Result<JoinOutcome> joined = join_commits(repo.git(), heads, "start of lane");
  ASSERT_TRUE(joined.has_value()) << joined.error().message;
  EXPECT_EQ(repo.run({"ls-tree", "--name-only", joined->commit}), "README\na\nb\nc");
  EXPECT_EQ(join_commits(repo.git(), heads, "start of lane")->commit, joined->commit);
  EXPECT_EQ(join_commits(repo.git(), {heads[0], heads[1]}, "x")->commit, heads[1]);
  repo.run({"switch", "-q", "-c", "d", "main"});
  repo.write("a", "another");
  heads.push_back(repo.commit("d"));
  EXPECT_EQ(join_commits(repo.git(), heads, "x")->conflicts.size(), 1u);
}

TEST(EnsurePush, OnceNeverByForceAndAnUnreachableRemoteIsTold) {
  const GitRepository repo;
  const GitRepository remote(repo.outside() / "remote", GitRepository::Kind::Bare);
  repo.run({"remote", "add", "origin", remote.path().string()});
  const std::string head = repo.id_of("HEAD");
  const PushRequest request{.remote = "origin", .branch = "main", .commit = head};
  ASSERT_TRUE(ensure_push(repo.git(), request).has_value());
  EXPECT_TRUE(ensure_push(repo.git(), request).has_value());
  EXPECT_EQ(remote.id_of("main"), head);
  repo.run({"commit", "-q", "--amend", "--allow-empty", "-m", "other"});
  EXPECT_EQ(ensure_push(repo.git(), {"origin", "main", repo.id_of("HEAD")}).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(remote.id_of("main"), head);
  repo.run({"remote", "set-url", "origin", "http://127.0.0.1:1/x.git"});
  EXPECT_EQ(ensure_push(repo.git(), request).error().kind, ErrorKind::Unavailable);
}

}  // namespace
}  // namespace reprise
