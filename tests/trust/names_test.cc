// Names: an id that is printed addresses the run that it is printed for.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kNeedsFile = "stages:\n  a: {run: 'true'}\n  b: {needs: a, run: 'test -e ready'}\n";

// The first run of f/x has failed, and f/x@2, its fork, is done.
class Forked : public testing::Test {
 protected:
  Forked() {
    world_.workflow("f", kNeedsFile);
    world_.reprise({"run", "f", "x"});
    world_.reprise({"fork", "f/x", "--from", "b"});
    world_.write("ready", "");
    world_.reprise({"resume", "f/x@2", "--yes"});
  }
  World world_;
};

TEST_F(Forked, DB2_DeskAndScanPrintTheNumberOfTheFirstRun) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{}, {"scan"}, {"status"}}) {
    const Ended ended = world_.reprise(words);
    EXPECT_TRUE(contains(ended.out, "f/x@1")) << ended.out;
    EXPECT_FALSE(contains(ended.out, "f/x ") || contains(ended.out, "f/x\n")) << ended.out;
  }
}

TEST_F(Forked, DB2_PrintedResumeCommandResumesTheFirstRun) {
  const Ended desk = world_.reprise({});
  const std::size_t at = desk.out.find("reprise resume ");
  ASSERT_NE(at, std::string::npos) << desk.out;
  EXPECT_EQ(world_.shell(desk.out.substr(at, desk.out.find('\n', at) - at) + " --yes").exit, 0);
  EXPECT_TRUE(contains(world_.reprise({"status", "f/x@1"}).out, "f/x@1  done"));
  EXPECT_FALSE(contains(world_.reprise({}).out, "f/x@1"));
}

TEST_F(Forked, DB2_BareResumeResumesTheFirstRun) {
  EXPECT_EQ(world_.reprise({"resume", "--yes"}).exit, 0);
  EXPECT_TRUE(contains(world_.reprise({"status", "x@1"}).out, "f/x@1  done"));
}

TEST_F(Forked, DB2_CommandsReachEachRunByItsNumber) {
  EXPECT_TRUE(contains(world_.reprise({"status", "x@2"}).out, "f/x@2  done"));
  EXPECT_EQ(world_.reprise({"cancel", "x@1", "--because", "the fork did it"}).exit, 0);
  EXPECT_TRUE(contains(world_.reprise({"status", "f/x@1"}).out, "f/x@1  stopped"));
  EXPECT_TRUE(contains(world_.reprise({"status", "f/x@2"}).out, "f/x@2  done"));
  EXPECT_EQ(world_.reprise({"status", "f/x@3"}).exit, 2);
}

TEST_F(Forked, DB2_PlainIdMeansTheNewestRunAndNamesTheOpenOne) {
  const Ended resumed = world_.reprise({"resume", "f/x", "--yes"});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "reprise resume f/x@1")) << resumed.err;
  const Ended cancelled = world_.reprise({"cancel", "f/x"});
  EXPECT_EQ(cancelled.exit, 2);
  EXPECT_TRUE(contains(cancelled.err, "run f/x@2 is done")) << cancelled.err;
}

TEST_F(Forked, DB2_IdsInJsonAddressTheRunTheyWerePrintedFor) {
  const std::string all = world_.reprise({"status", "--json"}).out;
  for (const std::string id : {"f/x@1", "f/x@2"}) {
    EXPECT_TRUE(contains(all, "\"id\":\"" + id + "\"")) << all;
    EXPECT_TRUE(contains(world_.reprise({"status", id, "--json"}).out, "\"id\":\"" + id + "\""));
    EXPECT_TRUE(contains(world_.reprise({"plan", id, "--json"}).out, "\"id\":\"" + id + "\""));
    EXPECT_TRUE(contains(world_.reprise({"events", id, "--json"}).out, "\"run\":\"" + id + "\""));
  }
}

TEST(Names, DB2_OnlyRunIsPrintedWithoutANumberAndFoundWithIt) {
  const World world;
  world.workflow("f", kNeedsFile);
  world.reprise({"run", "f", "x"});
  EXPECT_TRUE(contains(world.reprise({"status", "f/x@1"}).out, "f/x  failed"));
}

TEST(Names, DB2_UndoRestoresAnArchivedFirstRunByItsNumber) {
  const World world;
  world.workflow("f", kNeedsFile);
  world.reprise({"run", "f", "x"});
  world.reprise({"fork", "f/x", "--from", "b"});
  world.reprise({"cancel", "f/x@2"});
  ASSERT_EQ(world.reprise({"fresh", "f/x@1", "--yes"}).exit, 0);
  EXPECT_FALSE(contains(world.reprise({"status"}).out, "f/x@1"));
  const Ended undone = world.reprise({"undo", "f/x@1", "--yes"});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_TRUE(contains(undone.err, "reprise plan f/x@1")) << undone.err;
  EXPECT_TRUE(contains(world.reprise({"status"}).out, "f/x@1"));
}

TEST(Names, C02_NumberNeverMeansALongerOne) {
  const World world;
  world.workflow("f", kNeedsFile);
  world.reprise({"run", "f", "1.10"});
  for (const char* command : {"cancel", "log", "plan", "resume", "status"}) {
    for (const char* id : {"f/1.1", "f/1", "1.1"}) {
      const Ended ended = world.reprise({command, id});
      EXPECT_EQ(ended.exit, 2) << command << " " << id << ": " << ended.out << ended.err;
    }
  }
  EXPECT_TRUE(contains(world.reprise({"status", "1.10"}).out, "f/1.10  failed"));
}

TEST(Names, C02_FoundWorkWithTheExactIdComesBeforeARunWithThatPrefix) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: ['false']}}\n");
  world.reprise({"run", "playbook", "001-login-b", "--input", "description=x"});
  ASSERT_EQ(world
                .shell("mkdir specs/001-login && sed s/001-login-b/001-login/ "
                       "<specs/001-login-b/.pipeline-state.md >specs/001-login/.pipeline-state.md")
                .exit,
            0);
  const Ended planned = world.reprise({"plan", "playbook/001-login", "--json"});
  EXPECT_TRUE(contains(planned.out, "\"id\":\"playbook/001-login\"")) << planned.out << planned.err;
}

}  // namespace
}  // namespace reprise::cli_test
