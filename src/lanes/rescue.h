// Rescue references: what was set aside before something destructive, by name, and the way back.
//
// refs/reprise/rescue/<of>/<UTC time>-<n>, where <of> is the lane or worktree it was taken from. A rescue is never
// overwritten and never moved; as long as the reference stands, git keeps everything it holds (P24).

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "git/git.h"
#include "lanes/restore.h"
#include "lanes/snapshot.h"

namespace reprise {

/// What to set aside, and why.
struct RescueRequest {
  std::string of;                         // lane or worktree: a name like a branch's
  std::string reason;                     // in a line
  Timestamp time;                         // now
  std::vector<std::string> ignored = {};  // ignored files and folders to include
  std::vector<std::string> pinned = {};   // commits that are about to leave their branch
};

/// One thing that was set aside.
struct Rescue {
  std::string ref;
  std::string of;
  std::string commit;  // the snapshot, or the commit that was kept
  Timestamp time;
  std::string reason;
  std::string branch;  // "refs/heads/…"; "": there was none
  std::string head;    // what was checked out; "": nothing yet
  bool is_snapshot = true;
  std::size_t files = 0;         // that are not as in `head`
  std::size_t lone_commits = 0;  // that no branch, tag or HEAD holds
};

/// Returns the first name that is free. Invalid if `of` is no name.
Result<std::string> next_rescue_ref(const Git& git, const std::string& of, Timestamp time);

/// Sets aside what is in the worktree.
Result<Snapshot> take_rescue(const Git& worktree, const RescueRequest& request);

/// Keeps a commit that is about to lose its last name, with all that it follows (R8). Returns the reference. Kept
/// already, under any rescue reference of the same lane: that one.
Result<std::string> keep_commit(const Git& git, const std::string& commit, const RescueRequest& request);

/// Returns what was set aside, the latest first; only of `of`, if it is given.
Result<std::vector<Rescue>> list_rescues(const Git& git, const std::optional<std::string>& of = {});

/// Returns the rescue that `name` means: its whole reference, its end from any "/" on, or its commit. NotFound;
/// Conflict if it could be several, naming them.
Result<Rescue> find_rescue(const Git& git, const std::string& name);

/// Brings the worktree to what was set aside as `name`. What is there now is set aside first, under the same <of>.
Result<Restored> restore_rescue(const Git& worktree, const std::string& name, Timestamp time, bool exact = false);

}  // namespace reprise
