// The names that may be used at a place in a workflow, and the checks of texts and paths that use them.

#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "formats/problem.h"
#include "text/yaml.h"

namespace reprise {

/// The names that a stage may refer to.
struct Scope {
  const std::unordered_set<std::string>* inputs = nullptr;
  std::vector<std::string> items;  // `as` of the enclosing stages
  bool in_repeat = false;
  int depth = 0;  // of the block: 1 for the workflow's own stages

  bool has_value(std::string_view name) const;    // inputs and items
  bool can_replace(std::string_view name) const;  // these and our own values
  std::vector<std::string_view> replaceable() const;
};

/// Adds a problem for every "{name}" in `text` that no value has.
void check_placeholders(const YamlNode& text, const Scope& scope, Problems& problems);

/// Adds a problem if `path` is not a path within the worker's directory or names an unknown value.
void check_path(const YamlNode& path, const Scope& scope, Problems& problems);

/// Adds a problem if `name` cannot be the name of a value.
void check_value_name(const YamlNode& name, Problems& problems);

}  // namespace reprise
