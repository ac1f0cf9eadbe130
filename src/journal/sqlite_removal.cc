// Removing archived runs, and remembering their numbers, so that no later run is given one of them again.

#include <algorithm>

#include "base/strings.h"
#include "journal/sqlite_journal.h"
#include "os/known_bad.h"

namespace reprise {

namespace {

constexpr const char* kRemovable =
    "SELECT no, id FROM runs WHERE archived = 1 AND "
    "((SELECT at FROM events WHERE key >= no << 40 AND key < (no + 1) << 40 ORDER BY key DESC LIMIT 1) < ? "
    "OR EXISTS (SELECT 1 FROM meta WHERE key = 'removing:' || no)) "
    "ORDER BY no";

// In `meta`: the largest number of a removed run of a subject.
std::string number_key(std::string_view subject) { return "number:" + std::string(subject); }

}  // namespace

Result<std::int64_t> SqliteJournal::largest_number(const std::string& subject) {
  return store_->read([&]() -> Result<std::int64_t> {
    Query removed = TRY(db().query("SELECT value FROM meta WHERE key = ?", number_key(subject)));
    std::int64_t largest = TRY(removed.next()) ? parse_number(removed.text(0), INT64_MAX).value_or(0) : 0;
    // "A" comes behind "@": these are the ids that begin with "SUBJECT@".
    Query runs = TRY(db().query("SELECT id FROM runs WHERE id = ? OR (id > ? AND id < ?)", subject, subject + "@",
                                subject + "A"));
    while (TRY(runs.next())) {
      const RunId run{runs.text(0)};
      if (run.text == subject) largest = std::max<std::int64_t>(largest, 1);  // whatever "@" is in it
      if (subject_of(run) == subject) largest = std::max(largest, number_of(run));
    }
    return largest;
  });
}

Result<std::vector<RunId>> SqliteJournal::removable(Timestamp before) {
  return store_->read([&]() -> Result<std::vector<RunId>> {
    Query rows = TRY(db().query(kRemovable, before));
    std::vector<RunId> found;
    while (TRY(rows.next())) {
      if (!TRY(is_run_locked(rows.integer(0)))) found.push_back(RunId{rows.text(1)});
    }
    return found;
  });
}

Result<void> SqliteJournal::remember_number(const RunId& run) {
  const std::string key = number_key(subject_of(run));
  Query known = TRY(db().query("SELECT value FROM meta WHERE key = ?", key));
  const std::int64_t largest = TRY(known.next()) ? parse_number(known.text(0), INT64_MAX).value_or(0) : 0;
  return db().run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key,
                  std::to_string(std::max(largest, number_of(run))));
}

Result<void> SqliteJournal::delete_run(std::int64_t run_no) {
  TRY_VOID(db().run("DELETE FROM events WHERE key >= ? AND key < ?", event_key(run_no, 0), event_key_end(run_no)));
  TRY_VOID(db().run("DELETE FROM copies WHERE run = ?", run_no));
  TRY_VOID(db().run("DELETE FROM requests WHERE run = ?", run_no));
  TRY_VOID(db().run("DELETE FROM meta WHERE key IN ('removing:' || ?, 'claimed:' || ?)", run_no, run_no));
  return db().run("DELETE FROM runs WHERE no = ?", run_no);
}

// In `meta`, so that an earlier version, which does not know it, still reads the journal.
Result<void> SqliteJournal::begin_removal(const RunId& run) {
  return store_->write([&]() -> Result<void> {
    const RunRow row = TRY(find_run(run));
    return db().run("INSERT OR REPLACE INTO meta (key, value) VALUES ('removing:' || ?, 'begun')", row.no);
  });
}

Result<bool> SqliteJournal::is_removal_begun(std::int64_t run_no) {
  Query rows = TRY(db().query("SELECT 1 FROM meta WHERE key = 'removing:' || ?", run_no));
  return rows.next();
}

// The lock on the run's lease is held from before it is asked for to after it is gone: nobody brings it back from
// the archive meanwhile.
Result<bool> SqliteJournal::remove(const RunId& run, Timestamp before,
                                   const std::function<Result<bool>()>& clear) {
  Result<RunRow> row = store_->read([&] { return find_run(run); });
  if (!row && row.error().kind == ErrorKind::NotFound) return false;  // somebody else was quicker
  if (!row) return fail(row.error());
  const std::optional<FileLock> lock = TRY(try_lock_run(row->no));
  if (!lock) return false;
  const auto is_removable = [&]() -> Result<bool> {
    Query rows = TRY(db().query(kRemovable, before));
    while (TRY(rows.next())) {
      if (rows.integer(0) == row->no) return true;
    }
    return false;
  };
  const auto remove_rows = [&]() -> Result<bool> {
    if (!TRY(is_removable())) return false;
    TRY_VOID(remember_number(run));
    TRY_VOID(delete_run(row->no));
    return true;
  };
  if (known_bad(KnownBad::RowsBeforeFolders)) {
    if (!TRY(store_->write(remove_rows))) return false;
    return clear();
  }
  if (!TRY(store_->read(is_removable)) || !TRY(clear())) return false;
  return store_->write(remove_rows);
}

}  // namespace reprise
