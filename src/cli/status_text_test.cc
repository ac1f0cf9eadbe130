// A timeline laid out: one line per entry at every width, nothing lost with --verbose.

#include "cli/status_text.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

std::vector<TimelineEntry> entries(int count) {
  std::vector<TimelineEntry> made;
  for (int i = 0; i < count; ++i) {
    TimelineEntry entry{.at = {1'763'200'800'000 + i * 60'000}};
    entry.text =
        "entry " + std::to_string(i) + ": kept 12 step(s) of 3h 5m, did again überprüfen and two of the others";
    made.push_back(entry);
  }
  return made;
}

TEST(StatusText, ATimelineHasOneLinePerEntryThatFitsAt40And80And120Columns) {
  int lines = 0;
  for (const int width : {40, 80, 120}) {
    const std::string text = timeline_text(entries(5), {.width = width});
    for (const std::string_view line : split(trim(text), '\n')) {
      EXPECT_LE(columns_of(line), width) << line;
      ++lines;
    }
  }
  EXPECT_EQ(lines, (1 + 5 + 1) + (1 + 5 + 1) + (1 + 5))
      << "title, entries, and what shows the rest if some was cut";
}

TEST(StatusText, ANarrowTerminalGetsShortTimes) {
  EXPECT_NE(timeline_text(entries(1), {.width = 80}).find("2025-11-15T10:00:00Z entry 0"), std::string::npos);
  EXPECT_NE(timeline_text(entries(1), {.width = 40}).find("  11-15 10:00 entry 0"), std::string::npos);
}

TEST(StatusText, WithVerboseNothingIsCut) {
  for (const int width : {40, 80, 120}) {
    const std::string text = timeline_text(entries(60), {.width = width, .whole = true});
    EXPECT_EQ(text.find("…"), std::string::npos);
    int found = 0;
    for (std::size_t at = text.find("others"); at != std::string::npos; at = text.find("others", at + 1)) ++found;
    EXPECT_EQ(found, 60);
    for (const std::string_view line : split(trim(text), '\n')) EXPECT_LE(columns_of(line), width) << line;
  }
}

TEST(StatusText, OfALongHistoryTheBeginningAndTheNewestAreShown) {
  const std::string text = timeline_text(entries(100), {.width = 120});
  EXPECT_NE(text.find("entry 1:"), std::string::npos);
  EXPECT_EQ(text.find("entry 2:"), std::string::npos);
  EXPECT_NE(text.find("  … 60 more (--verbose shows them)\n"), std::string::npos);
  EXPECT_EQ(text.find("entry 61:"), std::string::npos);
  EXPECT_NE(text.find("entry 62:"), std::string::npos);
  EXPECT_NE(text.find("entry 99:"), std::string::npos);
}

TEST(StatusText, WhatAWorkerSaidCannotActOnTheTerminal) {
  TimelineEntry entry;
  entry.text = "note: \x1b[2Jgone\nsecond line";
  const std::string text = timeline_text({entry}, {.width = 80});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST(StatusText, NoEntriesGiveNoTitle) { EXPECT_EQ(timeline_text({}, {}), ""); }

}  // namespace
}  // namespace reprise
