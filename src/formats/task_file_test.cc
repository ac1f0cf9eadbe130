// Tasks as their files claim them: what is read, what is listed, what is refused; and lists put together.

#include "formats/task_file.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/task_links.h"
#include "formats/task_outputs.h"
#include "formats/task_phase_words.h"
#include "formats/task_test_files.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

ReadTask read_file(const std::string& bytes, std::string_view file = "") {
  Result<ReadTask> found = read_task_file(bytes, file);
  EXPECT_TRUE(found.has_value()) << bytes << ": " << (found ? "" : found.error().message);
  return found ? std::move(*found) : ReadTask();
}

// A task with these members besides an id and a subject.
TaskClaim task_with(const std::string& members) {
  return read_file(R"({"id": "3", "subject": "x", "status": "pending", )" + members + "}").task;
}

std::string whys(const std::vector<Oddity>& oddities) {
  std::string text;
  for (const Oddity& each : oddities) text += std::to_string(each.line) + " " + each.text + ": " + each.why + "\n";
  return text;
}

ReadTask simple(const std::string& id, const std::string& status, const Strings& blocks,
                const Strings& blocked_by) {
  ReadTask read_file;
  read_file.task.id = id;
  read_file.task.file = id + ".json";
  read_file.task.status_word = status;
  read_file.task.status = value_in(kTaskStatusTokens, status).value_or(TaskStatus::Unknown);
  read_file.task.blocks = blocks;
  read_file.task.blocked_by = blocked_by;
  return read_file;
}

TEST(TaskFile, TP01_ATaskIsReadWithOwnerEdgesAndMetadata) {
  const ReadTask found = read_file(kPlainTask, "4.json");
  const TaskClaim& task = found.task;
  EXPECT_EQ(whys(found.oddities), "");
  EXPECT_EQ(task.id, "4");
  EXPECT_EQ(task.subject, "Draw the tide chart");
  EXPECT_EQ(task.status, TaskStatus::InProgress);
  EXPECT_EQ(task.owner, "terminal-b");
  EXPECT_EQ(task.blocks, (Strings{"7", "9"}));
  EXPECT_EQ(task.blocked_by, (Strings{"1"}));
  EXPECT_EQ(task.phase, TaskPhase::P6);
  EXPECT_EQ(task.domain, "execution");
  EXPECT_EQ(task.agent, "implementer");
  EXPECT_EQ(task.files, (Strings{"src/tide.cc", "src/chart.cc"}));
  EXPECT_EQ(task.parent, "1");
  EXPECT_EQ(task.metadata.size(), 5u);
  EXPECT_FALSE(task.is_permanent || task.is_internal || task.is_damaged || task.is_numeric_id);
}

TEST(TaskFile, TP01_AFileOfAnotherProgramIsReadAndWhatIsOddIsListed) {
  const ReadTask found = read_file(kForeignTask, "12.json");
  const TaskClaim& task = found.task;
  EXPECT_EQ(task.id, "12");
  EXPECT_TRUE(task.is_numeric_id);
  EXPECT_EQ(task.status, TaskStatus::Failed);
  EXPECT_EQ(task.status_word, "failed");
  EXPECT_EQ(task.blocked_by, (Strings{"3", "4"}));
  EXPECT_EQ(task.phase, TaskPhase::P7);
  EXPECT_EQ(task.outputs, (Strings{"notes/leak.md"}));
  EXPECT_EQ(task.completed_at, parse_timestamp("2026-03-01T08:00:00Z"));
  EXPECT_FALSE(task.is_internal);
  EXPECT_EQ(found.oddities.size(), 2u) << whys(found.oddities);
  EXPECT_EQ(found.oddities[0].line, 3);
  EXPECT_EQ(found.oddities[0].text, "12.json");
}

