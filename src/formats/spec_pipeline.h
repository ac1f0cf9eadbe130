// What a spec pipeline leaves in its folder: requirements, complexity, research, spec.md and critique, each in
// JSON, YAML or Markdown, and its own state file. Read as claims, without touching the disk; the state file can be
// written.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/orchestrator.h"

namespace reprise {

/// The name of the state file.
inline constexpr std::string_view kSpecPipelineFile = ".pipeline-state.json";

/// Reads a folder, given by its files' names and bytes. An artifact that is empty, torn or still a template is not
/// there and is listed, with its name; so never fails. Files with other names are not looked at.
SpecPipelineClaims read_spec_pipeline(std::string_view name, const std::map<std::string, std::string>& files);

/// What the state file is to say. What is not given stays.
struct SpecPipelineChange {
  std::optional<std::string> state = {};  // requirements_gathered, complexity_assessed, …
  std::optional<std::string> complexity = {};
  std::optional<Timestamp> updated_at = {};
};

/// Returns the state file with the change made. The same twice is once. Invalid: it has no state. Corrupt: torn.
Result<std::string> change_spec_pipeline(std::string_view bytes, const SpecPipelineChange& change);

/// Returns a new state file.
std::string new_spec_pipeline(std::string_view name, std::string_view state, Timestamp now);

}  // namespace reprise
