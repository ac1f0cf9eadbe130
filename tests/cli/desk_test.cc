// `reprise` alone, on a terminal: what is painted, what each key does, and that looking leaves everything as it
// was.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "base/time.h"
#include "desk_pty.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kCtrlC = "\x03";
constexpr const char* kBack = "[any key: the list, q: quit]";

std::string days_ago(int days) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return to_text(Timestamp{ms} - std::chrono::hours(24 * days + 1));
}

void put_playbook(const World& world, const std::string& name, const std::string& stage, int days) {
  world.write("specs/" + name + "/.pipeline-state.md",
              "# Pipeline State\n\n- run_id: " + name + "\n- feature: " + name +
                  "\n- coordinator_mode: pipeline\n- spec_version: 1.0.0\n- spec_hash: N/A\n- started_at: " +
                  days_ago(days + 1) + "\n- last_updated_at: " + days_ago(days) + "\n- current_stage: " + stage +
                  "\n- status: IN_PROGRESS\n\n## Completed Stages\n\n"
                  "| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n\n"
                  "## Human Checkpoints Cleared\n\n- [ ] Spec approval\n- [ ] Architecture sign-off\n\n"
                  "## Notes\n\nNone.\n");
}

// A run that waits at a gate, a run that was approved and can go on at once, a feature with two state files that
// disagree, a QA loop that has no worker, and a state file that cannot be read.
void make_scene(const World& world) {
  world.workflow("release",
                 "limits: {parallel: 1}\nstages:\n"
                 "  build: {run: 'echo built-it >$subject.txt', produces: ['{subject}.txt']}\n"
                 "  ship: {needs: build, gate: {ask: 'Ship it?', shows: ['{subject}.txt']}}\n"
                 "  publish: {needs: ship, run: 'echo published >published-$subject.txt'}\n");
  world.reprise({"run", "release", "v4", "--quiet"});
  world.reprise({"approve", "release/v4", "ship"});
  world.reprise({"run", "release", "v3", "--quiet"});
  put_playbook(world, "001-login", "spec", 3);
  world.write("specs/001-login/.workflow/index.md",
              "# Feature Index: 001-login\n\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n"
              "| **Loop Status** | completed |\n| **Current Iteration** | 2 / 10 |\n| **Last Activity** | " +
                  days_ago(5) + " |\n| **Stale Count** | 0 / 3 |\n");
  world.write("docs/stories/9.1.story.md",
              "# Story 9.1: Tides\n\n**Status:** InReview\n\n## Acceptance Criteria\n\n- [ ] AC1: It works\n");
  world.write("qa/9.1/loop-status.json",
              "{\"storyId\":\"9.1\",\"currentIteration\":1,\"maxIterations\":5,\"status\":\"in_progress\","
              "\"updatedAt\":\"" +
                  days_ago(2) + "\",\"history\":[]}\n");
  world.write("specs/002-tørn/.pipeline-state.md", "# Pipeline State\n\n- spec_hash: \xff\xfe\n");
  std::filesystem::last_write_time(world.root() / "specs/002-tørn/.pipeline-state.md",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 4 + 1));
}

// Only the ages of what the test itself ran just now differ between two runs of it.
std::string with_stable_ages(std::string text) {
  text = std::regex_replace(text, std::regex(R"( (\d+s|\dm) +(?=\x1b|clean))"), " 0s    ");
  return std::regex_replace(text, std::regex(R"((\d+\.\d+s|\d+s|\d+m \d+s) ago)"), "0s ago");
}

std::string visible(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
    text.replace(at, 1, "\\e");
  return text;
}

void expect_golden(const std::string& name, const std::string& seen) {
  const fs::path file = sources() / "tests/cli/screens" / ("desk-" + name + ".txt");
  if (getenv("UPDATE") != nullptr) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << seen;
  }
  EXPECT_EQ(seen, slurp(file)) << "UPDATE=1 rewrites " << file;
}

