// What was begun at a worktree and not finished: registrations to take back, removals to undo.

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "git/call_records.h"
#include "git/ensure_worktree.h"
#include "git/occupants.h"
#include "git/path_look.h"
#include "git/worktree_place.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr std::size_t kSmallFileMax = 8192;

// All that git makes for a worktree before anything is checked out; what marks it as unfinished goes last.
constexpr std::array<std::string_view, 9> kRegistrationFiles = {
    "HEAD.lock", "logs/HEAD", "logs", "refs", "HEAD", "commondir", "gitdir", "reprise-index", "locked"};

std::string small_text(const path& file) {
  const Result<std::string> text = PosixFileSystem().read(file, kSmallFileMax);
  return text ? std::string(trim(*text)) : std::string();
}

bool is_there(const path& file) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(file, error));
}

// Git calls a worktree after the last part of its path, with a number added if that is taken.
bool may_be_id_of(std::string_view id, const path& place) {
  const std::string name = place.filename().string();
  return id.starts_with(name) &&
         std::ranges::all_of(id.substr(name.size()), [](char c) { return c >= '0' && c <= '9'; });
}

// After a power cut the files may be there and empty: git never synced them. HEAD begins with zeroes.
bool is_hollow(const path& admin) {
  const bool has_no_head = small_text(admin / "HEAD").find_first_not_of('0') == std::string::npos;
  return has_no_head || small_text(admin / "commondir").empty() || small_text(admin / "gitdir").empty();
}

bool is_unfinished(const path& admin, const path& place, bool is_being_removed) {
  if (is_there(admin / "index")) return false;
  const std::string names = small_text(admin / "gitdir");
  const bool is_at_place = names == (place / ".git").string();
  if (!is_at_place && !(names.empty() && may_be_id_of(admin.filename().string(), place))) return false;
  std::error_code error;
  if (std::filesystem::is_empty(admin, error)) return true;
  if (!is_being_removed && is_hollow(admin)) return true;
  const std::string lock = small_text(admin / "locked");
  return is_there(admin / "locked") && (lock.empty() || std::string_view("initializing").starts_with(lock));
}

Result<std::vector<path>> unfinished_at(const Git& git, const path& place) {
  std::vector<path> found;
  const path folder = git.common_dir() / "worktrees";
  const bool is_being_removed = !TRY(read_removals(git, place)).empty();
  for (const std::string& id : TRY(PosixFileSystem().list(folder))) {
    if (is_unfinished(folder / id, place, is_being_removed)) found.push_back(folder / id);
  }
  return found;
}

// Removes one file, or one folder that is empty.
Result<void> remove_one(const path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error) return fail(error_from_errno(error.value(), file.string() + ": cannot be removed"));
  return {};
}

// The folder of a worktree that never was: empty, or with nothing but git's `.git` in it.
Result<void> clear_dot_git(const Git& git, const path& place) {
  const std::vector<std::string> names = TRY(PosixFileSystem().list(place));
  if (names.empty()) return {};
  if (names != std::vector<std::string>{".git"}) {
    return fail(Error{ErrorKind::Conflict, place.string() +
                                               ": a worktree was begun there and never finished, but it "
                                               "holds files that git did not put there: " +
                                               names_for_people(names)});
  }
  const std::string text = small_text(place / ".git");
  const std::string ours = "gitdir: " + (git.common_dir() / "worktrees").string();
  if (!text.starts_with(ours) && !ours.starts_with(text)) {
    return fail(Error{ErrorKind::Conflict, place.string() + ": is a repository or a worktree of another"});
  }
  return remove_one(place / ".git");
}

path removals_folder(const Git& git) { return git.common_dir() / "reprise" / "removing"; }

}  // namespace

Result<void> take_back_unfinished(const Git& git, const path& place) {
  for (const path& admin : TRY(unfinished_at(git, place))) {
    const std::vector<Occupant> owners = possible_owners(admin / "locked", {.folders = {place, admin}});
    if (!owners.empty()) {
      return fail(
          Error{ErrorKind::Conflict, place.string() + ": is being made into a worktree by " + to_text(owners)});
    }
    TRY_VOID(clear_dot_git(git, place));
    for (const std::string_view name : kRegistrationFiles) TRY_VOID(remove_one(admin / name));
    TRY_VOID(remove_one(admin));
  }
  return {};
}

Result<std::vector<RemovalNote>> read_removals(const Git& git, const path& place) {
  std::vector<RemovalNote> notes;
  for (const std::string& id : TRY(PosixFileSystem().list(removals_folder(git)))) {
    if (!id.starts_with('.') && small_text(removals_folder(git) / id) == place.string())
      notes.push_back({.path = place, .id = id});
  }
  return notes;
}

Result<void> write_removal(const Git& git, const RemovalNote& note) {
  TRY_VOID(own_folder(git));
  TRY_VOID(PosixFileSystem().make_directories(removals_folder(git)));
  return PosixFileSystem().replace(removals_folder(git) / note.id, note.path.string() + "\n");
}

Result<void> forget_removal(const Git& git, const RemovalNote& note) {
  return PosixFileSystem().remove(removals_folder(git) / note.id);
}

Result<void> undo_removal(const Git& git, const path& place, const RepositoryLock& lock) {
  for (const RemovalNote& note : TRY(read_removals(git, place))) {
    const bool is_registered = TRY(find_worktree(git, place)).has_value();
    if (is_registered && TRY(look_at(place))) {
      if (!admin_folder_of(git, place)) TRY_VOID(ask_recorded(git, {"worktree", "repair"}, {}, &lock));
      const Git there = TRY(open_worktree(git, place));
      // Without -f: what is still there stays as it is.
      TRY_VOID(run_recorded(there, {"checkout-index", "--all", "--quiet"}, {}, &lock));
    }
    TRY_VOID(forget_removal(git, note));
  }
  return {};
}

}  // namespace reprise
