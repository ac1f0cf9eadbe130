// The exit log, cut at every byte (G2).

#include "guard/exit_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "os/entropy.h"

namespace reprise {
namespace {

class ExitLogTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprise-log-" + SystemEntropy().hex(12));
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "exits.log";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static ExitRecord record(int number) {
    ExitRecord record;
    record.attempt = "step \"" + std::to_string(number) + "\"#1";
    record.exit_code = number;
    record.duration_ms = 17;
    record.ended_at = {1'763'200'800'123};
    return record;
  }
  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(std::string_view bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

TEST_F(ExitLogTest, EveryFieldComesBack) {
  ExitRecord full;
  full.attempt = "a#1";
  full.signal = 9;
  full.timed_out = full.stopped = true;
  full.start_error = "no \xff program";
  full.duration_ms = 1;
  full.stdout_bytes = 2;
  full.stderr_bytes = 3;
  full.ended_at = {4};
  Result<ExitLog> log = ExitLog::open(path_);
  ASSERT_TRUE(log && log->append(std::array{full}));
  const std::optional<ExitRecord> read = *ExitLog::look(path_, "a#1");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->exit_code, std::nullopt);
  EXPECT_EQ(read->signal, 9);
  EXPECT_TRUE(read->timed_out && read->stopped);
  EXPECT_EQ(read->start_error, full.start_error);
  EXPECT_EQ(read->duration_ms, 1);
  EXPECT_EQ(read->stdout_bytes, 2);
  EXPECT_EQ(read->stderr_bytes, 3);
  EXPECT_EQ(read->ended_at.ms, 4);
}

TEST_F(ExitLogTest, G2_CutAtEveryByteOnlyWholeLinesCountAndTheNextGuardGoesOn) {
  {
    Result<ExitLog> log = ExitLog::open(path_);
    ASSERT_TRUE(log);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(log->append(std::array{record(i)}));
  }
  const std::string whole = content();
  std::size_t rounds = 0;
  for (std::size_t cut = 0; cut <= whole.size(); ++cut, ++rounds) {
    write(whole.substr(0, cut));
    const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut), '\n');
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(ExitLog::look(path_, record(i).attempt)->has_value(), i < lines) << "cut at " << cut;
    }
    Result<ExitLog> log = ExitLog::open(path_);
    ASSERT_TRUE(log);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(log->find(record(i).attempt)->has_value(), i < lines) << "cut at " << cut;
    }
    ASSERT_TRUE(log->append(std::array{record(7)}));
    ASSERT_EQ((*log->find(record(7).attempt))->exit_code, 7);
    ASSERT_EQ((*ExitLog::look(path_, record(7).attempt))->exit_code, 7);
    const std::string now = content();
    ASSERT_EQ(std::count(now.begin(), now.end(), '\n'), lines + 1);
  }
  EXPECT_EQ(rounds, whole.size() + 1);
}

TEST_F(ExitLogTest, ALongLogIsSearchedFromItsEnd) {
  Result<ExitLog> log = ExitLog::open(path_);
  ASSERT_TRUE(log);
  std::vector<ExitRecord> records;
  for (int i = 0; i < 20'000; ++i) records.push_back(record(i));
  ASSERT_TRUE(log->append(records));
  for (const int i : {0, 1, 10'000, 19'999}) {
    EXPECT_EQ((*ExitLog::look(path_, record(i).attempt))->exit_code, i);
    EXPECT_EQ((*log->find(record(i).attempt))->exit_code, i);
  }
  EXPECT_FALSE(*ExitLog::look(path_, "another"));
}

TEST_F(ExitLogTest, ALogThatIsNotThereIsEmpty) { EXPECT_FALSE(*ExitLog::look(path_, "a#1")); }

TEST_F(ExitLogTest, LinesThatAreNotRecordsArePassedOver) {
  write("garbage\n{\"attempt\":\"a#1\"}\n[]\n\n");
  Result<ExitLog> log = ExitLog::open(path_);
  ASSERT_TRUE(log && log->append(std::array{record(1)}));
  EXPECT_FALSE(*ExitLog::look(path_, "a#1"));
  EXPECT_TRUE(*ExitLog::look(path_, record(1).attempt));
}

}  // namespace
}  // namespace reprise
