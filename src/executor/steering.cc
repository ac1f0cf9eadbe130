#include "executor/steering.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/check.h"
#include "base/digest.h"
#include "base/strings.h"
#include "executor/tasks.h"
#include "model/event_codec.h"
#include "model/seen_mode.h"

namespace reprise {
namespace {

namespace json = boost::json;

// Whole segments first, so that "2" means "polish/2" before it means "polish/22".
Result<StepPath> step_meant(const std::string& target, const Graph& graph) {
  if (graph.find(StepPath{target}) && graph.leaves_below(*graph.find(StepPath{target})).size() == 1) {
    return graph.node(graph.leaves_below(*graph.find(StepPath{target})).front()).path;
  }
  std::vector<StepPath> matches;
  for (const int leaf : graph.leaves()) {
    const std::string& path = graph.node(leaf).path.text;
    if (path.ends_with("/" + target) || path.starts_with(target + "/")) matches.push_back(graph.node(leaf).path);
  }
  if (matches.size() == 1) return matches.front();
  std::string names;
  for (const StepPath& match : matches) names += (names.empty() ? "" : ", ") + match.text;
  if (matches.empty())
    return fail(ErrorKind::NotFound, "there is no step \"" + printable_line(target, 100) + "\"");
  return fail(ErrorKind::Invalid, "\"" + printable_line(target, 100) + "\" may mean: " + names);
}

bool is_gate_of(const StepPath& path, const RunState& state, const Graph* graph) {
  if (state.gates.contains(path) || graph == nullptr) return state.gates.contains(path);
  const std::optional<int> node = graph->find(path);
  return node && graph->node(*node).kind == Graph::Kind::Gate;
}

Error why_not_open(const StepPath& gate, const RunState& state, const std::vector<std::string>& open) {
  const auto found = state.gates.find(gate);
  std::string message = "gate " + printable_line(gate.text, 200) + " is not open yet";
  if (found != state.gates.end()) {
    const bool is_approved = found->second.record == GateState::Record::Approved;
    message = "gate " + printable_line(gate.text, 200) + (is_approved ? " was approved" : " was rejected") +
              " already" + (found->second.by.empty() ? "" : ", by " + printable_line(found->second.by, 200));
  }
  return {.kind = ErrorKind::NotFound, .message = message + (open.empty() ? "" : "; open: " + join(open, ", "))};
}

// Other names are tried only where no gate of the run is called exactly that: what a repeated approval means must
// not depend on which gates have been opened since.
Result<StepPath> find_open_gate(const std::string& target, const RunState& state, const Graph* graph) {
  std::vector<std::string> open;
  for (const auto& [path, gate] : state.gates) {
    if (gate.record == GateState::Record::Open) open.push_back(path.text);
  }
  if (target.empty()) {
    if (open.size() == 1) return StepPath{open.front()};
    return fail(ErrorKind::NotFound,
                open.empty() ? "no gate is open" : "several gates are open: " + join(open, ", "));
  }
  // A gate may be called as a state file words it: "Architecture sign-off".
  std::string slug = to_lower(target);
  std::ranges::replace(slug, ' ', '-');
  for (const std::string& name : {target, slug}) {
    if (std::ranges::find(open, name) != open.end()) return StepPath{name};
    if (is_gate_of(StepPath{name}, state, graph)) return fail(why_not_open(StepPath{name}, state, open));
  }
  std::vector<std::string> ends;
  std::vector<std::string> decided;
  for (const auto& [path, gate] : state.gates) {
    if (path.text.ends_with("/" + target))
      (gate.record == GateState::Record::Open ? ends : decided).push_back(path.text);
  }
  if (ends.size() == 1 && decided.empty()) return StepPath{ends.front()};
  if (ends.empty() && decided.size() == 1) return fail(why_not_open(StepPath{decided.front()}, state, open));
  const std::string name = "gate \"" + printable_line(target, 100) + "\"";
  if (ends.empty()) {
    return fail(ErrorKind::NotFound,
                name + " is not open" + (open.empty() ? "; no gate is" : "; open: " + join(open, ", ")));
  }
  const std::string also = decided.empty() ? "" : "; decided already: " + join(decided, ", ");
  return fail(ErrorKind::Invalid, name + " is ambiguous, give the whole name: " + join(ends, ", ") + also);
}

std::string digest_text(std::string_view text) { return to_text(digest_of(text)); }

// How far a step has come: another attempt, or another end, is another thing to decide about.
std::string seen_of_step(const StepPath& path, const RunState& state) {
  const StepState* step = state.find_step(path);
  const auto gate = state.gates.find(path);
  std::string text = path.text;
  if (step != nullptr)
    text += " attempt " + std::to_string(step->attempts) + " record " + std::to_string(int(step->record));
  if (gate != state.gates.end()) text += " gate " + std::to_string(int(gate->second.record));
  return digest_text(text);
}

// The state of the one thing that a bound `steer` is about; "" where there is nothing to compare.
std::string seen_now(const Steer& steer, const RunState& state) {
  const StepPath path{steer.target};
  if (steer.kind == "approve" || steer.kind == "reject") return seen_of(path, state);
  if (steer.kind == "retry" || steer.kind == "skip") return seen_of_step(path, state);
  const auto question = state.questions.find(steer.target);
  if (steer.kind == "answer" && question != state.questions.end()) return seen_of(question->second);
  const auto task = state.tasks.find(steer.target);
  if (steer.kind == "task" && task != state.tasks.end()) return seen_of(steer.target, task->second);
  return "";
}

Result<void> check_seen(const Steer& steer, const RunState& state) {
  if (steer.seen.empty() || steer.kind == "accept" || steer.kind == "cancel") return {};
  if (steer.kind == "task" && steer.target == "new") return {};
  if (steer.seen == seen_now(steer, state)) return {};
  return fail(ErrorKind::Conflict, printable_line(steer.target, 200) +
                                       " has changed since it was shown; nothing was recorded. Look again, then "
                                       "repeat the command");
}

// Only what reopens a failed run can be asked of one that has ended.
bool reopens_run(const Steer& steer, const RunState& state) {
  return state.status == RunStatus::Failed &&
         (steer.kind == "retry" || steer.kind == "skip" || steer.kind == "accept" || steer.kind == "cancel");
}

Result<void> check_not_ended(const Steer& steer, const RunState& state) {
  if (!state.is_ended() || reopens_run(steer, state)) return {};
  const bool is_failed = state.status == RunStatus::Failed;
  const std::string run = state.id.shown();
  Error error{.kind = ErrorKind::Invalid,
              .message = "run " + printable_line(run, 200) + " is " + std::string(to_token(state.status))};
  if (is_failed) error = std::move(error).hint("reprise resume " + shell_quote(run));
  return fail(std::move(error));
}

Result<std::vector<Event>> decide_gate(const Steer& steer, const RunState& state, const Graph& graph,
                                       const std::vector<SeenFile>& shown) {
  const StepPath gate = TRY(gate_meant(steer.target, state, graph));
  if (steer.kind == "reject" && steer.text.empty())
    return fail(ErrorKind::Invalid, "a rejection needs a reason: --because TEXT");
  return std::vector<Event>{GateDecided{gate, steer.kind == "approve", steer.by, steer.text, shown}};
}

Result<std::vector<Event>> answer_question(const Steer& steer, const RunState& state) {
  const auto found = state.questions.find(steer.target);
  if (found == state.questions.end()) {
    std::string open;
    for (const auto& [id, question] : state.questions) open += (open.empty() ? "" : ", ") + id;
    return fail(ErrorKind::NotFound, "there is no question \"" + printable_line(steer.target, 100) + "\"" +
                                         (open.empty() ? "" : "; there are: " + open));
  }
  if (found->second.answer) {
    return fail(ErrorKind::Invalid,
                "question " + steer.target + " was answered already: " + *found->second.answer);
  }
  return std::vector<Event>{QuestionAnswered{steer.target, steer.text, steer.by}};
}

Result<std::vector<Event>> skip_step(const Steer& steer, const RunState& state, const Graph& graph) {
  const StepPath step = TRY(step_meant(steer.target, graph));
  if (steer.text.empty()) return fail(ErrorKind::Invalid, "skipping needs a reason: --because TEXT");
  const std::optional<int> leaf = graph.find(step);
  const StepState* record = state.find_step(step);
  // Whether a step that is done is to be done again was asked; left out this time, it stays as it is.
  const auto asked = state.gates.find(step);
  const bool is_in_doubt = record != nullptr && record->record == StepState::Record::Done &&
                           asked != state.gates.end() && asked->second.record == GateState::Record::Open;
  if (is_in_doubt) return std::vector<Event>{StepSkipped{step, steer.by, steer.text}};
  if (leaf && graph.node(*leaf).stage->required)
    return fail(ErrorKind::Invalid, "step " + step.text + " is required and cannot be skipped");
  if (record != nullptr && record->record == StepState::Record::Open) {
    return fail(ErrorKind::Conflict, "step " + step.text + " has an attempt that is running or unresolved");
  }
  if (record != nullptr && record->record == StepState::Record::Done) {
    return fail(ErrorKind::Invalid, "step " + step.text + " is done already");
  }
  const auto gate = state.gates.find(step);
  const bool is_gate = leaf && graph.node(*leaf).kind == Graph::Kind::Gate;
  if (is_gate && gate != state.gates.end() && gate->second.record == GateState::Record::Approved)
    return fail(ErrorKind::Invalid, "gate " + step.text + " was approved already, by " + gate->second.by);
  return std::vector<Event>{StepSkipped{step, steer.by, steer.text}};
}

Result<std::vector<Event>> retry_step(const Steer& steer, const RunState& state, const Graph& graph) {
  const StepPath step = TRY(step_meant(steer.target, graph));
  const StepState* record = state.find_step(step);
  if (record == nullptr) return fail(ErrorKind::Invalid, "step " + step.text + " has not been tried yet");
  if (record->record == StepState::Record::Open) {
    return fail(ErrorKind::Conflict, "step " + step.text + " has an attempt that is running or unresolved");
  }
  return std::vector<Event>{
      StepReset{step, "retry", steer.by, steer.text.empty() ? "a person asked for it" : steer.text}};
}

// The change comes whole; a task that is to be new must not be there yet.
Result<std::vector<Event>> change_task(const Steer& steer, const RunState& state) {
  const Event event = TRY(decode("task_changed", kEventVersion, steer.text));
  const TaskChanged* change = std::get_if<TaskChanged>(&event);
  check(change != nullptr);
  const bool is_there = state.tasks.contains(change->id);
  if (steer.target == "new" && is_there)
    return fail(ErrorKind::Conflict, "task " + change->id + " is there already");
  if (steer.target != "new" && !is_there)
    return fail(ErrorKind::NotFound, "there is no task \"" + printable_line(change->id, 60) + "\"");
  return std::vector<Event>{event};
}

Result<std::vector<Event>> events_for_open_run(const Steer& steer, const RunState& state, const Graph& graph,
                                               const std::vector<SeenFile>& shown) {
  if (steer.kind == "approve" || steer.kind == "reject") return decide_gate(steer, state, graph, shown);
  if (steer.kind == "task") return change_task(steer, state);
  if (steer.kind == "answer") return answer_question(steer, state);
  if (steer.kind == "skip") return skip_step(steer, state, graph);
  if (steer.kind == "retry") return retry_step(steer, state, graph);
  if (steer.kind == "cancel") {
    return std::vector<Event>{
        RunFinished{RunStatus::Stopped, steer.text.empty() ? "cancelled" : steer.text, steer.by}};
  }
  if (steer.kind == "accept") {
    if (steer.text.empty()) return fail(ErrorKind::Invalid, "accepting a finding needs a reason: --because TEXT");
    return std::vector<Event>{FindingOverruled{steer.target, steer.seen, steer.by, steer.text}};
  }
  return fail(ErrorKind::Invalid, "\"" + steer.kind + "\" is not something that can be asked of a run");
}

}  // namespace

std::string encode_steer(const Steer& steer) {
  return json::serialize(json::object{{"target", steer.target}, {"text", steer.text}, {"seen", steer.seen}});
}

Result<Steer> decode_steer(const std::string& kind, const std::string& body, const std::string& by) {
  boost::system::error_code error;
  const json::value value = json::parse(body, error);
  if (error || !value.is_object()) return fail(ErrorKind::Corrupt, "a request cannot be read");
  const auto text = [&](std::string_view name) {
    const json::value* found = value.get_object().if_contains(name);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
  };
  return Steer{.kind = kind, .target = text("target"), .text = text("text"), .seen = text("seen"), .by = by};
}

Result<StepPath> gate_meant(const std::string& target, const RunState& state, const Graph& graph) {
  return find_open_gate(target, state, &graph);
}

Result<StepPath> gate_meant(const std::string& target, const RunState& state) {
  return find_open_gate(target, state, nullptr);
}

std::string seen_of(const StepPath& gate, const RunState& state) {
  const auto found = state.gates.find(gate);
  if (found == state.gates.end()) return digest_text(gate.text + " is not open");
  const StepState* step = state.find_step(gate);
  std::string text = gate.text + "\n" + found->second.ask + "\n";
  text += std::to_string(step == nullptr ? 0 : step->attempts) + "\n";
  for (const SeenFile& file : found->second.shows) {
    text += file.path + " " + file.digest;
    if (const std::string_view mode = mode_in(file.signature); !mode.empty()) text += " " + std::string(mode);
    text += "\n";
  }
  return digest_text(text);
}

std::string seen_of(const QuestionState& question) {
  return digest_text(question.step.text + "\n" + question.text + "\n" + join(question.options, "\n"));
}

std::string seen_of(const std::string& id, const TaskState& task) {
  return digest_text(encode(Event(change_of(id, task))));
}

Result<Steer> bind_steer(Steer steer, const RunState& state, const Graph& graph) {
  TRY_VOID(check_not_ended(steer, state));
  if (steer.kind == "approve" || steer.kind == "reject")
    steer.target = TRY(gate_meant(steer.target, state, graph)).text;
  if (steer.kind == "retry" || steer.kind == "skip") steer.target = TRY(step_meant(steer.target, graph)).text;
  if (steer.seen.empty()) steer.seen = seen_now(steer, state);
  return steer;
}

// A gate or question of a failed run is asked again when it goes on; what reopens it lets it go on, or ends it.
Result<std::vector<Event>> events_for(const Steer& steer, const RunState& state, const Graph& graph,
                                      const std::vector<SeenFile>& shown) {
  TRY_VOID(check_not_ended(steer, state));
  TRY_VOID(check_seen(steer, state));
  std::vector<Event> events = TRY(events_for_open_run(steer, state, graph, shown));
  if (reopens_run(steer, state))
    events.insert(events.begin(),
                  RunReopened{steer.by, steer.kind + (steer.target.empty() ? "" : " of " + steer.target)});
  return events;
}

}  // namespace reprise
