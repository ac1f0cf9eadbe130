// Writes what a run is into its playbook state file: the same words and tables that the playbook's own tools
// write.
//
// Rows of the completed stages and notes are only ever added, boxes only ever ticked, and what already says the
// right thing is left as it was written (F2). The same state gives the same bytes; showing twice changes nothing.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/run_state.h"

namespace reprise {

/// Returns `bytes` showing `state`; a whole new file if they are empty. Invalid or Corrupt if they are something
/// else than a playbook's state file.
Result<std::string> show_playbook(std::string_view bytes, const RunState& state);

}  // namespace reprise