TEST(TaskFile, TP01_StatusWords) {
  const auto status = [](const std::string& members) {
    return read_file("{\"id\": \"1\", " + members + "}").task.status;
  };
  EXPECT_EQ(status(R"("status": "pending")"), TaskStatus::Pending);
  EXPECT_EQ(status(R"("status": "completed")"), TaskStatus::Completed);
  EXPECT_EQ(status(R"("status": "failed")"), TaskStatus::Failed);
  EXPECT_EQ(status(R"("status": "In Progress")"), TaskStatus::InProgress);
  EXPECT_EQ(status(R"("status": "completed", "metadata": {"error": "agent_interrupted"})"), TaskStatus::Failed);
  EXPECT_EQ(status(R"("status": "pending", "metadata": {"error": {"code": 3}})"), TaskStatus::Failed);
  EXPECT_EQ(status(R"("status": "pending", "metadata": {"error": true})"), TaskStatus::Failed);
  EXPECT_EQ(status(R"("status": "in_progress", "metadata": {"error": "x"})"), TaskStatus::InProgress);
  for (const char* nothing : {"null", "\"\"", "false"})
    EXPECT_EQ(status(R"("status": "completed", "metadata": {"error": )" + std::string(nothing) + "}"),
              TaskStatus::Completed);
  for (const char* unknown : {"\"done\"", "\"deleted\"", "\"unknown\"", "\"\"", "3", "null", "[\"pending\"]"})
    EXPECT_EQ(status("\"status\": " + std::string(unknown)), TaskStatus::Unknown) << unknown;
  const ReadTask odd = read_file(R"({"id": "1", "status": "done"})");
  EXPECT_EQ(odd.task.status_word, "done");
  EXPECT_EQ(whys(odd.oddities), "1 : \"done\" is no known status\n");
}

TEST(TaskFile, TP01_PhasesInEverySpelling) {
  const auto phase = [](const std::string& json) {
    return task_with("\"metadata\": {\"phase\": " + json + "}").phase;
  };
  for (const char* six : {"\"P6\"", "\"p6\"", "\"Phase 6\"", "\"phase-6\"", "6", "\"6\"", "\"P6 - execution\"",
                          "\"**P6**\"", "\"execution\"", "\"P6: execution\"", "\"P6-execution\""})
    EXPECT_EQ(phase(six), TaskPhase::P6) << six;
  EXPECT_EQ(phase("\"plan-verify\""), TaskPhase::P4);
  for (const char* none : {"[\"P6\"]", "\"P6-P7\"", "\"P9\"", "9", "\"P1 | P2 | P3\"", "\"planning\"", "\"P66\"",
                           "\"P6b\"", "{}", "\"-1\"", "\"P\""}) {
    const TaskClaim task = task_with("\"metadata\": {\"phase\": " + std::string(none) + "}");
    EXPECT_EQ(task.phase, std::nullopt) << none;
    EXPECT_NE(task.phase_word, "") << none;
  }
  EXPECT_EQ(task_with(R"("metadata": {"phaseId": "P2"})").phase, TaskPhase::P2);
  EXPECT_EQ(phase("null"), std::nullopt);
}

TEST(TaskFile, TP01_MetadataDialects) {
  const std::string digest(64, 'a');
  const TaskClaim task = task_with(R"("metadata": {"files": "a.cc, b.cc", "l1": "one.yaml", "L2": ["two.md"],
    "output": {"a": 1}, "file_hashes": {"a.cc": ")" +
                                   digest + R"(", "b.cc": "sha256:pending", "c.cc": "abc"},
    "commit": "1a2b3c4", "commits": ["5d6e7f8"], "completed_at": "2026-03-02", "_internal": true, "parent": 1,
    "n": 3, "reason": "duplicate", "o": {"a b" : [ "c \" d", 1 ] }})");
  EXPECT_EQ(task.files, (Strings{"a.cc", "b.cc"}));
  EXPECT_EQ(task.outputs, (Strings{"one.yaml", "two.md"}));
  EXPECT_EQ(task.results, (Strings{"{\"a\":1}"}));
  EXPECT_EQ(task.hashes.at("a.cc"), "sha256:" + digest);
  EXPECT_EQ(task.commits, (Strings{"1a2b3c4", "5d6e7f8"}));
  EXPECT_EQ(task.completed_at, parse_timestamp("2026-03-02"));
  EXPECT_TRUE(task.is_internal);
  EXPECT_EQ(task.parent, "1");
  EXPECT_EQ(task.reason, "duplicate");
  EXPECT_EQ(task.metadata.at("n"), "3");
  EXPECT_EQ(task.metadata.at("o"), R"({"a b":["c \" d",1]})");
  EXPECT_EQ(task.metadata.at("L2"), "[\"two.md\"]");
}

