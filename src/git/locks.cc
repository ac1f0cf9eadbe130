// Recorded calls, and the judgement over lock files.

#include "git/locks.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "git/call_records.h"
#include "git/occupants.h"
#include "git/path_look.h"
#include "os/clock.h"
#include "os/machine.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr Duration kPatience{2000};  // with a lock of somebody who lives
constexpr Duration kPause{20};
constexpr std::size_t kGitdirBytesMax = 8192;
constexpr int kRefDepthMax = 32;

bool is_lock_name(const path& file) { return file.extension() == ".lock"; }

void add_locks_in(const path& folder, int depth, std::vector<path>& found) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const bool is_folder = entry->symlink_status(error).type() == std::filesystem::file_type::directory;
    if (is_folder && depth > 0) add_locks_in(entry->path(), depth - 1, found);
    if (!is_folder && is_lock_name(entry->path())) found.push_back(entry->path());
  }
}

bool is_born_since(const Result<std::optional<PathLook>>& look, std::int64_t since_ns) {
  return look && *look && (*look)->born_ns && *(*look)->born_ns >= since_ns;
}

// Where the call of `record` makes locks: in its worktree, in what all share, and in worktrees that it made
// itself.
std::vector<path> locks_of(const Git& git, const CallRecord& record) {
  std::vector<path> found;
  if (record.git_dir.empty()) return found;
  add_locks_in(record.git_dir, 0, found);
  if (record.git_dir != git.common_dir()) {
    for (const char* name : {"packed-refs.lock", "config.lock", "shallow.lock"}) {
      found.push_back(git.common_dir() / name);
    }
  }
  add_locks_in(git.common_dir() / "refs", kRefDepthMax, found);
  std::error_code error;
  std::filesystem::directory_iterator entry(git.common_dir() / "worktrees", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path() != record.git_dir && is_born_since(look_at(entry->path()), record.began_ns)) {
      add_locks_in(entry->path(), 0, found);
    }
  }
  return found;
}

// The other worktrees, as git remembers them.
std::vector<path> worktree_roots(const path& common, const path& except) {
  std::vector<path> roots;
  std::error_code error;
  std::filesystem::directory_iterator entry(common / "worktrees", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const Result<std::string> text = PosixFileSystem().read(entry->path() / "gitdir", kGitdirBytesMax);
    if (text && entry->path() != except) roots.push_back(path(trim(*text)).parent_path());
  }
  return roots;
}

// A lock of one worktree can only be owned by who works there; one of what all share, by anybody in any of them.
LockScope scope_of(const Git& git, const path& lock) {
  const path linked = git.common_dir() / "worktrees";
  const path admin = lock.parent_path();
  if (admin.parent_path() == linked) {
    const Result<std::string> text = PosixFileSystem().read(admin / "gitdir", kGitdirBytesMax);
    LockScope scope{.folders = {admin}};
    if (text && !trim(*text).empty()) scope.folders.push_back(path(trim(*text)).parent_path());
    return scope;
  }
  const path main = git.common_dir().filename() == ".git" ? git.common_dir().parent_path() : git.common_dir();
  if (lock == git.common_dir() / "index.lock") {
    return {.folders = {main}, .besides = worktree_roots(git.common_dir(), {})};
  }
  LockScope scope{.folders = worktree_roots(git.common_dir(), {})};
  scope.folders.push_back(main);
  return scope;
}

// K1, for one file. Nothing: it is gone, removed or not there.
Result<std::optional<LockLeft>> judge(const Git& git, const path& file, std::int64_t since_ns) {
  const auto left = [&](std::string why, bool may_go_later = false) {
    return LockLeft{.file = file, .why = std::move(why), .may_go_later = may_go_later};
  };
  const std::optional<PathLook> first = TRY(look_at(file));
  if (!first) return std::nullopt;
  if (first->type != FileType::Regular) return left("it is not a regular file");
  if (first->owner != own_user()) return left("it belongs to another user");
  if (!first->born_ns) return left("this file system does not say when it was made");
  if (*first->born_ns < since_ns) return left("it is older than any call of ours that died");
  if (TRY(is_network_file_system(file.parent_path()))) {
    return left("it is on a network or FUSE file system");
  }
  const std::vector<Occupant> owners = possible_owners(file, scope_of(git, file));
  if (!owners.empty()) return left("it may belong to " + to_text(owners) + ", which runs", true);
  const std::optional<PathLook> second = TRY(look_at(file));
  if (!second) return std::nullopt;
  if (!second->is_same_as(*first)) return left("it was replaced while we looked", true);
  TRY_VOID(PosixFileSystem().remove(file));
  return std::nullopt;
}

