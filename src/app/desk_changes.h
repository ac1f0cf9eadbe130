// What has changed since a piece of work was recorded: the files its steps produced, what was approved, its lanes
// and what is not committed. Reads only; no program of the project is run, not even by git.

#pragma once

#include <string>

#include "app/scan.h"

namespace reprise {

/// Returns the changes as text, part by part; "" if there are none. For work that is only known from a state file
/// that is what git knows of the folder this file is in.
Result<std::string> changes_since(App& app, const Candidate& candidate);

}  // namespace reprise
