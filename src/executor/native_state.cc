#include "executor/native_state.h"

#include <algorithm>
#include <unordered_map>

namespace reprise {
namespace {

// The stricter of the two; done and fresh are the system's to say.
Readiness stricter(Readiness own, Readiness system) {
  if (system == Readiness::Done || system == Readiness::Fresh) return system;
  constexpr Readiness kOrder[] = {Readiness::Blocked, Readiness::Wait, Readiness::Confirm, Readiness::Ready};
  for (const Readiness readiness : kOrder) {
    if (own == readiness || system == readiness) return readiness;
  }
  return own;
}

void take_options(Plan& plan, const Plan& system) {
  std::erase_if(plan.options, [](const PlanOption& option) { return option.action == "fresh"; });
  for (const PlanOption& option : system.options) {
    const bool is_there =
        std::ranges::any_of(plan.options, [&](const PlanOption& own) { return own.action == option.action; });
    const bool can_go_on = plan.readiness != Readiness::Blocked && plan.readiness != Readiness::Fresh &&
                           plan.readiness != Readiness::Done;
    if (!is_there && (option.action != "resume" || can_go_on)) plan.options.push_back(option);
  }
}

}  // namespace

Plan merge_plans(Plan own, const Plan& system) {
  const bool is_over = system.readiness == Readiness::Done && own.readiness != Readiness::Done;
  if (system.readiness == Readiness::Fresh || is_over) {  // nothing continues: only the system's words apply
    Plan closed = system;
    closed.id = own.id;
    return closed;
  }
  std::unordered_multimap<std::string_view, const StepDecision*> by_step;
  for (const StepDecision& decision : system.decisions) by_step.emplace(decision.step.text, &decision);
  for (StepDecision& decision : own.decisions) {
    const auto [begin, end] = by_step.equal_range(decision.step.text);
    const auto same =
        std::find_if(begin, end, [&](const auto& entry) { return entry.second->decision == decision.decision; });
    if (same == end) continue;
    const StepDecision& words = *same->second;
    decision.rule = words.rule;
    decision.ground = words.ground;
    decision.detail = words.detail;
    decision.seen = words.seen;
    decision.record = words.record;
  }
  std::vector<Finding> findings = system.findings;
  for (Finding& finding : own.findings) {
    if (std::ranges::find(system.findings, finding.code, &Finding::code) == system.findings.end())
      findings.push_back(std::move(finding));
  }
  own.findings = std::move(findings);
  own.readiness = own.readiness == Readiness::Done ? own.readiness : stricter(own.readiness, system.readiness);
  const bool is_open =
      own.readiness == Readiness::Ready || own.readiness == Readiness::Confirm || own.readiness == Readiness::Wait;
  if (!is_open) own.resume_point.reset();
  const bool starts = own.readiness == Readiness::Ready || own.readiness == Readiness::Confirm;
  if (!starts) std::erase_if(own.options, [](const PlanOption& option) { return option.action == "resume"; });
  own.source_file = system.source_file;
  take_options(own, system);
  return own;
}

}  // namespace reprise
