// Writes what a run is into the index of its spec loop: loop state, gaps, questions, answers, history (SL-04,
// SL-05).
//
// History rows are only ever added, and what already says the right thing is left as it was written (F2). Every
// save carries its own last activity (SL-06). The same state gives the same bytes; showing twice changes nothing.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/run_state.h"
#include "model/spec_loop.h"

namespace reprise {

/// Where a run of the spec loop is, in the index's words.
struct LoopPosition {
  LoopStatus status = LoopStatus::NotStarted;
  long long iteration = 0;
  std::optional<long long> stale;  // nothing: no validation of ours tells
  std::string termination_reason;  // "" while it goes on
};
LoopPosition loop_position(const RunState& state);

/// Returns `bytes` showing `state`; a whole new index if they are empty. Invalid or Corrupt if they are something
/// else than an index.
Result<std::string> show_spec_loop(std::string_view bytes, const RunState& state);

}  // namespace reprise
