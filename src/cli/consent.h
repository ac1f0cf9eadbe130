// Consent: what is shown before work goes on, what is asked about it, and what comes of the answer. One place for
// all three modes (OR-09, OR-10, OR-11), for runs of ours and for found work.
//
//   autopilot    asks nothing. A clean state goes on at once, warnings are said and logged; a conflict halts: on a
//                terminal the ways out are offered as interactive mode does, without one it is exit 4.
//   interactive  shows a summary and asks yes, restart or cancel.
//   preflight    shows the whole report and wants the word "proceed".
//
// Nothing is changed here. Without a terminal nothing is asked: what would have been ends with exit 3 and the
// command that answers it, with all that was typed.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/preflight.h"
#include "app/resume_proposal.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "os/signals.h"

namespace reprise {

struct Consent {
  enum class What {
    GoOn,     // it is agreed to
    End,      // the command ends here, with `exit`
    Restart,  // start from scratch instead
    Leave,    // a way out was chosen: `way`
  };
  What what = What::GoOn;
  int exit = 0;
  std::optional<WayOut> way = {};
  std::vector<std::string> log = {};  // what was decided without asking, and why
};

struct ConsentRequest {
  Mode mode = Mode::Interactive;
  bool is_confirmed = false;          // --yes, or it was agreed to before
  bool must_ask = false;              // what was shown before is not so any more: asked in any mode
  std::string system = {};            // of found work
  std::string preface = {};           // shown before everything else
  std::vector<std::string> log = {};  // what was decided before
  std::string preflight = {};         // the report as JSON; "" if there is none
  const Arguments* arguments = nullptr;
  const PreflightReport* report = nullptr;  // of preflight mode
  App* app = nullptr;
  Journal* journal = nullptr;  // null for external work that is no run yet
};

/// Shows `proposal` and finds out whether it goes on.
Consent ask_consent(Cli& cli, SignalWatch& signals, const Proposal& proposal, const ConsentRequest& request);

/// Returns what the document of --json says beside plan and outcome: the log, and the pre-flight report.
std::string further_fields(const std::vector<std::string>& log, const std::string& preflight);

/// Returns the command that answers what would have been asked: everything that was typed, and --yes.
std::string confirming_command(const RunId& id, const Arguments& arguments);

}  // namespace reprise
