#include "app/preflight.h"

#include <algorithm>

#include "app/preflight_files.h"
#include "app/resume_choice.h"

namespace reprise {
namespace {

// What the journal recorded of every step: what it used and what it made.
void add_steps(const RunState& state, const Plan& plan, PreflightReport& report, PreflightFiles& files) {
  for (const auto& [path, step] : state.steps) {
    for (const SeenFile& file : step.inputs) files.add_recorded(file.path, "input", file.digest, path.text);
  }
  for (const auto& [path, step] : state.steps) {
    for (const SeenFile& file : step.artifacts) files.add_recorded(file.path, "artifact", file.digest, path.text);
    const auto decision = std::ranges::find(plan.decisions, path, &StepDecision::step);
    if (step.record != StepState::Record::Done || decision == plan.decisions.end()) continue;
    const bool stays = decision->decision == Decision::Keep;
    report.statuses.push_back(
        {path.text, "", "done",
         stays ? "done" : std::string(to_token(decision->decision)) + ": " + decision->reason(), stays});
  }
  for (const auto& [path, gate] : state.gates) {
    for (const SeenFile& file : gate.approved) files.add_recorded(file.path, "approved", file.digest, path.text);
  }
}

void write_text(JsonWriter& json, std::string_view name, const std::string& text) {
  json.key(name);
  text.empty() ? json.null() : json.value(text);
}

void write_time(JsonWriter& json, std::string_view name, const std::optional<Timestamp>& time) {
  json.key(name);
  time ? json.value(to_text(*time)) : json.null();
}

void write_file(JsonWriter& json, const PreflightFile& file) {
  json.begin_object().field("path", file.path).field("role", file.role);
  json.field("standing", to_token(file.standing));
  write_text(json, "recorded", file.recorded);
  write_time(json, "recorded_at", file.recorded_at);
  write_text(json, "seen", file.digest);
  json.field("size", file.size);
  write_time(json, "modified_at", file.modified_at);
  write_text(json, "phase", file.phase);
  json.field("critical", file.critical).field("note", file.note).end_object();
}

void write_step(JsonWriter& json, const StepDecision& decision, const StepWork& work) {
  json.begin_object().field("step", decision.step.text).field("decision", to_token(decision.decision));
  write_text(json, "agent", work.agent);
  json.field("reason", decision.reason()).end_object();
}

}  // namespace

std::size_t PreflightReport::count(FileStanding standing) const {
  return static_cast<std::size_t>(std::ranges::count(files, standing, &PreflightFile::standing));
}

Result<PreflightReport> preflight_run(App& app, const RunState& state, const Proposal& proposal) {
  PreflightReport report;
  PreflightFiles files(app, proposal.plan);
  add_steps(state, proposal.plan, report, files);
  for (const SeenFile& file : state.baseline) {
    files.add_recorded(file.path, "baseline", file.digest, "");
  }
  if (!state.state_file.path.empty())
    files.add_recorded(state.state_file.path, "state", state.state_file.digest, "");
  add_phases(proposal, report, files);
  NeedsByName needs;
  for (const auto& [id, task] : state.tasks) {
    if (!task.blocked_by.empty()) needs[id] = task.blocked_by;
  }
  add_dependencies(
      needs, "task ",
      [&](const std::string& id) {
        const auto found = state.tasks.find(id);
        return found == state.tasks.end() ? std::nullopt : std::optional(found->second.status == "completed");
      },
      report);
  report.files = files.take();
  return report;
}

void write_preflight(JsonWriter& json, const Proposal& proposal, const PreflightReport& report) {
  json.begin_object().field("validation", validation_of(proposal.plan)).key("files").begin_array();
  for (const PreflightFile& file : report.files) write_file(json, file);
  json.end_array().key("statuses").begin_array();
  for (const PreflightStatus& status : report.statuses) {
    json.begin_object().field("subject", status.subject).field("file", status.file);
    json.field("claimed", status.claimed).field("seen", status.seen).field("agrees", status.agrees).end_object();
  }
  json.end_array().key("dependencies").begin_array();
  for (const PreflightDependency& each : report.dependencies) {
    json.begin_object().field("of", each.of).field("on", each.on);
    json.field("sound", each.sound).field("standing", each.standing).end_object();
  }
  json.end_array().key("steps").begin_array();
  for (std::size_t i = 0; i < proposal.plan.decisions.size(); ++i) {
    const StepDecision& decision = proposal.plan.decisions[i];
    if (decision.decision != Decision::Keep) write_step(json, decision, proposal.phases[i]);
  }
  json.end_array().key("risks").begin_array();
  for (const std::string& risk : risks_of(proposal.plan)) json.value(risk);
  json.end_array().end_object();
}

}  // namespace reprise
