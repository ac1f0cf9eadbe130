// Workflows: what loads is stored and read back the same, and what does not has problems with positions.

#include "formats/workflow_file.h"
#include "formats/workflow_schema.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A file that uses itself under every name it likes.
  const std::string bytes(as_text(data, size));
  const WorkflowResolver resolver = [&](const std::string& name) -> Result<WorkflowSource> {
    if (name.size() > 1) return fail(ErrorKind::NotFound, "there is no such workflow");
    return WorkflowSource{.file = name, .bytes = bytes};
  };
  const std::expected<LoadedWorkflow, std::vector<Problem>> loaded = load_workflow(bytes, "f.yaml", resolver);
  if (loaded) {
    check(!loaded->workflow.stages.empty());
    const Result<Workflow> back = workflow_from_json(to_json(loaded->workflow));
    check(back.has_value() && *back == loaded->workflow);
  } else {
    check(!loaded.error().empty());
    for (const Problem& problem : loaded.error()) check(problem.line >= 1 && !to_text(problem).empty());
  }
  return 0;
}
