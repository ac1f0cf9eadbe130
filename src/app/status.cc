#include "app/status.h"

#include <algorithm>
#include <unordered_map>

#include "app/approvals.h"
#include "app/scan.h"
#include "app/systems.h"

namespace reprise {
namespace {

StepStatus status_of(const RunState& state, const Graph& graph, int leaf, bool is_after_failure) {
  const Graph::Node& node = graph.node(leaf);
  const StepState* step = graph.record(leaf);
  if (node.kind == Graph::Kind::Gate) {
    if (step != nullptr && step->record == StepState::Record::Skipped) return StepStatus::Skipped;
    const auto gate = state.gates.find(node.path);
    if (gate == state.gates.end()) return is_after_failure ? StepStatus::Blocked : StepStatus::Pending;
    if (gate->second.record == GateState::Record::Approved) return StepStatus::Done;
    return gate->second.record == GateState::Record::Rejected ? StepStatus::Failed : StepStatus::Blocked;
  }
  if (step == nullptr || step->record == StepState::Record::Reset) {
    return is_after_failure ? StepStatus::Blocked : StepStatus::Pending;
  }
  switch (step->record) {
    case StepState::Record::Open: return state.is_ended() ? StepStatus::Failed : StepStatus::Running;
    case StepState::Record::Failed: {
      if (step->needs_human) return StepStatus::Blocked;
      const bool again = step->retry_at || step->outcome == AttemptOutcome::Interrupted ||
                         step->outcome == AttemptOutcome::Stopped;
      return again ? StepStatus::Retrying : StepStatus::Failed;
    }
    case StepState::Record::Skipped: return StepStatus::Skipped;
    default: return StepStatus::Done;
  }
}

StepView step_view(const RunState& state, const Graph& graph, int leaf, StepStatus status) {
  const Graph::Node& node = graph.node(leaf);
  StepView view{.step = node.path, .stage = node.stage->name, .status = status};
  const StepState* step = graph.record(leaf);
  if (status == StepStatus::NotNeeded) view.reason = graph.why_not_needed(leaf);
  if (step == nullptr) return view;
  view.attempt = step->attempts;
  view.exit_code = step->exit_code;
  const bool is_cut_off = step->record == StepState::Record::Open && state.is_ended();
  if (is_cut_off) view.reason = "cut off; the run was ended before anybody looked at what it had done";
  const bool has_own_reason = status == StepStatus::Running || status == StepStatus::NotNeeded || is_cut_off;
  if (!has_own_reason) view.reason = step->reason;  // of a running step: of the attempt before
  if (status == StepStatus::Skipped) view.exit_code.reset();
  if (step->record == StepState::Record::Done) {
    view.verdict = step->verdict.get();
    view.summary = step->summary.get();
  }
  if (step->started_at.ms != 0) view.started_at = step->started_at;
  if (step->finished_at.ms != 0) view.finished_at = step->finished_at;
  for (const SeenFile& file : step->artifacts) view.artifacts.push_back(file.path);
  return view;
}

// Finds out which steps lie behind one that failed or waits for a person. Asked in the order of a survey, so
// what a step needs has its status before the step is asked about.
class Stuck {
 public:
  explicit Stuck(const Graph& graph) : graph_(graph) {}

  void note(int leaf, StepStatus status) {
    if (status == StepStatus::Failed || status == StepStatus::Blocked) stuck_[leaf] = any_ = true;
  }
  bool is_before(int leaf) {
    if (!any_) return false;
    for (int above = leaf; above >= 0; above = graph_.node(above).parent) {
      if (std::ranges::any_of(graph_.needs(above), [&](int need) { return is_in(need); })) return true;
    }
    return false;
  }

 private:
  bool is_in(int index) {
    const auto known = stuck_.find(index);
    if (known != stuck_.end()) return known->second;
    const std::vector<int> leaves = graph_.leaves_below(index);
    const bool found =
        std::ranges::any_of(leaves, [&](int leaf) { return stuck_.contains(leaf) && stuck_[leaf]; });
    return stuck_[index] = found;
  }

