#include "cli/render.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "cli/layout.h"
#include "model/spec_loop.h"

namespace reprise {
namespace {

std::string step_counts(const RunView& run) {
  std::string text;
  for (const auto& [status, token] : kStepStatusTokens) {
    const auto found = run.counts.find(status);
    if (found != run.counts.end())
      text += (text.empty() ? "" : ", ") + std::to_string(found->second) + " " + std::string(token);
  }
  return text;
}

int status_colour(RunStatus status) {
  switch (status) {
    case RunStatus::Done: return 32;
    case RunStatus::Failed:
    case RunStatus::Unknown: return 31;
    case RunStatus::Running: return 36;
    default: return 33;
  }
}

}  // namespace

std::string scan_text(const Cli& cli, const ScanResult& result, bool with_ignored) {
  std::string out;
  for (const Candidate& candidate : result.candidates) {
    out += cli.bold(printable_line(candidate.id.text, 120)) + "  " +
           cli.colour(std::string(to_token(candidate.status)), status_colour(candidate.status));
    if (candidate.damaged) out += ", damaged";
    if (!candidate.stage.empty() && candidate.status != RunStatus::Done)
      out += " at " + printable_line(candidate.stage, 60);
    if (candidate.iteration) {
      out += ", iteration " + std::to_string(*candidate.iteration);
      if (candidate.iteration_max) out += " of " + std::to_string(*candidate.iteration_max);
    }
    out += ", last activity " + to_text(candidate.age) + " ago\n  " + printable_line(candidate.why, 400) + "\n";
    if (!candidate.state_file.empty()) out += "  " + printable_line(candidate.state_file, 200) + "\n";
    out += "  reprise plan " + shell_quote(candidate.id.text) + "\n";
  }
  if (result.candidates.empty()) out += "no interrupted work was found here\n";
  if (!with_ignored) return out;
  for (const IgnoredFile& file : result.ignored)
    out += "ignored " + printable_line(file.path, 200) + ": " + file.why + "\n";
  return out;
}

std::string status_text(const Cli& cli, const std::vector<RunView>& runs) {
  std::string out;
  for (const RunView& run : runs) {
    out += cli.bold(run.id.text) + "  " + cli.colour(std::string(to_token(run.status)), status_colour(run.status));
    if (!run.stage.empty() && run.status != RunStatus::Done) out += " at " + run.stage;
    out += "\n  " + step_counts(run) + "; updated " + to_text(run.updated_at);
    if (run.resume_count > 0) out += "; resumed " + std::to_string(run.resume_count) + " time(s)";
    out += "\n";
    if (run.owner && run.owner->alive) {
      out += "  owned by process " + std::to_string(run.owner->pid) + " on " +
             printable_line(run.owner->host, 80) + "\n";
    }
    if (!run.reason.empty()) out += "  " + printable_line(run.reason, 400) + "\n";
    for (const Waiting& item : run.waiting_for) {
      out += "  waits for " + item.kind + " " + printable_line(item.name, 80) + ": " +
             printable_line(item.ask, 300) + "\n";
    }
    if (run.status == RunStatus::Interrupted || run.status == RunStatus::Failed) {
      out += "  go on: reprise resume " + shell_quote(run.id.text) + "\n";
    }
  }
  return out;
}

std::string status_detail_text(const Cli& cli, const RunView& run) {
  std::string out = status_text(cli, {run});
  int widest = 4;
  for (const StepView& step : run.steps)
    widest = std::max(widest, std::min(40, columns_of(step.step.text)));
  for (const StepView& step : run.steps) {
    out += "  " + padded(to_token(step.status), 11) + " " +
           (step.attempt > 0 ? padded(step.step.text, widest) : step.step.text);
    if (step.attempt > 0) out += "  attempt " + std::to_string(step.attempt);
    if (step.started_at && step.finished_at) out += ", " + to_text(*step.finished_at - *step.started_at);
    const bool says_exit = step.reason.starts_with("exit ") && step.status != StepStatus::Done;
    if (step.exit_code && *step.exit_code != 0 && !says_exit) out += ", exit " + std::to_string(*step.exit_code);
    if (!step.reason.empty() && step.status != StepStatus::Done) out += ": " + printable_line(step.reason, 300);
    out += "\n";
  }
  return out;
}

std::string resume_prompt(const Candidate& candidate, const Plan& plan) {
  const auto row = [](std::string_view field, const std::string& value) {
    return "| " + std::string(field) + " | " + printable_line(value, 100) + " |\n";
  };
  const auto pending = std::ranges::count(plan.waiting_for, "question", &Waiting::kind);
  std::string text = "Found interrupted workflow for '" + printable_line(candidate.subject, 100) + "'.\n\n";
  text += "| Field | Value |\n|-------|-------|\n" + row("Status", candidate.native_status);
  text +=
      row("Iteration", std::to_string(candidate.iteration.value_or(0)) + " / " +
                           std::to_string(candidate.iteration_max.value_or(static_cast<int>(kLoopIterationsMax))));
  text += row("Pending Clarifications", std::to_string(pending));
  text += row("Last Activity", to_text(candidate.updated_at));
  return text + "\nResume, or start fresh: reprise fresh " + shell_quote(candidate.id.text) + "\n";
}

}  // namespace reprise
