// prepare(): the only way to a plan.
//
// From what is recorded of a run and what is seen now it makes the plan, and records on the way what the plan is
// based on: edits of the state file, changes in the files beside the journal, the judgement of the system that the
// run belongs to, and the resume point that a person chose. A session's recorder puts these events into the
// journal; a preview's applies them to a state in memory and discards them. Nothing else differs, so the plan that
// is shown is the plan that is carried out, for runs and for external work that is adopted in memory.
//
//   Q1  prepare() changes no file and starts nothing. What it records is its caller's to keep or to discard.
//   Q2  The same state and the same world give the same events and the same plan.

#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "executor/attempt.h"
#include "executor/edit_import.h"
#include "executor/look.h"
#include "executor/native_state.h"
#include "executor/run_records.h"
#include "executor/state_file.h"
#include "model/plan.h"
#include "planner/graph.h"

namespace reprise {

class Clock;

/// What a plan is made with; all of it must outlive the call.
struct PrepareRequest {
  const RunState& state;  // changes only through `record`
  Graph& graph;           // of `workflow` and `state`
  const Workflow& workflow;
  const std::string& definition;  // digest of `workflow` as stored
  Attempts& attempts;
  Clock& clock;
  StateFile* state_file = nullptr;  // null: no state file shows the run
  NativeState* native = nullptr;    // null: a workflow of the user
  RunRecords* records = nullptr;    // null: no files beside the journal
  SightOf sight;
  RecordEvent record;
  std::function<Result<void>()> settle;  // finds out what became of open attempts; a preview only looks at them
  std::function<Result<void>()> import_edits;  // of the state file
  std::string actor;
  bool is_final_when_failed = false;  // by the rules of the system a failed run stays as it is
  bool is_for_decision = false;  // somebody decides about the run: it is not reopened, and of work that may not
                                 // be resumed nothing is recorded
};

struct Prepared {
  Plan plan;
  std::optional<StepPath> ask_first;  // a gate that has to be decided before anything starts
};

/// Prepares a resume of the run from `from`, a person's own resume point; "" for the one that the rules find.
Result<Prepared> prepare(const PrepareRequest& with, const std::string& from);

/// Imports what others wrote into the files beside the journal. True: tasks were added or changed.
Result<bool> import_changes(const PrepareRequest& with);

/// Makes the plan again from what is recorded by now: while a run works, after a step was reset.
Result<Plan> plan_again(const PrepareRequest& with);

}  // namespace reprise
