// Stored definitions: what reads is written again in one form, and that form reads the same.

#include "fuzz.h"
#include "model/workflow.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<Workflow> workflow = workflow_from_json(as_text(data, size));
  if (!workflow) {
    check(workflow.error().kind == ErrorKind::Corrupt);
    return 0;
  }
  const std::string json = to_json(*workflow);
  const Result<Workflow> back = workflow_from_json(json);
  check(back.has_value() && *back == *workflow && to_json(*back) == json);
  for (const Stage& stage : workflow->stages) work_digest(stage);
  return 0;
}
