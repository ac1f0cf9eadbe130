// Files that others edit, with real editors' habits and real descriptors.

#include "os/shared_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "os/file_system.h"
#include "testing/temporary_folder.h"

namespace reprise {
namespace {

class SharedFile : public testing::Test {
 protected:
  std::string content(const std::filesystem::path& path) { return files_.read(path, 1 << 20).value_or("(none)"); }

  TemporaryFolder folder_;
  PosixFileSystem files_;
  std::filesystem::path file_ = folder_.path() / "state.md";
};

TEST_F(SharedFile, WhatIsNotThereIsSaidToBeSo) {
  const SharedContent seen = read_shared(file_, 100).value();
  EXPECT_FALSE(seen.exists);
  EXPECT_TRUE(seen.settled);
}

TEST_F(SharedFile, AFileThatSomebodyWritesIsNotRead) {
  ASSERT_TRUE(files_.replace(file_, "whole"));
  const int writer = ::open(file_.c_str(), O_WRONLY | O_TRUNC);
  ASSERT_GE(writer, 0);
  ASSERT_EQ(::write(writer, "ha", 2), 2);
  EXPECT_FALSE(read_shared(file_, 100).value().settled);
  ASSERT_EQ(::write(writer, "lf", 2), 2);
  ::close(writer);
  const SharedContent seen = read_shared(file_, 100).value();
  EXPECT_TRUE(seen.settled);
  EXPECT_EQ(seen.bytes, "half");
}

TEST_F(SharedFile, AWriterIsNotKeptWaiting) {
  ASSERT_TRUE(files_.replace(file_, "a"));
  ASSERT_TRUE(read_shared(file_, 100).value().settled);
  const int writer = ::open(file_.c_str(), O_WRONLY | O_NONBLOCK);  // would say EWOULDBLOCK under a lease
  EXPECT_GE(writer, 0);
  ::close(writer);
}

TEST_F(SharedFile, WhatWasThereIsLeftBesideWhoeverWroteIt) {
  ASSERT_TRUE(replace_shared(file_, "first"));
  EXPECT_EQ(content(file_), "first");
  EXPECT_EQ(content(displaced_name(file_)), "(none)");
  ASSERT_TRUE(files_.replace(file_, "an editor's"));  // renames a new file over it
  ASSERT_TRUE(replace_shared(file_, "second"));
  EXPECT_EQ(content(file_), "second");
  EXPECT_EQ(content(displaced_name(file_)), "an editor's");
}

TEST_F(SharedFile, ALateWriterWritesIntoWhatWasDisplacedAndIsSeenThere) {
  ASSERT_TRUE(replace_shared(file_, "first"));
  const int writer = ::open(file_.c_str(), O_WRONLY | O_TRUNC);
  ASSERT_TRUE(replace_shared(file_, "second"));
  EXPECT_FALSE(read_shared(displaced_name(file_), 100).value().settled);
  ASSERT_EQ(::write(writer, "edited", 6), 6);
  ::close(writer);
  EXPECT_EQ(read_shared(displaced_name(file_), 100).value().bytes, "edited");
  EXPECT_EQ(content(file_), "second");
}

TEST_F(SharedFile, SL06_AReaderSeesTheWholeOldOrTheWholeNewFile) {
  const std::string old(20'000, 'a');
  const std::string fresh(30'000, 'b');
  ASSERT_TRUE(replace_shared(file_, old));
  std::atomic<bool> is_over = false;
  std::atomic<int> readings = 0;
  std::atomic<int> mixed = 0;
  std::thread reader([&] {
    while (!is_over) {
      const std::string seen = content(file_);
      mixed += seen != old && seen != fresh ? 1 : 0;
      ++readings;
    }
  });
  for (int round = 0; round < 200; ++round) {
    EXPECT_TRUE(replace_shared(file_, round % 2 == 0 ? fresh : old));
    EXPECT_TRUE(files_.remove(displaced_name(file_)));
  }
  is_over = true;
  reader.join();
  EXPECT_GT(readings, 10);
  EXPECT_EQ(mixed, 0);
}

TEST_F(SharedFile, F4_WhatWasDisplacedIsNotOverwrittenByTheNextReplacement) {
  ASSERT_TRUE(replace_shared(file_, "first"));
  const int writer = ::open(file_.c_str(), O_WRONLY | O_TRUNC);
  ASSERT_TRUE(replace_shared(file_, "second"));
  ASSERT_TRUE(replace_shared(file_, "third"));
  ASSERT_EQ(::write(writer, "edited", 6), 6);
  ::close(writer);
  std::vector<std::string> beside;
  for (const std::filesystem::path& path : displaced_files(file_)) beside.push_back(content(path));
  EXPECT_EQ(beside, (std::vector<std::string>{"edited", "second"}));
  EXPECT_EQ(content(file_), "third");
}

TEST_F(SharedFile, NothingHalfMadeIsLeft) {
  ASSERT_TRUE(replace_shared(file_, "first"));
  ASSERT_TRUE(files_.replace(folder_.path() / ".state.md.reprise-new", "ha"));  // as if it had been cut off
  ASSERT_TRUE(discard_unfinished(file_));
  ASSERT_TRUE(discard_unfinished(file_));
  int left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++left;
  EXPECT_EQ(left, 1);
}

TEST_F(SharedFile, AModeIsKept) {
  ASSERT_TRUE(replace_shared(file_, "first"));
  ASSERT_EQ(::chmod(file_.c_str(), 0660), 0);
  ASSERT_TRUE(replace_shared(file_, "second"));
  EXPECT_EQ(std::filesystem::status(file_).permissions(), std::filesystem::perms(0660));
}

TEST_F(SharedFile, WhatIsTooLongIsRefused) {
  ASSERT_TRUE(files_.replace(file_, "12345"));
  EXPECT_EQ(read_shared(file_, 4).error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace reprise
