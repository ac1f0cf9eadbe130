// The checks around a restore that make it a rollback.

#include "lanes/rollback.h"

#include <algorithm>
#include <system_error>

#include "base/strings.h"
#include "git/occupants.h"
#include "lanes/rescue.h"
#include "os/process.h"
#include "os/process_table.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGitdirBytesMax = 64u << 10;

Error not_the_lane(const fs::path& folder, const std::string& why) {
  return Error{ErrorKind::Conflict, folder.string() + ": " + why + "; nothing was done"};
}

// Ourselves, and those who wait for us: the shell that a person typed the command into stands in the lane, too.
std::vector<int> own_line() {
  std::vector<int> line;
  const Result<ProcessId> self = identify_self();
  for (int pid = self ? self->pid : 0; pid > 1;) {
    line.push_back(pid);
    const std::optional<ProcessEntry> entry = find_process(pid);
    pid = entry ? entry->parent : 0;
  }
  return line;
}

Result<void> check_nobody_works_in(const fs::path& folder) {
  std::vector<Occupant> occupants = occupants_of(folder);
  const std::vector<int> own = own_line();
  std::erase_if(occupants,
                [&](const Occupant& occupant) { return std::ranges::find(own, occupant.pid) != own.end(); });
  if (occupants.empty()) return {};
  return fail(ErrorKind::Conflict, folder.string() + ": somebody works in it: " + to_text(occupants));
}

// A linked worktree has a folder in the repository's books, and that says where it is.
Result<void> check_is_lane(const Git& git) {
  if (git.is_bare() || git.git_dir() == git.common_dir()) {
    return fail(not_the_lane(git.is_bare() ? git.common_dir() : git.top(), "it is not a lane of its own"));
  }
  const Result<std::string> note = PosixFileSystem().read(git.git_dir() / "gitdir", kGitdirBytesMax);
  std::error_code code;
  const bool is_booked =
      note && fs::weakly_canonical(fs::path(std::string(trim(*note))), code) == git.top() / ".git" && !code;
  if (!is_booked) return fail(not_the_lane(git.top(), "the repository has it in another place"));
  return check_place(git);
}

Result<void> check_may_change(const Git& lane, bool is_stopped) {
  TRY_VOID(check_is_lane(lane));
  if (is_stopped) return {};
  return check_nobody_works_in(lane.top());
}

}  // namespace

Result<Git> open_lane_folder(const fs::path& folder, const Git& repository) {
  std::error_code code;
  const fs::path real = fs::canonical(folder, code);
  if (code) return fail(not_the_lane(folder, "the lane's folder is gone"));
  if (real != folder.lexically_normal()) return fail(not_the_lane(folder, "the way to it leads through a link"));
  Result<Git> git = Git::open(folder);
  if (!git || git->top() != real) return fail(not_the_lane(folder, "it is not a worktree of its own any more"));
  if (git->common_dir() != repository.common_dir()) {
    return fail(not_the_lane(folder, "it belongs to another repository"));
  }
  TRY_VOID(check_is_lane(*git));
  return git;
}

Result<PreparedRestore> prepare_rollback(const Git& lane, const RollbackRequest& request) {
  TRY_VOID(check_may_change(lane, request.is_stopped));
  const std::string ref = TRY(next_rescue_ref(lane, request.of, request.time));
  return prepare_restore(lane, {.to = request.to,
                                .rescue_ref = ref,
                                .reason = request.reason,
                                .time = request.time,
                                .ignored = request.ignored});
}

Result<Restored> finish_rollback(const Git& lane, const RestorePlan& plan, bool is_stopped) {
  TRY_VOID(check_may_change(lane, is_stopped));
  return finish_restore(lane, plan);
}

Result<RolledBack> roll_back(const Git& lane, const RollbackRequest& request) {
  PreparedRestore prepared = TRY(prepare_rollback(lane, request));
  Restored restored = TRY(finish_rollback(lane, prepared.plan, request.is_stopped));
  return RolledBack{std::move(prepared.rescue), std::move(restored)};
}

Result<Restored> undo_rollback(const Git& lane, const std::string& rescue, Timestamp time, bool is_stopped) {
  TRY_VOID(check_may_change(lane, is_stopped));
  return restore_rescue(lane, rescue, time);
}

}  // namespace reprise
