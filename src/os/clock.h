// The clock port: wall-clock time for people, boot time for durations.

#pragma once

#include "base/time.h"

namespace reprise {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Returns the wall-clock time. It may jump; never use it to order or to measure.
  virtual Timestamp now() = 0;
  /// Returns time since some fixed point that goes on while the machine sleeps and never jumps.
  virtual Duration monotonic() = 0;
};

/// The machine's clocks.
class SystemClock : public Clock {
 public:
  Timestamp now() override;
  Duration monotonic() override;
};

}  // namespace reprise
