// What a person at a terminal meets: questions, Ctrl-C, colour, narrow windows, quiet.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kGateOnly =
    "limits: {parallel: 1}\n"
    "stages:\n"
    "  make: {run: 'echo made >made.txt', produces: [made.txt]}\n"
    "  ship: {needs: make, gate: {ask: 'Ship it?', shows: [made.txt]}}\n"
    "  push: {needs: ship, run: 'echo pushed >pushed.txt'}\n";
// A step that says when it works and ends when it is told to, or by itself before anyone would wait in vain.
constexpr const char* kSlow =
    "limits: {parallel: 1}\n"
    "stages:\n"
    "  slow: {run: 'echo x >>started; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; echo x "
    ">>ended'}\n"
    "  after: {needs: slow, run: 'echo x >after.txt'}\n";
constexpr const char* kInterruptKey = "\x03";

int lines_in(const World& world, const std::string& path) {
  const std::string text = world.read(path);
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST(OnATerminal, AGateIsAskedAndYesGoesOn) {
  World world;
  world.workflow("ask", kGateOnly);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("Ship it?")) << screen->screen();
  ASSERT_TRUE(screen->shows("see made.txt")) << screen->screen();
  ASSERT_TRUE(screen->shows("approve? (yes / no / later)"));
  screen->type("perhaps\n");
  ASSERT_TRUE(screen->shows("approve? (yes / no / later)")) << "an answer that is none is asked for again";
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_TRUE(world.has("pushed.txt"));
}

TEST(OnATerminal, NoAsksWhyAndEndsTheRun) {
  World world;
  world.workflow("ask", kGateOnly);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("approve?"));
  screen->type("no\n");
  ASSERT_TRUE(screen->shows("why not?"));
  screen->type("too early\n");
  EXPECT_EQ(screen->end(), 1) << screen->screen();
  EXPECT_FALSE(world.has("pushed.txt"));
  EXPECT_NE(world.reprise({"why", "ask/a", "ship"}).out.find("too early"), std::string::npos);
}

TEST(OnATerminal, LaterAndEndOfInputLeaveItWaiting) {
  World world;
  world.workflow("ask", kGateOnly);
  for (const char* answer : {"later\n", "\x04"}) {
    const std::string subject = answer[0] == 'l' ? "a" : "b";
    const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", subject});
    ASSERT_TRUE(screen->shows("approve?"));
    screen->type(answer);
    EXPECT_EQ(screen->end(), 3) << screen->screen();
    EXPECT_NE(screen->screen().find("reprise approve ask/" + subject), std::string::npos);
  }
}

TEST(OnATerminal, AnApprovalFromAnotherTerminalIsTakenWhileThisOneAsks) {
  World world;
  world.workflow("ask", kGateOnly);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("approve?"));
  EXPECT_EQ(world.reprise({"approve", "ask/a"}).exit, 0);
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_TRUE(world.has("pushed.txt"));
}

TEST(OnATerminal, ACancelFromAnotherTerminalEndsTheQuestion) {
  World world;
  world.workflow("ask", kGateOnly);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("approve?"));
  EXPECT_EQ(world.reprise({"cancel", "ask/a", "--because", "enough"}).exit, 0);
  EXPECT_EQ(screen->end(), 1) << screen->screen();
  EXPECT_FALSE(world.has("pushed.txt"));
}

TEST(OnATerminal, ALL04_ResumeShowsThePlanAndAsks) {
  World world;
  world.workflow("w", kSlow);
  {
    const std::unique_ptr<Background> run = world.start({"run", "w", "a"});
    ASSERT_TRUE(world.wait_for_file("started"));
    run->signal(SIGKILL);
    run->end();
  }
  {
    const std::unique_ptr<Terminal> screen = world.terminal({"resume"});
    ASSERT_TRUE(screen->shows("its worker is still running under the guard"));
    ASSERT_TRUE(screen->shows("Resume this? (yes / restart / cancel)"));
    screen->type("c\n");
    EXPECT_EQ(screen->end(), 3);
  }
  const std::unique_ptr<Terminal> screen = world.terminal({"resume"});
  ASSERT_TRUE(screen->shows("Resume this? (yes / restart / cancel)"));
  EXPECT_FALSE(world.has("ended"));
  screen->type("y\n");
  ASSERT_TRUE(screen->shows("> slow")) << "the adopted step has its line: " << screen->screen();
  world.write("go", "");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
  EXPECT_EQ(lines_in(world, "started"), 1);
}

