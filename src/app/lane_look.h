// Lanes that another program left: found in checkpoints.json, looked at, and taken up as runs (LN-05).

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/scan.h"
#include "planner/lane_rules.h"

namespace reprise {

/// Returns the lanes that the checkpoint file tells of, each once with its latest checkpoint. A file that cannot
/// be read is one damaged candidate. Reads that file and nothing else.
std::vector<Candidate> find_lanes(App& app);

/// Looks at what the plan for a found lane needs to know. Changes nothing.
Result<LaneFound> look_at_found_lane(App& app, const Candidate& candidate);

/// Makes a run of a found lane, so that it can be resumed like any other. `plan_file`: the phase plan, "" for the
/// one that its hints name. Nothing is started, no file is changed.
Result<RunId> adopt_lane(App& app, Journal& journal, const Candidate& candidate, const std::string& plan_file);

}  // namespace reprise
