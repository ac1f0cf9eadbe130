// What of a run is in git: the branches of its lanes, its snapshots, and what lies in the worktrees.
//
// A bundle carries what the references need and no remote of the exporting repository has; a clone that fetched
// has the rest. The user's own branches do not travel. Nothing is moved by force: a branch goes only forward.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "app/transfer_manifest.h"
#include "base/result.h"
#include "model/run_state.h"

namespace reprise {

/// What export takes along.
struct RunInGit {
  std::string commit;              // that is checked out; "" if there is none, or no git
  std::vector<std::string> roots;  // first commits of the repository
  std::vector<TransferRef> refs;
  std::vector<TransferLane> lanes;
  std::string bundle;                 // "" if the remotes have it all
  std::vector<std::string> left_out;  // what a worktree holds and no snapshot can, for people
};

/// Gathers it. A snapshot is taken of every worktree of the run; nothing else changes.
Result<RunInGit> gather_git(App& app, const RunState& state);

/// Checks that this is the repository that the run is about, as far as git knows. Invalid, with the way out.
Result<void> check_repository(App& app, const TransferManifest& manifest);

/// Checks that the references can be brought in: they are the run's own, their commits are in `bundle` or here,
/// no branch here holds anything that is not in them, and the worktrees of the lanes can be made from them. Leaves
/// the repository as it is.
Result<void> check_refs(App& app, const TransferManifest& manifest, const RunState& state,
                        std::string_view bundle);

/// Brings them in, and makes the worktrees as they were; what is in a worktree here is set aside first. `state` is
/// what the exported events add up to. Made again, it changes nothing more.
Result<void> bring_refs(App& app, const TransferManifest& manifest, const RunState& state,
                        std::string_view bundle);

}  // namespace reprise
