// Reads maps by the key table: what is unknown, missing or of the wrong shape becomes a Problem, and
// only what fits is handed on. So whoever takes a value may rely on its shape.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "formats/key_table.h"
#include "formats/problem.h"
#include "model/workflow.h"
#include "text/yaml.h"

namespace reprise {

/// One key of a map whose value has the shape that the table wants.
struct KnownEntry {
  const KeySpec* spec;
  YamlNode key;
  YamlNode value;
};

/// Returns the entries of `map` that are keys of `level` and fit; the others become problems, and so do
/// required keys that are missing (reported at `at`, the key that the map belongs to).
std::vector<KnownEntry> known_entries(const YamlNode& map, Level level, const YamlNode& at, Problems& problems);

/// Whether `value` has the shape of `key`; adds a problem if not.
bool fits(const YamlNode& value, const KeySpec& key, Problems& problems);

/// Returns `words` as a list for people: "a, b, c".
std::string listed(std::span<const std::string_view> words);
/// Returns ` (did you mean "x"?)`, or "" if nothing is close.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

// What a value of a shape holds; only for values that fit.
std::string text_in(const YamlNode& value);
std::vector<YamlNode> nodes_in(const YamlNode& value);  // a text itself, or the elements of a list
std::vector<std::string> texts_in(const YamlNode& value);
int whole_in(const YamlNode& value);
bool flag_in(const YamlNode& value);
double amount_in(const YamlNode& value);
Duration time_in(const YamlNode& value);
Command command_in(const YamlNode& value);

/// Reads the map of `limits:`, of a workflow or of the configuration.
Limits limits_in(const YamlNode& value, const YamlNode& at, Problems& problems);

/// Adds a problem for every name in an `env:` list that is no variable's name or never passes.
void check_env(const YamlNode& value, Problems& problems);

/// What a file may cost to read: the limits of model/limits.h.
YamlLimits document_limits();

}  // namespace reprise
