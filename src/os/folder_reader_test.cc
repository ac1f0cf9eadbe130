#include "os/folder_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/entropy.h"
#include "os/machine.h"

namespace reprise {
namespace {

using Answer = FolderReader::Answer;

class FolderReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprise-folder-" + SystemEntropy().hex(12));
    ASSERT_TRUE(files_.make_directories(folder_ / "in" / "a"));
    ASSERT_TRUE(files_.replace(folder_ / "in" / "a" / "file", "inside"));
    ASSERT_TRUE(files_.replace(folder_ / "secret", "outside"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void link(const std::string& target, const std::string& name) const {
    ASSERT_EQ(::symlink(target.c_str(), (folder_ / "in" / name).c_str()), 0);
  }
  Answer read(const std::string& path, std::size_t bytes_max = 100) {
    return FolderReader(folder_ / "in").read(path, bytes_max, file_);
  }

  PosixFileSystem files_;
  std::filesystem::path folder_;
  FolderReader::File file_;
};

TEST_F(FolderReaderTest, AFileIsReadWithItsTime) {
  EXPECT_EQ(read("a/file"), Answer::Read);
  EXPECT_EQ(file_.bytes, "inside");
  EXPECT_EQ(file_.modified, files_.stat(folder_ / "in/a/file").value()->modified);
  ASSERT_TRUE(files_.replace(folder_ / "in/empty", ""));
  EXPECT_EQ(read("empty"), Answer::Read);
  EXPECT_EQ(file_.bytes, "");
}

TEST_F(FolderReaderTest, WhatIsNotThereIsMissing) {
  for (const char* path : {"b", "a/b", "b/file", "a/file/x"}) EXPECT_EQ(read(path), Answer::Missing) << path;
  link("nowhere", "dangling");
  EXPECT_EQ(read("dangling"), Answer::Unclear) << "somebody put it there";
}

TEST_F(FolderReaderTest, LinksAreFollowedInsideAndNeverOut) {
  link("a/file", "near");
  link("../secret", "out");
  link("..", "up");
  link((folder_ / "secret").string(), "absolute");
  link("/proc/self/root", "magic");
  EXPECT_EQ(read("near"), Answer::Read);
  EXPECT_EQ(file_.bytes, "inside");
  file_.bytes = "untouched";
  int refused = 0;
  for (const char* path : {"out", "up/secret", "absolute", "../secret", "a/../../secret", "magic/etc/passwd"}) {
    EXPECT_EQ(read(path), Answer::Unclear) << path;
    ++refused;
  }
  EXPECT_EQ(read((folder_ / "secret").string()), Answer::Unclear) << "an absolute path";
  EXPECT_EQ(read("../nothing"), Answer::Missing);
  EXPECT_EQ(refused, 6);
  EXPECT_EQ(file_.bytes, "untouched");
}

TEST_F(FolderReaderTest, WhatCannotSimplyBeReadIsLeftToTheCaller) {
  EXPECT_EQ(read("a"), Answer::Unclear) << "a folder";
  EXPECT_EQ(read("a/file", 5), Answer::Unclear) << "too long";
  EXPECT_EQ(read("a/file", 6), Answer::Read);
  EXPECT_EQ(read(std::string("a\0b", 3)), Answer::Unclear);
  ASSERT_EQ(::mkfifo((folder_ / "in/pipe").c_str(), 0600), 0);
  EXPECT_EQ(read("pipe"), Answer::Unclear) << "and does not wait for a writer";
  EXPECT_EQ(FolderReader(folder_ / "none").read("file", 100, file_), Answer::Unclear);
  if (own_user() == 0) return;  // root may read everything
  ASSERT_EQ(::chmod((folder_ / "in/a/file").c_str(), 0), 0);
  EXPECT_EQ(read("a/file"), Answer::Unclear);
}

}  // namespace
}  // namespace reprise