int row_of(const DeskPty& desk, const std::string& id) {
  std::smatch match;
  const std::string text = desk.screen();
  std::string pattern = "(\\d+)  " + std::regex_replace(id, std::regex("[.+]"), "\\$&");
  return std::regex_search(text, match, std::regex(pattern)) ? std::stoi(match[1]) : 0;
}

// Moves to the row of `id`; false if there is none.
bool choose(DeskPty& desk, const std::string& id) {
  if (!desk.is_settled()) return false;
  const int row = row_of(desk, id);
  if (row == 0) return false;
  desk.type(std::to_string(row));
  return desk.has_on_screen("> " + std::to_string(row) + "  " + id);
}

TEST(Desk, FirstScreensAtEveryWidthWithAndWithoutColour) {
  const World world;
  make_scene(world);
  int screens = 0;
  for (const int columns : {40, 80, 120}) {
    for (const bool colour : {false, true}) {
      DeskPty desk(world, {.columns = columns, .rows = 24},
                   colour ? std::vector<std::string>{} : std::vector<std::string>{"NO_COLOR=1"});
      ASSERT_TRUE(desk.is_settled()) << desk.screen();
      const std::string name = std::to_string(columns) + (colour ? "-colour" : "");
      expect_golden(name, visible(with_stable_ages(desk.screen())));
      EXPECT_EQ(desk.written().find("\x1b[1m") != std::string::npos, colour);
      EXPECT_FALSE(desk.is_confused());
      desk.type("q");
      EXPECT_EQ(desk.end(), 0);
      EXPECT_TRUE(desk.has_modes_as_before());
      ++screens;
    }
  }
  EXPECT_EQ(screens, 6);
}

TEST(Desk, EnterResumesACleanRunWithOneKey) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {});
  ASSERT_TRUE(choose(desk, "release/v4")) << desk.screen();
  desk.type("\r");
  ASSERT_TRUE(desk.shows(kBack)) << desk.written();
  EXPECT_TRUE(world.has("published-v4.txt"));
  desk.type(" ");
  ASSERT_TRUE(desk.shows("q quit"));
  ASSERT_TRUE(desk.is_settled());
  EXPECT_EQ(row_of(desk, "release/v4"), 0) << "what is done is no longer listed: " << desk.screen();
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
  EXPECT_TRUE(desk.has_modes_as_before());
}

TEST(Desk, ApproveShowsWhatIsApprovedAndThenAsks) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {});
  ASSERT_TRUE(choose(desk, "release/v3")) << desk.screen();
  desk.type("a");
  ASSERT_TRUE(desk.shows("--- v3.txt")) << desk.screen();
  ASSERT_TRUE(desk.shows("built-it")) << desk.screen();
  ASSERT_TRUE(desk.shows("approve? (yes / no / later)")) << desk.screen();
  desk.type("yes\n");
  ASSERT_TRUE(desk.shows("recorded: approve")) << desk.screen();
  ASSERT_TRUE(desk.shows(kBack));
  desk.type(" ");
  ASSERT_TRUE(desk.has_on_screen("goes on at publish")) << desk.screen();
  ASSERT_TRUE(choose(desk, "release/v3")) << desk.screen();
  desk.type("r");
  ASSERT_TRUE(desk.shows(kBack));
  EXPECT_TRUE(world.has("published-v3.txt"));
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, ARejectionAsksWhy) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {});
  ASSERT_TRUE(choose(desk, "release/v3")) << desk.screen();
  desk.type("a");
  ASSERT_TRUE(desk.shows("approve? (yes / no / later)"));
  desk.type("no\n");
  ASSERT_TRUE(desk.shows("why not?"));
  desk.type("too early\n");
  ASSERT_TRUE(desk.shows("recorded: reject")) << desk.screen();
  ASSERT_TRUE(desk.shows(kBack));
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
  EXPECT_NE(world.reprise({"why", "release/v3", "ship"}).out.find("too early"), std::string::npos);
}

