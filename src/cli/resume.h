// Resuming, for the commands that lead to it.

#pragma once

#include <optional>
#include <string>

#include "app/session.h"
#include "cli/cli.h"
#include "model/plan.h"
#include "model/status.h"
#include "os/signals.h"

namespace reprise {

/// Shows why a run that was just made cannot go on; returns the exit code.
int say_blocked(Cli& cli, App& app, Session& session);

/// Resumes what `text` means, or what there is to resume if it is empty; returns the exit code.
Result<int> resume_run(Cli& cli, const std::string& text, const Arguments& arguments, bool is_confirmed);

/// With --plan: returns the exit code if `now`, the plan that was made anew, decides otherwise than the saved one.
/// What differs is shown.
Result<std::optional<int>> refuse_other_plan(Cli& cli, const Arguments& arguments, const Plan& now);

/// Returns the mode that --mode names.
Mode mode_of(const Arguments& arguments, Mode fallback);

}  // namespace reprise
