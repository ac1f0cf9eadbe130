#include "app/resume_proposal.h"

#include <algorithm>
#include <set>

#include "app/lane_definition.h"
#include "app/orchestrator_system.h"
#include "app/preview.h"
#include "app/systems.h"
#include "base/strings.h"
#include "planner/orchestrator_rules.h"

namespace reprise {
namespace {

// The orchestrator's own rules know best who does the next phase, and with what.
void take_next(const ResumeSummary& summary, Proposal& proposal) {
  const auto apply = [&](const std::optional<PhaseSummary>& known) {
    if (!known) return;
    for (std::size_t i = 0; i < proposal.plan.decisions.size(); ++i) {
      if (proposal.plan.decisions[i].step.text != known->step) continue;
      if (!known->agent.empty()) proposal.phases[i].agent = known->agent;
      if (!known->inputs.empty()) proposal.phases[i].inputs = known->inputs;
      if (!known->outputs.empty()) proposal.phases[i].outputs = known->outputs;
    }
  };
  apply(summary.last);
  apply(summary.next);
}

bool has_option(const Plan& plan, std::string_view action) {
  return std::ranges::find(plan.options, action, &PlanOption::action) != plan.options.end();
}

bool asks_a_person(const StepDecision& decision) {
  return decision.rule == "WF-07 report" || decision.rule == "WF-11 refused";
}

}  // namespace

std::map<std::string, std::string> values_of_found(App& app, const Candidate& candidate,
                                                   const Workflow& workflow) {
  std::map<std::string, std::string> values;
  for (const InputDef& input : workflow.inputs) values[input.name] = input.fallback.value_or("");
  for (auto& [name, value] : orchestrator_values(app, candidate.workflow, candidate.subject)) values[name] = value;
  if (candidate.workflow == "spec-pipeline")
    values["folder"] = std::filesystem::path(candidate.state_file).parent_path().string();
  values["subject"] = candidate.subject;
  return values;
}

Result<Proposal> propose_found(App& app, const Candidate& candidate, const std::string& from) {
  Proposal proposal{.plan = TRY(preview(app, candidate, from))->plan,
                    .workflow = candidate.workflow,
                    .subject = candidate.subject,
                    .system = candidate.system,
                    .source = candidate.state_file,
                    .is_found = true};
  const Result<Definition> definition = candidate.system == kLanesWorkflow
                                            ? fail(ErrorKind::NotFound, "")  // its plan file is the definition
                                            : definition_for_found(app, candidate);
  const Workflow workflow = definition ? definition->workflow : Workflow{};
  proposal.phases = phases_of(workflow, proposal.plan, values_of_found(app, candidate, workflow));
  if (candidate.system != kOrchestrator) return proposal;
  OrchestratorSnapshot seen = TRY(look_at_found_orchestrator(app, candidate));
  seen.from = from;
  proposal.mode = recorded_mode(seen);
  take_next(plan_orchestrator(seen).summary, proposal);
  return proposal;
}

Proposal propose_run(const RunState& state, const Workflow& workflow, Plan plan) {
  Proposal proposal{.plan = std::move(plan),
                    .workflow = state.workflow,
                    .subject = state.subject,
                    .system = may_have_state_file(state.workflow) ? state.workflow : "own",
                    .source = state.state_file.path,
                    .mode = state.mode};
  if (proposal.source.empty()) proposal.source = "the journal; definition " + proposal.plan.source_file;
  std::map<std::string, std::string> values = state.values;
  values["subject"] = state.subject;
  proposal.phases = phases_of(workflow, proposal.plan, values);
  return proposal;
}

bool is_held(const Plan& plan) {
  return std::ranges::find(plan.findings, "held_by_another", &Finding::code) != plan.findings.end();
}

std::vector<WayOut> ways_out(const Proposal& proposal) {
  const Plan& plan = proposal.plan;
  std::vector<WayOut> ways;
  if (is_held(plan)) return ways;
  const std::string id = shell_quote(plan.id.shown());
  ways.push_back({WayOut::Kind::Restart, "start from scratch; what was made stays, the state is set aside",
                  "reprise fresh " + id + " --run", ""});
  if (has_option(plan, "from")) {
    ways.push_back({WayOut::Kind::From, "start from a phase; what is before it is kept",
                    "reprise resume " + id + " --from PHASE", ""});
  }
  const bool cleans_up = proposal.is_found && proposal.system == kOrchestrator;
  ways.push_back({WayOut::Kind::CleanUp,
                  cleans_up ? "clean up and cancel; stories in the middle go back to Ready"
                            : "clean up and cancel; the state is set aside, nothing starts",
                  (cleans_up ? "reprise cleanup " : "reprise fresh ") + id, ""});
  if (has_option(plan, "repair"))
    ways.push_back({WayOut::Kind::Repair, "repair the state, after showing how", "reprise repair " + id, ""});
  const bool is_damaged = std::ranges::any_of(plan.findings, [](const Finding& finding) {
    return finding.code == "integrity" || finding.code == "damaged" || finding.code == "unreadable";
  });
  if (is_damaged && !plan.source_file.empty())
    ways.push_back({WayOut::Kind::Manual, "manual intervention; nothing is changed",
                    "${EDITOR:-vi} " + shell_quote(plan.source_file), ""});
  std::set<std::string> codes;
  for (const Finding& finding : plan.findings) {
    const bool may_accept = finding.severity == Severity::Blocking && finding.remedy.starts_with("reprise accept");
    if (may_accept && codes.insert(finding.code).second) {
      ways.push_back(
          {WayOut::Kind::Accept, "accept " + finding.code + ", on the record", finding.remedy, finding.code});
    }
  }
  for (const StepDecision& decision : plan.decisions) {
    if (!asks_a_person(decision)) continue;
    ways.push_back({WayOut::Kind::Retry, "do " + decision.step.text + " again",
                    "reprise retry " + id + " " + shell_quote(decision.step.text), decision.step.text});
  }
  return ways;
}

}  // namespace reprise
