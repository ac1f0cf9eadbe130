// The recovery of a task pipeline: one answer made from a list of tasks, git and files (TP-03 … TP-24).
//
//   D1  The same snapshot gives the same recovery, byte for byte.
//   D2  Every work task has exactly one decision, and so has every phase of the tier's way without tasks.
//   D3  Every decision has a rule label and evidence.
//   D4  With a blocking finding there is no point to go on from.
//   D5  What waits for something that is not done, or lies in a later phase, is not kept unverified.
//   D6  Nothing before the resume phase is failed or unfinished.
//
// Planning is linear in tasks and edges. Pure: no clock, no disk. The decisions are the tables of
// planner/task_tables.h and planner/task_choices.h.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rare.h"
#include "model/plan.h"
#include "model/task_snapshot.h"
#include "planner/task_choices.h"
#include "planner/task_contradictions.h"
#include "planner/task_tables.h"

namespace reprise {

/// A row of the phase completion matrix (TP-06). Each task is counted in one column.
struct PhaseCounts {
  TaskPhase phase = TaskPhase::P0;
  int tasks = 0;
  int completed = 0;
  int failed = 0;
  int in_progress = 0;
  int pending = 0;  // also those whose status is not known
  int stale = 0;    // completed, and changed since
  int suspect = 0;  // completed, and behind something that failed
  PhaseStanding standing = PhaseStanding::NotStarted;
  PhaseRestart restart = PhaseRestart::No;
  std::string_view rule = {};  // label of the row that decided, and its words
  std::string_view reason = {};
};

/// Work tasks, each in one of the counts; the permanent task is not counted (TP-22).
struct TaskCounts {
  int total = 0;
  int completed = 0;  // and neither stale nor suspect
  int in_progress = 0;
  int pending = 0;
  int failed = 0;
  int stale = 0;    // completed, and changed since
  int suspect = 0;  // completed, and behind something that failed
};

/// What is done with one work task, or with a phase that has none.
struct TaskDecision {
  TaskPhase phase = TaskPhase::P0;
  std::string task = {};  // its id; "" for a phase
  Decision decision = Decision::Run;
  std::string_view rule = {};
  std::string_view reason = {};
  Rare<std::string> detail = {};                // which file, which blocker
  Rare<std::vector<std::string>> partial = {};  // of one that continues: what it left and is handed (TP-08)
  std::vector<Evidence> evidence = {};
};

/// What a resume writes into the permanent task before it does anything else (TP-16, TP-23).
struct PermanentUpdate {
  TaskPhase current_phase = TaskPhase::P0;
  std::int64_t resume_count = 0;
  std::optional<std::string> branch;  // where a person confirmed another one
};

struct TaskRecovery {
  bool has_permanent = false;
  TaskTier tier = TaskTier::Complex;
  bool tier_is_assumed = false;  // none is recorded
  TaskCounts counts;
  std::vector<PhaseCounts> phases;  // of the tier's way, in order
  std::optional<TaskPhase> last_completed;
  std::optional<TaskPhase> found_phase;   // where it would go on by itself; nothing if it is delivered
  std::optional<TaskPhase> resume_phase;  // where it goes on; nothing if it cannot, or need not
  const GranularityRow* granularity = nullptr;
  const DepthRow* depth = nullptr;
  const BranchRow* branch = nullptr;
  const OverrideRow* override_row = nullptr;
  const ResumeCountRow* resume_count = nullptr;
  const AdviceRow* advice = nullptr;           // null below three resumes
  std::optional<TaskPhase> dies_in;            // of an advice: the phase in which runs end
  std::vector<TaskDecision> decisions;         // by phase, then in the order of the list
  std::vector<Finding> findings;               // blocking ones first
  std::vector<Contradiction> contradictions;   // those of the findings that are, and how each was resolved
  std::optional<PermanentUpdate> update;       // nothing if it cannot resume
  std::optional<std::size_t> resume_decision;  // the first that is not kept
  Readiness readiness = Readiness::Ready;
};

/// Returns what becomes of the pipeline. `snapshot` need not outlive the answer.
TaskRecovery recover(const TaskSnapshot& snapshot);

/// Returns the same as a plan: stage "P6", step "P6/<task id>" or "P6" for a phase without tasks.
Plan plan_task_pipeline(const TaskSnapshot& snapshot);
/// The same from a recovery of this snapshot that was made before.
Plan plan_task_pipeline(const TaskSnapshot& snapshot, const TaskRecovery& recovery);

}  // namespace reprise
