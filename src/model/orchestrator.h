// What the state files of the orchestrator claim: epics with their waves, execution plans, QA loops, general
// workflow states, spec pipelines and locks.
//
// Ids of stories, epics and waves are text: 2.10 is not 2.1. Claims are not facts; what was not understood is
// listed with its line. A file whose syntax is broken is read line by line as far as that goes, and says so.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/playbook.h"
#include "model/status.h"

namespace reprise {

enum class EpicStatus : std::uint8_t { Missing, Unknown, Active, Interrupted, Completed, Aborted };
enum class WaveStatus : std::uint8_t { Missing, Unknown, Pending, InProgress, GateReview, Completed, Failed };
enum class EpicStoryStatus : std::uint8_t {
  Missing,
  Unknown,
  Pending,
  InProgress,
  InReview,
  Completed,
  Failed,
  Blocked,
  Skipped
};

/// A story as the epic's state has it.
struct ClaimedStory {
  std::string id;
  EpicStoryStatus status = EpicStoryStatus::Missing;
  std::string status_word;
  std::string branch;
  std::string executor;      // without "@"
  std::string quality_gate;  // without "@"
  std::optional<ClaimedTime> started_at;
  std::optional<ClaimedTime> completed_at;
  std::string commit;
  int line = 0;
};

struct ClaimedWave {
  std::string number;
  std::string name;
  WaveStatus status = WaveStatus::Missing;
  std::string status_word;
  std::string tag;
  std::vector<ClaimedStory> stories;  // in the file's order
  bool is_flat = false;               // no wave: the stories that the state lists without one; has no number
  int line = 0;
};

struct ClaimedVerdict {
  std::string gate;     // a wave's number, or "final"
  std::string verdict;  // in lower case: approved, rejected
  std::string agent;
  std::optional<ClaimedTime> at;
  int line = 0;
};

struct EpicClaims {
  std::string id;
  EpicStatus status = EpicStatus::Missing;
  std::string status_word;
  std::string execution_plan;  // path as written
  std::string mode;
  std::optional<ClaimedTime> started_at;
  std::optional<ClaimedTime> updated_at;
  std::string current_wave;
  std::optional<long long> total_waves;
  std::vector<ClaimedWave> waves;  // by number
  std::vector<ClaimedVerdict> verdicts;
  bool damaged = false;  // the syntax is broken; this is what single lines give
  std::vector<Oddity> oddities;
};

/// A story as an execution plan has it.
struct PlannedStory {
  std::string id;
  std::string file;  // below the plan's storyBasePath
  std::string title;
  std::string executor;
  std::string quality_gate;
  std::string branch;
  std::vector<std::string> key_files;
  int line = 0;
};

struct PlannedWave {
  std::string number;
  std::string name;
  bool parallel = true;
  std::vector<std::string> stories;       // ids
  std::vector<std::string> dependencies;  // numbers of waves
  std::string gate_agent;
  std::string gate_focus;
  std::vector<std::string> merge_order;  // ids of stories, or branches as written
  std::string tag;
  int line = 0;
};

struct ExecutionPlanClaims {
  std::string epic;
  std::string story_folder;
  std::vector<PlannedStory> stories;
  std::vector<PlannedWave> waves;  // in order
  std::string final_gate_agent;
  std::string template_file;  // path as written
  bool damaged = false;
  std::vector<Oddity> oddities;
};

enum class QaLoopStatus : std::uint8_t {
  Missing,
  Unknown,
  Idle,
  Pending,
  InProgress,
  Interrupted,
  Completed,
  Stopped,
  Escalated
};
enum class QaVerdict : std::uint8_t { None, Approve, Reject, Blocked, Unknown };

struct ClaimedReview {
  std::optional<long long> iteration;
  QaVerdict verdict = QaVerdict::None;
  std::string verdict_word;
  std::optional<long long> issues_found;
  std::optional<ClaimedTime> reviewed_at;
  std::optional<ClaimedTime> fixed_at;
  bool interrupted = false;
  int line = 0;
};

struct QaLoopClaims {
  std::string dialect;  // "reference", "compact" or "fork"
  std::string story;    // "" if it names none
  QaLoopStatus status = QaLoopStatus::Missing;
  std::string status_word;
  std::optional<long long> iteration;
  std::optional<long long> iterations_max;
  QaVerdict last_verdict = QaVerdict::None;
  std::string escalation;  // the reason
  std::optional<ClaimedTime> started_at;
  std::optional<ClaimedTime> updated_at;
  std::vector<ClaimedReview> history;
  std::vector<Oddity> oddities;
};

enum class FlowStatus : std::uint8_t { Missing, Unknown, Active, Interrupted, Paused, Completed, Aborted };

/// A step of a general workflow state, in whatever way its dialect counts them.
struct ClaimedFlowStep {
  std::string name;
  std::string status_word;  // pending, in_progress, completed, skipped; as written
  bool completed = false;
  bool inferred =
      false;  // the file says nothing of it: the workflow has such a phase, before or after the current
  std::string agent;
  std::string output;
  int line = 0;
};

struct FlowClaims {
  std::string dialect;   // "record", "checkpoint", "instance", "cycle" or "master"
  std::string id;        // of the execution
  std::string workflow;  // its type as written
  std::string story;     // that it is about; "" if none
  std::string epic;
  FlowStatus status = FlowStatus::Missing;
  std::string status_word;
  std::string current_phase;
  std::string current_step;  // name of the step that this means; "" if it means none of them
  std::string current_agent;
  std::optional<ClaimedTime> started_at;
  std::optional<ClaimedTime> updated_at;
  std::vector<ClaimedFlowStep> steps;  // in order
  bool rest_unknown = false;           // there may be steps after these; nothing says which
  long long remaining = 0;             // of those, as far as the state counts them
  std::vector<std::string> artifacts;  // paths as written
  std::vector<std::string> templates;  // the same
  std::vector<std::string> configs;    // the same
  std::string mode;
  bool damaged = false;
  std::vector<Oddity> oddities;
};

/// Who says to be working on something.
struct OrchestratorLock {
  std::string name;
  long long pid = 0;
  std::string owner;
  std::string resource;
  std::optional<Timestamp> created_at;
  long long ttl_seconds = 0;
};

enum class SpecVerdict : std::uint8_t { None, Approved, NeedsRevision, Blocked, Unknown };

/// What a spec pipeline left in its folder.
struct SpecPipelineClaims {
  std::string name;
  std::string state_word;  // of .pipeline-state.json: "complexity_assessed"; "" without such a file
  bool has_requirements = false;
  bool has_complexity = false;
  bool has_research = false;
  bool has_spec = false;
  bool has_critique = false;
  std::string complexity;  // SIMPLE, STANDARD, COMPLEX; "" if it does not say
  SpecVerdict verdict = SpecVerdict::None;
  std::string verdict_word;
  std::optional<ClaimedTime> updated_at;
  std::vector<Oddity> damaged;  // artifacts that are there and cannot be read: they do not count
  std::vector<Oddity> oddities;
};

}  // namespace reprise
