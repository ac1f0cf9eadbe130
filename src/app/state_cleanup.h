// Giving interrupted work of the orchestrator up: its state file is put away, and stories that were left in the
// middle go back to Ready (OR-13). Two steps: what would change, then the change; `undo` takes all of it back.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/scan.h"
#include "base/result.h"

namespace reprise {

struct StateCleanup {
  RunId id;
  std::vector<std::string> put_away;           // state files, relative to the project
  std::map<std::string, std::string> stories;  // what story files become, by path
  std::string diff;                            // of the stories
};

/// Returns what a cleanup of found work would do. Unavailable for other systems: their way out is `fresh`.
Result<StateCleanup> plan_state_cleanup(App& app, const Candidate& candidate);

/// Returns what a story file becomes that is in the middle, by its path; nothing if it is not.
Result<std::map<std::string, std::string>> story_reset(App& app, const std::string& story);

/// Does it.
Result<void> clean_up_state(App& app, const StateCleanup& cleanup);

}  // namespace reprise
