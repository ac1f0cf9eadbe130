// A phase plan as a workflow: one block of stages per lane, each in a worktree and branch of its own.
//
//   SL-SCHEMA                       needs the lanes that its plan says it waits for
//     P1-SL-SCHEMA-01 … -10         one stage per task, in the tasks' own order; the role is the task's type
//     tests                         all test commands of the lane, after all tasks
//     publish                       only if something is to be published
//
// A gate that a lane waits for and that no lane of the plan provides is a stage of its own before it: a person
// says that it is frozen. One that is ticked in the plan is no stage any more. The same plan and options give the
// same workflow.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/lane_plan.h"
#include "model/workflow.h"

namespace reprise {

/// The stages of a lane that are not tasks of the plan.
inline constexpr std::string_view kLaneTestsStage = "tests";
inline constexpr std::string_view kLanePublishStage = "publish";

struct LaneOptions {
  std::string base;             // the branch that lanes start from; "": what is checked out
  std::string lane;             // only this one, whatever it waits for; "": all
  std::string publish;          // "merge", "pr" or "push"; "" or "none": nothing
  bool task_worktrees = false;  // every task in a worktree of its own, merged into its lane
};

/// Returns the workflow of a plan. NotFound, with the lanes there are, if there is no lane of that name; Invalid
/// for another word in `publish`.
Result<Workflow> lanes_workflow(const PhasePlan& plan, const LaneOptions& options);

/// Returns the phase of a workflow that lanes_workflow() made.
std::string phase_of(const Workflow& workflow);

/// Returns one shell line that runs the commands in order and stops at the first that fails. Each runs as if it
/// were alone: one that changes the folder or ends with a comment does not touch the next.
std::string joined_commands(std::span<const std::string> commands);

}  // namespace reprise
