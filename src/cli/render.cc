#include "cli/render.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "cli/status_text.h"
#include "model/spec_loop.h"

namespace reprise {
namespace {

constexpr std::size_t kCandidateBytesUsual = 200;

}  // namespace

std::string scan_text(const Cli& cli, const ScanResult& result, bool with_ignored) {
  std::string out;
  out.reserve(result.candidates.size() * kCandidateBytesUsual);
  for (const Candidate& candidate : result.candidates) {
    out += cli.bold(printable_line(candidate.id.shown(), 120)) + "  " +
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
    out += "  reprise plan " + shell_quote(candidate.id.shown()) + "\n";
  }
  if (result.candidates.empty()) out += "no interrupted work was found here\n";
  for (const IgnoredFile& file : result.ignored) {
    if (!with_ignored && !file.is_at_state_place) continue;
    out += "ignored " + printable_line(file.path, 200) + ": " + file.why + "\n";
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
  return text + "\nResume, or start fresh: reprise fresh " + shell_quote(candidate.id.shown()) + "\n";
}

}  // namespace reprise
