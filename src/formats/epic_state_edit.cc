#include "formats/epic_state_edit.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "formats/epic_state.h"
#include "formats/orchestrator_words.h"
#include "formats/state_tree_edit.h"

namespace reprise {
namespace {

// Whether agents are written with "@" somewhere in the file.
bool has_at_signs(const StateValue& value) {
  const auto is_one = [](const StateEntry& entry) {
    return entry.value.text.starts_with('@') || has_at_signs(entry.value);
  };
  return std::ranges::any_of(value.entries, is_one) || std::ranges::any_of(value.elements, has_at_signs);
}

// The step to an entry or element of a map or list, by what its key or name is.
template <typename Is>
std::optional<YamlStep> find_step(const StateValue* items, std::initializer_list<std::string_view> names,
                                  Is is_it) {
  if (items == nullptr) return std::nullopt;
  for (const StateEntry& entry : items->entries) {
    if (is_it(entry.key)) return YamlStep(entry.key);
  }
  for (std::size_t i = 0; i < items->elements.size(); ++i) {
    const StateValue* name = items->elements[i].find(names);
    if (name != nullptr && is_it(name->text)) return YamlStep::at(i);
  }
  return std::nullopt;
}

const StateValue* value_at(const StateValue& root, const YamlPath& path) {
  const StateValue* value = &root;
  for (const YamlStep& step : path) {
    if (step.element) {
      if (*step.element >= value->elements.size()) return nullptr;
      value = &value->elements[*step.element];
      continue;
    }
    const auto entry = std::ranges::find(value->entries, step.key, &StateEntry::key);
    if (entry == value->entries.end()) return nullptr;
    value = &entry->value;
  }
  return value;
}

// Some states say of their stories what the stories' own files would: Done, InProgress.
bool has_story_words(const EpicClaims& claims) {
  static constexpr std::array<std::string_view, 5> kWords = {"Draft", "Ready", "InProgress", "InReview", "Done"};
  return std::ranges::any_of(claims.waves, [](const ClaimedWave& wave) {
    return std::ranges::any_of(wave.stories, [](const ClaimedStory& story) {
      return std::ranges::find(kWords, story.status_word) != kWords.end();
    });
  });
}

std::string_view story_word_of(EpicStoryStatus status) {
  switch (status) {
    case EpicStoryStatus::Pending: return "Ready";
    case EpicStoryStatus::InProgress: return "InProgress";
    case EpicStoryStatus::InReview: return "InReview";
    case EpicStoryStatus::Completed: return "Done";
    default: return word_of(status);
  }
}

class EpicEditor {
 public:
  explicit EpicEditor(StateEditor editor) : editor_(std::move(editor)) {
    const StateEntry* root = editor_.root().find_entry("epic_state");
    if (root != nullptr) state_ = {root->key};
    at_ = has_at_signs(editor_.root()) ? "@" : "";
  }

  Result<void> header(const EpicChange& change, const EpicClaims& claims);
  Result<void> wave(const WaveChange& change, const EpicClaims& claims);
  Result<void> story(const EpicStoryChange& change, const EpicClaims& claims);
  Result<void> verdict(const VerdictChange& change, const EpicClaims& claims);
  Result<EpicClaims> claims() const { return epic_claims_of(editor_.tree(), ""); }
  std::string take() { return editor_.bytes(); }

