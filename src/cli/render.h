// Lists of work as text for people. Readable at 80 columns, without colour.

#pragma once

#include <string>

#include "app/scan.h"
#include "cli/cli.h"
#include "model/plan.h"

namespace reprise {

/// One entry per piece of interrupted work, with the command that shows its plan.
std::string scan_text(const Cli& cli, const ScanResult& result, bool with_ignored);

/// Returns what a person is shown before a spec loop goes on (SL-02).
std::string resume_prompt(const Candidate& candidate, const Plan& plan);

}  // namespace reprise
