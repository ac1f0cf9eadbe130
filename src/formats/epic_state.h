// The epic's state file (`epic-<id>-state.yaml`): waves, their stories, and the gates between them, as claims.
//
// Read as it is found: with or without its root, stories as a map or a list, agents with or without "@", ids as
// text whatever their quotes (2.10 is not 2.1). Fields that we do not know are kept and not listed; words, times
// and numbers that were not understood are listed with their line. Whether claims agree with each other or with
// the world is for others to judge.

#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/state_tree.h"
#include "model/orchestrator.h"

namespace reprise {

/// Reads the file. Where its YAML is broken, what its lines give, with `damaged` set. Invalid: it is sound and
/// something else ("is not an epic state"). Corrupt: empty, torn JSON, not text, or broken and not recognized.
/// `file` is for messages only.
Result<EpicClaims> read_epic_state(std::string_view bytes, std::string_view file);
/// The same of a file whose tree was read already.
Result<EpicClaims> epic_claims_of(const StateTree& tree, std::string_view file);

}  // namespace reprise
