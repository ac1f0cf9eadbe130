// Working on a run in the foreground: what is shown while it works, what is asked when it waits, and the words and
// exit code it ends with. The same for a run that starts and for one that is resumed.

#pragma once

#include "app/session.h"
#include "cli/cli.h"
#include "cli/live_view.h"
#include "os/signals.h"

namespace reprise {

/// Returns a JSON object with further fields ("\"name\":value,…"; "" for none) before its end.
std::string with_fields(std::string document, std::string_view fields);

/// Works until the run is over, waits for somebody who is not here, or is told to stop; returns the exit code.
/// `fields` go into the document of --json.
Result<int> work(Cli& cli, App& app, Session& session, LiveView& view, SignalWatch& signals,
                 std::string_view fields = {});

/// Hands the run over to a process of its own.
Result<int> detach(Cli& cli, App& app, const RunId& run, const Arguments& arguments);

}  // namespace reprise
