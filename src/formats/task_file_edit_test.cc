// Tasks' files changed in place: only what was asked for, in the file's own layout; and the bytes of a new one.

#include "formats/task_file_edit.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/task_file.h"
#include "formats/task_test_files.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

std::string edited(const std::string& bytes, const TaskChange& change) {
  const Result<std::string> found = edit_task_file(bytes, change, "4.json");
  EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().message);
  return found.value_or("");
}
TaskClaim task_in(const std::string& bytes) { return read_task_file(bytes, "").value().task; }

// `bytes` with one text in place of another that is there exactly once.
std::string with(std::string bytes, const std::string& old_text, const std::string& new_text) {
  EXPECT_NE(bytes.find(old_text), std::string::npos) << old_text;
  EXPECT_EQ(bytes.find(old_text), bytes.rfind(old_text)) << old_text;
  return bytes.replace(bytes.find(old_text), old_text.size(), new_text);
}

TEST(TaskFileEdit, TP01_F1_AChangeThatChangesNothingGivesTheSameBytes) {
  for (const TestFile& file : task_fixtures()) {
    const TaskClaim task = task_in(file.bytes);
    TaskChange change{.subject = task.subject, .status = task.status};
    if (!task.owner.empty()) change.owner = task.owner;
    change.add_blocks = task.blocks;
    change.add_blocked_by = task.blocked_by;
    change.remove_blocks = {"77"};
    change.metadata = {{"never there", "null"}, {"phase", "null"}};
    if (task.metadata.contains("phase")) change.metadata[1].json = "\"P6\"";
    EXPECT_EQ(edited(file.bytes, change), file.bytes) << file.name;
    EXPECT_EQ(edited(file.bytes, {}), file.bytes);
  }
}

TEST(TaskFileEdit, TP01_F2_OnlyWhatIsChangedChanges) {
  EXPECT_EQ(edited(kPlainTask, {.status = TaskStatus::Completed}), with(kPlainTask, "in_progress", "completed"));
  EXPECT_EQ(edited(kPlainTask, {.owner = "ana \"b\""}), with(kPlainTask, "\"terminal-b\"", "\"ana \\\"b\\\"\""));
  EXPECT_EQ(edited(kPlainTask, {.owner = ""}), with(kPlainTask, ",\n  \"owner\": \"terminal-b\"", ""));
  EXPECT_EQ(edited(kPlainTask, {.add_blocks = {"7", "11"}}), with(kPlainTask, "\"9\"\n", "\"9\",\n    \"11\"\n"));
  EXPECT_EQ(edited(kPlainTask, {.remove_blocks = {"7"}}), with(kPlainTask, "\"7\",\n    ", ""));
  EXPECT_EQ(edited(kPlainTask, {.remove_blocked_by = {"1"}}), with(kPlainTask, "[\n    \"1\"\n  ]", "[]"));
  EXPECT_EQ(edited(kPlainTask, {.metadata = {{"domain", "null"}, {"phase", "\"P7\""}, {"n", "[1]"}}}),
            with(with(with(kPlainTask, "    \"domain\": \"execution\",\n", ""), "P6", "P7"), "\"parent\": \"1\"\n",
                 "\"parent\": \"1\",\n    \"n\": [\n      1\n    ]\n"));
  EXPECT_EQ(edited(kPlainTask, {.subject = "s", .description = "d", .active_form = "a"}),
            with(with(with(kPlainTask, "\"Draw the tide chart\"", "\"s\""),
                      R"("Heights for a month.\n\n```yaml\nphase: P9\n```")", "\"d\""),
                 "\"Drawing the tide chart\"", "\"a\""));
}

TEST(TaskFileEdit, TP01_AForeignLayoutAndSpellingIsKept) {
  EXPECT_EQ(edited(kForeignTask, {.add_blocked_by = {"3", "5"}}), with(kForeignTask, "\"4\"]", "\"4\", \"5\"]"));
  EXPECT_EQ(edited(kForeignTask, {.remove_blocked_by = {"3"}}), with(kForeignTask, "[3, ", "["));
  EXPECT_EQ(edited(kForeignTask, {.status = TaskStatus::Failed}), kForeignTask);
  EXPECT_EQ(edited(kForeignTask, {.status = TaskStatus::Completed}),
            with(kForeignTask, "\"failed\"", "\"completed\""));
}

