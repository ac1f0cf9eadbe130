#include "formats/key_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/strings.h"
#include "formats/value_names.h"
#include "model/ids.h"
#include "model/limits.h"

namespace reprise {
namespace {

std::string offending(const YamlNode& value) {
  switch (value.kind()) {
    case YamlKind::Null: return "nothing";
    case YamlKind::Scalar: return quoted(value.text());
    case YamlKind::Sequence: return "a list";
    case YamlKind::Map: return "a map";
  }
  return "";
}

bool is_plain(const YamlNode& value) { return value.is_scalar() && !value.is_quoted(); }
bool is_text(const YamlNode& value) { return value.is_scalar() && !value.text().empty(); }

bool is_flag(const YamlNode& value) {
  return is_plain(value) && (value.text() == "true" || value.text() == "false");
}

bool is_list_of_text(const YamlNode& value) {
  return value.is_sequence() && std::ranges::all_of(value.elements(), is_text);
}

bool is_argv(const YamlNode& value) {
  const std::vector<YamlNode> elements = value.elements();
  return !elements.empty() && is_text(elements[0]) &&
         std::ranges::all_of(elements, [](const YamlNode& element) { return element.is_scalar(); });
}

std::optional<double> amount_of(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(number) || number < 0) return std::nullopt;
  return number;
}

bool says_one_of(const YamlNode& value, std::span<const std::string_view> words) {
  return value.is_scalar() && std::ranges::find(words, value.text()) != words.end();
}

bool is_whole(const YamlNode& value, const KeySpec& key) {
  if (!is_plain(value)) return false;
  const std::optional<long long> number = parse_number(value.text(), key.max);
  return number && *number >= key.min;
}

bool is_items(const YamlNode& value) {
  if (value.is_sequence()) return !value.elements().empty() && is_list_of_text(value);
  const std::string_view text = value.text();
  return text.size() > 2 && text.front() == '{' && text.back() == '}' &&
         is_identifier(text.substr(1, text.size() - 2));
}

bool is_products(const YamlNode& value) {
  return is_text(value) || (value.is_sequence() && std::ranges::all_of(value.elements(), [](const YamlNode& node) {
                              return is_text(node) || node.is_map();
                            }));
}

bool has_shape(const YamlNode& value, const KeySpec& key) {
  switch (key.shape) {
    case Shape::Text: return is_text(value);
    case Shape::Value: return value.is_scalar();
    case Shape::Name: return value.is_scalar() && is_run_name(value.text());
    case Shape::ValueName: return value.is_scalar() && is_identifier(value.text());
    case Shape::Whole: return is_whole(value, key);
    case Shape::Amount: return is_plain(value) && amount_of(value.text()).has_value();
    case Shape::Flag: return is_flag(value);
    case Shape::Always: return is_plain(value) && value.text() == "true";
    case Shape::Time: return value.is_scalar() && parse_duration(value.text()).has_value();
    case Shape::Texts: return is_text(value) || is_list_of_text(value);
    case Shape::Argv: return is_argv(value);
    case Shape::Command: return is_text(value) || is_argv(value);
    case Shape::ResumeRule: return says_one_of(value, kResumeWords);
    case Shape::PublishRule: return says_one_of(value, kPublishWords);
    case Shape::GateOrText: return value.is_map() || (is_text(value) && !is_flag(value));
    case Shape::Items: return is_items(value);
    case Shape::Products: return is_products(value);
    case Shape::Object:
    case Shape::Roles:
    case Shape::Inputs:
    case Shape::Values:
    case Shape::When:
    case Shape::Stages: return value.is_map();
  }
  return false;
}

std::string allowed_for(const KeySpec& key) {
  switch (key.shape) {
    case Shape::Text: return "a text that is not empty";
    case Shape::Value: return "a text";
    case Shape::Name: return "1 to 64 of A-Z a-z 0-9 . _ -, not beginning with -";
    case Shape::ValueName: return "a letter or _, then letters, digits and _";
    case Shape::Whole: return "a whole number from " + std::to_string(key.min) + " to " + std::to_string(key.max);
    case Shape::Amount: return "a number that is not negative";
    case Shape::Flag: return "true, false";
    case Shape::Always: return "true: this is always checked";
    case Shape::Time: return "a time such as 90s, 20m, 6h, 2d, 500ms";
    case Shape::Texts: return "a text, or a list of texts";
    case Shape::Argv: return "a list: the program and its arguments";
    case Shape::Command: return "a shell line, or a list: the program and its arguments";
    case Shape::ResumeRule: return listed(kResumeWords);
    case Shape::PublishRule: return listed(kPublishWords);
    case Shape::GateOrText: return "the question, or a map with ask and shows, such as gate: \"Is it ready?\"";
    case Shape::Items: return "a list of texts that is not empty, or \"{name}\", such as in: [web, api]";
    case Shape::Products:
      return "a list of paths, or of maps with path and complete, such as produces: [report.md]";
    case Shape::Roles: return "a map from roles to workers, such as roles: {review: {run: [./review.sh]}}";
    case Shape::Inputs: return "a map from names to defaults, such as inputs: {branch: main}";
    case Shape::Values: return "a map from names to values, such as with: {branch: main}";
    case Shape::When: return "a map from names to values, such as when: {review: pass}";
    case Shape::Stages: return "a map from names to stages, such as stages: {build: {run: make}}";
    case Shape::Object: break;
  }
  std::vector<std::string_view> names;
  for (const KeySpec& inner : keys_of(key.inner)) names.push_back(inner.name);
  return "a map with " + listed(names);
}

std::vector<std::string_view> names_of(Level level) {
  std::vector<std::string_view> names;
  for (const KeySpec& key : keys_of(level)) names.push_back(key.name);
  return names;
}

void report_missing(const std::vector<KnownEntry>& found, const YamlNode& map, Level level, const YamlNode& at,
                    Problems& problems) {
  for (const KeySpec& key : keys_of(level)) {
    if (!key.required) continue;
    // A key that is there with a wrong value was reported already.
    const bool is_there =
        std::ranges::any_of(found, [&](const KnownEntry& entry) { return entry.spec == &key; }) ||
        std::ranges::any_of(map.entries(),
                            [&](const YamlNode::Entry& entry) { return entry.key.text() == key.name; });
    if (!is_there) problems.add(at, "a key is missing: " + quoted(key.name), allowed_for(key));
  }
}

}  // namespace

