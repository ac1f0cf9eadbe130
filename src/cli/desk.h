// `reprise` without a command: the desk. On a terminal a list that answers to single keys, elsewhere the same as
// text.
//
//   DS1  The first screen is painted from the state files alone; plans are made afterwards, for what can be seen.
//   DS2  Looking changes nothing. What acts runs the same code as the command of that name, on a terminal in the
//        modes in which it was found.
//   DS3  Before acting the entry is looked at again; if it is not as it was shown, that is said and shown instead.
//   DS4  However it ends, the terminal is as it was: 0 after q, 130 after Ctrl-C, 129 when the terminal is gone.

#pragma once

#include "cli/cli.h"

namespace reprise {

/// Shows the desk; returns the exit code.
int desk_command(Cli& cli, const Arguments& arguments);

}  // namespace reprise
