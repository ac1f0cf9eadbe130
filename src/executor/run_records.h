// What keeps files beside the journal that others read: told of every event once it is durable.

#pragma once

#include <span>

#include "base/result.h"
#include "model/event.h"
#include "model/run_state.h"

namespace reprise {

class RunRecords {
 public:
  virtual ~RunRecords() = default;
  /// Shows `events`, which are durable; `state` is the run after them.
  virtual Result<void> show(std::span<const RecordedEvent> events, const RunState& state) = 0;
};

}  // namespace reprise
