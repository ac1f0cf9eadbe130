// What a person is asked to agree to before work goes on: the plan with who does what, where the state comes from
// and how much is to be asked. The same value for a run of ours and for work that was found, so that both are
// shown alike.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/resume_phases.h"
#include "app/scan.h"
#include "model/plan.h"
#include "model/run_state.h"
#include "model/workflow.h"

namespace reprise {

struct Proposal {
  Plan plan;
  std::string workflow;
  std::string subject;
  std::string system;             // "own" for the user's own workflows
  std::string source;             // the state file, or the journal and the definition
  std::vector<StepWork> phases;   // of plan.decisions, in their order
  Mode mode = Mode::Interactive;  // the work's own
  bool is_found = false;          // it is no run of ours yet
};

/// Returns what resuming something found would mean; `from` is a person's own resume point. Changes nothing.
Result<Proposal> propose_found(App& app, const Candidate& candidate, const std::string& from);

/// Returns the same for a run whose plan was made. `workflow` is the definition it goes on with.
Proposal propose_run(const RunState& state, const Workflow& workflow, Plan plan);

/// Returns the values by which paths in the definition of found work are resolved.
std::map<std::string, std::string> values_of_found(App& app, const Candidate& candidate, const Workflow& workflow);

/// One way out of a state that cannot be resumed as it is (OR-13). Each works when it is chosen.
struct WayOut {
  enum class Kind { Restart, From, CleanUp, Repair, Accept, Retry, Manual };
  Kind kind = Kind::Restart;
  std::string words;
  std::string command;  // the same, to be typed
  std::string target;   // the finding's code, or the step; "" if the way needs none
};

/// Returns the ways out of a plan that is blocked, the seed's three first; empty while another process holds it.
std::vector<WayOut> ways_out(const Proposal& proposal);

/// Whether the plan is blocked because somebody works on it now.
bool is_held(const Plan& plan);

}  // namespace reprise