struct SubView {
  std::string keys;
  std::string row;    // chosen before
  std::string shows;  // the last thing that must have come
};
const std::vector<SubView>& sub_views() {
  static const std::vector<SubView> kViews = {
      {"p", "release/v3", kBack},
      {"w", "release/v3", kBack},
      {"l", "release/v3", kBack},
      {"l", "playbook/001-login", kBack},
      {"d", "release/v3", kBack},
      {"d", "playbook/001-login", kBack},
      {"i", "release/v3", kBack},
      {"?", "release/v3", kBack},
      {"p", "playbook/002-t", kBack},
      {"a", "release/v3", "approve? (yes / no / later)"},
      {"f", "playbook/001-login", "(yes / no)"},
      {"c", "qa-loop/9.1", "(yes / no)"},
      {"/abc", "release/v3", "filter: abc_"},
  };
  return kViews;
}

TEST(Desk, EverySubViewGoesBackToTheListOrQuits) {
  const World world;
  make_scene(world);
  const std::string before = digest_of_tree(world.root());
  int views = 0;
  for (const SubView& view : sub_views()) {
    if (view.shows != kBack) continue;
    DeskPty desk(world, {});
    ASSERT_TRUE(choose(desk, view.row)) << desk.screen();
    desk.type(view.keys);
    ASSERT_TRUE(desk.shows(kBack)) << view.keys << "\n" << desk.written();
    desk.type(" ");
    ASSERT_TRUE(desk.shows("q quit")) << view.keys;
    desk.type(view.keys);
    ASSERT_TRUE(desk.shows(kBack)) << view.keys;
    desk.type("q");
    EXPECT_EQ(desk.end(), 0) << view.keys;
    EXPECT_TRUE(desk.has_modes_as_before()) << view.keys;
    ++views;
  }
  EXPECT_EQ(views, 9);
  EXPECT_EQ(digest_of_tree(world.root()), before);
}

TEST(Desk, CtrlCHangUpAndTermEverywhereLeaveStateAndTerminalAsTheyWere) {
  const World world;
  make_scene(world);
  const std::string before = digest_of_tree(world.root());
  std::vector<SubView> places = sub_views();
  places.push_back({"", "release/v3", "q quit"});
  int ends = 0;
  for (const SubView& place : places) {
    for (const int number : {SIGINT, SIGHUP, SIGTERM}) {
      DeskPty desk(world, {});
      ASSERT_TRUE(choose(desk, place.row)) << desk.screen();
      if (!place.keys.empty()) {
        desk.type(place.keys);
        ASSERT_TRUE(desk.shows(place.shows)) << place.keys << "\n" << desk.written();
      }
      if (number == SIGINT) desk.type(kCtrlC);
      if (number == SIGHUP) desk.close_window();
      if (number == SIGTERM) desk.signal(number);
      EXPECT_EQ(desk.end(), 128 + number) << "at \"" << place.keys << "\"\n" << desk.written();
      EXPECT_TRUE(desk.has_modes_as_before() || number == SIGHUP) << place.keys << " " << number;
      ++ends;
    }
  }
  EXPECT_EQ(ends, 42);
  EXPECT_EQ(digest_of_tree(world.root()), before);
}

TEST(Desk, FreshAndCleanupAskAndNoChangesNothing) {
  const World world;
  make_scene(world);
  const std::string before = digest_of_tree(world.root());
  for (const char* key : {"f", "c"}) {
    DeskPty desk(world, {});
    ASSERT_TRUE(choose(desk, key[0] == 'f' ? "playbook/001-login" : "qa-loop/9.1")) << desk.screen();
    desk.type(key);
    ASSERT_TRUE(desk.shows("(yes / no)")) << desk.screen();
    desk.type("no\n");
    ASSERT_TRUE(desk.shows(kBack)) << desk.screen();
    desk.type("q");
    EXPECT_EQ(desk.end(), 0);
  }
  EXPECT_EQ(digest_of_tree(world.root()), before);
}

