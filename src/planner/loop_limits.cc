#include "planner/loop_limits.h"

#include <iterator>
#include <utility>

#include "planner/graph.h"

namespace reprise {

std::vector<Finding> find_exhausted_loops(const Workflow& workflow, const RunState& state) {
  std::vector<Finding> findings;
  if (state.status != RunStatus::Failed) return findings;
  Graph graph(workflow, state);
  graph.survey([&](int leaf, bool) {
    const StepState* step = graph.record(leaf);
    return step == nullptr || step->record != StepState::Record::Done;
  });
  for (const auto& [repeat, used] : graph.renewed()) {
    const Graph::Node& node = graph.node(repeat);
    const std::string max = std::to_string(node.stage->repeat->max);
    findings.push_back({.rule = "WF-23 exhausted",
                        .code = "loop_exhausted",
                        .severity = Severity::Warning,
                        .message = "loop " + node.path.text + " has used its " + max +
                                   " iterations; a resume gives it " + max + " more",
                        .claimed = "at most " + max,
                        .seen = std::to_string(used) + " used",
                        .remedy = ""});
  }
  return findings;
}

void add_warnings(Plan& plan, std::vector<Finding> findings) {
  if (findings.empty()) return;
  plan.findings.insert(plan.findings.end(), std::make_move_iterator(findings.begin()),
                       std::make_move_iterator(findings.end()));
  if (plan.readiness == Readiness::Ready) plan.readiness = Readiness::Confirm;
}

}  // namespace reprise
