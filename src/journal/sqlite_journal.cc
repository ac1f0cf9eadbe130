// Writing: new runs, events, copies, texts. Each call is one transaction of the store; a failed one leaves
// nothing behind.

#include "journal/sqlite_journal.h"

#include "model/event_codec.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/known_bad.h"

namespace reprise {

namespace {

Error no_such_run(const RunId& run) { return {.kind = ErrorKind::NotFound, .message = "no run " + run.shown()}; }

std::unexpected<Error> lease_lost(const Lease& lease, const std::string& why) {
  return fail(Error{.kind = ErrorKind::Conflict,
                    .message = "run " + lease.run.shown() + ": nothing is recorded with lease " +
                               std::to_string(lease.token.value) + ": " + why,
                    .hints = {"reprise status " + lease.run.shown()}});
}

}  // namespace

Result<std::unique_ptr<Journal>> open_sqlite_journal_with(const std::filesystem::path& directory, OpenMode mode,
                                                          Clock& clock, Entropy& entropy,
                                                          const StoreOptions& options) {
  std::unique_ptr<Store> store = TRY(Store::open(directory, mode, entropy, options));
  return std::make_unique<SqliteJournal>(std::move(store), clock, entropy);
}

Result<std::unique_ptr<Journal>> open_sqlite_journal(const std::filesystem::path& directory, OpenMode mode,
                                                     Clock& clock, Entropy& entropy) {
  return open_sqlite_journal_with(directory, mode, clock, entropy, StoreOptions{});
}

std::optional<Owner> SqliteJournal::stored_owner(const Query& row, int first) {
  if (row.is_null(first + 1)) return std::nullopt;
  return Owner{.host = row.text(first),
               .pid = static_cast<int>(row.integer(first + 1)),
               .start = row.text(first + 2),
               .boot = row.text(first + 3),
               .since = {row.integer(first + 4)},
               .alive = false};
}

Result<SqliteJournal::RunRow> SqliteJournal::find_run(const RunId& run) {
  Query row = TRY(db().query(
      "SELECT no, token, owner_host, owner_pid, owner_start, owner_boot, owner_since FROM runs WHERE id = ?",
      run.text));
  if (!TRY(row.next())) {
    // The index did not find it. Only the table itself knows whether that is so.
    Query scan = TRY(db().query("SELECT 1 FROM runs NOT INDEXED WHERE id = ?", run.text));
    if (!TRY(scan.next())) return fail(no_such_run(run));
    return fail(Error{.kind = ErrorKind::Corrupt,
                      .message = name() + ": an index of the journal is damaged: run " + run.shown() +
                                 " is there, and is not found",
                      .file = name(),
                      .hints = {"reprise verify --reindex"}});
  }
  return RunRow{.no = row.integer(0), .token = {row.integer(1)}, .owner = stored_owner(row, 2)};
}

// J4. A lease that was given back has no owner; one that was taken over has a smaller token.
Result<SqliteJournal::RunRow> SqliteJournal::find_leased_run(const Lease& lease) {
  RunRow row = TRY(find_run(lease.run));
  if (row.token != lease.token) {
    return lease_lost(lease, "the run was taken over, its lease is now " + std::to_string(row.token.value));
  }
  if (!row.owner) return lease_lost(lease, "it was given back");
  return row;
}

Result<SqliteJournal::Tip> SqliteJournal::tip_of(std::int64_t run_no) {
  Query query =
      TRY(db().query("SELECT number, digest FROM events WHERE key > ? AND key < ? ORDER BY key DESC LIMIT 1",
                     event_key(run_no, 0), event_key_end(run_no)));
  if (!TRY(query.next())) return Tip{};
  return Tip{.number = {query.integer(0)}, .digest = query.digest(1)};
}

Result<void> SqliteJournal::unmark_newest(std::int64_t run_no, const Tip& tip) {
  return db().run("UPDATE events SET newest = NULL WHERE key = ?", event_key(run_no, tip.number.value));
}

// Everything an append has to check, in the statement that it has to execute anyway: the lease is the
// current one (J4), and what we take for the newest event is that.
Result<bool> SqliteJournal::unmark_newest_if_leased(const Held& held) {
  TRY_VOID(
      db().run("UPDATE events SET newest = NULL WHERE key = ? AND newest = 1 AND digest = ? AND EXISTS "
               "(SELECT 1 FROM runs WHERE no = ? AND token = ? AND owner_pid IS NOT NULL)",
               event_key(held.run_no, held.tip.number.value), held.tip.digest, held.run_no, held.token.value));
  return db().changed_rows() == 1;
}

SqliteJournal::Held* SqliteJournal::find_held(const Lease& lease) {
  const auto found = held_.find(lease.run);
  return found != held_.end() && found->second.token == lease.token ? &found->second : nullptr;
}

// Adds `events` after `tip`, whose mark is gone already, and moves `tip` to the last of them.
Result<std::vector<RecordedEvent>> SqliteJournal::insert_events(const RunId& run, std::int64_t run_no, Tip& tip,
                                                                Timestamp at, std::span<const Event> events) {
  std::vector<RecordedEvent> recorded;
  recorded.reserve(events.size());
  for (const Event& event : events) {
    ++tip.number.value;
    const std::string payload = encode(event);
    const StoredEvent stored{
        .number = tip.number, .at = at, .kind = kind_of(event), .version = kEventVersion, .payload = payload};
    tip.digest = chain_digest(tip.digest, run, stored);
    const bool is_last = &event == &events.back();
    TRY_VOID(
        db().run("INSERT INTO events (key, at, kind, version, payload, digest, newest) "
                 "VALUES (?, ?, ?, ?, ?, ?, nullif(?, 0))",
                 event_key(run_no, stored.number.value), stored.at, stored.kind, stored.version, stored.payload,
                 tip.digest, std::int64_t{is_last}));
    if (const auto* archived = std::get_if<RunArchived>(&event)) {
      TRY_VOID(db().run("UPDATE runs SET archived = ? WHERE no = ?", std::int64_t{!archived->again}, run_no));
    }
    recorded.push_back({.number = tip.number, .at = at, .event = event});
  }
  return recorded;
}

Result<std::string> SqliteJournal::new_serial(std::int64_t run_no) {
  constexpr std::size_t kJournalDigits = 8;
  constexpr int kRandomDigits = 8;
  const std::string journal = TRY(db().value("SELECT value FROM meta WHERE key = 'journal'"));
  return std::to_string(run_no) + "-" + journal.substr(0, kJournalDigits) + "-" + entropy_.hex(kRandomDigits);
}

Result<Lease> SqliteJournal::create(const RunId& run, std::span<const Event> events,
                                    std::span<const std::string> texts, Origin origin) {
  if (events.empty())
    return fail(ErrorKind::Invalid, "run " + run.shown() + " cannot be created without an event");
  constexpr LeaseToken kFirst{1};
  std::optional<FileLock> lock;
  std::int64_t run_no = 0;
  Tip tip;
  const auto insert_run = [&]() -> Result<void> {
    Query existing = TRY(db().query("SELECT 1 FROM runs WHERE id = ?", run.text));
    if (TRY(existing.next())) return fail(ErrorKind::Conflict, "run " + run.shown() + " exists already");
    TRY_VOID(db().run("INSERT INTO runs (id, created_at, token) VALUES (?, ?, ?)", run.text, clock_.now(),
                      kFirst.value));
    run_no = db().last_insert_no();
    lock = TRY(try_lock_run(run_no));
    if (!lock) return fail(held_by(run, std::nullopt));
    TRY_VOID(set_owner(run_no, kFirst));
    for (const std::string& text : texts) TRY_VOID(insert_text(text));
    tip = Tip{};
    std::vector<Event> first(events.begin(), events.end());
    if (auto* created = std::get_if<RunCreated>(&first.front()); created != nullptr && origin == Origin::New)
      created->serial = TRY(new_serial(run_no));
    TRY_VOID(insert_events(run, run_no, tip, clock_.now(), first));
    return {};
  };
  TRY_VOID(store_->write(insert_run));
  held_.insert_or_assign(run, Held{.token = kFirst, .lock = std::move(*lock), .run_no = run_no, .tip = tip});
  return Lease{.run = run, .token = kFirst};
}

Result<std::vector<RecordedEvent>> SqliteJournal::insert_if_leased(const Lease& lease, EventNumber expected,
                                                                   Tip& tip, Timestamp at,
                                                                   std::span<const Event> events) {
  Held* const held = find_held(lease);
  if (held != nullptr && held->tip.number == expected && TRY(unmark_newest_if_leased(*held))) {
    tip = held->tip;
    return insert_events(lease.run, held->run_no, tip, at, events);
  }
  // Something is not as this object believes: find out what.
  const RunRow row = TRY(find_leased_run(lease));
  tip = TRY(tip_of(row.no));
  if (tip.number != expected) {
    return fail(ErrorKind::Conflict, "run " + lease.run.shown() + " is at event " +
                                         std::to_string(tip.number.value) + ", not at " +
                                         std::to_string(expected.value));
  }
  TRY_VOID(unmark_newest(row.no, tip));
  return insert_events(lease.run, row.no, tip, at, events);
}

Result<std::vector<RecordedEvent>> SqliteJournal::append(const Lease& lease, EventNumber expected,
                                                         std::span<const Event> events,
                                                         std::optional<Timestamp> at,
                                                         std::span<const RequestAnswer> answers) {
  if (events.empty() && answers.empty()) return std::vector<RecordedEvent>{};
  const Timestamp time = at ? *at : clock_.now();
  const Store::Durability durability =
      known_bad(KnownBad::AckBeforeCommit) ? Store::Durability::Later : Store::Durability::Now;
  const bool answers_apart = known_bad(KnownBad::AnswerApart);
  Tip tip;
  const auto insert = [&]() -> Result<std::vector<RecordedEvent>> {
    std::vector<RecordedEvent> recorded;
    if (!events.empty()) recorded = TRY(insert_if_leased(lease, expected, tip, time, events));
    if (!answers.empty() && !answers_apart) TRY_VOID(store_answers(lease, answers));
    return recorded;
  };
  Result<std::vector<RecordedEvent>> recorded = store_->write(insert, durability);
  Held* const held = find_held(lease);
  if (recorded && !events.empty() && held != nullptr) held->tip = tip;
  if (answers_apart) TRY_VOID(store_->write([&] { return store_answers(lease, answers); }));
  return recorded;
}

Result<void> SqliteJournal::put_copy(const Lease& lease, const RunState& state) {
  const std::string body = encode_state(state);
  return store_->write([&]() -> Result<void> {
    const RunRow row = TRY(find_leased_run(lease));
    Query event = TRY(db().query("SELECT digest FROM events WHERE key = ?", event_key(row.no, state.last.value)));
    if (!TRY(event.next())) {
      return fail(ErrorKind::Conflict, "run " + lease.run.shown() + " has no event " +
                                           std::to_string(state.last.value) +
                                           " that a copy of its state could end with");
    }
    return db().run("INSERT OR REPLACE INTO copies (run, number, digest, body) VALUES (?, ?, ?, ?)", row.no,
                    state.last.value, copy_digest(event.digest(0), body), Blob{body});
  });
}

Result<void> SqliteJournal::insert_text(std::string_view text) {
  return db().run("INSERT OR IGNORE INTO texts (digest, body) VALUES (?, ?)", to_text(digest_of(text)), text);
}

Result<void> SqliteJournal::put_masked_text(const std::string& digest, std::string_view masked) {
  const std::string key = "masked:" + digest + ":" + to_text(digest_of(masked));
  return store_->write(
      [&] { return db().run("INSERT OR IGNORE INTO texts (digest, body) VALUES (?, ?)", key, masked); });
}

Result<std::string> SqliteJournal::put_text(std::string_view text) {
  const std::string digest = to_text(digest_of(text));
  const auto look = [&]() -> Result<bool> {
    Query query = TRY(db().query("SELECT 1 FROM texts WHERE digest = ?", digest));
    return query.next();
  };
  const bool is_there = TRY(store_->read(look));
  if (!is_there) TRY_VOID(store_->write([&] { return insert_text(text); }));
  return digest;
}

}  // namespace reprise
