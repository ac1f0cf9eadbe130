// People: what counts as a person's decision, who is said to have made it, and that nothing is said which did not
// happen.

#include <gtest/gtest.h>
#include <signal.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kState = "specs/001-login/.pipeline-state.md";

// Does each stage of a playbook in a moment. While it does `spec` it ticks every box of the state file.
constexpr const char* kTickingAgent =
    "d=specs/001-login; mkdir -p $d\n"
    "case $REPRISE_STAGE in\n"
    "spec) echo '# Login' >$d/feature.spec.md\n"
    "  until [ -e $d/.pipeline-state.md ]; do sleep 0.02; done\n"
    "  sed -i 's/- \\[ \\]/- [x]/' $d/.pipeline-state.md ;;\n"
    "clarify) echo '# Login, all users' >$d/feature.spec.md ;;\n"
    "*) exit 1 ;;\n"
    "esac\n";

class Playbook : public testing::Test {
 protected:
  Playbook() {
    world_.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
    world_.write("agent.sh", kTickingAgent);
    end_ = world_.reprise({"run", "playbook", "001-login", "--input", "description=x"});
  }
  World world_;
  Ended end_;
};

TEST_F(Playbook, E11_ABoxThatAWorkerTickedIsAskedAboutAndNotTaken) {
  EXPECT_EQ(end_.exit, 3) << end_.err;
  EXPECT_TRUE(contains(end_.err, "ticked before it was asked for")) << end_.err;
  const std::string events = world_.reprise({"events", "playbook/001-login", "--json"}).out;
  EXPECT_FALSE(contains(events, "gate_decided")) << events;
  EXPECT_TRUE(contains(world_.reprise({"inbox"}).out, "spec-approval"));
  for (const char* box : {"Spec approval", "Architecture sign-off", "Security sign-off"})
    EXPECT_TRUE(contains(world_.read(kState), std::string("- [ ] ") + box)) << world_.read(kState);
}

TEST_F(Playbook, E11_ABoxThatAPersonTicksWhileTheRunWaitsCounts) {
  ASSERT_EQ(end_.exit, 3) << end_.err;
  ASSERT_EQ(world_.shell(std::string("sed -i 's/- \\[ \\] Spec/- [x] Spec/' ") + kState).exit, 0);
  world_.reprise({"resume", "playbook/001-login", "--yes"});
  EXPECT_TRUE(contains(world_.reprise({"events", "playbook/001-login", "--json"}).out, "gate_decided"));
}

