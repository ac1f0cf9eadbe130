// What a worker is told before it starts: the brief of an attempt, made from the record and the files.

#include <algorithm>

#include "base/mask.h"
#include "base/strings.h"
#include "executor/attempt.h"
#include "executor/brief.h"
#include "executor/gaps.h"
#include "executor/questions.h"
#include "executor/tasks.h"
#include "model/limits.h"
#include "os/file_system.h"
#include "planner/planner.h"

namespace reprise {
namespace {

// How the reason of a step begins that continues with what its task left: the rule of the plan that found it.
constexpr std::string_view kContinuesRule = "TP-08 partial";

// By an attempt of ours, or by whoever wrote the state file that the run was found in.
bool was_begun(const StepState& step) { return step.attempts > 0 || is_cut_off(step); }

}  // namespace

// A later stage that failed and starts again here: why it failed is what this attempt is about.
void Attempts::add_failures_that_lead_here(const Graph& graph, int leaf, Brief& brief) {
  for (int index = leaf; index > 0; index = graph.node(index).parent) {
    const std::string& name = graph.node(index).stage->name;
    for (const int sibling : graph.node(graph.node(index).parent).children) {
      if (name.empty() || *graph.node(sibling).stage->retry_from != name) continue;
      for (const int later : graph.leaves_below(sibling)) {
        const StepState* step = graph.record(later);
        if (step == nullptr) continue;
        for (const std::string& line : step->failure_context) brief.failure_context.push_back(printable(line));
      }
    }
  }
}

// What another program's attempts at the lane ended with, before it became a run of ours.
void Attempts::add_failures_of_found_lane(const LaneState& lane, Brief& brief) {
  const CheckpointState* const adopted = lane.find_checkpoint(kAdopted);
  if (adopted == nullptr) return;
  for (const std::string& line : adopted->failure_context) brief.failure_context.push_back(printable(line));
}

// What cannot be looked at cannot be handed over either.
Result<bool> Attempts::is_there(const std::filesystem::path& path) {
  const Result<std::optional<FileInfo>> info = files_.stat(path);
  if (!info && ends_work(info.error().kind)) return fail(info.error());
  return info && info->has_value();
}

// A worker whose item is a task is told all of it, and of what it is a part. What the task says it has left is
// handed over where it is there, so that the worker can go on from it (TP-08).
Result<void> Attempts::describe_task(const Graph& graph, int leaf, const RunState& state, Brief& brief) {
  brief.background = background_of(state);
  const TaskState* task = graph.task_of(leaf, state);
  if (task == nullptr) return {};
  if (task->description.size() > kTaskValueBytesMax) brief.task += "\n\n" + task->description;
  const TaskHints hints = hints_of(*task);
  brief.agent = hints.agent;
  brief.files = hints.files;
  const StepState* step = state.find_step(graph.node(leaf).path);
  const bool goes_on = step != nullptr && (step->attempts > 1 || step->reason->starts_with(kContinuesRule));
  if (!goes_on) return {};  // its phase restarts as a whole
  for (const std::string& path : hints.outputs) {
    if (TRY(is_left(graph, leaf, path))) brief.partial.push_back(path);
  }
  for (const std::string& result : hints.results) {
    const bool is_file = TRY(is_left(graph, leaf, result));
    (is_file ? brief.partial : brief.partial_results).push_back(result);
  }
  brief.is_continued = brief.is_continued || !brief.partial.empty() || !brief.partial_results.empty();
  return {};
}

// Whether a file that a task names is there: in the folder of its worker, or elsewhere on this machine.
Result<bool> Attempts::is_left(const Graph& graph, int leaf, const std::string& path) {
  if (path.size() > 1'024 || path.find('\n') != std::string::npos) return false;
  const bool is_elsewhere = path.starts_with('/');
  if (!is_elsewhere && !lies_beneath(path)) return false;
  return is_there(folder_of(graph, leaf) / path);
}

Result<Brief> Attempts::make_brief(const Graph& graph, int leaf, const RunState& state,
                                   const AttemptStarted& event) {
  const Graph::Node& node = graph.node(leaf);
  const Stage& stage = *node.stage;
  const StepState* step = state.find_step(node.path);
  Brief brief{.run = state.id.text, .workflow = state.workflow, .subject = state.subject};
  brief.directory = folder_of(graph, leaf).string();
  if (const LaneState* lane = graph.lane_of(leaf)) {
    brief.lane = lane->name;
    add_failures_of_found_lane(*lane, brief);
  }
  brief.stage = stage.name;
  brief.step = node.path.text;
  brief.attempt = event.attempt.value;
  brief.role = role_of(graph, leaf, state);
  brief.task = graph.resolve(leaf, stage.prompt);
  brief.values = node.values->all();
  brief.inputs = event.inputs;
  for (SeenFile& input : brief.inputs) input.path = from_inside(graph, leaf, input.path);
  brief.resume = stage.resume;
  brief.is_continued = stage.resume == ResumeRule::Continue && step != nullptr && was_begun(*step);
  brief.has_failed = step != nullptr && step->record == StepState::Record::Failed && !is_cut_off(*step);
  brief.notes = state.notes;
  for (const Product& product : stage.produces) {
    brief.produces.push_back({graph.resolve(leaf, product.path), product.complete});
    const std::string& path = brief.produces.back().path;
    if (brief.is_continued && TRY(is_there(folder_of(graph, leaf) / path))) brief.partial.push_back(path);
  }
  TRY_VOID(describe_task(graph, leaf, state, brief));
  if (step != nullptr && step->attempts <= 1 && step->outcome == AttemptOutcome::Interrupted &&
      !step->reason->empty())
    brief.notes.push_back("Of this step: " + *step->reason);
  if (step != nullptr) {
    for (const std::string& line : step->failure_context) brief.failure_context.push_back(printable(line));
  }
  add_failures_that_lead_here(graph, leaf, brief);
  for (const std::string& path : stage.context) {
    SeenFile seen = TRY(collector_.look(graph.resolve_path(leaf, path), nullptr));
    seen.path = from_inside(graph, leaf, seen.path);
    if (!seen.digest.empty()) brief.inputs.push_back(std::move(seen));
  }
  for (const auto& [id, question] : state.questions) {
    const bool is_given = stage.takes_answers && !question.applied;
    const bool is_own = question.step == node.path;
    if (is_own || is_given)
      brief.questions.push_back({is_own ? id_for_worker(id, node.path) : id, question.text, question.answer});
  }
  for (const auto& [id, gap] : state.gaps) {
    if (gap.status == GapStatus::Pending || gap.status == GapStatus::Clarifying)
      brief.gaps.push_back({id, title_of(gap.priority), gap.text});
  }
  const auto gate = state.gates.find(node.path);
  if (gate != state.gates.end() && gate->second.record == GateState::Record::Approved) {
    const std::string& because = gate->second.because;
    brief.questions.push_back({node.path.text, gate->second.ask, because.empty() ? "approved" : because});
  }
  return brief;
}

Result<void> Attempts::write_brief(const Graph& graph, int leaf, const RunState& state,
                                   const AttemptStarted& event) {
  const Graph::Node& node = graph.node(leaf);
  const Brief brief = TRY(make_brief(graph, leaf, state, event));
  const std::filesystem::path directory = attempt_directory(setup_.store, state, node.path, event.attempt.value);
  TRY_VOID(files_.make_directories(directory));
  TRY_VOID(files_.write_scratch(directory / "brief.md", masker().mask(to_markdown(brief))));
  TRY_VOID(files_.write_scratch(directory / "context.json", masker().mask(to_context_json(brief))));
  return {};
}

Result<std::string> Attempts::brief_text(const Graph& graph, int leaf, const RunState& state) {
  const Graph::Node& node = graph.node(leaf);
  const StepState* step = state.find_step(node.path);
  AttemptStarted event{.step = node.path};
  event.attempt.value = (step == nullptr ? 0 : step->attempts) + 1;
  event.inputs = TRY(look_at_inputs(graph, leaf, step));
  return masker().mask(to_markdown(TRY(make_brief(graph, leaf, state, event))));
}

}  // namespace reprise
