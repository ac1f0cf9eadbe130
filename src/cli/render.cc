#include "cli/render.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "cli/layout.h"
#include "model/spec_loop.h"

namespace reprise {
namespace {

constexpr std::size_t kKeptShownMax = 12;

int colour_of(Decision decision) {
  switch (decision) {
    case Decision::Keep: return 32;
    case Decision::Wait:
    case Decision::Verify: return 33;
    case Decision::Refuse: return 31;
    default: return 36;
  }
}

void add_findings(const Cli& cli, const Plan& plan, std::string& out) {
  for (const Finding& finding : plan.findings) {
    const int code = finding.severity == Severity::Blocking ? 31 : finding.severity == Severity::Warning ? 33 : 2;
    out += cli.colour(std::string(to_token(finding.severity)), code) + ": " +
           printable_line(finding.message, 600) + " [" + finding.code + "]\n";
    if (!finding.remedy.empty()) out += "  way out: " + printable_line(finding.remedy, 400) + "\n";
  }
}

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

std::string plan_text(const Cli& cli, const Plan& plan) {
  std::string out = cli.bold(plan.id.text) + ": " + std::string(to_token(plan.readiness));
  if (plan.age.count() > 0) out += ", last activity " + to_text(plan.age) + " ago";
  out += "\n";
  add_findings(cli, plan, out);
  for (const Waiting& waiting : plan.waiting_for) {
    out += cli.bold("waits for") + " " + waiting.kind + " " + printable_line(waiting.name, 80) + ": " +
           printable_line(waiting.ask, 400) + "\n";
  }
  int widest = 4;
  std::size_t kept = 0;
  for (const StepDecision& decision : plan.decisions)
    widest = std::max(widest, std::min(40, columns_of(decision.step.text)));
  std::size_t hidden = 0;
  for (const StepDecision& decision : plan.decisions) {
    if (decision.decision == Decision::Keep && ++kept > kKeptShownMax && !cli.is_verbose()) {
      ++hidden;
      continue;
    }
    out += "  " + cli.colour(padded(to_token(decision.decision), 8), colour_of(decision.decision)) + " " +
           padded(decision.step.text, widest) + "  " + printable_line(decision.reason(), 400) + "\n";
  }
  if (hidden > 0) out += "  … and " + std::to_string(hidden) + " more that are kept (--verbose shows them)\n";
  if (plan.resume_point) out += "resume point: " + plan.decisions[*plan.resume_point].step.text + "\n";
  if (plan.saved_steps > 0) {
    out += "saved: " + std::to_string(plan.saved_steps) + " step(s), " + to_text(plan.saved_time) + " of work\n";
  }
  for (const PlanOption& option : plan.options)
    out += "  " + padded(option.action, 8) + " " + printable_line(option.command, 400) + "\n";
  return out;
}

std::string why_text(const Cli& cli, const StepDecision& decision) {
  std::string out = cli.bold(decision.step.text) + ": " + std::string(to_token(decision.decision)) +
                    "\n  reason    " + printable_line(decision.reason(), 1000) + "\n  rule      " +
                    std::string(decision.rule) + "\n";
  for (const Evidence& evidence : decision.evidence()) {
    out += "  evidence  " + evidence.kind + " " + printable_line(evidence.subject, 200) + ": " +
           printable_line(evidence.seen, 400) + "\n";
  }
  if (decision.evidence().empty()) out += "  evidence  none\n";
  return out;
}

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
