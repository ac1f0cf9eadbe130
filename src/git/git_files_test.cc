// What git's files say without git: pointers of worktrees, HEAD, loose and packed branches.

#include "git/git_files.h"

#include <gtest/gtest.h>

#include "testing/git_repository.h"

namespace reprise {
namespace {

TEST(GitFiles, HeadNamesTheBranchOfEachWorktree) {
  const GitRepository repo;
  PosixFileSystem files;
  repo.run({"worktree", "add", "-q", "-b", "a/b", "w"});
  repo.run({"worktree", "add", "-q", "--detach", "d"});
  const auto branch_in = [&](const std::filesystem::path& folder) {
    return read_head_branch(files, read_git_directory(files, folder / ".git").value());
  };
  EXPECT_EQ(branch_in(repo.path()), "main");
  EXPECT_EQ(branch_in(repo.path() / "w"), "a/b");
  EXPECT_EQ(branch_in(repo.path() / "d"), "");
  EXPECT_EQ(branch_in(repo.path() / "nothing"), "");
}

TEST(GitFiles, BranchesAreFoundLooseAndPacked) {
  const GitRepository repo;
  PosixFileSystem files;
  repo.run({"branch", "a/b"});
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(has_branch(files, repo.git().common_dir(), "main"));
    EXPECT_TRUE(has_branch(files, repo.git().common_dir(), "a/b"));
    for (const char* none : {"", "a", "b", "/b", "../heads/main", "a/b/c"})
      EXPECT_FALSE(has_branch(files, repo.git().common_dir(), none)) << none;
    repo.run({"pack-refs", "--all"});
  }
}

TEST(GitFiles, AFileThatPointsNowhereIsCorrupt) {
  const GitRepository repo;
  PosixFileSystem files;
  repo.write("odd", "not a pointer\n");
  EXPECT_EQ(read_git_directory(files, repo.path() / "odd").error().kind, ErrorKind::Corrupt);
}

}  // namespace
}  // namespace reprise
