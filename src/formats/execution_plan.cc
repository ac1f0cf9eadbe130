#include "formats/execution_plan.h"

#include <map>
#include <set>

#include "base/strings.h"
#include "formats/orchestrator_words.h"

namespace reprise {
namespace {

bool is_plan(const StateValue& value) {
  const StateValue* stories = value.find("stories");
  const StateValue* waves = value.find({"waves", "execution_waves"});
  const auto has_parts = [](const StateValue* part) {
    return part != nullptr && !(part->entries.empty() && part->elements.empty());
  };
  return has_parts(stories) || has_parts(waves);
}

// The map that holds the plan: the file itself, or below its root, whatever that is called.
const StateValue* find_plan(const StateValue& root) {
  if (root.find_entry("epic_state") != nullptr) return nullptr;
  if (const StateValue* below = root.find("execution"); below != nullptr && is_plan(*below)) return below;
  const bool is_state = root.find_entry("current_wave") != nullptr;
  if (is_plan(root)) return is_state ? nullptr : &root;
  for (const StateEntry& entry : root.entries) {
    if (entry.value.is_map() && is_plan(entry.value)) return &entry.value;
  }
  return nullptr;
}

class ExecutionPlanReader {
 public:
  explicit ExecutionPlanReader(ExecutionPlanClaims& claims) : claims_(claims), read_(claims.oddities) {}

  void read(const StateValue& plan) {
    claims_.epic = read_.text(plan.find({"epic_id", "epic", "id"}));
    claims_.story_folder = read_.text(plan.find({"story_base_path", "stories_dir", "story_folder"}));
    for (const StateItem& item : read_.items(plan.find("stories"), {"id", "story", "story_id"})) add_story(item);
    const StateValue* waves = plan.find({"waves", "execution_waves"});
    for (const StateItem& item : read_.items(waves, {"wave", "number", "id"})) read_wave(item);
    if (claims_.waves.empty()) waves_of_stories(plan);
    claims_.template_file = read_.text(plan.find({"template", "template_file"}));
    claims_.final_gate_agent = gate_agent(plan, {"final_gate"}, "final_gate_agent");
    if (plan.find("stories") != nullptr) list_unknown_stories();
  }

 private:
  void add_story(const StateItem& item) {
    PlannedStory story;
    story.id = item.id;
    story.line = item.line;
    const StateValue& value = *item.value;
    if (value.is_map()) {
      story.file = read_.text(value.find({"file", "path", "story_file"}));
      story.title = read_.text(value.find({"title", "name"}));
      story.executor = read_.agent(value.find({"executor", "agent"}));
      story.quality_gate = read_.agent(value.find("quality_gate"));
      story.branch = read_.text(value.find("branch"));
      story.key_files = read_.list(value.find({"key_files", "files"}), "path");
    } else if (value.text != item.id) {
      story.file = read_.text(&value);
    }
    if (stories_.insert(story.id).second) {
      claims_.stories.push_back(std::move(story));
    } else {
      read_.odd(value, item.id, "this story stands there twice; the first one counts");
    }
  }

  void read_wave(const StateItem& item) {
    PlannedWave wave;
    wave.number = wave_number(item.id);
    wave.line = item.line;
    const StateValue& value = *item.value;
    if (value.is_map()) {
      wave.name = read_.text(value.find({"name", "title"}));
      wave.parallel = read_.flag(value.find("parallel"), true);
      read_stories(value.find("stories"), wave);
      for (const std::string& need : read_.list(value.find({"dependencies", "depends_on"}), "wave")) {
        wave.dependencies.push_back(wave_number(need));
      }
      wave.gate_agent = gate_agent(value, {"gate"}, "gate_agent");
      wave.gate_focus = focus_of(value);
      read_merge(value, wave);
      wave.tag = read_.text(value.find("tag"));
    } else if (value.is_list()) {
      read_stories(&value, wave);
    }
    claims_.waves.push_back(std::move(wave));
  }

  // Ids, or stories that are described where they are listed.
  void read_stories(const StateValue* stories, PlannedWave& wave) {
    for (const StateItem& item : read_.items(stories, {"id", "story", "story_id"})) {
      wave.stories.push_back(item.id);
      if (item.value->is_map() && !stories_.contains(item.id)) add_story(item);
    }
  }

  std::string gate_agent(const StateValue& value, std::initializer_list<std::string_view> gates,
                         std::string_view beside) {
    const StateValue* gate = value.find(gates);
    if (gate != nullptr && gate->is_map() && gate->find("agent") != nullptr)
      return read_.agent(gate->find("agent"));
    if (value.find(beside) != nullptr) return read_.agent(value.find(beside));
    return gate != nullptr && !gate->is_map() ? read_.agent(gate) : "";
  }

  std::string focus_of(const StateValue& value) {
    const StateValue* gate = value.find("gate");
    const StateValue* focus = gate != nullptr && gate->is_map() ? gate->find("focus") : value.find("gate_focus");
    if (focus == nullptr || !focus->is_list()) return read_.text(focus);
    return join(read_.list(focus), "; ");
  }

  void read_merge(const StateValue& value, PlannedWave& wave) {
    const StateValue* merge = value.find("merge");
    const StateValue* order =
        merge != nullptr && merge->is_map() ? merge->find("order") : value.find("merge_order");
    wave.merge_order = read_.list(order, "story");
  }

  // Stories may say which wave they belong to; otherwise they come one after another.
  void waves_of_stories(const StateValue& plan) {
    std::map<std::string, std::size_t> places;
    std::set<std::string> seen;
    for (const StateItem& item : read_.items(plan.find("stories"), {"id", "story", "story_id"})) {
      if (!seen.insert(item.id).second) continue;
      const std::string number = item.value->is_map() ? wave_number(read_.text(item.value->find("wave"))) : "";
      const std::string name = number.empty() ? "1" : number;
      if (places.try_emplace(name, claims_.waves.size()).second) {
        PlannedWave added;
        added.number = name;
        added.line = item.line;
        added.parallel = !number.empty();
        claims_.waves.push_back(std::move(added));
      }
      claims_.waves[places[name]].stories.push_back(item.id);
    }
    if (!claims_.waves.empty()) {
      read_.odd(plan, "", "a plan without waves: they are made of what its stories say");
    }
  }

  void list_unknown_stories() {
    for (const PlannedWave& wave : claims_.waves) {
      for (const std::string& id : wave.stories) {
        if (stories_.contains(id)) continue;
        StateValue at;
        at.line = wave.line;
        read_.odd(at, id, "wave " + wave.number + " has a story that the plan does not describe");
      }
    }
  }

  ExecutionPlanClaims& claims_;
  StateReader read_;
  std::set<std::string> stories_;  // that are described
};

}  // namespace

Result<ExecutionPlanClaims> read_execution_plan(std::string_view bytes, std::string_view file) {
  StateTree tree = TRY(read_state_tree(bytes, file));
  const StateValue* plan = find_plan(tree.root);
  if (plan == nullptr) return fail(not_such_a_state(tree, "an execution plan", file));
  ExecutionPlanClaims claims;
  claims.damaged = tree.damaged;
  claims.oddities = std::move(tree.oddities);
  ExecutionPlanReader(claims).read(*plan);
  return claims;
}

}  // namespace reprise
