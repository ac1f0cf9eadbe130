// The orchestrator's resume as one pure function: from a snapshot to a plan (OR-02 to OR-08), and the summary that
// the seed wants people to be shown.
//
// What always holds, each with a test over generated snapshots:
//   D1  The same snapshot gives the same plan.
//   D2  Every phase or story has exactly one decision.
//   D3  Every decision has a rule and evidence.
//   D4  With a blocking finding there is no resume point.
//   D5  What depends on something that is not kept is not kept unverified.
//   D6  The resume point jumps over nothing but what waits for a person beside it.
//
// The rules of each workflow are in a file of their own (epic_rules.h, qa_loop_rules.h, story_cycle_rules.h,
// spec_pipeline_rules.h, flow_rules.h); what they share is in orchestrator_tables.h and orchestrator_conflicts.h.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/orchestrator_snapshot.h"
#include "model/plan.h"

namespace reprise {

/// A phase as the seed wants it shown: who does it, with what, and what comes of it.
struct PhaseSummary {
  std::string step;
  std::string agent;  // without "@"; "" if nothing says
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// What the seed lists as a resume plan, beside the decisions (OR-08).
struct ResumeSummary {
  OrchestratorKind kind = OrchestratorKind::Epic;
  std::string state_file;
  AgeClass age = AgeClass::Fresh;
  std::string_view advice = {};           // of the age, in the seed's words
  std::optional<PhaseSummary> last = {};  // the last phase that is completed
  std::optional<PhaseSummary> next = {};  // where it goes on; nothing if it does not
  std::string validation = {};            // "clean", "2 warnings", "1 conflict, 2 warnings"
  std::vector<std::string> remaining = {};
};

struct OrchestratorPlan {
  Plan plan;
  ResumeSummary summary;
};

/// Returns when the workflow was last active: the newest time that its state gives, at most `now`; without one,
/// the time of its file. Files and stories are compared with how they were then.
Timestamp last_activity(const OrchestratorSnapshot& snapshot);

/// Returns the plan for a workflow of the orchestrator.
OrchestratorPlan plan_orchestrator(const OrchestratorSnapshot& snapshot);

inline constexpr std::string_view kClosedLabel = "OR-16 unreadable";
inline constexpr std::string_view kDamagedLabel = "OR-14 damaged";
inline constexpr std::string_view kFromLabel = "OR-13 from";

}  // namespace reprise
