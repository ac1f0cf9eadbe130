// Starting anew: what there is of a piece of work is set aside, never deleted, and `undo` brings it back (SL-08).

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/archive.h"
#include "app/systems.h"
#include "git/ensure_worktree.h"

namespace reprise {

/// What a fresh start would do.
struct FreshStart {
  RunId id;
  std::optional<RunId> run;                    // of the journal, ended and put away
  std::vector<std::string> paths;              // set aside, relative to the project
  std::vector<std::string> worktrees;          // of its lanes, removed; what is not committed in them is kept
  std::map<std::string, std::string> stories;  // what story files become, by path
  std::string workflow;                        // what begins anew: workflow, subject and inputs of the next run
  std::string subject;
  std::map<std::string, std::string> inputs;
};

/// Returns what a fresh start of `meant` would do; changes nothing. Conflict if somebody works on it, a
/// worker that survived its runner too; Invalid if it is put away already.
Result<FreshStart> plan_fresh(App& app, Journal* journal, const Meant& meant);

/// Does it; `undo` takes it back. Files are set aside before the run is ended, so that what `undo` brings back can
/// be resumed. Returns files of removed worktrees that cannot be deleted.
Result<std::vector<Leftover>> start_fresh(App& app, Journal* journal, const FreshStart& fresh);

/// Returns what `undo` would take back: what was last set aside, of the work `id` if that is not "", or, if that
/// was brought back since, the bringing back; nothing if there is none.
Result<std::optional<ArchiveEntry>> last_change(App& app, const std::string& id = "");

/// Takes it back. Conflict, and nothing is changed, if something else is in the place of what comes back. Returns
/// files of removed worktrees that cannot be deleted.
Result<std::vector<Leftover>> take_back(App& app, const ArchiveEntry& entry);

}  // namespace reprise