TEST(OnATerminal, PreflightWantsTheWordProceed) {
  World world;
  world.workflow("ask", kGateOnly);
  world.reprise({"run", "ask", "a"});
  world.reprise({"approve", "ask/a"});
  const std::unique_ptr<Terminal> screen = world.terminal({"resume", "ask/a", "--mode", "preflight"});
  ASSERT_TRUE(screen->shows("Start it? (proceed / cancel)"));
  screen->type("proceed\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
}

TEST(OnATerminal, UnfinishedWorkOfASubjectOffersResumeFreshCancel) {
  World world;
  world.workflow("ask", kGateOnly);
  world.reprise({"run", "ask", "a"});
  {
    const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
    ASSERT_TRUE(screen->shows("(resume / fresh / cancel)"));
    screen->type("cancel\n");
    EXPECT_EQ(screen->end(), 3);
  }
  {
    const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
    ASSERT_TRUE(screen->shows("(resume / fresh / cancel)"));
    screen->type("fresh\n");
    ASSERT_TRUE(screen->shows("(yes / no)")) << screen->screen();
    screen->type("yes\n");
    ASSERT_TRUE(screen->shows("ask/a@2")) << screen->screen();
    ASSERT_TRUE(screen->shows("approve?"));
    screen->type("later\n");
    EXPECT_EQ(screen->end(), 3);
  }
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("(resume / fresh / cancel)"));
  screen->type("resume\n");
  ASSERT_TRUE(screen->shows("approve?"));
  screen->type("yes\n");
  EXPECT_EQ(screen->end(), 0) << screen->screen();
}

TEST(CtrlC, OnceWaitsForTheRunningWorker) {
  World world;
  world.workflow("w", kSlow);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "w", "a"});
  ASSERT_TRUE(world.wait_for_file("started"));
  ASSERT_TRUE(screen->shows("slow"));
  screen->type(kInterruptKey);
  ASSERT_TRUE(screen->shows("again")) << "it says what a second one does: " << screen->screen();
  world.write("go", "");
  EXPECT_EQ(screen->end(), 130) << screen->screen();
  EXPECT_TRUE(world.has("ended"));
  EXPECT_FALSE(world.has("after.txt"));
  EXPECT_NE(screen->screen().find("reprise resume w/a"), std::string::npos);
  EXPECT_EQ(world.reprise({"resume", "w/a"}).exit, 0);
  EXPECT_EQ(lines_in(world, "started"), 1);
  EXPECT_TRUE(world.has("after.txt"));
}

TEST(CtrlC, TwiceStopsTheWorker) {
  World world;
  world.workflow("w", kSlow);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "w", "a"});
  ASSERT_TRUE(world.wait_for_file("started"));
  ASSERT_TRUE(screen->shows("slow"));
  screen->type(kInterruptKey);
  ASSERT_TRUE(screen->shows("again")) << screen->screen();
  screen->type(kInterruptKey);
  EXPECT_EQ(screen->end(), 130) << screen->screen();
  EXPECT_FALSE(world.has("ended"));
  world.write("go", "");
  EXPECT_EQ(world.reprise({"resume", "w/a", "--yes"}).exit, 0);
  EXPECT_EQ(lines_in(world, "started"), 2);
  EXPECT_EQ(lines_in(world, "ended"), 1);
}

TEST(CtrlC, AtAnyOtherPromptEndsTheCommand) {
  World world;
  world.workflow("ask", kGateOnly);
  world.reprise({"run", "ask", "a"});
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("(resume / fresh / cancel)"));
  screen->type(kInterruptKey);
  EXPECT_EQ(screen->end(), 130) << screen->screen();
  const std::unique_ptr<Terminal> second = world.terminal({"resume", "ask/a", "--mode", "preflight"});
  world.reprise({"status"});
  ASSERT_TRUE(second->shows("ask/a")) << second->screen();
  second->type(kInterruptKey);
  EXPECT_EQ(second->end(), 130) << second->screen();
}

