// What is kept of a stream: all of it, or head, marker and tail (G4).

#include "guard/output_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "os/entropy.h"

namespace reprise {
namespace {

std::string output_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string numbered_text(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + "\n";
  text.resize(bytes);
  return text;
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprise-output-" + SystemEntropy().hex(12));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string kept(std::string_view text, std::int64_t bytes_max, std::size_t piece) const {
    OutputFile file(folder_ / "out", bytes_max);
    for (std::size_t i = 0; i < text.size(); i += piece) file.take(text.substr(i, piece), {});
    file.finish();
    EXPECT_EQ(file.printed(), static_cast<std::int64_t>(text.size()));
    return output_of(folder_ / "out");
  }
  std::filesystem::path folder_;
};

TEST_F(OutputFileTest, NothingPrintedMakesNoFile) {
  OutputFile file(folder_ / "out", 100);
  file.finish();
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(OutputFileTest, P22_EveryLengthIsKeptWholeOrAsHeadMarkerAndTail) {
  constexpr std::int64_t kMax = 400;
  constexpr std::size_t kHead = 100, kTail = 236;
  const std::string all = numbered_text(1'000);
  int rounds = 0;
  for (std::size_t length = 1; length <= all.size(); ++length, ++rounds) {
    const std::string text = all.substr(0, length);
    const std::string got = kept(text, kMax, 37);
    ASSERT_LE(got.size(), static_cast<std::size_t>(kMax)) << length;
    if (length <= kHead + kTail) {
      ASSERT_EQ(got, text);
    } else {
      ASSERT_EQ(got, text.substr(0, kHead) + "\n… " + std::to_string(length - kHead - kTail) +
                         " bytes left out …\n" + text.substr(length - kTail));
    }
  }
  EXPECT_EQ(rounds, 1'000);
}

TEST_F(OutputFileTest, HowItArrivesDoesNotMatter) {
  const std::string text = numbered_text(5'000);
  const std::string whole = kept(text, 1'000, text.size());
  for (const std::size_t piece : {1u, 7u, 250u, 686u, 687u, 4'999u}) EXPECT_EQ(kept(text, 1'000, piece), whole);
}

TEST_F(OutputFileTest, AFolderThatCannotBeMadeDoesNotStopTheDraining) {
  std::ofstream(folder_) << "a file is in the way";
  OutputFile file(folder_ / "out", 100);
  file.take("text", {});
  file.finish();
  EXPECT_EQ(file.printed(), 4);
}

TEST_F(OutputFileTest, ALinkInTheWayIsNotFollowed) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "other") << "untouched";
  std::filesystem::create_symlink(folder_ / "other", folder_ / "out");
  OutputFile file(folder_ / "out", 100);
  file.take("text", {});
  file.finish();
  EXPECT_EQ(output_of(folder_ / "other"), "untouched");
}

}  // namespace
}  // namespace reprise
