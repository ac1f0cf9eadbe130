// Preparing and finishing a restore. The order of the second half is what makes it repeatable: files that go,
// files that come, the index, HEAD. Whatever of it was done is found done, because what is to be done follows from
// the rescue snapshot and the target alone.

#include "lanes/restore.h"

#include <algorithm>
#include <system_error>

#include "base/strings.h"
#include "git/locks.h"
#include "lanes/restore_files.h"
#include "lanes/restore_target.h"
#include "lanes/snapshot_index.h"
#include "lanes/snapshot_taking.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Side = Workshop::Side;

constexpr const char* kUnfinished = "unfinished";  // the plan of a restore that has begun
constexpr const char* kFinished = "finished";      // the plan of the last one that ended
constexpr const char* kNext = "next";              // the index to be
constexpr int kFurtherMax = 1000;

std::string to_text(const RestorePlan& plan) {
  return plan.to + "\n" + plan.rescue + "\n" + (plan.exact ? "exact" : "lenient") + "\n";
}

std::optional<RestorePlan> read_plan(const Workshop& workshop, const char* name) {
  const Result<std::string> text = PosixFileSystem().read(workshop.file(name), 64u << 10);
  if (!text) return std::nullopt;
  const std::vector<std::string_view> lines = split(*text, '\n');
  if (lines.size() != 4) return std::nullopt;
  return RestorePlan{std::string(lines[0]), std::string(lines[1]), lines[2] == "exact"};
}

Result<std::vector<std::string>> paths_in(const Workshop& workshop, const std::string& tree) {
  std::vector<std::string> paths =
      split_nul(TRY(workshop.ask(Side::Raw, "", {"ls-tree", "-r", "-z", "--name-only", tree})));
  std::ranges::sort(paths);
  return paths;
}

// One finish_restore(), from the moment that plan, rescue and target are known.
class Finish {
 public:
  Finish(const Workshop& workshop, const RestorePlan& plan, Snapshot rescue, RestoreTarget target)
      : workshop_(workshop), plan_(plan), rescue_(std::move(rescue)), target_(std::move(target)) {}

  Result<Restored> run() {
    TRY_VOID(begin());
    TRY_VOID(find_tracked());
    TRY_VOID(remove_leaving());
    if (target_.snapshot) {
      TRY_VOID(write_snapshot_files());
      TRY_VOID(install_staged(workshop_, target_.snapshot->index_commit));
    } else {
      TRY_VOID(write_commit_files());
      TRY_VOID(install_index(workshop_, kNext));
      TRY_VOID(clear_operation(git(), {}));
    }
    TRY_VOID(install_head(git(), target_));
    TRY_VOID(PosixFileSystem().replace(workshop_.file(kFinished), to_text(plan_)));
    TRY_VOID(PosixFileSystem().remove(workshop_.file(kUnfinished)));
    return std::move(restored_);
  }

 private:
  const Git& git() const { return workshop_.git(); }

  // Sees that everything is set aside, and notes that from here on things change.
  Result<void> begin() {
    ignored_ = rescue_.ignored;
    now_ = TRY(take_snapshot_in(workshop_, now_request("")));
    if (read_plan(workshop_, kUnfinished) == plan_) {
      TRY_VOID(look_at_ignored());
      return rescue_what_differs();
    }
    if (!is_same_state(now_, rescue_)) {
      return fail(ErrorKind::Conflict, git().top().string() + ": it has changed since it was set aside as " +
                                           plan_.rescue + "; nothing was done");
    }
    return PosixFileSystem().replace(workshop_.file(kUnfinished), to_text(plan_));
  }

  SnapshotRequest now_request(std::string ref) const {
    return {.ref = std::move(ref),
            .message = rescue_.message,
            .time = rescue_.time,
            .ignored = ignored_,
            .pinned = {},
            .is_new = true};
  }

