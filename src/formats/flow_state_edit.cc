#include "formats/flow_state_edit.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/flow_state.h"
#include "formats/orchestrator_words.h"
#include "formats/state_tree_edit.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

class FlowEditor {
 public:
  FlowEditor(StateEditor editor, FlowClaims claims) : editor_(std::move(editor)), claims_(std::move(claims)) {
    const StateValue& root = flow_root(editor_.root());
    for (const StateEntry& entry : editor_.root().entries) {
      if (&entry.value == &root) path_ = {entry.key};
    }
  }

  Result<void> header(const FlowChange& change);
  Result<void> step(const FlowStepChange& change);
  std::string take() { return editor_.bytes(); }

 private:
  const StateValue& root() const { return flow_root(editor_.root()); }
  YamlPath at(std::initializer_list<std::string_view> names, std::string_view otherwise) const {
    return below(path_, key_in(root(), names, otherwise));
  }
  Result<void> set_time(const FlowChange& change);
  Result<void> list_as_completed(const FlowStepChange& change);
  Result<void> set_keyed(const FlowStepChange& change, std::string_view name, std::string_view otherwise);
  Result<void> set_listed(const FlowStepChange& change);
  Result<void> set_fields(const FlowStepChange& change, const StateValue* there, const YamlPath& path);

  StateEditor editor_;
  FlowClaims claims_;
  YamlPath path_;  // to the map that holds the state
};

// A cycle has no status of its own; it is not given one.
Result<void> FlowEditor::header(const FlowChange& change) {
  const bool has_status = root().find_entry("status") != nullptr || claims_.dialect != "cycle";
  const bool says_so = !claims_.status_word.empty() && change.status == claims_.status;
  if (change.status && has_status && !says_so) {
    TRY_VOID(editor_.set(at({"status"}, "status"), yaml_word(word_of(*change.status))));
  }
  if (change.current_phase && *change.current_phase != claims_.current_phase) {
    const YamlPath path = claims_.dialect == "master"
                              ? at({"current_epic"}, "currentEpic")
                              : at({"current_phase", "current_step", "current_step_index"}, "current_phase");
    TRY_VOID(editor_.set(path, yaml_word(*change.current_phase)));
  }
  if (change.current_agent && agent_name(*change.current_agent) != claims_.current_agent) {
    const StateEntry* old = root().find_entry("current_agent");
    if (old == nullptr) old = root().find_entry("executor");
    const std::string sign = old != nullptr && old->value.text.starts_with('@') ? "@" : "";
    TRY_VOID(editor_.set(at({"current_agent", "executor"}, "current_agent"),
                         yaml_word(sign + agent_name(*change.current_agent))));
  }
  return set_time(change);
}

Result<void> FlowEditor::set_time(const FlowChange& change) {
  if (!change.updated_at) return {};
  const YamlPath path = at({"updated_at", "last_updated", "last_update"}, "updated_at");
  const StateValue* there = root().find({"updated_at", "last_updated", "last_update"});
  const bool is_same = there != nullptr && claims_.updated_at && !claims_.updated_at->whole_day &&
                       claims_.updated_at->time == *change.updated_at;
  return is_same ? Result<void>{} : editor_.set(path, time_value(*change.updated_at));
}

Result<void> FlowEditor::step(const FlowStepChange& change) {
  if (claims_.dialect == "cycle") return set_keyed(change, "phase_results", "phaseResults");
  if (claims_.dialect == "master") return set_keyed(change, "epics", "epics");
  if (claims_.dialect == "instance") return set_listed(change);
  return list_as_completed(change);
}

Result<void> FlowEditor::list_as_completed(const FlowStepChange& change) {
  if (change.status != "completed") return {};
  const auto is_it = [&](const ClaimedFlowStep& step) { return step.completed && step.name == change.name; };
  if (std::ranges::any_of(claims_.steps, is_it)) return {};
  ClaimedFlowStep step;
  step.name = change.name;
  step.completed = true;
  claims_.steps.push_back(std::move(step));
  return editor_.append(at({"phases_completed"}, "phases_completed"), yaml_word(change.name));
}

