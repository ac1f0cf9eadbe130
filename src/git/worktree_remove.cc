// Removing worktrees: by git alone, and only after it was shown that nothing is lost.

#include <algorithm>

#include "base/strings.h"
#include "git/ensure.h"
#include "git/ensure_worktree.h"
#include "git/occupants.h"
#include "git/path_look.h"
#include "git/worktree_place.h"
#include "os/folder_tree.h"

namespace reprise {
namespace {

using std::filesystem::path;

Error refused(const path& place, const std::string& why) {
  return Error{ErrorKind::Conflict, place.string() + ": is not removed: " + why};
}

// Whether every file of the tree is in `snapshot` as it is. An index of our own, loaded from it, is what git
// compares.
Result<bool> is_in_snapshot(const Git& there, const std::string& snapshot) {
  const path index = there.git_dir() / "reprise-snapshot-index";
  const std::vector<std::string> environment = {"GIT_INDEX_FILE=" + index.string()};
  PosixFileSystem files;
  TRY_VOID(files.remove(index));
  TRY_VOID(ask_recorded(there, {"read-tree", snapshot}, {.environment = environment}));
  const TreeStatus status =
      parse_status(TRY(there.ask({"status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"},
                                 {.environment = environment, .access = GitAccess::Inspect})));
  TRY_VOID(files.remove(index));
  const bool is_same =
      std::ranges::all_of(status.changed, [](const StatusEntry& e) { return e.code.ends_with('.'); });
  return is_same && status.conflicted.empty() && status.untracked.empty();
}

// Returns whether git has to be told that what is not committed may go, because it is in the snapshot.
Result<bool> check_files(const Git& there, const RemovalRequest& request) {
  const TreeStatus status = TRY(status_of(there, Ignored::List, GitAccess::Inspect));
  std::vector<std::string> names = status.conflicted;
  for (const StatusEntry& entry : status.changed) names.push_back(entry.path);
  names.insert(names.end(), status.untracked.begin(), status.untracked.end());
  const bool is_proven = !names.empty() && request.snapshot &&
                         TRY(is_kept(there, *request.snapshot, request.leaving)) &&
                         TRY(is_in_snapshot(there, *request.snapshot));
  if (!names.empty() && !is_proven) {
    return fail(refused(there.top(), "it holds files that are not committed: " + names_for_people(names))
                    .hint("git -C " + shell_quote(there.top().string()) + " status"));
  }
  if (!status.ignored.empty() && !request.with_ignored) {
    return fail(refused(there.top(), "it holds ignored files: " + names_for_people(status.ignored))
                    .hint("git -C " + shell_quote(there.top().string()) + " status --ignored"));
  }
  return is_proven;
}

Result<void> check_commits(const Git& git, const WorktreeEntry& entry, const path& admin,
                           const RemovalRequest& request) {
  const bool has_head = !entry.head.empty() && entry.head.find_first_not_of('0') != std::string::npos;
  if (has_head && !TRY(is_kept(git, entry.head, request.leaving))) {
    return fail(refused(entry.path, "commit " + entry.head + " in it would be in no branch")
                    .hint("git branch rescue-" + entry.head.substr(0, 12) + " " + entry.head));
  }
  std::error_code error;
  for (const char* own : {"refs/worktree", "refs/bisect", "refs/rewritten"}) {
    if (std::filesystem::exists(admin / own, error) && !std::filesystem::is_empty(admin / own, error)) {
      return fail(refused(entry.path, std::string("it has references of its own (") + own + ")"));
    }
  }
  return {};
}

// T4, all of it. The folder may be gone already: then there are only commits to lose.
Result<bool> check_removal(const Git& git, const WorktreeEntry& entry, const RemovalRequest& request,
                           const path& admin) {
  const path& place = entry.path;
  if (entry.is_locked)
    return fail(refused(place, "it is locked").hint("git worktree unlock " + shell_quote(place.string())));
  TRY_VOID(check_commits(git, entry, admin, request));
  if (!TRY(look_at(place))) return false;
  if (const std::vector<Occupant> busy = occupants_of(place); !busy.empty()) {
    return fail(refused(place, to_text(busy) + " works in it"));
  }
  return check_files(TRY(open_worktree(git, place)), request);
}

Result<path> admin_of_entry(const Git& git, const path& place) {
  const path folder = git.common_dir() / "worktrees";
  for (const std::string& id : TRY(PosixFileSystem().list(folder))) {
    const Result<std::string> text = PosixFileSystem().read(folder / id / "gitdir", 8192);
    if (text && trim(*text) == (place / ".git").string()) return folder / id;
  }
  return fail(ErrorKind::NotFound, place.string() + ": is not a worktree that can be removed");
}

// Git deletes the files first and its own folder last. Cut off in that, it leaves a part that it no longer lists;
// prune clears it, and is called only if it would clear nothing else.
Result<void> finish_removals(const Git& git, const path& place, const RepositoryLock& lock) {
  for (const RemovalNote& note : TRY(read_removals(git, place))) {
    const path admin = git.common_dir() / "worktrees" / note.id;
    if (TRY(look_at(admin)) && !TRY(find_worktree(git, place))) {
      const GitAnswer dry = TRY(git.run({"worktree", "prune", "--dry-run", "--verbose", "--expire=never"}));
      const std::string all = dry.output + dry.errors;
      const bool is_only_ours = all.find("worktrees/" + note.id + ":") != std::string::npos &&
                                std::ranges::count(std::string(trim(all)), '\n') == 0;
      if (is_only_ours) TRY_VOID(ask_recorded(git, {"worktree", "prune", "--expire=never"}, {}, &lock));
    }
    if (!TRY(find_worktree(git, place))) TRY_VOID(forget_removal(git, note));
  }
  return {};
}

// Git stops at the first file that it cannot delete, and deletes its own folder all the same: if it fails, what it
// lists afterwards says whether the worktree is gone. Returns whether files are left.
Result<bool> remove_by_git(const Git& git, const path& place, const path& admin, bool by_force,
                           const RepositoryLock& lock) {
  const RemovalNote note{.path = place, .id = admin.filename().string()};
  TRY_VOID(write_removal(git, note));
  std::vector<std::string> arguments = {"worktree", "remove", place.string()};
  if (by_force) arguments.insert(arguments.begin() + 2, "--force");
  const GitAnswer answer = TRY(run_recorded(git, arguments, {}, &lock));
  if (answer.ok()) return false;
  if (!TRY(find_worktree(git, place))) return TRY(look_at(place)).has_value();
  TRY_VOID(undo_removal(git, place, lock));
  return fail(refused(place, "git refuses: " + answer.errors));
}

bool has_files(const path& place) {
  const Result<std::vector<std::string>> names = PosixFileSystem().list(place);
  return !names || !names->empty();
}

constexpr std::string_view kLeftover = ".leftover";

// Every leftover of one worktree has a folder of its own here, named by a number.
Result<path> leftover_folder(const Git& git, const path& root, const path& place) {
  path below = place.lexically_normal().lexically_relative(root.lexically_normal());
  if (below.empty() || *below.begin() == "..") below = place.filename();
  return checked_place(git, root, root / kLeftover / below);
}

// Removes `folder` and the folders above it that are empty, up to the one that holds all leftovers.
void remove_empty_folders(path folder) {
  std::error_code error;
  while (std::filesystem::remove(folder, error) && folder.filename() != kLeftover) folder = folder.parent_path();
}

Result<std::optional<Leftover>> delete_folder(const path& folder) {
  const Result<void> removed = PosixFileSystem().remove_tree(folder);
  if (removed) return std::nullopt;
  return Leftover{.folder = folder, .why = removed.error().message};
}

// Moves what git left at `place` out of the way of the next worktree there, and deletes what can be deleted.
// check_removal() has proven that nothing in it is lost. A later call may not rely on that proof, because files
// may have been added since.
Result<std::optional<Leftover>> clear_place(const Git& git, const RemovalRequest& request, const path& place) {
  const path all = TRY(leftover_folder(git, request.root, request.path));
  int number = 1;
  while (TRY(look_at(all / std::to_string(number)))) ++number;
  const path target = all / std::to_string(number);
  path root = all;
  while (root.filename() != kLeftover) root = root.parent_path();
  root = root.parent_path();
  if (PosixFileSystem().make_directories(all)) {
    // Failing is fine: then the files stay in place.
    if (const Result<FolderTree> tree = FolderTree::open(root))
      static_cast<void>(tree->move(place.lexically_relative(root), target.lexically_relative(root)));
  }
  const bool is_moved = !TRY(look_at(place));
  std::optional<Leftover> left = TRY(delete_folder(is_moved ? target : place));
  remove_empty_folders(all);
  return left;
}

}  // namespace

Result<std::optional<path>> find_leftover(const Git& git, const path& root, const path& place) {
  const Result<path> all = leftover_folder(git, root, place);
  if (!all && all.error().kind != ErrorKind::Invalid) return fail(all.error());
  if (!all || !has_files(*all)) return std::nullopt;
  return *all;
}

Result<std::optional<Leftover>> remove_leftover(const Git& git, const path& root, const path& place) {
  const std::optional<path> all = TRY(find_leftover(git, root, place));
  if (!all) return std::nullopt;
  const RepositoryLock lock = TRY(RepositoryLock::take(git));
  std::optional<Leftover> left = TRY(delete_folder(*all));
  if (!left) remove_empty_folders(all->parent_path());
  return left;
}

Result<std::optional<Leftover>> ensure_worktree_removed(const Git& git, const RemovalRequest& request) {
  const path place = TRY(checked_place(git, request.root, request.path));
  const RepositoryLock lock = TRY(RepositoryLock::take(git));
  const std::vector<WorktreeEntry> all = TRY(list_worktrees(git));
  if (!all.empty() && all.front().path == place) return fail(refused(place, "it is the main worktree"));
  TRY_VOID(take_back_unfinished(git, place));
  std::optional<WorktreeEntry> entry = TRY(find_worktree(git, place));
  if (!entry) {
    TRY_VOID(finish_removals(git, place, lock));
    if (!TRY(look_at(place)) || !has_files(place)) return std::nullopt;
    return fail(refused(place, "git lists no worktree there, and it holds files")
                    .hint("mv -- " + shell_quote(place.string()) + " " + shell_quote(place.string() + ".old")));
  }
  if (TRY(look_at(place))) TRY_VOID(undo_removal(git, place, lock));
  const path admin = TRY(admin_of_entry(git, place));
  const bool by_force = TRY(check_removal(git, *entry, request, admin));
  std::optional<Leftover> left;
  if (TRY(remove_by_git(git, place, admin, by_force, lock))) left = TRY(clear_place(git, request, place));
  TRY_VOID(finish_removals(git, place, lock));
  return left;
}

}  // namespace reprise
