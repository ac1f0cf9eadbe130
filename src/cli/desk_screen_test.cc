// The desk as text, at any width and height.

#include "cli/desk_screen.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "cli/layout.h"
#include "cli/terminal.h"

namespace reprise {
namespace {

DeskEntry entry(const std::string& id, RunStatus status, int hours) {
  DeskEntry made;
  Candidate candidate{.id = {id}, .system = "own", .workflow = "w", .subject = id, .status = status};
  candidate.stage = "architect";
  candidate.updated_at = {1'000'000'000'000};
  candidate.age = std::chrono::hours(hours);
  candidate.resumable = true;
  made.members.push_back(candidate);
  return made;
}

DeskEntry ready(const std::string& id, int hours) {
  DeskEntry made = entry(id, RunStatus::Interrupted, hours);
  made.plan = Plan{.id = {id}, .readiness = Readiness::Ready};
  made.plan->decisions.push_back({.stage = "spec", .step = {"spec"}, .decision = Decision::Keep});
  made.plan->decisions.push_back({.stage = "tasks", .step = {"tasks"}, .decision = Decision::Run});
  made.plan->resume_point = 1;
  made.plan->saved_steps = 1;
  made.plan->saved_time = std::chrono::minutes(80);
  return made;
}

Desk many(int count) {
  Desk desk;
  for (int i = 0; i < count; ++i)
    desk.entries.push_back(ready("playbook/" + std::to_string(100 + i) + "-a-feature-with-a-long-name", i));
  return desk;
}

DeskView view_of(const Desk& desk, int width, int height = 24) {
  DeskView view{.desk = &desk, .project = "harbour", .width = width, .height = height};
  apply_filter(view);
  return view;
}

std::string text_of(const DeskView& view) { return join(desk_frame(view), "\n"); }

TEST(DeskScreen, NoLineIsWiderAndNoScreenIsTallerThanTheTerminal) {
  Desk desk = many(50);
  desk.entries[3].members[0].id.text = "playbook/日本語の名前がとても長い機能の名前です-機能-機能-機能";
  desk.entries[3].plan->findings.push_back(
      {.rule = "r", .code = "c", .severity = Severity::Warning, .message = std::string(300, 'x') + " and words"});
  desk.problems.push_back("the record of runs cannot be read: something long that has to be cut off somewhere");
  int screens = 0;
  for (const int width : {20, 30, 39, 40, 41, 63, 64, 80, 120, 200}) {
    for (const int height : {5, 8, 10, 16, 24, 60}) {
      for (const bool colour : {false, true}) {
        DeskView view = view_of(desk, width, height);
        view.colour = colour;
        view.selected = 3;
        scroll_to_selected(view);
        const std::vector<std::string> lines = desk_frame(view);
        EXPECT_LT(lines.size(), static_cast<std::size_t>(height));
        for (const std::string& line : lines) EXPECT_LT(columns_of(line), width) << line;
        ++screens;
      }
    }
  }
  EXPECT_EQ(screens, 120);
}

TEST(DeskScreen, ARowSaysWhereItStoppedHowLongAgoAndHowFarItCanBeTrusted) {
  Desk desk = many(1);
  desk.entries[0].members[0].id.text = "playbook/001-login";
  const std::string text = text_of(view_of(desk, 100));
  EXPECT_NE(text.find("> 1  playbook/001-login"), std::string::npos) << text;
  EXPECT_NE(text.find("at tasks"), std::string::npos) << text;
  EXPECT_NE(text.find("0s    clean"), std::string::npos) << text;
  EXPECT_NE(text.find("goes on at tasks, keeps 1 finished step (1h 20m of work), 1 step to go"), std::string::npos)
      << text;
}

TEST(DeskScreen, WhatHasNotBeenLookedAtIsNotCalledClean) {
  Desk desk;
  desk.entries.push_back(entry("w/a", RunStatus::Interrupted, 2));
  EXPECT_EQ(trust_words(desk.entries[0]), "…");
  EXPECT_EQ(text_of(view_of(desk, 80)).find("  clean\n"), std::string::npos);
}

TEST(DeskScreen, ColourOnlyAdds) {
  const Desk desk = many(5);
  DeskView view = view_of(desk, 80);
  const std::string plain = text_of(view);
  view.colour = true;
  std::string coloured = text_of(view);
  EXPECT_NE(coloured, plain);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b'))
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, plain);
}

TEST(DeskScreen, FiftyEntriesScrollAndEachCanBeReached) {
  const Desk desk = many(50);
  DeskView view = view_of(desk, 80);
  int reached = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    view.selected = i;
    scroll_to_selected(view);
    const std::string text = text_of(view);
    reached += text.find("> " + std::string(i < 9 ? " " : "") + std::to_string(i + 1) + "  ") != std::string::npos;
    EXPECT_LE(view.top, i);
    EXPECT_LT(i, view.top + rows_on_screen(view));
  }
  EXPECT_EQ(reached, 50);
}