Result<void> FlowEditor::set_fields(const FlowStepChange& change, const StateValue* there, const YamlPath& path) {
  std::vector<YamlField> fields;
  const StateValue* status = there == nullptr ? nullptr : there->find("status");
  const bool is_same = status != nullptr && leading_token(status->text) == change.status;
  if (!is_same)
    fields.push_back(
        {there == nullptr ? "status" : key_in(*there, {"status"}, "status"), yaml_word(change.status)});
  if (!change.output.empty()) {
    const std::string key = there == nullptr ? "output" : key_in(*there, {"output_file", "output"}, "output");
    fields.push_back({key, yaml_text(change.output)});
  }
  return fields.empty() ? Result<void>{} : editor_.set(path, yaml_map(std::move(fields)));
}

Result<void> FlowEditor::set_keyed(const FlowStepChange& change, std::string_view name,
                                   std::string_view otherwise) {
  const YamlPath path = at({name}, otherwise);
  const StateEntry* steps = root().find_entry(name);
  const StateValue* there = nullptr;
  if (steps != nullptr) {
    const auto found = std::ranges::find(steps->value.entries, change.name, &StateEntry::key);
    if (found != steps->value.entries.end()) there = &found->value;
  }
  const bool is_word = there != nullptr && there->kind == StateValue::Kind::Text;
  if (!is_word) return set_fields(change, there, below(path, change.name));
  return leading_token(there->text) == change.status
             ? Result<void>{}
             : editor_.set(below(path, change.name), yaml_word(change.status));
}

Result<void> FlowEditor::set_listed(const FlowStepChange& change) {
  const YamlPath path = at({"steps"}, "steps");
  const StateEntry* steps = root().find_entry("steps");
  if (steps != nullptr && steps->value.is_map()) return set_keyed(change, "steps", "steps");
  for (std::size_t i = 0; steps != nullptr && i < steps->value.elements.size(); ++i) {
    const StateValue& element = steps->value.elements[i];
    const StateValue* name = element.find({"name", "step", "id", "phase", "action"});
    const std::string own = name == nullptr ? std::to_string(i + 1) : std::string(trim(name->text));
    if (!element.is_map() || own != change.name) continue;
    return set_fields(change, &element, below(path, YamlStep::at(i)));
  }
  std::vector<YamlField> fields = {{"name", yaml_word(change.name)}, {"status", yaml_word(change.status)}};
  if (!change.output.empty()) fields.push_back({"output", yaml_text(change.output)});
  return editor_.append(path, yaml_map(std::move(fields)));
}

}  // namespace

Result<std::string> change_flow_state(std::string_view bytes, const FlowChange& change) {
  FlowClaims claims = TRY(read_flow_state(bytes, ""));
  FlowEditor editor(TRY(StateEditor::open(bytes, "")), std::move(claims));
  for (const FlowStepChange& step : change.steps) TRY_VOID(editor.step(step));
  TRY_VOID(editor.header(change));
  return editor.take();
}

std::string new_flow_state(const NewFlowState& flow) {
  const auto word = [](const std::string& text) { return text.empty() ? yaml_word("null") : yaml_word(text); };
  YamlValue state =
      yaml_map({{"execution_id", yaml_word(flow.execution_id)}, {"workflow", yaml_word(flow.workflow)}});
  if (!flow.epic.empty()) state.entries.push_back({"epic_id", yaml_text(flow.epic)});
  if (!flow.story.empty()) state.entries.push_back({"current_story", yaml_text(flow.story)});
  for (YamlField& field : std::vector<YamlField>{{"status", yaml_word("active")},
                                                 {"started_at", time_value(flow.started_at)},
                                                 {"updated_at", time_value(flow.started_at)},
                                                 {"current_phase", word(flow.current_phase)},
                                                 {"current_agent", word(flow.current_agent)},
                                                 {"phases_completed", yaml_list({})},
                                                 {"context", yaml_map({})}}) {
    state.entries.push_back(std::move(field));
  }
  return yaml_file(state);
}

}  // namespace reprise
