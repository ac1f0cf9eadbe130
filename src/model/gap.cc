#include "model/gap.h"

#include <set>

#include "base/strings.h"

namespace reprise {

std::string open_gaps(std::string_view result) {
  std::set<std::string_view> open;
  for (const std::string_view line : split(result, '\n')) {
    const std::size_t space = line.rfind(' ');
    if (space == std::string_view::npos) continue;
    const std::string word = to_lower(line.substr(space + 1));
    if (matters(value_in(kGapPriorityTokens, word).value_or(GapPriority::Important)))
      open.insert(line.substr(0, space));
  }
  std::string ids;
  for (const std::string_view id : open) ids.append(id).append("\n");
  return ids;
}

}  // namespace reprise
