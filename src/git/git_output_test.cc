// What git prints, read back: odd names, cut-off output, trouble with remotes.

#include "git/git_output.h"

#include <gtest/gtest.h>

#include "testing/git_repository.h"

namespace reprise {
namespace {

TEST(GitOutput, StatusGivesOddNamesAsTheyAre) {
  const GitRepository repo;
  const std::string odd = "a b\t\"ü\n-x";
  repo.write(odd, "1");
  repo.write("tracked " + odd, "1");
  repo.run({"add", "tracked " + odd});
  repo.write("README", "changed");
  const TreeStatus status = status_of(repo.git()).value();
  EXPECT_EQ(status.untracked, std::vector<std::string>{odd});
  ASSERT_EQ(status.changed.size(), 2u);
  EXPECT_EQ(status.changed[0].path, "README");
  EXPECT_EQ(status.changed[0].code, ".M");
  EXPECT_EQ(status.changed[1].path, "tracked " + odd);
  EXPECT_FALSE(status.is_clean());
}

TEST(GitOutput, WorktreesAreListedWithBranchLockAndDetachment) {
  const GitRepository repo;
  repo.run({"worktree", "add", "-q", "-b", "x", "w x"});
  repo.run({"worktree", "add", "-q", "--detach", "d"});
  repo.run({"worktree", "lock", "--reason", "because", "d"});
  const std::vector<WorktreeEntry> all = list_worktrees(repo.git()).value();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].branch, "main");
  for (const WorktreeEntry& entry : all) {
    const bool is_detached = entry.path == repo.path() / "d";
    EXPECT_EQ(entry.branch.has_value(), !is_detached);
    EXPECT_EQ(entry.is_locked, is_detached);
    EXPECT_EQ(entry.head, repo.id_of("main"));
  }
}

// A renamed entry, an unmerged one and an ignored one, and every way to cut them off.
TEST(GitOutput, CutOffOutputIsReadAsFarAsItGoes) {
  const std::string zero(40, '0');
  const std::string whole = "2 R. N... 100644 100644 100644 " + zero + " " + zero + " R100 new name" + '\0' +
                            "old name" + '\0' + "u UU N... 1 2 3 4 " + zero + " " + zero + " " + zero +
                            " both ways" + '\0' + "! ignored" + '\0';
  const TreeStatus status = parse_status(whole);
  ASSERT_EQ(status.changed.size(), 1u);
  EXPECT_EQ(status.changed[0].path, "new name");
  EXPECT_EQ(status.conflicted, std::vector<std::string>{"both ways"});
  EXPECT_EQ(status.ignored, std::vector<std::string>{"ignored"});
  int cuts = 0;
  for (std::size_t i = 0; i <= whole.size(); ++i, ++cuts) {
    const std::string cut = whole.substr(0, i);
    EXPECT_LE(parse_status(cut).changed.size(), 1u);
    EXPECT_LE(parse_merge_tree(cut).conflicts.size(), whole.size());
    EXPECT_TRUE(parse_worktree_list(cut).empty());
  }
  EXPECT_GT(cuts, 200);
}

TEST(GitOutput, TroubleWithARemoteIsOneOfFourKinds) {
  EXPECT_EQ(remote_trouble("fatal: unable to access 'x': Could not resolve host: x"), ErrorKind::Unavailable);
  EXPECT_EQ(remote_trouble("fatal: Could not read from remote repository."), ErrorKind::Unavailable);
  EXPECT_EQ(remote_trouble("fatal: unable to access 'x': The requested URL returned error: 403"),
            ErrorKind::Denied);
  EXPECT_EQ(remote_trouble("git@x: Permission denied (publickey).\nfatal: Could not read from remote repository."),
            ErrorKind::Denied);
  EXPECT_EQ(remote_trouble(" ! [rejected] a -> a (non-fast-forward)"), ErrorKind::Conflict);
  EXPECT_EQ(remote_trouble("fatal: something else"), ErrorKind::Io);
}

}  // namespace
}  // namespace reprise
