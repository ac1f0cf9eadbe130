// Workers: the port through which the executor starts, watches and stops the programs that do steps.
//
// The real implementation talks to the run's guard (guard.h), a process that outlives the runner; in
// tests a script decides how each worker ends. Either way the executor sees the same few calls.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

/// One program to start. Nothing in here is interpreted: argv is executed as it is.
struct WorkerSpec {
  std::string attempt;  // unique name within the run: "<step>#<number>"
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "NAME=value", complete
  std::string directory;                 // working directory, absolute
  std::string stdout_path;               // created when there is something to put into it
  std::string stderr_path;
  std::string result_path;            // secrets are masked in it when the worker has ended; "": it writes none
  std::int64_t result_bytes_max = 0;  // a longer file is rejected
  std::int64_t output_bytes_max = 0;  // per stream; head and tail are kept
  std::int64_t timeout_ms = 0;        // 0: none
  std::int64_t grace_ms = 0;          // between TERM and KILL
  std::vector<std::string> secrets;   // values masked before output is stored
};

/// How a worker ended. Written to the run's exit log by the guard before anyone is told.
struct ExitRecord {
  std::string attempt;
  std::optional<int> exit_code;  // nothing if a signal ended it or it could not be started
  int signal = 0;
  bool timed_out = false;
  bool stopped = false;      // stop() was called for it
  std::string start_error;   // why it could not be started, "" if it was
  bool is_shortage = false;  // because the machine was short of descriptors, processes or memory
  bool left_result = false;  // there was a file at result_path when it had ended
  std::int64_t duration_ms = 0;
  std::int64_t stdout_bytes = 0;  // printed, not kept
  std::int64_t stderr_bytes = 0;
  Timestamp ended_at;
};

/// What is known of an attempt without an outcome.
struct AttemptSighting {
  enum class What {
    Ended,    // `record` tells how
    Running,  // alive under the guard; its end will arrive through wait()
    Gone,     // no record and nothing alive: it was interrupted, or never started
  };
  What what = What::Gone;
  ExitRecord record;
};

/// What wait() returns.
struct WorkerNews {
  std::vector<ExitRecord> ended;
  bool poked = false;       // somebody left a request in the journal
  bool signalled = false;   // a signal arrived, or the watched descriptor has input; see the caller's own flags
  bool guard_lost = false;  // the guard died: look every open attempt up again
};

class Workers {
 public:
  virtual ~Workers() = default;
  /// Starts all of `specs`; each ends with exactly one ExitRecord, also when it cannot be started.
  /// Unavailable if the guard is gone.
  virtual Result<void> start(const std::vector<WorkerSpec>& specs) = 0;
  /// Waits until something happened or `timeout` has passed (nothing: no limit).
  virtual Result<WorkerNews> wait(std::optional<Duration> timeout) = 0;
  /// Makes wait() return when `fd` becomes readable, too; -1: no longer.
  virtual void watch(int /*fd*/) {}
  /// Ends a worker and its whole process tree: TERM, grace, KILL. Its ExitRecord says stopped.
  virtual Result<void> stop(const std::string& attempt) = 0;
  /// Finds out what became of `attempt`. After Gone nothing of it is alive any more: leftovers are killed first.
  virtual Result<AttemptSighting> look_up(const std::string& attempt) = 0;
};

}  // namespace reprise
