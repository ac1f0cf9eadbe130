// Shared by the tests of the workflow format: loads a text, with other workflows in memory.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "formats/workflow_file.h"

namespace reprise {

inline WorkflowResolver resolver_of(std::map<std::string, std::string> others) {
  return [others = std::move(others)](const std::string& name) -> Result<WorkflowSource> {
    const auto found = others.find(name);
    if (found == others.end()) return fail(ErrorKind::NotFound, "there is no such workflow");
    return WorkflowSource{.file = name + ".yaml", .bytes = found->second};
  };
}

inline std::expected<LoadedWorkflow, std::vector<Problem>> load(std::string_view bytes,
                                                                std::map<std::string, std::string> others = {}) {
  return load_workflow(bytes, "w.yaml", resolver_of(std::move(others)));
}

/// Returns all problems as text, one per line; "" if it loads.
inline std::string problems_of(std::string_view bytes, std::map<std::string, std::string> others = {}) {
  const std::expected<LoadedWorkflow, std::vector<Problem>> loaded = load(bytes, std::move(others));
  std::string out;
  if (!loaded) {
    for (const Problem& problem : loaded.error()) out += to_text(problem) + "\n";
  }
  return out;
}

}  // namespace reprise
