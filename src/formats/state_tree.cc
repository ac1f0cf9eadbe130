#include "formats/state_tree.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "formats/yaml_lines.h"
#include "model/limits.h"
#include "text/document.h"
#include "text/json_document.h"

namespace reprise {
namespace {

StateValue value_of(const JsonNode& node) {
  StateValue value;
  value.line = node.line;
  switch (node.kind) {
    case JsonKind::Null: break;
    case JsonKind::Boolean:
    case JsonKind::Number:
    case JsonKind::String:
      value.kind = StateValue::Kind::Text;
      value.text = node.text;
      break;
    case JsonKind::Array:
      value.kind = StateValue::Kind::List;
      for (const JsonNode& element : node.elements) value.elements.push_back(value_of(element));
      break;
    case JsonKind::Object:
      value.kind = StateValue::Kind::Map;
      for (const JsonMember& member : node.members) {
        value.entries.push_back({member.key, member.value.line, value_of(member.value)});
      }
      break;
  }
  return value;
}

StateTree tree_of(const JsonDocument& document) {
  StateTree tree;
  tree.is_json = true;
  tree.root = value_of(document.root());
  for (const JsonRepeatedKey& each : document.repeated_keys()) {
    add_oddity(tree.oddities, each.line, printable_line(each.key, 100),
               "this key stands there twice; the last one counts");
  }
  return tree;
}

StateTree tree_of_lines(std::string_view bytes, const Error& syntax) {
  StateTree tree;
  tree.damaged = true;
  tree.damaged_line = syntax.line;
  const std::vector<TextLine> lines = lines_of(bytes);
  const auto index = static_cast<std::size_t>(std::max(syntax.line, 1)) - 1;
  const std::string_view text = index < lines.size() ? text_of(bytes, lines[index].text) : std::string_view();
  add_oddity(tree.oddities, syntax.line, printable_line(trim(text), 100),
             "the syntax is broken here (" + syntax.message + "); the file is read line by line");
  tree.root = read_yaml_lines(bytes, tree.oddities);
  return tree;
}

// Whether a value could not go on where the file ends: closed by a bracket or a quote, a number, a time with its
// zone, or a word that states use. Of any other text nobody knows.
bool is_whole_value(std::string_view value) {
  static constexpr std::array<std::string_view, 22> kWords = {
      "active",    "interrupted", "paused",    "stopped",  "completed", "complete", "done",    "aborted",
      "cancelled", "pending",     "ready",     "approved", "rejected",  "failed",   "blocked", "skipped",
      "running",   "in_progress", "escalated", "true",     "false",     "null"};
  value = trim(value);
  if (value.empty()) return false;
  if (std::string_view("\"'}]").find(value.back()) != std::string_view::npos) return true;
  const bool is_number = value.find_first_not_of("0123456789.") == std::string_view::npos && value.back() != '.';
  const bool is_time = value.ends_with('Z') && read_time(value).has_value();
  return is_number || is_time || std::ranges::find(kWords, normal_key(value)) != kWords.end();
}

void find_last_line(std::string_view bytes, StateTree& tree) {
  int number = 0;
  for (const TextLine& line : lines_of(bytes)) {
    ++number;
    const std::string_view text = trim(text_of(bytes, line.text));
    if (text.empty() || text.starts_with('#')) continue;
    tree.last_text = text;
    tree.last_line = number;
  }
  tree.is_cut_in_line = !bytes.ends_with('\n') && !bytes.ends_with('\r');
}

// Adds the entries of `from`, a map or a list of maps, that `into` does not have itself.
void merge_entries(const StateValue& from, StateValue& into) {
  for (const StateValue& element : from.elements) merge_entries(element, into);
  for (const StateEntry& entry : from.entries) {
    const auto is_it = [&](const StateEntry& own) { return own.key == entry.key; };
    if (std::ranges::none_of(into.entries, is_it)) into.entries.push_back(entry);
  }
}

Error at_file(Error error, std::string_view file) {
  error.file = file;
  return error;
}

}  // namespace

StateValue state_value_of(const YamlNode& node) {
  StateValue value;
  std::vector<StateValue> merged;  // what "<<" names
  value.line = node.line();
  switch (node.kind()) {
    case YamlKind::Null: break;
    case YamlKind::Scalar:
      value.kind = StateValue::Kind::Text;
      value.text = node.text();
      break;
    case YamlKind::Sequence:
      value.kind = StateValue::Kind::List;
      for (const YamlNode& element : node.elements()) value.elements.push_back(state_value_of(element));
      break;
    case YamlKind::Map:
      value.kind = StateValue::Kind::Map;
      for (const YamlNode::Entry& entry : node.entries()) {
        const bool merges = entry.key.text() == "<<" && !entry.key.is_quoted();
        merges ? merged.push_back(state_value_of(entry.value))
               : value.entries.push_back(
                     {std::string(entry.key.text()), entry.key.line(), state_value_of(entry.value)});
      }
      for (const StateValue& map : merged) merge_entries(map, value);
      break;
  }
  return value;
}

const StateEntry* StateValue::find_entry(std::string_view name) const {
  const auto found = std::find_if(entries.rbegin(), entries.rend(),
                                  [&](const StateEntry& entry) { return normal_key(entry.key) == name; });
  return found == entries.rend() ? nullptr : &*found;
}

const StateValue* StateValue::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const StateEntry* entry = find_entry(name);
    if (entry != nullptr && entry->value.kind != Kind::Nothing) return &entry->value;
  }
  return nullptr;
}

