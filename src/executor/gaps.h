// What follows from the gaps that a worker found: the verdict, what is known of each gap, and the questions that
// people are asked about them, the most important first and only a few at a time (SL-11). Pure.

#pragma once

#include <string>
#include <vector>

#include "formats/worker_result.h"
#include "model/event.h"
#include "model/run_state.h"

namespace reprise {

inline constexpr std::size_t kQuestionsPerRoundMax = 3;
inline constexpr std::string_view kVerdictComplete = "complete";
inline constexpr std::string_view kVerdictGaps = "gaps";

/// Returns "complete" if nothing that matters is left open, else "gaps": what was found outranks what is said.
std::string verdict_on(const WorkerResult& result);

/// Returns the changes of gaps, and the next round of questions ("C2.1"), that follow from `result` of `step`.
std::vector<Event> events_of_gaps(const WorkerResult& result, const StepPath& step, const RunState& state);

/// Returns which round of questions comes next: 1 if none was asked yet.
int next_round(const RunState& state);

}  // namespace reprise
