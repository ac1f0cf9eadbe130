#include "formats/flow_state.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "formats/flow_phases.h"
#include "formats/orchestrator_words.h"
#include "formats/state_file.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

const std::initializer_list<std::string_view> kWorkflowKeys = {"workflow", "workflow_type", "workflow_id"};
const std::initializer_list<std::string_view> kPhaseKeys = {"current_phase", "current_step", "current_step_index",
                                                            "phase"};
const std::initializer_list<std::string_view> kCompletedKeys = {"phases_completed", "completed_phases",
                                                                "completed_steps"};
const std::initializer_list<std::string_view> kLastKeys = {"last_completed_phase", "last_phase_completed",
                                                           "last_completed_step", "last_completed"};
constexpr long long kPhasesMax = 100;

bool has(const StateValue& root, std::string_view name) { return root.find_entry(name) != nullptr; }
bool has_any(const StateValue& root, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return has(root, name); });
}

// "4.2" for "docs/stories/4.2.story.md".
std::string story_in(std::string written) {
  std::ranges::replace(written, '\\', '/');
  if (!written.ends_with(".md")) return written;
  written = written.substr(written.rfind('/') + 1);
  written.resize(written.size() - 3);
  if (written.ends_with(".story")) written.resize(written.size() - 6);
  return written;
}

bool is_done(std::string_view word) {
  const std::string token = leading_token(word);
  return token == "completed" || token == "complete" || token == "done" || token == "approved";
}

// Why a state that has no error in it ends too early: one that is not completed says what it goes on with.
std::string why_unfinished(const StateTree& tree, const StateValue& root, const FlowClaims& claims) {
  if (tree.damaged || tree.last_line == 0) return "";
  if (std::string why = why_cut_off(tree, claims.oddities); !why.empty()) return why;
  if (claims.status == FlowStatus::Completed || root.entries.empty()) return "";
  if (claims.dialect == "record" && leading_token(claims.current_phase) == "checkpoint")
    return "a checkpoint without its progress";
  const std::string last = normal_key(root.entries.back().key);
  const bool is_all = std::ranges::all_of(claims.steps, &ClaimedFlowStep::completed);
  if (claims.dialect == "instance" && last == "steps" && is_all)
    return "it ends within its steps, all of them completed";
  const StateEntry* progress = root.find_entry("epic_progress");
  const bool says_next = progress != nullptr && (progress->value.find_entry("next_story") != nullptr ||
                                                 progress->value.find_entry("remaining_count") != nullptr);
  return claims.dialect == "checkpoint" && last == "epic_progress" && !says_next
             ? "it ends before it says which story is next"
             : "";
}

bool is_known_word(std::string_view word) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "pending", "not_started", "todo",    "queued", "ready", "in_progress", "active",
      "running", "started",     "skipped", "failed", "error", "blocked",     "in_review"};
  return std::ranges::find(kWords, leading_token(word)) != kWords.end();
}

class FlowStateReader {
 public:
  FlowStateReader(const StateValue& root, FlowClaims& claims) : claims_(claims), read_(claims.oddities) {
    read_header(root);
    read_status(root);
    if (claims_.dialect == "cycle") read_results(root.find("phase_results"));
    if (claims_.dialect == "master") read_results(root.find("epics"));
    if (claims_.dialect == "instance") read_steps(root.find("steps"));
    if (claims_.dialect == "checkpoint") read_progress(root.find("epic_progress"));
    if (claims_.dialect != "cycle") read_completed(root.find(kCompletedKeys));
    if (!put_in_order(root)) add_current(root);
    claims_.artifacts = read_.list(root.find("artifacts"), "path");
    read_needed(root);
    if (const StateValue* context = root.find("context"); context != nullptr && context->is_map())
      read_needed(*context);
  }

