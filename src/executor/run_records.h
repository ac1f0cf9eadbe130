// What keeps files beside the journal that others read: told of every event once it is durable.

#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/run_state.h"

namespace reprise {

class RunRecords {
 public:
  virtual ~RunRecords() = default;
  /// Shows `events`, which are durable; `state` is the run after them.
  virtual Result<void> show(std::span<const RecordedEvent> events, const RunState& state) = 0;
  /// Shows the whole of `state`: a session that ended may not have come to it. Asked when a session begins.
  virtual Result<void> show_all(const RunState& /*state*/) { return {}; }
  /// Returns what others wrote there that the run does not know yet, to be recorded. Asked when a session begins
  /// and after every attempt.
  virtual Result<std::vector<Event>> news(const RunState& /*state*/) { return std::vector<Event>(); }
};

}  // namespace reprise
