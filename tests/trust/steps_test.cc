// What is said of steps, loops and limits: nothing is done that never ran, nothing is granted without a word.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kReview =
    "stages:\n"
    "  review: {role: r, prompt: 'Verdict pass or fail.'}\n"
    "  deploy: {needs: review, when: {review: pass}, run: 'echo deployed >deployed.txt'}\n"
    "  rework: {needs: review, when: {review: fail}, run: 'echo rework >rework.txt'}\n";

void configure(const World& world, const std::string& worker) {
  world.write(".reprise/config.yaml", "workers: {default: {run: '" + worker + "'}}\n");
}

std::string giving(const std::string& verdict) {
  return "printf \"{\\\"verdict\\\": \\\"" + verdict + "\\\"}\" >$REPRISE_RESULT";
}

TEST(Steps, DB1_StepWhoseConditionIsNotMetIsNotDone) {
  const World world;
  world.workflow("v", kReview);
  configure(world, giving("pass"));
  ASSERT_EQ(world.reprise({"run", "v", "1"}).exit, 0);
  const std::string status = world.reprise({"status", "v/1"}).out;
  EXPECT_TRUE(contains(status, "2 done, 1 not needed")) << status;
  EXPECT_TRUE(contains(status, "not needed  rework: when review is fail; review gave \"pass\"")) << status;
  const std::string json = world.reprise({"status", "v/1", "--json"}).out;
  EXPECT_TRUE(contains(json, "\"not_needed\":1")) << json;
  EXPECT_TRUE(contains(json, "\"status\":\"not_needed\"")) << json;
  const std::string why = world.reprise({"why", "v/1", "rework"}).out;
  EXPECT_TRUE(contains(why, "when review is fail; review gave \"pass\"")) << why;
}

TEST(Steps, DB1_SkippedStepIsNotDone) {
  const World world;
  world.workflow("s", "stages:\n  a: {run: 'false'}\n  b: {run: 'true', needs: a}\n");
  ASSERT_EQ(world.reprise({"run", "s", "1"}).exit, 1);
  ASSERT_EQ(world.reprise({"skip", "s/1", "a", "--because", "known"}).exit, 0);
  ASSERT_EQ(world.reprise({"resume", "s/1", "--yes"}).exit, 0);
  const std::string status = world.reprise({"status", "s/1"}).out;
  EXPECT_TRUE(contains(status, "1 done, 1 skipped")) << status;
}

TEST(Steps, DB1_VerdictThatNoBranchKnowsIsAFailure) {
  for (const std::string& worker : {std::string("echo I think it passes"), giving("PASS")}) {
    const World world;
    world.workflow("v", kReview);
    configure(world, worker);
    const Ended run = world.reprise({"run", "v", "1"});
    EXPECT_EQ(run.exit, 1) << run.out << run.err;
    EXPECT_TRUE(contains(run.err, "fail or pass")) << run.err;
    const std::string status = world.reprise({"status", "v/1"}).out;
    EXPECT_TRUE(contains(status, "failed      review")) << status;
    EXPECT_FALSE(contains(status, "done        deploy")) << status;
  }
}

