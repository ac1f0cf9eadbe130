// The worker log: which processes the guards of a run have started, one line each, so that the next guard finds
// them after this one was killed, also where they have emptied their environment.
//
//   PID START SESSION BOOT     numbers in decimal; START in kernel ticks since boot, SESSION is the guard's number

#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "os/process_table.h"

namespace reprise {

class WorkerLog {
 public:
  explicit WorkerLog(const std::filesystem::path& directory) : path_(directory / "workers.log") {}

  /// Adds the process `pid`, a child of this guard.
  Result<void> add(int pid);
  /// Returns the processes in `all` that guards of this run have started and that live on: recorded ones, the rest
  /// of their process groups and sessions, and those whose variable REPRISE_TAG begins with `tag`; each with its
  /// descendants. This process and its own descendants are left out.
  std::vector<ProcessEntry> find_survivors(const std::vector<ProcessEntry>& all, const std::string& tag) const;
  /// Forgets everything: nothing that was recorded is alive.
  void clear();

 private:
  std::filesystem::path path_;
};

}  // namespace reprise
