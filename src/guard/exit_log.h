// The exit log: one line per attempt that ended, in `exits.log` of the run's folder (G2).
//
// Written by the guard alone, one write per batch and without fsync: it has to outlive processes, not
// the machine. A last line without its newline was cut off by a death and counts as not written.

#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "guard/workers.h"
#include "os/file_system.h"

namespace reprise {

class ExitLog {
 public:
  /// Opens the log for writing, creating it; cuts off a torn last line. The caller holds the guard's lock.
  static Result<ExitLog> open(const std::filesystem::path& path);

  /// Appends `records` with one write. After an error the log is as it was, and append may be tried again.
  Result<void> append(std::span<const ExitRecord> records);
  /// Returns the newest record of `attempt`; nothing if there is none.
  Result<std::optional<ExitRecord>> find(const std::string& attempt) const;

  /// The same for one who only looks. A log that is not there is an empty one.
  static Result<std::optional<ExitRecord>> look(const std::filesystem::path& path, const std::string& attempt);
  /// Renames the log at `path` to `path` with ".ENDING"; one that is not there is fine.
  static Result<void> archive(const std::filesystem::path& path, const std::string& ending);

 private:
  ExitLog(Fd fd, std::string name, std::int64_t size) : fd_(std::move(fd)), name_(std::move(name)), size_(size) {}

  Fd fd_;
  std::string name_;
  std::int64_t size_ = 0;
};

}  // namespace reprise
