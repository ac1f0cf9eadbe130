// What was set aside before something destructive, and bringing it back to where it came from.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "lanes/rescue.h"

namespace reprise {

/// Returns all that was set aside in this repository, the latest first.
Result<std::vector<Rescue>> list_all_rescues(App& app);

struct RestoredRescue {
  std::string ref;
  std::string folder;  // the worktree that it was brought back into
  std::size_t written = 0;
  std::size_t removed = 0;
};
/// Brings back what `name` means, into the worktree of the lane that it was taken from. What is there now is set
/// aside first. NotFound if there is no such lane any more; the error says how to look at it all the same.
Result<RestoredRescue> bring_back(App& app, const std::string& name);

}  // namespace reprise
