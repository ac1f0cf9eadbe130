// Processes: starting them, waiting for them, telling one from another, and finding a whole tree.
//
// A process number alone names nobody: numbers are used again. A process is remembered as number, start
// time and boot, and is signalled through a descriptor that was opened and then compared (P21).

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/file_system.h"

namespace reprise {

/// One process, in a form that outlives it without ever meaning another.
struct ProcessId {
  int pid = 0;
  std::string start;  // kernel ticks since boot
  std::string boot;   // the kernel's id of this boot
  bool operator==(const ProcessId&) const = default;
};

/// Returns who `pid` is now. NotFound if there is no such process.
Result<ProcessId> identify(int pid);
/// Returns who this process is.
Result<ProcessId> identify_self();
/// Whether exactly this process still runs. One that has ended but was not waited for does not.
Result<bool> is_alive(const ProcessId& id);

/// A program to start. -1 as a descriptor stands for /dev/null.
struct SpawnRequest {
  std::span<const std::string> argv;         // argv[0] is looked for in the PATH of `environment`
  std::span<const std::string> environment;  // "NAME=value", complete
  std::string directory = {};                // "": ours
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  int extra_fd = -1;         // becomes the child's descriptor 3; -1: it has none
  bool own_session = false;  // leaves our session, so that no terminal's signal reaches it
};

/// Starts a program in a process group of its own, with default signal handling and no descriptors but
/// those named. Returns its number; the caller waits for it. The error says which of program, folder and
/// size was wrong.
Result<int> spawn(const SpawnRequest& request);

/// Whether `error_number` says that the machine is short of descriptors, processes or memory. spawn() and
/// make_pipe() then fail with Unavailable.
bool is_shortage(int error_number);

/// Starts a program that goes on without us: own session, folder "/", no input or output. It is not
/// waited for; earlier ones that have ended are cleared away by the next call.
Result<int> spawn_detached(std::span<const std::string> argv, int extra_fd);

/// Returns this process's own environment.
std::vector<std::string> current_environment();

/// Marks the processes that a run starts, in their environment: those of a worker by its name, what a runner
/// starts itself as kCommandTag. Whatever has such a process above it is not a person.
inline constexpr std::string_view kTagVariable = "REPRISE_TAG";
inline constexpr std::string_view kCommandTag = "command";

/// Adds the mark of what a runner starts itself. A mark that is there, of a worker above us, stays.
void mark_as_command(std::vector<std::string>& environment);

/// How a child ended.
struct ChildExit {
  int pid = 0;
  std::optional<int> exit_code;  // nothing if a signal ended it
  int signal = 0;
};

/// Takes one ended child, any; nothing if none has ended.
std::optional<ChildExit> reap_any();
/// Takes the child `pid` if it has ended, so that it no longer occupies the process table.
void reap_child(int pid);
/// Whether this process has any child, running or not yet waited for.
bool has_children();

/// What run_captured() is to do.
struct CaptureRequest {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // empty: ours
  std::string directory;                 // "": ours
  std::string input;                     // given on standard input
  std::optional<Duration> timeout;
  std::function<bool()> is_stuck = {};       // asked once, when the program is slow: true ends it like a timeout
  std::size_t output_bytes_max = 16u << 20;  // per stream
  int held_fd = -1;                          // becomes the program's descriptor 3, so that it holds that lock too
};

struct Captured {
  std::optional<int> exit_code;
  int signal = 0;
  bool timed_out = false;
  std::string output;
  std::string errors;
  bool is_cut = false;  // more was printed than kept
};

/// Runs a program to its end and returns what it printed. On timeout its process group is killed.
Result<Captured> run_captured(const CaptureRequest& request);

/// Sends `signal` to the process group `group`. Only for the group of a child not yet waited for.
void signal_group(int group, int signal);

/// Kills a child that was not waited for yet, whose number therefore cannot mean another.
void kill_child(int pid);

/// Makes orphans among our descendants our own children.
Result<void> become_subreaper();
/// Raises the number of descriptors we may have open to `count`, as far as we are allowed to.
void allow_descriptors(int count);
/// Makes `ignored` signals do nothing, and returns a descriptor from which `taken` signals are read.
Result<Fd> take_signals(std::span<const int> taken, std::span<const int> ignored);
/// Returns the signals that have arrived at the descriptor of take_signals().
std::vector<int> read_signals(int fd);

}  // namespace reprise