  const Graph& graph_;
  std::unordered_map<int, bool> stuck_;  // by node
  bool any_ = false;
};

void add_steps(RunView& view, const RunState& state, Graph& graph) {
  std::vector<std::optional<StepStatus>> by_node;
  Stuck stuck(graph);
  // Whatever is not done counts as moving: a loop is shown up to the round that is under way, not beyond.
  graph.survey([&](int leaf, bool) {
    const StepStatus status = status_of(state, graph, leaf, stuck.is_before(leaf));
    stuck.note(leaf, status);
    by_node.resize(static_cast<std::size_t>(graph.size()));  // a survey may add rounds of a loop
    by_node[static_cast<std::size_t>(leaf)] = status;
    return !is_settled(status);
  });
  by_node.resize(static_cast<std::size_t>(graph.size()));
  const std::vector<int> leaves = graph.leaves();
  view.steps.reserve(leaves.size());
  for (const int leaf : leaves) {
    // The survey passes by what nothing asks for. It may have run before that was so.
    const StepState* step = graph.record(leaf);
    const bool is_done = step != nullptr && step->record == StepState::Record::Done;
    const StepStatus status =
        by_node[static_cast<std::size_t>(leaf)].value_or(is_done ? StepStatus::Done : StepStatus::NotNeeded);
    ++view.counts[status];
    view.steps.push_back(step_view(state, graph, leaf, status));
    view.steps.back().lane = graph.lane_name(leaf);
  }
}

RunStatus run_status(const RunState& state, bool is_alive) {
  if (state.is_ended()) return state.status;
  if (is_alive) return RunStatus::Running;
  const bool works =
      std::ranges::any_of(state.steps, [](const auto& s) { return s.second.record == StepState::Record::Open; });
  const bool asks =
      std::ranges::any_of(state.gates, [](const auto& g) { return g.second.record == GateState::Record::Open; }) ||
      std::ranges::any_of(state.questions, [](const auto& q) { return !q.second.answer; });
  return asks && !works ? RunStatus::Waiting : RunStatus::Interrupted;
}

void add_waiting(RunView& view, const RunState& state) {
  if (state.is_ended()) return;
  for (const auto& [path, gate] : state.gates) {
    if (gate.record == GateState::Record::Open) view.waiting_for.push_back({"gate", path.text, gate.ask});
  }
  for (const auto& [id, question] : state.questions) {
    if (!question.answer) view.waiting_for.push_back({"question", id, question.text});
  }
}

}  // namespace

Result<RunView> view_run(App&, Journal& journal, const RunId& run) {
  const RunState state = TRY(journal.state(run));
  const std::string definition = TRY(journal.text(state.definition));
  const Workflow workflow = TRY(workflow_from_json(definition));
  RunView view{.id = run, .workflow = state.workflow, .subject = state.subject};
  view.state_file = state.state_file.path;
  view.owner = TRY(journal.owner(run));
  view.status = run_status(state, view.owner && view.owner->alive);
  view.reason = state.reason;
  view.mode = state.mode;
  view.resume_count = state.resume_count;
  view.started_at = state.started_at;
  view.updated_at = state.updated_at;
  view.cost_usd = state.cost_usd;
  Graph graph(workflow, state);
  add_steps(view, state, graph);
  add_waiting(view, state);
  const auto first = std::ranges::find_if(view.steps, [](const StepView& s) { return !is_settled(s.status); });
  if (first != view.steps.end()) view.stage = first->stage;
  return view;
}

Result<std::vector<RunView>> view_runs(App& app, Journal& journal) {
  std::vector<RunView> views;
  for (const RunEntry& entry : TRY(journal.runs())) {
    if (entry.archived) continue;
    Result<RunView> view = view_run(app, journal, entry.id);
    if (view) {
      view->steps.clear();
      views.push_back(std::move(*view));
    } else {
      views.push_back({.id = entry.id,
                       .status = RunStatus::Unknown,
                       .reason = view.error().message,
                       .started_at = entry.created_at,
                       .updated_at = entry.created_at});
    }
  }
  std::ranges::reverse(views);
  return views;
}

namespace {

// What waits in state files that no run of ours stands for yet.
Result<void> add_found(App& app, Journal* journal, std::vector<InboxItem>& items) {
  for (const Candidate& candidate : TRY(scan_found(app)).candidates) {
    if (candidate.status != RunStatus::Waiting) continue;
    const Result<Meant> meant = find_work(app, journal, candidate.id.shown());
    if (!meant || meant->run) continue;
    const std::unique_ptr<Preview> seen = TRY(preview(app, candidate, ""));
    for (const Waiting& waiting : seen->plan.waiting_for) {
      InboxItem item{.id = candidate.id, .kind = waiting.kind, .name = waiting.name, .ask = waiting.ask};
      if (waiting.kind == "gate") item.options = {"approve", "reject"};
      item.since = candidate.updated_at;
      items.push_back(std::move(item));
    }
  }
  return {};
}

}  // namespace

std::string with_options(const std::string& ask, const std::vector<std::string>& options) {
  return options.empty() ? ask : ask + " (" + join(options, " / ") + ")";
}

std::string note_on_answer(const std::string& answer, const std::vector<std::string>& options) {
  if (options.empty() || std::ranges::find(options, answer) != options.end()) return "";
  return "\"" + printable_line(answer, 100) + "\" is none of the options: " + join(options, " / ");
}

Result<std::vector<InboxItem>> inbox(App& app, Journal* journal) {
  std::vector<InboxItem> items;
  TRY_VOID(add_found(app, journal, items));
  if (journal == nullptr) return items;
  for (const RunEntry& entry : TRY(journal->runs())) {
    if (entry.archived) continue;
    const RunState state = TRY(journal->state(entry.id));
    if (state.is_ended()) continue;
    for (const auto& [path, gate] : state.gates) {
      if (gate.record != GateState::Record::Open) continue;
      InboxItem item{
          .id = entry.id, .kind = "gate", .name = path.text, .ask = gate.ask, .options = {"approve", "reject"}};
      for (const SeenFile& file : gate.shows) item.shows.push_back(file.path);
      item.change = change_since_approval(app, *journal, state, gate);
      item.since = gate.since;
      items.push_back(std::move(item));
    }
    for (const auto& [id, question] : state.questions) {
      if (question.answer) continue;
      items.push_back({.id = entry.id,
                       .kind = "question",
                       .name = id,
                       .ask = question.text,
                       .options = question.options,
                       .since = question.since});
    }
  }
  return items;
}

}  // namespace reprise