 private:
  const StateValue& state() const { return *value_at(editor_.root(), state_); }
  YamlPath key_below(const YamlPath& path, std::initializer_list<std::string_view> names,
                     std::string_view otherwise) const {
    const StateValue* map = value_at(editor_.root(), path);
    return below(path, map == nullptr ? std::string(otherwise) : key_in(*map, names, otherwise));
  }
  YamlPath waves_path() const { return key_below(state_, {"waves"}, "waves"); }
  YamlPath wave_path(std::string_view number) const {
    const YamlPath waves = waves_path();
    const auto is_it = [&](std::string_view key) { return wave_number(key) == number; };
    return below(
        waves,
        find_step(value_at(editor_.root(), waves), {"wave", "number", "id"}, is_it).value_or(YamlStep(number)));
  }
  YamlPath story_path(std::string_view wave, std::string_view id) const {
    return story_below(wave_path(wave), id);
  }
  YamlPath story_below(const YamlPath& above, std::string_view id) const {
    const YamlPath stories = key_below(above, {"stories"}, "stories");
    const auto is_it = [&](std::string_view key) { return is_same_story(key, id); };
    return below(
        stories,
        find_step(value_at(editor_.root(), stories), {"id", "story", "story_id"}, is_it).value_or(YamlStep(id)));
  }
  Result<void> set_time(const YamlPath& path, std::optional<Timestamp> time,
                        const std::optional<ClaimedTime>& claimed) {
    if (!time || (claimed && !claimed->whole_day && claimed->time == *time)) return {};
    return editor_.set(path, time_value(*time));
  }
  Result<void> add_story(const EpicStoryChange& change);
  Result<void> set_story_fields(const EpicStoryChange& change, const ClaimedStory& claimed, const YamlPath& path);

