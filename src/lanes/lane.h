// Lanes: isolated places to work, each a worktree and a branch of its own.
//
// Made, adopted, made again and closed with the ensure-operations of git/, so every call can be repeated after a
// kill. What was decided about a lane is in the journal; here is only what is on the disk, and whether the two
// agree.
//
//   L1  A lane that is not where it was, not on its branch, or whose branch no longer holds what was recorded is
//   never
//       worked in: the reason is returned, and somebody decides (P29).
//   L2  A lane's folder that vanished is an error or is made again from its branch. Nothing ever runs in the
//   checkout
//       that the folder happened to lie in (R5).
//   L3  A branch of the lane's name that this run did not make is not touched.
//   L4  Closing a lane loses nothing: see T4 of git/ensure_worktree.h.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/ensure.h"
#include "git/ensure_worktree.h"
#include "git/git.h"

namespace reprise {

/// One lane, as it is recorded.
struct Lane {
  std::string name;
  std::filesystem::path path;  // relative to the repository
  std::string branch;
  std::string base;  // the commit it began at
};

/// Where all lanes lie, unless configured otherwise.
inline constexpr std::string_view kLaneRoot = ".worktrees";

/// Why a lane cannot be worked in.
enum class LaneTrouble {
  None,
  Gone,         // its folder is not there, or is no worktree any more
  Forbidden,    // its path leads outside the root, or over a link
  OtherBranch,  // something else is checked out
  Moved,        // its branch does not hold the commit that was recorded
  Unfinished,   // in the middle of a merge or rebase, or its files were never all written
};
std::string_view to_token(LaneTrouble trouble);

/// What is on the disk.
struct LaneLook {
  LaneTrouble trouble = LaneTrouble::None;
  std::string why;                   // for people; "" without trouble
  std::filesystem::path folder;      // absolute; "" if the path is forbidden
  std::string head;                  // of the branch; "" if there is none
  std::vector<std::string> changed;  // tracked files that are not as committed
  std::vector<std::string> untracked;
  bool is_clean() const { return changed.empty() && untracked.empty(); }
};
/// Looks at a lane. Changes nothing. `recorded` is the last commit that the journal knows of it.
Result<LaneLook> look_at_lane(const Git& git, const std::filesystem::path& root, const Lane& lane,
                              const std::optional<std::string>& recorded);

struct LaneRequest {
  Lane lane;
  std::filesystem::path root = kLaneRoot;
  std::optional<std::string> recorded = {};  // the last commit on record; nothing: it was never made
  bool is_announced = false;                 // the journal says that this run was going to make it
  std::optional<TakeOver> take_over = {};    // a finished lane whose tree it may have, for speed
};
/// Makes a lane, adopts it, or makes it again from its branch. Conflict (L1, L3) with the reason and the way out.
Result<WorktreeState> ensure_lane(const Git& git, const LaneRequest& request);

/// Returns the commit that a lane starts from: the base, with what the lanes that it needs have made. Conflicts
/// between them are a value: files and both sides.
Result<JoinOutcome> start_commit(const Git& git, const std::string& base, const std::vector<std::string>& heads,
                                 const std::string& lane);

/// Returns the tracked files that are not as committed where `branch` is checked out; none if it is nowhere.
Result<std::vector<std::string>> uncommitted_in_checkout_of(const Git& git, const std::string& branch);

/// A file that more than one lane has changed since it began, committed or not.
struct Overlap {
  std::string file;
  std::vector<std::string> lanes;  // names
  bool operator==(const Overlap&) const = default;
};
/// Returns the overlaps among lanes that are there, sorted by file.
Result<std::vector<Overlap>> touched_by_both(const Git& git, const std::filesystem::path& root,
                                             const std::vector<Lane>& lanes);

struct CloseRequest {
  Lane lane;
  std::filesystem::path root = kLaneRoot;
  std::optional<std::string> snapshot = {};  // holds the tree as it is, and is held by a reference
  bool with_ignored = false;                 // ignored files may go
  bool with_branch = false;                  // the branch goes too; only if other references hold all of it
};
/// Removes the lane's worktree, and its branch if asked. Already done is fine. Fails with Conflict wherever
/// something would be lost. Returns the files that cannot be deleted.
Result<std::optional<Leftover>> close_lane(const Git& git, const CloseRequest& request);

}  // namespace reprise