TEST(Steps, DB1_OneBranchWithoutAVerdictIsWarnedAbout) {
  const World world;
  world.workflow("v",
                 "stages:\n  review: {role: r}\n  deploy: {needs: review, when: {review: pass}, run: 'true'}\n");
  configure(world, "echo done");
  const Ended run = world.reprise({"run", "v", "1"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_TRUE(contains(run.err, "warning: deploy did not run: when review is pass; review gave no verdict"))
      << run.err;
}

TEST(Steps, DW4_RunAtItsCostLimitWaits) {
  const World world;
  world.workflow(
      "cost",
      "limits: {cost_usd: 1}\nstages:\n  a: {role: r}\n  b: {role: r, needs: a}\n  c: {role: r, needs: b}\n");
  configure(world, "printf \"{\\\"status\\\":\\\"done\\\",\\\"cost\\\":{\\\"usd\\\":0.7}}\" >$REPRISE_RESULT");
  const Ended run = world.reprise({"run", "cost", "1"});
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_TRUE(contains(run.out + run.err, "spent $1.40 of $1.00")) << run.err;
  const std::string plan = world.reprise({"plan", "cost/1", "--json"}).out;
  EXPECT_TRUE(contains(plan, "\"readiness\":\"wait\"")) << plan;
  const std::string overview = world.reprise({}).out;
  EXPECT_TRUE(contains(overview, "reprise approve cost/1 cost-limit")) << overview;
}

TEST(Steps, DW5_LoopThatUsedItsRoundsSaysSoBeforeItGetsMore) {
  const World world;
  world.workflow("l",
                 "stages:\n  l:\n    repeat: {until: {verdict: pass}, max: 3}\n"
                 "    stages: {judge: {run: 'echo round >>rounds.txt'}}\n");
  ASSERT_EQ(world.reprise({"run", "l", "1"}).exit, 1);
  const std::string plan = world.reprise({"plan", "l/1"}).out;
  EXPECT_TRUE(contains(plan, "has used its 3 iterations; a resume gives it 3 more")) << plan;
  EXPECT_EQ(world.reprise({"resume", "l/1"}).exit, 3);
  const Ended all = world.reprise({"resume", "--all"});
  EXPECT_TRUE(contains(all.out, "l/1  left")) << all.out;
  EXPECT_EQ(world.read("rounds.txt"), "round\nround\nround\n");
  EXPECT_EQ(world.reprise({"resume", "l/1", "--yes"}).exit, 1);
  EXPECT_EQ(world.read("rounds.txt"), "round\nround\nround\nround\nround\nround\n");
}

TEST(Steps, DW6_OutputLimitOfTheWorkflowHolds) {
  const World world;
  world.workflow("o", "limits: {output_mb: 1}\nstages:\n  a: {run: 'seq 1 600000'}\n");
  ASSERT_EQ(world.reprise({"run", "o", "1"}).exit, 0);
  const Ended size =
      world.shell("find .git .reprise -name stdout -size +1100k | wc -l; find .git .reprise -name stdout | wc -l");
  EXPECT_EQ(size.out, "0\n1\n");
}

// Returns a worker that runs `line` and says that it made `made`.
std::string making(const std::string& line, const std::string& made) {
  return line + "; printf \"{\\\"artifacts\\\": [\\\"" + made + "\\\"]}\" >$REPRISE_RESULT";
}

TEST(Steps, P13_ArtifactThatCannotBeReadFailsItsAttempt) {
  const std::string name(300, 'a');
  const std::pair<std::string, std::string> cases[] = {
      {making("true", name), "File name too long"},
      {making("mkdir -p $(printf \"d/%.0s\" $(seq 70))", "d"), "nested more than 64 folders deep"}};
  for (const auto& [worker, reason] : cases) {
    const World world;
    world.workflow("w", "stages:\n  a: {role: r, prompt: x}\n  b: {run: 'sleep 1; touch b.txt'}\n");
    configure(world, worker);
    const Ended run = world.reprise({"run", "w", "1"});
    EXPECT_EQ(run.exit, 1) << run.err;
    EXPECT_TRUE(world.has("b.txt")) << "other steps continue";
    const std::string status = world.reprise({"status", "w/1", "--verbose"}).out;
    EXPECT_TRUE(contains(status, reason)) << status;
    configure(world, "true");
    EXPECT_EQ(world.reprise({"retry", "w/1", "a"}).exit, 0);
    EXPECT_EQ(world.reprise({"resume", "w/1", "--yes"}).exit, 0);
  }
}

TEST(Steps, P13_ArtifactWithLoopsAndPipesInItIsRecorded) {
  for (const std::string line :
       {"mkdir d; ln -s . d/x; ln -s . d/y", "mkdir d; ln -s x d/x", "mkdir d; mkfifo d/x",
        "mkdir d e; ln -s ../e d/x; ln -s ../d e/x", "ln -s d d"}) {
    const World world;
    world.workflow("w", "stages:\n  a: {role: r, prompt: x}\n  b: {needs: a, run: 'true'}\n");
    configure(world, making(line, "d"));
    const Ended run = world.reprise({"run", "w", "1"});
    EXPECT_EQ(run.exit, 0) << line << "\n" << run.err;
  }
}

TEST(Steps, P13_ProductThatCannotBeReadIsAFailureAndAnInputIsNot) {
  const World world;
  const std::string deep = "mkdir -p $(printf \"d/%.0s\" $(seq 70))";
  world.workflow("w",
                 "stages:\n  a: {run: '" + deep + "', produces: d}\n  b: {run: 'touch b.txt', inputs: [e]}\n");
  world.shell("mkdir -p e/$(printf 'd/%.0s' $(seq 70))");
  const Ended run = world.reprise({"run", "w", "1"});
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_TRUE(world.has("b.txt"));
  world.shell("rm -r d e");
  world.workflow("w", "stages:\n  a: {run: 'echo x >d', produces: d}\n  b: {run: 'touch b.txt', inputs: [e]}\n");
  EXPECT_EQ(world.reprise({"resume", "w/1", "--yes"}).exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
