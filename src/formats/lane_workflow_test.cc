// A phase plan as a workflow, and what of a plan is put into a shell line.

#include "formats/lane_workflow.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <random>

#include "base/strings.h"
#include "formats/lane_checkpoints.h"
#include "formats/lane_plan_test_files.h"
#include "formats/oddities_for_tests.h"

namespace reprise {
namespace {

PhasePlan documented() { return read_phase_plan(documented_plan(), "plans/P2.md").value(); }

Workflow workflow_of(const LaneOptions& options) { return lanes_workflow(documented(), options).value(); }

Strings names(const std::vector<Stage>& stages) {
  Strings out;
  for (const Stage& stage : stages) out.push_back(stage.name);
  return out;
}

// What a real shell says to a line, and how it ends.
std::pair<std::string, int> run_in_shell(const std::string& line, const std::string& program = "sh") {
  FILE* shell = popen(("exec " + program + " -c " + single_quoted(line) + " 2>/dev/null").c_str(), "r");
  std::string out;
  for (int c = fgetc(shell); c != EOF; c = fgetc(shell)) out += static_cast<char>(c);
  return {out, pclose(shell)};
}

TEST(LaneWorkflow, EveryLaneIsABlockOfItsOwnOnABranchOfItsOwn) {
  const Workflow workflow = workflow_of({.base = "main"});
  EXPECT_EQ(workflow.name, "lanes");
  EXPECT_EQ(workflow.description, "P2: Harbour");
  EXPECT_EQ(workflow.source, "plans/P2.md");
  ASSERT_EQ(names(workflow.stages), (Strings{"SL-QUAY", "SL-CHART", "SL-LIGHT"}));
  EXPECT_EQ(workflow.stages[0].needs, Strings{});
  EXPECT_EQ(workflow.stages[1].needs, Strings{"SL-QUAY"});
  EXPECT_EQ(workflow.stages[2].needs, (Strings{"SL-QUAY", "SL-CHART"}));
  for (const Stage& lane : workflow.stages) {
    ASSERT_TRUE(lane.lane.has_value()) << lane.name;
    EXPECT_EQ(lane.lane->base, "main");
    EXPECT_EQ(lane.lane->name, lane.name);
    EXPECT_EQ(lane.lane->branch, "lane/P2/" + lane.name);
    EXPECT_EQ(lane.lane->folder, "P2/" + lane.name);
    EXPECT_EQ(lane.lane->retries, lane.name == "SL-CHART" ? 2 : 0);
    EXPECT_TRUE(lane.is_block());
  }
}

TEST(LaneWorkflow, TasksAreStagesAndTheTestsOfTheLaneComeLast) {
  const Workflow workflow = workflow_of({});
  const std::vector<Stage>& quay = workflow.stages[0].stages;
  ASSERT_EQ(names(quay), (Strings{"P2-SL-QUAY-01", "P2-SL-QUAY-02", "P2-SL-QUAY-03", "P2-SL-QUAY-04", "tests"}));
  EXPECT_EQ(quay[0].role, "test");
  EXPECT_EQ(quay[1].role, "impl");
  EXPECT_EQ(quay[3].role, "verify");
  EXPECT_EQ(quay[1].needs, Strings{"P2-SL-QUAY-01"});
  EXPECT_EQ(quay[3].needs, (Strings{"P2-SL-QUAY-02", "P2-SL-QUAY-03"}));
  EXPECT_EQ(quay[1].context, Strings{"plans/P2.md"});
  EXPECT_EQ(quay[1].prompt,
            "Do task P2-SL-QUAY-02 (impl) of lane SL-QUAY in phase P2.\n"
            "Implement it until its tests pass.\n"
            "Lane: Quay and moorings\n"
            "Acceptance criteria: Ships can moor\n"
            "Files in scope, change no others: quay.py, bollard.py\n"
            "Test command: pytest tests/quay.py\n"
            "The plan: plans/P2.md\n");
  EXPECT_EQ(quay[4].needs, (Strings{"P2-SL-QUAY-01", "P2-SL-QUAY-02", "P2-SL-QUAY-03", "P2-SL-QUAY-04"}));
  EXPECT_EQ(quay[4].command.line, "pytest tests/quay.py && make lint && make all");
  EXPECT_EQ(quay[4].retry_from, "P2-SL-QUAY-03");
  EXPECT_EQ(workflow.stages[1].stages.back().command.line, "pytest charts && a && b c");
}

TEST(LaneWorkflow, OneLaneAloneWaitsForNoOther) {
  const Workflow workflow = workflow_of({.lane = "SL-LIGHT"});
  ASSERT_EQ(names(workflow.stages), Strings{"SL-LIGHT"});
  EXPECT_EQ(workflow.stages[0].needs, Strings{});
  const Result<Workflow> none = lanes_workflow(documented(), {.lane = "SL-light"});
  EXPECT_EQ(none.error().kind, ErrorKind::NotFound);
  EXPECT_EQ(none.error().message, "there is no lane \"SL-light\"; there are: SL-QUAY, SL-CHART, SL-LIGHT");
}

TEST(LaneWorkflow, PublishingIsTheLastStageWhereItIsWanted) {
  for (const std::string publish : {"", "none"}) {
    EXPECT_EQ(workflow_of({.publish = publish}).stages[2].stages.back().name, "tests");
  }
  for (const std::string publish : {"merge", "pr", "push"}) {
    const Workflow workflow = workflow_of({.publish = publish});
    EXPECT_EQ(workflow.stages[2].stages.back().name, "publish");
    EXPECT_EQ(workflow.stages[2].stages.back().publish, publish);
    EXPECT_EQ(workflow.stages[2].stages.back().needs, Strings{"tests"});
  }
  EXPECT_EQ(lanes_workflow(documented(), {.publish = "mail"}).error().kind, ErrorKind::Invalid);
}

TEST(LaneWorkflow, ATaskThatTakesANameOfEveryLaneIsRefused) {
  for (const std::string name : {"tests", "publish"}) {
    std::string bytes = documented_plan();
    bytes.replace(bytes.find("| L-1 |"), 7, "| " + name + " |");
    const auto plan = read_phase_plan(bytes, "p.md");
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error()[0].message, "a task cannot be called \"" + name + "\", which every lane has already");
  }
}

TEST(LaneWorkflow, APlanIsTheSameWorkflowEveryTimeAndSurvivesBeingStored) {
  const Workflow workflow = workflow_of({.base = "main", .publish = "merge"});
  EXPECT_EQ(workflow, workflow_of({.base = "main", .publish = "merge"}));
  EXPECT_EQ(workflow_from_json(to_json(workflow)).value(), workflow);
}

TEST(LaneWorkflow, ACommandAloneIsLeftAsItWasWritten) {
  EXPECT_EQ(joined_commands(Strings{"cd a; b # c"}), "cd a; b # c");
  EXPECT_EQ(joined_commands(Strings{}), "");
  EXPECT_EQ(joined_commands(Strings{"a --b=c", "d 'e f' | g"}), "a --b=c && d 'e f' | g");
  EXPECT_EQ(joined_commands(Strings{"cd a && b", "c"}), "sh -c 'cd a && b' && c");
}

TEST(LaneWorkflow, CommandsInOneLineDoWhatTheyDoOneByOne) {
  const Strings commands = {
      "echo a",           "echo b # c",   "cd / && pwd",        "echo d; false",    "X=1",
      "echo x$X",         "echo 'e f'",   "(echo g; exit 1)",   "echo h || echo i", "false || true",
      "true &",           "echo k | cat", "echo it\\'s",        "echo $(echo l)",   "{ echo m; }",
      "exit 3",           "pwd",          "set -f; echo *",     "! false",          "echo \"n'\"",
      "false && echo o",  "unset HOME",   "echo ${HOME:+home}", "cat <<< x",        "echo p &&",
      "echo r\n\techo s", "| cat",        "exec true",          "echo 'q"};
  std::mt19937 random(23);
  int rounds = 0;
  for (; rounds < 300; ++rounds) {
    Strings some;
    for (int i = 0; i < 2 + static_cast<int>(random() % 3); ++i)
      some.push_back(commands[random() % commands.size()]);
    std::string wanted;
    int status = 0;
    for (std::size_t i = 0; i < some.size() && status == 0; ++i) {
      const auto [out, ended] = run_in_shell(some[i]);
      wanted += out;
      status = ended;
    }
    const auto [out, ended] = run_in_shell(joined_commands(some));
    EXPECT_EQ(out, wanted) << joined_commands(some);
    EXPECT_EQ(ended == 0, status == 0) << joined_commands(some);
  }
  EXPECT_EQ(rounds, 300);
}

// Names of all kinds: every byte but NUL, what shells act on, and names that look like options.
std::string hostile_name(std::mt19937& random) {
  static const Strings kPieces = {"'", "\"",       "$(id)",   "`id`",  "\\",  "\n", "\t",       " ",       ";",
                                  "&", "|",        "*",       "?",     "~",   "#",  "!",        "${HOME}", "<",
                                  ">", "(",        ")",       "{a,b}", "[a]", "%s", "--resume", "-",       "=",
                                  "é", "\x80\xFF", "\x1B[2J", "$'",    "\r",  "a",  "..",       "/"};
  std::string name;
  for (std::size_t count = 1 + random() % 6; count > 0; --count) {
    name += random() % 4 == 0 ? std::string(1, static_cast<char>(1 + random() % 255))
                              : kPieces[random() % kPieces.size()];
  }
  return name;
}

TEST(LaneHints, LN03_HintsAreTheDocumentedCommands) {
  const LaneRun run{"P1-SL-1-20260401", "P1", "SL-1"};
  EXPECT_EQ(resume_hint("plans/P1.md", run),
            "reprise run lanes plans/P1.md --input lane=SL-1 --run-id P1-SL-1-20260401 --resume");
  EXPECT_EQ(rollback_hint("plans/P1.md", run),
            "reprise run lanes plans/P1.md --input lane=SL-1 --run-id P1-SL-1-20260401 --rollback");
  EXPECT_EQ(resume_hint("a b.md", {"r", "P1", "-"}), "reprise run lanes 'a b.md' --run-id r --resume");
  EXPECT_EQ(resume_hint("-x.md", {"r", "P1", "-"}), "reprise run lanes ./-x.md --run-id r --resume");
}

TEST(LaneHints, LN03_HintsSurviveEveryName) {
  std::mt19937 random(29);
  std::string script;
  std::string wanted;
  int names_tried = 0;
  for (; names_tried < 1'000; ++names_tried) {
    const std::string plan = hostile_name(random), lane = "L" + hostile_name(random), id = hostile_name(random);
    const bool resumes = random() % 2 == 0;
    const LaneRun run{id, "P1", lane};
    const std::string hint = resumes ? resume_hint(plan, run) : rollback_hint(plan, run);
    ASSERT_TRUE(hint.starts_with("reprise "));
    script += "printf '%s\\0' " + hint.substr(8) + "\n";
    for (const std::string& word :
         {std::string("run"), std::string("lanes"), (plan.starts_with('-') ? "./" : "") + plan,
          std::string("--input"), "lane=" + lane, std::string("--run-id"), id,
          std::string(resumes ? "--resume" : "--rollback")}) {
      wanted += word + '\0';
    }
    if (names_tried % 100 != 99) continue;
    EXPECT_EQ(run_in_shell(script, "bash").first,
              wanted);  // control characters are $'...', which sh need not know
    script.clear();
    wanted.clear();
  }
  EXPECT_EQ(names_tried, 1'000);
}

}  // namespace
}  // namespace reprise
