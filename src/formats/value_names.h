// Names of values, and the places in a text where a value is put.

#pragma once

#include <string_view>
#include <vector>

namespace reprise {

/// Whether `text` can name a value: a letter or "_", then letters, digits and "_", 64 at most.
bool is_identifier(std::string_view text);

/// Whether `name` may not be given to a value, because a worker would see it as an environment variable
/// that changes how programs are found, loaded or run, or because it is a value of our own.
bool is_reserved_value_name(std::string_view name);

/// Whether an `env:` list may not pass `name` on: variables of loaders and interpreters, and our own.
bool never_passes(std::string_view name);

/// Returns the names in "{name}" of `text`, each time they occur. "{{name}}" is no place for a value.
std::vector<std::string_view> placeholders_in(std::string_view text);

}  // namespace reprise
