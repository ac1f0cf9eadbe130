// The difference of two texts as a unified diff, for showing a change before it is made.

#pragma once

#include <string>
#include <string_view>

namespace reprise {

struct DiffNames {
  std::string before;
  std::string after;
};

/// Returns what turns `before` into `after`, line by line, with three lines around each change; "" if they are
/// equal. It is what patch(1) takes. The fewest lines are shown as changed, up to kDiffEditsMax of them; texts
/// that differ more than that are shown as one replacement, so that the cost is bounded.
std::string unified_diff(std::string_view before, std::string_view after, const DiffNames& names);

inline constexpr int kDiffEditsMax = 1'000;

}  // namespace reprise
