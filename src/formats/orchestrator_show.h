// How a run shows in the orchestrator's files: a QA loop's status, an epic's state, a story's status and change
// log, a spec pipeline's state, a general workflow state.
//
// What always holds: the same run gives the same bytes, and showing it twice changes nothing more; every byte that
// has nothing to do with the run stays. A file that is not there is made, but for a story, which is its author's
// to write.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/run_state.h"
#include "model/story.h"

namespace reprise {

/// Each returns `bytes` ("" if there is no file) with what they have to say of `state`. Corrupt or Invalid if they
/// are no such file.
Result<std::string> show_qa_loop(std::string_view bytes, const RunState& state);
Result<std::string> show_epic(std::string_view bytes, const RunState& state);
Result<std::string> show_story(std::string_view bytes, const RunState& state);
Result<std::string> show_spec_pipeline(std::string_view bytes, const RunState& state);
Result<std::string> show_flow(std::string_view bytes, const RunState& state);

/// Returns the status that a story has by the record of its cycle; Missing if nothing of it is on record.
StoryStatus story_status_of(const RunState& state);

/// Returns when something was last done in a run: not when it was shown.
Timestamp last_work_at(const RunState& state);

/// Returns the ids of the stories of an epic's run.
std::vector<std::string> stories_of_epic(const RunState& state);

/// The value of a run of an epic that lists its waves: "1=1.1,1.2 2=2.1".
inline constexpr std::string_view kWavesValue = "waves";

}  // namespace reprise
