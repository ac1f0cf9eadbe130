#include "text/yaml_value.h"

#include <algorithm>
#include <array>

#include "base/chars.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::array<std::string_view, 12> kLiterals = {"null", "~",   "true", "false", "yes",  "no",
                                                        "on",   "off", "y",    "n",     ".inf", ".nan"};

// What a number or a date can be made of. Too much rather than too little: quotes do no harm.
bool looks_like_number(std::string_view text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() <= sign || !(is_digit(text[sign]) || text[sign] == '.')) return false;
  return std::ranges::all_of(text.substr(sign), [](char c) {
    return is_digit(c) || std::string_view(".eE+-_:xXabcdfABCDFoTZ ").find(c) != std::string_view::npos;
  });
}

// Whether the text can stand without quotes and is read as it is.
bool can_be_plain(std::string_view text, bool in_flow) {
  if (text.empty() || text.ends_with(' ') || text.ends_with(':') || text.starts_with("...")) return false;
  const char first = text[0];
  const bool begins_well = is_letter(first) || is_digit(first) || first == '_' || first == '/' || first == '.' ||
                           (first == '~' && text.size() == 1) || static_cast<unsigned char>(first) >= 0x80;
  if (!begins_well) return false;
  const auto is_bad = [&](char c) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    return is_control || (in_flow && std::string_view(",[]{}?").find(c) != std::string_view::npos);
  };
  return std::ranges::none_of(text, is_bad) && text.find(": ") == std::string_view::npos &&
         text.find(" #") == std::string_view::npos;
}

std::string in_double_quotes(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + '\'';
}

std::string in_quotes(std::string_view text, char quote) {
  const bool is_one_line = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return quote == '\'' && is_one_line ? in_single_quotes(text) : in_double_quotes(text);
}

// What JSON takes without quotes.
bool is_json_literal(std::string_view text) {
  if (text == "null" || text == "true" || text == "false") return true;
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  return !digits.empty() && std::ranges::all_of(digits, is_digit) && (digits.size() == 1 || digits[0] != '0');
}

}  // namespace

YamlValue yaml_text(std::string_view text) {
  YamlValue value;
  value.kind = YamlValue::Kind::Text;
  value.text = text;
  return value;
}
YamlValue yaml_word(std::string_view text) {
  YamlValue value;
  value.text = text;
  return value;
}
YamlValue yaml_map(std::vector<YamlField> entries) {
  YamlValue value;
  value.kind = YamlValue::Kind::Map;
  value.entries = std::move(entries);
  return value;
}
YamlValue yaml_list(std::vector<YamlValue> elements) {
  YamlValue value;
  value.kind = YamlValue::Kind::List;
  value.elements = std::move(elements);
  return value;
}

bool is_yaml_literal(std::string_view text) {
  const std::string word = to_lower(text);
  return std::ranges::find(kLiterals, word) != kLiterals.end() || looks_like_number(text);
}

std::string spelled(const YamlValue& scalar, const YamlSpelling& spelling) {
  const bool is_word = scalar.kind == YamlValue::Kind::Word;
  if (scalar.is_null()) return "null";
  if (spelling.is_json)
    return is_word && is_json_literal(scalar.text) ? scalar.text : in_double_quotes(scalar.text);
  if (spelling.quote != 0) return in_quotes(scalar.text, spelling.quote);
  // A plain value that was there, a time for instance, stays plain.
  const bool stays_plain = is_word || !spelling.is_new;
  if (stays_plain && can_be_plain(scalar.text, spelling.in_flow)) return scalar.text;
  return in_double_quotes(scalar.text);
}

std::string spelled_key(std::string_view key, const YamlSpelling& spelling) {
  if (spelling.is_json) return in_double_quotes(key);
  const bool is_whole_number = !key.empty() && std::ranges::all_of(key, is_digit);
  if (spelling.quote != 0) return in_quotes(key, spelling.quote);
  const bool is_plain = can_be_plain(key, true) && (is_whole_number || !is_yaml_literal(key));
  return is_plain ? std::string(key) : in_double_quotes(key);
}

std::string flow_text(const YamlValue& value, const YamlSpelling& spelling, bool padded) {
  YamlSpelling inner = spelling;
  inner.in_flow = true;
  inner.is_new = true;
  if (value.is_scalar()) {
    inner.quote = 0;
    return spelled(value, inner);
  }
  const bool is_map = value.kind == YamlValue::Kind::Map;
  std::vector<std::string> parts;
  for (const YamlField& field : value.entries) {
    parts.push_back(spelled_key(field.key, inner) + ": " + flow_text(field.value, inner, padded));
  }
  for (const YamlValue& element : value.elements) parts.push_back(flow_text(element, inner, padded));
  const std::string pad = padded && is_map && !parts.empty() ? " " : "";
  return (is_map ? "{" : "[") + pad + join(parts, ", ") + pad + (is_map ? "}" : "]");
}

std::string block_text(const YamlValue& value, const YamlLayout& layout) {
  if (value.is_scalar()) return " " + spelled(value, {});
  if (value.kind == YamlValue::Kind::List || value.entries.empty()) return " " + flow_text(value, {}, true);
  YamlLayout inner = layout;
  inner.indent += layout.unit;
  std::string out;
  for (const YamlField& field : value.entries) {
    out += std::string(layout.newline) + std::string(inner.indent, ' ') + spelled_key(field.key, {}) + ":" +
           block_text(field.value, inner);
  }
  return out;
}

std::string yaml_file(const YamlValue& map) {
  std::string out;
  for (const YamlField& field : map.entries)
    out += spelled_key(field.key, {}) + ":" + block_text(field.value, {}) + "\n";
  return out;
}

}  // namespace reprise
