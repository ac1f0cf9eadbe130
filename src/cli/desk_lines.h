// The desk where keys cannot be taken one by one: as text, and with a line to type on a terminal that has no
// cursor movement or is too narrow for a list.

#pragma once

#include "app/desk.h"
#include "cli/cli.h"
#include "cli/desk_screen.h"

namespace reprise {

/// So many plans are made before the order of the list stands; what comes behind is listed without.
inline constexpr std::size_t kDeskOrderedMax = 50;

/// Returns what a screen on our terminal depends on.
DeskView desk_view(const Cli& cli, const App& app, const Desk& desk);

/// Makes the plans of the first `count` entries and puts all in order.
void look_at_first(App& app, Desk& desk, std::size_t count);

/// Shows the list and takes lines until one ends it; returns the exit code.
int run_line_desk(Cli& cli, App& app, Desk desk);

}  // namespace reprise