TEST(TaskFileEdit, TP01_AFailedTaskIsWrittenSoThatItsToolStillShowsIt) {
  const std::string failed = edited(kPlainTask, {.status = TaskStatus::Failed});
  EXPECT_EQ(task_in(failed).status, TaskStatus::Failed);
  EXPECT_EQ(task_in(failed).status_word, "pending");
  EXPECT_EQ(task_in(failed).error, "failed");
  EXPECT_EQ(edited(failed, {.status = TaskStatus::Failed}), failed);
  const std::string told =
      edited(kPlainTask, {.status = TaskStatus::Failed, .metadata = {{"error", "\"no ink\""}}});
  EXPECT_EQ(task_in(told).error, "no ink");
  const std::string again = edited(told, {.status = TaskStatus::InProgress});
  EXPECT_EQ(again, kPlainTask) << "another status takes the error away";
  EXPECT_EQ(task_in(edited(told, {.status = TaskStatus::Completed})).status, TaskStatus::Completed);
}

TEST(TaskFileEdit, WhatIsMissingIsAdded) {
  const std::string bare = "{\n  \"id\": \"1\",\n  \"status\": \"pending\"\n}";
  const std::string full = edited(bare, {.owner = "ana", .metadata = {{"phase", "\"P1\""}}, .add_blocks = {"2"}});
  EXPECT_EQ(full,
            "{\n  \"id\": \"1\",\n  \"status\": \"pending\",\n  \"blocks\": [\n    \"2\"\n  ],\n  \"owner\": "
            "\"ana\",\n  "
            "\"metadata\": {\n    \"phase\": \"P1\"\n  }\n}");
  EXPECT_EQ(edited(R"({"id":"1","metadata":null,"blocks":null})", {.metadata = {{"a", "1"}}, .add_blocks = {"2"}}),
            R"({"id":"1","metadata":{"a":1},"blocks":["2"]})");
  EXPECT_EQ(edit_task_file(R"({"metadata": 3})", {.metadata = {{"a", "1"}}}, "").error().kind, ErrorKind::Invalid);
  EXPECT_EQ(edit_task_file("[]", {}, "").error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(edit_task_file("{", {.owner = "x"}, "").error().kind, ErrorKind::Corrupt);
}

TEST(TaskFileEdit, TP01_ANewFileIsWrittenAsTheToolWritesOne) {
  EXPECT_EQ(new_task_file("4", {.subject = "Draw \"it\"", .blocked_by = {"1"}}),
            "{\n  \"id\": \"4\",\n  \"subject\": \"Draw \\\"it\\\"\",\n  \"description\": \"\",\n  "
            "\"activeForm\": \"Draw "
            "\\\"it\\\"\",\n  \"status\": \"pending\",\n  \"blocks\": [],\n  \"blockedBy\": [\n    \"1\"\n  ]\n}");
  const std::string full = new_task_file("5", {.subject = "s",
                                               .description = "d\n",
                                               .active_form = "a",
                                               .owner = "o",
                                               .status = TaskStatus::Failed,
                                               .blocks = {"6", "7"},
                                               .metadata = {{"k", "1"}, {"gone", "null"}, {"k", "{\"b\": [2]}"}}});
  EXPECT_TRUE(
      full.ends_with("  \"owner\": \"o\",\n  \"metadata\": {\n    \"k\": {\n      \"b\": [\n        2\n      "
                     "]\n    },\n    \"error\": \"failed\"\n  }\n}"))
      << full;
  EXPECT_TRUE(read_task_file(full, "5.json").value().oddities.empty());
}

TEST(TaskFileEdit, ValuesAreStoredAsWhatTheyAre) {
  for (const char* json : {"3", "-1.5e3", "true", "false", "null", "[1, \"a\"]", "{\"a\": {}}"})
    EXPECT_EQ(as_json_value(json), json);
  EXPECT_EQ(as_json_value("P2"), "\"P2\"");
  EXPECT_EQ(as_json_value(""), "\"\"");
  EXPECT_EQ(as_json_value("\"a\""), "\"\\\"a\\\"\"");
  EXPECT_EQ(as_json_value("007"), "\"007\"");
  EXPECT_EQ(as_json_value("[1"), "\"[1\"");
  EXPECT_EQ(as_json_value("a\nb"), "\"a\\nb\"");
}

TEST(TaskFileEdit, TP01_MutatedAtRandomItIsRefusedOrChangedAsAsked) {
  std::mt19937 random(32);
  int rounds = 0;
  int changed = 0;
  const std::vector<TestFile> files = task_fixtures();
  const TaskChange change{.owner = "ana", .status = TaskStatus::Completed, .add_blocked_by = {"70"}};
  for (; rounds < 10'000; ++rounds) {
    const std::string bytes = mutated(files[random() % files.size()].bytes, task_pieces(), random);
    const Result<std::string> same = edit_task_file(bytes, {}, "4.json");
    ASSERT_EQ(same.has_value(), read_task_file(bytes, "4.json").has_value());
    if (!same) continue;
    EXPECT_EQ(*same, bytes);
    const Result<std::string> written = edit_task_file(bytes, change, "4.json");
    if (!written) {
      EXPECT_EQ(written.error().kind, ErrorKind::Invalid) << bytes;
      continue;
    }
    ++changed;
    const TaskClaim task = task_in(*written);
    EXPECT_EQ(task.owner, "ana") << *written;
    EXPECT_TRUE(task.status == TaskStatus::Completed || !task.error.empty()) << *written;
    EXPECT_NE(std::ranges::find(task.blocked_by, "70"), task.blocked_by.end()) << *written;
    EXPECT_EQ(edit_task_file(*written, change, "4.json").value(), *written) << "a second time changes nothing";
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(changed, 700);
}

TEST(TaskFileEdit, TP01_CutAtAnyByteAFileIsNotWrittenTo) {
  std::size_t cuts = 0;
  std::size_t expected = 0;
  for (const TestFile& file : task_fixtures()) {
    const std::size_t end = file.bytes.rfind('}') + 1;
    expected += end;
    for (std::size_t length = 0; length < end; ++length, ++cuts) {
      const Result<std::string> written =
          edit_task_file(file.bytes.substr(0, length), {.owner = "ana"}, file.name);
      ASSERT_FALSE(written.has_value()) << file.name << " " << length;
      EXPECT_EQ(written.error().kind, ErrorKind::Corrupt);
    }
  }
  EXPECT_EQ(cuts, expected);
  EXPECT_GT(cuts, 1'200u);
}

TEST(TaskFileEdit, RealTasksAreChangedInTheirOwnBytesOnly) {
  int files = 0;
  for (const TestFile& file : task_corpus()) {
    if (!file.bytes.starts_with('{')) continue;
    ++files;
    EXPECT_EQ(edited(file.bytes, {}), file.bytes);
    const std::string owned = edited(file.bytes, {.owner = "ana"});
    EXPECT_EQ(owned.size(), file.bytes.size() + std::string(",\n  \"owner\": \"ana\"").size()) << file.name;
    EXPECT_EQ(edited(owned, {.owner = ""}), file.bytes) << file.name;
    const std::string linked = edited(file.bytes, {.add_blocks = {"700"}, .add_blocked_by = {"701"}});
    EXPECT_EQ(edited(linked, {.remove_blocks = {"700"}, .remove_blocked_by = {"701"}}), file.bytes) << file.name;
  }
  if (files == 0) GTEST_SKIP() << "there are no real files beside the sources";
  EXPECT_GE(files, 7);
}

}  // namespace
}  // namespace reprise
