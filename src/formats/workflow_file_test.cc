// What the workflow format means: each key, defaults, `uses`.

#include "formats/workflow_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "formats/key_table.h"
#include "formats/loading_for_tests.h"
#include "model/limits.h"

namespace reprise {
namespace {

Workflow loaded(std::string_view bytes, std::map<std::string, std::string> others = {}) {
  std::expected<LoadedWorkflow, std::vector<Problem>> result = load(bytes, others);
  EXPECT_TRUE(result.has_value()) << problems_of(bytes, others);
  return result ? std::move(result->workflow) : Workflow{};
}

Stage only_stage(std::string_view bytes) {
  Workflow workflow = loaded(bytes);
  EXPECT_EQ(workflow.stages.size(), 1u);
  return workflow.stages.empty() ? Stage{} : workflow.stages[0];
}

TEST(WorkflowFile, ReadsTheWorkflowsOwnKeys) {
  const Workflow workflow = loaded(
      "name: release\ndescription: d\nlimits: {parallel: 4, output_mb: 8, cost_usd: 1.5}\n"
      "inputs: {a: main, b: {default: '', description: x}, c: {}, d: }\nbaseline: [x, y]\nstages: {s: {run: "
      "'true'}}\n");
  EXPECT_EQ(workflow.name, "release");
  EXPECT_EQ(workflow.description, "d");
  EXPECT_EQ(workflow.source, "w.yaml");
  EXPECT_EQ(workflow.limits, (Limits{.parallel = 4, .output_mb = 8, .cost_usd = 1.5}));
  ASSERT_EQ(workflow.inputs.size(), 4u);
  EXPECT_EQ(workflow.inputs[0], (InputDef{.name = "a", .fallback = "main"}));
  EXPECT_EQ(workflow.inputs[1], (InputDef{.name = "b", .fallback = "", .description = "x"}));
  EXPECT_EQ(workflow.inputs[2], (InputDef{.name = "c"}));
  EXPECT_EQ(workflow.inputs[3], (InputDef{.name = "d"}));
  EXPECT_EQ(workflow.baseline, (std::vector<std::string>{"x", "y"}));
}

TEST(WorkflowFile, NameIsTheFilesNameIfNoneIsSaid) {
  const auto result = load_workflow("stages: {s: {run: x}}", "dir/my-flow.yaml", resolver_of({}));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->workflow.name, "my-flow");
}

TEST(WorkflowFile, ReadsEveryKeyOfAWorkStage) {
  const Stage stage = only_stage(R"(
inputs: {size: small}
stages:
  s:
    role: dev
    prompt: "Do {anything}."
    when: {size: {not: [large, 2]}}
    inputs: in.md
    produces:
      - plain.md
      - path: out.md
        complete: {not_empty: true, heading: H, table: T, checkboxes: 2, no_placeholders: true, matches: "^x",
                   run: [c, "{size}"]}
    baseline: [b]
    verify: check it
    retries: 3
    delay: 5s
    patience: 1h
    timeout: 20m
    resume: continue
    env: [API_KEY]
)");
  EXPECT_EQ(stage.role, "dev");
  EXPECT_EQ(stage.prompt, "Do {anything}.");
  EXPECT_EQ(stage.when, (std::vector<Condition>{{.name = "size", .values = {"large", "2"}, .negated = true}}));
  EXPECT_EQ(stage.inputs, (std::vector<std::string>{"in.md"}));
  ASSERT_EQ(stage.produces.size(), 2u);
  EXPECT_EQ(stage.produces[0], (Product{.path = "plain.md"}));
  EXPECT_EQ(stage.produces[1].complete, (CompleteCheck{.heading = "H",
                                                       .table = "T",
                                                       .checkboxes = 2,
                                                       .no_placeholders = true,
                                                       .matches = "^x",
                                                       .run = {"c", "{size}"}}));
  EXPECT_EQ(stage.baseline, (std::vector<std::string>{"b"}));
  EXPECT_EQ(stage.verify, (Command{.line = "check it"}));
  EXPECT_EQ(stage.retries, 3);
  EXPECT_EQ(stage.delay, Duration(5'000));
  EXPECT_EQ(stage.patience, Duration(3'600'000));
  EXPECT_EQ(stage.timeout, Duration(1'200'000));
  EXPECT_EQ(stage.resume, ResumeRule::Continue);
  EXPECT_EQ(stage.env, (std::vector<std::string>{"API_KEY"}));
}

TEST(WorkflowFile, PublishingIsTheLastStepOfItsLane) {
  const Stage block =
      load("stages: {a: {lane: {base: main, retries: 2}, publish: merge, stages: {x: {run: x}, y: {run: y}}}}")
          ->workflow.stages[0];
  ASSERT_EQ(block.stages.size(), 3u);
  EXPECT_EQ(block.lane->retries, 2);
  EXPECT_TRUE(block.publish.empty());
  EXPECT_EQ(*block.stages[2].publish, "merge");
  EXPECT_EQ(block.stages[2].needs, (std::vector<std::string>{"x", "y"}));
  const Stage leaf =
      load("stages: {a: {run: x, each: {in: [p]}, repeat: {until: {verdict: v}}, lane: {base: m}, publish: pr}}")
          ->workflow.stages[0];
  ASSERT_EQ(leaf.stages.size(), 2u) << "one lane for all rounds, published once";
  EXPECT_TRUE(leaf.each.has_value() && leaf.lane.has_value() && !leaf.repeat.has_value());
  EXPECT_EQ(leaf.stages[0].name, "work");
  EXPECT_TRUE(leaf.stages[0].repeat.has_value());
  EXPECT_EQ(*leaf.stages[1].publish, "pr");
}

TEST(WorkflowFile, RunIsAShellLineOrAnArgv) {
  EXPECT_EQ(only_stage("stages: {s: {run: 'echo {x}'}}").command, (Command{.line = "echo {x}"}));
  EXPECT_EQ(only_stage("stages: {s: {run: [echo, '', 5]}}").command, (Command{.argv = {"echo", "", "5"}}));
}

TEST(WorkflowFile, PromptAloneMeansTheDefaultRoleInEitherOrder) {
  EXPECT_EQ(only_stage("stages: {s: {prompt: x}}").role, "default");
  EXPECT_EQ(only_stage("stages: {s: {prompt: x, role: qa}}").role, "qa");
  EXPECT_EQ(only_stage("stages: {s: {role: qa, prompt: x}}").role, "qa");
}

TEST(WorkflowFile, GateIsAQuestionOrAMap) {
  EXPECT_EQ(only_stage("stages: {s: {gate: Sure?}}").gate, (Gate{.ask = "Sure?"}));
  EXPECT_EQ(only_stage("stages: {s: {gate: {ask: Sure?, shows: [a, b]}}}").gate,
            (Gate{.ask = "Sure?", .shows = {"a", "b"}}));
}

TEST(WorkflowFile, EachAndRepeatHaveDefaults) {
  EXPECT_EQ(only_stage("stages: {s: {run: x, each: {in: [a, 1]}}}").each, (Each{.in = {"a", "1"}, .as = "item"}));
  EXPECT_EQ(only_stage("inputs: {l: }\nstages: {s: {run: x, each: {in: '{l}', as: p, parallel: 2}}}").each,
            (Each{.in = {"{l}"}, .as = "p", .parallel = 2}));
  EXPECT_EQ(only_stage("stages: {s: {run: x, repeat: {until: {verdict: ok}}}}").repeat,
            (Repeat{.until_verdict = "ok", .max = kIterationsDefault, .stalled_max = kStalledDefault}));
  EXPECT_EQ(only_stage("stages: {s: {run: x, repeat: {until: {verdict: ok}, max: 2}}}").repeat,
            (Repeat{.until_verdict = "ok", .max = 2, .stalled_max = 2}));
}

TEST(WorkflowFile, ValuesOfEnclosingStagesAreKnownInside) {
  EXPECT_EQ(problems_of(R"(
inputs: {target: main}
stages:
  a:
    each: {in: [x, y], as: part}
    repeat: {until: {verdict: pass}}
    stages:
      b:
        when: {part: x}
        run: [make, "{part}", "{target}", "{iteration}", "{subject}", "{run}", "{{other}}", "{}", "{a b}"]
        produces: ["out/{part}/{target}.md"]
)"),
            "");
}

TEST(WorkflowFile, WhenMayAskForAVerdictThatIsNeededThroughOthers) {
  EXPECT_EQ(problems_of("stages: {a: {role: r}, b: {run: x, needs: a}, c: {run: x, needs: [b], when: {a: pass}}}"),
            "");
}

TEST(WorkflowFile, UsesBecomesABlockWithItsValues) {
  const std::string other =
      "inputs: {target: main, part: }\nbaseline: ['{part}.lock']\nstages: {x: {run: [make, '{part}'], produces: "
      "['{part}.log']}}";
  const auto result = load(
      "inputs: {p: api}\nstages: {s: {uses: other, with: {part: '{p}'}}, t: {uses: other, with: {part: web}}}",
      {{"other", other}});
  ASSERT_TRUE(result.has_value()) << to_text(result.error()[0]);
  EXPECT_EQ(result->used_files, (std::vector<std::string>{"other.yaml"}));
  const Stage& stage = result->workflow.stages[0];
  EXPECT_EQ(stage.uses, "other");
  EXPECT_EQ(stage.with, (std::map<std::string, std::string>{{"part", "{p}"}, {"target", "main"}}));
  ASSERT_EQ(stage.stages.size(), 1u);
  EXPECT_EQ(stage.stages[0].name, "x");
  EXPECT_EQ(stage.stages[0].baseline, (std::vector<std::string>{"{part}.lock"}));
}

TEST(WorkflowFile, R27_StagesInOrderMayMakeTheSamePath) {
  EXPECT_EQ(
      problems_of(
          "stages: {a: {run: x, produces: [r]}, b: {run: x, needs: a}, c: {run: x, needs: b, produces: [r]}}"),
      "");
  EXPECT_EQ(problems_of("stages: {a: {run: x, each: {in: [1, 2]}, produces: ['{item}.md']},"
                        " b: {run: x, each: {in: [3, 4]}, produces: ['{item}.md']}}"),
            "");
  EXPECT_EQ(problems_of("stages: {a: {run: x, each: {in: [1]}, produces: [r]}}"), "");
}

TEST(WorkflowFile, TenThousandStagesInAChainLoad) {
  std::string bytes = "stages:\n";
  for (int i = 0; i < 10'000; ++i) {
    bytes += "  s" + std::to_string(i) + ": {run: x";
    if (i > 0) bytes += ", needs: [s" + std::to_string(i - 1) + "]";
    bytes += ", produces: [same]}\n";
  }
  const Workflow workflow = loaded(bytes);
  ASSERT_EQ(workflow.stages.size(), 10'000u);
  EXPECT_EQ(workflow.stages[9'999].needs, (std::vector<std::string>{"s9998"}));
}

// A key of the table that the reader does not know would stop the program: so each is read once here.
TEST(WorkflowFile, EveryKeyOfTheTableIsRead) {
  const std::map<std::string, std::string> examples = {
      {"run", "{run: x}"},
      {"role", "{role: r}"},
      {"prompt", "{prompt: p}"},
      {"needs", "{run: x, needs: []}"},
      {"when", "{run: x, when: {}}"},
      {"inputs", "{run: x, inputs: i}"},
      {"produces", "{run: x, produces: p}"},
      {"baseline", "{run: x, baseline: b}"},
      {"verify", "{run: x, verify: v}"},
      {"retries", "{run: x, retries: 1}"},
      {"delay", "{run: x, delay: 1s}"},
      {"patience", "{run: x, patience: 1s}"},
      {"timeout", "{run: x, timeout: 1s}"},
      {"resume", "{run: x, resume: report}"},
      {"gate", "{gate: g}"},
      {"each", "{run: x, each: {in: [a]}}"},
      {"repeat", "{run: x, repeat: {until: {verdict: v}}}"},
      {"stages", "{stages: {a: {run: x}}}"},
      {"uses", "{uses: other}"},
      {"with", "{uses: other, with: {}}"},
      {"env", "{run: x, env: [E]}"},
      {"context", "{role: r, context: c}"},
      {"required", "{run: x, required: true}"},
      {"finds_gaps", "{run: x, finds_gaps: true}"},
      {"takes_answers", "{run: x, takes_answers: true}"},
      {"lane", "{run: x, lane: {base: main}}"},
      {"publish", "{run: x, lane: {base: main}, publish: pr}"},
      {"retry_from", "{run: x, needs: t, retry_from: t}, t: {run: x}"}};
  std::size_t rounds = 0;
  for (const KeySpec& key : keys_of(Level::Stage)) {
    ASSERT_TRUE(examples.contains(std::string(key.name))) << key.name;
    const std::string problems = problems_of("stages: {s: " + examples.at(std::string(key.name)) + "}",
                                             {{"other", "stages: {x: {run: x}}"}});
    EXPECT_EQ(problems, "") << key.name;
    ++rounds;
  }
  EXPECT_EQ(rounds, examples.size());
}

std::vector<std::string> yaml_blocks_of(const std::string& text) {
  std::vector<std::string> blocks;
  for (std::size_t at = text.find("```yaml\n"); at != std::string::npos; at = text.find("```yaml\n", at + 1)) {
    blocks.push_back(text.substr(at + 8, text.find("\n```", at + 8) - at - 7));
  }
  return blocks;
}

TEST(WorkflowFile, ExamplesOfTheManualLoad) {
  const std::filesystem::path manual = std::filesystem::path(REPRISE_SOURCE_PATH) / "docs" / "workflows.md";
  std::stringstream text;
  text << std::ifstream(manual).rdbuf();
  const std::vector<std::string> blocks = yaml_blocks_of(text.str());
  ASSERT_GE(blocks.size(), 8u) << manual;
  for (const std::string& block : blocks) {
    EXPECT_EQ(problems_of(block, {{"release-check", blocks[0]}}), "") << block;
  }
}

}  // namespace
}  // namespace reprise
