// Moving a worktree from one commit to another, and carrying on with a move that was cut off.

#include "git/tree_move.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "git/call_records.h"
#include "git/path_look.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr std::size_t kNoteBytesMax = 4096;
constexpr std::size_t kFileBytesMax = 256u << 20;

path note_of(const Git& git) { return git.git_dir() / "reprise-move"; }

// An index of our own: what the tree would be compared with if the move were done.
class ScratchIndex {
 public:
  explicit ScratchIndex(const Git& git) : file_(git.git_dir() / "reprise-index") { clear(); }
  ~ScratchIndex() { clear(); }
  ScratchIndex(const ScratchIndex&) = delete;
  ScratchIndex& operator=(const ScratchIndex&) = delete;
  std::vector<std::string> environment() const { return {"GIT_INDEX_FILE=" + file_.string()}; }

 private:
  void clear() const {
    PosixFileSystem files;
    static_cast<void>(files.remove(file_));
    static_cast<void>(files.remove(path(file_) += ".lock"));
  }
  path file_;
};

Result<std::optional<std::string>> content_in_tree(const Git& git, const std::string& file) {
  const path place = git.top() / file;
  const std::optional<PathLook> look = TRY(look_at(place));
  if (!look) return std::nullopt;
  if (look->type == FileType::Regular) return TRY(PosixFileSystem().read(place, kFileBytesMax));
  std::error_code error;
  if (look->type == FileType::Symlink) return std::filesystem::read_symlink(place, error).string();
  return std::nullopt;
}

// As it would be written into the worktree; nothing if the commit has no such file.
Result<std::optional<std::string>> content_in_commit(const Git& git, const std::string& commit,
                                                     const std::string& file) {
  if (commit.empty()) return std::nullopt;
  GitAnswer answer = TRY(git.run({"cat-file", "--filters", commit + ":" + file}, {.access = GitAccess::Inspect}));
  if (!answer.ok()) return std::nullopt;
  return std::move(answer.output);
}

Result<bool> may_be_ours(const Git& git, const std::string& from, const std::string& to, const std::string& file) {
  const std::optional<std::string> found = TRY(content_in_tree(git, file));
  if (!found) return true;
  if (found == TRY(content_in_commit(git, from, file))) return true;
  const std::optional<std::string> wanted = TRY(content_in_commit(git, to, file));
  return wanted && wanted->starts_with(*found);
}

