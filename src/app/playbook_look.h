// Looks at what a playbook's state file names: the spec, the artifacts, the Constitution Check. Reads only.

#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "base/result.h"
#include "model/playbook_snapshot.h"

namespace reprise {

/// The names that a playbook's state file may have.
inline constexpr std::string_view kPlaybookNames[] = {"pipeline-state.md", ".pipeline-state.md"};

/// Returns the claims of `bytes`, the content of `state_file`, with what is seen of them now. `subject` is the
/// feature's folder below `specs/`. Corrupt or Invalid, with a position, if the file cannot be read as a
/// playbook's.
Result<PlaybookSnapshot> look_at_playbook(App& app, const std::string& subject, const std::string& state_file,
                                          std::string_view bytes);

}  // namespace reprise
