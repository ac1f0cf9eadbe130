// The journal: the one durable record of what happened to every run.
//
// Everything this program knows is in here or can be seen in the world again. State files of the
// five systems are written *from* the journal and read back as claims; they are never the record.
//
// What always holds (docs/journal.md says why; journal_test.cc has one test per line):
//
//   J1  The events of a run are numbered 1, 2, 3, … without a hole, in the order of appending.
//   J2  An event that was appended is never changed, and carries the digest of the one before it,
//       so that a change would show. Runs are archived whole or not at all.
//   J3  A run's state is the fold of its events. The stored copy carries number and digest of the last
//       event in it; a copy that does not match is rebuilt, not believed.
//   J4  Only the holder of the run's lease appends. A holder that lost the lease cannot know it,
//       so every append carries the token, and an old token is refused.
//   J5  append() returns only when the events would survive the machine losing power.
//   J10  A request is asked of the present holder of the lease. It is answered in the transaction that appends
//       what it led to; what the holder leaves unanswered is withdrawn in the transaction that ends its lease.
//       Whoever asked may take it back until the holder has claimed it.
//
// Time never orders anything here: two clocks may disagree, two event numbers cannot.
//
// A Journal belongs to one thread. Several processes may have the same journal open.
//
// This is a port: SqliteJournal is for one machine, a PostgreSQL one for a team fits the same calls.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/event.h"
#include "model/ids.h"
#include "model/run_state.h"

namespace reprise {

class Clock;
class Entropy;

/// The process that holds, or held, a lease. The start time and boot id make a reused pid harmless.
struct Owner {
  std::string host;
  int pid = 0;
  std::string start;  // process start time, in the kernel's own units
  std::string boot;   // boot id of the machine
  Timestamp since;
  bool alive = false;  // filled in when read: whether the kernel-held lock is taken now
};

/// The right to append to one run, until it is released, the process ends, or it is taken over.
struct Lease {
  RunId run;
  LeaseToken token;  // larger than every earlier token of this run
};

/// A run in a list, without its steps.
struct RunEntry {
  RunId id;
  EventNumber last;
  Timestamp created_at;
  Timestamp updated_at;  // of the last event
  bool archived = false;
  bool is_being_removed = false;  // begin_removal() was called: nobody can take its lease any more
  std::optional<Owner> owner;     // nothing if the lease was given back
};

/// Sets `has_siblings` of the ids in a list of all runs.
void mark_siblings(std::vector<RunEntry>& all);

/// Something a command asks of the process that owns a run: `approve`, `cancel` …
struct Request {
  std::int64_t number = 0;
  RunId run;
  std::string kind;
  std::string body;  // JSON
  std::string by;
  Timestamp at;
};

/// What the owner says to a request: `refusal` is "" if it was granted, else why not.
struct RequestAnswer {
  std::int64_t request = 0;
  std::string refusal;
};

/// What became of a request.
struct RequestOutcome {
  enum class What {
    Open,       // no answer yet
    Granted,    // done, and recorded
    Refused,    // not done; `refusal` says why
    Withdrawn,  // taken back, or the process that was asked no longer owns the run; nothing was or will be done
  };
  What what = What::Open;
  std::string refusal;
};

/// What verify() found wrong.
struct ChainFault {
  RunId run;
  EventNumber number;
  std::string message;
};

class Journal {
 public:
  virtual ~Journal() = default;

  /// Returns a name for the store for messages: its path, or its address.
  virtual std::string name() const = 0;

  /// Creates `run` and takes its lease, in one durable step with its first events. The same goes for
  /// the texts that these events name by digest. Conflict if the run exists.
  ///
  /// A new run gets its serial here: its number in this journal, the journal's id, and random digits, which
  /// keep a copied or restored journal from giving a serial out twice. One from elsewhere keeps its own.
  enum class Origin { New, Elsewhere };
  virtual Result<Lease> create(const RunId& run, std::span<const Event> events, std::span<const std::string> texts,
                               Origin origin = Origin::New) = 0;

  /// Takes the lease on `run`.
  ///
  /// Conflict if another holder is alive; the message names its process and host. On one machine a
  /// kernel-held lock decides, so a dead owner is replaced at once. A takeover from a holder that
  /// never gave the lease back is appended as an event, to be seen later. The token is larger than `newest` too.
  virtual Result<Lease> acquire(const RunId& run, LeaseToken newest) = 0;
  Result<Lease> acquire(const RunId& run) { return acquire(run, LeaseToken{}); }

  /// Gives `lease` back. Harmless if it was taken over already.
  virtual void release(const Lease& lease) = 0;