  // The rules for what is ignored may already be the target's, the files not yet, or the other way round: whatever
  // the restore could touch is looked at in any case.
  Result<void> look_at_ignored() {
    const std::vector<TreeChange> changes = TRY(compare_trees(workshop_, now_.tree, target_.tree));
    std::vector<std::string> hidden = find_obstacles(git(), changes);
    for (const TreeChange& change : TRY(compare_trees(workshop_, rescue_.tree, target_.tree))) {
      if (change.kind == 'D' && !change.nested) hidden.push_back(change.path);
    }
    if (hidden.empty()) return {};
    ignored_.insert(ignored_.end(), hidden.begin(), hidden.end());
    now_ = TRY(take_snapshot_in(workshop_, now_request("")));
    return {};
  }

  // A file is safe if it is as it was set aside, or as the target has it. One that is neither was cut off in the
  // middle, or is somebody's work.
  Result<void> rescue_what_differs() {
    std::vector<std::string> changed;
    for (const TreeChange& change : TRY(compare_trees(workshop_, now_.tree, rescue_.tree))) {
      if (change.kind != 'A') changed.push_back(change.path);
    }
    bool differs = false;
    for (const TreeChange& change : TRY(compare_trees(workshop_, now_.tree, target_.tree))) {
      differs = differs || (change.kind != 'A' && std::ranges::find(changed, change.path) != changed.end());
    }
    const bool has_head = now_.head == rescue_.head || now_.head == target_.head;
    const bool is_there =
        target_.snapshot ? now_.index_commit == target_.snapshot->index_commit : now_.index_tree == target_.tree;
    const bool has_index = is_there || now_.index_commit == rescue_.index_commit;
    if (!differs && has_head && has_index) return {};
    for (int n = 1; n <= kFurtherMax; ++n) {
      const std::string ref = plan_.rescue + "-more-" + std::to_string(n);
      Result<Snapshot> further = take_snapshot_in(workshop_, now_request(ref));
      if (!further && further.error().kind == ErrorKind::Conflict) continue;
      if (!further) return fail(std::move(further).error());
      restored_.further_rescue.push_back(ref);
      return {};
    }
    return fail(ErrorKind::Conflict, plan_.rescue + ": set aside too often");
  }

  // Which files are here but not in the target, and which of them git knew.
  Result<void> find_tracked() {
    std::vector<std::string> gone;
    for (const TreeChange& change : TRY(compare_trees(workshop_, rescue_.tree, target_.tree))) {
      if (change.kind == 'D' && !change.nested) gone.push_back(change.path);
    }
    if (gone.empty()) return {};
    const std::vector<std::string> tracked =
        plan_.exact ? std::vector<std::string>() : TRY(tracked_paths(workshop_, rescue_));
    for (std::string& path : gone) {
      const bool goes = plan_.exact || std::ranges::binary_search(tracked, path);
      (goes ? leaving_ : restored_.kept).push_back(std::move(path));
    }
    std::ranges::sort(leaving_);
    std::ranges::sort(restored_.kept);
    return {};
  }

  Result<void> remove_leaving() {
    restored_.removed = TRY(remove_files(git(), leaving_));
    if (!plan_.exact || !target_.snapshot) return {};
    for (auto it = rescue_.folders.rbegin(); it != rescue_.folders.rend(); ++it) {
      const std::vector<std::string>& wanted = target_.snapshot->folders;
      if (std::ranges::find(wanted, *it) != wanted.end()) continue;
      std::error_code code;
      const fs::path folder = git().top() / *it;
      if (fs::is_directory(fs::symlink_status(folder, code)) && fs::is_empty(folder, code)) {
        fs::remove(folder, code);  // one that is not empty any more stays
      }
    }
    return {};
  }

  Result<void> make_rooms(const std::vector<std::string>& paths) {
    if (paths.empty()) return {};
    if (set_aside_.empty()) set_aside_ = TRY(paths_in(workshop_, now_.tree));
    for (const std::string& path : paths) TRY_VOID(make_room(git(), path, set_aside_));
    return {};
  }

