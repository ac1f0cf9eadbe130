// Everything that can happen to a run. An event is never changed once it is in the journal; what it
// means is decided by the fold (run_state.h), how it is written by the codec (event_codec.h).
//
// A new kind of event is a decision: it needs a token, a place in the fold and a line in docs/journal.md.

#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/time.h"
#include "model/gap.h"
#include "model/ids.h"
#include "model/status.h"

namespace reprise {

/// A file as it was seen: content digest, and a signature that tells without reading whether it may have changed.
struct SeenFile {
  std::string path;
  std::string digest;  // "sha256:…", or "" if it was not there
  std::string signature;
  bool operator==(const SeenFile&) const = default;
};

/// Whether two lists name the same files with the same content.
inline bool same_content(const std::vector<SeenFile>& a, const std::vector<SeenFile>& b) {
  const auto same = [](const SeenFile& x, const SeenFile& y) { return x.path == y.path && x.digest == y.digest; };
  return std::ranges::equal(a, b, same);
}

/// Who did something: a person's account and the surface, "ana@host via cli".
using Actor = std::string;

struct RunCreated {
  std::string workflow;
  std::string subject;
  std::string definition;     // digest of the stored definition
  std::string source;         // file the definition came from, relative to the project
  std::string source_digest;  // digest of that file's bytes and of what it uses
  Mode mode = Mode::Interactive;
  int parallel = 0;  // 0: as the definition says
  std::map<std::string, std::string> values;
  std::vector<SeenFile> baseline;
  std::string forked_from;  // run id, "" if not a fork
  std::string native_file;  // the state file that shows the run, relative to the project; "" if it has none
  bool adopted = false;     // it was found in that file
  std::string serial;       // what no other run has, see run_key(); "" before there were serials
  // Of adopted work, as its state file tells it; none for work of our own, and before it was recorded.
  std::optional<Timestamp> last_activity;
  bool operator==(const RunCreated&) const = default;
};

/// A session begins to work on the run: the first, or one that continues it.
struct PlanAccepted {
  std::string definition;
  std::string source_digest;
  std::string readiness;
  std::string owner;  // "host:pid"
  Actor by;
  Mode mode = Mode::Interactive;
  bool resumed = false;
  int kept = 0;
  std::string from;      // the person's own resume point, "" for the planner's
  std::string checkout;  // where it works, relative to the main checkout; "" for that one
  std::string branch;    // that is checked out there; "" if there is none, or before branches were recorded
  bool operator==(const PlanAccepted&) const = default;
};

/// The lease went to a new owner although the old one never gave it back.
struct LeaseTakenOver {
  std::string from;
  std::string to;
  bool operator==(const LeaseTakenOver&) const = default;
};

struct FindingOverruled {
  std::string code;
  std::string seen;  // what was seen then: a different sight is a new finding
  Actor by;
  std::string because;
  bool operator==(const FindingOverruled&) const = default;
};

struct AttemptStarted {
  StepPath step;
  AttemptNumber attempt;
  ShortDigest work;  // of what the stage does (work_digest)
  std::vector<SeenFile> inputs;
  std::vector<SeenFile> before;  // products with a declared check, as they were before the attempt
  bool operator==(const AttemptStarted&) const = default;
};

struct AttemptFinished {
  StepPath step;
  AttemptNumber attempt;
  AttemptOutcome outcome = AttemptOutcome::Done;
  std::optional<int> exit_code;
  int signal = 0;
  std::string reason;  // why it is not done; for done, why that is believed without an exit record
  Duration took{0};
  std::vector<SeenFile> artifacts;
  std::string verdict;
  std::string summary;
  std::string result;  // digest-like fingerprint of gaps and products, for a loop's progress
  double cost_usd = 0;
  std::int64_t tokens = 0;
  std::optional<Timestamp> retry_at;
  std::vector<std::string> last_lines;  // of its output, for the failure context
  std::string branch;                   // that is checked out in the project since; "" if it is the same as before
  bool operator==(const AttemptFinished&) const = default;
};

/// A finished step was looked at again and stays finished, with these files.
struct StepVerified {
  StepPath step;
  std::string how;
  ShortDigest work;
  std::vector<SeenFile> inputs;
  std::vector<SeenFile> artifacts;
  bool operator==(const StepVerified&) const = default;
};

/// The status of a step was imported from a state file, or from the run that this one was forked from, for the
/// reason that `rule` gives. No attempt of this run did the work.
struct ClaimImported {
  StepPath step;
  bool done = false;   // false: it was begun and cut off
  std::string source;  // file and line, or a run id
  std::string rule;
  std::string verdict;
  ShortDigest work;
  std::vector<SeenFile> artifacts;
  std::vector<SeenFile> inputs;  // as the other run saw them; state files do not know them
  std::string summary;
  std::string result;
  Duration took{0};
  std::int32_t stalled = 0;  // of a validation: how many in a row had brought nothing new
  bool operator==(const ClaimImported&) const = default;
};

/// A person decided that a step is not to be done.
struct StepSkipped {
  StepPath step;
  Actor by;
  std::string because;
  bool operator==(const StepSkipped&) const = default;
};

/// What was recorded of a step no longer counts: it will run again.
struct StepReset {
  StepPath step;
  std::string rule;  // label of the rule, or "retry" for a person
  Actor by;
  std::string because;
  bool operator==(const StepReset&) const = default;
};

struct GateOpened {
  StepPath gate;
  std::string ask;
  std::vector<SeenFile> shows;
  bool operator==(const GateOpened&) const = default;
};

struct GateDecided {
  StepPath gate;
  bool approved = false;
  Actor by;
  std::string because;
  std::vector<SeenFile> shows;  // what the person saw
  bool operator==(const GateDecided&) const = default;
};

struct QuestionAsked {
  std::string id;
  StepPath step;
  std::string text;
  std::vector<std::string> options;
  std::vector<std::string> gaps;
  bool operator==(const QuestionAsked&) const = default;
};

struct QuestionAnswered {
  std::string id;
  std::string text;
  Actor by;
  bool operator==(const QuestionAnswered&) const = default;
};

/// The answers to these questions have been worked in.
struct AnswersApplied {
  std::vector<std::string> questions;
  bool operator==(const AnswersApplied&) const = default;
};

/// A gap was found, or what is known of it has changed.
struct GapChanged {
  std::string id;
  GapPriority priority = GapPriority::Important;
  GapStatus status = GapStatus::Pending;
  std::string text;
  std::string resolution;
  bool operator==(const GapChanged&) const = default;
};

/// The state file that shows the run is about to be made to show it up to here. Durable before the file is
/// replaced: whatever else than these two contents is in it, somebody else wrote.
struct StateFileWritten {
  std::string file;
  std::string before;  // digest of what it replaces, "" if there was none
  std::string digest;  // of what is written; both texts are stored
  bool operator==(const StateFileWritten&) const = default;
};

/// Somebody changed the state file: what was there before, what was found (both texts are stored), and what
/// of it is not taken over, with the reason.
struct StateFileEdited {
  std::string file;
  std::string before;
  std::string digest;
  std::vector<std::string> refused;
  std::string kept;  // a file with what was found, for people to open; "" if nothing was refused
  bool operator==(const StateFileEdited&) const = default;
};

/// A lane is about to be made: where, and from what. Durable before its worktree exists.
struct LaneCreated {
  StepPath lane;            // the path of the stage that has it
  std::string name;         // what people call it: "SL-1"
  std::string folder;       // its worktree, relative to the project
  std::string branch;       // without refs/heads/
  std::string base;         // what it was asked to start from
  std::string base_commit;  // and what that was
  StepPath taken_from;      // a lane that is over, whose worktree becomes this one's; "" if a new one is made
  bool operator==(const LaneCreated&) const = default;
};

/// A point in a lane that one can go back to. The names of the seed's checkpoints are as it says; the others are
/// "STEP#ATTEMPT" with ":before" or ":after".
struct CheckpointReached {
  StepPath lane;
  std::string name;
  std::string status;    // ready, in_progress, failed, blocked, complete, rolled_back or retrying
  std::string commit;    // what was checked out; "" if there was nothing yet
  std::string snapshot;  // reference of a snapshot of the worktree; "" if the commit is all of it
  std::string notes;
  int retry_attempt = 0;
  int max_retries = 0;
  std::vector<std::string> failure_context;
  bool operator==(const CheckpointReached&) const = default;
};

/// A lane goes back to a checkpoint. Recorded before anything is changed, when what is there lies safely under
/// `rescue`, and again when it is done.
struct LaneRolledBack {
  StepPath lane;
  std::string to;  // name of the checkpoint
  std::string commit;
  std::string target;  // the commit or snapshot that the worktree is brought to, by its number
  std::string rescue;  // reference that everything which was there is kept under
  bool done = false;
  Actor by;
  std::string because;
  bool operator==(const LaneRolledBack&) const = default;
};

/// The lane's worktree is no longer the run's: it was removed, or given to another lane. Or it is the run's again.
struct LaneClosed {
  StepPath lane;
  std::string because;
  std::string rescue;  // reference that everything which was there is kept under; "" if it was all committed
  bool again = false;  // it was brought back
  bool began = false;  // its worktree is about to be removed; what became of that follows
  bool operator==(const LaneClosed&) const = default;
};

/// A task of the run's list was made or changed, or removed. What became of the work on it is the step's record;
/// `status` is what whoever uses the list last said.
struct TaskChanged {
  std::string id;
  std::string subject;
  std::string description;
  std::string owner;
  std::string status;  // pending, in_progress, completed or failed
  std::string phase;   // "P6"
  std::vector<std::string> blocked_by;
  std::map<std::string, std::string> metadata;  // what else is known of it; each value as JSON
  bool removed = false;
  Actor by;
  bool operator==(const TaskChanged&) const = default;
};

struct NoteAdded {
  std::string text;
  Actor by;
  bool operator==(const NoteAdded&) const = default;
};

/// The run came to an end: done, failed or stopped.
struct RunFinished {
  RunStatus status = RunStatus::Done;
  std::string reason;
  Actor by;  // who stopped it, "" if nobody did
  bool operator==(const RunFinished&) const = default;
};

struct RunReopened {
  Actor by;
  std::string because;
  bool operator==(const RunReopened&) const = default;
};

struct RunArchived {
  Actor by;
  bool ended = false;  // it was open, and ended for this
  bool again = false;  // it was brought back, and is open again if it was ended for this
  bool operator==(const RunArchived&) const = default;
};

using AnyEvent = std::variant<RunCreated, PlanAccepted, LeaseTakenOver, FindingOverruled, AttemptStarted,
                              AttemptFinished, StepVerified, StepSkipped, StepReset, GateOpened, GateDecided,
                              QuestionAsked, QuestionAnswered, NoteAdded, RunFinished, RunReopened, RunArchived,
                              ClaimImported, AnswersApplied, GapChanged, StateFileWritten, StateFileEdited,
                              LaneCreated, CheckpointReached, LaneRolledBack, LaneClosed, TaskChanged>;

/// One thing that happened. It is the variant and no more; but copying, moving and destroying one are compiled
/// once, in event.cc: every file that holds events would otherwise make them for each of the kinds anew, which was
/// a third of the whole build.
struct Event : AnyEvent {
  Event();
  Event(const Event& other);
  Event(Event&& other) noexcept;
  Event& operator=(const Event& other);
  Event& operator=(Event&& other) noexcept;
  ~Event();

  template <typename Kind>
    requires(!std::is_base_of_v<AnyEvent, Kind>)
  Event(Kind kind);
};

/// An event as the journal holds it.
struct RecordedEvent {
  EventNumber number;
  Timestamp at;
  Event event;
};

}  // namespace reprise
