#include "formats/spec_pipeline.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "formats/orchestrator_words.h"
#include "formats/state_file.h"
#include "formats/state_tree_edit.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

// Up to this sum of its dimensions something is simple, up to that it is standard.
constexpr long long kSimpleMax = 8, kStandardMax = 15;

// "requirements" for "requirements.json"; "" for files that are no artifacts.
std::string_view artifact_of(std::string_view file) {
  static constexpr std::array<std::string_view, 5> kNames = {"requirements", "complexity", "research", "spec",
                                                             "critique"};
  static constexpr std::array<std::string_view, 4> kEndings = {".json", ".yml", ".yaml", ".md"};
  for (const std::string_view name : kNames) {
    if (!file.starts_with(name)) continue;
    const std::string_view ending = file.substr(name.size());
    if (std::ranges::find(kEndings, ending) != kEndings.end()) return name;
  }
  return "";
}

const StateValue* find_anywhere(const StateValue& root, std::initializer_list<std::string_view> names) {
  if (const StateValue* found = root.find(names)) return found;
  for (const StateEntry& entry : root.entries) {
    if (!entry.value.is_map()) continue;
    if (const StateValue* found = entry.value.find(names)) return found;
  }
  return nullptr;
}

class SpecPipelineReader {
 public:
  explicit SpecPipelineReader(SpecPipelineClaims& claims) : claims_(claims), read_(claims.oddities) {}

  void take(std::string_view file, std::string_view bytes) {
    if (file == kSpecPipelineFile) return read_state(file, bytes);
    const std::string_view artifact = artifact_of(file);
    if (artifact.empty()) return;
    std::optional<StateTree> tree;
    if (!is_whole(file, bytes, tree)) return;
    if (artifact == "requirements") claims_.has_requirements = true;
    if (artifact == "research") claims_.has_research = true;
    if (artifact == "spec") claims_.has_spec = claims_.has_spec || file == "spec.md";
    if (artifact == "complexity") {
      claims_.has_complexity = true;
      if (tree) read_complexity(tree->root);
    }
    if (artifact == "critique") {
      claims_.has_critique = true;
      if (tree) read_critique(tree->root);
    }
  }

 private:
  void refuse(std::string_view file, const Error& error) {
    add_oddity(claims_.damaged, error.line, file, error.message);
  }

  bool is_whole(std::string_view file, std::string_view bytes, std::optional<StateTree>& tree) {
    if (file.ends_with(".md")) {
      std::optional<Error> damage = find_damage(bytes, file);
      if (!damage && trim(bytes).empty()) damage = Error{.kind = ErrorKind::Corrupt, .message = "it is empty"};
      if (damage) refuse(file, *damage);
      return !damage;
    }
    Result<StateTree> read = read_state_tree(bytes, file);
    if (!read) {
      refuse(file, read.error());
      return false;
    }
    for (const Oddity& each : read->oddities) add_oddity(claims_.oddities, each.line, each.text, each.why);
    if (read->root.entries.empty() && read->root.elements.empty()) {
      refuse(file, {.kind = ErrorKind::Corrupt, .message = "it holds nothing", .line = read->root.line});
      return false;
    }
    tree = std::move(*read);
    return true;
  }

  void read_complexity(const StateValue& root) {
    const StateValue* word = find_anywhere(root, {"complexity", "result", "level", "classification", "category"});
    if (word != nullptr && word->kind == StateValue::Kind::Text) {
      claims_.complexity = to_upper(leading_token(read_.text(word)));
    }
    static constexpr std::array<std::string_view, 3> kKnown = {"SIMPLE", "STANDARD", "COMPLEX"};
    if (std::ranges::find(kKnown, claims_.complexity) != kKnown.end()) return;
    if (!claims_.complexity.empty()) read_.odd(*word, claims_.complexity, "an unknown complexity");
    claims_.complexity.clear();
    const StateValue* score = find_anywhere(root, {"total", "total_score", "score"});
    const std::optional<long long> sum = score == nullptr || !score->is_map() ? read_.number(score) : std::nullopt;
    if (!sum) return;
    claims_.complexity = *sum <= kSimpleMax ? "SIMPLE" : *sum <= kStandardMax ? "STANDARD" : "COMPLEX";
  }

