// Git's surroundings: what our calls see, and what they never see.

#include "git/git.h"

#include <gtest/gtest.h>

#include <fstream>

#include "testing/temporary_folder.h"

namespace reprise {
namespace {

TEST(Git, ARepositoryIsFoundFromAnyFolderInIt) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "repo/sub");
  EXPECT_EQ(Git::open(folder.path() / "repo/sub").error().kind, ErrorKind::NotFound);
  std::system(("git init -q " + (folder.path() / "repo").string()).c_str());
  const Result<Git> git = Git::open(folder.path() / "repo/sub");
  ASSERT_TRUE(git.has_value()) << git.error().message;
  EXPECT_EQ(git->top(), folder.path() / "repo");
  EXPECT_EQ(git->common_dir(), folder.path() / "repo/.git");
  EXPECT_EQ(git->git_dir(), git->common_dir());
  EXPECT_EQ(git->commit_of("HEAD").value(), std::nullopt);
}

TEST(Git, ABareRepositoryHasNoWorktree) {
  const TemporaryFolder folder;
  std::system(("git init -q --bare " + folder.path().string()).c_str());
  const Result<Git> git = Git::open(folder.path());
  ASSERT_TRUE(git.has_value()) << git.error().message;
  EXPECT_TRUE(git->is_bare());
}

TEST(Git, HooksAndTheSurroundingsIndexAreNotSeen) {
  const TemporaryFolder folder;
  std::system(("git init -q " + folder.path().string()).c_str());
  std::ofstream(folder.path() / ".git/hooks/pre-commit") << "#!/bin/sh\nexit 1\n";
  std::filesystem::permissions(folder.path() / ".git/hooks/pre-commit", std::filesystem::perms::owner_all);
  ::setenv("GIT_INDEX_FILE", "/nowhere/index", 1);
  const Git git = Git::open(folder.path()).value();
  const GitAnswer made =
      git.run({"-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"}).value();
  ::unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(made.exit_code, 0) << made.errors;
}

TEST(Git, BranchNamesAreNeverOptionsPathsOrExpressions) {
  for (const char* good : {"main", "lane/P1/SL-1", "a.b/c_d", "v1.2"}) EXPECT_TRUE(is_branch_name(good)) << good;
  for (const char* bad : {"",       "-x",       "a/-x", "a//b", "/a", "a/",  ".a",    "a/.b", "a..b", "a.",
                          "a.lock", "a.lock/b", "a b",  "a~1",  "a^", "a:b", "@{-1}", "ü",    "a\nb", "a*"}) {
    EXPECT_FALSE(is_branch_name(bad)) << bad;
  }
  EXPECT_FALSE(is_branch_name(std::string(201, 'a')));
}

}  // namespace
}  // namespace reprise
