// The workflow format that people write (docs/workflows.md): text to definition.
//
// Whatever is accepted here is sound: names are known, order has no circle, limits hold, every value
// that is put into a command exists. `uses:` is resolved, so the definition needs no other file.

#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/problem.h"
#include "model/workflow.h"

namespace reprise {

/// A workflow's file: its name for people, and its content.
struct WorkflowSource {
  std::string file;
  std::string bytes;
};

/// Finds the workflow that `uses: NAME` means. NotFound if there is none.
using WorkflowResolver = std::function<Result<WorkflowSource>(const std::string& name)>;

struct LoadedWorkflow {
  Workflow workflow;
  std::vector<std::string> used_files;  // files that `uses:` brought in, each once
};

/// Reads a workflow. All problems at once: those of the file in order of position, then those of the
/// files it uses. Time and memory are bounded by model/limits.h, whatever the bytes are.
std::expected<LoadedWorkflow, std::vector<Problem>> load_workflow(std::string_view bytes, const std::string& file,
                                                                  const WorkflowResolver& resolver);

}  // namespace reprise