YamlLimits state_yaml_limits() {
  return {.bytes = kDocumentBytesMax,
          .nodes = kDocumentNodesMax,
          .string_bytes = kStringBytesMax,
          .depth = kDocumentDepthMax,
          .aliases = true};
}

Result<StateTree> read_state_tree(std::string_view bytes, std::string_view file, StateSyntax syntax) {
  if (std::optional<Error> damage = find_damage(bytes, file)) return fail(std::move(*damage));
  const std::string_view text = trim(bytes.substr(text_start(bytes)));
  if (text.empty()) {
    return fail(Error{.kind = ErrorKind::Corrupt,
                      .message = "it is empty; it was probably not written to its end",
                      .file = std::string(file)});
  }
  const bool is_only_json = syntax == StateSyntax::Json;
  if (is_only_json || text.starts_with('{') || text.starts_with('[')) {
    const Result<JsonDocument> document =
        JsonDocument::parse(std::string(bytes), {.depth_max = kDocumentDepthMax, .nodes_max = kDocumentNodesMax});
    if (document) return tree_of(*document);
    const Result<YamlDocument> yaml = YamlDocument::parse(bytes, std::string(file), state_yaml_limits());
    if (is_only_json || !yaml) return fail(at_file(document.error(), file));
    StateTree tree;
    tree.root = state_value_of(yaml->root());
    return tree;
  }
  const Result<YamlDocument> document = YamlDocument::parse(bytes, std::string(file), state_yaml_limits());
  if (!document) return tree_of_lines(bytes, document.error());
  StateTree tree;
  tree.root = state_value_of(document->root());
  find_last_line(bytes, tree);
  return tree;
}

std::string why_cut_off(const StateTree& tree, const std::vector<Oddity>& oddities) {
  // Keys that people leave empty at the end of a file.
  static constexpr std::array<std::string_view, 6> kMayBeEmpty = {"gate_verdicts", "bug_verification", "notes",
                                                                  "artifacts",     "decisions",        "context"};
  if (tree.damaged || tree.last_line == 0) return "";
  std::string_view last = tree.last_text;
  if (last.starts_with("- ")) last = trim(last.substr(2));
  const bool is_open = last.ends_with(':') || last == "-";
  const bool is_spared =
      !tree.is_cut_in_line && std::ranges::find(kMayBeEmpty, normal_key(last)) != kMayBeEmpty.end();
  if (is_open && !is_spared) return "its last line has no value: " + printable_line(tree.last_text, 60);
  const bool is_odd = std::ranges::find(oddities, tree.last_line, &Oddity::line) != oddities.end();
  const bool is_cut = tree.is_cut_in_line && (is_odd || !is_whole_value(last.substr(last.rfind(": ") + 1)));
  return is_cut ? "its last line may not be whole: " + printable_line(tree.last_text, 60) : "";
}

Error not_such_a_state(const StateTree& tree, std::string_view what, std::string_view file) {
  return {.kind = tree.damaged ? ErrorKind::Corrupt : ErrorKind::Invalid,
          .message = "is not " + std::string(what) + (tree.damaged ? ", and its syntax is broken" : ""),
          .file = std::string(file),
          .line = tree.damaged_line};
}

}  // namespace reprise
