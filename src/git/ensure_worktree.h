// Worktrees that are made, adopted, completed and removed, as ensure-operations (see ensure.h).
//
//   T1  A worktree lies below its root, and no link leads there. The repository itself, its folder and everything
//       outside the root are never made into one and never removed (R4, R58).
//   T2  A worktree that is there and right is adopted as it is, with whatever is in it. One that was cut off in
//   the
//       making is completed; git's registration that never got finished is taken back file by file and made again.
//   T3  Files are written over only if git itself left them half-written there. Anything else is refused by name.
//   T4  Removal is git's own, never ours, and refuses while somebody works there, while it holds a file or a
//   commit
//       that would be lost, and whenever git refuses. Force only for a tree that was proven to be in a commit
//       that stays (P24, P25, R1–R4). A git that fails may have removed a part: what git lists afterwards decides.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git.h"

namespace reprise {

struct WorktreeRequest {
  std::filesystem::path root = ".worktrees";  // relative: to the repository
  std::filesystem::path path;                 // below root; relative: to the repository
  std::string branch;
  std::string start;  // where the branch begins if there is none yet: a commit or a branch
};
struct WorktreeState {
  std::filesystem::path path;  // absolute
  std::string head;
  bool made = false;               // by this call, or completed by it; false: it was there
  std::vector<std::string> notes;  // for people: what is not as one might expect, and why it was done all the same
};
/// Makes or adopts a worktree with `branch` checked out. Conflict if the branch is checked out elsewhere (says
/// where), or something else is at that path; Invalid for a path that T1 forbids; NotFound if the repository has
/// no commits or no such start. Submodules are left as they are in a new worktree: empty, with a note.
Result<WorktreeState> ensure_worktree(const Git& git, const WorktreeRequest& request);

/// A worktree that nobody needs any more, to be used for another branch.
struct TakeOver {
  std::filesystem::path from;  // the worktree that is taken, absolute
  std::string from_branch;     // what it has checked out; stays as a branch
};
/// Like ensure_worktree(), but moves the worktree of `take` to the new place and branch: the files that are the
/// same in both stay where they are on the disk. If it cannot be had (not clean, somebody in it, gone), a new one
/// is made. Cut off, it is to be repeated with the same request.
Result<WorktreeState> ensure_taken_over(const Git& git, const WorktreeRequest& request, const TakeOver& take);

struct RemovalRequest {
  std::filesystem::path root = ".worktrees";
  std::filesystem::path path;
  std::optional<std::string> snapshot = {};  // a commit that holds the tree as it is; allows what is not committed
  std::optional<std::string> leaving = {};   // a branch that will be deleted next, so that it keeps nothing alive
  bool with_ignored = false;                 // ignored files may go with it
};
/// Files of a removed worktree that cannot be deleted, such as those of another user.
struct Leftover {
  std::filesystem::path folder;  // holds all of them; absolute
  std::string why;               // names the first one and the error
};
/// Removes a worktree. Not there is fine. Fails with Conflict, with the reason, wherever T4 forbids it. Returns
/// the files that cannot be deleted: they are moved to `ROOT/.leftover`, so that their place is free for a new
/// worktree, and stay in place if they cannot be moved either.
Result<std::optional<Leftover>> ensure_worktree_removed(const Git& git, const RemovalRequest& request);

/// Returns the folder with the leftovers of the worktree at `path`; nothing if there are none, or T1 forbids it.
Result<std::optional<std::filesystem::path>> find_leftover(const Git& git, const std::filesystem::path& root,
                                                           const std::filesystem::path& path);
/// Deletes the leftovers of the worktree at `path`. Returns those that still cannot be deleted.
Result<std::optional<Leftover>> remove_leftover(const Git& git, const std::filesystem::path& root,
                                                const std::filesystem::path& path);

/// Returns the worktree's place, absolute and free of links, or why it is no place for one (T1).
Result<std::filesystem::path> checked_place(const Git& git, const std::filesystem::path& root,
                                            const std::filesystem::path& path);

/// Opens the worktree at `place`, and nothing else: if it is gone, that is an error, and never the repository that
/// the folder happens to lie in (R5).
Result<Git> open_worktree(const Git& git, const std::filesystem::path& place);

}  // namespace reprise
