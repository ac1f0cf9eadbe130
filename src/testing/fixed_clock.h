// A clock that stands still until a test moves it.

#pragma once

#include "os/clock.h"

namespace reprise {

class FixedClock : public Clock {
 public:
  explicit FixedClock(Timestamp start = {1'763'200'800'000}) : now_(start) {}
  Timestamp now() override { return now_; }
  Duration monotonic() override { return monotonic_; }
  void advance(Duration by) {
    now_ = now_ + by;
    monotonic_ += by;
  }
  /// Moves the wall clock alone, as a person or a time server does.
  void jump(Duration by) { now_ = now_ + by; }

 private:
  Timestamp now_;
  Duration monotonic_{0};
};

}  // namespace reprise
