// A state file in YAML or JSON as one tree with lines, so that what is claimed is read the same way from both.
//
// What always holds:
//
//   Keys and values are text: 2.10 is not 2.1. Keys are found whatever their spelling (`storyId`, `story_id`).
//   JSON that is not whole is Corrupt with its place. YAML that is broken is read line by line as far as that goes
//   (yaml_lines.h); the tree then says that it is damaged, and in which line the syntax breaks.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/playbook.h"
#include "text/yaml.h"

namespace reprise {

struct StateEntry;

struct StateValue {
  enum class Kind { Nothing, Text, List, Map };
  Kind kind = Kind::Nothing;
  std::string text;  // of Text, decoded
  int line = 0;
  std::vector<StateValue> elements;  // of a List
  std::vector<StateEntry> entries;   // of a Map, in the file's order

  bool is_map() const { return kind == Kind::Map; }
  bool is_list() const { return kind == Kind::List; }
  /// Returns the entry of a map with this key in the form of normal_key(); the last one if there are several, null
  /// if there is none.
  const StateEntry* find_entry(std::string_view name) const;
  /// Returns the value of the first of `names` that is there and holds something; null if none does.
  const StateValue* find(std::initializer_list<std::string_view> names) const;
  const StateValue* find(std::string_view name) const { return find({name}); }
};

struct StateEntry {
  std::string key;  // as written, decoded
  int line = 0;
  StateValue value;
};

struct StateTree {
  StateValue root;
  bool is_json = false;
  bool damaged = false;  // YAML that is broken: this is what its lines give
  int damaged_line = 0;
  std::string last_text;         // of YAML in lines: the last one that is no comment and not empty
  int last_line = 0;             // its number; 0 for JSON and for braces, which end where they are whole
  bool is_cut_in_line = false;   // no line end follows it
  std::vector<Oddity> oddities;  // the broken syntax, lines that gave nothing, repeated keys
};

/// What a state file may cost to read.
YamlLimits state_yaml_limits();

/// What a file may be. Braces are YAML too: where both are allowed, what is no JSON may still be that.
enum class StateSyntax { YamlOrJson, Json };

/// Reads a file. Corrupt: empty, too large, not text, or JSON that is not one whole value. `file` is for messages
/// only.
Result<StateTree> read_state_tree(std::string_view bytes, std::string_view file,
                                  StateSyntax syntax = StateSyntax::YamlOrJson);

/// Returns a node of a YAML document as such a value.
StateValue state_value_of(const YamlNode& node);

/// Returns why YAML that has no error in it was probably not written to its end: a key without a value as its last
/// words, or a last line that is not whole and that `oddities` could make nothing of. "" if nothing says so.
std::string why_cut_off(const StateTree& tree, const std::vector<Oddity>& oddities);

/// Returns the error for a file that is something else than `what`: "is not an epic state". Invalid if the file is
/// sound, so that it can be listed as foreign; Corrupt, with the line, if its syntax is broken.
Error not_such_a_state(const StateTree& tree, std::string_view what, std::string_view file);

}  // namespace reprise
