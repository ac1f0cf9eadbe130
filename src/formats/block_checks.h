// What must hold between the stages of one block: needs are known and have no circle, conditions ask
// for what will be known by then, and no two stages make the same path at the same time (R27).

#pragma once

#include <vector>

#include "formats/stage_reader.h"

namespace reprise {

/// Adds a problem for everything that does not hold. `facts` are those of `stages`, in the same order.
void check_block(const std::vector<Stage>& stages, const std::vector<StageFacts>& facts, const Scope& scope,
                 Problems& problems);

}  // namespace reprise
