// The schema and the reader must say the same about every document that a schema can judge.

#include "formats/workflow_schema.h"

#define VALIJSON_USE_EXCEPTIONS 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <charconv>
#include <set>

#include "formats/key_reader.h"
#include "formats/key_table.h"
#include "formats/loading_for_tests.h"

namespace reprise {
namespace {

boost::json::value scalar_as_json(const YamlNode& node) {
  const std::string_view text = node.text();
  if (node.is_quoted()) return boost::json::value(text);
  if (text == "true" || text == "false") return boost::json::value(text == "true");
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, whole).ptr == end) return boost::json::value(whole);
  double number = 0;
  if (std::from_chars(text.data(), end, number).ptr == end) return boost::json::value(number);
  return boost::json::value(text);
}

// What an editor hands to the schema: YAML with the types of its core schema.
boost::json::value as_json(const YamlNode& node) {
  if (node.is_null()) return nullptr;
  if (node.is_scalar()) return scalar_as_json(node);
  if (node.is_sequence()) {
    boost::json::array out;
    for (const YamlNode& element : node.elements()) out.push_back(as_json(element));
    return out;
  }
  boost::json::object out;
  for (const YamlNode::Entry& entry : node.entries()) out[entry.key.text()] = as_json(entry.value);
  return out;
}

class SchemaJudge {
 public:
  SchemaJudge() {
    const boost::json::value document = boost::json::parse(workflow_json_schema());
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::BoostJsonAdapter(document), schema_);
  }

  bool accepts(std::string_view yaml) const {
    const Result<YamlDocument> parsed = YamlDocument::parse(yaml, "w.yaml", document_limits());
    if (!parsed) return false;
    const boost::json::value document = as_json(parsed->root());
    valijson::Validator validator;
    return validator.validate(schema_, valijson::adapters::BoostJsonAdapter(document), nullptr);
  }

 private:
  valijson::Schema schema_;
};

struct Judged {
  std::string_view yaml;
  bool good;
};

