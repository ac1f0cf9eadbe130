#include "planner/approval.h"

#include <algorithm>

#include "model/seen_mode.h"

namespace reprise {
namespace {

bool is_as_shown(const SeenFile& file, const SeenFile& now) {
  return file.digest == now.digest && !has_other_mode(file, now);
}

bool has_content(const std::vector<SeenFile>& files, const SeenFile& now) {
  return std::ranges::any_of(
      files, [&](const SeenFile& file) { return file.path == now.path && is_as_shown(file, now); });
}

// Whether something behind the gate recorded the file after the approval as it is now.
bool is_made_behind(const Graph& graph, int gate, const RunState& state, const SeenFile& now) {
  const Timestamp since = state.gates.at(graph.node(gate).path).since;
  return std::ranges::any_of(graph.downstream_leaves(gate), [&](int leaf) {
    if (leaf == gate) return false;
    if (graph.node(leaf).kind == Graph::Kind::Gate) {
      const auto found = state.gates.find(graph.node(leaf).path);
      return found != state.gates.end() && found->second.record == GateState::Record::Approved &&
             found->second.since >= since && has_content(found->second.shows, now);
    }
    const StepState* step = graph.record(leaf);
    return step != nullptr && step->record == StepState::Record::Done && step->finished_at >= since &&
           has_content(step->artifacts, now);
  });
}

}  // namespace

std::string file_changed_since_approval(const Graph& graph, int leaf, const RunState& state,
                                        const FileLookup& now) {
  const LaneState* lane = graph.lane_of(leaf);
  if (lane != nullptr && lane->closed) return "";  // its files are gone with it
  for (const SeenFile& file : state.gates.at(graph.node(leaf).path).shows) {
    const SeenFile* seen = now(file.path);
    if (seen == nullptr || is_as_shown(file, *seen)) continue;
    if (!is_made_behind(graph, leaf, state, *seen)) return file.path;
  }
  return "";
}

std::string redefined_since_approval(const Graph& graph, int leaf, const RunState& state) {
  const GateState& gate = state.gates.at(graph.node(leaf).path);
  const Gate& defined = *graph.node(leaf).stage->gate;
  if (!gate.ask.empty() && gate.ask != graph.resolve(leaf, defined.ask)) return "its question";
  std::vector<std::string> paths;
  for (const std::string& path : defined.shows) paths.push_back(graph.resolve_path(leaf, path));
  for (const std::string& path : paths) {
    if (std::ranges::find(gate.shows, path, &SeenFile::path) == gate.shows.end()) return path;
  }
  for (const SeenFile& file : gate.shows) {
    if (std::ranges::find(paths, file.path) == paths.end()) return file.path;
  }
  return "";
}

}  // namespace reprise