// The playbook waits; a worker of another run of the same project ticks the box.
TEST_F(Playbook, E11_ABoxThatAWorkerOfAnotherRunTickedIsAskedAbout) {
  ASSERT_EQ(end_.exit, 3) << end_.err;
  const std::string tick = std::string("sed -i 's/- \\[ \\] Spec/- [x] Spec/' ") + kState;
  world_.write("tick.sh", tick + "\n");
  world_.workflow("w", "stages:\n  a: {run: 'sh tick.sh'}\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 0);
  ASSERT_TRUE(contains(world_.read(kState), "- [x] Spec"));
  const Ended resumed = world_.reprise({"resume", "playbook/001-login", "--yes"});
  EXPECT_TRUE(contains(resumed.err, "a worker of run w/x was at work")) << resumed.err;
  EXPECT_FALSE(contains(world_.reprise({"events", "playbook/001-login", "--json"}).out, "gate_decided"));
  EXPECT_TRUE(contains(world_.read(kState), "- [ ] Spec")) << world_.read(kState);
  // Nobody has worked since: now it can only be a person's.
  ASSERT_EQ(world_.shell(tick).exit, 0);
  world_.reprise({"resume", "playbook/001-login", "--yes"});
  EXPECT_TRUE(contains(world_.reprise({"events", "playbook/001-login", "--json"}).out, "gate_decided"));
}

TEST_F(Playbook, E11_ABoxThatIsTickedBesideALivingWorkerIsAskedAbout) {
  ASSERT_EQ(end_.exit, 3) << end_.err;
  world_.workflow("w", "stages:\n  a: {run: 'touch started; while [ ! -e go ]; do sleep 0.02; done'}\n");
  const std::unique_ptr<Background> other = world_.start({"run", "w", "x"});
  ASSERT_TRUE(world_.wait_for_file("started"));
  world_.reprise({"resume", "playbook/001-login", "--yes"});  // the state file is written after the worker began
  ASSERT_EQ(world_.shell(std::string("sed -i 's/- \\[ \\] Spec/- [x] Spec/' ") + kState).exit, 0);
  world_.reprise({"resume", "playbook/001-login", "--yes"});
  EXPECT_FALSE(contains(world_.reprise({"events", "playbook/001-login", "--json"}).out, "gate_decided"));
  // The person decides by a command, while such a box is ticked.
  ASSERT_EQ(world_.shell(std::string("sed -i 's/- \\[ \\] Spec/- [x] Spec/' ") + kState).exit, 0);
  const Ended approved = world_.reprise({"approve", "playbook/001-login", "spec-approval"});
  EXPECT_EQ(approved.exit, 0) << approved.err;
  const std::string events = world_.reprise({"events", "playbook/001-login", "--json"}).out;
  EXPECT_FALSE(contains(events, ".pipeline-state.md line")) << events;
  world_.write("go", "");
  EXPECT_EQ(other->end(), 0);
}

// Each way in which a worker may try to look like somebody else.
TEST(People, E11_AWorkerCannotApproveWhateverItsEnvironmentSays) {
  const World world;
  world.workflow(
      "w",
      "stages:\n  ok: {gate: 'Ship it?'}\n"
      "  sly:\n    run: |\n"
      "      until reprise inbox | grep -q Ship; do sleep 0.02; done\n"
      "      env -u REPRISE_RUN reprise approve w/x ok >>tried 2>&1; echo $? >>tried\n"
      "      env -u REPRISE_RUN -u REPRISE_TAG reprise approve w/x ok >>tried 2>&1; echo $? >>tried\n"
      "      env -i PATH=\"$PATH\" HOME=\"$HOME\" sh -c 'reprise approve w/x ok; echo $?' >>tried 2>&1\n"
      "      env -i PATH=\"$PATH\" HOME=\"$HOME\" setsid -w sh -c 'reprise approve w/x ok; echo $?' >>tried "
      "2>&1\n");
  EXPECT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const std::string tried = world.read("tried");
  int refused = 0;
  for (std::size_t at = tried.find("cannot decide"); at != std::string::npos;
       at = tried.find("cannot decide", at + 1))
    ++refused;
  EXPECT_EQ(refused, 4) << tried;
  EXPECT_FALSE(contains(world.reprise({"events", "w/x", "--json"}).out, "gate_decided"));
}

// A gate, and a worker that runs `attempt`: whatever that is, it must not approve.
void expect_not_approved(const World& world, const std::string& attempt, const std::string& more = "") {
  world.write("sly.sh", "until reprise inbox | grep -q Ship; do sleep 0.02; done\n" + attempt);
  world.workflow("w",
                 "stages:\n  ok: {gate: 'Ship it?'}\n  send: {needs: ok, run: 'touch sent'}\n  sly:\n"
                 "    run: sh sly.sh\n" +
                     more);
  const Ended ran = world.reprise({"run", "w", "x"});
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_TRUE(contains(world.read("said"), "a worker cannot decide for a person")) << world.read("said");
  EXPECT_FALSE(world.has("sent"));
}

TEST(People, E11_AnOrphanOfAWorkerCannotApprove) {
  expect_not_approved(World(),
                      "env -i PATH=\"$PATH\" setsid sh -c '(setsid sh -c \"sleep 0.3; exec reprise approve w/x "
                      "ok\" >said 2>&1 &)'\nsleep 1\n");
}

TEST(People, E11_ManyLevelsDoNotHideAWorker) {
  const World world;
  world.write("deeper.sh",
              "[ $1 -gt 0 ] || { reprise approve w/x ok >said 2>&1; exit; }\n"
              "env -i PATH=\"$PATH\" sh deeper.sh $(($1 - 1)); true\n");
  expect_not_approved(world, "env -i PATH=\"$PATH\" sh deeper.sh 70\n");
}

TEST(People, E11_ACheckThatAWorkerRewroteCannotApprove) {
  expect_not_approved(World(), "echo x >out; echo 'reprise approve w/x ok >said 2>&1; true' >check.sh\n",
                      "    produces: [{path: out, complete: {run: [sh, check.sh]}}]\n");
}

// The check is over and its script has left the process tree before the gate opens.
void expect_ended_with_its_check(const std::string& left_behind) {
  const World world;
  world.write("check.sh", left_behind + "sleep 0.3\n");
  world.write("left.sh",
              "echo $$ >pid.new; mv pid.new pid\nuntil reprise approve w/x ok; do sleep 0.05; done >said 2>&1\n");
  world.workflow("w",
                 "stages:\n"
                 "  work: {run: 'echo x >out', produces: [{path: out, complete: {run: [sh, check.sh]}}]}\n"
                 "  ok: {needs: work, gate: 'Ship it?'}\n  send: {needs: ok, run: 'touch sent'}\n");
  const Ended ran = world.reprise({"run", "w", "x"});
  EXPECT_EQ(ran.exit, 3) << ran.err;
  ASSERT_TRUE(world.wait_for_file("pid"));
  const pid_t left = std::stoi(world.read("pid"));
  EXPECT_TRUE(World::wait_until([&] { return kill(left, 0) != 0; }));
  EXPECT_TRUE(contains(world.read("said"), "a worker cannot decide for a person")) << world.read("said");
  EXPECT_FALSE(contains(world.reprise({"events", "w/x", "--json"}).out, "gate_decided"));
}

TEST(People, E11_WhatACheckLeavesBehindIsEndedAndCannotApprove) {
  expect_ended_with_its_check("setsid sh -c '(sh left.sh &)' &\n");
  expect_ended_with_its_check("setsid env -i PATH=\"$PATH\" HOME=\"$HOME\" sh -c '(setsid sh left.sh &)' &\n");
}

TEST(People, L10_AVerifyCommandIsEndedWithWhatItLeavesAndCannotApprove) {
  const World world;
  world.write("verify.sh",
              "[ -e again ] || exit 0\n"
              "env -i PATH=\"$PATH\" HOME=\"$HOME\" sh -c 'reprise approve w/x ok >said 2>&1; true'\n"
              "setsid env -i PATH=\"$PATH\" sh -c '(sh left.sh &)' &\nsleep 0.3\n");
  world.write("left.sh", "echo $$ >pid.new; mv pid.new pid; exec sleep 100\n");
  world.workflow("w",
                 "stages:\n  make: {run: 'cat in >out', inputs: [in], produces: [out]}\n"
                 "  use: {needs: make, run: 'touch used', verify: 'sh verify.sh'}\n"
                 "  ok: {gate: 'Ship it?'}\n");
  world.write("in", "1\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  world.write("in", "2\n");
  world.write("again", "");
  world.reprise({"resume", "w/x", "--yes"});
  ASSERT_TRUE(world.wait_for_file("pid"));
  EXPECT_TRUE(contains(world.read("said"), "a worker cannot decide for a person")) << world.read("said");
  const pid_t left = std::stoi(world.read("pid"));
  EXPECT_TRUE(World::wait_until([&] { return kill(left, 0) != 0; }));
}

TEST(People, L10_ACheckThatCannotBeStartedIsSaidToBeSo) {
  const World world;
  world.workflow(
      "w", "stages:\n  a: {run: 'echo x >out', produces: [{path: out, complete: {run: [no-such-check]}}]}\n");
  EXPECT_EQ(world.reprise({"run", "w", "x"}).exit, 1);
  const std::string why = world.reprise({"why", "w/x", "a"}).out;
  EXPECT_TRUE(contains(why, "cannot start no-such-check: there is no such program in PATH")) << why;
}

// The runner's own git starts what a worker has put into the repository's settings, or into its remote.
constexpr const char* kCommitter = "git config user.name T; git config user.email t@example.org; ";

TEST(People, E11_AFilterThatAWorkerSetCannotApprove) {
  const World world;
  ASSERT_EQ(world.shell(std::string(kCommitter) + "git commit -q --allow-empty -m begin; git branch -M main").exit,
            0);
  const std::string sly = (world.root() / "sly.sh").string();
  world.write("sly.sh",
              "cd '" + world.root().string() + "' && timeout 5 reprise approve w/x ok >>said 2>&1\ncat\n");
  world.write("work.sh", "git config filter.f.clean 'sh " + sly + "'\ngit config filter.f.smudge 'sh " + sly +
                             "'\necho '* filter=f' >.gitattributes\necho x >x.txt\ngit add . && git commit -qm x\n"
                             "echo y >y.txt\n");
  world.workflow("w",
                 "stages:\n  part:\n    lane: {base: main}\n    publish: merge\n    stages:\n"
                 "      work: {run: 'sh " +
                     (world.root() / "work.sh").string() +
                     "'}\n"
                     "  ok: {gate: 'Ship it?'}\n  send: {needs: ok, run: 'touch sent'}\n");
  world.reprise({"run", "w", "x"});
  EXPECT_TRUE(contains(world.read("said"), "a worker cannot decide for a person")) << world.read("said");
  EXPECT_FALSE(contains(world.read("said"), "owns")) << world.read("said");
  EXPECT_FALSE(contains(world.reprise({"events", "w/x", "--json"}).out, "gate_decided"));
  EXPECT_FALSE(world.has("sent"));
  EXPECT_EQ(world.reprise({"approve", "w/x", "ok"}).exit, 0) << "a person may";
}

TEST(People, E11_AHookOfARemoteThatAWorkerWroteCannotApprove) {
  const World world;
  ASSERT_EQ(
      world
          .shell(std::string(kCommitter) +
                 "git commit -q --allow-empty -m begin; git branch -M main; git init -q --bare ../origin.git; "
                 "git remote add origin ../origin.git; git push -q origin main")
          .exit,
      0);
  world.write("../origin.git/hooks/post-receive", "#!/bin/sh\nunset GIT_DIR; cd '" + world.root().string() +
                                                      "' && timeout 5 reprise approve w/x ok >>said 2>&1\ntrue\n");
  ASSERT_EQ(world.shell("chmod +x ../origin.git/hooks/post-receive").exit, 0);
  world.workflow("w",
                 "stages:\n  part:\n    lane: {base: main}\n    publish: push\n    stages:\n"
                 "      work: {run: 'echo x >x.txt; git add . && git commit -qm x'}\n"
                 "  ok: {gate: 'Ship it?'}\n  send: {needs: ok, run: 'touch sent'}\n");
  world.reprise({"run", "w", "x"});
  EXPECT_TRUE(contains(world.read("said"), "a worker cannot decide for a person")) << world.read("said");
  EXPECT_FALSE(contains(world.reprise({"events", "w/x", "--json"}).out, "gate_decided"));
}

TEST(People, DW28_TheActorIsNamedWithoutUser) {
  World world;
  world.unset("USER");
  world.unset("LOGNAME");
  world.workflow("w", "stages:\n  ok: {gate: 'Ship it?'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  const std::string name = world.shell("id -un").out;
  ASSERT_EQ(world.shell("env -u USER -u LOGNAME reprise approve w/x ok").exit, 0);
  const std::string events = world.shell("reprise events w/x --json | grep gate_decided").out;
  EXPECT_TRUE(contains(events, name.substr(0, name.find('\n')) + "@")) << events;
  ASSERT_FALSE(contains(events, "uid ")) << events;
  ASSERT_EQ(world.shell("env -u USER LOGNAME=ana reprise run w y").exit, 3);
  EXPECT_TRUE(contains(world.reprise({"events", "w/y", "--json"}).out, "ana@"));
}

constexpr const char* kAsks =
    "echo '{\"status\":\"needs_human\",\"questions\":[{\"id\":\"q1\",\"text\":\"Which colour?\","
    "\"options\":[\"red\",\"blue\"]}]}' >\"$REPRISE_RESULT\"\n";

TEST(People, DW10_TheOptionsOfAQuestionAreShownAndKept) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
  world.write("agent.sh", kAsks);
  world.workflow("paint", "stages:\n  a: {role: dev, prompt: x}\n");
  const Ended end = world.reprise({"run", "paint", "hut"});
  EXPECT_TRUE(contains(end.err, "Which colour? (red / blue)")) << end.err;
  EXPECT_TRUE(contains(world.reprise({"inbox"}).out, "Which colour? (red / blue)"));
  const std::unique_ptr<Terminal> terminal = world.terminal({"resume", "paint/hut", "--yes"});
  EXPECT_TRUE(terminal->shows("Which colour? (red / blue)")) << terminal->screen();
  terminal->type("\n");
  terminal->end();
  const Ended other = world.reprise({"answer", "paint/hut", "q1", "green"});
  EXPECT_EQ(other.exit, 0);
  EXPECT_TRUE(contains(other.err, "\"green\" is none of the options: red / blue")) << other.err;
}

TEST(People, DW3_AStepThatCtrlCStoppedIsSaidToBeStopped) {
  const World world;
  world.workflow("s", "stages:\n  a: {run: 'touch started; exec sleep 30'}\n");
  const std::unique_ptr<Background> run = world.start({"run", "s", "x"});
  ASSERT_TRUE(world.wait_for_file("started"));
  run->signal(SIGINT);
  ASSERT_TRUE(World::wait_until([&] { return contains(world.read("background.txt"), "Ctrl-C again"); }));
  run->signal(SIGINT);
  run->end();
  const std::string why = world.reprise({"why", "s/x", "a"}).out;
  EXPECT_TRUE(contains(why, "it was stopped")) << why;
  EXPECT_TRUE(contains(why, "Ctrl-C was pressed twice")) << why;
  EXPECT_FALSE(contains(why, "no recorded end")) << why;
  const std::string events = world.reprise({"events", "s/x"}).out;
  EXPECT_FALSE(contains(events, "stopped: it was stopped")) << events;
  EXPECT_FALSE(contains(events, "between steps")) << events;
}

TEST(People, DW18_TheBriefSaysHowTheAttemptBeforeEnded) {
  const World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh]}}\n");
  world.write("agent.sh", "cp \"$REPRISE_BRIEF\" brief-$REPRISE_ATTEMPT.md; [ $REPRISE_ATTEMPT = 2 ]\n");
  world.workflow("w", "stages:\n  a: {role: dev, prompt: x, resume: continue, retries: 1, delay: 0s}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 0);
  EXPECT_TRUE(contains(world.read("brief-2.md"), "An earlier attempt failed.")) << world.read("brief-2.md");
  EXPECT_FALSE(contains(world.read("brief-2.md"), "cut off"));
}

