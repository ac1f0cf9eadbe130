// The playbook as the system behind a run: its state file, and what its rules make of the run (PB-01 … PB-12).

#pragma once

#include <memory>
#include <string>

#include "app/app.h"
#include "executor/native_state.h"

namespace reprise {

std::unique_ptr<NativeState> playbook_system(App& app, const std::string& subject);

}  // namespace reprise
