// Temporary files that a killed Reprise left beside the files that it was replacing: in the store, in git's
// folders of lanes, beside stories and state files. The next write into a folder removes them; gc removes the
// others.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"

namespace reprise {

/// Returns the temporary files of dead writers, relative to the project where they lie in it. Changes nothing.
std::vector<std::string> find_leftover_files(App& app);

/// Removes them and returns those that it removed. A file that a living process writes stays.
std::vector<std::string> remove_leftover_files(App& app);

}  // namespace reprise
