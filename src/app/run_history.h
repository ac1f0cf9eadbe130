// The sessions of a run, read off its events: when each began, who it was, how it ended, what it kept and what it
// did again. Pure: events go in, values come out; no clock, no disk, no journal.
//
// What an end is known by (the events are the record, and an end is not an event of its own):
//
//   finished    RunFinished is recorded in it
//   vanished    the next owner found its lease still taken: LeaseTakenOver. Killed, or the machine went down, or
//               the store could not be written to any more
//   waited      it gave the run back, nothing was running, and a gate or a question was open
//   given back  it gave the run back otherwise: a signal told it to stop
//   open        nothing follows it: it works, or how it ended is not known yet
//
// A session's last sign of life is the last event that only a session records. What people decide between two
// sessions belongs to none. What the next session finds out before its PlanAccepted (how cut-off attempts ended,
// edits of a state file) is appended together with that, has its time, and belongs to the next one.
//
// What a resume saved: the steps whose success was on record when the session began, with the time and the money
// of the attempt that succeeded, less those that this very session reset or started again. Each step counts once
// per resume. A success that was taken over from a state file counts as a step, with no time and no money: nobody
// measured it.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "journal/journal.h"
#include "model/event.h"

namespace reprise {

/// Work that did not have to be done again.
struct SavedWork {
  int steps = 0;
  Duration time{0};
  double cost_usd = 0;
};

enum class SessionEnding { Open, Done, Failed, Stopped, Waited, GivenBack, Vanished };

/// One session of a run.
struct SessionSpan {
  EventNumber began_event;  // its PlanAccepted
  EventNumber last_event;   // its last sign of life
  Timestamp began_at;
  Timestamp last_at;
  std::string owner;  // "host:pid"
  Actor by;
  Mode mode = Mode::Interactive;
  bool resumed = false;
  std::string from;  // a person's own resume point
  Duration gap{0};   // since the last sign of life of the session before
  SessionEnding ending = SessionEnding::Open;
  std::string waits_for;        // "gate ship", where it waited
  std::vector<StepPath> at;     // what was running at the end, or what failed, or the gate; none: between steps
  SavedWork saved;              // nothing if it did not resume anything
  std::vector<StepPath> again;  // begun before this session, and started once more in it
};

/// Returns the sessions of a run, oldest first. `events` are all of its events.
std::vector<SessionSpan> sessions_of(std::span<const RecordedEvent> events);

/// Returns how `session`, the last of its run, ended, for one whose end no event tells: `owner` is who the lease
/// names now. A living owner still works; one that is gone without giving the lease back vanished.
SessionEnding ending_by_lease(const SessionSpan& session, const std::optional<Owner>& owner);

/// The sessions of a run and some of its events.
struct RunHistory {
  std::vector<SessionSpan> sessions;
  std::vector<RecordedEvent> events;
};

/// Reads the history of `run` and keeps the events that `is_kept` selects. Holds only a part of the others at a
/// time: most events of a long run are attempts that succeeded.
Result<RunHistory> read_history(Journal& journal, const RunId& run, bool (*is_kept)(const Event&));

/// Returns all events of `run`.
Result<std::vector<RecordedEvent>> all_events(Journal& journal, const RunId& run);

}  // namespace reprise
