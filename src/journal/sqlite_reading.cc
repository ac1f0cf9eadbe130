// Reading: a run's state and events, the list of runs, texts, and facts about the store.

#include <algorithm>

#include "journal/sqlite_journal.h"
#include "model/event_codec.h"
#include "model/limits.h"

namespace reprise {

namespace {

constexpr int kFixedSqliteVersion = 3051003;  // the first without the WAL-reset bug

// The columns "number, at, kind, version, payload", in this order.
StoredEvent stored_event(const Query& row) {
  return {.number = {row.integer(0)},
          .at = {row.integer(1)},
          .kind = row.bytes(2),
          .version = row.integer(3),
          .payload = row.bytes(4)};
}

Result<void> decode_stored(const RunId& run, const StoredEvent& stored, RecordedEvent& out) {
  out.number = stored.number;
  out.at = stored.at;
  Result<void> decoded = decode_into(stored.kind, static_cast<int>(stored.version), stored.payload, out.event);
  if (decoded) return {};
  return fail(std::move(decoded.error())
                  .within("run " + run.shown() + ": event " + std::to_string(stored.number.value))
                  .hint("reprise verify"));
}

std::unexpected<Error> altered(const RunId& run, EventNumber number, const std::string& what) {
  return fail(Error{.kind = ErrorKind::Corrupt,
                    .message = "run " + run.shown() + ": event " + std::to_string(number.value) + ": " + what,
                    .hints = {"reprise verify"}});
}

}  // namespace

// Fills `state` from the stored copy if that is tied to the event it ends with; nothing if it is not (J3).
Result<std::optional<SqliteJournal::Tip>> SqliteJournal::read_copy(std::int64_t run_no, RunState& state) {
  Query copy = TRY(db().query("SELECT number, digest, body FROM copies WHERE run = ?", run_no));
  if (!TRY(copy.next())) return std::nullopt;
  const EventNumber number{copy.integer(0)};
  Query event = TRY(db().query("SELECT digest FROM events WHERE key = ?", event_key(run_no, number.value)));
  if (!TRY(event.next())) return std::nullopt;
  const Digest last = event.digest(0);
  if (copy_digest(last, copy.bytes(2)) != copy.digest(1)) return std::nullopt;
  Result<RunState> decoded = decode_state(copy.bytes(2));
  if (!decoded || decoded->id != state.id || decoded->last != number) return std::nullopt;
  state = std::move(*decoded);
  return Tip{.number = number, .digest = last};
}

// Adds the events after `state.last`; `previous` is the digest of that event. The chain is checked on the
// way: it costs little, and acting on a changed history would be worse than not starting.
Result<void> SqliteJournal::fold_events(std::int64_t run_no, const Digest& previous, RunState& state) {
  Query rows =
      TRY(db().query("SELECT number, at, kind, version, payload, digest, newest FROM events "
                     "WHERE key >= ? AND key < ? ORDER BY key",
                     event_key(run_no, state.last.value), event_key_end(run_no)));
  Digest digest = previous;
  RecordedEvent event;
  bool is_newest_marked = false;
  while (TRY(rows.next())) {
    const StoredEvent stored = stored_event(rows);
    is_newest_marked = !rows.is_null(6);
    if (stored.number == state.last) continue;  // in the copy already; read for its mark
    digest = chain_digest(digest, state.id, stored);
    if (digest != rows.digest(5)) return altered(state.id, stored.number, "its digest does not match");
    TRY_VOID(decode_stored(state.id, stored, event));
    if (Result<void> applied = apply(state, event); !applied) {
      return fail(std::move(applied.error()).within("run " + state.id.shown()).hint("reprise verify"));
    }
  }
  if (!is_newest_marked)
    return altered(state.id, state.last, "it is not the newest, but those after it are missing");
  return {};
}

Result<bool> SqliteJournal::has_siblings(const RunId& run) {
  const std::string subject(subject_of(run));
  // "A" comes behind "@": these are the ids that begin with "SUBJECT@".
  Query ids = TRY(db().query("SELECT id FROM runs WHERE id = ? OR (id > ? AND id < ?)", subject, subject + "@",
                             subject + "A"));
  while (TRY(ids.next())) {
    const RunId other{ids.text(0)};
    if (other != run && subject_of(other) == subject) return true;
  }
  return false;
}

Result<RunState> SqliteJournal::state(const RunId& run) {
  return store_->read([&]() -> Result<RunState> {
    const RunRow row = TRY(find_run(run));
    RunState state;
    state.id = run;
    const std::optional<Tip> copied = TRY(read_copy(row.no, state));
    TRY_VOID(fold_events(row.no, copied ? copied->digest : Digest{}, state));
    state.id.has_siblings = TRY(has_siblings(run));
    return state;
  });
}

Result<std::vector<RecordedEvent>> SqliteJournal::events(const RunId& run, EventNumber after, int limit) {
  return store_->read([&]() -> Result<std::vector<RecordedEvent>> {
    const RunRow row = TRY(find_run(run));
    Query rows = TRY(
        db().query("SELECT number, at, kind, version, payload FROM events "
                   "WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
                   event_key(row.no, after.value), event_key_end(row.no), std::int64_t{limit < 0 ? 0 : limit}));
    std::vector<RecordedEvent> found;
    while (TRY(rows.next())) {
      // All at once for the first: growing would move every event several times.
      if (found.empty()) found.reserve(static_cast<std::size_t>(std::min(limit, kEventsPerReadMax)));
      TRY_VOID(decode_stored(run, stored_event(rows), found.emplace_back()));
    }
    return found;
  });
}

Result<std::string> SqliteJournal::key(const RunId& run) {
  const std::vector<RecordedEvent> first = TRY(events(run, {0}, 1));
  const auto* created = first.empty() ? nullptr : std::get_if<RunCreated>(&first.front().event);
  if (created == nullptr) return altered(run, {1}, "it is not the creation of the run");
  return run_key(run, created->serial);
}

Result<std::vector<RunEntry>> SqliteJournal::runs() {
  std::vector<std::int64_t> numbers;
  const auto list = [&]() -> Result<std::vector<RunEntry>> {
    Query rows = TRY(db().query(
        "SELECT no, id, created_at, archived, "
        "(SELECT number FROM events WHERE key >= no << 40 AND key < (no + 1) << 40 ORDER BY key DESC LIMIT 1), "
        "owner_host, owner_pid, owner_start, owner_boot, owner_since, "
        "(SELECT at FROM events WHERE key >= no << 40 AND key < (no + 1) << 40 ORDER BY key DESC LIMIT 1), "
        "EXISTS (SELECT 1 FROM meta WHERE meta.key = 'removing:' || no) FROM runs ORDER BY no"));
    std::vector<RunEntry> entries;
    while (TRY(rows.next())) {
      numbers.push_back(rows.integer(0));
      entries.push_back({.id = {rows.text(1)},
                         .last = {rows.integer(4)},
                         .created_at = {rows.integer(2)},
                         .updated_at = {rows.integer(10)},
                         .archived = rows.integer(3) != 0,
                         .is_being_removed = rows.integer(11) != 0,
                         .owner = stored_owner(rows, 5)});
    }
    return entries;
  };
  std::vector<RunEntry> entries = TRY(store_->read(list));
  mark_siblings(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].owner) entries[i].owner->alive = TRY(is_run_locked(numbers[i]));
  }
  return entries;
}