  /// Appends `events` as one unit: after a crash all of them are there, or none.
  ///
  /// `expected` is the number of the last event the caller has seen. Conflict if there are later
  /// ones, or if the lease is not the current one (J4). Io if it could not be made durable: then
  /// nothing more may be acknowledged, and every further append of this object fails too (P6).
  /// All get the time `at`, with which the caller may have applied them already; nothing: now.
  /// `answers` are given in the same unit, with or without events (J10); NotFound if a request is not open.
  /// Returns the recorded events, numbered and timed.
  virtual Result<std::vector<RecordedEvent>> append(const Lease& lease, EventNumber expected,
                                                    std::span<const Event> events,
                                                    std::optional<Timestamp> at = std::nullopt,
                                                    std::span<const RequestAnswer> answers = {}) = 0;

  /// Keeps `text` under its digest, durably; texts that events name (definitions) are stored once.
  virtual Result<std::string> put_text(std::string_view text) = 0;
  virtual Result<std::string> text(const std::string& digest) = 0;
  /// Keeps `masked`, what is left of the text with that digest without its secrets.
  virtual Result<void> put_masked_text(const std::string& digest, std::string_view masked) = 0;
  /// Returns the text with that digest, or what was kept of it.
  virtual Result<std::string> shown_text(const std::string& digest) = 0;

  /// Returns the current state of `run`, NotFound if there is no such run. Rebuilds it from the
  /// events, from the stored copy on where that matches.
  virtual Result<RunState> state(const RunId& run) = 0;

  /// Stores `state` as the copy for later; it must be the fold up to its last event.
  virtual Result<void> put_copy(const Lease& lease, const RunState& state) = 0;

  /// Returns the events of `run` after `after`, oldest first, at most `limit` of them.
  virtual Result<std::vector<RecordedEvent>> events(const RunId& run, EventNumber after, int limit) = 0;

  /// Returns the name that only `run` has, without reading all of it: run_key().
  virtual Result<std::string> key(const RunId& run) = 0;

  /// Returns all runs, oldest first.
  virtual Result<std::vector<RunEntry>> runs() = 0;
  virtual Result<std::optional<Owner>> owner(const RunId& run) = 0;

  /// Takes the lease away from whoever holds it, for `lock break`: the next token is one larger, so
  /// the old holder cannot append any more. Conflict while its process is alive on this machine.
  virtual Result<void> break_lease(const RunId& run) = 0;

  /// Leaves a request for the present owner of `run`; returns its number. Conflict if nobody owns the run.
  virtual Result<std::int64_t> ask(const RunId& run, std::string kind, std::string body, std::string by) = 0;
  /// Returns the requests of the present owner of `run` that have no answer yet, oldest first.
  virtual Result<std::vector<Request>> requests(const RunId& run) = 0;
  /// The same for the owner itself, which is about to do them: from then on withdraw() leaves them alone.
  virtual Result<std::vector<Request>> claim_requests(const RunId& run) = 0;
  /// Takes back a request that the owner has not claimed, and returns what became of it: Withdrawn, or Open if the
  /// owner is about to do it.
  virtual Result<RequestOutcome> withdraw(std::int64_t request) = 0;
  virtual Result<RequestOutcome> outcome_of(std::int64_t request) = 0;

  /// Reads everything and checks numbers, digests, order and that each history can be folded.
  virtual Result<std::vector<ChainFault>> verify() = 0;

  /// Makes what is only derived from the record, to find things quickly, anew from it.
  virtual Result<void> rebuild_indexes() = 0;

  /// Returns the largest number that a run of `subject` has, or had before it was removed; 0: there was none.
  virtual Result<std::int64_t> largest_number(const std::string& subject) = 0;

  /// Returns the archived runs whose last event is older than `before`, or whose removal has begun, and that
  /// nobody holds, oldest first.
  virtual Result<std::vector<RunId>> removable(Timestamp before) = 0;
  /// Removes `run` whole if it is removable, after `clear` has removed what belongs to it outside of the journal.
  /// Nobody can take its lease meanwhile. False if it is not removable, or if `clear` says so.
  virtual Result<bool> remove(const RunId& run, Timestamp before, const std::function<Result<bool>()>& clear) = 0;
  /// For `clear`: records, durably, that files of `run` are being removed. From then on nobody can take its lease,
  /// so it is never brought back with a part of its files; remove() is all that can be done with it.
  virtual Result<void> begin_removal(const RunId& run) = 0;

  /// Calls `work` while no other process can create a run, or write anything else.
  virtual Result<void> alone(const std::function<Result<void>()>& work) = 0;

  /// Facts about the store for `doctor`: name and value pairs.
  virtual Result<std::vector<std::pair<std::string, std::string>>> facts() = 0;
};

enum class OpenMode { ReadWrite, ReadOnly };

/// Opens the journal in the folder `directory` (its file is journal.db), creating or migrating it as
/// needed; with ReadOnly nothing is created or changed, and NotFound is returned if there is none.
///
/// Corrupt if the file is not a journal or was written by a newer version, Unavailable if it lies on a
/// network file system; nothing is changed then. `clock` and `entropy` must outlive the journal.
Result<std::unique_ptr<Journal>> open_sqlite_journal(const std::filesystem::path& directory, OpenMode mode,
                                                     Clock& clock, Entropy& entropy);

}  // namespace reprise