TEST(CtrlC, AtAQuestionEndsWithTheStateSaved) {
  World world;
  world.workflow("ask", kGateOnly);
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a"});
  ASSERT_TRUE(screen->shows("approve?"));
  screen->type(kInterruptKey);
  EXPECT_EQ(screen->end(), 130) << screen->screen();
  EXPECT_NE(world.reprise({"status", "ask/a"}).out.find("waiting"), std::string::npos);
}

TEST(Signals, TermAndHangUpLeaveTheWorkerToTheGuard) {
  for (const int number : {SIGTERM, SIGHUP}) {
    World world;
    world.workflow("w", kSlow);
    const std::unique_ptr<Background> run = world.start({"run", "w", "a"});
    ASSERT_TRUE(world.wait_for_file("started"));
    run->signal(number);
    EXPECT_EQ(run->end(), 128 + number);
    EXPECT_FALSE(world.has("ended"));
    world.write("go", "");
    EXPECT_EQ(world.reprise({"resume", "w/a"}).exit, 0);
    EXPECT_EQ(lines_in(world, "started"), 1);
    EXPECT_EQ(lines_in(world, "ended"), 1);
  }
}

TEST(Colour, IsThereOnATerminalAndGoneWithNoColor) {
  World world;
  world.workflow("w", "stages: {a: {run: ['true']}}\n");
  {
    const std::unique_ptr<Terminal> screen = world.terminal({"run", "w", "a"});
    EXPECT_EQ(screen->end(), 0);
    EXPECT_NE(screen->screen().find("\x1b[32m"), std::string::npos);
  }
  world.set("NO_COLOR", "1");
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "w", "b"});
  EXPECT_EQ(screen->end(), 0);
  for (const char* colour : {"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"}) {
    EXPECT_EQ(screen->screen().find(colour), std::string::npos) << screen->screen();
  }
}

TEST(Colour, NeverReachesAPipeOrADumbTerminal) {
  World world;
  world.workflow("w", "stages: {a: {run: ['true']}}\n");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", "w", "a"}, {"status"}, {"plan", "w/a"}, {"doctor"}}) {
    const Ended ended = world.reprise(words);
    EXPECT_EQ((ended.out + ended.err).find('\x1b'), std::string::npos) << ended.out << ended.err;
  }
  world.set("TERM", "dumb");
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "w", "b"});
  EXPECT_EQ(screen->end(), 0);
  EXPECT_EQ(screen->screen().find('\x1b'), std::string::npos) << screen->screen();
}

// What is redrawn must not wrap, or the redrawing eats lines that are not its own.
TEST(LiveView, FitsIntoFortyColumns) {
  World world;
  world.workflow("w",
                 "limits: {parallel: 1}\nstages:\n"
                 "  a-stage-with-a-name-that-is-wider-than-the-window-is:\n"
                 "    run: 'echo x >started; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done'\n");
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "w", "a"}, 40);
  ASSERT_TRUE(screen->shows("  > a-stage")) << screen->screen();
  ASSERT_TRUE(screen->shows("\x1b[1A")) << screen->screen();
  ASSERT_TRUE(screen->shows("  > a-stage")) << screen->screen();
  world.write("go", "");
  EXPECT_EQ(screen->end(), 0);
  int drawn = 0;
  const std::string& text = screen->screen();
  for (std::size_t at = text.find("  > "); at != std::string::npos; at = text.find("  > ", at + 1)) {
    const std::string line = text.substr(at, text.find('\r', at) - at);
    const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    EXPECT_LE(std::count_if(line.begin(), line.end(), is_first_byte), 40) << line;
    ++drawn;
  }
  EXPECT_GE(drawn, 2);
}

TEST(Quiet, SaysOnlyWhatWentWrong) {
  World world;
  world.workflow("good", "stages: {a: {run: 'echo noise'}}\n");
  world.workflow("bad", "stages: {a: {run: 'exit 4'}}\n");
  const Ended good = world.reprise({"run", "good", "a", "--quiet"});
  EXPECT_EQ(good.exit, 0);
  EXPECT_EQ(good.out, "good/a\n");
  EXPECT_EQ(good.err, "");
  const Ended bad = world.reprise({"--quiet", "run", "bad", "a"});
  EXPECT_EQ(bad.exit, 1);
  EXPECT_NE(bad.err.find("exit 4"), std::string::npos) << bad.err;
}

}  // namespace
}  // namespace reprise::cli_test