Result<std::string> SqliteJournal::text(const std::string& digest) {
  const auto find = [&]() -> Result<std::string> {
    Query query = TRY(db().query("SELECT body FROM texts WHERE digest = ?", digest));
    if (!TRY(query.next())) return fail(ErrorKind::NotFound, name() + ": no text with digest " + digest);
    return query.text(0);
  };
  std::string body = TRY(store_->read(find));
  if (to_text(digest_of(body)) != digest) {
    return fail(ErrorKind::Corrupt, name() + ": the text with digest " + digest + " was changed");
  }
  return body;
}

// A masked text has both digests in its key: the one that it was, and its own, which check_texts() compares.
Result<std::string> SqliteJournal::shown_text(const std::string& digest) {
  Result<std::string> whole = text(digest);
  if (whole || whole.error().kind != ErrorKind::NotFound) return whole;
  const std::string key = "masked:" + digest + ":";
  return store_->read([&]() -> Result<std::string> {
    Query query = TRY(db().query("SELECT body FROM texts WHERE digest > ? AND digest < ?", key, key + "~"));
    if (!TRY(query.next())) return fail(whole.error());
    return query.text(0);
  });
}

Result<std::vector<std::pair<std::string, std::string>>> SqliteJournal::facts() {
  return store_->read([&]() -> Result<std::vector<std::pair<std::string, std::string>>> {
    const bool has_wal_reset_bug = sqlite_version_number() < kFixedSqliteVersion;
    const std::string pages = TRY(db().value("PRAGMA page_count"));
    const std::string page_size = TRY(db().value("PRAGMA page_size"));
    const std::int64_t bytes = std::stoll(pages) * std::stoll(page_size);
    std::vector<std::pair<std::string, std::string>> facts;
    facts.emplace_back("journal", name());
    facts.emplace_back("journal id", TRY(db().value("SELECT value FROM meta WHERE key = 'journal'")));
    facts.emplace_back("format version", TRY(db().value("PRAGMA user_version")));
    facts.emplace_back("size in bytes", std::to_string(bytes));
    facts.emplace_back("runs", TRY(db().value("SELECT count(*) FROM runs")));
    facts.emplace_back("journal mode", TRY(db().value("PRAGMA journal_mode")));
    facts.emplace_back("sqlite", std::string(sqlite_version_text()));
    facts.emplace_back("sqlite WAL-reset bug",
                       has_wal_reset_bug ? "in this version (before 3.51.3); does not apply: all writing and "
                                           "checkpointing is done by one process at a time, under journal.lock"
                                         : "fixed in this version");
    return facts;
  });
}

}  // namespace reprise
