// Processes: nothing that a worker started outlives its end unseen, whatever the machine offers or lacks.

#include <gtest/gtest.h>
#include <signal.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

// An old kernel, or a sandbox.
const std::string kHarsh = REPRISE_HARSH_EXEC_PATH " -s pidfd_open -s pidfd_send_signal -s clone3 -- ";

bool is_running(const std::string& pid) {
  const std::string stat = slurp("/proc/" + pid + "/stat");
  return !stat.empty() && stat.find(") Z") == std::string::npos;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The guard of the only run: whoever has the tag of this run and no parent with it is its worker; its parent is
// the guard.
std::string guard_of(const World& world, const std::string& worker) {
  return first_line(world.shell("ps -o ppid= -p " + worker + " | tr -d ' '").out);
}

// Kills runner and guard in the middle of a step, resumes, and says whether `survivor` is dead afterwards.
void expect_no_survivor(World& world, const std::string& wrapper, const std::string& step) {
  world.workflow("w", "stages:\n  a: {run: '" + step + "'}\n");
  const Ended begun =
      world.shell(wrapper +
                  "reprise run w x >first.txt 2>&1 & echo $! >runner; disown; "
                  "i=0; until [ -s child ] && [ -s leader ] || [ $((i += 1)) -gt 600 ]; do sleep 0.05; done");
  ASSERT_EQ(begun.exit, 0) << begun.err;
  const std::string child = first_line(world.read("child"));
  const std::string guard = guard_of(world, first_line(world.read("leader")));
  ASSERT_TRUE(is_running(child));
  ASSERT_EQ(world.shell("kill -9 " + first_line(world.read("runner")) + " " + guard).exit, 0);
  ASSERT_TRUE(World::wait_until([&] { return !is_running(guard); }));
  ASSERT_TRUE(is_running(child)) << "it was to outlive its guard";
  world.write("go", "");
  const Ended resumed = world.shell(wrapper + "reprise resume w/x --yes");
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_FALSE(is_running(child)) << "two copies worked at the same time";
  world.shell("kill -9 " + child);
}

// The worker's child has an emptied environment; the worker itself waits for it.
constexpr const char* kEmptied =
    "if [ -e go ]; then exit 0; fi; env -i /bin/sh -c \"echo \\$\\$ >child; exec sleep 100\" & echo $$ >leader; "
    "wait";
// The worker itself has an emptied environment.
constexpr const char* kEmptiedLeader =
    "if [ -e go ]; then exit 0; fi; exec env -i /bin/sh -c \"echo \\$\\$ >leader; sleep 100 & echo \\$! >child; "
    "wait\"";

TEST(Processes, E09_EmptiedChildDoesNotOutliveAKilledGuard) {
  World world;
  expect_no_survivor(world, "", kEmptied);
}

TEST(Processes, E09_EmptiedWorkerDoesNotOutliveAKilledGuard) {
  World world;
  expect_no_survivor(world, "", kEmptiedLeader);
}

TEST(Processes, E31_WithoutProcessDescriptorsSurvivorsAreEnded) {
  World world;
  expect_no_survivor(world, kHarsh, kEmptied);
}

TEST(Processes, E31_WithoutProcessDescriptorsAWorkerIsStoppedAndWaitedFor) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: '(setsid sleep 100 & echo $! >child); sleep 100', timeout: 300ms}\n");
  const Ended ran = world.shell(kHarsh + "reprise run w x");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_FALSE(is_running(first_line(world.read("child"))));
}

// A program that closes its streams before it ends is waited for all the same.
TEST(Processes, E31_CapturedProgramThatClosesItsStreamsEnds) {
  const World world;
  world.workflow("w",
                 "stages:\n  a: {run: 'echo x >out', produces: [{path: out, complete: {run: [/bin/sh, -c, 'exec "
                 ">&- 2>&-; sleep "
                 "0.3; touch looked']}}]}\n");
  const Ended ran = world.shell("timeout 25 " + kHarsh + "reprise run w x");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(world.has("looked"));
}

TEST(Processes, E31_DoctorNamesWhatIsMissing) {
  const World world;
  const Ended ended = world.shell(kHarsh + "reprise doctor");
  EXPECT_EQ(ended.exit, 0) << ended.out;
  EXPECT_NE(ended.out.find("this system has no pidfd_open, pidfd_send_signal"), std::string::npos) << ended.out;
  EXPECT_EQ(world.reprise({"doctor"}).out.find("this system has no"), std::string::npos);
}

TEST(Processes, L5_ShortageOfDescriptorsIsNotAFailure) {
  const World world;
  std::string stages;
  for (int i = 0; i < 40; ++i) stages += "  s" + std::to_string(i) + ": {run: ['sleep', '0.3']}\n";
  world.workflow("w", "limits: {parallel: 40}\nstages:\n" + stages);
  const Ended ran = world.shell("ulimit -Sn 48; ulimit -Hn 48; reprise run w x");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.err.find("failed"), std::string::npos) << ran.err;
}

// A process that forks and exits all the time, in a session of its own each time and without an environment.
class Hopping : public testing::TestWithParam<int> {};

TEST_P(Hopping, L10_ForkingProcessDoesNotOutliveItsWorker) {
  constexpr std::size_t kHops = 3'000;
  const World world;
  world.workflow("w", "stages:\n  a: {run: '" REPRISE_HOP_PATH " " + std::to_string(kHops) + " " +
                          std::to_string(GetParam()) + "; until [ -s hops ]; do sleep 0.01; done'}\n");
  const Ended ran = world.reprise({"run", "w", "x"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const std::size_t hops = world.read("hops").size();
  EXPECT_GT(hops, 0u) << "nothing hopped";
  ASSERT_LT(hops, kHops) << "it was not ended, it ended by itself";
  world.shell("sleep 0.2");
  EXPECT_EQ(world.read("hops").size(), hops) << "it hops on after its step was recorded";
}

INSTANTIATE_TEST_SUITE_P(Microseconds, Hopping, testing::Values(5'000, 2'000, 1'000, 500, 300));

TEST(Processes, L3_AStoppedGuardIsNamedWithTheRemedy) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'echo $$ >leader; until [ -e go ]; do sleep 0.02; done'}\n");
  const std::unique_ptr<Background> run = world.start({"run", "w", "x"});
  ASSERT_TRUE(World::wait_until([&] { return !world.read("leader").empty(); }));
  const std::string guard = guard_of(world, first_line(world.read("leader")));
  run->signal(SIGKILL);
  run->end();
  ASSERT_EQ(world.shell("kill -STOP " + guard).exit, 0);
  const Ended plan = world.reprise({"plan", "w/x"});
  EXPECT_EQ(plan.exit, 5) << plan.err;
  EXPECT_TRUE(contains(plan.err, "process " + guard + " is stopped")) << plan.err;
  EXPECT_TRUE(contains(plan.err, "kill -CONT " + guard)) << plan.err;
  world.write("go", "");
  ASSERT_EQ(world.shell("kill -CONT " + guard).exit, 0);
  EXPECT_EQ(world.reprise({"resume", "w/x", "--yes"}).exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
