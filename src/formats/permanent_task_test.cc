// The permanent task: which one counts, and where its phase, tier and names come from.

#include "formats/permanent_task.h"

#include <gtest/gtest.h>

#include <random>

#include "base/json_writer.h"
#include "formats/oddities_for_tests.h"
#include "formats/permanent_task_description.h"
#include "formats/task_file.h"
#include "formats/task_test_files.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

std::string quote(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

ReadTask permanent(const std::string& id, const std::string& metadata, const std::string& description = "",
                   const std::string& status = "pending") {
  const std::string bytes = R"({"id": ")" + id + R"(", "subject": "[PERMANENT] Tides", "status": ")" + status +
                            R"(", "description": )" + quote(description) + R"(, "metadata": )" + metadata + "}";
  return read_task_file(bytes, id + ".json").value();
}

ReadTask work(const std::string& id, const std::string& phase, const std::string& status) {
  const std::string bytes = R"({"id": ")" + id + R"(", "subject": "w", "status": ")" + status +
                            R"(", "metadata": {"phase": ")" + phase + "\"}}";
  return read_task_file(bytes, id + ".json").value();
}

PermanentTask found_in(const std::vector<ReadTask>& tasks) {
  return assemble_task_list("l", tasks, 0).permanent.value();
}

// "P2 description"
std::string phase_of(const std::vector<ReadTask>& tasks) {
  const PermanentTask found = found_in(tasks);
  return (found.current_phase ? std::string(to_token(*found.current_phase)) : "-") + " " +
         std::string(to_token(found.source));
}
std::string phase_of(const std::string& metadata, const std::string& description = "") {
  return phase_of({permanent("1", metadata, description)});
}

TEST(PermanentTask, TP02_EverythingComesFromItsMetadata) {
  const TaskListClaims list = assemble_task_list("l", {read_task_file(kPermanentTask, "1.json").value()}, 0);
  const PermanentTask& found = list.permanent.value();
  EXPECT_TRUE(list.oddities.empty());
  EXPECT_EQ(found.id, "1");
  EXPECT_EQ(found.feature, "Tide tables");
  EXPECT_EQ(found.tier, TaskTier::Standard);
  EXPECT_EQ(found.current_phase, TaskPhase::P3);
  EXPECT_EQ(found.source, PhaseSource::Metadata);
  EXPECT_EQ(found.branch, "feature/tides");
  EXPECT_EQ(found.resume_count, 2);
  EXPECT_EQ(found.references, (Strings{"docs/tides.md", "src/tide.cc"}));
  EXPECT_EQ(found.directives, (Strings{"no new dependency"}));
  EXPECT_EQ(found.decisions, (Strings{"tables, not curves"}));
  ASSERT_EQ(found.phases.size(), 3u);
  EXPECT_EQ(found.phases[0].signal, PhaseSignal::Passed);
  EXPECT_EQ(found.phases[0].text, "PASS|goals:3");
  EXPECT_EQ(found.phases[2].signal, PhaseSignal::Partial);
  EXPECT_FALSE(found.is_delivered);
}

TEST(PermanentTask, TP02_ThePhaseComesFromTheFirstSourceThatGivesOne) {
  const std::string table = "| Phase | Status |\n|---|---|\n| P0 | COMPLETE |\n| P1 | PENDING |\n";
  const std::string signals = R"("phase_signals": {"p0": "PASS", "p1": "PASS", "p2": "PASS|x:1"})";
  EXPECT_EQ(phase_of(R"({"current_phase": "p5", )" + signals + "}", table), "P5 metadata");
  EXPECT_EQ(phase_of("{" + signals + "}", table), "P3 phase_signals");
  EXPECT_EQ(phase_of("{}", table), "P1 description");
  EXPECT_EQ(phase_of({permanent("1", "{}"), work("2", "P0", "completed"), work("3", "P2", "in_progress"),
                      work("4", "P6", "pending")}),
            "P2 work_tasks");
  EXPECT_EQ(phase_of("{}"), "- assumed");
}

