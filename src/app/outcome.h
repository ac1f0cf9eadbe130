// What a command that worked on a run, or refused to, ends with: the same facts for a person and for a script.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/status.h"
#include "model/plan.h"
#include "model/run_state.h"

namespace reprise {

/// Something that only a person can give, and the command that gives it. TEXT in the command stands for the
/// answer.
struct OpenRequest {
  Waiting waiting;
  std::string command;
};

struct Outcome {
  std::string id;             // "" if there was nothing to work on
  std::optional<Plan> plan;   // that was carried out, or refused
  std::optional<Plan> after;  // what a resume would do now; nothing if no session worked
  std::string status;
  int exit = 0;
  std::string failed_step;  // the first one, "" if none failed
  std::string reason;       // why it did not end well
  std::vector<OpenRequest> waiting_for;
  std::vector<std::string> next;  // commands to type, the most likely first
  std::optional<RunView> run;     // nothing if no run was made of it yet
};

/// Returns the command that gives `run` what it waits for.
std::string command_that_gives(const RunId& run, const Waiting& waiting);

/// Returns what `state` waits for: open gates, unanswered questions, and interrupted steps that a person decides
/// on.
std::vector<OpenRequest> open_requests(const RunState& state);

/// Returns the commands that lead on from a run whose session ended with `status`.
std::vector<std::string> commands_after(const RunState& state, RunStatus status);

/// Returns the outcome of a session that worked on `run`, and what a resume would do after it.
Result<Outcome> session_outcome(App& app, Journal& journal, const RunId& run, RunStatus status);

/// Returns the outcome of a command that made `plan` and did not carry it out. `journal` may be null.
Outcome refused_outcome(App& app, Journal* journal, const Plan& plan);

}  // namespace reprise