// One line each; what needs knowledge of other parts of the file is left to the reader's own tests.
constexpr auto kDocuments = std::to_array<Judged>({
    {"stages: {a: {run: x}}", true},
    {"name: n\nstages: {a: {run: x}}", true},
    {"name: 5\nstages: {a: {run: x}}", true},
    {"name: a b\nstages: {a: {run: x}}", false},
    {"name: ..\nstages: {a: {run: x}}", false},
    {"name: [x]\nstages: {a: {run: x}}", false},
    {"description: ''\nstages: {a: {run: x}}", true},
    {"description: {}\nstages: {a: {run: x}}", false},
    {"stages: {}", false},
    {"stages: []", false},
    {"stages:", false},
    {"name: n", false},
    {"[]", false},
    {"unknown: 1\nstages: {a: {run: x}}", false},
    {"limits: {parallel: 4, output_mb: 1, cost_usd: 0.5}\nstages: {a: {run: x}}", true},
    {"limits: {cost_usd: 5}\nstages: {a: {run: x}}", true},
    {"limits: {parallel: 0}\nstages: {a: {run: x}}", false},
    {"limits: {parallel: 1025}\nstages: {a: {run: x}}", false},
    {"limits: {parallel: '4'}\nstages: {a: {run: x}}", false},
    {"limits: {parallel: 1.5}\nstages: {a: {run: x}}", false},
    {"limits: {cost_usd: -1}\nstages: {a: {run: x}}", false},
    {"limits: {memory: 1}\nstages: {a: {run: x}}", false},
    {"limits: 4\nstages: {a: {run: x}}", false},
    {"inputs: {a: x, b: {default: 1, description: d}, c: , d: {}}\nstages: {a: {run: x}}", true},
    {"inputs: {a: [x]}\nstages: {a: {run: x}}", false},
    {"inputs: {a: {value: x}}\nstages: {a: {run: x}}", false},
    {"inputs: {a-b: x}\nstages: {a: {run: x}}", false},
    {"inputs: [a]\nstages: {a: {run: x}}", false},
    {"baseline: x\nstages: {a: {run: x}}", true},
    {"baseline: [x, y]\nstages: {a: {run: x}}", true},
    {"baseline: {x: y}\nstages: {a: {run: x}}", false},
    {"stages: {a/b: {run: x}}", false},
    {"stages: {-a: {run: x}}", false},
    {"stages: {a: {}}", false},
    {"stages: {a: x}", false},
    {"stages: {a: }", false},
    {"stages: {a: {run: [x, '', 5, true]}}", true},
    {"stages: {a: {run: []}}", false},
    {"stages: {a: {run: ['']}}", false},
    {"stages: {a: {run: ''}}", false},
    {"stages: {a: {run: {}}}", false},
    {"stages: {a: {run: [[x]]}}", false},
    {"stages: {a: {role: r}}", true},
    {"stages: {a: {prompt: p}}", true},
    {"stages: {a: {role: r, prompt: p}}", true},
    {"stages: {a: {run: x, prompt: p}}", false},
    {"stages: {a: {run: x, role: r}}", false},
    {"stages: {a: {gate: q}}", true},
    {"stages: {a: {gate: {ask: q, shows: [x]}}}", true},
    {"stages: {a: {gate: {shows: [x]}}}", false},
    {"stages: {a: {gate: [q]}}", false},
    {"stages: {a: {gate: q, retries: 1}}", false},
    {"stages: {a: {gate: q, each: {in: [x]}}}", true},
    {"stages: {a: {gate: q, repeat: {until: {verdict: v}}}}", false},
    {"stages: {a: {stages: {b: {run: x}}}}", true},
    {"stages: {a: {stages: {}}}", false},
    {"stages: {a: {stages: {b: {}}}}", false},
    {"stages: {a: {stages: {b: {run: x}}, timeout: 5s}}", false},
    {"stages: {a: {stages: {b: {run: x}}, run: x}}", false},
    {"stages: {a: {uses: other}}", true},
    {"stages: {a: {uses: other, with: {v: 1}}}", true},
    {"stages: {a: {uses: other, with: {v: [1]}}}", false},
    {"stages: {a: {uses: a b}}", false},
    {"stages: {a: {run: x, with: {v: 1}}}", false},
    {"stages: {a: {run: x, needs: []}}", true},
    {"stages: {a: {run: x, needs: ['']}}", false},
    {"stages: {a: {run: x, needs: {}}}", false},
    {"stages: {a: {run: x, retries: 0, delay: 5, patience: 1h, timeout: 500ms, resume: report, env: [A]}}", true},
    {"stages: {a: {run: x, retries: 101}}", false},
    {"stages: {a: {run: x, retries: true}}", false},
    {"stages: {a: {run: x, timeout: soon}}", false},
    {"stages: {a: {run: x, timeout: -1}}", false},
    {"stages: {a: {run: x, timeout: '20m'}}", true},
    {"stages: {a: {run: x, resume: again}}", false},
    {"stages: {a: {run: x, produces: p}}", true},
    {"stages: {a: {run: x, produces: [p, {path: q}]}}", true},
    {"stages: {a: {run: x, produces: [{path: q, complete: {not_empty: true, heading: h, table: t, checkboxes: 1, "
     "no_placeholders: false, matches: m, run: [x]}}]}}",
     true},
    {"stages: {a: {run: x, produces: [{complete: {}}]}}", false},
    {"stages: {a: {run: x, produces: {path: q}}}", false},
    {"stages: {a: {run: x, produces: [{path: q, complete: {not_empty: false}}]}}", false},
    {"stages: {a: {run: x, produces: [{path: q, complete: {checkboxes: 0}}]}}", false},
    {"stages: {a: {run: x, produces: [{path: q, complete: {no_placeholders: yes}}]}}", false},
    {"stages: {a: {run: x, produces: [{path: q, complete: {run: x}}]}}", false},
    {"stages: {a: {run: x, verify: [y], inputs: [i], baseline: b}}", true},
    {"stages: {a: {run: x, each: {in: [1, b]}}}", true},
    {"stages: {a: {run: x, each: {in: []}}}", false},
    {"stages: {a: {run: x, each: {in: b}}}", false},
    {"stages: {a: {run: x, each: {as: b}}}", false},
    {"stages: {a: {run: x, each: {in: [b], as: a-b}}}", false},
    {"stages: {a: {run: x, each: {in: [b], as: part, parallel: 2}}}", true},
    {"stages: {a: {run: x, repeat: {until: {verdict: v}, max: 5, stalled_max: 2}}}", true},
    {"stages: {a: {run: x, repeat: {max: 5}}}", false},
    {"stages: {a: {run: x, repeat: {until: v}}}", false},
    {"stages: {a: {run: x, repeat: {until: {verdict: v}, max: 0}}}", false},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: 1}}}", true},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: [1, b]}}}", true},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: {not: [1, b]}}}}", true},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: []}}}", false},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: }}}", false},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: {is: b}}}}", false},
    {"inputs: {i: }\nstages: {a: {run: x, when: {i: {not: {not: b}}}}}", false},
    {"stages: {a: {run: x, lane: {base: main}}}", true},
    {"stages: {a: {run: x, lane: {base: main, branch: b, retries: 2}, publish: pr}}", true},
    {"stages: {a: {run: x, lane: {}}}", true},
    {"stages: {a: {run: x, lane: {root: x}}}", false},
    {"stages: {a: {run: x, publish: pr}}", false},
});

