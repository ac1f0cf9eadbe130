#include "executor/look.h"

#include <algorithm>
#include <set>

#include "executor/checkout.h"
#include "planner/planner.h"

namespace reprise {
namespace {

// Names the finished steps that a changed definition touches.
std::string changed_steps(const RunState& state, const Graph& graph) {
  constexpr std::size_t kNamed = 8;
  std::set<std::string> changed;
  for (const auto& [path, step] : state.steps) {
    const std::optional<int> leaf = graph.find(path);
    if (!leaf) {
      changed.insert(path.text + " (no longer there)");
    } else if (!step.work.empty() && step.work != work_digest(*graph.node(*leaf).stage)) {
      changed.insert(path.text);
    }
  }
  if (changed.empty()) return "no recorded step is affected";
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : changed) {
    if (count++ == kNamed) break;
    names += (names.empty() ? "" : ", ") + name;
  }
  return changed.size() > kNamed ? names + " and " + std::to_string(changed.size() - kNamed) + " more" : names;
}

// The newest record of each path, whose digest is taken over where the signature is the same.
std::unordered_map<std::string, const SeenFile*> known_files(const RunState& state) {
  std::unordered_map<std::string, const SeenFile*> known;
  for (const auto& [path, step] : state.steps) {
    for (const SeenFile& file : step.inputs) known[file.path] = &file;
    for (const SeenFile& file : step.artifacts) known[file.path] = &file;
  }
  for (const auto& [path, gate] : state.gates) {
    for (const SeenFile& file : gate.shows) known[file.path] = &file;
  }
  for (const SeenFile& file : state.baseline) known[file.path] = &file;
  return known;
}

// A changed artifact with a declared check counts as complete only if it passes.
Result<void> check_changed_artifacts(RunSnapshot& snapshot, const Graph& graph, Attempts& attempts) {
  for (const auto& [path, step] : snapshot.state->steps) {
    const std::optional<int> leaf = graph.find(path);
    if (!leaf || step.record != StepState::Record::Done || step.artifacts.empty()) continue;
    for (const Product& product : graph.node(*leaf).stage->produces) {
      const std::string file = graph.resolve_path(*leaf, product.path);
      const auto now = snapshot.files.find(file);
      const auto recorded = std::ranges::find(step.artifacts, file, &SeenFile::path);
      if (now == snapshot.files.end() || recorded == step.artifacts.end() ||
          now->second.digest == recorded->digest)
        continue;
      const std::string fault = TRY(attempts.product_fault(file, product.complete));
      if (!fault.empty()) snapshot.products[path] = {.declared = true, .complete = false, .explanation = fault};
    }
  }
  return {};
}

}  // namespace

Result<RunSnapshot> take_run_snapshot(const RunState& state, const Workflow& workflow,
                                      const std::string& definition, const Graph& graph, Attempts& attempts,
                                      Collector& collector, const SightOf& sight, Timestamp now) {
  RunSnapshot snapshot{.state = &state, .workflow = &workflow, .now = now, .last_activity = state.updated_at};
  const std::unordered_map<std::string, const SeenFile*> known = known_files(state);
  for (const std::string& path : files_of_interest(state, graph)) {
    const auto found = known.find(path);
    snapshot.files[path] = TRY(collector.look(path, found == known.end() ? nullptr : found->second));
  }
  for (const int leaf : cut_off_steps(state, graph)) {
    const StepPath& path = graph.node(leaf).path;
    const StepState& step = *state.find_step(path);
    if (step.record == StepState::Record::Open) snapshot.sights[path] = TRY(sight(path, step.attempts));
    snapshot.products[path] = TRY(attempts.products_of_cut_off(graph, leaf, step));
  }
  TRY_VOID(check_changed_artifacts(snapshot, graph, attempts));
  const RunSetup& setup = attempts.setup();
  snapshot.checkout = checkout_of(setup.project, setup.store);
  const std::filesystem::path main = setup.store.parent_path().parent_path();
  snapshot.checkout_then =
      state.checkout.empty() ? main.string() : (main / state.checkout).lexically_normal().string();
  const CheckoutReader checkout(attempts.files(), setup);
  snapshot.branch = checkout.branch(state.branch);
  snapshot.has_branch_then = snapshot.branch != state.branch && checkout.has_branch(state.branch);
  if (state.definition != definition) snapshot.definition_changed = changed_steps(state, graph);
  return snapshot;
}

}  // namespace reprise
