// What a gate shows includes whether it may be executed.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

// A gate that shows `shown`, and a step that leaves a mark once the gate is approved.
void set_up_gate(const World& world, const std::string& shown) {
  world.write("tools/deploy.sh", "echo deployed\n");
  world.write("tools/notes.txt", "notes\n");
  world.workflow("ship", "stages:\n  ok: {gate: {ask: 'Ship it?', shows: [" + shown +
                             "]}}\n  go: {needs: ok, run: 'echo x >>ran.txt'}\n");
}

TEST(Modes, L9_ApprovalDoesNotCoverAFileThatBecameExecutable) {
  for (const char* shown : {"tools/deploy.sh", "tools"}) {
    SCOPED_TRACE(shown);
    const World world;
    set_up_gate(world, shown);
    ASSERT_EQ(world.reprise({"run", "ship", "v1"}).exit, 3);
    ASSERT_EQ(world.reprise({"approve", "ship/v1", "ok"}).exit, 0);
    ASSERT_EQ(world.shell("chmod +x tools/deploy.sh").exit, 0);
    const Ended resumed = world.reprise({"resume", "ship/v1", "--yes"});
    EXPECT_EQ(resumed.exit, 3) << resumed.out << resumed.err;
    EXPECT_FALSE(world.has("ran.txt"));
    const Ended inbox = world.reprise({"inbox"});
    EXPECT_TRUE(contains(inbox.out, "executable now")) << inbox.out;
    EXPECT_EQ(world.reprise({"approve", "ship/v1", "ok"}).exit, 0);
    EXPECT_EQ(world.reprise({"resume", "ship/v1", "--yes"}).exit, 0);
    EXPECT_TRUE(world.has("ran.txt"));
  }
}

TEST(Modes, L9_OpenGateIsNotApprovedAfterAFileBecameExecutable) {
  const World world;
  set_up_gate(world, "tools/deploy.sh");
  ASSERT_EQ(world.reprise({"run", "ship", "v1"}).exit, 3);
  ASSERT_EQ(world.shell("chmod +x tools/deploy.sh").exit, 0);
  EXPECT_NE(world.reprise({"approve", "ship/v1", "ok"}).exit, 0);
  EXPECT_FALSE(contains(world.reprise({"events", "ship/v1", "--json"}).out, "gate_decided"));
  EXPECT_EQ(world.reprise({"approve", "ship/v1", "ok"}).exit, 0) << "it was shown again";
}

TEST(Modes, L9_OtherChangesOfTheModeKeepTheApproval) {
  const World world;
  set_up_gate(world, "tools/deploy.sh");
  ASSERT_EQ(world.reprise({"run", "ship", "v1"}).exit, 3);
  ASSERT_EQ(world.reprise({"approve", "ship/v1", "ok"}).exit, 0);
  ASSERT_EQ(world.shell("chmod go-r tools/deploy.sh; touch tools/deploy.sh").exit, 0);
  EXPECT_EQ(world.reprise({"resume", "ship/v1", "--yes"}).exit, 0);
  EXPECT_TRUE(world.has("ran.txt"));
}

}  // namespace
}  // namespace reprise::cli_test
