// The planner: snapshot in, plan out. Pure: no clock, no disk, no process.
//
// What always holds (planner_test.cc has one test per line):
//
//   D1  The same snapshot gives the same plan, byte for byte.
//   D2  Every step has exactly one decision (`run` if it never started).
//   D3  Every decision has a rule label and at least one piece of evidence, or says that there was none.
//   D4  With a blocking finding there is no resume point.
//   D5  What depends on something that runs again is not kept unverified.
//   D6  No decision jumps over a failed stage.
//
// There is no resume mode: starting, going on after a step and resuming after a crash ask the same
// planner. make_plan() looks at everything; while a run goes on, the executor applies the same rules to
// what an event touched.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/plan.h"
#include "model/run_snapshot.h"
#include "planner/graph.h"

namespace reprise {

/// The label of steps that nothing asks for: a condition that is not met, a loop that is satisfied.
inline constexpr std::string_view kNotNeededLabel = "WF-22 not needed";

/// The label of gates whose approval is never asked again, whatever became of what was approved.
inline constexpr std::string_view kApprovalHoldsLabel = "WF-37 approval holds";

/// Returns the plan for `snapshot` and leaves `graph` (made from the same definition and state) surveyed.
Plan make_plan(const RunSnapshot& snapshot, Graph& graph);

/// Returns the paths of all files that a plan for `state` depends on: recorded inputs, artifacts, what
/// gates show, baselines. These are what a snapshot must have looked at.
std::vector<std::string> files_of_interest(const RunState& state, const Graph& graph);

/// Returns the steps that were cut off, whose products' declared checks a snapshot should have made.
std::vector<int> cut_off_steps(const RunState& state, const Graph& graph);

/// Returns the steps that a resume from `from` (a stage or step path) would do again although they are
/// kept. Invalid if there is no such stage (with the names there are), or if it would jump over
/// something that is not done (D6).
Result<std::vector<StepPath>> steps_repeated_from(const std::string& from, const Plan& plan, const Graph& graph);

/// Adds the warning that `plan`, made after a person's own resume point was applied, does finished work again.
void warn_of_repeated_work(Plan& plan, const std::string& from);

/// Makes the command that goes on with `plan` keep a person's own resume point; nothing if there is none.
void keep_from_in_options(Plan& plan, const std::string& from);

/// Whether the step's attempt ended in a way that leaves only its resume rule to decide.
bool is_cut_off(const StepState& step);

}  // namespace reprise