  Result<void> write_snapshot_files() {
    std::vector<std::string> paths;
    for (const TreeChange& change : TRY(compare_trees(workshop_, now_.tree, target_.tree))) {
      if (change.kind == 'D') continue;
      if (change.nested) {
        TRY_VOID(note_nested(change.path));
      } else {
        paths.push_back(change.path);
      }
    }
    TRY_VOID(make_rooms(paths));
    TRY_VOID(write_raw(workshop_, target_.tree, paths));
    restored_.written = paths.size();
    std::vector<FileMode> modes;
    for (const FileMode& file : now_.modes) {
      if (!std::ranges::binary_search(restored_.kept, file.path)) modes.push_back(file);
    }
    return install_details(git(), *target_.snapshot, modes);
  }

  // What the files have to be is settled by attributes, so those files come first.
  Result<void> write_commit_files() {
    TRY_VOID(prepare_index(workshop_, kNext, target_.tree));
    std::vector<std::string> paths = TRY(differing_from_next());
    std::vector<std::string> attributes;
    std::ranges::copy_if(paths, std::back_inserter(attributes), [](const std::string& path) {
      return path == ".gitattributes" || path.ends_with("/.gitattributes");
    });
    if (!attributes.empty()) {
      TRY_VOID(check_out(attributes));
      paths = TRY(differing_from_next());
    }
    TRY_VOID(check_out(paths));
    restored_.written = attributes.size() + paths.size();
    for (const TreeChange& change : TRY(compare_trees(workshop_, now_.tree, target_.tree))) {
      if (change.nested && change.kind != 'D') TRY_VOID(note_nested(change.path));
    }
    return {};
  }

  Result<std::vector<std::string>> differing_from_next() const {
    // A file may look changed and not be: then looking again is all that it needs.
    static_cast<void>(TRY(workshop_.run(Side::Repository, kNext, {"update-index", "-q", "--refresh"})));
    return split_nul(TRY(
        workshop_.ask(Side::Repository, kNext, {"diff-files", "--name-only", "--ignore-submodules=all", "-z"})));
  }

  Result<void> check_out(const std::vector<std::string>& paths) {
    if (paths.empty()) return {};
    TRY_VOID(make_rooms(paths));
    TRY_VOID(
        workshop_.ask(Side::Repository, kNext, {"checkout-index", "-f", "-u", "-z", "--stdin"}, join_nul(paths)));
    return {};
  }

  Result<void> note_nested(const std::string& path) {
    restored_.nested.push_back(path);
    std::error_code code;
    if (!fs::exists(fs::symlink_status(git().top() / path, code)))
      fs::create_directories(git().top() / path, code);
    if (code) return fail(ErrorKind::Io, (git().top() / path).string() + ": " + code.message());
    return {};
  }

  const Workshop& workshop_;
  RestorePlan plan_;
  Snapshot rescue_;
  RestoreTarget target_;
  Snapshot now_;
  std::vector<std::string> ignored_;  // what is looked at though it is ignored
  std::vector<std::string> leaving_;
  std::vector<std::string> set_aside_;  // the paths that are in the worktree's snapshot of now
  Restored restored_;
};

// Commits that the branch of the target is at, and that nothing else may hold.
Result<std::vector<std::string>> commits_that_leave(const Git& git, const RestoreTarget& target) {
  std::vector<std::string> commits;
  if (target.branch.empty()) return commits;
  if (const std::optional<std::string> at = TRY(git.commit_of(target.branch))) commits.push_back(*at);
  return commits;
}

