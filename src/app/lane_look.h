// Lanes that another program left: found in checkpoints.json, looked at, and taken up as runs (LN-05).

#pragma once

#include <string>
#include <vector>

#include "app/adoption.h"
#include "app/app.h"
#include "app/scan.h"
#include "planner/lane_rules.h"

namespace reprise {

/// Returns the lanes that the checkpoint file tells of, each once with its latest checkpoint. A file that cannot
/// be read is one damaged candidate. Reads that file and nothing else. What in it is no record goes to `ignored`.
std::vector<Candidate> find_lanes(App& app, std::vector<IgnoredFile>& ignored);

/// Looks at what the plan for a found lane needs to know. Changes nothing.
Result<LaneFound> look_at_found_lane(App& app, const Candidate& candidate);

/// Reads the adoption of a lane, with the phase plan that its hints name if the candidate names none.
Result<Adoption> read_lane_adoption(App& app, const Candidate& candidate);

}  // namespace reprise
