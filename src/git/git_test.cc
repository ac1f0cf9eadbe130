// Git's surroundings: what our calls see, and what they never see.

#include "git/git.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "git/ensure.h"
#include "git/git_output.h"
#include "testing/git_repository.h"

namespace reprise {
namespace {

TEST(Git, ARepositoryIsFoundFromAnyFolderInIt) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "repo/sub");
  EXPECT_EQ(Git::open(folder.path() / "repo/sub").error().kind, ErrorKind::NotFound);
  const GitRepository repo(folder.path() / "repo", GitRepository::Kind::Unborn);
  const Result<Git> git = Git::open(folder.path() / "repo/sub");
  ASSERT_TRUE(git.has_value()) << git.error().message;
  EXPECT_EQ(git->top(), folder.path() / "repo");
  EXPECT_EQ(git->common_dir(), folder.path() / "repo/.git");
  EXPECT_EQ(git->git_dir(), git->common_dir());
  EXPECT_EQ(git->commit_of("HEAD").value(), std::nullopt);
}

TEST(Git, ABareRepositoryHasNoWorktree) {
  const GitRepository repo(GitRepository::Kind::Bare);
  const Result<Git> git = Git::open(repo.path());
  ASSERT_TRUE(git.has_value()) << git.error().message;
  EXPECT_TRUE(git->is_bare());
}

TEST(Git, HooksAndTheSurroundingsIndexAreNotSeen) {
  const GitRepository repo;
  repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
  std::filesystem::permissions(repo.path() / ".git/hooks/pre-commit", std::filesystem::perms::owner_all);
  const Git git = repo.git();
  ::setenv("GIT_INDEX_FILE", "/nowhere/index", 1);
  const GitAnswer made =
      git.run({"-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"}).value();
  ::unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(made.exit_code, 0) << made.errors;
}

TEST(Git, BranchNamesAreNeverOptionsPathsOrExpressions) {
  for (const char* good : {"main", "lane/P1/SL-1", "a.b/c_d", "v1.2"}) EXPECT_TRUE(is_branch_name(good)) << good;
  for (const char* bad : {"HEAD",   "",         "-x",  "a/-x", "a//b", "/a",  "a/",    ".a", "a/.b", "a..b", "a.",
                          "a.lock", "a.lock/b", "a b", "a~1",  "a^",   "a:b", "@{-1}", "ü",  "a\nb", "a*"}) {
    EXPECT_FALSE(is_branch_name(bad)) << bad;
  }
  EXPECT_FALSE(is_branch_name(std::string(201, 'a')));
}

// What a git prints whose pipe failed: nothing, with exit code 0.
TEST(GitAnswers, L6_EmptyAnswerIsAnError) {
  const GitRepository repo;
  repo.write("a", "a");
  ASSERT_TRUE(ensure_commit(repo.git(), {.message = "m", .token = "t"}).has_value());
  repo.write("bin/git", "#!/bin/sh\nexit 0\n");
  std::filesystem::permissions(repo.path() / "bin/git", std::filesystem::perms::owner_all);
  const Git git = repo.git();
  const std::string path = std::getenv("PATH");
  setenv("PATH", ((repo.path() / "bin").string() + ":" + path).c_str(), 1);
  EXPECT_EQ(git.commit_of("HEAD").error().kind, ErrorKind::Io);
  EXPECT_FALSE(git.branch().has_value());
  EXPECT_FALSE(head_of(git).has_value());
  EXPECT_FALSE(list_worktrees(git).has_value());
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(git.commit_of("HEAD").has_value());
}

}  // namespace
}  // namespace reprise
