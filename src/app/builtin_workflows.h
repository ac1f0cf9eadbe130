// The workflow definitions that are part of the program: the files of workflows/, word for word.

#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace reprise {

struct BuiltinWorkflow {
  std::string_view name;
  std::string_view text;
};

/// Returns all of them, by name.
std::span<const BuiltinWorkflow> builtin_workflows();

/// Returns the one with this name; null if there is none.
inline const BuiltinWorkflow* find_builtin(std::string_view name) {
  const auto all = builtin_workflows();
  const auto found = std::ranges::find(all, name, &BuiltinWorkflow::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace reprise
