// The real file system behind its port, and the locks.

#include "os/file_system.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "os/entropy.h"

namespace reprise {
namespace {

class FileSystemTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprise-files-" + SystemEntropy().hex(12));
    ASSERT_TRUE(files_.make_directories(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  mode_t mode_of(const std::filesystem::path& path) const {
    struct stat info{};
    EXPECT_EQ(::lstat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }
  PosixFileSystem files_;
  std::filesystem::path folder_;
};

TEST_F(FileSystemTest, WhatWasReplacedIsRead) {
  const std::string bytes("a\0b\n\xff", 5);
  ASSERT_TRUE(files_.replace(folder_ / "a", bytes));
  EXPECT_EQ(*files_.read(folder_ / "a", 5), bytes);
  EXPECT_EQ(mode_of(folder_ / "a"), 0600u);
  EXPECT_EQ(files_.read(folder_ / "a", 4).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(files_.read(folder_ / "b", 4).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(*files_.read_part(folder_ / "a", 1, 2), bytes.substr(1, 2));
  EXPECT_EQ(*files_.read_part(folder_ / "a", 3, 100), bytes.substr(3));
  EXPECT_EQ(*files_.read_part(folder_ / "a", 9, 100), "");
}

TEST_F(FileSystemTest, ReplacingKeepsTheModeAndLeavesNothingElse) {
  ASSERT_TRUE(files_.replace(folder_ / "a", "old"));
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 0644), 0);
  ASSERT_TRUE(files_.replace(folder_ / "a", "new"));
  EXPECT_EQ(mode_of(folder_ / "a"), 0644u);
  EXPECT_EQ(*files_.list(folder_), std::vector<std::string>{"a"});
}

TEST_F(FileSystemTest, AFailedReplacementLeavesTheOldContentAndNoTemporary) {
  ASSERT_TRUE(files_.replace(folder_ / "a", "old"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1'000;  // the disk is full after 1,000 bytes
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<void> replaced = files_.replace(folder_ / "a", std::string(5'000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(replaced);
  EXPECT_EQ(*files_.read(folder_ / "a", 100), "old");
  EXPECT_EQ(*files_.list(folder_), std::vector<std::string>{"a"});
}

TEST_F(FileSystemTest, ReplacingAFolderFailsAndLeavesNoTemporary) {
  ASSERT_TRUE(files_.make_directories(folder_ / "a"));
  EXPECT_FALSE(files_.replace(folder_ / "a", "x"));
  EXPECT_EQ(*files_.list(folder_), std::vector<std::string>{"a"});
}

TEST_F(FileSystemTest, TheSignatureChangesWithTheContent) {
  ASSERT_TRUE(files_.replace(folder_ / "a", "one"));
  const FileInfo first = **files_.stat(folder_ / "a");
  EXPECT_EQ(first.size, 3);
  EXPECT_EQ(first.type, FileType::Regular);
  ASSERT_TRUE(files_.replace(folder_ / "a", "two"));
  EXPECT_NE((*files_.stat(folder_ / "a"))->signature, first.signature);
  EXPECT_EQ((*files_.stat(folder_))->type, FileType::Directory);
  EXPECT_FALSE(*files_.stat(folder_ / "none"));
}

TEST_F(FileSystemTest, APipeInPlaceOfAFileDoesNotBlock) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(files_.read(folder_ / "pipe", 10).error().kind, ErrorKind::Invalid);
}

TEST_F(FileSystemTest, FoldersAreMadePrivateAndListedSorted) {
  ASSERT_TRUE(files_.make_directories(folder_ / "x/y/z"));
  ASSERT_TRUE(files_.make_directories(folder_ / "x/y/z"));
  EXPECT_EQ(mode_of(folder_ / "x/y"), 0700u);
  ASSERT_TRUE(files_.write_scratch(folder_ / "x/b", "1"));
  ASSERT_TRUE(files_.write_scratch(folder_ / "x/a", "2"));
  EXPECT_EQ(*files_.list(folder_ / "x"), (std::vector<std::string>{"a", "b", "y"}));
  EXPECT_EQ(files_.list(folder_ / "none")->size(), 0u);
  EXPECT_FALSE(files_.make_directories(folder_ / "x/a/c"));
}

TEST_F(FileSystemTest, RemovingATreeDoesNotFollowLinks) {
  ASSERT_TRUE(files_.make_directories(folder_ / "tree/deep/er"));
  ASSERT_TRUE(files_.make_directories(folder_ / "other"));
  ASSERT_TRUE(files_.write_scratch(folder_ / "other/kept", "x"));
  ASSERT_TRUE(files_.write_scratch(folder_ / "tree/deep/file", "x"));
  std::filesystem::create_symlink(folder_ / "other", folder_ / "tree/deep/link");
  ASSERT_TRUE(files_.remove_tree(folder_ / "tree"));
  EXPECT_FALSE(*files_.stat(folder_ / "tree"));
  EXPECT_TRUE(*files_.stat(folder_ / "other/kept"));
  std::filesystem::create_symlink(folder_ / "other", folder_ / "link");
  ASSERT_TRUE(files_.remove_tree(folder_ / "link"));
  EXPECT_TRUE(*files_.stat(folder_ / "other/kept"));
  EXPECT_TRUE(files_.remove_tree(folder_ / "none"));
  EXPECT_TRUE(files_.remove(folder_ / "none"));
}

// Asks in another process, as the kernel lets a process have its own lock twice under other rules.
bool can_lock_elsewhere(const std::filesystem::path& path, std::int64_t offset) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<std::optional<FileLock>> lock = FileLock::try_lock(path, offset);
    ::_exit(lock && *lock ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(FileSystemTest, ALockIsOnOneByteAndGoesWithItsOwner) {
  const std::filesystem::path path = folder_ / "lock";
  {
    Result<std::optional<FileLock>> lock = FileLock::try_lock(path, 3);
    ASSERT_TRUE(lock && *lock);
    EXPECT_FALSE(can_lock_elsewhere(path, 3));
    EXPECT_TRUE(can_lock_elsewhere(path, 4));
    ASSERT_TRUE(files_.read(path, 100));  // closing another descriptor of the file must not drop the lock
    EXPECT_FALSE(can_lock_elsewhere(path, 3));
    EXPECT_FALSE(*FileLock::try_lock(path, 3));
  }
  EXPECT_TRUE(can_lock_elsewhere(path, 3));
  EXPECT_TRUE(FileLock::lock(path, 3));
}

TEST_F(FileSystemTest, ALockIsGoneWhenItsProcessIsKilled) {
  const std::filesystem::path path = folder_ / "lock";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<std::optional<FileLock>> lock = FileLock::try_lock(path, 0);
    static_cast<void>(::write(ends[1], lock && *lock ? "y" : "n", 1));
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ends[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(*FileLock::try_lock(path, 0));
  ::kill(child, SIGKILL);
  EXPECT_TRUE(FileLock::lock(path, 0));
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(FileSystemTest, ALocalFolderIsNotANetworkFileSystem) {
  EXPECT_FALSE(*is_network_file_system(folder_));
  EXPECT_FALSE(is_network_file_system(folder_ / "none"));
}

}  // namespace
}  // namespace reprise
