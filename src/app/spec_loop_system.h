// The spec loop as the system behind a run: its index, and what its rules make of the run (SL-01 … SL-11).

#pragma once

#include <memory>
#include <string>

#include "app/app.h"
#include "executor/native_state.h"

namespace reprise {

std::unique_ptr<NativeState> spec_loop_system(App& app, const std::string& subject);

}  // namespace reprise
