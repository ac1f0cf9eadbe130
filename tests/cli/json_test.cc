// `--json`: the form that the command table announces (usually one document) on stdout, with the keys that scripts
// rely on, and never a prompt.

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "cli/command_table.h"
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

// What `run` and `resume` end with, whatever they end with.
void expect_outcome_keys(const json::value& document) {
  expect_keys(document, {"id", "outcome", "steps", "cost", "detail", "plan", "plan_after"}, "document");
  expect_keys(document.at("outcome"), {"status", "exit", "failed_step", "reason", "waiting_for", "next"},
              "outcome");
  for (const json::value& waiting : document.at("outcome").at("waiting_for").as_array())
    expect_keys(waiting, {"kind", "name", "ask", "command"}, "waiting_for");
  expect_keys(document.at("cost"), {"usd"}, "cost");
  expect_plan_keys(document.at("plan"));
}

std::string texts_of(const json::value& list) {
  std::string out;
  for (const json::value& text : list.as_array()) out += std::string(text.as_string()) + "\n";
  return out;
}

TEST_F(Json, DW14_RunThatWaitsNamesTheGateAndTheCommandsToType) {
  const json::value first = document({"run", "ask", "a"}, 3);
  expect_outcome_keys(first);
  EXPECT_EQ(first.at("id").as_string(), "ask/a");
  const json::value& outcome = first.at("outcome");
  EXPECT_EQ(outcome.at("status").as_string(), "waiting");
  EXPECT_EQ(outcome.at("exit").as_int64(), 3);
  EXPECT_TRUE(outcome.at("failed_step").is_null());
  EXPECT_EQ(outcome.at("waiting_for").at(0).at("name").as_string(), "ship");
  EXPECT_EQ(texts_of(outcome.at("next")), "reprise approve ask/a ship\nreprise resume ask/a\n");
  // What was carried out, and what a resume would do now.
  EXPECT_EQ(first.at("plan").at("waiting_for").as_array().size(), 0u);
  EXPECT_EQ(first.at("plan_after").at("readiness").as_string(), "wait");
  EXPECT_EQ(first.at("plan_after").at("waiting_for").at(0).at("name").as_string(), "ship");
  EXPECT_EQ(first.at("steps").at("done").as_int64(), 1);

  for (const json::value& command : outcome.at("next").as_array()) {
    const Ended typed = world.shell(std::string(command.as_string()));
    EXPECT_EQ(typed.exit, 0) << command << typed.err;
  }
  const json::value second = document({"resume", "ask/a"}, 0);
  expect_outcome_keys(second);
  EXPECT_EQ(second.at("outcome").at("status").as_string(), "done");
  EXPECT_EQ(second.at("steps").at("done").as_int64(), 3);
}

TEST_F(Json, DW14_FailedRunNamesStepReasonStepsAndCost) {
  world.write(".reprise/config.yaml",
              "workers: {default: {run: 'echo \"{\\\"status\\\":\\\"done\\\",\\\"summary\\\":\\\"three "
              "pages\\\",\\\"cost\\\":{\\\"usd\\\":0.7}}\" >\"$REPRISE_RESULT\"'}}\n");
  world.workflow("pages",
                 "stages:\n"
                 "  write: {role: writer, prompt: 'Write.'}\n"
                 "  check: {needs: write, run: 'exit 7'}\n"
                 "  send: {needs: check, run: 'true'}\n");
  const json::value failed = document({"run", "pages", "a"}, 1);
  expect_outcome_keys(failed);
  EXPECT_EQ(failed.at("outcome").at("failed_step").as_string(), "check");
  EXPECT_EQ(failed.at("outcome").at("reason").as_string(), "step check failed: exit 7");
  EXPECT_EQ(texts_of(failed.at("outcome").at("next")), "reprise log pages/a\nreprise resume pages/a\n");
  EXPECT_DOUBLE_EQ(failed.at("cost").at("usd").to_number<double>(), 0.7);
  EXPECT_EQ(failed.at("steps").at("failed").as_int64(), 1);
  const json::array& steps = failed.at("detail").at("steps").as_array();
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].at("summary").as_string(), "three pages");
  EXPECT_EQ(steps[1].at("exit_code").as_int64(), 7);
}

