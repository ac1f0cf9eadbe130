// Plans of what might be: the plan that a resume would make if something were otherwise.
//
// Nothing is changed and nothing executed for it. What a person would decide (approve, answer) and what would be
// gone or begin elsewhere (drop, base) is applied to the run's state in memory; files are pretended
// (os/pretended_files.h). The plan is then made by the same rules as any other.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/plan_differences.h"
#include "app/systems.h"
#include "model/plan.h"

namespace reprise {

struct WhatIf {
  std::vector<std::string> changes;     // as they were given
  Plan plan;                            // under these changes
  std::vector<PlanDifference> differs;  // from the plan as it is
};

/// Returns the plan for what is meant under `changes`, each one of
///   drop=STAGE            as if that stage's result were gone
///   answer=QUESTION:TEXT  as if the question had been answered so
///   approve=GATE          as if the gate had been passed
///   base=COMMIT           as if the lanes had to start from another commit
///   file=PATH             as if that file had been edited
///   file=PATH:OTHER       as if it had the content of OTHER
/// Invalid or NotFound, with changes that would make sense as hints, for one that does not.
Result<WhatIf> what_if(App& app, Journal* journal, const Meant& meant, const std::string& from,
                       const std::vector<std::string>& changes);

/// Returns the plan's document with "what_if" and "differs".
std::string what_if_document(const WhatIf& result);

}  // namespace reprise
