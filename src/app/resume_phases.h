// Who does each phase of a plan, with what, and what comes of it: what the seed wants a person to be shown beside
// the decisions (OR-08, OR-10). Taken from the definition; the plan itself knows only steps.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/plan.h"
#include "model/workflow.h"

namespace reprise {

/// What the definition says of one phase.
struct StepWork {
  std::string agent;                 // the role that does it, without "@"; "" if it is a command or a gate
  std::string command;               // the first line of what is run; "" if a worker does it
  std::vector<std::string> inputs;   // paths: its own, and what the stages before it made
  std::vector<std::string> context;  // paths among them that it is shown if they are there, and does without
  std::vector<std::string> outputs;  // paths
  std::vector<std::string> needs;    // paths of what has to be done before it
};

/// Returns what the definition says of each decision of `plan`, in their order: its stage is found by the path of
/// the step, else by the stage's name. `values` are the run's, "subject" among them; a
/// name without a value is shown as it is written.
std::vector<StepWork> phases_of(const Workflow& workflow, const Plan& plan,
                                const std::map<std::string, std::string>& values);

}  // namespace reprise