  void read_critique(const StateValue& root) {
    claims_.verdict =
        read_.word(find_anywhere(root, {"verdict", "decision", "status"}), claims_.verdict_word, spec_verdict_of);
  }

  void read_state(std::string_view file, std::string_view bytes) {
    const Result<StateTree> tree = read_state_tree(bytes, file);
    if (!tree || !tree->root.is_map()) {
      add_oddity(claims_.oddities, tree ? tree->root.line : tree.error().line, file,
                 "the state file does not count: " + (tree ? "it is no object" : tree.error().message));
      return;
    }
    const StateValue* state = tree->root.find({"status", "state", "current_state", "phase", "current_phase"});
    claims_.state_word = normal_key(read_.text(state));
    claims_.updated_at = read_.time(tree->root.find({"updated_at", "last_updated", "timestamp"}));
    if (claims_.complexity.empty()) {
      claims_.complexity = to_upper(leading_token(read_.text(tree->root.find("complexity"))));
    }
  }

  SpecPipelineClaims& claims_;
  StateReader read_;
};

}  // namespace

SpecPipelineClaims read_spec_pipeline(std::string_view name, const std::map<std::string, std::string>& files) {
  SpecPipelineClaims claims;
  claims.name = name;
  SpecPipelineReader reader(claims);
  // The state file last: where it and an artifact say the same thing, the artifact counts.
  for (const auto& [file, bytes] : files) {
    if (file != kSpecPipelineFile) reader.take(file, bytes);
  }
  if (const auto state = files.find(std::string(kSpecPipelineFile)); state != files.end()) {
    reader.take(state->first, state->second);
  }
  return claims;
}

Result<std::string> change_spec_pipeline(std::string_view bytes, const SpecPipelineChange& change) {
  StateEditor editor = TRY(StateEditor::open(bytes, kSpecPipelineFile));
  const auto key = [&](std::initializer_list<std::string_view> names, std::string_view otherwise) {
    return key_in(editor.root(), names, otherwise);
  };
  const StateValue* state = editor.root().find({"status", "state", "current_state", "phase", "current_phase"});
  if (!editor.root().is_map() || state == nullptr) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "is not a spec pipeline's state",
                      .file = std::string(kSpecPipelineFile)});
  }
  if (change.state && normal_key(state->text) != *change.state) {
    TRY_VOID(editor.set({key({"status", "state", "current_state", "phase", "current_phase"}, "status")},
                        yaml_text(*change.state)));
  }
  if (change.complexity) TRY_VOID(editor.set({key({"complexity"}, "complexity")}, yaml_text(*change.complexity)));
  if (change.updated_at) {
    std::vector<Oddity> ignored;
    const std::optional<ClaimedTime> old =
        StateReader(ignored).time(editor.root().find({"updated_at", "last_updated"}));
    if (!old || old->time != *change.updated_at) {
      TRY_VOID(editor.set({key({"updated_at", "last_updated"}, "updatedAt")}, time_value(*change.updated_at)));
    }
  }
  return editor.bytes();
}

std::string new_spec_pipeline(std::string_view name, std::string_view state, Timestamp now) {
  const auto json = [](const YamlValue& value) { return flow_text(value, {.is_json = true}, false); };
  return "{\n  \"storyId\": " + json(yaml_text(name)) + ",\n  \"status\": " + json(yaml_text(state)) +
         ",\n  \"startedAt\": " + json(time_value(now)) + ",\n  \"updatedAt\": " + json(time_value(now)) + "\n}\n";
}

}  // namespace reprise
