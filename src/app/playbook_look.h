// Looks at what a playbook's state file names: the spec, the artifacts, the Constitution Check. Reads only.

#pragma once

#include <string>

#include "app/app.h"
#include "base/result.h"
#include "model/playbook_snapshot.h"

namespace reprise {

/// Returns the claims of `bytes`, the content of `state_file`, with what is seen of them now. `subject` is the
/// feature's folder below `specs/`. Corrupt or Invalid, with a position, if the file cannot be read as a
/// playbook's.
Result<PlaybookSnapshot> look_at_playbook(App& app, const std::string& subject, const std::string& state_file,
                                          std::string_view bytes);

}  // namespace reprise
