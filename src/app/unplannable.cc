#include "app/unplannable.h"

#include "app/lane_look.h"
#include "app/orchestrator_system.h"
#include "app/spec_loop_look.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_system.h"
#include "base/strings.h"
#include "model/limits.h"
#include "planner/lane_rules.h"
#include "planner/orchestrator_rules.h"
#include "planner/spec_loop_rules.h"
#include "planner/task_rules.h"

namespace reprise {
namespace {

// Which requirement a state file that cannot be read touches.
std::string_view rule_for_damage(std::string_view system) {
  if (system == "spec-loop") return "SL-09";
  if (system == kLanesWorkflow) return "LN-01";
  if (system == kTaskPipeline) return "TP-20";
  if (system == kOrchestrator) return "OR-14";
  return "PB-01";
}

Plan plan_of_damaged(const Candidate& candidate) {
  Plan plan;
  plan.id = candidate.id;
  plan.source_file = candidate.state_file;
  plan.age = candidate.age;
  plan.readiness = Readiness::Blocked;
  plan.findings.push_back({.rule = std::string(rule_for_damage(candidate.system)),
                           .code = "damaged",
                           .severity = Severity::Blocking,
                           .message = candidate.why});
  plan.options.push_back({"manual", "${EDITOR:-vi} " + shell_quote(candidate.state_file)});
  plan.options.push_back({"fresh", "reprise fresh " + shell_quote(candidate.id.shown())});
  return plan;
}

}  // namespace

Result<std::optional<Plan>> plan_of_unplannable(App& app, const Candidate& candidate) {
  if (candidate.system == kTaskPipeline) {
    const TaskSnapshot seen = TRY(look_at_found_list(app, candidate));
    if (!candidate.damaged && seen.claims.permanent) return std::nullopt;
    return plan_task_pipeline(seen);
  }
  if (!candidate.damaged) return std::nullopt;
  if (candidate.system == kOrchestrator)
    return plan_orchestrator(TRY(look_at_found_orchestrator(app, candidate))).plan;
  return plan_of_damaged(candidate);
}

Result<std::optional<Plan>> plan_by_rules_alone(App& app, const Candidate& candidate, const std::string& from) {
  if (candidate.damaged) return std::nullopt;
  if (candidate.system == kLanesWorkflow) return plan_lane_found(TRY(look_at_found_lane(app, candidate)));
  if (candidate.system == kTaskPipeline) {
    TaskSnapshot seen = TRY(look_at_found_list(app, candidate));
    seen.from = from;
    return plan_task_pipeline(seen);
  }
  if (candidate.system == kOrchestrator) {
    OrchestratorSnapshot seen = TRY(look_at_found_orchestrator(app, candidate));
    seen.from = from;
    return plan_orchestrator(seen).plan;
  }
  if (candidate.system != "spec-loop") return std::nullopt;
  const std::string bytes = TRY(app.files.read(app.project / candidate.state_file, kDocumentBytesMax));
  return plan_spec_loop(TRY(look_at_spec_loop(app, candidate.subject, candidate.state_file, bytes)));
}

}  // namespace reprise
