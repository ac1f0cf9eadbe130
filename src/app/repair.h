// Repairs a state file that does not hold together, where what is wrong follows from the rest of the file (SL-10)
// or from what else is there (rebuild.h). Two steps: what would change, then the change, so that nothing is done
// that was not shown.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scan.h"
#include "base/result.h"
#include "formats/task_file_edit.h"

namespace reprise {

struct StateRepair {
  RunId id;
  std::string file;                  // relative to the project
  std::string diff;                  // "" if there is nothing to repair
  std::vector<std::string> changes;  // one sentence each, with the line
  std::string before;                // the file as it was looked at
  std::string after;
  std::optional<NewTask> task;  // instead of a file that is replaced: what is put on a task list
};

/// Returns what a repair would change. Corrupt: what is wrong cannot be derived from the file; the message names
/// the line that a person has to look at. Unavailable: the system's files have nothing that could be derived.
Result<StateRepair> plan_repair(App& app, const Candidate& candidate);

/// Makes the change: keeps the file as it was in the store's archive, then replaces it whole. Conflict, and
/// nothing changed, if the file is no longer the one that was shown. Returns where the old file is kept.
Result<std::string> apply_repair(App& app, const StateRepair& repair);

}  // namespace reprise
