#include "formats/flow_state_edit.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/flow_state.h"
#include "formats/orchestrator_words.h"
#include "formats/state_tree_edit.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

// Whether the workflow's own order of phases, not the file, tells its steps.
bool is_in_order(const FlowClaims& claims) {
  return std::ranges::any_of(claims.steps, [](const ClaimedFlowStep& step) { return step.inferred; });
}

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
  Result<void> set_phase(const std::string& phase);
  // The step of this name; in a known order a number is a place in it.
  std::vector<ClaimedFlowStep>::iterator find_step(std::string_view name) {
    const auto named = std::ranges::find(claims_.steps, name, &ClaimedFlowStep::name);
    const std::optional<long long> number = parse_number(name, static_cast<long long>(claims_.steps.size()));
    const bool is_place = named == claims_.steps.end() && is_in_order(claims_) && number && *number > 0;
    return is_place ? claims_.steps.begin() + static_cast<std::ptrdiff_t>(*number - 1) : named;
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
  if (change.current_phase) TRY_VOID(set_phase(*change.current_phase));
  if (change.current_agent && agent_name(*change.current_agent) != claims_.current_agent) {
    const StateEntry* old = root().find_entry("current_agent");
    if (old == nullptr) old = root().find_entry("executor");
    const std::string sign = old != nullptr && old->value.text.starts_with('@') ? "@" : "";
    TRY_VOID(editor_.set(at({"current_agent", "executor"}, "current_agent"),
                         yaml_word(sign + agent_name(*change.current_agent))));
  }
  return set_time(change);
}

// A pointer that is a number stays one: the place of the phase among all. A state that gives none, only what was
// completed last, is not given one.
Result<void> FlowEditor::set_phase(const std::string& phase) {
  const bool is_master = claims_.dialect == "master";
  const YamlPath path =
      is_master ? at({"current_epic"}, "currentEpic")
                : at({"current_phase", "current_step", "current_step_index", "phase"}, "current_phase");
  if (claims_.current_phase.empty() && root().find({"last_completed_phase", "last_phase_completed"}) != nullptr)
    return {};
  const auto place = find_step(phase);
  const bool is_number = parse_number(claims_.current_phase, 1'000'000).has_value();
  const bool is_counted = is_number && !claims_.current_step.empty() && place != claims_.steps.end();
  const std::string word = is_counted ? std::to_string(place - claims_.steps.begin() + 1) : phase;
  return word == claims_.current_phase ? Result<void>{} : editor_.set(path, yaml_word(word));
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
  const auto place = find_step(change.name);
  const bool is_of_order = place != claims_.steps.end();
  if (is_of_order && place->completed) return {};
  const std::string number = std::to_string(place - claims_.steps.begin() + 1);
  if (is_of_order) {
    place->completed = true;
  } else {
    ClaimedFlowStep step;
    step.name = change.name;
    step.completed = true;
    claims_.steps.push_back(std::move(step));
  }
  const StateValue* list = root().find({"phases_completed", "completed_phases", "completed_steps"});
  const bool is_counted = is_of_order && list != nullptr && !list->elements.empty() &&
                          std::ranges::all_of(list->elements, [](const StateValue& element) {
                            return parse_number(element.text, 1'000'000).has_value();
                          });
  const std::string last = key_in(root(), {"last_completed_phase", "last_phase_completed"}, "");
  // Where nothing but a pointer says how far it is, a list that begins now would say that nothing was done before.
  const bool is_by_pointer = list == nullptr && is_of_order && (!last.empty() || is_in_order(claims_));
  if (!last.empty()) TRY_VOID(editor_.set(below(path_, last), yaml_word(change.name)));
  if (is_by_pointer) return {};
  return editor_.append(at({"phases_completed", "completed_phases", "completed_steps"}, "phases_completed"),
                        yaml_word(is_counted ? number : change.name));
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
