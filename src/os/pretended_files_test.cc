#include "os/pretended_files.h"

#include <gtest/gtest.h>

#include "testing/temporary_folder.h"

namespace reprise {
namespace {

class PretendedFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(files_.replace(path("real"), "as it is"));
    ASSERT_TRUE(files_.replace(path("other"), "untouched"));
  }
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
  PretendedFiles files_;
};

TEST_F(PretendedFilesTest, AnotherContentIsReadAndTheFileStaysAsItIs) {
  const std::string before = (*files_.stat(path("real")))->signature;
  files_.pretend(path("./real"), "as it might be");
  EXPECT_EQ(files_.read(path("real"), 100).value(), "as it might be");
  EXPECT_EQ(files_.read_part(path("real"), 6, 2).value(), "mi");
  EXPECT_EQ((*files_.stat(path("real")))->size, 14);
  EXPECT_NE((*files_.stat(path("real")))->signature, before);
  EXPECT_EQ(files_.read(path("other"), 100).value(), "untouched");
  PosixFileSystem real;
  EXPECT_EQ(real.read(path("real"), 100).value(), "as it is");
  EXPECT_EQ((*real.stat(path("real")))->signature, before);
}

TEST_F(PretendedFilesTest, AFileThatIsSaidToBeGoneIsNowhere) {
  files_.pretend(path("real"), std::nullopt);
  EXPECT_EQ(files_.read(path("real"), 100).error().kind, ErrorKind::NotFound);
  EXPECT_FALSE(files_.stat(path("real")).value());
  EXPECT_EQ(files_.list(folder_.path()).value(), std::vector<std::string>{"other"});
}

TEST_F(PretendedFilesTest, AFileThatIsNotThereCanBePretended) {
  files_.pretend(path("new"), "fresh");
  EXPECT_EQ(files_.read(path("new"), 100).value(), "fresh");
  EXPECT_EQ(files_.list(folder_.path()).value(), (std::vector<std::string>{"new", "other", "real"}));
  EXPECT_FALSE(PosixFileSystem().stat(path("new")).value());
}

TEST_F(PretendedFilesTest, NothingIsWrittenWhileSomethingIsPretended) {
  files_.pretend(path("real"), "as it might be");
  EXPECT_EQ(files_.replace(path("x"), "").error().kind, ErrorKind::Denied);
  EXPECT_EQ(files_.write_scratch(path("x"), "").error().kind, ErrorKind::Denied);
  EXPECT_EQ(files_.make_directories(path("x")).error().kind, ErrorKind::Denied);
  EXPECT_EQ(files_.remove(path("other")).error().kind, ErrorKind::Denied);
  EXPECT_EQ(files_.remove_tree(folder_.path()).error().kind, ErrorKind::Denied);
  EXPECT_EQ(PosixFileSystem().list(folder_.path()).value(), (std::vector<std::string>{"other", "real"}));
}

}  // namespace
}  // namespace reprise