TEST(PermanentTask, TP02_AWordThatIsNoPhaseIsListedAndTheNextSourceIsAsked) {
  const TaskListClaims list =
      assemble_task_list("l", {permanent("1", R"({"current_phase": "P9", "phase_signals": {"p0": "PASS"}})")}, 0);
  EXPECT_EQ(list.permanent->current_phase, TaskPhase::P1);
  ASSERT_EQ(list.oddities.size(), 1u);
  EXPECT_EQ(list.oddities[0].why, "the current phase \"P9\" is none from P0 to P8");
  EXPECT_EQ(phase_of(R"({"phase_signals": {"p0": "maybe"}})", "- Phase 0: done"), "P1 description");
  EXPECT_EQ(phase_of(R"({"phase_signals": "PASS"})", "- Phase 0: done"), "P1 description");
}

TEST(PermanentTask, TP02_SignalsSayHowFarItIsOnTheTiersPath) {
  const auto reached = [](const std::string& tier, const std::string& signals) {
    return phase_of(R"({"tier": ")" + tier + R"(", "phase_signals": {)" + signals + "}}");
  };
  EXPECT_EQ(reached("TRIVIAL", R"("p0": "PASS")"), "P6 phase_signals");
  EXPECT_EQ(reached("standard", R"("p0": "PASS", "p1": "PASS", "p2": "PASS", "p3": "PASS")"), "P6 phase_signals");
  EXPECT_EQ(reached("COMPLEX", R"("p3": "PASS")"), "P4 phase_signals");
  EXPECT_EQ(reached("COMPLEX", R"("p1": "FAIL|tests:2", "p3": "PASS")"), "P1 phase_signals");
  EXPECT_EQ(reached("COMPLEX", R"("p8": "PASS")"), "P8 phase_signals");
  EXPECT_EQ(reached("STANDARD", R"("p3": "PASS", "p4": "PENDING")"), "P6 phase_signals")
      << "P4 is not on its path";
  EXPECT_EQ(reached("COMPLEX", R"("p3": "PASS", "p4": "SKIPPED", "p5": "PASS")"), "P6 phase_signals");
}

TEST(PermanentTask, TP02_TablesAndBulletsOfTheDescription) {
  const std::string head = "| Phase | Status | Notes |\n|-------|--------|-------|\n";
  EXPECT_EQ(phase_of("{}", head + "| P0 | COMPLETE | a |\n| P1 | ✅ **Done** | b |\n| P2 | in progress | - |\n"
                                  "| P3-P9 | PENDING | — |\n"),
            "P2 description");
  EXPECT_EQ(phase_of("{}", head + "| P0-P3 | COMPLETE | |\n"), "P4 description");
  EXPECT_EQ(phase_of("{}", "```\n" + head + "| Phase 0 | COMPLETE | |\n```\n"), "P1 description") << "fenced";
  EXPECT_EQ(phase_of("{}", "- Phase 0: COMPLETE\n- **Phase 1** (design): IN_PROGRESS — late\n- Phase 2: PENDING"),
            "P1 description");
  EXPECT_EQ(phase_of("{}", "* P0 — complete\n* P1 - complete (gate 1)\n"), "P2 description");
  EXPECT_EQ(phase_of("{}", "- [x] P0 pre-design\n- [ ] P1 design\n"), "P1 description");
  EXPECT_EQ(phase_of("{}", "- Phase 1: design the tables\n- P2 is where we look\n"), "- assumed") << "prose";
  EXPECT_EQ(phase_of("{}", "| # | Decision | Phase | Status |\n|-|-|-|-|\n| 1 | x | P1 | PENDING |\n"),
            "- assumed")
      << "a table of decisions";
  EXPECT_EQ(phase_of("{}", head + "| P0 | PENDING / IN_PROGRESS / COMPLETE | |\n"), "- assumed");
}