TEST(WorkflowSchema, SchemaAndReaderAgree) {
  const SchemaJudge schema;
  std::size_t rounds = 0;
  for (const Judged& document : kDocuments) {
    const std::string problems = problems_of(document.yaml, {{"other", "inputs: {v: x}\nstages: {s: {run: x}}"}});
    EXPECT_EQ(problems.empty(), document.good) << document.yaml << "\n" << problems;
    EXPECT_EQ(schema.accepts(document.yaml), document.good) << document.yaml;
    ++rounds;
  }
  EXPECT_EQ(rounds, kDocuments.size());
  EXPECT_GE(rounds, 60u);
}

// Returns "level.key" for all properties that the schema knows.
std::set<std::string> keys_of_schema(const boost::json::object& schema) {
  std::set<std::string> keys;
  const auto add = [&](const std::string& level, const boost::json::value& part) {
    for (const auto& [key, value] : part.at("properties").as_object()) keys.insert(level + "." + std::string(key));
  };
  add("workflow", schema);
  for (const auto& [level, part] : schema.at("definitions").as_object()) add(std::string(level), part);
  return keys;
}

TEST(WorkflowSchema, HasEveryKeyOfTheReaderAndNoOther) {
  const std::map<Level, std::string> levels = {
      {Level::Workflow, "workflow"}, {Level::Limits, "limits"}, {Level::Policy, "policy"},
      {Level::Input, "input"},       {Level::Stage, "stage"},   {Level::Product, "product"},
      {Level::Complete, "complete"}, {Level::Gate, "gate"},     {Level::Each, "each"},
      {Level::Repeat, "repeat"},     {Level::Until, "until"},   {Level::Lane, "lane"}};
  std::set<std::string> keys;
  for (const KeySpec& key : all_keys()) {
    if (levels.contains(key.level)) keys.insert(levels.at(key.level) + "." + std::string(key.name));
  }
  const boost::json::value schema = boost::json::parse(workflow_json_schema());
  EXPECT_EQ(keys_of_schema(schema.as_object()), keys);
  EXPECT_GE(keys.size(), 50u);
}

}  // namespace
}  // namespace reprise
