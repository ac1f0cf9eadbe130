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

/// What begins a note that repeats another section of a file that was found: workers are told, the file says it
/// already.
inline constexpr std::string_view kNoteFromFile = "From the state file: ";

/// The note that says that a person ended the run as failed, and not as cancelled.
inline constexpr std::string_view kFailedByHand = "The status was set to FAILED in this file.";

/// The notes by which the counters of a file that was found go on: how often a stage was done, and tried again,
/// before the run was taken over.
std::string note_of_cycles(std::string_view stage, long long cycles);
std::string note_of_retries(std::string_view stage, long long retries);

/// Returns `bytes` showing `state`; a whole new file if they are empty. Invalid or Corrupt if they are something
/// else than a playbook's state file.
Result<std::string> show_playbook(std::string_view bytes, const RunState& state);

}  // namespace reprise
