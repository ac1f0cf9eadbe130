// The timeline of a run: what a person wants to know of its history, one entry per thing that happened, over all
// of its sessions. Pure: events go in, entries come out.
//
// Which events give an entry, and of which kind:
//
//   RunCreated            started
//   PlanAccepted          session: who works; and for one that goes on, resumed: after which gap, what it kept,
//   what
//                         it did again
//   (see run_history.h)   ended: how a session ended that did not finish the run, at its last sign of life
//   LeaseTakenOver        taken: an owner was found dead
//   AttemptFinished       retry if it is tried again, failed if not, cut-off if nobody knows how it ended, asks if
//                         its worker wants a person, stopped. A success gives none: the steps tell it
//   GateOpened, -Decided  gate, decided with how long it was open
//   QuestionAsked, -Answered  question, answered with how long it was open
//   StepSkipped, StepReset    skipped, reset
//   FindingOverruled      overruled
//   StateFileEdited       edited
//   LaneRolledBack        rollback: once, when it is done; or as begun if it never was
//   LaneClosed            lane
//   NoteAdded             note: exports and imports are notes, too
//   RunFinished, RunReopened, RunArchived   finished, reopened, archived
//
// All others give none: they are what the work consists of (AttemptStarted, StepVerified, ClaimImported,
// AnswersApplied, GapChanged, StateFileWritten, LaneCreated, CheckpointReached, TaskChanged).
//
// Entries are in the order of the events, whatever the clocks said. Texts are as they were recorded: whoever shows
// them makes them printable.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/run_history.h"
#include "model/event.h"

namespace reprise {

/// One thing that happened to a run.
struct TimelineEntry {
  Timestamp at;
  std::string_view kind;           // a token of the table above
  std::string text;                // one sentence
  EventNumber event;               // the event that it is known by, or comes after
  std::string subject;             // step, gate, question, lane or file; "" if it is about the run
  std::optional<Duration> lasted;  // resumed: the gap before it; decided, answered: how long it was waited for
};

/// Whether an event may give an entry of its own.
bool is_on_timeline(const Event& event);

/// Returns the timeline of a run: `events` are those that is_on_timeline() selects, or more, oldest first.
/// `sessions` are all of its sessions, the last one with the ending that the lease tells (ending_by_lease).
std::vector<TimelineEntry> timeline_of(std::span<const RecordedEvent> events, std::vector<SessionSpan> sessions);

}  // namespace reprise