 private:
  // A state that lists only what is done has one step more: the one that was under way. An instance says so
  // itself, and a checkpoint stands between two stories.
  void add_current(const StateValue& root) {
    const bool lists_done_only = claims_.dialect == "record" || claims_.dialect == "cycle";
    if (lists_done_only) claims_.rest_unknown = claims_.status != FlowStatus::Completed;
    const std::string& phase = claims_.current_phase;
    if (!lists_done_only || phase.empty() || claims_.status == FlowStatus::Completed) return;
    const auto is_it = [&](const ClaimedFlowStep& step) { return step.name == phase; };
    if (std::ranges::any_of(claims_.steps, is_it)) return;
    const StateValue* at = root.find(kPhaseKeys);
    claims_.steps.push_back({.name = phase,
                             .status_word = "in_progress",
                             .completed = false,
                             .agent = claims_.current_agent,
                             .line = at == nullptr ? 0 : at->line});
  }

  // Files that a workflow names and does not make.
  void read_needed(const StateValue& map) {
    const auto add = [&](std::vector<std::string>& to, const StateValue* paths) {
      for (std::string& path : read_.list(paths, "path")) to.push_back(std::move(path));
    };
    add(claims_.templates, map.find({"templates", "template_files", "template", "template_file"}));
    add(claims_.configs, map.find({"config_files", "configs", "config_file", "config", "configuration"}));
  }

  struct Phase {
    std::string name;
    std::string agent;
  };

  // The phases that the workflow has, by its name or by the state's own list or count; none if nothing tells.
  std::vector<Phase> phases_in(const StateValue& root) {
    std::vector<Phase> phases;
    for (const KnownPhase& phase : phases_of_workflow(claims_.workflow))
      phases.push_back({std::string(phase.name), std::string(phase.agent)});
    if (!phases.empty()) return phases;
    for (std::string& name : read_.list(root.find({"phases", "all_phases"}), "name")) phases.push_back({name, ""});
    if (!phases.empty()) return phases;
    const std::optional<Fraction> counted = read_fraction(claims_.current_phase);
    const long long total = read_.number(root.find({"total_phases", "phases_total", "total_steps"})).value_or(0);
    const long long last = total > 0 || !counted ? total : counted->out_of.value_or(0);
    for (long long i = 1; i <= std::min(last, kPhasesMax); ++i) phases.push_back({std::to_string(i), ""});
    return phases;
  }

  static std::optional<std::size_t> place_of(const std::vector<Phase>& phases, std::string_view written) {
    std::vector<KnownPhase> known;
    for (const Phase& phase : phases) known.push_back({phase.name, phase.agent});
    const std::optional<Fraction> counted = read_fraction(written);
    if (counted && counted->out_of) return find_known_phase(known, std::to_string(counted->number));
    return find_known_phase(known, written);
  }

  // A state that says how far it is, of a workflow whose phases are known: what is before its place was passed,
  // and what comes after is still to come. False where that cannot be told. What the state lists as completed is
  // more than where it points.
  bool put_in_order(const StateValue& root) {
    if (claims_.dialect != "record" && claims_.dialect != "cycle") return false;
    const std::vector<Phase> phases = phases_in(root);
    const std::string last_word = read_.text(root.find(kLastKeys));
    const std::optional<std::size_t> current = place_of(phases, claims_.current_phase);
    const std::optional<std::size_t> last = place_of(phases, last_word);
    const bool is_strange = (!claims_.current_phase.empty() && !current) || (!last_word.empty() && !last);
    if (phases.empty() || is_strange) return false;
    std::vector<ClaimedFlowStep> ordered(phases.size());
    std::vector<ClaimedFlowStep> others;  // that are none of these phases
    for (ClaimedFlowStep& step : claims_.steps) {
      const std::optional<std::size_t> place = place_of(phases, step.name);
      const bool is_other = !place || !ordered[*place].name.empty();
      is_other ? others.push_back(step) : void(ordered[*place] = step);
    }
    const bool has_list = !claims_.steps.empty();
    if (!has_list && !current && !last) return false;
    const StateValue* pointer = root.find(kPhaseKeys);
    for (std::size_t i = 0; i < phases.size(); ++i) {
      ClaimedFlowStep& step = ordered[i];
      const bool is_listed = !step.name.empty();
      const bool is_numbered = read_.number_in(step.name).has_value() && parse_number(step.name, kPhasesMax);
      if (!is_listed || is_numbered) step.name = phases[i].name;
      if (step.agent.empty()) step.agent = agent_of(i, phases[i]);
      if (is_listed) continue;
      const bool is_passed = (last && i <= *last) || (!has_list && current && i < *current);
      step.completed = is_passed || claims_.status == FlowStatus::Completed;
      const bool is_current = current == i && !step.completed;
      step.inferred = !is_current;
      if (!is_current) continue;
      step.status_word = "in_progress";
      step.line = pointer == nullptr ? 0 : pointer->line;
      if (!claims_.current_agent.empty()) step.agent = claims_.current_agent;
    }
    if (current) claims_.current_step = ordered[*current].name;
    claims_.steps = std::move(ordered);
    std::ranges::move(others, std::back_inserter(claims_.steps));
    return true;
  }

