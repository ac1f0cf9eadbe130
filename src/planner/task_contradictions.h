// What does not fit together in a task pipeline, found and named: each finding with its code, its severity, and,
// for a contradiction, how it was resolved (TP-17).
//
// The codes are one table. Of one code the first twenty are listed, and then how many more there are, so that a
// list that is wrong throughout does not bury the rest. A warning that a person accepted is listed as information,
// and so is a branch that a person confirmed; nothing else that blocks can be accepted.

#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/plan.h"
#include "model/task_snapshot.h"

namespace reprise {

struct TaskFacts;
struct TaskRecovery;

/// Two claims, or a claim and what was seen, that cannot both be right.
struct Contradiction {
  std::string code;
  std::string message;
  std::string_view resolution;  // which reading won
  bool is_resolved = true;      // not if it blocks
};

/// One kind of finding.
struct TaskFindingRow {
  std::string_view code;
  std::string_view rule;  // the requirement
  Severity severity;
  std::string_view resolution = {};  // of a contradiction; "" if it is none
};

// clang-format off
inline constexpr std::array kTaskFindingRows = {
    TaskFindingRow{"no_pt_found",               "TP-15", Severity::Blocking},
    TaskFindingRow{"permanent_corrupted",       "TP-20", Severity::Blocking, "nothing of it is trusted; it has to be made anew from git and files"},
    TaskFindingRow{"damaged_task",              "TP-17", Severity::Blocking, "it is taken as not done"},
    TaskFindingRow{"blocker_cycle",             "TP-17", Severity::Blocking, "none of them is started"},
    TaskFindingRow{"self_block",                "TP-17", Severity::Blocking, "it is not started"},
    TaskFindingRow{"branch_mismatch",           "TP-13", Severity::Blocking, "nothing is done until a person says which branch is right"},
    TaskFindingRow{"override_unknown",          "TP-12", Severity::Blocking},
    TaskFindingRow{"override_not_on_path",      "TP-12", Severity::Blocking},
    TaskFindingRow{"override_skips_unfinished", "TP-12", Severity::Blocking},
    TaskFindingRow{"override_repeats_work",     "TP-12", Severity::Warning},
    TaskFindingRow{"duplicate_permanent",       "TP-02", Severity::Warning,  "one of them is used, the others are not"},
    TaskFindingRow{"duplicate_id",              "TP-17", Severity::Warning,  "the one that is less far counts"},
    TaskFindingRow{"suspect_task",              "TP-07", Severity::Warning,  "the failed blocker counts; the completed task is verified"},
    TaskFindingRow{"blocker_unfinished",        "TP-17", Severity::Warning,  "the blocker counts; the completed task is verified"},
    TaskFindingRow{"started_early",             "TP-17", Severity::Warning,  "the blocker counts; the task starts again after it"},
    TaskFindingRow{"phase_out_of_order",        "TP-17", Severity::Warning,  "the earlier phase counts; what lies behind it is verified"},
    TaskFindingRow{"phase_conflict",            "TP-17", Severity::Info,     "the failed task counts; the phase is incomplete"},
    TaskFindingRow{"completed_with_error",      "TP-17", Severity::Warning,  "the error counts; the task failed"},
    TaskFindingRow{"status_unknown",            "TP-17", Severity::Warning,  "it is taken as not done"},
    TaskFindingRow{"signal_ahead",              "TP-17", Severity::Warning,  "the tasks count; the phase is incomplete"},
    TaskFindingRow{"signal_failed",             "TP-17", Severity::Warning,  "the signal counts; the tasks of the phase are verified"},
    TaskFindingRow{"signal_behind",             "TP-17", Severity::Info},
    TaskFindingRow{"delivered_but_open",        "TP-18", Severity::Warning,  "the open tasks count; it is not taken as delivered"},
    TaskFindingRow{"permanent_completed",       "TP-18", Severity::Warning,  "without a commit it is not taken as delivered"},
    TaskFindingRow{"not_delivered",             "TP-18", Severity::Info},
    TaskFindingRow{"permanent_ahead",           "TP-20", Severity::Warning,  "the tasks count; current_phase is reset"},
    TaskFindingRow{"permanent_behind",          "TP-20", Severity::Info},
    TaskFindingRow{"phase_inferred",            "TP-16", Severity::Info},
    TaskFindingRow{"tier_absent",               "TP-04", Severity::Info},
    TaskFindingRow{"tier_unknown",              "TP-04", Severity::Warning},
    TaskFindingRow{"phase_off_path",            "TP-04", Severity::Warning,  "it counts in the phase of the tier before its own"},
    TaskFindingRow{"phase_unknown",             "TP-03", Severity::Warning},
    TaskFindingRow{"phase_missing",             "TP-03", Severity::Info},
    TaskFindingRow{"stale_task",                "TP-19", Severity::Warning},
    TaskFindingRow{"outputs_missing",           "TP-14", Severity::Warning,  "what is there counts; the task runs again"},
    TaskFindingRow{"unproven_task",             "TP-14", Severity::Warning},
    TaskFindingRow{"repeated_resumes",          "TP-14", Severity::Warning},
    TaskFindingRow{"uncommitted_changes",       "TP-13", Severity::Warning},
    TaskFindingRow{"pipeline_changes",          "TP-13", Severity::Info},
    TaskFindingRow{"commits_missing",           "TP-13", Severity::Warning,  "git counts; the phase is incomplete"},
    TaskFindingRow{"commits_not_recorded",      "TP-13", Severity::Info},
    TaskFindingRow{"commits_unknown",           "TP-13", Severity::Info},
    TaskFindingRow{"branch_unknown",            "TP-13", Severity::Info},
    TaskFindingRow{"one_sided_edge",            "TP-07", Severity::Info},
    TaskFindingRow{"blocker_never_given",       "TP-07", Severity::Info},
    TaskFindingRow{"time_backwards",            "TP-17", Severity::Info},
    TaskFindingRow{"time_in_future",            "TP-17", Severity::Info},
    TaskFindingRow{"numeric_id",                "TP-01", Severity::Info},
    TaskFindingRow{"other_parent",              "TP-02", Severity::Info},
    TaskFindingRow{"not_understood",            "ALL-03", Severity::Info},
    TaskFindingRow{"old_state",                 "OR-05", Severity::Info},
};
// clang-format on
/// Returns the row of `code`, which must be one of the table.
const TaskFindingRow& task_finding(std::string_view code);

/// Adds what does not fit to `recovery`, whose decisions are made: findings, blocking ones first, and
/// contradictions.
void find_contradictions(const TaskSnapshot& snapshot, const TaskFacts& facts, TaskRecovery& recovery);

}  // namespace reprise
