// What is known of each work task once its claims are put beside what was seen: how it stands, in which phase it
// counts, and what of it is there, gone or changed. No decision is made here.
//
// A task counts in the last phase of the tier's way that is not later than its own; one without a phase counts in
// the phase that the pipeline is in. A file is stale for a task if it is neither as the task left it, by digest or
// else by time, nor as a task left it that completed later, nor as it was when it last passed verification.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/task_snapshot.h"
#include "planner/task_graph.h"
#include "planner/task_tables.h"

namespace reprise {

struct TaskFact {
  const TaskClaim* claim = nullptr;  // of the snapshot
  TaskWork work = TaskWork::Pending;
  TaskPhase phase = TaskPhase::P0;        // in which it counts
  bool is_off_path = false;               // its own phase is none of the tier's
  bool is_suspect = false;                // completed, and a blocker of it failed
  bool has_result = false;                // files, commits or results in its metadata show that it was done
  bool has_file_evidence = false;         // the same by files and commits alone
  bool phase_lost_commit = false;         // a commit is gone that nobody but its phase is known to have made
  std::vector<std::string> outputs;       // files that it says it left and that are there
  std::vector<std::string> results;       // what it left in words, in its metadata
  std::vector<std::string> gone_outputs;  // and those that are not
  std::vector<std::string> stale_files;   // of a completed task
  std::vector<std::string> gone_commits;
};

struct TaskFacts {
  /// `snapshot` must outlive the facts.
  explicit TaskFacts(const TaskSnapshot& snapshot);

  TaskGraph graph;
  TaskTier tier = TaskTier::Complex;   // as claimed, else complex
  std::optional<TaskPhase> claimed;    // the phase that the permanent task says it is in
  std::vector<TaskFact> tasks;         // by node of the graph
  std::vector<std::string> lost;       // commits of the permanent task that are gone and that no task says it made
  std::optional<TaskPhase> lost_from;  // the phase that is taken to have made them
  bool is_all_completed = false;       // there are work tasks, and each of them is completed
  bool is_rebuilt = false;  // there are none, and the permanent task's phase was made from commits that are there

  /// Returns what the permanent task says of `phase`; null if nothing.
  const ClaimedPhase* find_signal(TaskPhase phase) const;
  const PermanentTask* permanent = nullptr;  // null if there is none
};

/// Returns when the task says it was completed, else when its file was written; the latter too if the former lies
/// in the future.
Timestamp completion_of(const TaskClaim& task, Timestamp now);
/// Returns the last phase that commits which the permanent task names show as done: each was made by the phase
/// that it says, else by execution. Nothing if there are none, and nothing from the phase on of which one is gone.
std::optional<TaskPhase> phase_shown_by_commits(const TaskSnapshot& snapshot);
/// Returns the last phase on the tier's way that is not later than `phase`.
TaskPhase phase_on_path(TaskTier tier, TaskPhase phase);

}  // namespace reprise
