#include "app/outcome.h"

#include <algorithm>

#include "app/preview.h"
#include "base/strings.h"

namespace reprise {
namespace {

OpenRequest request_for(const RunId& run, Waiting waiting) {
  std::string command = command_that_gives(run, waiting);
  return {std::move(waiting), std::move(command)};
}

// The command that resumes a failed run. A rejected gate is asked again only if the resume starts from it, and a
// run with a state file of its own system is final once it has failed.
std::string command_after_failure(const RunState& state) {
  const std::string id = shell_quote(state.id.shown());
  if (!state.state_file.path.empty()) return "reprise fresh " + id;
  const auto rejected = std::ranges::find_if(
      state.gates, [](const auto& gate) { return gate.second.record == GateState::Record::Rejected; });
  if (rejected == state.gates.end()) return "reprise resume " + id;
  return "reprise resume " + id + " --from " + shell_quote(rejected->first.text);
}

std::string first_failed(const RunView& run) {
  const auto failed = std::ranges::find(run.steps, StepStatus::Failed, &StepView::status);
  return failed == run.steps.end() ? "" : failed->step.text;
}

}  // namespace

std::string command_that_gives(const RunId& run, const Waiting& waiting) {
  const std::string target = shell_quote(run.shown()) + " " + shell_quote(waiting.name);
  if (waiting.kind == "question") return "reprise answer " + target + " TEXT";
  return (waiting.kind == "step" ? "reprise retry " : "reprise approve ") + target;
}

std::vector<OpenRequest> open_requests(const RunState& state) {
  std::vector<OpenRequest> requests;
  for (const auto& [path, gate] : state.gates) {
    if (gate.record == GateState::Record::Open)
      requests.push_back(request_for(state.id, {"gate", path.text, gate.ask}));
  }
  for (const auto& [name, question] : state.questions) {
    if (!question.answer) requests.push_back(request_for(state.id, {"question", name, question.text}));
  }
  for (const auto& [path, step] : state.steps) {
    // What another program began and did not finish has no attempt of this run that could be retried.
    if (step.record == StepState::Record::Failed && step.outcome == AttemptOutcome::Interrupted &&
        step.attempts > 0 && !state.gates.contains(path))
      requests.push_back(request_for(
          state.id, {"step", path.text, "step " + path.text + " was interrupted; retry it? (resume: report)"}));
  }
  return requests;
}

std::vector<std::string> commands_after(const RunState& state, RunStatus status) {
  const std::string id = shell_quote(state.id.shown());
  std::vector<std::string> commands;
  switch (status) {
    case RunStatus::Waiting:
      for (const OpenRequest& request : open_requests(state)) commands.push_back(request.command);
      commands.push_back("reprise resume " + id);
      break;
    case RunStatus::Interrupted: commands.push_back("reprise resume " + id); break;
    case RunStatus::Failed: commands = {"reprise log " + id, command_after_failure(state)}; break;
    default: break;
  }
  return commands;
}

Result<Outcome> session_outcome(App& app, Journal& journal, const RunId& run, RunStatus status) {
  const RunState state = TRY(journal.state(run));
  Outcome outcome{.id = run.shown(), .status = std::string(to_token(status)), .reason = state.reason};
  outcome.run = TRY(view_run(app, journal, run));
  if (status == RunStatus::Failed) outcome.failed_step = first_failed(*outcome.run);
  if (status == RunStatus::Waiting) outcome.waiting_for = open_requests(state);
  outcome.next = commands_after(state, status);
  outcome.after = std::move(TRY(preview(app, journal, run, ""))->plan);
  return outcome;
}

Outcome refused_outcome(App& app, Journal* journal, const Plan& plan) {
  Outcome outcome{.id = plan.id.shown(), .plan = plan};
  const auto blocking = std::ranges::find(plan.findings, Severity::Blocking, &Finding::severity);
  if (blocking != plan.findings.end()) outcome.reason = blocking->message;
  for (const Waiting& waiting : plan.waiting_for) outcome.waiting_for.push_back(request_for(plan.id, waiting));
  for (const PlanOption& option : plan.options) outcome.next.push_back(option.command);
  if (journal == nullptr) return outcome;
  if (Result<RunView> run = view_run(app, *journal, plan.id)) {
    outcome.failed_step = first_failed(*run);
    if (outcome.reason.empty()) outcome.reason = run->reason;
    outcome.run = std::move(*run);
  }
  return outcome;
}

}  // namespace reprise
