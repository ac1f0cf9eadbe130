// What has changed in the files that a gate shows since a person last approved it.

#pragma once

#include <string>

#include "app/app.h"
#include "model/run_state.h"

namespace reprise {

/// Returns the difference as a unified diff; "" if it was never approved, nothing changed, or what was approved
/// was too large to be kept. Secrets are masked in it.
std::string change_since_approval(App& app, Journal& journal, const RunState& state, const GateState& gate);

}  // namespace reprise
