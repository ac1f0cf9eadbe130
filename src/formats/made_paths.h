// The paths that stages make: two steps that run at the same time must not make the same one (R27).

#pragma once

#include <string>
#include <vector>

#include "formats/problem.h"
#include "model/workflow.h"
#include "text/yaml.h"

namespace reprise {

/// A path that will be made, and where that is said.
struct MadePath {
  std::string path;
  YamlNode at;
};

/// Returns the paths that all items of `each` make together, where the items are known. Adds a problem
/// for a path that does not hold the item: every item would make the same file. `left` is how many more
/// paths may be listed; when that is used up, paths keep the item's name.
std::vector<MadePath> spread_over_items(std::vector<MadePath> made, const Each& each, std::size_t& left,
                                        Problems& problems);

}  // namespace reprise
