// Waiting for a lock that another process holds.
//
// Every wait works the same way: try, pause, try again. After kLockNoticeAfter the listener is told which file is
// locked and which process holds it. From then on SIGINT, SIGTERM and SIGHUP end the wait, whether they are
// blocked or not. After kLockPatience the wait fails, unless the program is at work on a run (PatientLockWaits).
//
// The holder is looked up in /proc, and only by a process that waits: taking a lock costs nothing extra.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/process_table.h"

namespace reprise {

inline constexpr Duration kLockNoticeAfter{1'000};
inline constexpr Duration kLockPatience{10'000};

/// The lock that is waited for.
struct LockSubject {
  std::vector<std::filesystem::path> files;  // the lock is on one of them; messages name the first
  std::optional<std::int64_t> byte = {};     // nothing: any byte
  bool is_brief = true;  // held for moments. Otherwise a holder that runs is waited for without a limit
};

/// Returns the other processes that hold a write lock on `subject`, as far as this user may see them.
std::vector<ProcessEntry> find_lock_holders(const LockSubject& subject);

/// Returns the error of a lock that is not released: Busy, with the file, the holder and what to do about it.
Error lock_is_held(const LockSubject& subject);

/// One wait. Call pause() after every attempt to take the lock that failed.
class LockWait {
 public:
  explicit LockWait(LockSubject subject);

  /// Sleeps until the next attempt is due. Fails with Busy if the lock is not released in time, with Interrupted
  /// if a signal asked this process to end.
  Result<void> pause();

 private:
  Result<void> check_patience(Duration waited);

  LockSubject subject_;
  Duration since_;
  Duration next_check_;
  std::int64_t pause_us_;
};

/// Receives the notices of waits while it lives; the newest one gets them. Notices of other threads than the main
/// one are dropped.
class LockWaitListener {
 public:
  using Say = std::function<void(const std::string& text, const std::vector<std::string>& hints)>;
  explicit LockWaitListener(Say say);
  ~LockWaitListener();
  LockWaitListener(const LockWaitListener&) = delete;
  LockWaitListener& operator=(const LockWaitListener&) = delete;

 private:
  Say previous_;
};

/// While it lives, waits have no limit: a run must not end because another process was stopped for a while.
class PatientLockWaits {
 public:
  PatientLockWaits();
  ~PatientLockWaits();
  PatientLockWaits(const PatientLockWaits&) = delete;
  PatientLockWaits& operator=(const PatientLockWaits&) = delete;
};

}  // namespace reprise
