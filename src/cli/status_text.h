// Runs and their steps as text for people: how they stand now, and how they got there. Readable at 40 columns,
// without colour. An entry of a timeline is one line; what does not fit is shown by --verbose.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/status.h"
#include "app/timeline.h"
#include "cli/cli.h"

namespace reprise {

/// Returns the colour code that goes with a status; the word itself is always shown, too.
int status_colour(RunStatus status);

/// One entry per run, with what to type next.
std::string status_text(const Cli& cli, std::span<const RunView> runs);

/// One run with its steps.
std::string status_detail_text(const Cli& cli, const RunView& run);

struct TimelineLayout {
  int width = 80;
  bool whole = false;  // every entry, and all of each, on as many lines as it takes
};
/// The timeline, oldest first. At most 40 entries unless `whole`: the first two and the newest.
std::string timeline_text(const std::vector<TimelineEntry>& entries, TimelineLayout layout);

}  // namespace reprise
