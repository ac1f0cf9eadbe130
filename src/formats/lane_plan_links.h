// What the lanes and tasks of a phase plan wait for, once all of them are known.

#pragma once

#include <string>
#include <vector>

#include "formats/problem.h"
#include "model/lane_plan.h"

namespace reprise {

/// What stands in a "Depends on", with the places where it was said.
struct WrittenNeeds {
  std::vector<std::string> ids;  // lanes, gates, tasks, or words that are none of these
  int line = 0;
};

/// What was written for a lane and, in the same order, for its tasks.
struct LaneNeeds {
  WrittenNeeds lane;
  std::vector<WrittenNeeds> tasks;
};

/// Fills in what lanes and tasks need. `needs` is in the order of the plan's lanes. Adds a problem for whatever is
/// unknown, and for circles.
void link_lanes(PhasePlan& plan, const std::vector<LaneNeeds>& needs, Problems& problems);

}  // namespace reprise
