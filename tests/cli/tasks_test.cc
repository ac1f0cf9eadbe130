// A task list under many writers: no id is given twice, no task is lost, whoever writes at the same time.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

#include "testing/strength.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr int kTaskWriters = 8;

int tasks_each() { return by_strength(15, 30, 100); }

TEST(Tasks, TP01_EightWritersGiveNoIdTwiceAndLoseNoTask) {
  const World world;
  std::string script = "export CLAUDE_CONFIG_DIR=$PWD/config; reprise task create --list l --subject first\n";
  for (int writer = 0; writer < kTaskWriters; ++writer) {
    script += "(i=0; while [ $i -lt " + std::to_string(tasks_each()) +
              " ]; do i=$((i+1)); reprise task create --list l --blocked-by 1 --subject w" +
              std::to_string(writer) + "-$i || exit 1; done; echo ended >ended" + std::to_string(writer) + ") &\n";
  }
  const Ended ended = world.shell(script + "wait\n");
  EXPECT_EQ(ended.exit, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  std::set<std::string> ids;
  int printed = 0;
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line); ++printed) ids.insert(line);
  const int expected = kTaskWriters * tasks_each() + 1;
  EXPECT_EQ(printed, expected);
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(expected));
  int files = 0;
  for (const std::string& id : ids) files += world.has("config/tasks/l/" + id + ".json") ? 1 : 0;
  EXPECT_EQ(files, expected);
  for (int writer = 0; writer < kTaskWriters; ++writer)
    EXPECT_TRUE(world.has("ended" + std::to_string(writer))) << "writer " << writer << " gave up";
  const std::string first = world.read("config/tasks/l/1.json");
  for (const std::string& id : ids) {
    EXPECT_NE(first.find("\"" + id + "\""), std::string::npos) << id;
  }
  std::cout << kTaskWriters << " writers, " << files << " tasks, none lost\n";
}

}  // namespace
}  // namespace reprise::cli_test
