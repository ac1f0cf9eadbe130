#include "formats/flow_state.h"

#include "formats/orchestrator_words.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

bool has(const StateValue& root, std::string_view name) { return root.find_entry(name) != nullptr; }

bool is_done(std::string_view word) {
  const std::string token = leading_token(word);
  return token == "completed" || token == "complete" || token == "done" || token == "approved";
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
    if (claims_.dialect != "cycle") read_completed(root.find("phases_completed"));
    add_current(root);
    claims_.artifacts = read_.list(root.find("artifacts"), "path");
  }

 private:
  // A state that lists only what is done has one step more: the one that was under way. An instance says so
  // itself, and a checkpoint stands between two stories.
  void add_current(const StateValue& root) {
    const bool lists_done_only = claims_.dialect == "record" || claims_.dialect == "cycle";
    const std::string& phase = claims_.current_phase;
    if (!lists_done_only || phase.empty() || claims_.status == FlowStatus::Completed) return;
    const auto is_it = [&](const ClaimedFlowStep& step) { return step.name == phase; };
    if (std::ranges::any_of(claims_.steps, is_it)) return;
    const StateValue* at = root.find({"current_phase", "current_step"});
    claims_.steps.push_back({.name = phase,
                             .status_word = "in_progress",
                             .completed = false,
                             .agent = claims_.current_agent,
                             .line = at == nullptr ? 0 : at->line});
  }

  void read_header(const StateValue& root) {
    const bool is_master = claims_.dialect == "master";
    claims_.id = read_.text(root.find({"execution_id", "instance_id"}));
    if (claims_.id.empty() && is_master) claims_.id = read_.text(root.find("workflow_id"));
    if (!is_master) claims_.workflow = read_.text(root.find({"workflow", "workflow_type", "workflow_id"}));
    claims_.story = read_.text(root.find({"current_story", "story_id", "story"}));
    claims_.epic = read_.text(root.find({"epic_id", "epic"}));
    claims_.current_phase =
        read_.text(is_master ? root.find("current_epic")
                             : root.find({"current_phase", "current_step", "current_step_index"}));
    claims_.current_agent = read_.agent(root.find({"current_agent", "executor"}));
    claims_.started_at = read_.time(root.find({"started_at", "created_at"}));
    claims_.updated_at = read_.time(
        root.find({"updated_at", "last_updated", "last_update", "paused_at", "aborted_at", "completed_at"}));
  }

  // A state at rest says so by when it was put there, if not by a word.
  void read_status(const StateValue& root) {
    claims_.status = read_.word(root.find("status"), claims_.status_word, flow_status_of);
    if (claims_.status != FlowStatus::Missing) return;
    if (root.find("aborted_at") != nullptr) {
      claims_.status = FlowStatus::Aborted;
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
    const std::string next = read_.text(progress->find("next_story"));
    if (claims_.story.empty()) claims_.story = next;
  }

  FlowClaims& claims_;
  StateReader read_;
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
  const bool has_workflow = has(root, "workflow") || has(root, "workflow_id") || has(root, "workflow_type");
  if (has(root, "phase_results") && has_workflow) return "cycle";
  if (has(root, "epics") && (has(root, "current_epic") || has(root, "story_id"))) return "master";
  if (has_workflow && (has(root, "instance_id") || has(root, "current_step_index") || has(root, "steps"))) {
    return "instance";
  }
  const bool at_rest = has(root, "paused_at") || has(root, "aborted_at") || has(root, "epic_progress");
  if (at_rest && (has_workflow || has(root, "current_story"))) return "checkpoint";
  const bool is_under_way = has(root, "current_phase") || has(root, "phases_completed");
  if (is_under_way && (has_workflow || has(root, "execution_id"))) return "record";
  return "";
}

Result<FlowClaims> read_flow_state(std::string_view bytes, std::string_view file) {
  StateTree tree = TRY(read_state_tree(bytes, file));
  const StateValue& root = flow_root(tree.root);
  const std::string_view dialect = flow_dialect(root);
  if (dialect.empty()) return fail(not_such_a_state(tree, "a workflow's state", file));
  FlowClaims claims;
  claims.dialect = dialect;
  claims.damaged = tree.damaged;
  claims.oddities = std::move(tree.oddities);
  FlowStateReader(root, claims);
  return claims;
}

}  // namespace reprise
