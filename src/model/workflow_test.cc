// Definitions as JSON and back, digests of work, and who works for a role.

#include "model/workflow.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

Stage full_stage() {
  Stage stage;
  stage.name = "s";
  stage.needs = {"a", "b"};
  stage.when = {{.name = "a", .values = {"pass", ""}, .negated = true}};
  stage.command = {.line = "x", .argv = {"p", "", "ü\n\"\x01"}};
  stage.role = "dev";
  stage.prompt = "do";
  stage.gate = Gate{.ask = "ok?", .shows = {"x"}};
  stage.stages = {Stage{.name = "inner"}};
  stage.uses = "other";
  stage.with = {{"k", "v"}, {"empty", ""}};
  stage.each = Each{.in = {"1", "2"}, .as = "part", .parallel = 3};
  stage.repeat = Repeat{.until_verdict = "pass", .max = 5, .stalled_max = 2};
  stage.lane = LaneSpec{.base = "main"};
  stage.publish = "pr";
  stage.inputs = {"in"};
  stage.produces = {
      {.path = "out",
       .complete = {
           .heading = "h", .table = "t", .checkboxes = 0, .no_placeholders = true, .matches = "m", .run = {"r"}}}};
  stage.baseline = {"base"};
  stage.verify = Command{.line = "v"};
  stage.retries = 4;
  stage.delay = Duration(0);
  stage.patience = Duration(1);
  stage.timeout = Duration(2);
  stage.resume = ResumeRule::Report;
  stage.env = {"KEY"};
  return stage;
}

Workflow full_workflow() {
  return {.name = "w",
          .description = "d",
          .source = "w.yaml",
          .limits = {.parallel = 2, .output_mb = 3, .cost_usd = 0.1},
          .inputs = {{.name = "i", .fallback = "", .description = "x"}, {.name = "j"}},
          .baseline = {"b"},
          .stages = {full_stage(), Stage{.name = "plain"}}};
}

TEST(Workflow, JsonReadsBackAsTheSame) {
  const Workflow workflow = full_workflow();
  const Result<Workflow> back = workflow_from_json(to_json(workflow));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, workflow);
  EXPECT_EQ(to_json(*back), to_json(workflow));
}

TEST(Workflow, EmptyPartsThatAreThereStayThere) {
  Workflow workflow;
  Stage stage;
  stage.gate.emplace();
  stage.each.emplace().as = "";
  stage.repeat.emplace();
  stage.lane.emplace();
  stage.produces.edit().emplace_back();
  stage.when.edit().emplace_back();
  workflow.stages = {stage};
  const Result<Workflow> back = workflow_from_json(to_json(workflow));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, workflow);
}

TEST(Workflow, DefaultsAreNotWritten) {
  Workflow workflow;
  workflow.name = "w";
  workflow.stages = {Stage{.name = "a"}};
  EXPECT_EQ(to_json(workflow), R"({"name":"w","stages":[{"name":"a"}]})");
}

TEST(Workflow, UnknownFieldsAreIgnoredAndWrongOnesAreCorrupt) {
  EXPECT_TRUE(workflow_from_json(R"({"name":"w","newer":{"x":[1]}})").has_value());
  for (const std::string_view json :
       {"", "[]", "null", "{", R"({"name":1})", R"({"stages":{}})", R"({"stages":[1]})",
        R"({"limits":{"parallel":"4"}})", R"({"limits":{"parallel":9999999999}})",
        R"({"stages":[{"resume":"sometimes"}]})", R"({"stages":[{"resume":2}]})",
        R"({"stages":[{"needs":[null]}]})", R"({"stages":[{"with":{"a":1}}]})"}) {
    const Result<Workflow> back = workflow_from_json(json);
    ASSERT_FALSE(back.has_value()) << json;
    EXPECT_EQ(back.error().kind, ErrorKind::Corrupt);
  }
}

TEST(Workflow, P13_JsonCutAnywhereIsRefused) {
  const std::string json = to_json(full_workflow());
  std::size_t refused = 0;
  for (std::size_t length = 0; length < json.size(); ++length) {
    refused += workflow_from_json(json.substr(0, length)).has_value() ? 0 : 1;
  }
  EXPECT_EQ(refused, json.size());
}

TEST(Workflow, P13_DeepJsonIsRefused) {
  std::string json;
  for (int i = 0; i < 100'000; ++i) json += R"({"stages":[)";
  EXPECT_FALSE(workflow_from_json(json).has_value());
  for (int i = 0; i < 100'000; ++i) json += "]}";
  EXPECT_FALSE(workflow_from_json(json).has_value());
}

TEST(Workflow, WorkDigestCoversWhatIsDoneAndNothingElse) {
  const Stage stage = full_stage();
  const ShortDigest digest = work_digest(stage);
  const auto changed = [&](auto change) {
    Stage other = stage;
    change(other);
    return work_digest(other) != digest;
  };
  EXPECT_TRUE(changed([](Stage& s) { s.command.line = "y"; }));
  EXPECT_TRUE(changed([](Stage& s) { s.command.argv.pop_back(); }));
  EXPECT_TRUE(changed([](Stage& s) { s.role = "qa"; }));
  EXPECT_TRUE(changed([](Stage& s) { s.prompt.edit() += "."; }));
  EXPECT_TRUE(changed([](Stage& s) { s.gate->ask = "sure?"; }));
  EXPECT_TRUE(changed([](Stage& s) { s.produces.edit()[0].complete.heading = "g"; }));
  EXPECT_TRUE(changed([](Stage& s) { s.inputs = {}; }));
  EXPECT_FALSE(changed([](Stage& s) { s.needs = {}; }));
  EXPECT_FALSE(changed([](Stage& s) { s.retries = 0; }));
  EXPECT_FALSE(changed([](Stage& s) { s.timeout.reset(); }));
  EXPECT_FALSE(changed([](Stage& s) { s.stages = {}; }));
  EXPECT_FALSE(changed([](Stage& s) { s.name = "renamed"; }));
}

TEST(Workflow, RoleHasItsWorkerElseTheDefaultElseNone) {
  Config config;
  EXPECT_EQ(config.worker_for("dev"), nullptr);
  config.default_worker = Worker{.command = {.line = "a"}};
  config.roles["qa"] = Worker{.command = {.line = "b"}};
  EXPECT_EQ(config.worker_for("dev")->command.line, "a");
  EXPECT_EQ(config.worker_for("qa")->command.line, "b");
}

TEST(Workflow, ResumeRulesHaveTokens) {
  for (const ResumeRule rule : {ResumeRule::Restart, ResumeRule::Continue, ResumeRule::Report}) {
    EXPECT_EQ(resume_rule_from_token(to_token(rule)), rule);
  }
  EXPECT_FALSE(resume_rule_from_token("again").has_value());
}

TEST(Workflow, TenThousandStagesReadBack) {
  Workflow workflow{.name = "big"};
  for (int i = 0; i < 10'000; ++i) {
    workflow.stages.push_back(Stage{.name = "s" + std::to_string(i), .command = {.line = "true"}});
    if (i > 0) workflow.stages.back().needs = {"s" + std::to_string(i - 1)};
  }
  const Result<Workflow> back = workflow_from_json(to_json(workflow));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, workflow);
}

}  // namespace
}  // namespace reprise
