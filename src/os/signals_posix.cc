#include <array>
#include <csignal>

#include "os/process.h"
#include "os/signals.h"

namespace reprise {

Result<SignalWatch> SignalWatch::start() {
  static constexpr std::array kTaken = {SIGINT, SIGTERM, SIGHUP};
  static constexpr std::array kIgnored = {SIGPIPE};  // a reader of our output that went away is a write error
  return SignalWatch(TRY(take_signals(kTaken, kIgnored)));
}

SignalsSeen SignalWatch::poll() {
  for (const int signal : read_signals(fd_.get())) {
    if (signal == SIGINT) {
      ++seen_.interrupts;
    } else if (seen_.ending == 0) {
      seen_.ending = signal;
    }
  }
  return seen_;
}

int pending_end_signal() {
  sigset_t pending;
  sigemptyset(&pending);
  if (::sigpending(&pending) != 0) return 0;
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    if (sigismember(&pending, signal) == 1) return signal;
  }
  return 0;
}

}  // namespace reprise
