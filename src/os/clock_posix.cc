#include <ctime>

#include "os/clock.h"

namespace reprise {
namespace {

std::int64_t milliseconds_of(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

Timestamp SystemClock::now() { return {milliseconds_of(CLOCK_REALTIME)}; }
Duration SystemClock::monotonic() { return Duration(milliseconds_of(CLOCK_BOOTTIME)); }

}  // namespace reprise
