// Commands that reach a run with a living owner, detached runs, workers that overreach, notifications, secrets and
// escape sequences, and the exit codes 5 and 6.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "world.h"

namespace reprise::cli_test {
namespace {

// `gate` lets it go on to the end; every step ends by itself before anyone would wait in vain.
constexpr const char* kBusy =
    "limits: {parallel: 2}\n"
    "stages:\n"
    "  slow: {run: 'echo $$ >worker; echo x >>started; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; "
    "done; echo x "
    ">>ended'}\n"
    "  question: {gate: 'Well?'}\n"
    "  flaky: {run: 'echo x >>tries; [ $(wc -l <tries) -gt 1 ]'}\n"
    "  extra: {needs: [slow, question], run: 'echo x >extra.txt'}\n"
    "  last: {needs: extra, run: 'echo x >last.txt'}\n";

class Owned : public testing::Test {
 protected:
  void begin() {
    world.workflow("busy", kBusy);
    owner = world.start({"run", "busy", "a"});
    ASSERT_TRUE(world.wait_for_file("started"));
    ASSERT_TRUE(
        World::wait_until([&] { return world.read("background.txt").find("wait ") != std::string::npos; }));
  }
  World world;
  std::unique_ptr<Background> owner;
};

TEST_F(Owned, ApproveSkipAndRetryReachTheLivingOwner) {
  begin();
  ASSERT_TRUE(World::wait_until([&] {
    return world.read("background.txt").find("failed  flaky") != std::string::npos;
  })) << world.read("background.txt");
  const Ended approve = world.reprise({"approve", "busy/a"});
  EXPECT_EQ(approve.exit, 0) << approve.err;
  const Ended skip = world.reprise({"skip", "busy/a", "extra", "--because", "not wanted"});
  EXPECT_EQ(skip.exit, 0) << skip.err;
  const Ended retry = world.reprise({"retry", "busy/a", "flaky"});
  EXPECT_EQ(retry.exit, 0) << retry.err;
  world.write("go", "");
  EXPECT_EQ(owner->end(), 0) << world.read("background.txt");
  EXPECT_FALSE(world.has("extra.txt"));
  EXPECT_TRUE(world.has("last.txt"));
  EXPECT_EQ(world.read("tries"), "x\nx\n");
}

TEST_F(Owned, CancelReachesTheLivingOwnerAndStopsItsWorkers) {
  begin();
  const Ended cancel = world.reprise({"cancel", "busy/a", "--because", "changed my mind"});
  EXPECT_EQ(cancel.exit, 0) << cancel.err;
  EXPECT_EQ(owner->end(), 1) << world.read("background.txt");
  EXPECT_FALSE(world.has("ended"));
  EXPECT_NE(world.reprise({"status", "busy/a"}).out.find("stopped"), std::string::npos);
}

TEST_F(Owned, CancelOfAnInterruptedRunStopsTheWorkerThatSurvived) {
  begin();
  owner->signal(SIGKILL);
  owner->end();
  const std::string worker = world.read("worker");
  EXPECT_EQ(world.shell("kill -0 " + worker).exit, 0) << "it works on under its guard";
  EXPECT_EQ(world.reprise({"cancel", "busy/a"}).exit, 0);
  EXPECT_NE(world.shell("kill -0 " + worker).exit, 0);
  EXPECT_FALSE(world.has("ended"));
  EXPECT_NE(world.reprise({"status", "busy/a"}).out.find("stopped"), std::string::npos);
}

TEST_F(Owned, WhatTheOwnerRefusesIsExit2WithItsReason) {
  begin();
  const Ended skip = world.reprise({"skip", "busy/a", "slow", "--because", "x"});
  EXPECT_EQ(skip.exit, 2);
  EXPECT_NE(skip.err.find("running"), std::string::npos) << skip.err;
  EXPECT_EQ(world.reprise({"approve", "busy/a", "nonesuch"}).exit, 2);
  world.reprise({"cancel", "busy/a"});
  owner->end();
}

TEST_F(Owned, ASecondRunnerIsExit5AndIsToldWhoHoldsIt) {
  begin();
  const Ended second = world.reprise({"resume", "busy/a", "--yes"});
  EXPECT_EQ(second.exit, 5) << second.err;
  EXPECT_NE(second.err.find("process " + std::to_string(owner->pid())), std::string::npos) << second.err;
  EXPECT_NE(second.err.find("reprise attach busy/a"), std::string::npos) << second.err;
  const Ended locks = world.reprise({"lock", "list"});
  EXPECT_NE(locks.out.find(std::to_string(owner->pid())), std::string::npos);
  EXPECT_EQ(world.reprise({"lock", "break", "busy/a"}).exit, 5);
  const Ended status = world.reprise({"status"});
  EXPECT_NE(status.out.find("running"), std::string::npos);
  owner->signal(SIGKILL);
  owner->end();
  EXPECT_NE(world.reprise({"status"}).out.find("interrupted"), std::string::npos);
  EXPECT_EQ(world.reprise({"lock", "break", "busy/a"}).exit, 0);
  world.reprise({"cancel", "busy/a"});
  world.write("go", "");
}

TEST(Detached, RunsOnAndCanBeWatched) {
  World world;
  world.workflow("w",
                 "limits: {parallel: 1}\nstages:\n"
                 "  slow: {run: 'echo x >started; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done'}\n"
                 "  last: {needs: slow, run: 'echo x >last.txt'}\n");
  const Ended run = world.reprise({"run", "w", "a", "--detach"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_EQ(run.out, "w/a\n");
  EXPECT_NE(run.err.find("reprise attach w/a"), std::string::npos);
  ASSERT_TRUE(world.wait_for_file("started"));
  const std::unique_ptr<Background> watcher = world.start({"attach", "w/a"}, "watched.txt");
  ASSERT_TRUE(World::wait_until([&] { return world.read("watched.txt").find("slow") != std::string::npos; }));
  world.write("go", "");
  EXPECT_EQ(watcher->end(), 0) << world.read("watched.txt");
  EXPECT_NE(world.read("watched.txt").find("last"), std::string::npos);
  EXPECT_TRUE(world.has("last.txt"));
}

TEST(Workers, CannotDecideForAPersonNorStartRuns) {
  World world;
  world.workflow("inner", "stages: {a: {run: ['true']}}\n");
  world.workflow(
      "w",
      "limits: {parallel: 1}\nstages:\n"
      "  gate: {gate: 'May I?'}\n"
      "  sneaky:\n"
      "    run: 'for c in \"approve w/a\" \"reject w/a --because x\" \"cancel w/a\" \"skip w/a gate --because x\""
      " \"retry w/a gate\" \"accept w/a x --because y\" \"answer w/a q t\" \"run inner\" \"resume w/a\""
      " \"fork w/a --from gate\" \"lock break w/a\" \"gc\"; do reprise $c; echo \"$c: $?\"; done'\n");
  EXPECT_EQ(world.reprise({"run", "w", "a"}).exit, 3);
  const std::string log = world.reprise({"log", "w/a", "sneaky"}).out;
  for (const std::string command :
       {"approve w/a", "reject w/a --because x", "cancel w/a", "skip w/a gate --because x", "retry w/a gate",
        "accept w/a x --because y", "answer w/a q t", "run inner", "resume w/a", "fork w/a --from gate",
        "lock break w/a", "gc"}) {
    EXPECT_NE(log.find(command + ": 2\n"), std::string::npos) << command << "\n" << log;
  }
  EXPECT_NE(world.reprise({"status", "w/a"}).out.find("waits for gate"), std::string::npos);
}

TEST(Notify, IsCalledWhenARunWaitsFailsOrEnds) {
  World world;
  world.write(".reprise/config.yaml", "notify: {run: [sh, -c, 'echo \"$1\" >>notified.txt', sh, '{message}']}\n");
  world.workflow("ask", "stages: {g: {gate: 'Well?'}}\n");
  world.workflow("bad", "stages: {a: {run: 'exit 7'}}\n");
  world.reprise({"run", "ask", "a"});
  world.reprise({"approve", "ask/a"});
  world.reprise({"resume", "ask/a"});
  world.reprise({"run", "bad", "a"});
  const std::string text = world.read("notified.txt");
  EXPECT_NE(text.find("ask/a is waiting"), std::string::npos) << text;
  EXPECT_NE(text.find("ask/a is done"), std::string::npos) << text;
  EXPECT_NE(text.find("bad/a is failed: "), std::string::npos) << text;
}

TEST(Notify, ThatFailsDoesNotFailTheRun) {
  World world;
  world.write(".reprise/config.yaml", "notify: {run: [./no-such-program]}\n");
  world.workflow("w", "stages: {a: {run: ['true']}}\n");
  EXPECT_EQ(world.reprise({"run", "w", "a"}).exit, 0);
}

TEST(WorkerOutput, P38_IsShownWithoutControlSequences) {
  World world;
  world.workflow("w",
                 "stages:\n  a: {run: 'printf \"\\033]0;title\\007\\033[2J\\033[31mred\\033[0m \\302\\2331m "
                 "\\342\\200\\256back\\b\\b\\r\\n\"; exit 3'}\n");
  std::string all;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"run", "w", "a"},
                                                                                     {"log", "w/a"},
                                                                                     {"log", "w/a", "--json"},
                                                                                     {"status", "w/a"},
                                                                                     {"plan", "w/a"},
                                                                                     {"why", "w/a"},
                                                                                     {"events", "w/a"}}) {
    const Ended ended = world.reprise(words);
    all += ended.out + ended.err;
  }
  EXPECT_NE(all.find("red"), std::string::npos);
  for (const char* bad : {"\x1b", "\x07", "\b", "\xc2\x9b", "\xe2\x80\xae", "\r"}) {
    EXPECT_EQ(all.find(bad), std::string::npos) << "shown: " << testing::PrintToString(bad);
  }
  const std::unique_ptr<Terminal> screen = world.terminal({"log", "w/a"});
  screen->end();
  EXPECT_NE(screen->screen().find("red"), std::string::npos);
  EXPECT_EQ(screen->screen().find("\x1b]0"), std::string::npos);
  EXPECT_EQ(screen->screen().find("\x1b[2J"), std::string::npos);
}

TEST(Secrets, P37_OfTheEnvironmentReachNeitherDiskNorScreen) {
  World world;
  const std::string secret = "opensesame-4711-zq";
  world.set("MY_API_KEY", secret);
  world.set("OTHER_SECRET", "unnamed-secret-value");
  world.set("LD_LIBRARY_PATH", "/nowhere");
  world.workflow("w",
                 "limits: {parallel: 1}\nstages:\n"
                 "  a: {env: [MY_API_KEY], run: 'env | sort; echo \"key $MY_API_KEY\"; echo \"key $MY_API_KEY\" "
                 ">&2; echo \"{\\\"status\\\": "
                 "\\\"failed\\\", \\\"summary\\\": \\\"$MY_API_KEY\\\"}\" >$REPRISE_RESULT'}\n"
                 "  b: {run: 'printf \"ghp_%s\\n\" 0123456789abcdefghijABCDEFGHIJ012345; env'}\n");
  std::string shown;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"run", "w", "a"},
                                                                                     {"log", "w/a"},
                                                                                     {"events", "w/a"},
                                                                                     {"events", "w/a", "--json"},
                                                                                     {"status", "w/a"},
                                                                                     {"plan", "w/a"},
                                                                                     {"why", "w/a"}}) {
    const Ended ended = world.reprise(words);
    shown += ended.out + ended.err;
  }
  EXPECT_NE(shown.find("key ***"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("unnamed-secret-value"), std::string::npos) << "passed to a worker that did not ask for it";
  EXPECT_EQ(shown.find("LD_LIBRARY_PATH"), std::string::npos) << "loader variables never pass";
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(world.root() / ".git" / "reprise")) {
    // The worker wrote its result file itself: that is its own doing, and the folder is private.
    if (entry.path().filename() == "result.json") continue;
    const fs::perms open_to_others = fs::perms::group_all | fs::perms::others_all;
    EXPECT_EQ(entry.status().permissions() & open_to_others, fs::perms::none) << entry.path();
    if (!entry.is_regular_file()) continue;
    ++files;
    shown += slurp(entry.path());
  }
  EXPECT_GE(files, 3);
  EXPECT_EQ(shown.find(secret), std::string::npos);
  EXPECT_EQ(shown.find("ghp_0123456789"), std::string::npos);
}