  // A development cycle names its own agents.
  std::string agent_of(std::size_t place, const Phase& phase) const {
    const bool is_cycle = claims_.dialect == "cycle";
    if (is_cycle && place == 1 && !claims_.current_agent.empty()) return claims_.current_agent;
    return is_cycle && place == 3 && !quality_gate_.empty() ? quality_gate_ : phase.agent;
  }

  void read_header(const StateValue& root) {
    const bool is_master = claims_.dialect == "master";
    claims_.id = read_.text(root.find({"execution_id", "instance_id"}));
    if (claims_.id.empty() && is_master) claims_.id = read_.text(root.find("workflow_id"));
    if (!is_master) claims_.workflow = read_.text(root.find(kWorkflowKeys));
    if (!is_master && claims_.workflow.empty()) claims_.workflow = read_.text(root.find("type"));
    claims_.story = story_in(read_.text(root.find({"current_story", "story_id", "story"})));
    claims_.mode = read_.text(root.find({"mode", "execution_mode"}));
    quality_gate_ = read_.agent(root.find("quality_gate"));
    claims_.epic = read_.text(root.find({"epic_id", "epic"}));
    claims_.current_phase = read_.text(is_master ? root.find("current_epic") : root.find(kPhaseKeys));
    claims_.current_agent = read_.agent(root.find({"current_agent", "executor"}));
    claims_.started_at = read_.time(root.find({"started_at", "created_at"}));
    claims_.updated_at = read_.time(root.find({"updated_at", "last_updated", "last_update", "interrupted_at",
                                               "paused_at", "aborted_at", "completed_at"}));
  }

  // A state at rest says so by when it was put there, if not by a word.
  void read_status(const StateValue& root) {
    claims_.status = read_.word(root.find("status"), claims_.status_word, flow_status_of);
    if (claims_.status != FlowStatus::Missing) return;
    if (root.find("aborted_at") != nullptr) {
      claims_.status = FlowStatus::Aborted;
    } else if (root.find("interrupted_at") != nullptr) {
      claims_.status = FlowStatus::Interrupted;
    } else if (root.find("paused_at") != nullptr) {
      claims_.status = FlowStatus::Paused;
    }
  }

  void read_results(const StateValue* results) {
    for (const StateItem& item : read_.items(results, {"name", "phase", "id"})) {
      ClaimedFlowStep step;
      step.name = item.id;
      step.line = item.line;
      read_step(*item.value, step);
      claims_.steps.push_back(std::move(step));
    }
  }

  void read_steps(const StateValue* steps) {
    if (steps != nullptr && steps->is_map()) return read_results(steps);
    if (steps == nullptr) return;
    for (const StateValue& element : steps->elements) {
      ClaimedFlowStep step;
      step.line = element.line;
      step.name =
          read_.text(element.is_map() ? element.find({"name", "step", "id", "phase", "action"}) : &element);
      if (element.is_map()) read_step(element, step);
      if (step.name.empty()) step.name = std::to_string(claims_.steps.size() + 1);
      claims_.steps.push_back(std::move(step));
    }
  }

  void read_step(const StateValue& value, ClaimedFlowStep& step) {
    if (!value.is_map()) {
      step.status_word = read_.text(&value);
    } else {
      step.status_word = read_.text(value.find("status"));
      step.agent = read_.agent(value.find({"agent", "executor"}));
      const StateValue* output = value.find({"output_file", "output", "result_file"});
      if (output != nullptr && output->kind == StateValue::Kind::Text) step.output = read_.text(output);
    }
    step.completed = is_done(step.status_word);
    const bool is_strange = !step.status_word.empty() && !step.completed && !is_known_word(step.status_word);
    if (is_strange) read_.odd(value, step.status_word, "an unknown word; it is kept as it is");
  }

