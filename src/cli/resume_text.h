// What a resume says to a person, in the shapes of the resume seed: a summary before it goes on, the list of
// several, what is partly or not at all recoverable, the hand-over, a failure, and the pre-flight report.
//
// Each is headed by a line "=== … ===" and reads from top to bottom without colour, boxes or columns that must
// line up, so that a screen reader says the same. Sentences are broken at the terminal's width; a command that can
// be typed stands on a line of its own and is never broken.

#pragma once

#include <string>
#include <vector>

#include "app/preflight.h"
#include "app/resume_proposal.h"
#include "app/scan.h"
#include "base/error.h"
#include "cli/cli.h"

namespace reprise {

/// What is completed, where it goes on, who does it with what, and everything that was found (OR-10).
std::string summary_text(const Cli& cli, const Proposal& proposal);

/// The same where some finished phases are not valid any more: which stay, which are done again.
std::string partial_text(const Cli& cli, const Proposal& proposal);

/// Why it cannot go on, and the numbered ways out.
std::string cannot_resume_text(const Cli& cli, const Proposal& proposal, const std::vector<WayOut>& ways);

/// The numbered phases that work can be started from.
std::string phases_text(const Cli& cli, const Proposal& proposal);

/// The numbered list of several pieces of interrupted work.
std::string several_text(const Cli& cli, const std::vector<Candidate>& open);

/// What is said when the work is handed over (OR-12).
std::string resuming_text(const Cli& cli, const Proposal& proposal);

/// What is said when nothing could be resumed: what, why, and what to do.
std::string failed_text(const Cli& cli, const std::string& id, const Error& error);

/// Every file, every status, every dependency, the whole plan and its risks (OR-11).
std::string preflight_text(const Cli& cli, const Proposal& proposal, const PreflightReport& report);

}  // namespace reprise
