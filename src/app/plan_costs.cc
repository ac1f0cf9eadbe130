#include "app/plan_costs.h"

#include <map>

#include "model/limits.h"

namespace reprise {
namespace {

// What the last attempt of each step cost, by the step's path.
Result<std::map<StepPath, double>> costs_by_step(Journal& journal, const RunId& run) {
  std::map<StepPath, double> costs;
  for (EventNumber after{0};;) {
    const std::vector<RecordedEvent> events = TRY(journal.events(run, after, kEventsPerReadMax));
    for (const RecordedEvent& event : events) {
      if (const auto* finished = std::get_if<AttemptFinished>(&event.event))
        costs[finished->step] = finished->cost_usd;
    }
    if (events.size() < static_cast<std::size_t>(kEventsPerReadMax)) return costs;
    after = events.back().number;
  }
}

}  // namespace

Result<void> add_costs(Journal& journal, const RunState& state, Plan& plan) {
  if (state.cost_usd <= 0) return {};
  const std::map<StepPath, double> costs = TRY(costs_by_step(journal, state.id));
  for (const StepDecision& decision : plan.decisions) {
    const auto cost = costs.find(decision.step);
    if (cost == costs.end()) continue;
    if (decision.decision == Decision::Keep) plan.saved_usd += cost->second;
    if (decision.decision == Decision::Rerun) plan.again_usd += cost->second;
  }
  return {};
}

}  // namespace reprise
