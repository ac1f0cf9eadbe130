#include "app/hand_off.h"

#include <algorithm>

#include "app/preview.h"
#include "executor/attempt.h"

namespace reprise {
namespace {

bool is_step(const StepDecision& decision, const Graph& graph) {
  return decision.leaf >= 0 && graph.node(decision.leaf).kind != Graph::Kind::Gate;
}

// Whether a worker starts for it.
bool is_work(const StepDecision& decision, const Graph& graph) {
  const bool is_done_now = decision.decision == Decision::Run || decision.decision == Decision::Rerun ||
                           decision.decision == Decision::Continue;
  return is_done_now && is_step(decision, graph);
}

// Whether one does after a person has decided: also for a step that asked somebody.
bool is_work_later(const StepDecision& decision, const Graph& graph) {
  return is_work(decision, graph) || (decision.decision == Decision::Wait && is_step(decision, graph));
}

}  // namespace

Result<HandOff> hand_off(App& app, Journal* journal, const Meant& meant, const std::string& from) {
  const std::unique_ptr<Preview> seen = TRY(preview_adopted(app, journal, meant, from));
  HandOff out;
  if (seen->graph == nullptr) {
    Error error{.kind = ErrorKind::Invalid,
                .message = seen->plan.id.shown() + " is damaged, so there is no step to hand over"};
    return fail(std::move(error).hint("reprise plan " + shell_quote(seen->plan.id.shown())));
  }
  const StepDecision* first = nullptr;
  for (const StepDecision& decision : seen->plan.decisions) {
    if (!is_work(decision, *seen->graph) || seen->graph->node(decision.leaf).upstream_moving) continue;
    if (first != nullptr) out.besides.push_back(decision.step);
    if (first == nullptr) first = &decision;
  }
  if (first == nullptr) {  // whatever comes next comes after a person's decision
    const auto next = std::ranges::find_if(
        seen->plan.decisions, [&](const StepDecision& decision) { return is_work_later(decision, *seen->graph); });
    if (next != seen->plan.decisions.end()) first = &*next;
    out.before = seen->plan.waiting_for;
  }
  if (first != nullptr) {
    RunSetup setup{.project = app.project, .store = app.store, .config = TRY(read_config(app))};
    setup.environment = app.environment;
    Attempts attempts(setup, seen->definition.workflow, app.files);
    out.step = first->step;
    out.brief = TRY(attempts.brief_text(*seen->graph, first->leaf, seen->state));
  }
  out.plan = std::move(seen->plan);
  return out;
}

}  // namespace reprise
