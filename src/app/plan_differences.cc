#include "app/plan_differences.h"

#include <algorithm>
#include <map>

namespace reprise {
namespace {

// Found because time passed, and for no other reason.
bool is_about_age(const Finding& finding) { return finding.code == "old_state"; }

void compare_decisions(const Plan& before, const Plan& after, std::vector<PlanDifference>& out) {
  std::map<std::string, const StepDecision*> was;
  for (const StepDecision& decision : before.decisions) was.emplace(decision.step.text, &decision);
  for (const StepDecision& now : after.decisions) {
    const auto found = was.find(now.step.text);
    const StepDecision* earlier = found == was.end() ? nullptr : found->second;
    if (found != was.end()) found->second = nullptr;
    if (earlier != nullptr && earlier->decision == now.decision) continue;
    out.push_back({.kind = "decision",
                   .name = now.step.text,
                   .was = earlier == nullptr ? "" : std::string(to_token(earlier->decision)),
                   .is = std::string(to_token(now.decision)),
                   .reason = now.reason()});
  }
  for (const StepDecision& earlier : before.decisions) {
    const auto found = was.find(earlier.step.text);
    if (found == was.end() || found->second != &earlier) continue;
    out.push_back({.kind = "decision",
                   .name = earlier.step.text,
                   .was = std::string(to_token(earlier.decision)),
                   .is = "",
                   .reason = earlier.reason()});
  }
}

void compare_findings(const Plan& before, const Plan& after, std::vector<PlanDifference>& out) {
  const auto is_in = [](const Plan& plan, const Finding& finding) {
    return std::ranges::any_of(plan.findings, [&](const Finding& other) {
      return other.code == finding.code && other.message == finding.message && other.severity == finding.severity;
    });
  };
  for (const Finding& finding : after.findings) {
    if (is_about_age(finding) || is_in(before, finding)) continue;
    out.push_back({"finding", finding.code, "", std::string(to_token(finding.severity)), finding.message});
  }
  for (const Finding& finding : before.findings) {
    if (is_about_age(finding) || is_in(after, finding)) continue;
    out.push_back({"finding", finding.code, std::string(to_token(finding.severity)), "", finding.message});
  }
}

void compare_waiting(const Plan& before, const Plan& after, std::vector<PlanDifference>& out) {
  const auto is_in = [](const Plan& plan, const Waiting& waiting) {
    return std::ranges::any_of(plan.waiting_for, [&](const Waiting& other) {
      return other.kind == waiting.kind && other.name == waiting.name;
    });
  };
  for (const Waiting& waiting : after.waiting_for) {
    if (!is_in(before, waiting)) out.push_back({waiting.kind, waiting.name, "", "waits", waiting.ask});
  }
  for (const Waiting& waiting : before.waiting_for) {
    if (!is_in(after, waiting)) out.push_back({waiting.kind, waiting.name, "waits", "", waiting.ask});
  }
}

}  // namespace

std::vector<PlanDifference> differences(const Plan& before, const Plan& after) {
  std::vector<PlanDifference> out;
  compare_decisions(before, after, out);
  compare_findings(before, after, out);
  compare_waiting(before, after, out);
  return out;
}

void write_differences(JsonWriter& json, const std::vector<PlanDifference>& differences) {
  json.begin_array();
  for (const PlanDifference& difference : differences) {
    json.begin_object().field("kind", difference.kind).field("name", difference.name).key("was");
    difference.was.empty() ? json.null() : json.value(difference.was);
    json.key("is");
    difference.is.empty() ? json.null() : json.value(difference.is);
    json.field("reason", difference.reason).end_object();
  }
  json.end_array();
}

}  // namespace reprise
