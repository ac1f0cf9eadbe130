// Planner: which files and steps a plan is about, and what a person's own resume point would do again.

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "planner/planner.h"

namespace reprise {
namespace {

bool is_in_closed_lane(const StepPath& path, const Graph& graph) {
  const std::optional<int> leaf = graph.find(path);
  const LaneState* lane = leaf ? graph.lane_of(*leaf) : nullptr;
  return lane != nullptr && lane->closed;
}

}  // namespace

std::vector<std::string> files_of_interest(const RunState& state, const Graph& graph) {
  std::set<std::string> paths;
  for (const SeenFile& file : state.baseline) paths.insert(file.path);
  for (const auto& [path, step] : state.steps) {
    if (!state.lanes.empty() && is_in_closed_lane(path, graph)) continue;  // its files went with it
    for (const SeenFile& file : step.inputs) paths.insert(file.path);
    for (const SeenFile& file : step.artifacts) paths.insert(file.path);
  }
  for (const auto& [path, gate] : state.gates) {
    for (const SeenFile& file : gate.shows) paths.insert(file.path);
  }
  for (const int leaf : cut_off_steps(state, graph)) {
    for (const Product& product : graph.node(leaf).stage->produces)
      paths.insert(graph.resolve_path(leaf, product.path));
  }
  return {paths.begin(), paths.end()};
}

std::vector<int> cut_off_steps(const RunState& state, const Graph& graph) {
  std::vector<int> found;
  for (const auto& [path, step] : state.steps) {
    if (step.record != StepState::Record::Open && !is_cut_off(step)) continue;
    const std::optional<int> leaf = graph.find(path);
    if (leaf && graph.node(*leaf).kind == Graph::Kind::Step) found.push_back(*leaf);
  }
  std::ranges::sort(found);
  return found;
}

namespace {

// The step of the stage that is called so, the last round of it that something is recorded of. Nothing if there is
// no such stage, or several stages have the name.
std::optional<int> latest_of_stage(const std::string& name, const Graph& graph) {
  std::optional<int> latest;
  for (const int leaf : graph.leaves()) {
    const Stage* stage = graph.node(leaf).stage;
    if (stage->name != name) continue;
    if (latest && graph.node(*latest).stage != stage) return std::nullopt;
    if (!latest || graph.record(leaf) != nullptr) latest = leaf;
  }
  return latest;
}

// The first step in the plan's order is the cause of what becomes of those behind it.
Result<void> check_kept_before(const std::string& from, const std::vector<int>& leaves, const Plan& plan,
                               const Graph& graph) {
  std::set<std::string_view> needed;
  for (const int leaf : leaves) needed.insert(graph.node(leaf).path.text);
  for (const StepDecision& decision : plan.decisions) {
    if (needed.erase(decision.step.text) == 0 || decision.decision == Decision::Keep) continue;
    const bool is_new = decision.record.what == RecordSeen::What::Untried &&
                        !decision.rule.starts_with("WF-35");  // a gate has no attempts
    return fail(ErrorKind::Invalid, "cannot start from \"" + from + "\": step \"" + decision.step.text +
                                        "\", which it needs, is " +
                                        (is_new ? "not done" : "not kept: " + decision.reason()));
  }
  if (needed.empty()) return {};
  return fail(ErrorKind::Invalid, "cannot start from \"" + from + "\": step \"" + std::string(*needed.begin()) +
                                      "\", which it needs, is not done");
}

}  // namespace

Result<std::vector<StepPath>> steps_repeated_from(const std::string& from, const Plan& plan, const Graph& graph) {
  std::optional<int> start = graph.find(StepPath{from});
  if (!start) start = latest_of_stage(from, graph);
  if (!start || *start == 0) {
    std::string names;
    for (const int child : graph.node(0).children)
      names += (names.empty() ? "" : ", ") + graph.node(child).path.text;
    return fail(ErrorKind::Invalid,
                "there is no stage \"" + printable_line(from, 100) + "\"; there are: " + names);
  }
  std::unordered_map<std::string_view, Decision> decisions;
  for (const StepDecision& decision : plan.decisions) decisions[decision.step.text] = decision.decision;
  const std::vector<int> first = graph.leaves_below(*start);
  if (!first.empty()) TRY_VOID(check_kept_before(from, graph.upstream_leaves(first.front()), plan, graph));
  std::vector<StepPath> repeated;
  for (const int leaf : graph.downstream_leaves(*start)) {
    const StepPath& path = graph.node(leaf).path;
    if (decisions[path.text] == Decision::Keep || graph.node(leaf).kind == Graph::Kind::Gate)
      repeated.push_back(path);
  }
  return repeated;
}

void warn_of_repeated_work(Plan& plan, const std::string& from) {
  const auto repeated =
      std::ranges::count_if(plan.decisions, [](const StepDecision& d) { return d.rule == "WF-02 reset"; });
  if (repeated == 0) return;
  plan.findings.push_back(
      {.rule = "WF-42 from",
       .code = "repeats_work",
       .severity = Severity::Warning,
       .message = "starting from " + from + " does " + std::to_string(repeated) + " finished step(s) again"});
  if (plan.readiness == Readiness::Ready) plan.readiness = Readiness::Confirm;
}

void keep_from_in_options(Plan& plan, const std::string& from) {
  if (from.empty()) return;
  for (PlanOption& option : plan.options) {
    const bool names_it = option.command.find(" --from ") != std::string::npos;
    if (option.action == "resume" && !names_it) option.command += " --from " + shell_quote(from);
  }
}

}  // namespace reprise
