// The process table: who runs, whose child it is, what is in its environment.
//
// Reading it costs milliseconds, so it is for the paths where something has to be ended, never for the
// normal course of a step.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/file_system.h"

namespace reprise {

struct ProcessEntry {
  int pid = 0;
  int parent = 0;
  int group = 0;
  int session = 0;
  char state = '?';         // as in /proc: R, S, D, T, Z …
  std::uint64_t start = 0;  // kernel ticks since boot
  bool has_ended() const { return state == 'Z' || state == 'X'; }
  bool is_stopped() const { return state == 'T'; }  // by SIGSTOP or Ctrl-Z, until SIGCONT
};

/// Reads the line of /proc/<pid>/stat; the program's name in it may contain anything.
std::optional<ProcessEntry> parse_process_stat(std::string_view line);
/// Returns process `pid`; nothing if there is none.
std::optional<ProcessEntry> find_process(int pid);
/// Returns every process there is.
std::vector<ProcessEntry> list_processes();
/// Returns those of `all` that descend from `root`, without `root` itself.
std::vector<ProcessEntry> descendants_of(int root, const std::vector<ProcessEntry>& all);
/// Returns the numbers of our own children.
std::vector<int> own_children();

/// Returns the value of variable `name` in the environment that `pid` was started with (waiting for one that is
/// just being started); nothing if it has none, or if it may not be read.
std::optional<std::string> environment_value(int pid, std::string_view name);

/// Returns "process 4711 (reprise, started 2026-11-15T10:00:00Z)".
std::string describe_process(const ProcessEntry& entry);

/// Returns the words that `pid` was started with; none if it is gone.
std::vector<std::string> arguments_of(int pid);

/// Sends `signal` to exactly the process that `entry` was read from; false if it is gone, or if the signal could
/// not be sent. Where the kernel has no process descriptors, the number is used after its start time was compared.
bool signal_process(const ProcessEntry& entry, int signal);

/// Kills every process that `find` returns, and asks again until there is none. Fails with Unavailable if one does
/// not end within `patience`.
Result<void> kill_until_none(const std::function<std::vector<ProcessEntry>()>& find, Duration patience);

/// Returns the facilities for handling processes that this system does not have, by the names of their system
/// calls.
std::vector<std::string> missing_process_facilities();

}  // namespace reprise
