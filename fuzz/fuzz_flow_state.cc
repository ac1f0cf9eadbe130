// The state of a workflow, in YAML and JSON: any bytes give claims or one error. What is changed holds the change,
// and changing it again changes nothing.

#include "formats/flow_state.h"
#include "formats/flow_state_edit.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const Result<FlowClaims> before = read_flow_state(bytes, "f.yaml");
  FlowChange change;
  change.status = FlowStatus::Aborted;
  change.current_phase = "9";
  change.updated_at = Timestamp{1'772'352'000'000};
  change.steps = {{"draft: \"x\"", "completed", "a, b"}};
  const Result<std::string> after = change_flow_state(bytes, change);
  if (!before) {
    check(!before.error().message.empty() && !after);
    return 0;
  }
  if (!after) {
    check(!after.error().message.empty());
    return 0;
  }
  check(!before->damaged);
  const FlowClaims claims = read_flow_state(*after, "f.yaml").value();
  check(claims.dialect == before->dialect && claims.current_phase == "9");
  check(claims.updated_at->time == *change.updated_at);
  check(change_flow_state(*after, change).value() == *after);
  return 0;
}