TEST(PermanentTask, TP02_PhasesOfAnOlderPipelineAreListedAndLeftOut) {
  const TaskListClaims list =
      assemble_task_list("l", {permanent("1", "{}", "- P4-P9: PENDING\n- P0-P3: COMPLETE")}, 0);
  EXPECT_EQ(list.permanent->current_phase, TaskPhase::P4);
  EXPECT_EQ(list.permanent->phases.size(), 9u);
  ASSERT_EQ(list.oddities.size(), 1u);
  EXPECT_NE(list.oddities[0].why.find("older pipeline"), std::string::npos);
}

TEST(PermanentTask, TP02_OfTwoRowsForAPhaseTheLessFinishedCountsAndIsListed) {
  const TaskListClaims list = assemble_task_list("l", {permanent("1", "{}", "- P0: COMPLETE\n- P0: FAILED\n")}, 0);
  EXPECT_EQ(list.permanent->current_phase, TaskPhase::P0);
  EXPECT_EQ(list.permanent->phases[0].signal, PhaseSignal::Failed);
  EXPECT_EQ(list.oddities.size(), 1u);
}

TEST(PermanentTask, TP16_ThePhaseIsInferredFromTheWorkTasks) {
  const ReadTask pt = permanent("1", R"({"tier": "STANDARD"})");
  EXPECT_EQ(phase_of({pt, work("2", "P0", "completed"), work("3", "P1", "completed")}), "P2 work_tasks");
  EXPECT_EQ(phase_of({pt, work("2", "P0", "completed"), work("3", "P3", "completed")}), "P6 work_tasks");
  EXPECT_EQ(phase_of({pt, work("2", "P0", "completed"), work("3", "P0", "failed"), work("4", "P1", "pending")}),
            "P0 work_tasks");
  EXPECT_EQ(phase_of({pt, work("2", "P8", "completed")}), "P8 work_tasks");
  EXPECT_EQ(phase_of({pt, work("2", "design work", "pending")}), "- assumed");
}

TEST(PermanentTask, TP02_NamesInTheDescriptionCountWhereTheMetadataHasNone) {
  const std::string text =
      "## Constraints\n- Pipeline Tier: TRIVIAL (one file)\n- **Branch:** `feature/tides`\n- "
      "Repository: /home/ana/harbour\n\n### Architecture Decisions\n| # | Decision |\n|---|---|\n"
      "| D-1 | tables |\n\n## More\n- Branch: later\n";
  const PermanentTask found = found_in({permanent("1", "{}", text)});
  EXPECT_EQ(found.tier, TaskTier::Trivial);
  EXPECT_EQ(found.branch, "feature/tides");
  EXPECT_EQ(found.repository, "/home/ana/harbour");
  EXPECT_EQ(found.decisions, (Strings{"D-1 — tables"}));
  EXPECT_EQ(found_in({permanent("1", R"({"branch": "main"})", text)}).branch, "main");
  const TaskListClaims odd =
      assemble_task_list("l", {permanent("1", R"({"tier": "HUGE", "resume_count": "x"})")}, 0);
  EXPECT_EQ(odd.permanent->tier_word, "HUGE");
  EXPECT_EQ(odd.oddities.size(), 2u);
}

TEST(PermanentTask, TP02_OfSeveralTheOneCountsThatIsOpenAndSaysMost) {
  ReadTask rich = permanent("3", R"({"tier": "COMPLEX", "current_phase": "P2"})", "text");
  ReadTask poor = permanent("9", "{}", "text");
  const ReadTask marked = permanent("11", R"({"tier": "COMPLEX", "current_phase": "P4", "branch": "b", "reason":
                                    "duplicate"})",
                                    "text", "completed");
  poor.task.file_time = Timestamp{5};
  const TaskListClaims list = assemble_task_list("l", {rich, poor, marked}, 0);
  EXPECT_EQ(list.permanent->id, "3");
  EXPECT_EQ(list.permanent->duplicates, (Strings{"9", "11"}));
  ASSERT_EQ(list.oddities.size(), 1u) << "the one that is marked needs no word";
  EXPECT_EQ(list.oddities[0].why, "task \"9\" is permanent too; task \"3\" counts");
  const ReadTask finished = permanent("4", R"({"tier": "COMPLEX", "current_phase": "P8"})", "text", "completed");
  EXPECT_EQ(found_in({finished, poor}).id, "9") << "an open one outranks one that is completed";
  rich.task.metadata = poor.task.metadata;
  EXPECT_EQ(found_in({rich, poor}).id, "9") << "the later of two that say the same";
  EXPECT_EQ(found_in({marked}).id, "11");
  EXPECT_EQ(assemble_task_list("l", {marked}, 0).oddities.size(), 1u);
}

