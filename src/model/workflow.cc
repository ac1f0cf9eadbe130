#include "model/workflow.h"

#include "model/json_fields.h"
#include "model/plain_json.h"
#include "model/status.h"

namespace reprise {
namespace {

constexpr TokenTable<ResumeRule, 3> kResumeRuleTokens = {
    {{ResumeRule::Restart, "restart"}, {ResumeRule::Continue, "continue"}, {ResumeRule::Report, "report"}}};

}  // namespace

std::string_view to_token(ResumeRule rule) { return token_in(kResumeRuleTokens, rule); }

std::optional<ResumeRule> resume_rule_from_token(std::string_view token) {
  return value_in(kResumeRuleTokens, token);
}

const Worker* Config::worker_for(const std::string& role) const {
  const auto found = roles.find(role);
  if (found != roles.end()) return &found->second;
  return default_worker ? &*default_worker : nullptr;
}

template <typename F>
void fields(F& f, Command& command) {
  f("line", command.line);
  f("argv", command.argv);
}

template <typename F>
void fields(F& f, CompleteCheck& check) {
  f("heading", check.heading);
  f("table", check.table);
  f("checkboxes", check.checkboxes);
  f("no_placeholders", check.no_placeholders);
  f("matches", check.matches);
  f("constitution", check.constitution);
  f("run", check.run);
}

template <typename F>
void fields(F& f, Product& product) {
  f("path", product.path);
  f("complete", product.complete);
}

template <typename F>
void fields(F& f, Gate& gate) {
  f("ask", gate.ask);
  f("shows", gate.shows);
}

template <typename F>
void fields(F& f, Each& each) {
  // Written always: without it the reader would keep the default name, and this one may be empty.
  std::optional<std::string> as = each.as;
  f("in", each.in);
  f("tasks", each.tasks);
  f("as", as);
  f("parallel", each.parallel);
  if (*as != each.as) each.as = *as;  // the writer's may be const
}

template <typename F>
void fields(F& f, Repeat& repeat) {
  f("until_verdict", repeat.until_verdict);
  f("or_verdicts", repeat.or_verdicts);
  f("max", repeat.max);
  f("stalled_max", repeat.stalled_max);
  f("accept_last", repeat.accept_last);
}

template <typename F>
void fields(F& f, Condition& condition) {
  f("name", condition.name);
  f("values", condition.values);
  f("negated", condition.negated);
}

template <typename F>
void fields(F& f, LaneSpec& lane) {
  f("base", lane.base);
  f("name", lane.name);
  f("branch", lane.branch);
  f("folder", lane.folder);
  f("tests", lane.tests);
  f("retries", lane.retries);
}

template <typename F>
void fields(F& f, ResumeRule& rule) {
  std::string token = rule == ResumeRule::Restart ? "" : std::string(to_token(rule));
  f("resume", token);
  const std::optional<ResumeRule> known = resume_rule_from_token(token);
  if (known && *known != rule) rule = *known;  // the writer's may be const
  // A rule of a newer version must not be taken for the default.
  if constexpr (requires { f.refuse(); }) {
    if (!known && !token.empty()) f.refuse();
  }
}

// What a stage does itself: the part that work_digest() covers.
template <typename F>
void work_fields(F& f, Stage& stage) {
  f("run", stage.command);
  f("role", stage.role);
  f("prompt", stage.prompt);
  f("gate", stage.gate);
  f("inputs", stage.inputs);
  f("produces", stage.produces);
  f("publish", stage.publish);
}

template <typename F>
void fields(F& f, Stage& stage) {
  f("name", stage.name);
  f("needs", stage.needs);
  f("when", stage.when);
  work_fields(f, stage);
  f("stages", stage.stages);
  f("uses", stage.uses);
  f("with", stage.with);
  f("each", stage.each);
  f("repeat", stage.repeat);
  f("lane", stage.lane);
  f("retry_from", stage.retry_from);
  f("baseline", stage.baseline);
  f("verify", stage.verify);
  f("context", stage.context);
  f("required", stage.required);
  f("finds_gaps", stage.finds_gaps);
  f("takes_answers", stage.takes_answers);
  f("retries", stage.retries);
  f("delay", stage.delay);
  f("patience", stage.patience);
  f("timeout", stage.timeout);
  fields(f, stage.resume);
  f("env", stage.env);
}

template <typename F>
void fields(F& f, InputDef& input) {
  f("name", input.name);
  f("default", input.fallback);
  f("description", input.description);
}

template <typename F>
void fields(F& f, Limits& limits) {
  f("parallel", limits.parallel);
  f("output_mb", limits.output_mb);
  f("cost_usd", limits.cost_usd);
}

template <typename F>
void fields(F& f, Policy& policy) {
  f("approvals_hold", policy.approvals_hold);
  f("outdated_asks", policy.outdated_asks);
  f("failure_asks", policy.failure_asks);
}

template <typename F>
void fields(F& f, Workflow& workflow) {
  f("name", workflow.name);
  f("description", workflow.description);
  f("source", workflow.source);
  f("limits", workflow.limits);
  f("policy", workflow.policy);
  f("inputs", workflow.inputs);
  f("baseline", workflow.baseline);
  f("stages", workflow.stages);
}

namespace {

// A stage seen as nothing but its work.
struct Work {
  Stage* stage;
};

template <typename F>
void fields(F& f, Work& work) {
  work_fields(f, *work.stage);
}

}  // namespace

ShortDigest work_digest(const Stage& stage) {
  return shortened(
      digest_of(FieldWriter::object(Work{const_cast<Stage*>(&stage)})));  // only read: see FieldWriter
}

std::string to_json(const Workflow& workflow) { return FieldWriter::object(workflow); }

Result<Workflow> workflow_from_json(std::string_view json) {
  Workflow plain;
  if (PlainReader::object(json, plain)) return plain;
  boost::json::monotonic_resource memory(json.size() + (64u << 10));
  const std::optional<boost::json::value> parsed = parse_stored(json, &memory);
  Workflow workflow;
  if (!parsed || !FieldReader::object(*parsed, workflow)) {
    return fail(ErrorKind::Corrupt, "the stored workflow definition does not read as one");
  }
  return workflow;
}

}  // namespace reprise
