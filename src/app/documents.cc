#include "app/documents.h"

#include <algorithm>
#include <charconv>

#include "base/json_writer.h"
#include "model/event_codec.h"

namespace reprise {
namespace {

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_time(JsonWriter& json, const std::optional<Timestamp>& time) {
  time ? json.value(to_text(*time)) : json.null();
}

void write_lane(JsonWriter& json, const std::string& lane) {
  json.key("lane");
  lane.empty() ? json.null() : json.value(lane);
}

void write_decision(JsonWriter& json, const StepDecision& decision) {
  json.begin_object();
  json.field("stage", decision.stage).field("step", decision.step.text);
  write_lane(json, decision.lane.get());
  json.field("decision", to_token(decision.decision))
      .field("rule", decision.rule.substr(0, decision.rule.find(' ')))
      .field("reason", decision.reason());
  json.key("evidence").begin_array();
  for (const Evidence& evidence : decision.evidence()) {
    json.begin_object()
        .field("kind", evidence.kind)
        .field("subject", evidence.subject)
        .field("seen", evidence.seen);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_waiting(JsonWriter& json, const std::vector<Waiting>& waiting) {
  json.begin_array();
  for (const Waiting& item : waiting) {
    json.begin_object().field("kind", item.kind).field("name", item.name).field("ask", item.ask).end_object();
  }
  json.end_array();
}

void write_findings(JsonWriter& json, const std::vector<Finding>& findings) {
  json.begin_array();
  for (const Finding& finding : findings) {
    json.begin_object().field("rule", finding.rule.substr(0, finding.rule.find(' '))).field("code", finding.code);
    json.field("severity", to_token(finding.severity)).field("message", finding.message);
    json.field("claimed", finding.claimed)
        .field("seen", finding.seen)
        .field("remedy", finding.remedy)
        .end_object();
  }
  json.end_array();
}

void write_age(JsonWriter& json, Duration age) {
  json.key("age").begin_object().field("seconds", static_cast<std::int64_t>(age.count() / 1000));
  json.field("class", to_token(age_class(age))).end_object();
}

void write_candidate(JsonWriter& json, const Candidate& candidate) {
  json.begin_object().field("id", candidate.id.shown()).field("system", candidate.system);
  json.field("workflow", candidate.workflow).field("subject", candidate.subject).key("state_file");
  candidate.state_file.empty() ? json.null() : json.value(candidate.state_file);
  json.field("native_status", candidate.native_status).field("status", to_token(candidate.status)).key("stage");
  candidate.stage.empty() ? json.null() : json.value(candidate.stage);
  json.field("iteration", candidate.iteration).field("iteration_max", candidate.iteration_max);
  json.field("updated_at", to_text(candidate.updated_at));
  write_age(json, candidate.age);
  json.field("priority", candidate.priority).field("resumable", candidate.resumable);
  json.field("why", candidate.why).field("damaged", candidate.damaged).end_object();
}

// Money, to a hundredth of a cent.
void write_usd(JsonWriter& json, double usd) {
  char text[32];
  const std::to_chars_result end =
      std::to_chars(text, text + sizeof text, std::max(0.0, usd), std::chars_format::fixed, 4);
  json.raw(end.ec == std::errc() ? std::string_view(text, end.ptr) : "0");
}

// Steps, and what they took and cost.
void write_effort(JsonWriter& json, int steps, Duration time, double usd) {
  json.begin_object().field("steps", steps).field("seconds", static_cast<std::int64_t>(time.count() / 1000));
  json.key("usd");
  write_usd(json, usd);
  json.end_object();
}

void write_plan(JsonWriter& json, const Plan& plan) {
  json.begin_object()
      .field("id", plan.id.shown())
      .field("readiness", to_token(plan.readiness))
      .key("resume_point");
  if (plan.resume_point) {
    const StepDecision& point = plan.decisions[*plan.resume_point];
    json.begin_object().field("stage", point.stage).field("step", point.step.text);
    write_lane(json, point.lane.get());
    json.field("iteration", plan.iteration).end_object();
  } else {
    json.null();
  }
  json.key("decisions").begin_array();
  for (const StepDecision& decision : plan.decisions) write_decision(json, decision);
  json.end_array().key("findings");
  write_findings(json, plan.findings);
  json.key("remaining").begin_array();
  for (const StepDecision& decision : plan.decisions) {
    if (decision.decision != Decision::Keep) json.value(decision.step.text);
  }
  json.end_array().key("waiting_for");
  write_waiting(json, plan.waiting_for);
  json.key("options").begin_array();
  for (const PlanOption& option : plan.options) {
    json.begin_object().field("action", option.action).field("command", option.command).end_object();
  }
  json.end_array().key("source").begin_object().field("file", plan.source_file);
  write_age(json, plan.age);
  json.end_object().key("saved");
  write_effort(json, plan.saved_steps, plan.saved_time, plan.saved_usd);
  json.key("again");
  write_effort(json, plan.again_steps, plan.again_time, plan.again_usd);
  json.end_object();
}

void write_step(JsonWriter& json, const StepView& step) {
  json.begin_object().field("step", step.step.text).field("stage", step.stage);
  write_lane(json, step.lane);
  json.field("status", to_token(step.status)).field("attempt", step.attempt).key("started_at");
  write_time(json, step.started_at);
  json.key("finished_at");
  write_time(json, step.finished_at);
  json.field("exit_code", step.exit_code).key("artifacts");
  write_texts(json, step.artifacts);
  json.field("reason", step.reason).field("verdict", step.verdict).field("summary", step.summary);
  json.end_object();
}

void write_entry(JsonWriter& json, const TimelineEntry& entry) {
  json.begin_object().field("at", to_text(entry.at)).field("kind", entry.kind).field("text", entry.text);
  json.field("event", entry.event.value).key("subject");
  entry.subject.empty() ? json.null() : json.value(entry.subject);
  json.key("seconds");
  entry.lasted ? json.value(static_cast<std::int64_t>(entry.lasted->count() / 1000)) : json.null();
  json.end_object();
}

void write_counts(JsonWriter& json, const RunView& run) {
  json.begin_object();
  for (const auto& [status, token] : kStepStatusTokens) {
    const auto found = run.counts.find(status);
    const std::string_view name = status == StepStatus::RolledBack ? "rolled_back" : token;
    json.field(name, found == run.counts.end() ? 0 : found->second);
  }
  json.end_object();
}

void write_detail(JsonWriter& json, const RunView& run) {
  json.begin_object().key("steps").begin_array();
  for (const StepView& step : run.steps) write_step(json, step);
  json.end_array().key("timeline").begin_array();
  for (const TimelineEntry& entry : run.timeline) write_entry(json, entry);
  json.end_array().end_object();
}

void write_run(JsonWriter& json, const RunView& run, bool with_detail) {
  json.begin_object().field("id", run.id.shown()).field("workflow", run.workflow).field("subject", run.subject);
  json.field("status", to_token(run.status)).field("mode", to_token(run.mode)).key("stage");
  run.stage.empty() ? json.null() : json.value(run.stage);
  json.key("steps");
  write_counts(json, run);
  json.field("resume_count", run.resume_count).field("started_at", to_text(run.started_at));
  json.field("updated_at", to_text(run.updated_at)).key("owner");
  if (run.owner) {
    json.begin_object()
        .field("host", run.owner->host)
        .field("pid", run.owner->pid)
        .field("alive", run.owner->alive)
        .end_object();
  } else {
    json.null();
  }
  json.key("waiting_for");
  write_waiting(json, run.waiting_for);
  json.field("reason", run.reason);
  if (with_detail) {
    json.key("detail");
    write_detail(json, run);
  }
  json.end_object();
}

void write_outcome(JsonWriter& json, const Outcome& outcome) {
  json.begin_object().field("status", outcome.status).field("exit", outcome.exit).key("failed_step");
  outcome.failed_step.empty() ? json.null() : json.value(outcome.failed_step);
  json.field("reason", outcome.reason).key("waiting_for").begin_array();
  for (const OpenRequest& request : outcome.waiting_for) {
    json.begin_object().field("kind", request.waiting.kind).field("name", request.waiting.name);
    json.field("ask", request.waiting.ask).field("command", request.command).end_object();
  }
  json.end_array().key("next");
  write_texts(json, outcome.next);
  json.end_object();
}

}  // namespace

std::string plan_document(const Plan& plan) {
  JsonWriter json;
  write_plan(json, plan);
  return json.take();
}

std::string outcome_document(const Outcome& outcome) {
  JsonWriter json;
  json.begin_object().key("id");
  outcome.id.empty() ? json.null() : json.value(outcome.id);
  json.key("outcome");
  write_outcome(json, outcome);
  json.key("steps");
  outcome.run ? write_counts(json, *outcome.run) : static_cast<void>(json.null());
  json.key("cost").begin_object().key("usd");
  write_usd(json, outcome.run ? outcome.run->cost_usd : 0);
  json.end_object().key("detail");
  outcome.run ? write_detail(json, *outcome.run) : static_cast<void>(json.null());
  json.key("plan");
  outcome.plan ? write_plan(json, *outcome.plan) : static_cast<void>(json.null());
  json.key("plan_after");
  outcome.after ? write_plan(json, *outcome.after) : static_cast<void>(json.null());
  return json.end_object().take();
}

std::string status_document(std::span<const RunView> runs, bool with_detail) {
  JsonWriter json;
  json.begin_object().key("runs").begin_array();
  for (const RunView& run : runs) write_run(json, run, with_detail);
  json.end_array().end_object();
  return json.take();
}

std::string scan_document(const ScanResult& result) {
  JsonWriter json;
  json.begin_object().key("candidates").begin_array();
  for (const Candidate& candidate : result.candidates) write_candidate(json, candidate);
  json.end_array().key("ignored").begin_array();
  for (const IgnoredFile& file : result.ignored) {
    json.begin_object().field("path", file.path).field("why", file.why).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

std::string inbox_document(const std::vector<InboxItem>& items) {
  JsonWriter json;
  json.begin_object().key("items").begin_array();
  for (const InboxItem& item : items) {
    json.begin_object().field("id", item.id.shown()).field("kind", item.kind).field("name", item.name);
    json.field("ask", item.ask).key("options");
    write_texts(json, item.options);
    json.key("shows");
    write_texts(json, item.shows);
    json.field("since", to_text(item.since)).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

std::string error_document(const Error& error) {
  JsonWriter json;
  json.begin_object()
      .key("error")
      .begin_object()
      .field("kind", to_token(error.kind))
      .field("message", error.message);
  json.key("file");
  error.file.empty() ? json.null() : json.value(error.file);
  json.key("line");
  error.line == 0 ? json.null() : json.value(error.line);
  json.key("column");
  error.column == 0 ? json.null() : json.value(error.column);
  json.key("hints");
  write_texts(json, error.hints);
  json.end_object().end_object();
  return json.take();
}

std::string event_document(const RunId& run, const RecordedEvent& event) {
  JsonWriter json;
  json.begin_object()
      .field("run", run.shown())
      .field("number", event.number.value)
      .field("at", to_text_ms(event.at));
  json.field("event", kind_of(event.event)).key("data").raw(encode(event.event)).end_object();
  return json.take();
}

}  // namespace reprise