  StateEditor editor_;
  YamlPath state_;
  std::string at_;  // in front of agents
};

Result<void> EpicEditor::header(const EpicChange& change, const EpicClaims& claims) {
  if (change.status && *change.status != claims.status) {
    TRY_VOID(editor_.set(key_below(state_, {"status"}, "status"), yaml_word(word_of(*change.status))));
  }
  if (change.current_wave && wave_number(*change.current_wave) != claims.current_wave) {
    TRY_VOID(editor_.set(key_below(state_, {"current_wave"}, "current_wave"), yaml_word(*change.current_wave)));
  }
  if (change.total_waves && change.total_waves != claims.total_waves) {
    TRY_VOID(editor_.set(key_below(state_, {"total_waves"}, "total_waves"),
                         yaml_word(std::to_string(*change.total_waves))));
  }
  return set_time(key_below(state_, {"updated_at", "last_updated"}, "updated_at"), change.updated_at,
                  claims.updated_at);
}

Result<void> EpicEditor::wave(const WaveChange& change, const EpicClaims& claims) {
  const std::string number = wave_number(change.number);
  const auto claimed = std::ranges::find_if(
      claims.waves, [&](const ClaimedWave& wave) { return !wave.is_flat && wave.number == number; });
  const YamlPath path = wave_path(number);
  if (claimed == claims.waves.end()) {
    std::vector<YamlField> fields;
    if (change.name) fields.push_back({"name", yaml_text(*change.name)});
    fields.push_back({"status", yaml_word(word_of(change.status.value_or(WaveStatus::Pending)))});
    if (change.tag) fields.push_back({"tag", yaml_word(*change.tag)});
    return editor_.set(path, yaml_map(std::move(fields)));
  }
  const StateValue* value = value_at(editor_.root(), path);
  const bool is_word = value != nullptr && value->kind == StateValue::Kind::Text;
  if (change.name && *change.name != claimed->name) {
    TRY_VOID(editor_.set(key_below(path, {"name", "title"}, "name"), yaml_text(*change.name)));
  }
  if (change.status && *change.status != claimed->status) {
    TRY_VOID(
        editor_.set(is_word ? path : key_below(path, {"status"}, "status"), yaml_word(word_of(*change.status))));
  }
  if (change.tag && *change.tag != claimed->tag) {
    TRY_VOID(editor_.set(key_below(path, {"tag"}, "tag"), yaml_word(*change.tag)));
  }
  return {};
}

Result<void> EpicEditor::add_story(const EpicStoryChange& change) {
  if (change.wave.empty()) {
    return fail(ErrorKind::Invalid, "story \"" + printable_line(change.id, 100) + "\" is in no wave");
  }
  const auto time = [](std::optional<Timestamp> at) { return at ? time_value(*at) : yaml_word("null"); };
  std::vector<YamlField> fields = {
      {"status", yaml_word(word_of(change.status.value_or(EpicStoryStatus::Pending)))}};
  if (change.branch) fields.push_back({"branch", yaml_word(*change.branch)});
  fields.push_back({"started_at", time(change.started_at)});
  fields.push_back({"completed_at", time(change.completed_at)});
  if (change.executor) fields.push_back({"executor", yaml_word(at_ + agent_name(*change.executor))});
  if (change.quality_gate) fields.push_back({"quality_gate", yaml_word(at_ + agent_name(*change.quality_gate))});
  if (change.commit) fields.push_back({"commit", yaml_text(*change.commit)});
  return editor_.set(story_path(wave_number(change.wave), change.id), yaml_map(std::move(fields)));
}

Result<void> EpicEditor::set_story_fields(const EpicStoryChange& change, const ClaimedStory& claimed,
                                          const YamlPath& path) {
  if (change.branch && *change.branch != claimed.branch) {
    TRY_VOID(editor_.set(key_below(path, {"branch"}, "branch"), yaml_word(*change.branch)));
  }
  TRY_VOID(set_time(key_below(path, {"started_at"}, "started_at"), change.started_at, claimed.started_at));
  const YamlPath completed = key_below(path, {"completed_at"}, "completed_at");
  if (change.clear_completed_at && claimed.completed_at) TRY_VOID(editor_.set(completed, yaml_word("null")));
  TRY_VOID(set_time(completed, change.completed_at, claimed.completed_at));
  if (change.executor && agent_name(*change.executor) != claimed.executor) {
    TRY_VOID(editor_.set(key_below(path, {"executor", "agent"}, "executor"),
                         yaml_word(at_ + agent_name(*change.executor))));
  }
  if (change.quality_gate && agent_name(*change.quality_gate) != claimed.quality_gate) {
    TRY_VOID(editor_.set(key_below(path, {"quality_gate"}, "quality_gate"),
                         yaml_word(at_ + agent_name(*change.quality_gate))));
  }
  if (change.commit && *change.commit != claimed.commit) {
    TRY_VOID(editor_.set(key_below(path, {"commit", "commit_hash", "commit_sha"}, "commit"),
                         yaml_text(*change.commit)));
  }
  return {};
}

Result<void> EpicEditor::story(const EpicStoryChange& change, const EpicClaims& claims) {
  const std::string wanted = wave_number(change.wave);
  for (const ClaimedWave& wave : claims.waves) {
    if (!wanted.empty() && wave.number != wanted && !wave.is_flat) continue;
    const auto claimed = std::ranges::find_if(
        wave.stories, [&](const ClaimedStory& story) { return is_same_story(story.id, change.id); });
    if (claimed == wave.stories.end()) continue;
    const YamlPath path = wave.is_flat ? story_below(state_, change.id) : story_path(wave.number, change.id);
    const StateValue* value = value_at(editor_.root(), path);
    const bool is_word = value != nullptr && value->kind == StateValue::Kind::Text;
    if (change.status && *change.status != claimed->status) {
      const std::string_view word =
          has_story_words(claims) ? story_word_of(*change.status) : word_of(*change.status);
      TRY_VOID(editor_.set(is_word ? path : key_below(path, {"status"}, "status"), yaml_word(word)));
    }
    return is_word ? Result<void>{} : set_story_fields(change, *claimed, path);
  }
  return add_story(change);
}

Result<void> EpicEditor::verdict(const VerdictChange& change, const EpicClaims& claims) {
  const bool is_final = to_lower(change.gate) == "final";
  const std::string gate = is_final ? "final" : wave_number(change.gate);
  const auto claimed = std::ranges::find(claims.verdicts, gate, &ClaimedVerdict::gate);
  const YamlPath gates = key_below(state_, {"gate_verdicts"}, "gate_verdicts");
  const auto is_it = [&](std::string_view key) {
    return is_final ? to_lower(key).starts_with("final") : wave_number(key) == gate;
  };
  const std::optional<YamlStep> step = find_step(value_at(editor_.root(), gates), {"gate", "wave", "id"}, is_it);
  const YamlPath path = below(gates, step.value_or(YamlStep(gate)));
  const bool is_known = step && claimed != claims.verdicts.end();
  std::vector<YamlField> fields;
  const StateValue* there = value_at(editor_.root(), path);
  const auto key = [&](std::initializer_list<std::string_view> names, std::string_view otherwise) {
    return there == nullptr ? std::string(otherwise) : key_in(*there, names, otherwise);
  };
  if (!is_known || claimed->verdict != change.verdict) {
    fields.push_back({key({"status"}, "status"), yaml_word(change.verdict)});
    const std::string second = key({"verdict"}, "");
    if (!second.empty()) fields.push_back({second, yaml_word(change.verdict)});
  }
  if (!change.agent.empty() && (!is_known || claimed->agent != agent_name(change.agent))) {
    fields.push_back({key({"agent", "reviewer"}, "agent"), yaml_word(at_ + agent_name(change.agent))});
  }
  if (change.at && (!is_known || !claimed->at || claimed->at->time != *change.at)) {
    fields.push_back({key({"at", "timestamp", "reviewed_at"}, "at"), time_value(*change.at)});
  }
  if (!change.notes.empty()) fields.push_back({key({"notes", "note"}, "notes"), yaml_text(change.notes)});
  return fields.empty() ? Result<void>{} : editor_.set(path, yaml_map(std::move(fields)));
}

YamlValue agent_value(const std::string& agent) {
  return agent.empty() ? yaml_word("null") : yaml_text("@" + agent);
}

YamlValue new_story(const ClaimedStory& story) {
  const std::string_view status = word_of(story.status);
  const auto time = [](const std::optional<ClaimedTime>& at) {
    return at ? time_value(at->time) : yaml_word("null");
  };
  return yaml_map({{"status", yaml_word(status.empty() ? "pending" : status)},
                   {"branch", story.branch.empty() ? yaml_word("null") : yaml_word(story.branch)},
                   {"started_at", time(story.started_at)},
                   {"completed_at", time(story.completed_at)},
                   {"executor", agent_value(story.executor)},
                   {"quality_gate", agent_value(story.quality_gate)}});
}

YamlValue new_wave(const ClaimedWave& wave) {
  const std::string_view status = word_of(wave.status);
  YamlValue stories = yaml_map({});
  for (const ClaimedStory& story : wave.stories) stories.entries.push_back({story.id, new_story(story)});
  YamlValue out = yaml_map({});
  if (!wave.name.empty()) out.entries.push_back({"name", yaml_text(wave.name)});
  out.entries.push_back({"status", yaml_word(status.empty() ? "pending" : status)});
  if (!wave.tag.empty()) out.entries.push_back({"tag", yaml_word(wave.tag)});
  out.entries.push_back({"stories", std::move(stories)});
  return out;
}

}  // namespace

Result<std::string> change_epic_state(std::string_view bytes, const EpicChange& change) {
  EpicEditor editor(TRY(StateEditor::open(bytes, "")));
  // Each step sees what the ones before it have added.
  TRY_VOID(editor.header(change, TRY(editor.claims())));
  for (const WaveChange& wave : change.waves) TRY_VOID(editor.wave(wave, TRY(editor.claims())));
  for (const EpicStoryChange& story : change.stories) TRY_VOID(editor.story(story, TRY(editor.claims())));
  for (const VerdictChange& verdict : change.verdicts) TRY_VOID(editor.verdict(verdict, TRY(editor.claims())));
  return editor.take();
}

std::string new_epic_state(const NewEpicState& epic) {
  YamlValue waves = yaml_map({});
  for (const ClaimedWave& wave : epic.waves) waves.entries.push_back({wave.number, new_wave(wave)});
  YamlValue state = yaml_map({{"epicId", yaml_text(epic.id)},
                              {"execution_plan", yaml_word(epic.execution_plan)},
                              {"mode", yaml_word(epic.mode)},
                              {"started_at", time_value(epic.started_at)},
                              {"updated_at", time_value(epic.started_at)},
                              {"status", yaml_word("active")},
                              {"current_wave", yaml_word(epic.current_wave)},
                              {"total_waves", yaml_word(std::to_string(epic.waves.size()))},
                              {"waves", std::move(waves)},
                              {"gate_verdicts", yaml_map({})},
                              {"bug_verification", yaml_map({})}});
  return yaml_file(yaml_map({{"epic_state", std::move(state)}}));
}

}  // namespace reprise
