// Requests: what other commands ask of the process that owns a run. They are rows, not events: what the
// owner does about them is what becomes part of the run's history.

#include "journal/sqlite_journal.h"
#include "os/clock.h"

namespace reprise {

Result<std::int64_t> SqliteJournal::ask(const RunId& run, std::string kind, std::string body, std::string by) {
  return store_->write([&]() -> Result<std::int64_t> {
    const RunRow row = TRY(find_run(run));
    TRY_VOID(db().run("INSERT INTO requests (run, kind, body, asked_by, asked_at) VALUES (?, ?, ?, ?, ?)", row.no,
                      kind, body, by, clock_.now()));
    return db().last_insert_no();
  });
}

Result<std::vector<Request>> SqliteJournal::requests(const RunId& run) {
  return store_->read([&]() -> Result<std::vector<Request>> {
    const RunRow row = TRY(find_run(run));
    Query rows =
        TRY(db().query("SELECT no, kind, body, asked_by, asked_at FROM requests "
                       "WHERE run = ? AND answer IS NULL ORDER BY no",
                       row.no));
    std::vector<Request> open;
    while (TRY(rows.next())) {
      open.push_back({.number = rows.integer(0),
                      .run = run,
                      .kind = rows.text(1),
                      .body = rows.text(2),
                      .by = rows.text(3),
                      .at = {rows.integer(4)}});
    }
    return open;
  });
}

Result<void> SqliteJournal::answer(const Lease& lease, std::int64_t request, std::string refusal) {
  return store_->write([&]() -> Result<void> {
    const RunRow row = TRY(find_leased_run(lease));
    TRY_VOID(db().run("UPDATE requests SET answer = ? WHERE no = ? AND run = ? AND answer IS NULL", refusal,
                      request, row.no));
    if (db().changed_rows() == 1) return {};
    return fail(ErrorKind::NotFound,
                "run " + lease.run.text + " has no open request " + std::to_string(request) + " to answer");
  });
}

Result<std::optional<std::string>> SqliteJournal::answer_to(std::int64_t request) {
  return store_->read([&]() -> Result<std::optional<std::string>> {
    Query query = TRY(db().query("SELECT answer FROM requests WHERE no = ?", request));
    if (!TRY(query.next())) return fail(ErrorKind::NotFound, "no request " + std::to_string(request));
    if (query.is_null(0)) return std::nullopt;
    return query.text(0);
  });
}

}  // namespace reprise
