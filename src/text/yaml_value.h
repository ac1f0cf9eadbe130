// A value that is to be written into a YAML file, and how its scalars are spelled.
//
// What is written reads back as the same text with any YAML reader: a word that another reader would take for a
// number, a truth value or nothing is put in quotes, unless it is meant as one.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

struct YamlField;

struct YamlValue {
  enum class Kind {
    Text,  // in quotes where it is new
    Word,  // plain where it can be: a status, a number, null
    Map,
    List,
  };
  Kind kind = Kind::Word;
  std::string text;                 // of Text and Word
  std::vector<YamlField> entries;   // of a Map
  std::vector<YamlValue> elements;  // of a List

  bool is_scalar() const { return kind == Kind::Text || kind == Kind::Word; }
  /// Whether it is the word null: nothing.
  bool is_null() const { return kind == Kind::Word && text == "null"; }
};

struct YamlField {
  std::string key;
  YamlValue value;
};

YamlValue yaml_text(std::string_view text);
YamlValue yaml_word(std::string_view text);
YamlValue yaml_map(std::vector<YamlField> entries);
YamlValue yaml_list(std::vector<YamlValue> elements);

/// Whether `text` without quotes would be taken for something else than text: a number, true, no, null.
bool is_yaml_literal(std::string_view text);

/// Where a scalar is written.
struct YamlSpelling {
  char quote = 0;        // of what stood there or beside it: '"', '\'' or 0 for none
  bool is_new = true;    // nothing stood there
  bool in_flow = false;  // within braces or brackets
  bool is_json = false;  // the file is JSON: every text in double quotes
};

/// Returns the scalar as it is written there.
std::string spelled(const YamlValue& scalar, const YamlSpelling& spelling);
/// Returns the key as it is written there. One that looks like a number with a point is always quoted: another
/// reader takes 2.10 for 2.1.
std::string spelled_key(std::string_view key, const YamlSpelling& spelling);

/// Returns the value on one line, within braces and brackets where it has parts; `padded` as in "{ a: b }".
std::string flow_text(const YamlValue& value, const YamlSpelling& spelling, bool padded);

/// How lines are laid out.
struct YamlLayout {
  std::size_t indent = 0;  // of the key or dash that the value stands behind
  std::size_t unit = 2;    // of one level more
  std::string_view newline = "\n";
};

/// Returns what follows a key's colon: a scalar behind a space, the lines of a map, a list within brackets.
std::string block_text(const YamlValue& value, const YamlLayout& layout);

/// Returns a map as a whole file.
std::string yaml_file(const YamlValue& map);

}  // namespace reprise
