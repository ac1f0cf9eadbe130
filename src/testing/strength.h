// How much a sweep tries. Everyday tests (`./dev test`) take a part of the points, `./dev check` takes a wider
// part, and `./dev soak` takes all of them. REPRISE_STRENGTH=wide or REPRISE_STRENGTH=full selects the last two.

#pragma once

#include <cstdlib>
#include <string_view>

namespace reprise {

enum class Strength { Everyday, Wide, Full };

inline Strength strength() {
  const char* variable = std::getenv("REPRISE_STRENGTH");
  const std::string_view wanted = variable == nullptr ? "" : variable;
  if (wanted == "full") return Strength::Full;
  return wanted == "wide" ? Strength::Wide : Strength::Everyday;
}

inline bool is_full() { return strength() == Strength::Full; }

/// Returns the count for the strength of this run.
template <typename Count>
Count by_strength(Count everyday, Count wide, Count full) {
  switch (strength()) {
    case Strength::Everyday: return everyday;
    case Strength::Wide: return wide;
    case Strength::Full: return full;
  }
  return everyday;
}

}  // namespace reprise