TEST_F(Json, DW14_RefusedResumeNamesItsReasonToo) {
  const json::value nothing = document({"resume"}, 0);
  EXPECT_TRUE(nothing.at("id").is_null());
  EXPECT_EQ(nothing.at("outcome").at("status").as_string(), "done");
  world.write("rules.txt", "one\n");
  world.workflow("based", "baseline: [rules.txt]\nstages: {a: {run: 'test -e ready'}}\n");
  document({"run", "based", "a"}, 1);
  world.write("rules.txt", "two\n");
  const json::value blocked = document({"resume", "based/a"}, 4);
  expect_outcome_keys(blocked);
  EXPECT_EQ(blocked.at("id").as_string(), "based/a");
  EXPECT_EQ(blocked.at("outcome").at("reason").as_string(), "rules.txt has changed since the run started");
  EXPECT_FALSE(blocked.at("outcome").at("next").as_array().empty());
  EXPECT_TRUE(blocked.at("plan_after").is_null());
  EXPECT_EQ(blocked.at("steps").at("failed").as_int64(), 1);
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
  expect_keys(
      run.at("steps"),
      {"done", "running", "retrying", "pending", "blocked", "failed", "rolled_back", "skipped", "not_needed"},
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

// A command of the table, and words with which it has something to print.
struct Typed {
  std::string command;
  std::vector<std::string> words;
  int exit = 0;
};

const std::vector<Typed>& typed_in_order() {
  static const std::vector<Typed> kTyped = {
      {"init", {"init"}},
      {"run", {"run", "ask", "a"}, 3},
      {"run", {"run", "lane", "l"}},
      {"resume", {"resume", "ask/a"}, 3},
      {"resume", {"resume", "ask/a", "--brief"}},
      {"resume", {"resume", "--all"}, 3},
      {"scan", {"scan"}},
      {"status", {"status", "ask/a"}},
      {"stats", {"stats"}},
      {"plan", {"plan", "ask/a"}},
      {"why", {"why", "ask/a", "report"}},
      {"log", {"log", "ask/a"}},
      {"events", {"events", "ask/a"}},
      {"attach", {"attach", "ask/a"}, 3},
      {"task create", {"task", "create", "--list", "l", "--subject", "x"}},
      {"task list", {"task", "list", "--all"}},
      {"task get", {"task", "get", "1", "--list", "l"}},
      {"task update", {"task", "update", "1", "--list", "l", "--status", "completed"}},
      {"inbox", {"inbox"}},
      {"reject", {"reject", "ask/a", "--because", "x"}},
      {"answer", {"answer", "ask/a", "Q", "x"}, 2},
      {"accept", {"accept", "ask/a", "nothing", "--because", "x"}, 2},
      {"approve", {"approve", "ask/a"}, 2},
      {"retry", {"retry", "ask/a", "report"}},
      {"skip", {"skip", "ask/a", "push", "--because", "x"}},
      {"fork", {"fork", "ask/a", "--from", "report"}},
      {"cancel", {"cancel", "ask/a@2"}},
      {"repair", {"repair", "ask/a"}, 2},
      {"fresh", {"fresh", "ask/a@2"}, 3},
      {"fresh", {"fresh", "ask/a@2", "--yes"}},
      {"undo", {"undo"}, 3},
      {"undo", {"undo", "--yes"}},
      {"rollback", {"rollback", "lane/l"}, 3},
      {"rollback", {"rollback", "lane/l", "--to", "before_lane_start", "--yes"}},
      {"resume", {"resume", "lane/l"}},
      {"rescue list", {"rescue", "list"}},
      {"rescue restore", {"rescue", "restore", "REF"}},
      {"cleanup", {"cleanup", "nonesuch"}, 2},
      {"workflow list", {"workflow", "list"}},
      {"workflow show", {"workflow", "show", "ask"}},
      {"workflow check", {"workflow", "check", "ask"}},
      {"workflow schema", {"workflow", "schema"}},
      {"doctor", {"doctor"}},
      {"verify", {"verify"}},
      {"lock list", {"lock", "list"}},
      {"lock break", {"lock", "break", "ask/a"}},
      {"checkpoint put",
       {"checkpoint", "put", "--run-id", "R", "--phase", "P", "--lane", "L", "--stage", "pre_pr", "--status",
        "ready"}},
      {"checkpoint list", {"checkpoint", "list"}},
      {"export", {"export", "lane/l", "--output", "l.tar"}},
      {"import", {"import", "l.tar"}},
      {"gc", {"gc", "--dry-run"}},
      {"completion", {"completion", "bash"}},
      {"man", {"man"}},
  };
  return kTyped;
}

// Returns the JSON documents of a text that has one per line.
std::vector<json::value> documents_in(const std::string& text) {
  std::vector<json::value> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t newline = text.find('\n', at);
    if (newline == std::string::npos) return {};
    found.push_back(parsed(text.substr(at, newline - at + 1)));
    at = newline + 1;
  }
  return found;
}

TEST_F(Json, DW15_EveryCommandPrintsTheFormThatTheTableAnnounces) {
  world.set("CLAUDE_CONFIG_DIR", (world.root() / ".agent").string());
  world.workflow("lane", "stages: {part: {lane: {base: HEAD}, stages: {write: {run: 'echo text >text'}}}}\n");
  world.shell("git config user.name A; git config user.email a@x; git commit -q --allow-empty -m begin");
  std::set<std::string> seen;
  for (const Typed& typed : typed_in_order()) {
    SCOPED_TRACE(testing::PrintToString(typed.words));
    seen.insert(typed.command);
    std::vector<std::string> words = typed.words;
    if (words.back() == "REF") {
      const Ended list = world.reprise({"rescue", "list", "--json"});
      words.back() = std::string(json::parse(list.out).at("rescues").at(0).at("ref").as_string());
    }
    words.emplace_back("--json");
    const Ended ended = world.reprise(words);
    EXPECT_EQ(ended.exit, typed.exit) << ended.out << ended.err;
    const auto spec =
        std::ranges::find_if(commands(), [&](const CommandSpec& row) { return row.name == typed.command; });
    ASSERT_NE(spec, commands().end());
    if (spec->json == JsonForm::Document) {
      boost::system::error_code error;
      EXPECT_TRUE(json::parse(ended.out, error).is_object()) << ended.out;
    }
    if (spec->json == JsonForm::None) {
      EXPECT_FALSE(ended.out.empty());
    }
    if (spec->json == JsonForm::Lines) {
      for (const json::value& line : documents_in(ended.out)) EXPECT_TRUE(line.is_object());
    }
  }
  for (const CommandSpec& row : commands()) EXPECT_TRUE(seen.contains(std::string(row.name))) << row.name;
}

TEST_F(Json, DW15_CheckpointListIsAnObject) {
  document({"checkpoint", "put", "--run-id", "R", "--phase", "P", "--lane", "L", "--stage", "pre_pr", "--status",
            "ready"},
           0);
  const json::value list = document({"checkpoint", "list"}, 0);
  ASSERT_EQ(list.at("checkpoints").as_array().size(), 1u);
  EXPECT_EQ(list.at("checkpoints").at(0).at("lane").as_string(), "L");
}

TEST_F(Json, DW15_JsonLinesAreDocumentedWhereverOneDocumentIsPromised) {
  const std::string manual = slurp(sources() / "docs" / "commands.md");
  int lines = 0;
  for (const CommandSpec& row : commands()) {
    if (row.json != JsonForm::Lines) continue;
    ++lines;
    const std::string name(row.name);
    const Ended help = world.reprise({name, "--help"});
    EXPECT_NE(help.out.find("print one JSON document per line"), std::string::npos) << help.out;
    EXPECT_NE(manual.find("`" + name + " --json`"), std::string::npos) << name;
  }
  EXPECT_EQ(lines, 2);
  EXPECT_NE(manual.find("JSON Lines"), std::string::npos);
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
