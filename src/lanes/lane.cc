// Lanes, made of git's ensure-operations.

#include "lanes/lane.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "git/path_look.h"

namespace reprise {
namespace {

using std::filesystem::path;

std::string short_id(const std::string& commit) { return commit.substr(0, 12); }

LaneLook trouble(LaneLook& look, LaneTrouble kind, std::string why) {
  look.trouble = kind;
  look.why = std::move(why);
  return std::move(look);
}

// Whether the branch still holds what was recorded of it. A commit that is gone is held by nobody.
Result<bool> holds(const Git& git, const std::string& head, const std::optional<std::string>& recorded) {
  if (!recorded || *recorded == head) return true;
  if (!TRY(git.commit_of(*recorded))) return false;
  return is_ancestor(git, *recorded, head);
}

std::string moved_words(const Lane& lane, const std::string& head, const std::string& recorded) {
  return "branch " + lane.branch + " was moved by somebody else: it is at " + short_id(head) +
         ", which does not hold " + short_id(recorded) + ", the last commit on record";
}

Result<bool> is_unfinished(const Git& there) {
  for (const char* name : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"}) {
    if (TRY(look_at(there.git_dir() / name))) return true;
  }
  return TRY(look_at(there.git_dir() / "reprise-move")) || !TRY(look_at(there.git_dir() / "index"));
}

Result<LaneLook> look_inside(const Git& git, const Git& there, const Lane& lane, LaneLook look,
                             const std::optional<std::string>& recorded) {
  const std::optional<std::string> branch = TRY(there.branch());
  if (branch != lane.branch) {
    const std::string found = branch ? "branch " + *branch : "a detached HEAD";
    return trouble(look, LaneTrouble::OtherBranch,
                   look.folder.string() + " has " + found + " checked out, not branch " + lane.branch);
  }
  if (!TRY(holds(git, look.head, recorded))) {
    return trouble(look, LaneTrouble::Moved, moved_words(lane, look.head, *recorded));
  }
  const TreeStatus status = TRY(status_of(there));
  look.changed = status.conflicted;
  for (const StatusEntry& entry : status.changed) look.changed.push_back(entry.path);
  look.untracked = status.untracked;
  if (!status.conflicted.empty() || TRY(is_unfinished(there))) {
    return trouble(look, LaneTrouble::Unfinished, look.folder.string() + " is in the middle of something");
  }
  return look;
}

// Committed since the base, not committed, and not even tracked.
Result<std::set<std::string>> touched_in(const Git& there, const std::string& base) {
  std::set<std::string> files;
  const auto add = [&](std::vector<std::string> arguments) -> Result<void> {
    for (std::string& name : split_names(TRY(there.ask(std::move(arguments))))) {
      files.insert(std::move(name));
    }
    return {};
  };
  TRY_VOID(add({"diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", base, "--"}));
  TRY_VOID(add({"diff-tree", "-r", "-z", "--name-only", "--no-renames", base, "HEAD"}));
  TRY_VOID(add({"ls-files", "-z", "--others", "--exclude-standard"}));
  return files;
}

// L3 and L1, for a branch that is there before the lane is.
Result<void> check_lane_branch(const Git& git, const LaneRequest& request) {
  const Lane& lane = request.lane;
  const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + lane.branch));
  if (!head) return {};
  if (!request.recorded && !request.is_announced) {
    Error error{ErrorKind::Conflict, "there is a branch " + lane.branch + " already, at " + short_id(*head) +
                                         ", which this run did not make"};
    return fail(std::move(error).hint("git branch -m " + shell_quote(lane.branch) + " " +
                                      shell_quote(lane.branch + "-old")));
  }
  if (TRY(holds(git, *head, request.recorded))) return {};
  Error error{ErrorKind::Conflict, moved_words(lane, *head, *request.recorded)};
  return fail(
      std::move(error).hint("git log --oneline --graph " + *request.recorded + " " + shell_quote(lane.branch)));
}

}  // namespace

std::string_view to_token(LaneTrouble kind) {
  switch (kind) {
    case LaneTrouble::None: return "none";
    case LaneTrouble::Gone: return "gone";
    case LaneTrouble::Forbidden: return "forbidden";
    case LaneTrouble::OtherBranch: return "other_branch";
    case LaneTrouble::Moved: return "moved";
    case LaneTrouble::Unfinished: return "unfinished";
  }
  return "none";
}

