// Signals as something to be asked for, not something that interrupts.
//
// SIGINT, SIGTERM and SIGHUP are blocked and arrive on a descriptor, so that nothing ever happens inside
// a handler. One object per process.

#pragma once

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

/// What arrived since the start.
struct SignalsSeen {
  int interrupts = 0;  // how many SIGINT
  int ending = 0;      // SIGTERM or SIGHUP, the first of them; 0: neither
};

class SignalWatch {
 public:
  static Result<SignalWatch> start();
  /// Readable when something arrived.
  int fd() const { return fd_.get(); }
  /// Takes what arrived and returns all that was seen so far.
  SignalsSeen poll();

 private:
  explicit SignalWatch(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
  SignalsSeen seen_;
};

/// Returns the signal that asks this process to end and has arrived but was not taken yet; 0: none.
int pending_end_signal();

}  // namespace reprise
