// Shows in the story files how the stories of an epic stand: begun, done. The story file is what everybody else
// believes first, so a run that says otherwise there would contradict itself.

#pragma once

#include <memory>

#include "app/app.h"
#include "executor/run_records.h"

namespace reprise {

/// Returns what keeps the stories of an epic's run; null for any other run.
std::unique_ptr<RunRecords> story_records(App& app, const RunState& state);

}  // namespace reprise
