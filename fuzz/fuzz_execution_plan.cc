// Execution plans: any bytes give a plan or one error, also where the YAML is broken. Stories of a plan have ids,
// and no two the same one.

#include <set>

#include "formats/execution_plan.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<ExecutionPlanClaims> plan = read_execution_plan(as_text(data, size), "p.yaml");
  if (!plan) {
    check(!plan.error().message.empty());
    return 0;
  }
  std::set<std::string> ids;
  for (const PlannedStory& story : plan->stories) check(ids.insert(story.id).second);
  check(!plan->damaged || !plan->oddities.empty());
  for (const PlannedWave& wave : plan->waves) check(wave.line >= 0);
  return 0;
}