Result<bool> judge_all(const Git& git, const std::vector<path>& files, std::int64_t since_ns, LockReport& report) {
  bool is_settled = true;
  for (const path& file : files) {
    if (!TRY(look_at(file))) continue;
    std::optional<LockLeft> left = TRY(judge(git, file, since_ns));
    if (!left) {
      report.removed.push_back(file);
      continue;
    }
    is_settled = is_settled && !left->may_go_later;
    report.left.push_back(std::move(*left));
  }
  return is_settled;
}

// "fatal: Unable to create '/x/.git/index.lock': File exists."
std::optional<path> lock_in_the_way(const GitAnswer& answer) {
  constexpr std::string_view kBefore = "Unable to create '";
  constexpr std::string_view kAfter = "': File exists";
  const std::size_t begin = answer.errors.find(kBefore);
  const std::size_t end = begin == std::string::npos ? begin : answer.errors.find(kAfter, begin);
  if (answer.ok() || end == std::string::npos) return std::nullopt;
  return answer.errors.substr(begin + kBefore.size(), end - begin - kBefore.size());
}

Error blocked_by(const path& file, const LockReport& report) {
  const Result<std::optional<PathLook>> look = look_at(file);
  std::string age;
  if (look && *look) {
    const std::int64_t born = (*look)->born_ns.value_or((*look)->modified_ns) / 1'000'000;
    age = ", made " + to_text(SystemClock().now() - Timestamp{born}) + " ago";
  }
  std::string why = "no call of ours that died can have left it";
  for (const LockLeft& left : report.left) {
    if (left.file == file) why = left.why;
  }
  Error error{ErrorKind::Conflict, "git is kept out by its lock " + file.string() + age + ": " + why +
                                       ". If no git works there any more, remove it"};
  error.file = file.string();
  return std::move(error).hint("rm -- " + shell_quote(file.string()));
}

Result<GitAnswer> run_once(const Git& git, const std::vector<std::string>& arguments, const GitOptions& options,
                           const RepositoryLock* lock) {
  RecordedCall call = TRY(RecordedCall::begin(git, arguments, lock != nullptr));
  GitOptions held = options;
  held.access = GitAccess::Change;
  held.held_fd = lock != nullptr ? lock->fd() : call.fd();
  // A git that was killed leaves its record standing: what it left behind is judged by that.
  GitAnswer answer = TRY(git.run(arguments, held));
  TRY_VOID(call.end());
  return answer;
}

}  // namespace

Result<RepositoryLock> RepositoryLock::take(const Git& git) {
  const path own = TRY(own_folder(git));
  RepositoryLock lock(TRY(FileLock::lock(own / "git.lock", kRepositoryByte)));
  TRY_VOID(clear_dead_locks(git, &lock));
  return lock;
}

Result<GitAnswer> run_recorded(const Git& git, const std::vector<std::string>& arguments, GitOptions options,
                               const RepositoryLock* lock) {
  SystemClock clock;
  const Duration deadline = clock.monotonic() + kPatience;
  for (;;) {
    Result<GitAnswer> ended = run_once(git, arguments, options, lock);
    if (!ended) {
      // Killed, most likely: its locks would keep the user's own git out until our next call.
      static_cast<void>(clear_dead_locks(git, lock));
      return ended;
    }
    GitAnswer answer = std::move(*ended);
    const std::optional<path> in_the_way = lock_in_the_way(answer);
    if (!in_the_way) return answer;
    const LockReport report = TRY(clear_dead_locks(git, lock));
    if (!report.removed.empty()) continue;
    if (clock.monotonic() >= deadline) return fail(blocked_by(*in_the_way, report));
    pause_for(kPause);
  }
}

Result<std::string> ask_recorded(const Git& git, const std::vector<std::string>& arguments, GitOptions options,
                                 const RepositoryLock* lock) {
  GitAnswer answer = TRY(run_recorded(git, arguments, std::move(options), lock));
  if (!answer.ok()) return fail(git_refusal(arguments, answer));
  while (answer.output.ends_with('\n')) answer.output.pop_back();
  return std::move(answer.output);
}

Result<LockReport> clear_dead_locks(const Git& git, const RepositoryLock* lock) {
  LockReport report;
  DeadCalls dead = TRY(DeadCalls::find(git, lock != nullptr));
  for (const CallRecord& record : dead.records()) {
    if (TRY(judge_all(git, locks_of(git, record), record.began_ns, report))) TRY_VOID(dead.forget(record));
  }
  return report;
}

Result<LockReport> clear_worker_locks(const Git& git, Timestamp since) {
  std::vector<path> files;
  add_locks_in(git.git_dir(), 0, files);
  if (const std::optional<std::string> branch = TRY(git.branch())) {
    files.push_back(git.common_dir() / "refs/heads" / (*branch + ".lock"));
  }
  LockReport report;
  TRY_VOID(judge_all(git, files, since.ms * 1'000'000, report));
  return report;
}

}  // namespace reprise
