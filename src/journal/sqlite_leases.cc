// Leases: who may append to a run.
//
// Two things together make one: a lock that the kernel holds for a process, which tells at once whether
// the owner is alive, and a token in the run's row, which grows with every change of owner and is
// checked by every append. The lock keeps two runners apart, the token makes a mistake about it harmless.

#include <algorithm>

#include "base/strings.h"
#include "journal/sqlite_journal.h"
#include "os/clock.h"
#include "os/machine.h"
#include "os/process.h"

namespace reprise {

namespace {

std::string short_name(const std::string& host, int pid) { return host + ":" + std::to_string(pid); }

constexpr Duration kNamePatience{1'000};
constexpr Duration kNamePause{1};

bool is_at_work(const Owner& owner) {
  if (owner.host != host_name()) return false;
  return is_alive({.pid = owner.pid, .start = owner.start, .boot = owner.boot}).value_or(true);
}

// The first byte of leases.lock belongs to no run.
std::int64_t lock_offset(std::int64_t run_no) { return run_no + 1; }

Error being_removed(const RunId& run) {
  return {.kind = ErrorKind::Invalid,
          .message = "a gc has begun to remove the files of run " + run.shown() + "; it cannot be brought back",
          .hints = {"reprise gc"}};
}

}  // namespace

Result<std::optional<FileLock>> SqliteJournal::try_lock_run(std::int64_t run_no) {
  return FileLock::try_lock(store_->leases_file(), lock_offset(run_no));
}

Result<bool> SqliteJournal::is_run_locked(std::int64_t run_no) {
  return is_locked(store_->leases_file(), lock_offset(run_no));
}

Result<ProcessId> SqliteJournal::process() {
  if (!process_) process_ = TRY(identify_self());
  return *process_;
}

Error SqliteJournal::held_by(const RunId& run, const std::optional<Owner>& owner) const {
  std::string holder = "another process";
  if (owner) {
    holder = "process " + std::to_string(owner->pid) + " on " + owner->host + " since " + to_text(owner->since);
  }
  return {.kind = ErrorKind::Conflict,
          .message = "run " + run.shown() + " is held by " + holder,
          .hints = {"reprise status " + shell_quote(run.shown()), "reprise attach " + shell_quote(run.shown())}};
}

Result<void> SqliteJournal::set_owner(std::int64_t run_no, LeaseToken token) {
  const ProcessId self = TRY(process());
  return db().run(
      "UPDATE runs SET token = ?, owner_host = ?, owner_pid = ?, owner_start = ?, owner_boot = ?, owner_since = ? "
      "WHERE no = ?",
      token.value, host_name(), std::int64_t{self.pid}, self.start, self.boot, clock_.now(), run_no);
}

// An owner that is still in the row never gave the lease back, and the lock says that it is gone.
Result<LeaseToken> SqliteJournal::take_lease(const RunId& run, LeaseToken newest, Tip& tip) {
  const RunRow row = TRY(find_run(run));
  if (TRY(is_removal_begun(row.no))) return fail(being_removed(run));
  const LeaseToken token{std::max(row.token.value, newest.value) + 1};
  TRY_VOID(set_owner(row.no, token));
  TRY_VOID(withdraw_requests(row.no));
  tip = TRY(tip_of(row.no));
  if (row.owner) {
    const ProcessId self = TRY(process());
    const Event takeover = LeaseTakenOver{.from = short_name(row.owner->host, row.owner->pid),
                                          .to = short_name(host_name(), self.pid)};
    TRY_VOID(unmark_newest(row.no, tip));
    TRY_VOID(insert_events(run, row.no, tip, clock_.now(), {&takeover, 1}));
  }
  return token;
}

// Whoever has just taken the lock is not in the row yet, and the one before may still be: naming that one
// would send people after a process that is gone. So the holder is given a moment to write its name.
Result<SqliteJournal::RunRow> SqliteJournal::row_of_held(const RunId& run) {
  for (Duration waited{0};; waited += kNamePause) {
    RunRow row = TRY(store_->read([&] { return find_run(run); }));
    if (row.owner && is_at_work(*row.owner)) return row;
    if (waited >= kNamePatience || !TRY(is_run_locked(row.no))) return row;
    pause_for(kNamePause);
  }
}

Result<Lease> SqliteJournal::acquire(const RunId& run, LeaseToken newest) {
  RunRow row = TRY(store_->read([&] { return find_run(run); }));
  std::optional<FileLock> lock = TRY(try_lock_run(row.no));
  while (!lock) {
    row = TRY(row_of_held(run));
    if (TRY(is_run_locked(row.no))) return fail(held_by(run, row.owner));
    lock = TRY(try_lock_run(row.no));  // its holder went without a word
  }
  if (row.owner) TRY_VOID(store_->settle());
  Tip tip;
  const LeaseToken token = TRY(store_->write([&] { return take_lease(run, newest, tip); }));
  held_.insert_or_assign(run, Held{.token = token, .lock = std::move(*lock), .run_no = row.no, .tip = tip});
  return Lease{.run = run, .token = token};
}

void SqliteJournal::release(const Lease& lease) {
  // First the row, then the lock: whoever gets the lock must not find an owner that has gone in good order.
  static_cast<void>(store_->write([&]() -> Result<void> {
    return db().run(
        "UPDATE runs SET owner_host = NULL, owner_pid = NULL, owner_start = NULL, owner_boot = NULL, "
        "owner_since = NULL WHERE id = ? AND token = ?",
        lease.run.text, lease.token.value);
  }));
  if (find_held(lease) != nullptr) held_.erase(lease.run);
}

Result<std::optional<Owner>> SqliteJournal::owner(const RunId& run) {
  RunRow row = TRY(store_->read([&] { return find_run(run); }));
  bool is_locked = row.owner && TRY(is_run_locked(row.no));
  if (is_locked && !is_at_work(*row.owner)) {
    row = TRY(row_of_held(run));
    is_locked = TRY(is_run_locked(row.no));
  }
  if (row.owner) row.owner->alive = is_locked;
  return std::move(row.owner);
}

Result<void> SqliteJournal::break_lease(const RunId& run) {
  const RunRow row = TRY(store_->read([&] { return find_run(run); }));
  // Held until the row says it, so that nobody acquires in between.
  const std::optional<FileLock> lock = TRY(try_lock_run(row.no));
  if (!lock) return fail(held_by(run, row.owner));
  return store_->write([&]() -> Result<void> {
    return db().run(
        "UPDATE runs SET token = token + 1, owner_host = NULL, owner_pid = NULL, owner_start = NULL, "
        "owner_boot = NULL, owner_since = NULL WHERE id = ?",
        run.text);
  });
}

}  // namespace reprise
