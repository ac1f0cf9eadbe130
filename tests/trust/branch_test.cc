// A run of your own workflow works on what is checked out. If that is another branch than the one it was on, a
// plan says so and a resume asks first.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kCode = "branch_mismatch";

// A run of w that failed on the branch tides because the file ready is missing; main is the other branch.
class LeftOver : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.workflow(
        "w", "stages:\n  make: {run: 'echo made >>made.log'}\n  check: {needs: make, run: 'test -e ready'}\n");
    world_.write(".gitignore", "made.log\nready\n");
    git("config user.name Ana; git config user.email ana@example.org; git checkout -q -b main; git add -A; "
        "git commit -qm begin; git switch -qc tides");
    ASSERT_EQ(world_.reprise({"run", "w", "x", "--quiet"}).exit, 1);
    world_.write("ready", "");
  }

  void git(const std::string& words) const {
    const Ended ended = world_.shell("git " + words);
    ASSERT_EQ(ended.exit, 0) << words << "\n" << ended.err;
  }
  std::string plan() const { return world_.reprise({"plan", "w/x"}).out; }
  Ended resume() const { return world_.reprise({"resume", "w/x", "--quiet"}); }

  World world_;
};

TEST_F(LeftOver, ABranchSwitchedBeforeAResumeIsMentioned) {
  EXPECT_FALSE(contains(plan(), kCode)) << plan();
  git("switch -q main");
  const std::string shown = plan();
  EXPECT_TRUE(contains(shown, "warning: the run was on branch tides; the checkout is on main [branch_mismatch]"))
      << shown;
  EXPECT_TRUE(contains(shown, "    git switch tides\n")) << shown;
  EXPECT_TRUE(contains(shown, "1 warning")) << shown;
  const Ended asked = resume();
  EXPECT_EQ(asked.exit, 3) << asked.err;
  EXPECT_TRUE(contains(asked.err, "reprise resume w/x --yes")) << asked.err;
  EXPECT_EQ(world_.read("made.log"), "made\n");
  git("switch -q tides");
  EXPECT_FALSE(contains(plan(), kCode)) << plan();
  git("switch -q main");
  EXPECT_EQ(world_.reprise({"resume", "w/x", "--quiet", "--yes"}).exit, 0);
  EXPECT_FALSE(contains(plan(), kCode)) << plan();
}

TEST_F(LeftOver, ABranchThatWasConfirmedIsTheRunsBranchFromThenOn) {
  fs::remove(world_.root() / "ready");
  git("switch -q main");
  EXPECT_EQ(world_.reprise({"resume", "w/x", "--quiet", "--yes"}).exit, 1);
  EXPECT_FALSE(contains(plan(), kCode)) << plan();
  git("switch -q tides");
  EXPECT_TRUE(contains(plan(), "the run was on branch main; the checkout is on tides")) << plan();
}

TEST_F(LeftOver, AnAcceptedBranchIsAcceptedAndNoOther) {
  git("switch -q main");
  EXPECT_EQ(world_.reprise({"accept", "w/x", kCode, "--because", "merged"}).exit, 0);
  EXPECT_FALSE(contains(plan(), kCode)) << plan();
  git("switch -qc third");
  EXPECT_TRUE(contains(plan(), "the run was on branch tides; the checkout is on third")) << plan();
  git("switch -q main");
  EXPECT_EQ(resume().exit, 0);
}

TEST_F(LeftOver, ABranchThatIsGoneIsNotSuggested) {
  git("switch -q main; git branch -qD tides");
  const std::string shown = plan();
  EXPECT_TRUE(contains(shown, "the run was on branch tides, which no longer exists; the checkout is on main"))
      << shown;
  EXPECT_FALSE(contains(shown, "git switch")) << shown;
  EXPECT_TRUE(contains(shown, "reprise accept w/x branch_mismatch --because TEXT")) << shown;
}

TEST_F(LeftOver, APackedBranchIsABranch) {
  git("switch -q main; git pack-refs --all");
  EXPECT_TRUE(contains(plan(), "    git switch tides\n")) << plan();
}

TEST_F(LeftOver, ADetachedHeadIsNotMentioned) {
  git("switch -q --detach main");
  EXPECT_FALSE(contains(plan(), kCode)) << plan();
  EXPECT_EQ(resume().exit, 0);
}

TEST_F(LeftOver, ABranchThatAStepSwitchedToIsTheRunsOwn) {
  world_.workflow("s",
                  "stages:\n  switch: {run: 'git switch -qc work'}\n  check: {needs: switch, run: 'false'}\n");
  EXPECT_EQ(world_.reprise({"run", "s", "y", "--quiet"}).exit, 1);
  EXPECT_FALSE(contains(world_.reprise({"plan", "s/y"}).out, kCode));
  git("switch -q tides");
  EXPECT_TRUE(
      contains(world_.reprise({"plan", "s/y"}).out, "the run was on branch work; the checkout is on tides"));
}

TEST_F(LeftOver, ABranchSwitchedAfterAKillIsMentioned) {
  world_.workflow("k",
                  "stages:\n  wait: {run: 'touch began; until [ -e go ]; do sleep 0.05; done; touch over'}\n"
                  "  after: {needs: wait, run: 'true'}\n");
  world_.write(".git/info/exclude", "began\ngo\nover\n");
  {
    const std::unique_ptr<Background> run = world_.start({"run", "k", "z"});
    ASSERT_TRUE(world_.wait_for_file("began"));
    run->signal(9);
    run->end();
  }
  git("switch -q main");
  world_.write("go", "");
  ASSERT_TRUE(world_.wait_for_file("over"));
  EXPECT_TRUE(
      contains(world_.reprise({"plan", "k/z"}).out, "the run was on branch tides; the checkout is on main"));
  EXPECT_EQ(world_.reprise({"resume", "k/z", "--quiet"}).exit, 3);
  EXPECT_EQ(world_.reprise({"resume", "k/z", "--quiet", "--yes"}).exit, 0);
}

TEST_F(LeftOver, ARunThatOnlyWorksInLanesDoesNotDependOnTheBranch) {
  world_.workflow("l", "stages:\n  part:\n    lane: {base: HEAD}\n    stages:\n      check: {run: 'false'}\n");
  EXPECT_EQ(world_.reprise({"run", "l", "x", "--quiet"}).exit, 1);
  git("switch -q main");
  EXPECT_FALSE(contains(world_.reprise({"plan", "l/x"}).out, kCode));
}

TEST(LeftOverWithoutCommits, ABranchWithoutCommitsIsNotMentioned) {
  const World world;
  world.workflow("w", "stages:\n  check: {run: 'test -e ready'}\n");
  EXPECT_EQ(world.reprise({"run", "w", "x", "--quiet"}).exit, 1);
  ASSERT_EQ(world.shell("git checkout -q -b other").exit, 0);
  EXPECT_FALSE(contains(world.reprise({"plan", "w/x"}).out, kCode));
  world.write("ready", "");
  EXPECT_EQ(world.reprise({"resume", "w/x", "--quiet"}).exit, 0);
}

}  // namespace
}  // namespace reprise::cli_test