TEST(TaskFile, TP08_OutputsInWordsAreToldFromFiles) {
  for (const char* path :
       {"a.txt", "src/app", "/tmp/pipeline/x.md", "~/a.md", "`a.txt`", ".gitignore", "./a", "b/c.d.ts"})
    EXPECT_TRUE(is_written_like_path(path)) << path;
  for (const char* words : {"", "done", "v1.2", "12/12", "It works.", "see a.txt", "PASS|tasks:3", "{\"a\":1}",
                            "https://example.org/a.txt", "a.txt\nb.txt", "*.txt"})
    EXPECT_FALSE(is_written_like_path(words)) << words;
  EXPECT_EQ(read_task_outputs("a.txt, b/c").files, (Strings{"a.txt", "b/c"}));
  EXPECT_EQ(read_task_outputs("- a.txt\n- b.txt\n").files, (Strings{"a.txt", "b.txt"}));
  EXPECT_EQ(read_task_outputs("a.txt, and notes").texts, (Strings{"a.txt, and notes"}));
  EXPECT_TRUE(read_task_outputs(" \n").texts.empty());
}

TEST(TaskFile, TheFilesNameCountsAndADifferentIdIsListed) {
  const ReadTask found = read_file(R"({"id": "5", "subject": "x", "status": "pending"})", "4.json");
  EXPECT_EQ(found.task.id, "4");
  EXPECT_EQ(whys(found.oddities), "1 4.json: it says that it is task \"5\"; its file's name counts\n");
  EXPECT_EQ(read_file(R"({"subject": "x", "status": "pending"})", "7.json").task.id, "7");
  EXPECT_EQ(id_of_task_file("7.json"), "7");
  for (const char* other : {".json", ".7.json", "7.json.tmp", ".lock", "7", "7.JSON"})
    EXPECT_EQ(id_of_task_file(other), "") << other;
}

TEST(TaskFile, WhatIsNotATaskIsCorruptWithItsPlace) {
  const std::vector<std::string> cases = {
      "", "null", "3", "\"x\"", "[]", "{", "{} x", "{\"a\":}", "{\"a\": \"\xFF\"}", std::string("{\0}", 3)};
  for (const std::string& bytes : cases) {
    const Result<ReadTask> found = read_task_file(bytes, "3.json");
    ASSERT_FALSE(found.has_value()) << bytes;
    EXPECT_EQ(found.error().kind, ErrorKind::Corrupt);
    EXPECT_EQ(found.error().file, "3.json");
    EXPECT_GE(found.error().line, 1) << bytes;
    EXPECT_GE(found.error().column, 1) << bytes;
  }
  EXPECT_EQ(read_task_file(std::string((8u << 20) + 1, ' '), "").error().kind, ErrorKind::Corrupt);
}

