// The guard: one small process per run that starts and holds the run's workers and outlives the runner.
//
// Killing a forty-minute agent because its supervisor crashed loses paid work; leaving it alone does
// it twice. So workers are children of the guard. A runner connects to it, by the unix socket in the
// run's folder, and may die; the next one connects to the same guard, asks what became of each
// attempt and goes on. The guard ends when no worker is left and no runner is connected.
//
// What always holds:
//
//   G1  At most one guard per run: it holds the kernel lock on `guard.lock` in the run's folder.
//   G2  Each attempt that was started gets exactly one exit record, appended to `exits.log` with one
//       write before any runner is told. A torn last line is cut off by the next guard and ignored by readers.
//   G3  A start carries the runner's lease token; a token older than the newest seen is refused, so a
//       runner that lost its lease cannot start anything.
//   G4  Both output streams are drained always. What is kept is capped per stream: the head and the
//       tail, with a marker between; secrets are masked before a byte is stored, and in the result file
//       before the worker's exit record is written.
//   G5  A worker runs in a process group of its own with descriptors 0, 1, 2 only. Ending it ends the
//       tree: process group, descendants, and whatever carries its tag (REPRISE_TAG) in its environment.
//       The guard is a subreaper, so nothing escapes by forking away.
//   G6  Messages are JSON lines that begin with a protocol version; a newer runner can adopt the
//       workers of an older guard: hello, look-up and stop never change their meaning.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "guard/workers.h"

namespace reprise {

class Clock;

inline constexpr int kGuardProtocol = 1;

/// The guard's own main function: `reprise` started as `--guard RUN_DIRECTORY TAG`. Returns the exit code.
int guard_main(const std::filesystem::path& run_directory, const std::string& tag);

/// What a runner needs to reach its run's guard.
struct GuardOptions {
  std::filesystem::path run_directory;  // private folder of the run, exists
  std::filesystem::path program;        // our own binary, started as the guard
  std::string tag;                      // unique name of the run, put into every worker's environment
  std::int64_t token = 0;               // the lease token (G3)
};

/// Connects to the run's guard, starting one where there is none. The guard is started without waiting
/// for it: the first call that needs it does the waiting.
///
/// `interrupt_fd` (-1: none) makes wait() return `signalled` when it becomes readable; the caller reads it.
Result<std::unique_ptr<Workers>> connect_guard(const GuardOptions& options, Clock& clock, int interrupt_fd);

/// Connects only if a guard is alive, else answers look-ups from the exit log; starts nothing and kills
/// nothing: for `plan` and `status`.
Result<AttemptSighting> sight_attempt(const std::filesystem::path& run_directory, const std::string& attempt);

/// Returns the newest token that a guard of the run has seen; 0: none (G3).
std::int64_t newest_guard_token(const std::filesystem::path& run_directory);
/// Archives the exit log of a run whose journal was replaced by an older one: the attempts in it are not those
/// that the journal will start under the same names. Does nothing while a guard is alive.
Result<void> archive_exits(const std::filesystem::path& run_directory);

/// What a guard is started with, before its folder and its tag.
inline constexpr std::string_view kGuardOption = "--guard";

/// Wakes the runner that is connected to the run's guard, if there is one, to look for requests.
void poke_guard(const std::filesystem::path& run_directory);

}  // namespace reprise
