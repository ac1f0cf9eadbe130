// Phase plans: any bytes give a sound plan or problems, and a sound plan is a workflow that can be stored.

#include "formats/lane_plan.h"
#include "formats/lane_workflow.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const auto plan = read_phase_plan(bytes, "p.md");
  if (!plan) {
    check(!plan.error().empty());
    for (const Problem& problem : plan.error()) check(!problem.message.empty());
    return 0;
  }
  check(is_phase_plan(bytes) && is_lane_name(plan->phase) && !plan->lanes.empty());
  for (const PlanLane& lane : plan->lanes) {
    check(is_lane_name(lane.id) && !lane.tasks.empty());
    for (const std::string& need : lane.needs) check(plan->find_lane(need) != nullptr && need != lane.id);
    for (const LaneTask& task : lane.tasks) check(is_lane_name(task.id) && is_lane_name(task.type));
  }
  const Workflow workflow = lanes_workflow(*plan, {.base = "main", .publish = "merge"}).value();
  std::size_t lanes = 0;
  for (const Stage& stage : workflow.stages) {
    if (!stage.lane) continue;
    ++lanes;
    check(!stage.stages[stage.stages.size() - 2].command.empty());
  }
  check(lanes == plan->lanes.size());
  check(workflow_from_json(to_json(workflow)).value() == workflow);
  const Workflow one = lanes_workflow(*plan, {.lane = plan->lanes.back().id}).value();
  check(one.stages.back().name == plan->lanes.back().id);
  return 0;
}
