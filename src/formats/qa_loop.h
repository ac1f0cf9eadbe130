// The status of a QA loop (`loop-status.json`), as claims, in its three dialects.
//
// The dialect is told by the keys: "reference" has currentIteration, "fork" has story_id or issues_open, "compact"
// has iteration with storyId. Words are read alike in all of them. An entry of the history whose verdict is null
// is a review that did not end.

#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/state_tree.h"
#include "model/orchestrator.h"

namespace reprise {

/// Reads the file. Invalid: it is sound and something else ("is not a QA loop's status"). Corrupt, with the place:
/// torn, empty or not text. `file` is for messages only.
Result<QaLoopClaims> read_qa_loop(std::string_view bytes, std::string_view file);

/// Returns the dialect of a file's root; "" if it is no QA loop's status.
std::string_view qa_loop_dialect(const StateValue& root);

/// Returns what a file that is not whole still shows: everything before the value in which it ends. The claims
/// have no dialect if that is nothing.
QaLoopClaims read_torn_qa_loop(std::string_view bytes);

}  // namespace reprise
