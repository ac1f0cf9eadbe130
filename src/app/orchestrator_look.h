// Looks at everything that a plan for a workflow of the orchestrator needs to know: its state, its stories, the
// files it refers to, what others did since, locks and workers (OR-02, OR-04, OR-07, OR-15). Reads only (OR-17).
//
// Since when: the state's last activity. A file that is not newer than that is as it was then; a newer one is
// compared with git's version of that time; where git has none, the file's time is all that is known. A day
// without a time of day is taken to its end, so that what the workflow itself did on that day is not held against
// it.

#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "base/result.h"
#include "model/orchestrator_snapshot.h"

namespace reprise {

/// Returns what is known now of a workflow. `state_file` may be a file that is not there, or "", for work that has
/// not begun. `bytes`: the content of the state file, of a story cycle the story; "" if there is none. Of a spec
/// pipeline the folder around the state file counts. A state that cannot be read gives a snapshot that says so,
/// with what is known without it; Invalid if the file is sound and something else, or if the configuration has
/// problems.
Result<OrchestratorSnapshot> look_at_orchestrator(App& app, OrchestratorKind kind, const std::string& subject,
                                                  const std::string& state_file, std::string_view bytes);

}  // namespace reprise