Result<PreparedRestore> prepare_in(const Workshop& workshop, const RestoreRequest& request, bool exact) {
  const Git& git = workshop.git();
  Snapshot here;
  if (const std::optional<std::string> branch = TRY(git.branch())) here.branch = "refs/heads/" + *branch;
  const RestoreTarget target = TRY(find_target(git, request.to, here));
  if (!target.branch.empty() && target.branch != here.branch) {
    TRY_VOID(check_branch_is_free(git, target.branch));
  }
  SnapshotRequest wanted{.ref = request.rescue_ref,
                         .message = request.reason,
                         .time = request.time,
                         .ignored = request.ignored,
                         .pinned = TRY(commits_that_leave(git, target)),
                         .is_new = true};
  const RestorePlan plan{.to = target.commit, .rescue = request.rescue_ref, .exact = exact};
  Snapshot rescue = TRY(take_snapshot_in(workshop, wanted));
  const std::vector<TreeChange> changes = TRY(compare_trees(workshop, rescue.tree, target.tree));
  TRY_VOID(check_no_repository_in_the_way(git, changes));
  const std::vector<std::string> obstacles = find_obstacles(git, changes);
  if (obstacles.empty()) return PreparedRestore{plan, std::move(rescue)};
  wanted.ignored.insert(wanted.ignored.end(), obstacles.begin(), obstacles.end());
  wanted.is_new = false;
  rescue = TRY(take_snapshot_in(workshop, wanted));
  TRY_VOID(check_set_aside(git, obstacles, TRY(paths_in(workshop, rescue.tree))));
  return PreparedRestore{plan, std::move(rescue)};
}

Result<Restored> finish_in(const Workshop& workshop, const RestorePlan& plan) {
  TRY_VOID(clear_dead_locks(workshop.git()));  // what a call left that is not made again stays for ever otherwise
  if (read_plan(workshop, kFinished) == plan && read_plan(workshop, kUnfinished) != plan) return Restored{};
  Snapshot rescue = TRY(read_snapshot(workshop.git(), plan.rescue));
  RestoreTarget target = TRY(find_target(workshop.git(), plan.to, rescue));
  if (target.commit != plan.to) {
    return fail(ErrorKind::Invalid, printable_line(plan.to, 100) + ": not the whole name of a commit");
  }
  if (!target.branch.empty() && target.branch != rescue.branch)
    TRY_VOID(check_branch_is_free(workshop.git(), target.branch));
  return Finish(workshop, plan, std::move(rescue), std::move(target)).run();
}

Result<void> check_request(const RestoreRequest& request) {
  if (is_snapshot_ref(request.rescue_ref)) return {};
  return fail(ErrorKind::Invalid, printable_line(request.rescue_ref, 100) + ": not a name below refs/reprise/");
}

}  // namespace

Result<void> check_place(const Git& git) {
  if (git.is_bare()) return fail(ErrorKind::Invalid, git.common_dir().string() + ": it has no worktree");
  std::error_code code;
  const fs::path real = fs::canonical(git.top(), code);
  if (code || real != git.top()) {
    return fail(ErrorKind::Conflict, git.top().string() + ": the worktree's folder is gone or has become a link");
  }
  const Result<Git> again = Git::open(git.top());
  const bool is_same = again && again->top() == git.top() && again->git_dir() == git.git_dir() &&
                       again->common_dir() == git.common_dir();
  if (is_same) return {};
  return fail(ErrorKind::Conflict, git.top().string() + ": the folder does not belong to its worktree any more");
}

Result<PreparedRestore> prepare_restore(const Git& git, const RestoreRequest& request, bool exact) {
  TRY_VOID(check_request(request));
  TRY_VOID(check_place(git));
  const Workshop workshop = TRY(Workshop::open(git));
  return prepare_in(workshop, request, exact);
}

Result<Restored> finish_restore(const Git& git, const RestorePlan& plan) {
  TRY_VOID(check_place(git));
  const Workshop workshop = TRY(Workshop::open(git));
  return finish_in(workshop, plan);
}

Result<Restored> restore_snapshot(const Git& git, const RestoreRequest& request, bool exact) {
  TRY_VOID(check_request(request));
  TRY_VOID(check_place(git));
  const Workshop workshop = TRY(Workshop::open(git));
  const std::optional<std::string> to = TRY(git.commit_of(request.to));
  if (const std::optional<RestorePlan> begun = read_plan(workshop, kUnfinished)) {
    if (begun->to == to && begun->exact == exact) return finish_in(workshop, *begun);
  }
  const PreparedRestore prepared = TRY(prepare_in(workshop, request, exact));
  return finish_in(workshop, prepared.plan);
}

}  // namespace reprise
