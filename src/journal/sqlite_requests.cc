// Requests: what other commands ask of the process that owns a run. They are rows, not events: what the
// owner does about them is what becomes part of the run's history.
//
// Whoever asked may take a request back until the owner has claimed it: what is claimed may already be part of
// what the owner is about to append.
//
// J10: an open row always belongs to the present lease. ask() refuses where there is no owner, append() answers
// together with the events, and whoever takes the lease removes what the owner before left open. So a request
// is done once or not at all, and never by a process that was not asked.
//
// An answered row keeps nothing of what was asked: whoever asked may not have known that a secret is in it.

#include "base/strings.h"
#include "journal/sqlite_journal.h"
#include "os/clock.h"
#include "os/known_bad.h"

namespace reprise {

Result<std::int64_t> SqliteJournal::ask(const RunId& run, std::string kind, std::string body, std::string by) {
  return store_->write([&]() -> Result<std::int64_t> {
    const RunRow row = TRY(find_run(run));
    if (!row.owner) return fail(ErrorKind::Conflict, "nobody works on run " + run.shown() + " who could be asked");
    TRY_VOID(db().run("INSERT INTO requests (run, kind, body, asked_by, asked_at) VALUES (?, ?, ?, ?, ?)", row.no,
                      kind, body, by, clock_.now()));
    return db().last_insert_no();
  });
}

Result<std::vector<Request>> SqliteJournal::open_requests(const RunId& run) {
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
}

Result<std::vector<Request>> SqliteJournal::requests(const RunId& run) {
  return store_->read([&] { return open_requests(run); });
}

// In `meta`: the number of the newest request that the owner of a run has claimed. Numbers only grow, and all that
// are open are claimed at once.
Result<std::int64_t> SqliteJournal::newest_claimed(std::int64_t run_no) {
  Query rows = TRY(db().query("SELECT value FROM meta WHERE key = 'claimed:' || ?", run_no));
  return TRY(rows.next()) ? parse_number(rows.text(0), INT64_MAX).value_or(0) : 0;
}

// Asked for often, and nearly always in vain: nothing is written unless there is something new.
Result<std::vector<Request>> SqliteJournal::claim_requests(const RunId& run) {
  const auto has_new = [&]() -> Result<bool> {
    const std::vector<Request> open = TRY(open_requests(run));
    return !open.empty() && open.back().number > TRY(newest_claimed(TRY(find_run(run)).no));
  };
  if (!TRY(store_->read(has_new))) return requests(run);
  return store_->write([&]() -> Result<std::vector<Request>> {
    std::vector<Request> open = TRY(open_requests(run));
    if (open.empty()) return open;
    TRY_VOID(db().run("INSERT OR REPLACE INTO meta (key, value) VALUES ('claimed:' || ?, ?)",
                      TRY(find_run(run)).no, std::to_string(open.back().number)));
    return open;
  });
}

Result<RequestOutcome> SqliteJournal::withdraw(std::int64_t request) {
  return store_->write([&]() -> Result<RequestOutcome> {
    Query rows = TRY(db().query("SELECT run FROM requests WHERE no = ? AND answer IS NULL", request));
    if (TRY(rows.next()) && request > TRY(newest_claimed(rows.integer(0))))
      TRY_VOID(db().run("DELETE FROM requests WHERE no = ?", request));
    return find_outcome(request);
  });
}

Result<void> SqliteJournal::store_answers(const Lease& lease, std::span<const RequestAnswer> answers) {
  const RunRow row = TRY(find_leased_run(lease));
  for (const RequestAnswer& answer : answers) {
    TRY_VOID(db().run("UPDATE requests SET answer = ?, body = '' WHERE no = ? AND run = ? AND answer IS NULL",
                      answer.refusal, answer.request, row.no));
    if (db().changed_rows() == 1) continue;
    return fail(ErrorKind::NotFound, "run " + lease.run.shown() + " has no open request " +
                                         std::to_string(answer.request) + " to answer");
  }
  return {};
}

Result<void> SqliteJournal::withdraw_requests(std::int64_t run_no) {
  if (known_bad(KnownBad::KeepRequests)) return {};
  return db().run("DELETE FROM requests WHERE run = ? AND answer IS NULL", run_no);
}

Result<RequestOutcome> SqliteJournal::find_outcome(std::int64_t request) {
  using What = RequestOutcome::What;
  Query query = TRY(db().query("SELECT answer FROM requests WHERE no = ?", request));
  if (!TRY(query.next())) return RequestOutcome{.what = What::Withdrawn};
  if (query.is_null(0)) return RequestOutcome{};
  std::string refusal = query.text(0);
  return RequestOutcome{.what = refusal.empty() ? What::Granted : What::Refused, .refusal = std::move(refusal)};
}

Result<RequestOutcome> SqliteJournal::outcome_of(std::int64_t request) {
  return store_->read([&] { return find_outcome(request); });
}

}  // namespace reprise
