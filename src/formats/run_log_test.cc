// The lanes' run log: lines that stand by themselves, and a reader that loses nothing of what others wrote.

#include "formats/run_log.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/playbook_test_files.h"
#include "testing/mutations.h"
#include "text/json_document.h"

namespace reprise {
namespace {

RunLogEvent an_event(const std::string& notes) {
  return {.ts = *parse_timestamp("2026-04-01T06:00:00Z"),
          .run_id = "P1-SL-1-20260401",
          .phase = "P1",
          .lane = "SL-1",
          .task = "P1-SL-1-02",
          .event = "test_done",
          .status = LogStatus::Error,
          .cmd = "make check",
          .exit_code = 2,
          .notes = notes};
}

// Lines of several programs: a prefix with pipes, values over many lines, text, a value that is no event, a torn
// one.
const std::string kMixed =
    "2026-04-01T05:00:00Z|P1|phase|-|-|phase_start|running|Start | now\n"
    "{\n  \"ts\": \"2026-04-01T08:01:00+02:00\",\n  \"run_id\": \"r\",\n  \"lane\": \"SL-1\",\n  \"task\": "
    "\"-\",\n"
    "  \"event\": \"lane_start\",\n  \"status\": \"success\",\n  \"exit_code\": null\n}\n"
    "{\"ts\":\"2026-04-01T06:02:00Z\",\"run_id\":\"r\",\"event\":\"task_start\",\"status\":\"in_progress\","
    "\"notes\":\"\x1B[31mred\"}\n"
    "make: *** [all] Error 2\nmore {of} it\n"
    "{\"ts\": \"2026-04-01T06:03:00Z\", \"event\": \"torn\",\n  \"list\": [\n  {\"event\": \"inner\"},\n"
    "{\"ts\":\"2026-04-01T06:04:00Z\",\"event\":\"task_done\",\"status\":\"Passed\"}{\"event\":\"b\",\"status\":"
    "\"?\"}\n"
    "{\"other\": 1}\n"
    "{\"ts\":\"2026-04-01T06:05:00Z\",\"event\":\"test_st";

Strings events_of(const RunLog& log) {
  Strings out;
  for (const ReadLogEvent& read : log.events) {
    out.push_back(std::to_string(read.line) + " " + read.event.event + " " +
                  std::string(token_in(kLogStatusTokens, read.event.status)));
  }
  return out;
}

TEST(RunLog, LN10_ALineHasEveryFieldAndADashForWhatDoesNotApply) {
  EXPECT_EQ(run_log_line(an_event("2 failed")),
            "{\"ts\":\"2026-04-01T06:00:00Z\",\"run_id\":\"P1-SL-1-20260401\",\"phase\":\"P1\",\"lane\":\"SL-1\","
            "\"task\":\"P1-SL-1-02\",\"event\":\"test_done\",\"status\":\"error\",\"cmd\":\"make "
            "check\",\"exit_code\":2,"
            "\"notes\":\"2 failed\"}\n");
  EXPECT_EQ(run_log_line({.ts = {1}, .run_id = "r", .event = "phase_start"}),
            "{\"ts\":\"1970-01-01T00:00:00.001Z\",\"run_id\":\"r\",\"phase\":\"-\",\"lane\":\"-\",\"task\":\"-\","
            "\"event\":\"phase_start\",\"status\":\"ok\"}\n");
}

TEST(RunLog, LN10_WhateverIsInAFieldTheLineStandsByItself) {
  int bytes = 0;
  for (int byte = 0; byte < 256; ++byte, ++bytes) {
    const std::string notes = "a" + std::string(1, static_cast<char>(byte)) + "b";
    RunLogEvent event = an_event(notes);
    event.cmd = notes;
    event.lane = notes;
    const std::string line = run_log_line(event);
    EXPECT_EQ(line.find_first_of("\n\r"), line.size() - 1) << byte;
    EXPECT_TRUE(JsonDocument::parse(line, {}).has_value()) << byte;
    const RunLog log = read_run_log(line);
    ASSERT_EQ(log.events.size(), 1u) << byte;
    EXPECT_TRUE(log.raw.empty()) << byte;
    if (byte < 128) {
      EXPECT_EQ(log.events[0].event, event) << byte;
    }
  }
  EXPECT_EQ(bytes, 256);
}

TEST(RunLog, LN10_ATornTailNeverFusesWithTheNextLine) {
  EXPECT_EQ(heal_run_log(""), "");
  EXPECT_EQ(heal_run_log("}\n"), "");
  EXPECT_EQ(heal_run_log("}\r"), "\n");
  const std::string first = run_log_line(an_event("one"));
  const std::string second = run_log_line(an_event("two"));
  const std::string third = run_log_line(an_event("three"));
  std::size_t cuts = 0;
  for (std::size_t length = 0; length <= second.size(); ++length, ++cuts) {
    std::string file = first + second.substr(0, length);
    file += heal_run_log(file);
    file += third;
    const RunLog log = read_run_log(file);
    const bool is_whole = length >= second.size() - 1;  // only the line end was torn off
    ASSERT_EQ(log.events.size(), is_whole ? 3u : 2u) << length;
    EXPECT_EQ(log.events.front().event.notes, "one");
    EXPECT_EQ(log.events.back().event.notes, "three");
    EXPECT_EQ(log.raw.size(), length == 0 || is_whole ? 0u : 1u);
  }
  EXPECT_EQ(cuts, second.size() + 1);
}

TEST(RunLog, WhatManyProgramsWroteIsReadAsAStream) {
  const RunLog log = read_run_log(kMixed);
  EXPECT_EQ(events_of(log), (Strings{"1 phase_start running", "2 lane_start ok", "11 task_start running",
                                     "17 task_done ok", "17 b unknown"}));
  EXPECT_EQ(log.events[0].event.notes, "Start | now");
  EXPECT_EQ(log.events[0].event.phase, "P1");
  EXPECT_EQ(log.events[0].event.lane, "");
  EXPECT_EQ(log.events[1].event.ts, parse_timestamp("2026-04-01T06:01:00Z"));
  EXPECT_EQ(log.events[1].event.task, "");
  EXPECT_EQ(log.events[1].event.exit_code, std::nullopt);
  EXPECT_EQ(log.events[2].event.notes, "\x1B[31mred");
  EXPECT_EQ(log.events[3].status_text, "Passed");
  EXPECT_FALSE(log.events[4].has_time);
  ASSERT_EQ(log.raw.size(), 2u);
  EXPECT_EQ(log.raw[0].line, 12);
  EXPECT_TRUE(text_of(kMixed, log.raw[0].span).starts_with("make: ***"));
  EXPECT_TRUE(text_of(kMixed, log.raw[0].span).ends_with("{\"event\": \"inner\"},"));
  EXPECT_FALSE(log.raw[0].is_torn_tail);
  EXPECT_EQ(log.raw[1].line, 18);
  EXPECT_TRUE(log.raw[1].is_torn_tail);
}

TEST(RunLog, EveryWordInUseForAStatusIsUnderstood) {
  for (const char* word : {"ok", "success", "complete", "completed", "pass", "passed", "PASSED"}) {
    EXPECT_EQ(log_status_from(word), LogStatus::Ok) << word;
  }
  for (const char* word : {"running", "started", "in_progress", "In Progress"}) {
    EXPECT_EQ(log_status_from(word), LogStatus::Running) << word;
  }
  EXPECT_EQ(log_status_from("failed (2)"), LogStatus::Error);
  EXPECT_EQ(log_status_from("blocked"), LogStatus::Blocked);
  EXPECT_EQ(log_status_from("skipped"), LogStatus::Skipped);
  for (const char* word : {"", "-", "maybe", "okay"}) EXPECT_EQ(log_status_from(word), LogStatus::Unknown) << word;
}

TEST(RunLog, TheLastEntriesOfALaneAreThoseOfItsRun) {
  std::string file;
  for (int i = 0; i < 9; ++i) {
    RunLogEvent event = an_event("n" + std::to_string(i));
    if (i == 7) event.lane = "SL-2";
    if (i == 8) event.run_id = "other";
    file += run_log_line(event);
  }
  const Strings last = last_log_entries(read_run_log(file), "P1-SL-1-20260401", "SL-1", 5);
  ASSERT_EQ(last.size(), 5u);
  EXPECT_EQ(last[0], "P1-SL-1-02: test_done error, make check, exit code 2: n2");
  EXPECT_EQ(last[4], "P1-SL-1-02: test_done error, make check, exit code 2: n6");
}

// Events and raw stretches follow one another, and only space stands between them.
void expect_nothing_lost(const std::string& bytes) {
  const RunLog log = read_run_log(bytes);
  std::vector<std::pair<TextSpan, int>> parts;
  for (const ReadLogEvent& read : log.events) parts.emplace_back(read.span, read.line);
  for (const RawLogSpan& raw : log.raw) parts.emplace_back(raw.span, raw.line);
  std::ranges::sort(parts, {}, [](const auto& part) { return part.first.begin; });
  std::size_t at = text_start(bytes);
  for (const auto& [span, line] : parts) {
    ASSERT_GE(span.begin, at);
    ASSERT_LT(span.begin, span.end);
    EXPECT_EQ(bytes.substr(at, span.begin - at).find_first_not_of(" \t\r\n"), std::string::npos);
    const auto ends = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(span.begin), '\n');
    EXPECT_EQ(line, 1 + ends);
    at = span.end;
  }
  EXPECT_EQ(bytes.substr(at).find_first_not_of(" \t\r\n"), std::string::npos);
}

TEST(RunLog, CutOrMutatedNothingOfItIsLost) {
  int rounds = 0;
  for (std::size_t length = 0; length <= kMixed.size(); ++length, ++rounds)
    expect_nothing_lost(kMixed.substr(0, length));
  EXPECT_EQ(rounds, static_cast<int>(kMixed.size()) + 1);
  const Strings pieces = {"{",    "}",
                          "\n",   "\r\n",
                          "\"",   ",",
                          "|",    "[",
                          "\n{",  std::string(1, '\0'),
                          "\xFF", "\xEF\xBB\xBF",
                          "{}",   "{\"ts\":1}\n",
                          " "};
  std::mt19937 random(17);
  for (rounds = 0; rounds < 10'000; ++rounds) expect_nothing_lost(mutated(kMixed, pieces, random));
  EXPECT_EQ(rounds, 10'000);
}

TEST(RunLog, P13_ManyTornValuesAreLinear) {
  for (const std::string line :
       {"{\"a\":[1,\n", "{\"a\":{},\n", "{\"a\":[\n{},\n", "{\n", "[\n", "x|\n", "{\"a\":\n"}) {
    std::string bytes;
    for (int i = 0; i < 50'000; ++i) bytes += line;
    EXPECT_TRUE(read_run_log(bytes).events.empty());
  }
}

TEST(RunLog, RealLogsAreRead) {
  const std::vector<TestFile> files = test_files_in(source_folder() / "../shared/corpus/run-log");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  for (const TestFile& file : files) {
    const RunLog log = read_run_log(file.bytes);
    EXPECT_GE(log.events.size(), 9u) << file.name;
    EXPECT_TRUE(log.raw.empty()) << file.name;
    for (const ReadLogEvent& read : log.events) {
      EXPECT_TRUE(read.has_time) << file.name << ":" << read.line;
      EXPECT_NE(read.event.status, LogStatus::Unknown) << file.name << ":" << read.line << " " << read.status_text;
      EXPECT_FALSE(read.event.event.empty());
    }
    expect_nothing_lost(file.bytes);
  }
}

}  // namespace
}  // namespace reprise
