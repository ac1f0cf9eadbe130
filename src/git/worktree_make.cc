// Making worktrees: registration under the repository's lock, then the files, which others need not wait for.

#include <algorithm>

#include "base/strings.h"
#include "git/ensure.h"
#include "git/ensure_worktree.h"
#include "git/occupants.h"
#include "git/path_look.h"
#include "git/tree_move.h"
#include "git/worktree_place.h"
#include "os/clock.h"

namespace reprise {
namespace {

using std::filesystem::path;

Result<std::string> start_of(const Git& git, const std::string& start) {
  if (std::optional<std::string> commit = TRY(git.commit_of(start))) return std::move(*commit);
  const std::string any = TRY(git.ask({"rev-list", "--max-count=1", "--all"}));
  const std::string where = git.is_bare() ? git.git_dir().string() : git.top().string();
  if (any.empty()) {
    Error error{ErrorKind::NotFound, where + ": has no commits yet, and a worktree begins at one"};
    return fail(std::move(error).hint("git -C " + shell_quote(where) + " commit --allow-empty -m " +
                                      shell_quote("first commit")));
  }
  Error error{ErrorKind::NotFound, "there is no branch or commit " + printable_line(start, 100) + " to begin at"};
  return fail(std::move(error).hint("git -C " + shell_quote(where) + " branch --list"));
}

// Returns the entry of `place` among all; Conflict if the branch is checked out anywhere else.
Result<std::optional<WorktreeEntry>> find_alone(const Git& git, const path& place, const std::string& branch) {
  std::optional<WorktreeEntry> found;
  for (const WorktreeEntry& entry : TRY(list_worktrees(git))) {
    if (entry.path.lexically_normal() == place) found = entry;
    if (entry.branch != branch || entry.path.lexically_normal() == place) continue;
    Error error{ErrorKind::Conflict, "branch " + branch + " is checked out in " + entry.path.string()};
    if (!TRY(look_at(entry.path))) return fail(std::move(error).hint("git worktree prune"));
    return fail(std::move(error).hint("git -C " + shell_quote(entry.path.string()) + " switch --detach"));
  }
  return found;
}

// The repository was moved with this worktree in it: each of the two names the other's old place, where nothing is
// any more. git's own repair puts both right.
Result<void> follow_move(const Git& git, const path& place, const RepositoryLock& lock) {
  constexpr std::string_view kNames = "gitdir: ";
  constexpr std::size_t kBytesMax = 1u << 16;
  const Result<std::string> there = PosixFileSystem().read(place / ".git", kBytesMax);
  if (!there || !there->starts_with(kNames)) return {};
  const path named(trim(std::string_view(*there).substr(kNames.size())));
  const path admin = git.common_dir() / "worktrees" / named.filename();
  const Result<std::string> here = PosixFileSystem().read(admin / "gitdir", kBytesMax);
  if (!here || TRY(look_at(named))) return {};
  const path old(trim(*here));
  if (TRY(look_at(old)) || old.parent_path().filename() != place.filename()) return {};
  TRY_VOID(ask_recorded(git, {"worktree", "repair", place.string()}, {}, &lock));
  return {};
}

// A folder that git knows nothing of: it may be one that was moved, one that was cut off, or somebody's.
Result<std::optional<WorktreeEntry>> prepare_unregistered(const Git& git, const path& place,
                                                          const RepositoryLock& lock) {
  if (!TRY(look_at(place))) return std::nullopt;
  if (admin_folder_of(git, place)) {
    TRY_VOID(ask_recorded(git, {"worktree", "repair", place.string()}, {}, &lock));
    return find_worktree(git, place);
  }
  const std::vector<std::string> names = TRY(PosixFileSystem().list(place));
  if (names.empty()) return std::nullopt;
  return fail(
      Error{ErrorKind::Conflict,
            place.string() + ": is not a worktree of this repository, and not empty: " + names_for_people(names)});
}

// The folder is gone, with all that was not committed. What was staged is still in the index: it is kept where the
// other things are that were set aside, because the index is about to become that of the branch.
Result<std::string> keep_index(const Git& there, const std::string& branch, const RepositoryLock& lock) {
  const std::string tree = TRY(ask_recorded(there, {"write-tree"}, {}, &lock));
  if (tree == TRY(there.ask({"rev-parse", "--verify", "HEAD^{tree}"}))) return std::string();
  const GitOptions as_us{.environment = TRY(identity_environment(there))};
  const std::string why = "staged in a worktree whose folder vanished";
  const std::string staged =
      TRY(ask_recorded(there, {"commit-tree", tree, "-p", "HEAD", "-m", why}, as_us, &lock));
  const std::string kept =
      why + "\n\nReprise-Kept: " + staged + "\nReprise-Time: " + to_text(SystemClock().now()) + "\n";
  const std::string commit =
      TRY(ask_recorded(there, {"commit-tree", tree, "-p", staged, "-m", kept}, as_us, &lock));
  const std::string ref = "refs/reprise/rescue/" + branch + "/index-" + staged.substr(0, 12);
  TRY_VOID(ensure_ref(there, {.ref = ref, .to = commit, .from = TRY(there.commit_of(ref))}, &lock));
  return "what was staged in it is kept as " + ref;
}

// Puts the folder back where it is gone, and its `.git` where that is. A folder without any file counts as gone:
// it may be what this function left when it was cut off. The index goes too, so that what follows sees a new
// worktree.
Result<void> restore_folder(const Git& git, const std::string& branch, const RepositoryLock& lock,
                            WorktreeState& state) {
  const path& place = state.path;
  const std::vector<std::string> names = TRY(PosixFileSystem().list(place));
  if (!admin_folder_of(git, place)) {
    TRY_VOID(PosixFileSystem().make_directories(place));
    TRY_VOID(ask_recorded(git, {"worktree", "repair"}, {}, &lock));
  }
  if (!names.empty() && names != std::vector<std::string>{".git"}) return {};
  const Git there = TRY(open_worktree(git, place));
  if (!TRY(look_at(there.git_dir() / "index"))) return {};
  state.notes.push_back(place.string() + " was gone and was made again from its branch");
  const std::string note = TRY(keep_index(there, branch, lock));
  if (!note.empty()) state.notes.push_back(note);
  return PosixFileSystem().remove(there.git_dir() / "index");
}

Result<void> check_branch_at(const Git& there, const std::string& branch) {
  const HeadState head = TRY(head_of(there));
  if (head.branch == branch) return {};
  const std::string found = head.branch ? "branch " + *head.branch : "a detached HEAD at " + head.commit;
  return fail(ErrorKind::Conflict, there.top().string() + ": has " + found + " checked out, not branch " + branch);
}

// Registered, with its `.git` in place and its branch as HEAD; files may still be missing.
Result<void> register_worktree(const Git& git, std::optional<WorktreeEntry> entry, const std::string& branch,
                               const RepositoryLock& lock, WorktreeState& state) {
  const path& place = state.path;
  if (!entry) entry = TRY(prepare_unregistered(git, place, lock));
  if (!entry) {
    TRY_VOID(
        ask_recorded(git, {"worktree", "add", "--no-checkout", "--quiet", place.string(), branch}, {}, &lock));
    state.made = true;
    return {};
  }
  TRY_VOID(restore_folder(git, branch, lock, state));
  const Git there = TRY(open_worktree(git, place));
  TRY_VOID(finish_tree_move(there, lock));
  return check_branch_at(there, branch);
}

// Git writes the index when all files are there; without one, the files are not, or not all.
Result<void> fill_worktree(const Git& there, WorktreeState& state) {
  if (TRY(look_at(there.git_dir() / "index"))) return {};
  // The index, which git syncs, says that all of it is there: so what it stands on is synced before it.
  for (const char* name : {"HEAD", "commondir", "gitdir"}) TRY_VOID(sync_what_git_wrote(there.git_dir() / name));
  const std::vector<std::string> names = TRY(PosixFileSystem().list(there.top()));
  state.made = true;
  if (names == std::vector<std::string>{".git"}) {
    TRY_VOID(ask_recorded(there, {"read-tree", "-m", "-u", "HEAD"}));
    return {};
  }
  const std::vector<std::string> others = TRY(changed_by_others(there, "", "HEAD", nullptr));
  if (!others.empty()) {
    return fail(
        Error{ErrorKind::Conflict, there.top().string() + ": was cut off while its files were written, and " +
                                       "holds files that git did not put there: " + names_for_people(others)});
  }
  TRY_VOID(ask_recorded(there, {"read-tree", "--reset", "-u", "HEAD"}));
  return {};
}

// Only a tree that nobody would miss: all of it committed, nobody in it, nothing begun.
Result<bool> can_be_taken(const Git& git, const path& from, const std::string& branch) {
  const Result<Git> old = open_worktree(git, from);
  if (!old || TRY(old->branch()) != branch || !TRY(look_at(old->git_dir() / "index"))) return false;
  if (TRY(read_tree_move(*old)) || !TRY(read_removals(git, from)).empty()) return false;
  // Ignored files would decide what the next one finds, and could be overwritten in it.
  const TreeStatus status = TRY(status_of(*old, Ignored::List, GitAccess::Inspect));
  return status.is_clean() && status.untracked.empty() && status.ignored.empty() && occupants_of(from).empty();
}

Result<void> add_notes(WorktreeState& state) {
  if (TRY(is_on_volatile_file_system(state.path))) {
    state.notes.push_back(state.path.string() + " lies in memory: it is gone when the machine restarts");
  }
  if (state.made && TRY(look_at(state.path / ".gitmodules"))) {
    state.notes.push_back(state.path.string() + " has submodules, which are left empty in it");
  }
  return {};
}

Result<WorktreeState> finish_worktree(const Git& git, WorktreeState state, const std::string& branch) {
  const Git there = TRY(open_worktree(git, state.path));
  TRY_VOID(clear_dead_locks(there));
  TRY_VOID(fill_worktree(there, state));
  HeadState head = TRY(head_of(there));
  if (head.branch != branch) {
    return fail(ErrorKind::Conflict, state.path.string() + ": was moved from branch " + branch + " by another");
  }
  state.head = std::move(head.commit);
  TRY_VOID(add_notes(state));
  return state;
}

// Returns where the lane's branch is, made if it is missing.
Result<std::string> branch_commit(const Git& git, const WorktreeRequest& request, const RepositoryLock& lock) {
  const std::string ref = "refs/heads/" + request.branch;
  if (std::optional<std::string> now = TRY(git.commit_of(ref))) return std::move(*now);
  std::string start = TRY(start_of(git, request.start));
  TRY_VOID(ensure_ref(git, {.ref = ref, .to = start, .why = "made by reprise"}, &lock));
  return start;
}

// Takes a tree from one branch to another; false if it is not on the one that it is to be taken from.
Result<bool> switch_branch(const Git& there, const WorktreeRequest& request, const std::string& from_branch,
                           bool is_known_clean, const RepositoryLock& lock) {
  const HeadState head = TRY(head_of(there));
  if (head.branch != from_branch || !TRY(look_at(there.git_dir() / "index"))) return false;
  const std::string to = TRY(branch_commit(there, request, lock));
  TRY_VOID(ensure_tree_at(
      there, {.from = head.commit, .to = to, .branch = request.branch, .is_known_clean = is_known_clean}, &lock));
  return true;
}

}  // namespace

Result<WorktreeState> ensure_worktree(const Git& git, const WorktreeRequest& request) {
  WorktreeState state{.path = TRY(checked_place(git, request.root, request.path))};
  if (!is_branch_name(request.branch)) {
    return fail(ErrorKind::Invalid, "not a branch name that can be used: " + printable_line(request.branch, 100));
  }
  {
    const RepositoryLock lock = TRY(RepositoryLock::take(git));
    TRY_VOID(take_back_unfinished(git, state.path));
    TRY_VOID(undo_removal(git, state.path, lock));
    TRY_VOID(follow_move(git, state.path, lock));
    std::optional<WorktreeEntry> entry = TRY(find_alone(git, state.path, request.branch));
    TRY_VOID(branch_commit(git, request, lock));
    TRY_VOID(exclude_root(git, request.root));
    TRY_VOID(register_worktree(git, std::move(entry), request.branch, lock, state));
  }
  return finish_worktree(git, std::move(state), request.branch);
}

Result<WorktreeState> ensure_taken_over(const Git& git, const WorktreeRequest& request, const TakeOver& take) {
  WorktreeState state{.path = TRY(checked_place(git, request.root, request.path)), .made = true};
  const path from = TRY(checked_place(git, request.root, take.from));
  bool is_taken = false;
  {
    const RepositoryLock lock = TRY(RepositoryLock::take(git));
    TRY_VOID(take_back_unfinished(git, state.path));
    std::optional<WorktreeEntry> entry = TRY(find_alone(git, state.path, request.branch));
    const bool is_moving = !TRY(look_at(state.path)) && TRY(can_be_taken(git, from, take.from_branch));
    if (is_moving) {
      TRY_VOID(PosixFileSystem().make_directories(state.path.parent_path()));
      TRY_VOID(ask_recorded(git, {"worktree", "move", from.string(), state.path.string()}, {}, &lock));
    } else if (!entry && admin_folder_of(git, state.path)) {
      TRY_VOID(ask_recorded(git, {"worktree", "repair", state.path.string()}, {}, &lock));
    }
    const Result<Git> there = open_worktree(git, state.path);
    if (there) is_taken = TRY(switch_branch(*there, request, take.from_branch, is_moving, lock));
  }
  if (is_taken) return finish_worktree(git, std::move(state), request.branch);
  return ensure_worktree(git, request);
}

}  // namespace reprise