TEST(DeskScreen, AFilterKeepsTheSelectionIfItFitsAndSaysHowManyRowsThereAre) {
  const Desk desk = many(50);
  DeskView view = view_of(desk, 80);
  view.selected = 11;
  view.filter = "11";
  apply_filter(view);
  ASSERT_EQ(view.shown.size(), 10u) << "110 to 119";
  EXPECT_EQ(view.shown[view.selected], 11u);
  EXPECT_NE(text_of(view).find("only what has \"11\": 10 rows"), std::string::npos) << text_of(view);
  view.filter = "no such thing";
  apply_filter(view);
  EXPECT_TRUE(view.shown.empty());
  EXPECT_NE(text_of(view).find("nothing has this in it"), std::string::npos);
}

TEST(DeskScreen, FilesThatDisagreeAreShownTogetherTheNewestFirst) {
  Desk desk;
  desk.entries.push_back(entry("playbook/001-login", RunStatus::Interrupted, 2));
  Candidate other = desk.entries[0].members[0];
  other.id.text = "spec-loop/001-login";
  desk.entries[0].members[0].system = "playbook";
  other.status = RunStatus::Done;
  other.updated_at = {999'000'000'000};
  desk.entries[0].members.push_back(other);
  const std::string text = desk_text(view_of(desk, 120));
  const std::size_t newest = text.find("newest    playbook/001-login: interrupted at architect");
  const std::size_t older = text.find("older     spec-loop/001-login: done");
  ASSERT_NE(newest, std::string::npos) << text;
  ASSERT_NE(older, std::string::npos) << text;
  EXPECT_LT(newest, older);
  EXPECT_NE(text.find("warning   spec-loop/001-login says done"), std::string::npos) << text;
}

TEST(DeskScreen, TextFromOutsideCannotActOnTheTerminal) {
  Desk desk;
  desk.entries.push_back(entry("w/\x1b[2Jevil\n\r\x07", RunStatus::Interrupted, 2));
  desk.entries[0].members[0].stage = "\x1b]0;title\x07s";
  desk.entries[0].members[0].state_file = "a\x1b[31mb";
  desk.entries[0].plan = Plan{.id = {"w"}, .readiness = Readiness::Blocked};
  desk.entries[0].plan->findings.push_back({.severity = Severity::Blocking, .message = "m\x1b[1A"});
  desk.entries[0].plan->options.push_back({"manual", "x\x1b[1A"});
  for (const std::string& text : {text_of(view_of(desk, 80)), desk_text(view_of(desk, 80))}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_EQ(text.find('\x07'), std::string::npos);
    EXPECT_EQ(text.find('\r'), std::string::npos);
  }
}

TEST(DeskScreen, AnEmptyDeskOffersTwoThingsToDo) {
  const std::string text = desk_empty_text({}, 80);
  EXPECT_NE(text.find("reprise scan --all"), std::string::npos);
  EXPECT_NE(text.find("reprise run WORKFLOW"), std::string::npos);
}

TEST(DeskScreen, AnAgeIsTheLargestUnit) {
  EXPECT_EQ(short_age(std::chrono::seconds(-3)), "0s");
  EXPECT_EQ(short_age(std::chrono::seconds(59)), "59s");
  EXPECT_EQ(short_age(std::chrono::minutes(59)), "59m");
  EXPECT_EQ(short_age(std::chrono::hours(23)), "23h");
  EXPECT_EQ(short_age(std::chrono::hours(24 * 400)), "400d");
}

std::vector<Key::Kind> kinds_of(std::string typed) {
  std::vector<Key::Kind> kinds;
  while (std::optional<Key> key = take_key(typed, true)) kinds.push_back(key->kind);
  return kinds;
}

TEST(Keys, BytesBecomeKeys) {
  using K = Key::Kind;
  EXPECT_EQ(kinds_of("a\r\n\x7f\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b\x03"),
            (std::vector<K>{K::Text, K::Enter, K::Enter, K::Erase, K::Up, K::Down, K::PageUp, K::PageDown,
                            K::First, K::Last, K::Escape, K::Ended}));
  EXPECT_EQ(kinds_of("\x1b[1;5C\x01q"), (std::vector<K>{K::None, K::None, K::Text}))
      << "what means nothing is swallowed whole";
}

TEST(Keys, ACutSequenceOrCharacterWaitsForItsRest) {
  for (const std::string whole : {"\x1b[A", "\x1b[5~", "é", "日"}) {
    for (std::size_t i = 1; i < whole.size(); ++i) {
      std::string typed = whole.substr(0, i);
      EXPECT_FALSE(take_key(typed, false)) << i;
      typed += whole.substr(i);
      ASSERT_TRUE(take_key(typed, false));
      EXPECT_TRUE(typed.empty());
    }
  }
}

}  // namespace
}  // namespace reprise
