// The ids of questions. A worker chooses an id for each of its questions; what a person types names one question
// of the run. Where both differ, the id of the run is the worker's followed by "@" and the step: "Q1@review". A
// worker's own id never has an "@".

#pragma once

#include <string>
#include <vector>

#include "model/event.h"
#include "model/run_state.h"

namespace reprise {

/// Gives each question in `events`, which are about to be recorded in `state`, an id that no question of another
/// step has and no other in `events`. A step that asks again under the same id replaces its own question.
void make_question_ids_unique(std::vector<Event>& events, const RunState& state);

/// Returns the id that the worker of `step` gave its question `id`.
std::string id_for_worker(const std::string& id, const StepPath& step);

}  // namespace reprise
