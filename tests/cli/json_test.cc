// `--json`: exactly one document on stdout, with the keys that scripts rely on, and never a prompt.

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "world.h"

namespace reprise::cli_test {
namespace {

namespace json = boost::json;

constexpr const char* kThreeSteps =
    "limits: {parallel: 1}\n"
    "stages:\n"
    "  report: {run: 'echo fine >report.txt', produces: [report.txt]}\n"
    "  ship: {needs: report, gate: {ask: 'Ship it?', shows: [report.txt]}}\n"
    "  push: {needs: ship, run: 'echo pushed'}\n";

json::value parsed(const std::string& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  EXPECT_FALSE(error) << "not one JSON document: " << text;
  EXPECT_TRUE(!text.empty() && text.find('\n') == text.size() - 1) << "not one line: " << text;
  return value;
}

std::string keys_of(const json::value& value) {
  if (!value.is_object()) return "not an object";
  std::string keys;
  for (const auto& entry : value.get_object()) keys += (keys.empty() ? "" : " ") + std::string(entry.key());
  return keys;
}

// Every key of `wanted` is there; more may come with later versions.
void expect_keys(const json::value& value, const std::vector<std::string>& wanted, const std::string& where) {
  ASSERT_TRUE(value.is_object()) << where;
  for (const std::string& key : wanted)
    EXPECT_TRUE(value.get_object().contains(key)) << where << " lacks " << key << ": " << keys_of(value);
}

void expect_plan_keys(const json::value& plan) {
  expect_keys(plan,
              {"id", "readiness", "resume_point", "decisions", "findings", "remaining", "waiting_for", "options",
               "source", "saved", "again"},
              "plan");
  for (const json::value& decision : plan.at("decisions").as_array()) {
    expect_keys(decision, {"stage", "step", "lane", "decision", "rule", "reason", "evidence"}, "decision");
    EXPECT_FALSE(decision.at("rule").as_string().empty());
    EXPECT_FALSE(decision.at("reason").as_string().empty());
    EXPECT_FALSE(decision.at("evidence").as_array().empty());
    for (const json::value& evidence : decision.at("evidence").as_array())
      expect_keys(evidence, {"kind", "subject", "seen"}, "evidence");
  }
  for (const json::value& finding : plan.at("findings").as_array()) {
    expect_keys(finding, {"rule", "code", "severity", "message", "claimed", "seen", "remedy"}, "finding");
  }
  for (const json::value& waiting : plan.at("waiting_for").as_array())
    expect_keys(waiting, {"kind", "name", "ask"}, "waiting_for");
  for (const json::value& option : plan.at("options").as_array())
    expect_keys(option, {"action", "command"}, "option");
  expect_keys(plan.at("source"), {"file", "age"}, "source");
  expect_keys(plan.at("source").at("age"), {"seconds", "class"}, "age");
  expect_keys(plan.at("saved"), {"steps", "seconds", "usd"}, "saved");
  expect_keys(plan.at("again"), {"steps", "seconds", "usd"}, "again");
}

class Json : public testing::Test {
 protected:
  void SetUp() override { world.workflow("ask", kThreeSteps); }
  json::value document(const std::vector<std::string>& words, int exit) {
    std::vector<std::string> all = words;
    all.push_back("--json");
    const Ended ended = world.reprise(all);
    EXPECT_EQ(ended.exit, exit) << ended.out << ended.err;
    return parsed(ended.out);
  }
  World world;
};

TEST_F(Json, RunAndResumePrintPlanAndOutcome) {
  const json::value first = document({"run", "ask", "a"}, 3);
  expect_plan_keys(first.at("plan"));
  EXPECT_EQ(first.at("outcome").at("status").as_string(), "waiting");
  EXPECT_EQ(first.at("outcome").at("exit").as_int64(), 3);
  document({"approve", "ask/a"}, 0);
  const json::value second = document({"resume", "ask/a"}, 0);
  expect_plan_keys(second.at("plan"));
  EXPECT_EQ(second.at("outcome").at("status").as_string(), "done");
}

TEST_F(Json, ALL02_PlanCarriesRuleReasonAndEvidenceForEveryDecision) {
  world.reprise({"run", "ask", "a"});
  const json::value plan = document({"plan", "ask/a"}, 0);
  expect_plan_keys(plan);
  EXPECT_EQ(plan.at("decisions").as_array().size(), 3u);
  EXPECT_EQ(plan.at("readiness").as_string(), "wait");
  EXPECT_EQ(plan.at("remaining").as_array().size(), 2u);
  EXPECT_EQ(plan.at("waiting_for").at(0).at("name").as_string(), "ship");
  const json::value why = document({"why", "ask/a", "report"}, 0);
  EXPECT_EQ(why.at("decisions").as_array().size(), 1u);
}

TEST_F(Json, StatusHasTheCountsAndOnDemandTheSteps) {
  world.reprise({"run", "ask", "a"});
  const json::value all = document({"status"}, 0);
  const json::value& run = all.at("runs").at(0);
  expect_keys(run,
              {"id", "workflow", "subject", "status", "mode", "stage", "steps", "resume_count", "started_at",
               "updated_at", "owner", "waiting_for"},
              "run");
  expect_keys(run.at("steps"), {"done", "running", "retrying", "pending", "blocked", "failed", "rolled_back"},
              "steps");
  EXPECT_EQ(run.at("status").as_string(), "waiting");
  EXPECT_EQ(run.at("steps").at("done").as_int64(), 1);
  const json::value one = document({"status", "ask/a"}, 0);
  for (const json::value& step : one.at("runs").at(0).at("detail").at("steps").as_array()) {
    expect_keys(
        step,
        {"step", "stage", "lane", "status", "attempt", "started_at", "finished_at", "exit_code", "artifacts"},
        "step");
  }
}

TEST_F(Json, InboxListsWhatAPersonOwes) {
  world.reprise({"run", "ask", "a"});
  const json::value inbox = document({"inbox"}, 0);
  ASSERT_EQ(inbox.at("items").as_array().size(), 1u);
  expect_keys(inbox.at("items").at(0), {"id", "kind", "name", "ask", "options", "shows", "since"}, "item");
}

TEST_F(Json, ErrorsAreDocumentsToo) {
  const std::vector<std::string> keys = {"kind", "message", "file", "line", "column", "hints"};
  expect_keys(document({"plan", "nonesuch"}, 2).at("error"), keys, "error");
  expect_keys(document({"nonesuch"}, 2).at("error"), keys, "error");
  world.write(".reprise/workflows/bad.yaml", "stages:\n  a: {rnu: x}\n");
  const json::value error = document({"run", "bad"}, 2);
  expect_keys(error.at("error"), keys, "error");
  EXPECT_EQ(error.at("error").at("line").as_int64(), 2);
  EXPECT_EQ(error.at("error").at("file").as_string(), ".reprise/workflows/bad.yaml");
}

TEST_F(Json, EventsAndLogPrintOneDocumentPerLine) {
  world.reprise({"run", "ask", "a"});
  world.reprise({"approve", "ask/a"});
  world.reprise({"resume", "ask/a"});
  const Ended events = world.reprise({"events", "ask/a", "--json"});
  const Ended log = world.reprise({"log", "ask/a", "--json"});
  int lines = 0;
  for (const std::string& text : {events.out, log.out}) {
    for (std::size_t at = 0; at < text.size(); ++lines) {
      const std::size_t newline = text.find('\n', at);
      ASSERT_NE(newline, std::string::npos);
      const json::value line = parsed(text.substr(at, newline - at + 1));
      expect_keys(line, &text == &log.out ? std::vector<std::string>{"step"} : std::vector<std::string>{}, "line");
      at = newline + 1;
    }
  }
  EXPECT_GT(lines, 8);
  EXPECT_NE(log.out.find("pushed"), std::string::npos);
}

TEST_F(Json, TheOtherCommandsPrintOneDocument) {
  world.reprise({"run", "ask", "a"});
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"doctor"},
                                             {"verify"},
                                             {"lock", "list"},
                                             {"gc", "--dry-run"},
                                             {"init"},
                                             {"workflow", "list"},
                                             {"workflow", "check", "ask"},
                                             {"workflow", "show", "ask"},
                                             {"fork", "ask/a", "--from", "report"},
                                             {"skip", "ask/a@1", "push", "--because", "x"},
                                             {"cancel", "ask/a@2"}}) {
    SCOPED_TRACE(testing::PrintToString(words));
    const bool is_one = words[0] != "skip";
    document(words, is_one ? 0 : 2);
  }
  const Ended schema = world.reprise({"workflow", "schema", "--json"});
  boost::system::error_code error;
  EXPECT_TRUE(json::parse(schema.out, error).is_object());
}

TEST_F(Json, SameWorldGivesTheSamePlanButForAges) {
  world.reprise({"run", "ask", "a"});
  json::value one = document({"plan", "ask/a"}, 0);
  json::value two = document({"plan", "ask/a"}, 0);
  for (json::value* plan : {&one, &two}) plan->at("source").at("age") = nullptr;
  EXPECT_EQ(json::serialize(one), json::serialize(two));
}

TEST_F(Json, ATerminalIsNotAsked) {
  const std::unique_ptr<Terminal> screen = world.terminal({"run", "ask", "a", "--json"});
  EXPECT_EQ(screen->end(), 3);
  EXPECT_EQ(screen->screen().find("approve?"), std::string::npos) << screen->screen();
}

}  // namespace
}  // namespace reprise::cli_test
