// Before a run of a built-in workflow begins: work that was found for the same feature is never overwritten, and a
// failed run hands its notes on (PB-12, SL-01).

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/session.h"

namespace reprise {

struct Beginning {
  std::vector<std::string> notes;  // of the failed run before this one
};

/// Makes room for a run of `workflow`: sets the state of a finished run of the same subject aside. Conflict, with
/// the ways out as hints, if there is work that could go on; Invalid if the subject is missing. Own workflows need
/// none.
Result<Beginning> make_room(App& app, const std::string& workflow, const StartRequest& request);

}  // namespace reprise
