// The lanes' checkpoint file under many writers: every record arrives, whoever writes at the same time.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

#include "testing/strength.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr int kWriters = 8;

int records_each() { return by_strength(40, 80, 250); }

// Counts the records of the file, and how many of them are different ones.
std::pair<int, std::size_t> count_records(const World& world) {
  std::istringstream file(world.read(".claude/ai-dev-kit/run-logs/checkpoints.json"));
  std::set<std::string> ids;
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"run_id\"") == std::string::npos) continue;
    ++count;
    ids.insert(line);
  }
  return {count, ids.size()};
}

TEST(Checkpoints, LN01_EightWritersLoseNoRecord) {
  const World world;
  std::string script;
  for (int writer = 0; writer < kWriters; ++writer) {
    script += "(i=0; while [ $i -lt " + std::to_string(records_each()) +
              " ]; do i=$((i+1)); reprise checkpoint put " + "--run-id w" + std::to_string(writer) +
              "-$i --phase P1 --lane SL-1 --stage before_lane_start --status ready || exit 1; done) &\n";
  }
  const Ended ended = world.shell(script + "wait\n");
  EXPECT_EQ(ended.exit, 0) << ended.err;
  const auto [count, different] = count_records(world);
  const int expected = kWriters * records_each();
  EXPECT_EQ(count, expected);
  EXPECT_EQ(different, static_cast<std::size_t>(expected));
  std::cout << kWriters << " writers, " << count << " records, none lost\n";
}

}  // namespace
}  // namespace reprise::cli_test
