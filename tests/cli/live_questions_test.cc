// Gates and questions that are asked on a terminal while other steps work.
//
// No test depends on timing: the slow step ends when a file appears, and where an order is proved, only the step
// behind the gate writes it.

#include <gtest/gtest.h>
#include <signal.h>

#include "desk_pty.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kWaitForGo = "for i in $(seq 500); do [ -e go ] && exit 0; sleep 0.05; done; exit 1";

// A slow step, a short one that ends on demand, and a gate; the step behind the gate writes `behind`.
void write_workflow(const World& world, const std::string& behind) {
  world.workflow("w", std::string("limits: {parallel: 3}\nstages:\n") + "  slow: {run: '" + kWaitForGo + "'}\n" +
                          "  short: {run: 'for i in $(seq 500); do [ -e mark ] && exit 0; sleep 0.05; done'}\n" +
                          "  g1: {gate: 'First ok?'}\n" + "  behind: {needs: g1, run: 'echo x >" + behind +
                          "'}\n");
}

constexpr const char* kPrompt = "approve? (yes / no / later)";

TEST(LiveQuestions, DW9_GateIsAskedAndAnsweredWhileOtherStepsWork) {
  World world;
  write_workflow(world, "go");
  DeskPty pty(world, {}, {"NO_COLOR=1"}, {"run", "w", "a"});
  ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
  pty.type("perhaps\n");
  ASSERT_TRUE(pty.shows("\"perhaps\" is not one of yes, no, later")) << pty.screen();
  pty.type(
      "yx\x7f"
      "e");
  ASSERT_TRUE(pty.has_on_screen("> ye_")) << pty.screen();
  world.write("mark", "");
  ASSERT_TRUE(pty.has_on_screen("done    short")) << pty.screen();
  ASSERT_TRUE(pty.has_on_screen("> ye_")) << pty.screen();
  pty.type("s\n");
  EXPECT_EQ(pty.end(), 0) << pty.screen();
  EXPECT_NE(pty.screen().find("approve g1 by"), std::string::npos) << pty.screen();
  EXPECT_FALSE(pty.is_confused());
  EXPECT_TRUE(pty.has_modes_as_before());
}

TEST(LiveQuestions, DW9_PromptClosesWhenTheGateIsApprovedElsewhere) {
  World world;
  write_workflow(world, "go");
  world.write("mark", "");
  DeskPty pty(world, {}, {"NO_COLOR=1"}, {"run", "w", "a"});
  ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
  pty.type("n");
  ASSERT_TRUE(pty.has_on_screen("> n_")) << pty.screen();
  EXPECT_EQ(world.reprise({"approve", "w/a", "g1"}).exit, 0);
  ASSERT_TRUE(pty.shows("g1 was answered elsewhere")) << pty.screen();
  EXPECT_EQ(pty.end(), 0) << pty.screen();
  EXPECT_EQ(pty.screen().find("> n_"), std::string::npos) << pty.screen();
  EXPECT_TRUE(pty.has_modes_as_before());
}

TEST(LiveQuestions, DW9_TypedTextSurvivesTheEndOfTheOtherSteps) {
  World world;
  write_workflow(world, "behind.txt");
  world.write("mark", "");
  DeskPty pty(world, {}, {"NO_COLOR=1"}, {"run", "w", "a"});
  ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
  pty.type("no\n");
  ASSERT_TRUE(pty.has_on_screen("g1: why not?")) << pty.screen();
  pty.type("too ea");
  ASSERT_TRUE(pty.has_on_screen("> too ea_")) << pty.screen();
  world.write("go", "");
  ASSERT_TRUE(pty.has_on_screen("done    slow")) << pty.screen();
  pty.type("rly\n");
  EXPECT_EQ(pty.end(), 1) << pty.screen();
  EXPECT_NE(world.reprise({"why", "w/a", "g1"}).out.find("too early"), std::string::npos);
  EXPECT_FALSE(world.has("behind.txt"));
  EXPECT_TRUE(pty.has_modes_as_before());
}

TEST(LiveQuestions, DW9_LaterAsksAgainWhenNothingElseWorks) {
  for (const char* later : {"later\n", "\x04"}) {
    World world;
    write_workflow(world, "behind.txt");
    world.write("mark", "");
    DeskPty pty(world, {}, {"NO_COLOR=1"}, {"run", "w", "a"});
    ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
    pty.type(later);
    world.write("go", "");
    ASSERT_TRUE(pty.shows("done    slow")) << pty.screen();
    ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
    EXPECT_TRUE(pty.has_modes_as_before());
    pty.type("yes\n");
    EXPECT_EQ(pty.end(), 0) << pty.screen();
  }
}

TEST(LiveQuestions, DW9_SignalsAtThePromptKeepTheirMeaning) {
  for (const int number : {SIGINT, SIGTERM}) {
    World world;
    write_workflow(world, "behind.txt");
    world.write("mark", "");
    DeskPty pty(world, {}, {"NO_COLOR=1"}, {"run", "w", "a"});
    ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
    if (number == SIGINT) {
      pty.type("\x03");
      ASSERT_TRUE(pty.shows("press Ctrl-C again")) << pty.screen();
      world.write("go", "");
    } else {
      pty.signal(number);
    }
    EXPECT_EQ(pty.end(), 128 + number) << pty.screen();
    EXPECT_TRUE(pty.has_modes_as_before());
    world.write("go", "");
    EXPECT_EQ(world.reprise({"resume", "w/a", "--yes"}).exit, 3);
  }
}

TEST(LiveQuestions, DW9_QuestionOfAWorkerIsAskedWhileOtherStepsWork) {
  World world;
  world.write(".reprise/config.yaml", "workers: {default: {run: [sh, painter.sh]}}\n");
  world.write("painter.sh",
              "grep -q '\"text\":\"blue\"' \"$REPRISE_CONTEXT\" && { echo x >go; exit 0; }\n"
              "echo '{\"status\": \"needs_human\", \"questions\": [{\"id\": \"Q1\", \"text\": \"Which colour?\","
              " \"options\": [\"red\", \"blue\"]}]}' >\"$REPRISE_RESULT\"\n");
  world.workflow("w", std::string("limits: {parallel: 2}\nstages:\n") + "  slow: {run: '" + kWaitForGo + "'}\n" +
                          "  paint: {role: painter, prompt: Paint the shed.}\n");
  DeskPty pty(world, {}, {"NO_COLOR=1"}, {"run", "w", "a"});
  ASSERT_TRUE(pty.has_on_screen("Which colour? (red / blue)\n> _")) << pty.screen();
  pty.type(
      "green\x15"
      "blue\n");
  EXPECT_EQ(pty.end(), 0) << pty.screen();
  EXPECT_TRUE(pty.has_modes_as_before());
}

TEST(LiveQuestions, DW9_GateIsAskedWithoutALiveView) {
  for (const bool is_quiet : {true, false}) {
    World world;
    write_workflow(world, "go");
    world.write("mark", "");
    std::vector<std::string> words = {"run", "w", "a"};
    if (is_quiet) words.emplace_back("--quiet");
    DeskPty pty(world, {}, {is_quiet ? "TERM=xterm" : "TERM=dumb"}, words);
    ASSERT_TRUE(pty.shows(kPrompt)) << pty.screen();
    pty.type("y\n");
    EXPECT_EQ(pty.end(), 0) << pty.screen();
  }
}

}  // namespace
}  // namespace reprise::cli_test
