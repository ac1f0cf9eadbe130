// Byte-exact changes of a state file, the same for YAML and JSON (text/yaml_edit.h, text/json_edit.h).
//
// Only sound files are changed: what is damaged is for a person, and for rebuilding. Every other byte stays (F2).

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/state_tree.h"
#include "text/yaml_edit.h"

namespace reprise {

class StateEditor {
 public:
  /// Corrupt if the file cannot be read or its syntax is broken.
  static Result<StateEditor> open(std::string_view bytes, std::string_view file,
                                  StateSyntax syntax = StateSyntax::YamlOrJson);

  /// The file as it is now, with the changes made so far.
  const StateTree& tree() const { return tree_; }
  const StateValue& root() const { return tree_.root; }
  bool is_json() const { return tree_.is_json; }
  const std::string& bytes() const { return bytes_; }

  /// Sets what stands at `path`; keys that are missing are added, a map is set field by field. Invalid or
  /// Unavailable if that cannot be done in place.
  Result<void> set(const YamlPath& path, const YamlValue& value);
  /// Adds an element to the list at `path`, which is made where there is none.
  Result<void> append(const YamlPath& path, const YamlValue& element);

 private:
  Result<void> take(Result<std::string> bytes);

  std::string bytes_;
  std::string file_;
  StateTree tree_;
};

/// Returns the key that a map has for the first of `names` that is there, as it is spelled; else `otherwise`.
std::string key_in(const StateValue& map, std::initializer_list<std::string_view> names,
                   std::string_view otherwise);
/// Returns `path` with one more step.
YamlPath below(YamlPath path, YamlStep step);

/// Returns a time as it is written: with milliseconds only where there are some.
YamlValue time_value(Timestamp time);

}  // namespace reprise