TEST(Store, DamagedJournalIsExit6AndNothingRuns) {
  World world;
  world.workflow("w", "stages: {a: {run: 'echo x >>ran.txt'}}\n");
  EXPECT_EQ(world.reprise({"run", "w", "a"}).exit, 0);
  for (const fs::directory_entry& entry : fs::directory_iterator(world.root() / ".git" / "reprise")) {
    if (entry.path().filename().string().starts_with("journal.db-")) fs::remove(entry.path());
  }
  std::ofstream(world.root() / ".git" / "reprise" / "journal.db")
      << "this is not a journal, and long enough to be read as one\n";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", "w", "b"}, {"status"}, {"plan", "w/a"}, {"resume", "w/a"}, {"verify"}, {"approve", "w/a"}}) {
    const Ended ended = world.reprise(words);
    EXPECT_EQ(ended.exit, 6) << words[0] << ": " << ended.out << ended.err;
    EXPECT_NE(ended.err.find("journal.db"), std::string::npos) << words[0] << ": " << ended.err;
  }
  EXPECT_EQ(world.read("ran.txt"), "x\n");
  const Ended doctor = world.reprise({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_NE(doctor.out.find("bad"), std::string::npos) << doctor.out;
}

TEST(Later, Exit75WaitsAndTriesAgainWithoutUsingUpRetries) {
  World world;
  world.write("later",
              "#!/bin/sh\n"
              "echo x >>tries\n"
              "[ $(wc -l <tries) -gt 1 ] && exit 0\n"
              "printf '{\"status\": \"failed\", \"retry_at\": \"2001-01-01T00:00:00Z\"}' >\"$REPRISE_RESULT\"\n"
              "exit 75\n");
  world.workflow("w", "stages: {a: {run: [./later]}}\n");
  const Ended run = world.reprise({"run", "w", "a"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.read("tries"), "x\nx\n");
}

}  // namespace
}  // namespace reprise::cli_test
