#include "formats/made_paths.h"

#include "base/strings.h"
#include "formats/value_names.h"

namespace reprise {

std::vector<MadePath> spread_over_items(std::vector<MadePath> made, const Each& each, std::size_t& left,
                                        Problems& problems) {
  const bool is_known = !each.in.empty() && placeholders_in(each.in[0]).empty();
  const bool is_single = is_known && each.in.size() == 1;
  const std::string place = "{" + each.as + "}";
  for (const MadePath& path : made) {
    if (is_single || path.path.find(place) != std::string::npos) continue;
    problems.add(path.at, "every item makes the same path: " + quoted(path.path),
                 "a path with " + place + " in it");
  }
  const std::size_t count = made.size() * each.in.size();
  if (!is_known || count > left) return made;
  left -= count;
  std::vector<MadePath> spread;
  for (const MadePath& path : made) {
    for (const std::string& item : each.in) {
      const auto value = [&](std::string_view name) {
        return name == each.as ? std::optional(item) : std::nullopt;
      };
      spread.push_back({interpolate(path.path, value), path.at});
    }
  }
  return spread;
}

}  // namespace reprise