TEST(Desk, DW17_FreshKeyPromisesOnlyToArchive) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {});
  ASSERT_TRUE(desk.shows("q quit")) << desk.screen();
  desk.type("?");
  ASSERT_TRUE(desk.shows("archive the work (asks) and print")) << desk.screen();
  ASSERT_TRUE(desk.shows(kBack)) << desk.screen();
  desk.type(" ");
  ASSERT_TRUE(desk.shows("q quit")) << desk.screen();
  ASSERT_TRUE(choose(desk, "playbook/001-login")) << desk.screen();
  desk.type("f");
  ASSERT_TRUE(desk.shows("Archive this work? (yes / no)")) << desk.screen();
  desk.type("yes\n");
  ASSERT_TRUE(desk.shows("start a new run:")) << desk.screen();
  ASSERT_TRUE(desk.shows("reprise run playbook 001-login")) << desk.screen();
  ASSERT_TRUE(desk.shows(kBack)) << desk.screen();
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
  EXPECT_FALSE(world.has("specs/001-login/.pipeline-state.md"));
}

TEST(Desk, WhatChangedSinceItWasShownIsShownInsteadOfBeingActedOn) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {});
  ASSERT_TRUE(choose(desk, "release/v3")) << desk.screen();
  world.reprise({"approve", "release/v3", "ship"});  // by somebody else
  desk.type("a");
  ASSERT_TRUE(desk.shows("has changed since it was shown; nothing was done")) << desk.screen();
  ASSERT_TRUE(desk.has_on_screen("goes on at publish")) << desk.screen();
  EXPECT_FALSE(world.has("published-v3.txt"));
  ASSERT_TRUE(choose(desk, "release/v4")) << desk.screen();
  EXPECT_EQ(world.reprise({"resume", "release/v4", "--yes"}).exit, 0);
  desk.type("\r");
  ASSERT_TRUE(desk.shows("is no longer interrupted; nothing was done")) << desk.screen();
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, OtherGoesToTheOtherStateFileAndTheyAreShownWithTheirDisagreement) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {.columns = 120, .rows = 40});
  ASSERT_TRUE(choose(desk, "playbook/001-login +1")) << desk.screen();
  ASSERT_TRUE(desk.has_on_screen("newest    playbook/001-login: IN_PROGRESS at spec")) << desk.screen();
  EXPECT_NE(desk.screen().find("older     spec-loop/001-login: completed"), std::string::npos) << desk.screen();
  EXPECT_NE(desk.screen().find("warning   spec-loop/001-login says completed"), std::string::npos);
  desk.type("o");
  ASSERT_TRUE(desk.has_on_screen("spec-loop/001-login +1")) << desk.screen();
  desk.type("o");
  ASSERT_TRUE(desk.has_on_screen("playbook/001-login +1")) << desk.screen();
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, RefreshFindsWhatIsNewAndKeepsTheSelection) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {});
  ASSERT_TRUE(choose(desk, "playbook/001-login")) << desk.screen();
  put_playbook(world, "009-later", "spec", 1);
  desk.type("g");
  ASSERT_TRUE(desk.has_on_screen("playbook/009-later")) << desk.screen();
  ASSERT_TRUE(desk.is_settled());
  EXPECT_TRUE(std::regex_search(desk.screen(), std::regex("> \\d  playbook/001-login"))) << desk.screen();
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, FiftyCandidatesScrollAreFilteredAndChosenByNumber) {
  const World world;
  for (int i = 0; i < 50; ++i) put_playbook(world, std::to_string(100 + i) + "-feature", "spec", 2 + i);
  DeskPty desk(world, {});
  ASSERT_TRUE(desk.has_on_screen("50 pieces of interrupted work")) << desk.screen();
  desk.type("\x1b[B\x1b[Bj");
  ASSERT_TRUE(desk.has_on_screen(">  4  playbook/")) << desk.screen();
  desk.type("\x1b[Ak");
  ASSERT_TRUE(desk.has_on_screen(">  2  playbook/")) << desk.screen();
  desk.type("\x1b[F");
  ASSERT_TRUE(desk.has_on_screen("> 50  playbook/")) << desk.screen();
  desk.type("37");
  ASSERT_TRUE(desk.has_on_screen("> 37  playbook/")) << desk.screen();
  desk.type("/149");
  ASSERT_TRUE(desk.has_on_screen("> 1  playbook/149-feature")) << desk.screen();
  desk.type("\r");
  ASSERT_TRUE(desk.has_on_screen("only what has \"149\": 1 row")) << desk.screen();
  desk.type("\x1b");
  ASSERT_TRUE(desk.has_on_screen("of 50")) << desk.screen();
  desk.type("x");
  ASSERT_TRUE(desk.has_on_screen("is no key here")) << desk.screen();
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, AnotherSizePaintsAnotherScreen) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {.columns = 120, .rows = 40});
  ASSERT_TRUE(desk.is_settled());
  for (const int columns : {40, 80}) {
    desk.resize({.columns = columns, .rows = 20});
    ASSERT_TRUE(desk.is_settled()) << desk.screen();
    ASSERT_TRUE(desk.has_on_screen("release/v3"));
    int lines = 0;
    std::istringstream text(desk.screen());
    for (std::string line; std::getline(text, line); ++lines) {
      const std::string plain = std::regex_replace(line, std::regex("\x1b\\[[0-9]*m"), "");
      EXPECT_LT(std::count_if(plain.begin(), plain.end(), [](char c) { return (c & 0xC0) != 0x80; }), columns)
          << plain;
    }
    EXPECT_LE(lines, 20);
  }
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, ADumbOrNarrowTerminalGetsANumberedListAndALineToType) {
  const World world;
  make_scene(world);
  for (const bool is_dumb : {true, false}) {
    const std::string before = digest_of_tree(world.root());
    DeskPty desk(world, {.columns = is_dumb ? 80 : 39, .rows = 24},
                 {is_dumb ? "TERM=dumb" : "TERM=xterm", "NO_COLOR=1"});
    ASSERT_TRUE(desk.shows("1  release/v3")) << desk.written();
    ASSERT_TRUE(desk.shows("what?"));
    desk.type("p 1\n");
    ASSERT_TRUE(desk.shows("Ship it?")) << desk.written();
    ASSERT_TRUE(desk.shows("what?"));
    desk.type("zzz\n");
    ASSERT_TRUE(desk.shows("that is no key here"));
    ASSERT_TRUE(desk.shows("what?"));
    EXPECT_EQ(desk.written().find('\x1b'), std::string::npos);
    desk.type(is_dumb ? "q\n" : kCtrlC);
    EXPECT_EQ(desk.end(), is_dumb ? 0 : 130) << desk.written();
    EXPECT_EQ(digest_of_tree(world.root()), before);
  }
  DeskPty desk(world, {}, {"TERM=dumb", "NO_COLOR=1"});
  ASSERT_TRUE(desk.shows("2  release/v4")) << desk.written();
  ASSERT_TRUE(desk.shows("what?"));
  desk.type("r 2\n");
  ASSERT_TRUE(desk.shows("done: release/v4")) << desk.written();
  EXPECT_TRUE(world.has("published-v4.txt"));
  ASSERT_TRUE(desk.shows("what?"));
  desk.type("\x04");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, ADamagedFileIsNamedWithItsCauseAndTheRestIsListed) {
  const World world;
  make_scene(world);
  DeskPty desk(world, {.columns = 120, .rows = 30});
  ASSERT_TRUE(choose(desk, "playbook/002-tørn")) << desk.screen();
  ASSERT_TRUE(desk.has_on_screen("specs/002-tørn/.pipeline-state.md")) << desk.screen();
  EXPECT_NE(desk.screen().find("UTF-8"), std::string::npos) << desk.screen();
  EXPECT_NE(desk.screen().find("release/v3"), std::string::npos);
  desk.type("q");
  EXPECT_EQ(desk.end(), 0);
}

TEST(Desk, NothingInterruptedOffersTwoThingsToDoAndEndsWithZero) {
  const World world;
  DeskPty desk(world, {});
  ASSERT_TRUE(desk.shows("nothing was interrupted here"));
  EXPECT_EQ(desk.end(), 0);
  EXPECT_NE(desk.written().find("reprise scan --all"), std::string::npos);
  EXPECT_NE(desk.written().find("reprise run WORKFLOW"), std::string::npos);
}

}  // namespace
}  // namespace reprise::cli_test
