// What a task list claims: its tasks as they were written, and what its permanent task says of the whole.
//
// Claims are not facts. Whatever was not understood is listed with its file and line; a task that could not be
// read at all is still known by its id, so that nothing that waits for it is taken to be free.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/playbook.h"
#include "model/task_phases.h"

namespace reprise {

/// Failed is a status that the tool which writes these lists cannot store: it is read from a foreign status word,
/// or from `metadata.error`.
enum class TaskStatus : std::uint8_t { Pending, InProgress, Completed, Failed, Unknown };
inline constexpr TokenTable<TaskStatus, 5> kTaskStatusTokens = {{{TaskStatus::Pending, "pending"},
                                                                 {TaskStatus::InProgress, "in_progress"},
                                                                 {TaskStatus::Completed, "completed"},
                                                                 {TaskStatus::Failed, "failed"},
                                                                 {TaskStatus::Unknown, "unknown"}}};
constexpr std::string_view to_token(TaskStatus status) { return token_in(kTaskStatusTokens, status); }

/// A task as its file has it.
struct TaskClaim {
  std::string id;
  std::string file;  // its name within the list; "" if the list is one file or in the journal
  std::string subject;
  std::string description;
  std::string owner;
  std::string status_word;  // as written
  TaskStatus status = TaskStatus::Unknown;
  std::vector<std::string> blocks;
  std::vector<std::string> blocked_by;
  bool is_permanent = false;   // its subject begins with [PERMANENT]
  bool is_internal = false;    // metadata._internal: a note of the tool's own, not work
  bool is_damaged = false;     // the file could not be read; only id and file are known
  bool is_numeric_id = false;  // the id was written as a number, which hides the task from its own tool

  // Of the metadata:
  std::optional<TaskPhase> phase;
  std::string phase_word;  // as written, where it is none that is known
  std::string domain;
  std::string agent;
  std::string error;
  std::string reason;  // "duplicate" for a permanent task that was replaced by another
  std::string parent;
  std::vector<std::string> files;               // that it works on
  std::vector<std::string> outputs;             // files that it says it left, whole or in part
  std::vector<std::string> results;             // what it left in words, in its metadata; may name a file
  std::map<std::string, std::string> hashes;    // of files as it left them, by path: "sha256:…"
  std::vector<std::string> commits;             // that it made
  std::optional<Timestamp> completed_at;        // metadata.completed_at; else see file_time
  std::map<std::string, std::string> metadata;  // everything, by key; a value that is no string as JSON
  Timestamp file_time;
};

/// What stands for a phase in the permanent task: a signal of the metadata, or a row of the description.
enum class PhaseSignal : std::uint8_t { Passed, Failed, Partial, Pending, Unknown };
struct ClaimedPhase {
  TaskPhase phase = TaskPhase::P0;
  PhaseSignal signal = PhaseSignal::Unknown;
  std::string text;  // as written: "PASS|files:3", "COMPLETE"
};

/// Where the current phase was read (TP-02, TP-16).
enum class PhaseSource : std::uint8_t { Metadata, Signals, Description, WorkTasks, Assumed };
inline constexpr TokenTable<PhaseSource, 5> kPhaseSourceTokens = {{{PhaseSource::Metadata, "metadata"},
                                                                   {PhaseSource::Signals, "phase_signals"},
                                                                   {PhaseSource::Description, "description"},
                                                                   {PhaseSource::WorkTasks, "work_tasks"},
                                                                   {PhaseSource::Assumed, "assumed"}}};
constexpr std::string_view to_token(PhaseSource source) { return token_in(kPhaseSourceTokens, source); }

/// The permanent task: what the pipeline is about and how far it says it is.
struct PermanentTask {
  std::string id;
  std::string feature;  // the subject without its prefix
  std::string description;
  std::optional<TaskTier> tier;
  std::string tier_word;                   // as written, where it is none that is known
  std::optional<TaskPhase> current_phase;  // by the first source that gives one, but Assumed
  PhaseSource source = PhaseSource::Assumed;
  std::vector<ClaimedPhase> phases;  // of signals, else of the description; in the order of phases
  std::string branch;
  std::string repository;  // what it says of the place it belongs to: a path or an address; "" if nothing
  std::int64_t resume_count = 0;
  bool is_delivered = false;  // completed and committed
  std::vector<std::string> references;
  std::vector<std::string> directives;
  std::vector<std::string> decisions;
  std::vector<std::string> commits;                // that earlier phases are to have made
  std::map<std::string, TaskPhase> commit_phases;  // by commit: which of them, where it says so
  bool is_rebuilt = false;                         // `repair` made its phase from what git and the files show
  std::vector<std::string> duplicates;             // ids of other permanent tasks; this one was chosen over them
};

struct TaskListClaims {
  std::string list;                        // its id
  std::vector<TaskClaim> tasks;            // by id: numbers in order, then words
  std::optional<PermanentTask> permanent;  // nothing if there is none
  std::int64_t high_water_mark = 0;        // the largest id that was ever given
  std::vector<Oddity> oddities;            // text is the file where it is about one
  Timestamp updated_at;                    // the newest of its files
};

}  // namespace reprise
