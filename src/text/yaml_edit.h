// Byte-exact changes of a YAML file: name a place by its keys, get the file with that place changed.
//
//   bytes = TRY(set_yaml(bytes, {"epic_state", "waves", "2", "status"}, yaml_word("completed"), limits));
//
// What always holds:
//
//   A change alters the bytes of what it is named after and no others (F2). Quotes, comments, line ends and a
//   missing line end at the end of the file stay.
//   What is added has the layout of its neighbours: indentation, quoted keys, braces and whether they are padded.
//   A value that already says the same is not written again: changing twice is changing once.
//   The result was read again: it holds the change, and every other value is what it was. Where that cannot be
//   had (a value over several lines, a key in an unusual form), nothing is changed: Unavailable.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/yaml.h"
#include "text/yaml_value.h"

namespace reprise {

/// One step down: into a map by a key as it stands in the file, decoded, or into a list by position.
struct YamlStep {
  YamlStep(std::string_view name) : key(name) {}
  YamlStep(const std::string& name) : key(name) {}
  YamlStep(const char* name) : key(name) {}
  static YamlStep at(std::size_t position) {
    YamlStep step("");
    step.element = position;
    return step;
  }
  std::string key;
  std::optional<std::size_t> element;
};
using YamlPath = std::vector<YamlStep>;

/// Sets what stands at `path`. Keys that are missing are added behind the last one of their map, with the maps
/// above them. A map is set field by field and keeps its other fields. Invalid: not YAML, a path through something
/// that is no map, or a list or map in place of a value. Unavailable: see above.
Result<std::string> set_yaml(std::string_view bytes, const YamlPath& path, const YamlValue& value,
                             const YamlLimits& limits);

/// Adds `element` behind the last one of the list at `path`; the list is made where there is nothing. Errors as
/// for set_yaml().
Result<std::string> append_yaml(std::string_view bytes, const YamlPath& path, const YamlValue& element,
                                const YamlLimits& limits);

}  // namespace reprise
