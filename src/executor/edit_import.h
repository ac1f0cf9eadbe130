// Turns edits of the state file into events, for a session and for a preview alike.
//
// What a person wrote into the file counts as if they had decided it with a command. What cannot be imported is
// kept, with the line and the reason. Workers can write the file too, and nothing in it tells who did: an approval
// or an answer that appears while a worker is running, of this run or of another one, is nobody's decision.

#pragma once

#include <functional>

#include "base/result.h"
#include "executor/attempt.h"
#include "executor/native_state.h"
#include "executor/state_file.h"
#include "executor/steering.h"

namespace reprise {

/// Records an event: it is part of the run's state when this returns.
using RecordEvent = std::function<Result<void>(Event)>;

struct EditImport {
  const RunState& state;  // as `record` changes it
  const Graph& graph;
  Attempts& attempts;
  const NativeState& native;
  StateFile& file;
  bool may_be_from_worker = false;  // of this run
  // Says which other run's worker may have written an edit, "" if none can. Asked only where a decision is found.
  std::function<Result<std::string>()> find_other_worker = {};
  RecordEvent record;
  std::function<Result<void>(const Steer&)> decide;  // carries out what a person decided in the file
};

struct ImportedEdits {
  bool any = false;
  bool has_completed_steps = false;
};

/// Imports every edit that `import.file` finds. Fails with Conflict if the file stood there before the run wrote
/// its own for the first time and cannot be read.
Result<ImportedEdits> import_edits(const EditImport& import);

}  // namespace reprise