std::vector<KnownEntry> known_entries(const YamlNode& map, Level level, const YamlNode& at, Problems& problems) {
  std::vector<KnownEntry> known;
  for (const YamlNode::Entry& entry : map.entries()) {
    const KeySpec* spec = find_key(level, entry.key.text());
    if (spec == nullptr) {
      if (problems.is_full()) continue;
      const std::vector<std::string_view> names = names_of(level);
      const std::string meant = suggestion(entry.key.text(), names);
      problems.add(entry.key, "unknown key: " + quoted(entry.key.text()) + meant,
                   meant.empty() ? listed(names) : "");
    } else if (fits(entry.value, *spec, problems)) {
      known.push_back({spec, entry.key, entry.value});
    }
  }
  report_missing(known, map, level, at, problems);
  return known;
}

bool fits(const YamlNode& value, const KeySpec& key, Problems& problems) {
  if (has_shape(value, key)) return true;
  problems.add(value, "wrong value for " + quoted(key.name) + ": " + offending(value), allowed_for(key));
  return false;
}

std::string listed(std::span<const std::string_view> words) {
  static constexpr std::size_t kListedMax = 30;
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kListedMax); ++i) {
    if (i > 0) out += ", ";
    out += printable_line(words[i], 80);
  }
  if (words.size() > kListedMax) out += ", and " + std::to_string(words.size() - kListedMax) + " more";
  return out;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  // Comparing with very many is slow, and a list of ten thousand names helps nobody.
  static constexpr std::size_t kComparedMax = 1'000;
  if (known.size() > kComparedMax || word.size() > 100) return {};
  const std::optional<std::string> meant = did_you_mean(word, known);
  return meant ? " (did you mean " + quoted(*meant) + "?)" : std::string();
}

std::string text_in(const YamlNode& value) { return std::string(value.text()); }

std::vector<YamlNode> nodes_in(const YamlNode& value) {
  return value.is_sequence() ? value.elements() : std::vector<YamlNode>{value};
}

std::vector<std::string> texts_in(const YamlNode& value) {
  if (value.is_scalar()) return {text_in(value)};
  std::vector<std::string> texts;
  for (const YamlNode& node : value.elements()) texts.push_back(text_in(node));
  return texts;
}

bool flag_in(const YamlNode& value) { return value.text() == "true"; }

int whole_in(const YamlNode& value) {
  return static_cast<int>(parse_number(value.text(), std::numeric_limits<int>::max()).value_or(0));
}

double amount_in(const YamlNode& value) { return amount_of(value.text()).value_or(0); }
Duration time_in(const YamlNode& value) { return parse_duration(value.text()).value_or(Duration(0)); }

Command command_in(const YamlNode& value) {
  Command command;
  if (value.is_scalar()) {
    command.line = text_in(value);
  } else {
    command.argv = texts_in(value);
  }
  return command;
}

Limits limits_in(const YamlNode& value, const YamlNode& at, Problems& problems) {
  Limits limits;
  for (const KnownEntry& entry : known_entries(value, Level::Limits, at, problems)) {
    if (entry.spec->name == "parallel") limits.parallel = whole_in(entry.value);
    if (entry.spec->name == "output_mb") limits.output_mb = whole_in(entry.value);
    if (entry.spec->name == "cost_usd") limits.cost_usd = amount_in(entry.value);
  }
  return limits;
}

void check_env(const YamlNode& value, Problems& problems) {
  for (const YamlNode& name : nodes_in(value)) {
    if (!is_identifier(name.text())) {
      problems.add(name, "not the name of an environment variable: " + quoted(name.text()),
                   "a letter or _, then letters, digits and _; names only, never values");
    } else if (never_passes(name.text())) {
      problems.add(name, "a variable that is never passed on: " + quoted(name.text()),
                   "any but those of loaders and interpreters and REPRISE_…");
    }
  }
}

YamlLimits document_limits() {
  return {.bytes = kDocumentBytesMax,
          .nodes = kDocumentNodesMax,
          .string_bytes = kStringBytesMax,
          .depth = kDocumentDepthMax};
}

}  // namespace reprise
