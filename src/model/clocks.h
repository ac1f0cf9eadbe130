// What the clocks of two machines may differ by.

#pragma once

#include "base/time.h"

namespace reprise {

/// How far a time on record may lie ahead of now before it is said to be in the future.
inline constexpr Duration kClockSlack = std::chrono::minutes(5);

}  // namespace reprise