// The journal's clock is not ours to turn: the run is old because its last event is.
TEST(People, DW21_TakingARunOverIsNoActivityOfIt) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'touch started; while [ ! -e go ]; do sleep 0.02; done'}\n");
  {
    const std::unique_ptr<Background> run = world.start({"run", "w", "x"});
    ASSERT_TRUE(world.wait_for_file("started"));
    run->signal(SIGKILL);
    run->end();
  }
  const auto is_old = [&] {
    return contains(world.shell("reprise plan w/x --json | grep -c '\"seconds\":[1-9]'").out, "1");
  };
  ASSERT_TRUE(World::wait_until(is_old));
  const std::unique_ptr<Terminal> terminal = world.terminal({"resume", "w/x"});
  ASSERT_TRUE(terminal->shows("Resume this?")) << terminal->screen();
  EXPECT_FALSE(contains(terminal->screen(), "0.0s ago")) << terminal->screen();
  terminal->type("cancel\n");
  terminal->end();
  world.write("go", "");
  world.reprise({"resume", "w/x", "--yes", "--quiet"});
}

// A worker that outlives guard and runner: the guard that `cancel` starts finds it by the same tag.
TEST(People, L7_CancelEndsWhatOutlivedRunnerAndGuard) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'echo $PPID >guard; echo $$ >worker; while :; do sleep 0.02; done'}\n");
  const std::unique_ptr<Background> run = world.start({"run", "w", "x"});
  ASSERT_TRUE(World::wait_until([&] { return contains(world.read("worker"), "\n"); }));
  const pid_t worker = std::stoi(world.read("worker"));
  ASSERT_EQ(kill(std::stoi(world.read("guard")), SIGKILL), 0);
  run->signal(SIGKILL);
  run->end();
  ASSERT_EQ(kill(worker, 0), 0) << "there is nothing to end";
  EXPECT_EQ(world.reprise({"cancel", "w/x"}).exit, 0);
  EXPECT_TRUE(World::wait_until([&] { return kill(worker, 0) != 0; }));
}

}  // namespace
}  // namespace reprise::cli_test
