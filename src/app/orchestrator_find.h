// Finds the orchestrator's interrupted work in the seed's six places (OR-01): epics, QA loops, workflow states,
// stories in progress, stories in review, spec pipelines.
//
// What a candidate says of itself is what the plan's own rules make of its state and of the stories' files, so
// that the list and the plan cannot differ. Nothing else is looked at: no artifact, no git. Nothing is written.

#pragma once

#include <vector>

#include "app/app.h"
#include "app/scan.h"

namespace reprise {

/// Finds all candidates of the orchestrator, finished ones included. No link is followed out of the project.
/// States that cannot be read are damaged candidates whose `why` names path and cause; sound files of these names
/// that are something else, and folders that cannot be listed, are added to `ignored`. The state file of a spec
/// pipeline may not be there: its artifacts are its state. Finding nothing is no error.
std::vector<Candidate> find_orchestrator(App& app, std::vector<IgnoredFile>& ignored);

}  // namespace reprise