TEST(TaskFile, TP01_CutAtAnyByteATaskIsNotTakenForWhole) {
  int cuts = 0;
  std::size_t expected = 0;
  for (const TestFile& file : task_fixtures()) {
    const std::size_t end = file.bytes.rfind('}') + 1;
    expected += end;
    for (std::size_t length = 0; length < end; ++length, ++cuts) {
      const Result<ReadTask> found = read_task_file(file.bytes.substr(0, length), file.name);
      ASSERT_FALSE(found.has_value()) << file.name << " " << length;
      EXPECT_EQ(found.error().kind, ErrorKind::Corrupt);
      EXPECT_GE(found.error().line, 1);
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(cuts), expected);
  EXPECT_GT(cuts, 1'200);
}

TEST(TaskFile, TP01_SnapshotsAreListsInOneFile) {
  EXPECT_TRUE(read_task_snapshot("[\n]", "s.json").value().empty());
  EXPECT_TRUE(read_task_snapshot("", "s.json").value().empty());
  EXPECT_TRUE(read_task_snapshot("\xEF\xBB\xBF\n", "s.json").value().empty());
  const std::vector<ReadTask> two =
      read_task_snapshot("[\n" + kPlainTask + ",\n" + kForeignTask.substr(3) + "]", "s.json").value();
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].task.id, "4");
  EXPECT_EQ(two[1].task.id, "12");
  EXPECT_EQ(read_task_snapshot("[" + kPlainTask + ", 3]", "s.json").error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(read_task_snapshot("[" + kPlainTask, "s.json").error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(read_task_snapshot("{}", "s.json").error().kind, ErrorKind::Corrupt);
}

TEST(TaskFile, PermanentByItsPrefix) {
  EXPECT_EQ(behind_permanent_prefix("[PERMANENT] Tides"), "Tides");
  EXPECT_EQ(behind_permanent_prefix("[PERMANENT]"), "");
  EXPECT_EQ(behind_permanent_prefix(" [ permanent ]Tides "), "Tides");
  for (const char* none : {"PERMANENT Tides", "Tides [PERMANENT]", "[PERMANENTLY] x", "[PERMANENT", "[]", ""})
    EXPECT_EQ(behind_permanent_prefix(none), std::nullopt) << none;
  EXPECT_TRUE(read_file(R"({"id": "1", "status": "pending", "subject": "[PERMANENT] x"})").oddities.empty());
  EXPECT_EQ(read_file(R"({"id": "1", "status": "pending", "subject": "[Permanent] x"})").oddities.size(), 1u);
  const ReadTask typed = read_file(R"({"id": "1", "status": "pending", "metadata": {"type": "permanent"}})");
  EXPECT_FALSE(typed.task.is_permanent);
  EXPECT_EQ(typed.oddities.size(), 1u);
}

TEST(TaskList, NumbersComeInOrderAndBeforeWords) {
  const TaskListClaims list = assemble_task_list(
      "l",
      {simple("10", "pending", {}, {}), simple("b", "pending", {}, {}), simple("9", "pending", {}, {}),
       simple("99999999999999999999", "pending", {}, {}), simple("a", "pending", {}, {})},
      4);
  Strings ids;
  for (const TaskClaim& task : list.tasks) ids.push_back(task.id);
  EXPECT_EQ(ids, (Strings{"9", "10", "99999999999999999999", "a", "b"}));
  EXPECT_EQ(list.high_water_mark, 10);
  EXPECT_EQ(assemble_task_list("l", {}, 4).high_water_mark, 4);
  EXPECT_EQ(find_task(list.tasks, "10")->id, "10");
  EXPECT_EQ(find_task(list.tasks, "11"), nullptr);
}

TEST(TaskList, TP01_AnEdgeThatOnlyOneSideHasCountsAndIsListed) {
  const TaskListClaims list = assemble_task_list(
      "l",
      {simple("1", "pending", {"2"}, {}), simple("2", "pending", {}, {}), simple("3", "pending", {}, {"2"}),
       simple("4", "pending", {"5"}, {}), simple("5", "pending", {}, {"4"})},
      0);
  EXPECT_EQ(list.tasks[1].blocked_by, (Strings{"1"}));
  EXPECT_EQ(list.tasks[1].blocks, (Strings{"3"}));
  EXPECT_EQ(
      whys(list.oddities),
      "0 2.json: task \"1\" blocks task \"2\", which does not say that it waits for it; it is taken to be so\n"
      "0 2.json: task \"3\" waits for task \"2\", which does not say that it blocks it; it is taken to be so\n");
}

TEST(TaskList, TP01_AMissingBlockerIsFinishedAndADamagedTaskIsStillWaitedFor) {
  const Error torn{.kind = ErrorKind::Corrupt, .message = "torn", .line = 2, .column = 7};
  const TaskListClaims list =
      assemble_task_list("l",
                         {simple("2", "pending", {}, {"1", "3", "4", "5"}), damaged_task("3.json", torn),
                          simple("4", "completed", {"2"}, {}), simple("5", "failed", {"2"}, {})},
                         0);
  EXPECT_EQ(open_blockers(list.tasks, list.tasks[0]), (Strings{"3", "5"}));
  EXPECT_TRUE(list.tasks[1].is_damaged);
  EXPECT_EQ(list.tasks[1].id, "3");
  EXPECT_EQ(whys(list.oddities), "2 3.json: cannot be read: torn (column 7)\n");
}

TEST(TaskList, ATaskThatWaitsForItselfAndTwoOfOneIdAreListed) {
  const TaskListClaims itself = assemble_task_list("l", {simple("1", "pending", {}, {"1"})}, 0);
  EXPECT_EQ(whys(itself.oddities), "0 1.json: task \"1\" waits for itself\n");
  const TaskListClaims doubled =
      assemble_task_list("l", {simple("1", "pending", {}, {}), simple("1", "completed", {}, {})}, 0);
  ASSERT_EQ(doubled.tasks.size(), 1u);
  EXPECT_EQ(doubled.tasks[0].status, TaskStatus::Completed);
  EXPECT_EQ(doubled.oddities.size(), 1u);
}

TEST(TaskList, TP01_AClosedChainIsFoundAndToldInOrder) {
  std::vector<TaskClaim> tasks;
  for (const ReadTask& each :
       {simple("1", "pending", {"2"}, {}), simple("2", "pending", {}, {"1"}), simple("3", "pending", {}, {"2"}),
        simple("8", "pending", {"9"}, {"9"}), simple("9", "pending", {}, {})})
    tasks.push_back(each.task);
  EXPECT_EQ(find_closed_chain(tasks, {{"1", "1"}}), (Strings{"1", "1"}));
  EXPECT_EQ(find_closed_chain(tasks, {{"3", "1"}}), (Strings{"3", "1", "2", "3"}));
  EXPECT_EQ(find_closed_chain(tasks, {{"1", "3"}}), Strings());
  EXPECT_EQ(find_closed_chain(tasks, {{"3", "4"}, {"4", "1"}}), (Strings{"4", "1", "2", "3", "4"}));
  EXPECT_EQ(find_closed_chain(tasks, {{"9", "8"}, {"8", "1"}}), Strings()) << "it was closed before";
}

TEST(TaskList, FolderNamesHoldNothingButLettersDigitsAndDashes) {
  EXPECT_EQ(task_list_folder("my team/../x.y_Z-9"), "my-team----x-y_Z-9");
  EXPECT_EQ(task_list_folder("\xC3\xA9"), "--");
}

TEST(TaskPhaseWords, LabelsAndRanges) {
  const auto label = [](std::string_view text) {
    const std::optional<PhaseLabel> found = read_phase_label(text);
    std::string out = found ? "" : "none";
    if (found) {
      for (const TaskPhase phase : found->phases) out += std::string(to_token(phase)) + " ";
      out += (found->is_beyond ? "+ |" : "|") + std::string(text.substr(found->end));
    }
    return out;
  };
  EXPECT_EQ(label("P4-P9"), "P4 P5 P6 P7 P8 + |");
  EXPECT_EQ(label("P4 – P6: x"), "P4 P5 P6 |: x");
  EXPECT_EQ(label("Phases 4-6"), "P4 P5 P6 |");
  EXPECT_EQ(label("phase 0: 3 files"), "P0 |: 3 files");
  EXPECT_EQ(label("P0 - 3 files"), "P0 | - 3 files");
  EXPECT_EQ(label("P1, P3 done"), "P1 P3 | done");
  EXPECT_EQ(label("P1, then"), "P1 |, then");
  EXPECT_EQ(label("P9"), "+ |");
  EXPECT_EQ(label("P1..P3"), "P1 P2 P3 |");
  EXPECT_EQ(label("P3-P1"), "|");
  for (const char* none : {"", "P", "Plan", "Phase", "Phase one", "P1a", "P100", "PR 5", "1"})
    EXPECT_EQ(label(none), "none") << none;
}

TEST(TaskFile, TP01_MutatedAtRandomItIsReadOrRefusedOnce) {
  std::mt19937 random(31);
  int rounds = 0;
  int read_well = 0;
  const std::vector<TestFile> files = task_fixtures();
  for (; rounds < 10'000; ++rounds) {
    const TestFile& file = files[random() % files.size()];
    const std::string bytes = mutated(file.bytes, task_pieces(), random);
    const Result<ReadTask> found = read_task_file(bytes, file.name);
    const ReadTask task = found ? *found : damaged_task(file.name, found.error());
    if (!found) {
      EXPECT_EQ(found.error().kind, ErrorKind::Corrupt);
      EXPECT_FALSE(found.error().message.empty());
      EXPECT_EQ(task.oddities.size(), 1u);
    }
    read_well += found ? 1 : 0;
    EXPECT_EQ(task.task.id, id_of_task_file(file.name));
    const TaskListClaims list = assemble_task_list("l", {task, read_file(kPermanentTask, "2.json")}, 0);
    EXPECT_EQ(list.tasks.size(), 2u);
    EXPECT_TRUE(list.permanent.has_value());
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(read_well, 700);
}

TEST(TaskFile, RealTasksAreReadWithoutAnythingOdd) {
  const std::vector<TestFile> files = task_corpus();
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int tasks = 0;
  int permanent = 0;
  for (const TestFile& file : files) {
    std::vector<ReadTask> found;
    if (file.bytes.starts_with('[')) {
      found = read_task_snapshot(file.bytes, file.name).value();
    } else {
      found.push_back(read_file(file.bytes));
    }
    for (const ReadTask& each : found) {
      EXPECT_EQ(whys(each.oddities), "") << file.name;
      EXPECT_NE(each.task.status, TaskStatus::Unknown);
      ++tasks;
      permanent += each.task.is_permanent ? 1 : 0;
    }
  }
  EXPECT_GE(tasks, 8);
  EXPECT_GE(permanent, 1);
}

}  // namespace
}  // namespace reprise
