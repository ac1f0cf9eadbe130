// verify(): reads the whole journal and says everything that is wrong with it (P5). Damage is what it is
// for, so damage to the file itself is a fault in its list too, and the rest is read as far as it can be.

#include <algorithm>

#include "journal/sqlite_journal.h"
#include "model/event_codec.h"

namespace reprise {

namespace {

constexpr std::size_t kFaultsPerRunMax = 100;

class Verifier {
 public:
  Verifier(Connection& db, std::span<const Migration> migrations) : db_(db), migrations_(migrations) {}

  std::vector<ChainFault> verify() {
    take(check_pages());
    take(check_schema());
    take(check_runs());
    take(check_orphans());
    take(check_texts());
    return std::move(faults_);
  }

 private:
  /// What is known of a run while its events are read.
  struct Reading {
    std::int64_t run_no = 0;
    RunState state;
    bool is_folding = true;  // off after the first event that cannot follow: the rest would fail with it
    Digest previous;
    EventNumber last;
    bool is_last_marked = false;
    std::size_t fault_count = 0;
  };

  void take(const Result<void>& outcome) {
    if (!outcome) faults_.push_back({.run = {}, .number = {}, .message = outcome.error().message});
  }

  void add(Reading& reading, EventNumber number, std::string message) {
    if (++reading.fault_count > kFaultsPerRunMax) return;
    faults_.push_back({.run = reading.state.id, .number = number, .message = std::move(message)});
  }

  Result<void> check_pages() {
    // Not quick_check, which leaves out whether the indexes say what the tables say.
    Query rows = TRY(db_.query("PRAGMA integrity_check(20)"));
    while (TRY(rows.next())) {
      if (rows.bytes(0) != "ok")
        faults_.push_back({.run = {}, .number = {}, .message = "database: " + rows.text(0)});
    }
    return {};
  }

  Result<void> check_schema() {
    if (TRY(schema_text(db_)) == TRY(expected_schema_text(migrations_))) return {};
    return fail(ErrorKind::Corrupt, "the tables are not those of a journal");
  }

  Result<void> check_runs() {
    std::vector<std::pair<std::int64_t, RunId>> runs;
    Query rows = TRY(db_.query("SELECT no, id FROM runs ORDER BY no"));
    while (TRY(rows.next())) runs.emplace_back(rows.integer(0), RunId{rows.text(1)});
    for (const auto& [run_no, id] : runs) {
      Reading reading;
      reading.run_no = run_no;
      reading.state.id = id;
      if (const Result<void> read = check_run(reading); !read) add(reading, reading.last, read.error().message);
    }
    return {};
  }

  Result<void> check_run(Reading& reading) {
    const EventNumber copied = TRY(copy_number(reading));
    Query rows =
        TRY(db_.query("SELECT number, at, kind, version, payload, digest, newest FROM events "
                      "WHERE key >= ? AND key < ? ORDER BY key",
                      event_key(reading.run_no, 0), event_key_end(reading.run_no)));
    while (TRY(rows.next())) {
      check_event(reading, rows);
      if (reading.last == copied && reading.is_folding) TRY_VOID(check_copy(reading));
    }
    if (reading.last.value == 0) add(reading, {}, "the run has no events");
    if (reading.last.value > 0 && !reading.is_last_marked) {
      add(reading, reading.last, "events after this one are missing");
    }
    if (copied > reading.last) add(reading, copied, "the stored copy ends with an event that is not there");
    return {};
  }

  void check_event(Reading& reading, const Query& row) {
    const StoredEvent stored{.number = {row.integer(0)},
                             .at = {row.integer(1)},
                             .kind = row.bytes(2),
                             .version = row.integer(3),
                             .payload = row.bytes(4)};
    if (stored.number.value != reading.last.value + 1) {
      add(reading, stored.number, "the event before it is " + std::to_string(reading.last.value) + " (J1)");
    }
    if (reading.is_last_marked) add(reading, reading.last, "marked as the newest event, but there are later ones");
    const Digest digest = row.digest(5);
    if (chain_digest(reading.previous, reading.state.id, stored) != digest) {
      add(reading, stored.number, "its digest does not match: it, or the one before it, was changed (J2)");
    }
    reading.previous = digest;  // so that each changed event is reported for itself
    reading.last = stored.number;
    reading.is_last_marked = !row.is_null(6);
    fold(reading, stored);
  }

  void fold(Reading& reading, const StoredEvent& stored) {
    Result<Event> event = decode(stored.kind, static_cast<int>(stored.version), stored.payload);
    Result<void> done;
    if (!event) {
      done = fail(std::move(event.error()));
    } else if (reading.is_folding) {
      done = apply(reading.state, {.number = stored.number, .at = stored.at, .event = std::move(*event)});
    }
    if (done) return;
    reading.is_folding = false;
    add(reading, stored.number, done.error().message);
  }

  Result<EventNumber> copy_number(const Reading& reading) {
    Query row = TRY(db_.query("SELECT number FROM copies WHERE run = ?", reading.run_no));
    if (!TRY(row.next())) return EventNumber{};
    return EventNumber{row.integer(0)};
  }

  Result<void> check_copy(Reading& reading) {
    Query row = TRY(db_.query("SELECT digest, body FROM copies WHERE run = ?", reading.run_no));
    if (!TRY(row.next())) return {};
    if (copy_digest(reading.previous, row.bytes(1)) != row.digest(0)) {
      add(reading, reading.last, "the stored copy does not belong to this event (J3)");
      return {};
    }
    const Result<RunState> copy = decode_state(row.bytes(1));
    if (!copy || encode_state(*copy) != encode_state(reading.state)) {
      add(reading, reading.last, "the stored copy is not what the events say (J3)");
    }
    return {};
  }

  Result<void> check_orphans() {
    Query rows =
        TRY(db_.query("SELECT DISTINCT run FROM events WHERE run NOT IN (SELECT no FROM runs) "
                      "UNION SELECT run FROM copies WHERE run NOT IN (SELECT no FROM runs)"));
    while (TRY(rows.next())) {
      faults_.push_back({.run = {},
                         .number = {},
                         .message = "there are events or a copy of run number " + std::to_string(rows.integer(0)) +
                                    ", but no such run"});
    }
    return {};
  }

  Result<void> check_texts() {
    Query rows = TRY(db_.query("SELECT digest, body FROM texts"));
    while (TRY(rows.next())) {
      const std::string_view key = rows.bytes(0);
      const bool is_masked = key.starts_with("masked:");
      const std::string digest = to_text(digest_of(rows.bytes(1)));
      if (is_masked ? key.ends_with(":" + digest) : key == digest) continue;
      faults_.push_back(
          {.run = {}, .number = {}, .message = "the text with digest " + rows.text(0) + " was changed"});
    }
    return {};
  }

  Connection& db_;
  std::span<const Migration> migrations_;
  std::vector<ChainFault> faults_;
};

}  // namespace

Result<void> SqliteJournal::rebuild_indexes() {
  return store_->write([&]() -> Result<void> { return db().run("REINDEX"); });
}

Result<std::vector<ChainFault>> SqliteJournal::verify() {
  return store_->read(
      [&]() -> Result<std::vector<ChainFault>> { return Verifier(db(), store_->migrations()).verify(); });
}

}  // namespace reprise
