// Looks at what a spec loop's index names: the spec, the feature's folder and branch. Reads only.

#pragma once

#include <string>

#include "app/app.h"
#include "base/result.h"
#include "model/spec_loop.h"

namespace reprise {

/// Returns the claims of `bytes`, the index of `subject`, a folder below `specs/`, with what is seen of them now.
/// Corrupt or Invalid, with a position, if the file cannot be read as an index.
Result<SpecLoopSnapshot> look_at_spec_loop(App& app, const std::string& subject, const std::string& state_file,
                                           std::string_view bytes);

}  // namespace reprise
