// Temporary files of dead and of living writers.

#include "os/leftovers.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/entropy.h"

namespace reprise {
namespace {

class LeftoversTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprise-leftovers-" + SystemEntropy().hex(12));
    ASSERT_TRUE(files_.make_directories(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  PosixFileSystem files_;
  std::filesystem::path folder_;
};

TEST_F(LeftoversTest, TemporaryFileIsALeftoverOnceItsWriterWasKilled) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    const Result<TemporaryFile> made = create_temporary(folder_);
    static_cast<void>(::write(ready[1], made ? "y" : "n", 1));
    for (;;) ::pause();
  }
  char made = 0;
  ASSERT_EQ(::read(ready[0], &made, 1), 1);
  EXPECT_EQ(made, 'y');
  EXPECT_TRUE(find_leftovers(folder_).empty());
  EXPECT_TRUE(remove_leftovers(folder_).empty());
  ASSERT_TRUE(files_.replace(folder_ / "a", "new"));
  EXPECT_EQ(files_.list(folder_)->size(), 2u) << "the file of the living writer is still there";
  ASSERT_EQ(::kill(writer, SIGKILL), 0);
  ASSERT_EQ(::waitpid(writer, nullptr, 0), writer);
  EXPECT_EQ(find_leftovers(folder_).size(), 1u);
  ASSERT_TRUE(files_.replace(folder_ / "a", "newer"));
  EXPECT_EQ(*files_.list(folder_), std::vector<std::string>{"a"});
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(LeftoversTest, OnlyNamesOfTemporaryFilesCount) {
  for (const char* name : {".reprise-notes.tmp", ".reprise-.tmp", "reprise-00.tmp", ".reprise-00.tmp.md"})
    ASSERT_TRUE(files_.write_scratch(folder_ / name, "mine"));
  ASSERT_TRUE(files_.make_directories(folder_ / ".reprise-00.tmp"));
  std::filesystem::create_symlink("reprise-00.tmp", folder_ / ".reprise-01.tmp");
  EXPECT_TRUE(remove_leftovers(folder_).empty());
  EXPECT_EQ(files_.list(folder_)->size(), 6u);
}

TEST_F(LeftoversTest, MissingFolderHasNone) { EXPECT_TRUE(remove_leftovers(folder_ / "missing").empty()); }

}  // namespace
}  // namespace reprise
