// Steering: what a person may do to a run, turned into events.
//
// The same function serves the process that owns the run (it gets a request) and a command that finds no
// owner (it takes the lease itself), so that both mean the same. It checks and decides; it records nothing.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "planner/graph.h"

namespace reprise {

/// One thing a person asks for. `kind`: approve, reject, answer, accept, cancel, skip, retry; or task, which a
/// worker may ask for too: `text` is a task_changed event, `target` "new" where the task must not be there yet.
struct Steer {
  std::string kind;
  std::string target;  // gate, question, finding code or step; "" where there is only one
  std::string text;    // the answer, or the reason
  std::string seen;    // a digest of what it is about, as the one who decides saw it; accept: of the finding
  std::string by;
};

std::string encode_steer(const Steer& steer);
Result<Steer> decode_steer(const std::string& kind, const std::string& body, const std::string& by);

/// Binds `steer` to what is on record: `target` becomes the whole name of the one thing that is meant, `seen` a
/// digest of that thing, unless it is set already. NotFound or Invalid as for events_for().
Result<Steer> bind_steer(Steer steer, const RunState& state, const Graph& graph);

/// Returns the digests that bind a decision to what was asked: the gate and what it shows, the question.
std::string seen_of(const StepPath& gate, const RunState& state);
std::string seen_of(const QuestionState& question);
/// The same for a task that is changed: what it was before.
std::string seen_of(const std::string& id, const TaskState& task);

/// Returns the events that `steer` means for the run. NotFound or Invalid, with what there is instead,
/// if it cannot be done; Conflict if what it is about is not what `steer.seen` says any more. `shown` is what the
/// gate in question shows now.
Result<std::vector<Event>> events_for(const Steer& steer, const RunState& state, const Graph& graph,
                                      const std::vector<SeenFile>& shown);

/// Returns the open gate that `target` means. A whole name means that gate and no other, whatever else is open; ""
/// means the only open one; the end of a name means a gate if no other one of the run was ever called that.
Result<StepPath> gate_meant(const std::string& target, const RunState& state, const Graph& graph);
/// The same where only gates that have been open are known.
Result<StepPath> gate_meant(const std::string& target, const RunState& state);

}  // namespace reprise
