// What a run is now: the fold of its events (J3). Pure: no clock, no disk.
//
// apply() is the only way a RunState changes, so the state that a running session keeps, the one that
// a resume rebuilds and the stored copy are the same by construction.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rare.h"
#include "base/result.h"
#include "base/stable_map.h"
#include "model/event.h"
#include "model/ids.h"
#include "model/lane_state.h"

namespace reprise {

/// The gate that opens when a run has spent its cost limit; approving it allows as much again.
inline constexpr std::string_view kCostGate = "cost-limit";

/// What is recorded of one step. A step that nothing was recorded of has no entry.
struct StepState {
  enum class Record : std::uint8_t { Reset, Open, Done, Failed, Skipped };

  Record record = Record::Reset;
  bool timed_out = false;
  bool needs_human = false;  // the last attempt asked a person; see the gate of the same path
  AttemptOutcome outcome = AttemptOutcome::Interrupted;  // of the last attempt that ended
  std::int32_t attempts = 0;                             // started, ever
  std::int32_t failures = 0;                             // since the last reset, reopening or success
  std::int32_t same_error = 0;                           // how many of these in a row had the same reason
  std::int32_t laters = 0;                               // "try again later" in a row
  std::int32_t stalled = 0;  // of an imported validation: how many in a row had brought nothing new
  std::optional<std::int32_t> exit_code;
  std::int32_t signal = 0;
  EventNumber started_event;  // of the last attempt
  EventNumber checked_event;  // when it was last started, skipped, or looked at and found to be still done
  EventNumber changed_event;  // when a success of it last gave other artifacts than before, or none at all
  Timestamp started_at;
  Timestamp finished_at;
  Timestamp later_since;  // when the first of `laters` ended
  std::optional<Timestamp> retry_at;
  Duration took{0};
  ShortDigest work;  // of the stage's work when it was started
  Rare<std::string> reason;
  Rare<std::string> verdict;
  Rare<std::string> summary;
  Rare<std::string> result;
  Rare<std::vector<SeenFile>> inputs;
  Rare<std::vector<SeenFile>> before;
  Rare<std::vector<SeenFile>> artifacts;
  Rare<std::vector<std::string>> failure_context;  // messages and last lines of failed attempts
};

struct GateState {
  enum class Record : std::uint8_t { Open, Approved, Rejected };
  Record record = Record::Open;
  std::string ask;
  std::vector<SeenFile> shows;     // when it was opened, or what the decider saw
  std::vector<SeenFile> approved;  // what was seen when it was last approved
  std::string by;
  std::string because;
  Timestamp since;
};

struct QuestionState {
  StepPath step;
  std::string text;
  std::vector<std::string> options;
  std::vector<std::string> gaps;  // what it is about
  std::optional<std::string> answer;
  std::string by;        // who answered
  bool applied = false;  // the answer has been worked in
  Timestamp since;
};

struct GapState {
  GapPriority priority = GapPriority::Important;
  GapStatus status = GapStatus::Pending;
  std::string text;
  std::string resolution;
  Timestamp since;
};

/// A task of the run's list, as it was last set.
struct TaskState {
  std::string subject;
  std::string description;
  std::string owner;
  std::string status;
  std::string phase;
  std::vector<std::string> blocked_by;
  std::map<std::string, std::string> metadata;  // each value as JSON
  Timestamp since;
};

/// Ids in the order of their numbers; what is no number comes behind.
struct TaskIdOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto is_number = [](const std::string& id) {
      return !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
    };
    const bool number_a = is_number(a);
    if (number_a != is_number(b)) return number_a;
    if (number_a && a.size() != b.size()) return a.size() < b.size();
    return a < b;
  }
};
using TaskStates = std::map<std::string, TaskState, TaskIdOrder>;

/// The state file that shows the run: what we last made of it.
struct StateFileState {
  std::string path;                  // relative to the project; "": the run has none
  std::string digest;                // of what was last written, or taken over from a hand; "" if nothing was
  std::string before;                // of what that replaced
  std::vector<std::string> refused;  // of the last edit by hand since a session began: what was not taken over
  std::string kept;                  // where what was found then can be opened
};

struct RunState {
  RunState();  // these six are compiled once, in run_state.cc: they are long, and many files hold a state
  RunState(const RunState& other);
  RunState(RunState&& other) noexcept;
  RunState& operator=(const RunState& other);
  RunState& operator=(RunState&& other) noexcept;
  ~RunState();

  RunId id;
  std::string key;                    // names its folders and its idempotency keys: run_key()
  EventNumber last;                   // the last event in this state; 0: nothing has happened yet
  RunStatus status = RunStatus::New;  // New, Running, Done, Failed or Stopped
  std::string reason;                 // why it ended so
  std::string workflow;
  std::string subject;
  std::string definition;  // digest of the definition in use
  std::string source;
  std::string source_digest;
  std::string forked_from;
  Mode mode = Mode::Interactive;
  int parallel = 0;
  int resume_count = 0;
  bool archived = false;
  bool ended_to_archive = false;
  Timestamp started_at;
  Timestamp updated_at;
  Timestamp session_at;        // when the newest session began
  EventNumber session_event;   // and its event
  std::string checkout;        // where it worked, relative to the main checkout; "" for that one
  std::string branch;          // that was checked out there when it last looked; "" if there was none
  EventNumber reopened_event;  // the last reopening of a failed run; loops count their iterations from here
  double cost_usd = 0;
  double cost_allowed_usd = 0;  // what a person allowed beyond the limit
  std::int64_t tokens = 0;
  std::map<std::string, std::string> values;
  std::vector<SeenFile> baseline;
  StableMap<StepPath, StepState> steps;  // in the order in which they were first recorded
  std::map<StepPath, GateState> gates;
  LaneStates lanes;  // by the stage that has them
  std::map<std::string, QuestionState> questions;
  std::map<std::string, GapState> gaps;
  TaskStates tasks;  // by id
  StateFileState state_file;
  bool adopted = false;                               // found in its state file, not started by us
  std::map<std::string, FindingOverruled> overruled;  // by code
  std::map<std::string, EventNumber> overruled_event;
  std::vector<std::string> notes;

  const StepState* find_step(const StepPath& path) const;
  /// Whether a session ever worked on it; else it was only written down, or adopted.
  bool was_worked_on() const { return session_event.value > 0; }
  bool is_ended() const {
    return status == RunStatus::Done || status == RunStatus::Failed || status == RunStatus::Stopped;
  }
};

/// Adds one event to `state`. Corrupt if the event cannot follow (a hole in the numbers, an attempt
/// finished that was never started): a history that does not hold together is refused, not bent.
Result<void> apply(RunState& state, const RecordedEvent& event);

/// Returns `state` as bytes for the stored copy, and back. Corrupt if `bytes` are not such a copy.
std::string encode_state(const RunState& state);
Result<RunState> decode_state(std::string_view bytes);

}  // namespace reprise
