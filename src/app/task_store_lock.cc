#include "app/task_store_lock.h"

#include "os/machine.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr Duration kTryAgainAfter{10};
constexpr Duration kLeftBehindAfter{10'000};

Error held(const fs::path& lock) {
  Error error{.kind = ErrorKind::Conflict,
              .message = "the task list is being changed by another program: " + lock.string() + " is held",
              .file = lock.string()};
  return error;
}

enum class Taken { Made, Held, NotPossible };

// Makes the tool's lock in one step: a folder made elsewhere is moved to its name, if that is free.
Result<Taken> make_folder(App& app, const fs::path& folder) {
  const fs::path fresh = folder / ".lock.reprise";
  const fs::path lock = folder / ".lock.lock";
  if (const std::optional<FileInfo> info = TRY(app.files.stat(lock))) {
    if (app.clock.now() - info->modified < kLeftBehindAfter) return Taken::Held;
    TRY_VOID(app.files.remove_tree(lock));
  }
  TRY_VOID(app.files.remove_tree(fresh));
  TRY_VOID(app.files.make_directories(fresh));
  const Result<void> moved = move_path(fresh, lock);
  if (moved) return Taken::Made;
  TRY_VOID(app.files.remove_tree(fresh));
  // A file system that cannot do it in one step has no such lock for us; ours still holds.
  return moved.error().kind == ErrorKind::Conflict ? Taken::Held : Taken::NotPossible;
}

}  // namespace

TaskListLock::TaskListLock(App& app, FileLock lock, fs::path folder)
    : app_(&app), lock_(std::move(lock)), made_(std::move(folder)) {}

TaskListLock::TaskListLock(TaskListLock&& other) noexcept
    : app_(other.app_), lock_(std::move(other.lock_)), made_(std::exchange(other.made_, {})) {}

TaskListLock::~TaskListLock() {
  if (made_.empty()) return;
  // What cannot be removed now is left behind, and known as such after ten seconds.
  [[maybe_unused]] const Result<void> removed = app_->files.remove_tree(made_);
}

Result<TaskListLock> TaskListLock::take(App& app, const fs::path& folder, Duration wait) {
  const fs::path file = folder / ".lock";
  const Duration end = app.clock.monotonic() + wait;
  std::optional<FileLock> ours;
  for (;;) {
    if (!ours) ours = TRY(FileLock::try_lock(file, 0));
    if (ours) {
      const Taken taken = TRY(make_folder(app, folder));
      if (taken != Taken::Held)
        return TaskListLock(app, std::move(*ours), taken == Taken::Made ? folder / ".lock.lock" : fs::path());
    }
    if (app.clock.monotonic() >= end) return fail(held(ours ? folder / ".lock.lock" : file));
    pause_for(kTryAgainAfter);
  }
}

}  // namespace reprise