Result<std::set<std::string>> files_between(const Git& git, const std::string& from, const std::string& to) {
  const std::vector<std::string> names = split_names(TRY(git.ask(
      {"diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to}, {.access = GitAccess::Inspect})));
  return std::set<std::string>(names.begin(), names.end());
}

// The reference and HEAD go last: until then the tree is what is on its way.
// As git does it, but synced: git syncs branches and not HEAD, and a worktree whose HEAD is empty after a power
// cut makes the whole repository unsound (P27).
Result<void> point_head_at(const Git& git, const std::string& ref) {
  const path lock = git.git_dir() / "HEAD.lock";
  if (TRY(look_at(lock))) return fail(ErrorKind::Conflict, lock.string() + ": somebody is changing HEAD");
  return PosixFileSystem().replace(git.git_dir() / "HEAD", "ref: " + ref + "\n");
}

Result<void> move_names(const Git& git, const TreeMove& move, const RepositoryLock& lock) {
  const std::string ref = "refs/heads/" + move.branch;
  const HeadState head = TRY(head_of(git));
  const bool is_there = head.branch != move.branch && TRY(git.commit_of(ref)) == move.to;
  if (!is_there) TRY_VOID(ensure_ref(git, {.ref = ref, .to = move.to, .from = move.from}, &lock));
  if (head.branch != move.branch) {
    TRY_VOID(point_head_at(git, ref));
  }
  return remove_tree_move(git);
}

Result<void> refuse_dirty(const Git& git) {
  const TreeStatus status = TRY(status_of(git, Ignored::Skip, GitAccess::Inspect));
  if (status.is_clean()) return {};
  std::vector<std::string> names = status.conflicted;
  for (const StatusEntry& entry : status.changed) names.push_back(entry.path);
  Error error{ErrorKind::Conflict,
              git.top().string() + ": holds changes that are not committed: " + names_for_people(names)};
  return fail(std::move(error).hint("git -C " + shell_quote(git.top().string()) + " status"));
}

// The files that the move adds and that lie in the worktree.
Result<std::vector<std::string>> added_files_there(const Git& git, const TreeMove& move) {
  const std::vector<std::string> added = split_names(
      TRY(git.ask({"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", move.from, move.to},
                  {.access = GitAccess::Inspect})));
  std::vector<std::string> there;
  for (const std::string& name : added) {
    if (TRY(look_at(git.top() / name))) there.push_back(name);
  }
  return there;
}

// Git takes ignored files for worth nothing and writes over them. Whoever ignored a file may have no other copy of
// it.
Result<void> refuse_overwriting(const Git& git, const TreeMove& move) {
  const std::vector<std::string> there = TRY(added_files_there(git, move));
  if (there.empty()) return {};
  Error error{ErrorKind::Conflict, git.top().string() + ": files that are not committed would be overwritten: " +
                                       names_for_people(there)};
  return fail(std::move(error).hint("mv " + shell_quote((git.top() / there[0]).string()) + " " +
                                    shell_quote((git.top() / there[0]).string() + ".mine")));
}

// Whether git refused before it touched a file. No added file was there when the move began, so that one which is
// there now was written by git; it counts as untracked, and no tracked file shows it.
Result<bool> is_untouched(const Git& git, const TreeMove& move) {
  if (!TRY(added_files_there(git, move)).empty()) return false;
  return TRY(status_of(git, Ignored::Skip, GitAccess::Inspect)).is_clean();
}

Result<void> start_move(const Git& git, const TreeMove& move, const RepositoryLock& lock) {
  TRY_VOID(refuse_overwriting(git, move));
  TRY_VOID(write_tree_move(git, move));
  const std::vector<std::string> arguments = {"read-tree", "-m", "-u", move.from, move.to};
  GitAnswer answer = TRY(run_recorded(git, arguments, {}, &lock));
  if (!answer.ok() && answer.errors.find("not uptodate") != std::string::npos) {
    // read-tree trusts the times in the index alone: a file that was only touched is taken for a changed one.
    TRY_VOID(run_recorded(git, {"update-index", "--refresh"}, {}, &lock));
    answer = TRY(run_recorded(git, arguments, {}, &lock));
  }
  if (answer.ok()) return {};
  // The note stays if git failed on the way: the next one to come finishes the move.
  if (!TRY(is_untouched(git, move))) return fail(git_refusal(arguments, answer).within(git.top().string()));
  TRY_VOID(remove_tree_move(git));
  Error error = git_refusal(arguments, answer);
  if (!is_storage_trouble(answer.errors) && answer.full.empty()) error.kind = ErrorKind::Conflict;
  return fail(std::move(error).within(git.top().string()));
}

}  // namespace

Result<std::optional<TreeMove>> read_tree_move(const Git& git) {
  if (!TRY(look_at(note_of(git)))) return std::nullopt;
  const std::string text = TRY(PosixFileSystem().read(note_of(git), kNoteBytesMax));
  const std::vector<std::string_view> lines = split(text, '\n');
  if (lines.size() < 4) return fail(ErrorKind::Corrupt, note_of(git).string() + ": is not a note of ours");
  return TreeMove{.from = std::string(lines[0]), .to = std::string(lines[1]), .branch = std::string(lines[2])};
}

Result<void> write_tree_move(const Git& git, const TreeMove& move) {
  return PosixFileSystem().replace(note_of(git), move.from + "\n" + move.to + "\n" + move.branch + "\n");
}

Result<void> remove_tree_move(const Git& git) { return PosixFileSystem().remove(note_of(git)); }

Result<std::vector<std::string>> changed_by_others(const Git& git, const std::string& from, const std::string& to,
                                                   const RepositoryLock* lock) {
  const ScratchIndex index(git);
  TRY_VOID(ask_recorded(git, {"read-tree", to}, {.environment = index.environment()}, lock));
  const TreeStatus status =
      parse_status(TRY(git.ask({"status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"},
                               {.environment = index.environment(), .access = GitAccess::Inspect})));
  std::set<std::string> touched;
  if (!from.empty()) touched = TRY(files_between(git, from, to));
  std::vector<std::string> others = from.empty() ? status.untracked : std::vector<std::string>();
  for (const StatusEntry& entry : status.changed) {
    if (entry.code.ends_with('.')) continue;  // between HEAD and index, which is ours
    const bool may_be_touched = from.empty() || touched.contains(entry.path);
    if (!may_be_touched || !TRY(may_be_ours(git, from, to, entry.path))) others.push_back(entry.path);
  }
  return others;
}

Result<void> finish_tree_move(const Git& git, const RepositoryLock& lock) {
  const std::optional<TreeMove> move = TRY(read_tree_move(git));
  if (!move) return {};
  const std::string head = TRY(git.commit_of("HEAD")).value_or("");
  const bool has_arrived = head == move->to && TRY(git.branch()) == move->branch;
  // Anywhere else than at its two ends, somebody has moved HEAD since: then theirs is what counts.
  if (has_arrived || head != move->from) return remove_tree_move(git);
  const std::vector<std::string> others = TRY(changed_by_others(git, move->from, move->to, &lock));
  if (!others.empty()) {
    Error error{ErrorKind::Conflict,
                git.top().string() + ": was on its way from " + move->from + " to " + move->to +
                    " when that was cut off, and these files were changed since: " + names_for_people(others)};
    return fail(std::move(error).hint("git -C " + shell_quote(git.top().string()) + " stash --include-untracked"));
  }
  // With old times in the index, every file would be written again, also those that are the same in both commits.
  TRY_VOID(run_recorded(git, {"update-index", "--refresh"}, {}, &lock));
  TRY_VOID(ask_recorded(git, {"read-tree", "--reset", "-u", move->to}, {}, &lock));
  return move_names(git, *move, lock);
}

Result<void> ensure_tree_at(const Git& git, const TreeMove& move, const RepositoryLock* held) {
  std::optional<RepositoryLock> own;
  if (held == nullptr) own.emplace(TRY(RepositoryLock::take(git)));
  const RepositoryLock& lock = held != nullptr ? *held : *own;
  TRY_VOID(finish_tree_move(git, lock));
  const HeadState head = TRY(head_of(git));
  if (head.commit == move.to && head.branch == move.branch) return {};
  if (head.commit != move.from) {
    return fail(Error{ErrorKind::Conflict, git.top().string() + ": HEAD was moved by another: expected at " +
                                               move.from + ", found at " +
                                               (head.commit.empty() ? "nothing" : head.commit)});
  }
  if (!move.is_known_clean) TRY_VOID(refuse_dirty(git));
  TRY_VOID(start_move(git, move, lock));
  return move_names(git, move, lock);
}

}  // namespace reprise
