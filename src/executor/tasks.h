// The run's list of tasks: what workers put on it, and what a worker is told of the task that it is given.
//
// A task is put on the list once: one that a worker names again, because its step ran again, is the one that is
// there (TP-23). Every worker gets the whole of it, and of the permanent task that says what all of it is about
// (TP-09). Pure.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/worker_result.h"
#include "model/event.h"
#include "model/run_state.h"

namespace reprise {

/// How the subject of the task begins that says what the whole is about.
inline constexpr std::string_view kPermanentPrefix = "[PERMANENT]";

/// Returns the events that put the tasks of a result on the list. A task without a phase belongs to that of
/// `step`, the first part of its path; names that tasks give each other within the result become ids of the list.
std::vector<Event> events_of_tasks(const WorkerResult& result, const StepPath& step, const RunState& state,
                                   const std::string& by);

/// How the reason of a step goes on whose task was completed, and is verified before anything stands on it.
inline constexpr std::string_view kVerifyFirst = "; verify it before it is done again";

/// Returns the id that the next task gets.
std::string next_task_id(const RunState& state);

/// Returns the change that makes a task of the list what it is now; its fields may then be set.
TaskChanged change_of(const std::string& id, const TaskState& task);

/// Returns the permanent task; null if the list has none. Of several the first that is not marked as a duplicate.
const TaskState* permanent_task(const RunState& state);

/// Returns what a worker is told of the permanent task; "" if there is none.
std::string background_of(const RunState& state);

/// What a task's metadata tells the worker that it is given to.
struct TaskHints {
  std::string agent;                 // that is to do it; "" if it names none
  std::vector<std::string> files;    // that it works on
  std::vector<std::string> outputs;  // files that it says it has left
  std::vector<std::string> results;  // what it left in words; may name a file
};
TaskHints hints_of(const TaskState& task);

}  // namespace reprise