Result<LaneLook> look_at_lane(const Git& git, const path& root, const Lane& lane,
                              const std::optional<std::string>& recorded) {
  LaneLook look;
  look.head = TRY(git.commit_of("refs/heads/" + lane.branch)).value_or("");
  Result<path> place = checked_place(git, root, lane.path);
  if (!place && place.error().kind == ErrorKind::Invalid) {
    return trouble(look, LaneTrouble::Forbidden, place.error().message);
  }
  look.folder = TRY(std::move(place));
  Result<Git> there = open_worktree(git, look.folder);
  if (!there && there.error().kind == ErrorKind::NotFound) {
    const bool has_moved = recorded && !look.head.empty() && !TRY(holds(git, look.head, recorded));
    if (has_moved) return trouble(look, LaneTrouble::Moved, moved_words(lane, look.head, *recorded));
    return trouble(look, LaneTrouble::Gone, look.folder.string() + " is not there as a worktree");
  }
  return look_inside(git, TRY(std::move(there)), lane, std::move(look), recorded);
}

Result<WorktreeState> ensure_lane(const Git& git, const LaneRequest& request) {
  TRY_VOID(check_lane_branch(git, request));
  const WorktreeRequest worktree{.root = request.root,
                                 .path = request.lane.path,
                                 .branch = request.lane.branch,
                                 .start = request.recorded.value_or(request.lane.base)};
  if (request.take_over && !request.recorded) return ensure_taken_over(git, worktree, *request.take_over);
  return ensure_worktree(git, worktree);
}

Result<JoinOutcome> start_commit(const Git& git, const std::string& base, const std::vector<std::string>& heads,
                                 const std::string& lane) {
  std::vector<std::string> commits;
  const auto add = [&](const std::string& name) -> Result<void> {
    const std::optional<std::string> commit = TRY(git.commit_of(name));
    if (!commit) {
      Error error{ErrorKind::NotFound, "there is no branch or commit " + printable_line(name, 100) +
                                           " to start lane " + printable_line(lane, 100) + " from"};
      return fail(std::move(error).hint("git branch --list --all"));
    }
    commits.push_back(*commit);
    return {};
  };
  TRY_VOID(add(base));
  for (const std::string& head : heads) TRY_VOID(add(head));
  return join_commits(git, std::move(commits), "start of lane " + lane);
}

Result<std::vector<std::string>> uncommitted_in_checkout_of(const Git& git, const std::string& branch) {
  std::vector<std::string> names;
  for (const WorktreeEntry& entry : TRY(list_worktrees(git))) {
    if (entry.branch != branch || entry.is_bare || !TRY(look_at(entry.path))) continue;
    const TreeStatus status = TRY(status_of(TRY(Git::open(entry.path))));
    names.insert(names.end(), status.conflicted.begin(), status.conflicted.end());
    for (const StatusEntry& changed : status.changed) names.push_back(changed.path);
  }
  return names;
}

Result<std::vector<Overlap>> touched_by_both(const Git& git, const path& root, const std::vector<Lane>& lanes) {
  std::map<std::string, std::vector<std::string>> touched;
  for (const Lane& lane : lanes) {
    const Result<path> place = checked_place(git, root, lane.path);
    const Result<Git> there = place ? open_worktree(git, *place) : Result<Git>(fail(place.error()));
    if (!there) continue;
    for (const std::string& file : TRY(touched_in(*there, lane.base))) touched[file].push_back(lane.name);
  }
  std::vector<Overlap> overlaps;
  for (auto& [file, names] : touched) {
    if (names.size() > 1) overlaps.push_back({.file = file, .lanes = std::move(names)});
  }
  return overlaps;
}

Result<std::optional<Leftover>> close_lane(const Git& git, const CloseRequest& request) {
  const Lane& lane = request.lane;
  RemovalRequest removal{
      .root = request.root, .path = lane.path, .snapshot = request.snapshot, .with_ignored = request.with_ignored};
  if (request.with_branch) removal.leaving = lane.branch;
  std::optional<Leftover> left = TRY(ensure_worktree_removed(git, removal));
  if (!request.with_branch) return left;
  const RepositoryLock lock = TRY(RepositoryLock::take(git));
  const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + lane.branch));
  if (!head) return left;
  if (!TRY(is_kept(git, *head, lane.branch))) {
    return fail(Error{ErrorKind::Conflict,
                      "branch " + lane.branch + " is kept: commit " + *head + " would be in no other"});
  }
  TRY_VOID(ensure_no_ref(git, "refs/heads/" + lane.branch, *head, &lock));
  return left;
}

}  // namespace reprise