TEST(PermanentTask, TP15_WithoutThePrefixThereIsNone) {
  EXPECT_FALSE(assemble_task_list("l", {work("2", "P0", "pending")}, 0).permanent.has_value());
  EXPECT_FALSE(assemble_task_list("l", {}, 0).permanent.has_value());
  const Error torn{.kind = ErrorKind::Corrupt, .message = "torn"};
  EXPECT_FALSE(assemble_task_list("l", {damaged_task("1.json", torn)}, 0).permanent.has_value());
}

TEST(PermanentTask, TP02_DeliveredMeansCompletedAndCommitted) {
  const auto delivered = [](const std::string& metadata, const std::string& status, const std::string& text = "") {
    return found_in({permanent("1", metadata, text, status)}).is_delivered;
  };
  EXPECT_TRUE(delivered(R"({"commit_status": "committed"})", "completed"));
  EXPECT_FALSE(delivered(R"({"commit_status": "committed"})", "pending"));
  EXPECT_FALSE(delivered(R"({"commit_status": "pending"})", "completed"));
  EXPECT_FALSE(delivered("{}", "completed"));
  EXPECT_TRUE(delivered("{}", "DELIVERED"));
  EXPECT_TRUE(delivered(R"({"status": "DELIVERED"})", "completed"));
  EXPECT_TRUE(delivered("{}", "pending", "**Status:** DELIVERED (v1.2)\n"));
}

TEST(PermanentTask, TP02_ADescriptionMutatedAtRandomGivesPhasesInOrderOrNone) {
  const std::string text =
      "## Plan\n- Pipeline Tier: STANDARD\n- Branch: `b`\n\n### Decisions\n- tables\n\n### Phase "
      "Status\n| Phase | Status |\n|---|---|\n| P0 | COMPLETE |\n| P1-P2 | in progress |\n| P3-P9 | "
      "PENDING |\n\n- [x] P0\n- Phase 1: done\n";
  const Strings pieces = {"|",     "\n", "P4-P9",    "- ", "Phase ", "9",    ":",
                          "```\n", "**", "COMPLETE", "\r", "—",      "\xFF", "[x] "};
  std::mt19937 random(33);
  int rounds = 0;
  int with_phases = 0;
  for (; rounds < 10'000; ++rounds) {
    const PermanentDescription found = read_permanent_description(mutated(text, pieces, random));
    for (std::size_t i = 1; i < found.phases.size(); ++i)
      EXPECT_LT(found.phases[i - 1].phase, found.phases[i].phase);
    with_phases += found.phases.empty() ? 0 : 1;
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(with_phases, 5'000);
}

TEST(PermanentTask, TP02_RealOnesKeepTheirPhaseInTheDescription) {
  int found = 0;
  for (const TestFile& file : task_corpus()) {
    if (!file.bytes.starts_with('[')) continue;
    const TaskListClaims list = assemble_task_list("l", read_task_snapshot(file.bytes, file.name).value(), 0);
    if (!list.permanent) continue;
    ++found;
    EXPECT_EQ(list.permanent->source, PhaseSource::Description) << file.name;
    EXPECT_EQ(list.permanent->current_phase, TaskPhase::P2) << file.name;
    EXPECT_EQ(list.permanent->tier, TaskTier::Complex) << file.name;
    EXPECT_FALSE(list.permanent->decisions.empty());
  }
  if (found == 0) GTEST_SKIP() << "there are no real files beside the sources";
}

}  // namespace
}  // namespace reprise