  // Phases that are listed because they are done.
  void read_completed(const StateValue* phases) {
    for (const StateItem& item : read_.items(phases, {"phase", "name", "id"})) {
      ClaimedFlowStep step;
      step.name = item.id;
      step.line = item.line;
      if (item.value->is_map()) read_step(*item.value, step);
      if (step.status_word.empty()) step.status_word = "completed";
      step.completed = is_done(step.status_word);
      claims_.steps.push_back(std::move(step));
    }
  }

  void read_progress(const StateValue* progress) {
    if (progress == nullptr || !progress->is_map()) return;
    for (const std::string& story : read_.list(progress->find("completed_stories"), "id")) {
      ClaimedFlowStep step;
      step.name = story;
      step.line = progress->line;
      step.status_word = "completed";
      step.completed = true;
      claims_.steps.push_back(std::move(step));
    }
    // It rests between two stories: the next one is what it goes on with, and others may come after that.
    const StateValue* at = progress->find("next_story");
    const std::string next = story_in(read_.text(at));
    const auto is_next = [&](const ClaimedFlowStep& step) { return is_same_story(step.name, next); };
    const long long remaining = read_.number(progress->find({"remaining_count", "remaining"})).value_or(0);
    const bool is_open = !next.empty() && std::ranges::none_of(claims_.steps, is_next);
    if (is_open) claims_.steps.push_back({.name = next, .line = at->line});
    if (is_open || claims_.story.empty()) claims_.story = next;
    if (next.empty() && remaining > 0) claims_.steps.push_back({.name = "next-story", .line = progress->line});
    const bool is_counted = is_open || next.empty();
    claims_.remaining = std::clamp(remaining - (is_counted ? 1 : 0), 0LL, kPhasesMax);
    claims_.rest_unknown = claims_.remaining > 0;
  }

  FlowClaims& claims_;
  StateReader read_;
  std::string quality_gate_;
};

}  // namespace

const StateValue& flow_root(const StateValue& root) {
  const StateValue* meant = &root;
  for (const std::string_view name : {"workflow_state", "execution_state", "orchestration_state", "state"}) {
    const StateEntry* below = root.find_entry(name);
    if (meant == &root && below != nullptr && below->value.is_map()) meant = &below->value;
  }
  return *meant;
}

std::string_view flow_dialect(const StateValue& root) {
  if (!root.is_map()) return "";
  const bool has_workflow = has_any(root, kWorkflowKeys);
  if (has(root, "phase_results") && has_workflow) return "cycle";
  if (has(root, "epics") && (has(root, "current_epic") || has(root, "story_id"))) return "master";
  if (has_workflow && (has(root, "instance_id") || has(root, "current_step_index") || has(root, "steps"))) {
    return "instance";
  }
  const bool at_rest = has(root, "paused_at") || has(root, "aborted_at") || has(root, "epic_progress");
  if (at_rest && (has_workflow || has(root, "current_story"))) return "checkpoint";
  const bool is_under_way = has_any(root, kPhaseKeys) || has_any(root, kCompletedKeys) || has_any(root, kLastKeys);
  const bool is_named = has_workflow || has(root, "execution_id") || has(root, "type");
  if (is_under_way && is_named) return "record";
  if (has(root, "workflow") && has(root, "status")) return "record";
  return "";
}

Result<FlowClaims> read_flow_state(std::string_view bytes, std::string_view file) {
  const StateTree tree = TRY(read_state_tree(bytes, file));
  const StateValue& root = flow_root(tree.root);
  const std::string_view dialect = flow_dialect(root);
  if (dialect.empty()) return fail(not_such_a_state(tree, "a workflow's state", file));
  FlowClaims claims;
  claims.dialect = dialect;
  claims.damaged = tree.damaged;
  claims.oddities = tree.oddities;
  FlowStateReader(root, claims);
  const std::string why = why_unfinished(tree, root, claims);
  if (!why.empty()) {
    claims.damaged = true;
    claims.oddities.insert(claims.oddities.begin(), {tree.last_line, printable_line(tree.last_text, 100),
                                                     "it was probably not written to its end: " + why});
  }
  return claims;
}

}  // namespace reprise
