// The one way in which snapshots and restores change references.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "git/git.h"

namespace reprise {

/// Runs a call of git that changes references. One that was killed does not stand in the way of the next.
Result<GitAnswer> change_refs(const Git& git, const std::vector<std::string>& arguments);

}  // namespace reprise
