// Everything a plan is made from, frozen at one time: the run's recorded state, the definition, and
// what was seen in the world. The planner gets this and nothing else.

#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "base/time.h"
#include "model/ids.h"
#include "model/run_state.h"
#include "model/workflow.h"

namespace reprise {

/// What is seen now of an attempt that has no outcome in the journal.
enum class Sight { Gone, Running, Ended };

/// The declared checks of a step's products, made now.
struct ProductsSeen {
  bool declared = false;    // every product has a check beyond "not empty"
  bool complete = false;    // and all of them pass, on content that the cut-off attempt wrote
  std::string explanation;  // the check that fails, or the ones that pass
};

struct RunSnapshot {
  const RunState* state = nullptr;
  const Workflow* workflow = nullptr;
  Timestamp now;
  Timestamp last_activity;                              // of the run, before this was looked at
  std::unordered_map<std::string, SeenFile> files;      // by path: how it looks now; absent: not looked at
  std::unordered_map<StepPath, Sight> sights;           // of open attempts
  std::unordered_map<StepPath, ProductsSeen> products;  // of steps that were cut off
  std::string checkout;                                 // where this is, as RunState says it
  std::string checkout_then;                            // the folder of the newest session, absolute
  std::string branch;                                   // that is checked out, as RunState says it
  bool has_branch_then = false;                         // if that is another one: the run's still exists
  std::string definition_changed;                       // names of the stages whose work changed, "" if none
};

}  // namespace reprise
