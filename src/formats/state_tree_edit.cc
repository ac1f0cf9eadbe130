#include "formats/state_tree_edit.h"

#include <span>

#include "formats/state_words.h"
#include "model/limits.h"
#include "text/json_edit.h"

namespace reprise {
namespace {

constexpr JsonRules kRules{.depth_max = kDocumentDepthMax, .nodes_max = kDocumentNodesMax};

std::string json_of(const YamlValue& value) { return flow_text(value, {.is_json = true}, false); }

YamlValue wrapped(std::span<const YamlStep> steps, YamlValue value) {
  for (std::size_t i = steps.size(); i > 0; --i) value = yaml_map({{steps[i - 1].key, std::move(value)}});
  return value;
}

const JsonNode* child_of(const JsonNode& node, const YamlStep& step) {
  if (step.element) {
    return node.kind == JsonKind::Array && *step.element < node.elements.size() ? &node.elements[*step.element]
                                                                                : nullptr;
  }
  const JsonMember* member = node.kind == JsonKind::Object ? node.find(step.key) : nullptr;
  return member == nullptr ? nullptr : &member->value;
}

const JsonNode* find_node(const JsonDocument& document, const YamlPath& path) {
  const JsonNode* node = &document.root();
  for (const YamlStep& step : path) {
    if (node != nullptr) node = child_of(*node, step);
  }
  return node;
}

// The object that the last key of the path belongs to, or as far as there are any.
struct JsonPlace {
  const JsonNode* object = nullptr;
  std::size_t steps = 0;
};

Result<JsonPlace> find_object(const JsonDocument& document, const YamlPath& path) {
  JsonPlace place{&document.root(), 0};
  while (place.steps + 1 < path.size()) {
    const JsonNode* next = child_of(*place.object, path[place.steps]);
    if (next == nullptr || next->kind == JsonKind::Null) break;
    place = {next, place.steps + 1};
  }
  if (place.object->kind != JsonKind::Object || path[place.steps].element) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "something stands there that is no object",
                      .line = place.object->line});
  }
  return place;
}

Result<std::string> set_json(const std::string& bytes, const YamlPath& path, const YamlValue& value) {
  const JsonDocument document = TRY(JsonDocument::parse(bytes, kRules));
  const JsonNode* there = find_node(document, path);
  if (there != nullptr && there->kind == JsonKind::Object && value.kind == YamlValue::Kind::Map) {
    std::vector<JsonSetting> settings;
    for (const YamlField& field : value.entries) settings.push_back({field.key, json_of(field.value)});
    return apply_edits(bytes, set_members(document, *there, settings));
  }
  const JsonPlace place = TRY(find_object(document, path));
  const std::span<const YamlStep> rest = std::span(path).subspan(place.steps + 1);
  const std::string json = json_of(wrapped(rest, value));
  return apply_edits(bytes, set_members(document, *place.object, {{path[place.steps].key, json}}));
}

Result<std::string> append_json(const std::string& bytes, const YamlPath& path, const YamlValue& element) {
  const JsonDocument document = TRY(JsonDocument::parse(bytes, kRules));
  const JsonNode* node = find_node(document, path);
  if (node == nullptr || node->kind == JsonKind::Null) return set_json(bytes, path, yaml_list({element}));
  if (node->kind != JsonKind::Array) {
    return fail(Error{
        .kind = ErrorKind::Invalid, .message = "what is to get one more element is no list", .line = node->line});
  }
  return apply_edits(bytes, {append_element(document, *node, json_of(element))});
}

}  // namespace

Result<StateEditor> StateEditor::open(std::string_view bytes, std::string_view file, StateSyntax syntax) {
  StateEditor editor;
  editor.tree_ = TRY(read_state_tree(bytes, file, syntax));
  editor.bytes_ = bytes;
  editor.file_ = file;
  if (!editor.tree_.damaged) return editor;
  return fail(Error{.kind = ErrorKind::Corrupt,
                    .message = "its syntax is broken; it is not changed",
                    .file = std::string(file),
                    .line = editor.tree_.damaged_line});
}

Result<void> StateEditor::take(Result<std::string> bytes) {
  if (!bytes) {
    Error error = std::move(bytes).error();
    error.file = file_;
    return fail(std::move(error));
  }
  if (*bytes == bytes_) return {};
  tree_ = TRY(read_state_tree(*bytes, file_));
  bytes_ = std::move(*bytes);
  return {};
}

Result<void> StateEditor::set(const YamlPath& path, const YamlValue& value) {
  return take(is_json() ? set_json(bytes_, path, value) : set_yaml(bytes_, path, value, state_yaml_limits()));
}

Result<void> StateEditor::append(const YamlPath& path, const YamlValue& element) {
  return take(is_json() ? append_json(bytes_, path, element)
                        : append_yaml(bytes_, path, element, state_yaml_limits()));
}

std::string key_in(const StateValue& map, std::initializer_list<std::string_view> names,
                   std::string_view otherwise) {
  for (const std::string_view name : names) {
    if (const StateEntry* entry = map.find_entry(name)) return entry->key;
  }
  return std::string(otherwise);
}

YamlPath below(YamlPath path, YamlStep step) {
  path.push_back(std::move(step));
  return path;
}

YamlValue time_value(Timestamp time) { return yaml_text(time.ms % 1000 == 0 ? to_text(time) : to_text_ms(time)); }

}  // namespace reprise
