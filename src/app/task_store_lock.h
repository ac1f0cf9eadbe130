// The lock of a task list's folder: nobody else who asks for it changes the list while it is held.
//
// Two locks, because there are two kinds of writers. Ours take a kernel lock on the empty file `.lock`, which is
// gone when the process is. The tool that made the list locks that file by making the folder `.lock.lock` beside
// it and takes one that is older than ten seconds for left behind; so we make it too, and treat one that we find
// alike.

#pragma once

#include <filesystem>

#include "app/app.h"
#include "os/file_system.h"

namespace reprise {

class TaskListLock {
 public:
  /// Waits for at most `wait`, then Conflict that names the lock.
  static Result<TaskListLock> take(App& app, const std::filesystem::path& folder, Duration wait);
  ~TaskListLock();
  TaskListLock(TaskListLock&& other) noexcept;
  TaskListLock& operator=(TaskListLock&&) = delete;

 private:
  TaskListLock(App& app, FileLock lock, std::filesystem::path folder);

  App* app_;
  FileLock lock_;
  std::filesystem::path made_;  // the tool's lock; empty if it is not ours
};

}  // namespace reprise
