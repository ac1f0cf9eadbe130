// Changes to a repository that can be repeated: each looks at what is, does only what is missing, and checks the
// end.
//
// Killed at any point, by itself or with everything around it, the same call made again ends where the first one
// was going (P26). Nothing is ever undone to get there: what is found half-made is finished, or refused by name.
//
//   E1  A reference moves only from where it was seen to be (compare and swap). If another moved it: Conflict,
//   with both
//       commits.
//   E2  A merge is made beside the worktree, as objects. Files change only after it is known that there is no
//   conflict
//       and that no file of the person would be lost.
//   E3  A worktree that is moved from one commit to another says so beforehand, in a file of ours in its git
//   folder. One
//       that was cut off is carried on by whoever comes next, unless somebody changed a file in the meantime.
//
// Worktrees themselves are made and removed by ensure_worktree.h.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git.h"
#include "git/git_output.h"
#include "git/locks.h"

namespace reprise {

/// Where a reference is to go, and from where.
struct RefMove {
  std::string ref;                       // whole: refs/heads/lane/P1/SL-1
  std::string to;                        // commit
  std::optional<std::string> from = {};  // nothing: it must not exist yet
  std::string why = "moved by reprise";  // for the reflog
};
/// Moves a reference. Already there is fine; anywhere else than `from`: Conflict with both commits.
Result<void> ensure_ref(const Git& git, const RefMove& move, const RepositoryLock* lock = nullptr);

/// Deletes a reference that is at `at`. Not there is fine; elsewhere: Conflict.
Result<void> ensure_no_ref(const Git& git, const std::string& ref, const std::string& at,
                           const RepositoryLock* lock = nullptr);

struct BranchState {
  std::string commit;
  bool made = false;  // by this call
};
/// Makes a branch at `start` if there is none of that name. One that is there is returned where it is. No upstream
/// is set, so that no configuration is written. Invalid if the name is not allowed.
Result<BranchState> ensure_branch(const Git& git, const std::string& branch, const std::string& start,
                                  const RepositoryLock* lock = nullptr);

/// What a commit is to say.
struct CommitRequest {
  std::string message;
  std::string token;                       // names this one commit among all: "run/step/attempt"; one line
  std::optional<std::string> branch = {};  // must be checked out; nothing: whatever is
};
struct CommitOutcome {
  std::string commit;  // what HEAD is now
  bool made = false;   // it carries the token: made by this call, or by an earlier one that was cut off
  std::vector<std::string> left_out = {};  // repositories and worktrees in it that are not its own submodules
};
/// Commits everything in the worktree, untracked files too, with the token as a trailer "Reprise-Token". With
/// nothing to commit, HEAD is the answer. Conflict in the middle of a merge, on another branch, or if HEAD moves
/// meanwhile.
Result<CommitOutcome> ensure_commit(const Git& git, const CommitRequest& request);

/// A worktree that goes from one commit to another.
struct TreeMove {
  std::string from;  // where HEAD is
  std::string to;
  std::string branch;  // what is checked out afterwards, at `to`; moved there from `from` if it is elsewhere
  bool is_known_clean = false;  // the caller has just looked
};
/// Moves this worktree, index and branch. Tracked files must be as committed, and nothing untracked may be in the
/// way: else Conflict, and nothing has changed. With `lock`, or under one that is taken.
Result<void> ensure_tree_at(const Git& git, const TreeMove& move, const RepositoryLock* lock = nullptr);

/// Carries on a move of this worktree that was cut off; nothing to carry on is fine. Conflict, naming the files,
/// if somebody changed some since.
Result<void> finish_tree_move(const Git& git, const RepositoryLock& lock);

struct MergeRequest {
  std::string branch;  // is moved
  std::string source;  // commit that it is to hold
  std::string message = {};
};
struct MergeOutcome {
  enum class Kind { AlreadyThere, FastForward, Merged, Conflicts };
  Kind kind = Kind::AlreadyThere;
  std::string commit;  // where the branch is now
  std::vector<MergeConflict> conflicts = {};
};
/// Brings `source` into a branch: by fast-forward where possible. If the branch is checked out somewhere, that
/// worktree must be clean and is updated with it. Conflicts are an outcome, and have changed nothing.
Result<MergeOutcome> ensure_merge(const Git& git, const MergeRequest& request);

/// Returns one commit that holds all of `commits`: one of them if it does already, else merges made as objects
/// only, the same ones whenever it is asked. Conflicts name the first pair that does not fit.
struct JoinOutcome {
  std::string commit;
  std::vector<MergeConflict> conflicts = {};
  std::string ours = {};  // the two sides of the conflicts
  std::string theirs = {};
};
Result<JoinOutcome> join_commits(const Git& git, std::vector<std::string> commits, const std::string& message);

struct PushRequest {
  std::string remote;
  std::string branch;  // on both sides
  std::string commit;
};
/// Pushes, never by force. Already there is fine. Unavailable if the remote cannot be reached, Conflict if it
/// holds commits that we do not, Denied if it refuses.
Result<void> ensure_push(const Git& git, const PushRequest& request);

/// Whether `commit` is held by a reference that stays when branch `leaving` is gone. References that belong to a
/// single worktree do not count.
Result<bool> is_kept(const Git& git, const std::string& commit, const std::optional<std::string>& leaving = {});

/// Returns the variables that make our commits possible where no identity is configured: "Reprise
/// <reprise@localhost>".
Result<std::vector<std::string>> identity_environment(const Git& git);

}  // namespace reprise
