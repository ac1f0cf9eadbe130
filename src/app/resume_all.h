// Resuming everything after a reboot: all work that can be resumed and that nobody owns, each piece in a process
// of its own (our own program, `resume ID`), a few at a time, with one report at the end.
//
// What always holds (resume_all_test.cc, tests/cli/resume_all.t):
//
//   - Nobody is asked anything. What needs a person is not started, and is in the report with the command that the
//     person types.
//   - At most `parallel` processes work at a time. Each takes the run's lease for itself, so a run that another
//     process takes in between is reported as held, and is no error of the whole.
//   - Of several state files of the five systems about one subject only the first of the list is resumed: what two
//     systems do to one feature side by side is for a person to order.
//   - Told to stop, it starts nothing more, passes the signal on, waits for all of them and still reports.
//
// The exit code of the whole is the worst of its parts, in this order: 6 the store failed, 1 something failed, 2 a
// definition or input is broken, 4 something is blocked, 3 something waits for a person, 0. Held (5) counts as 0.
// A process of ours that was killed counts as 1. Told to stop by a signal: 128 and that signal, whatever else
// happened.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "app/scan.h"
#include "model/plan.h"
#include "os/signals.h"

namespace reprise {

struct ResumeAllRequest {
  std::optional<Mode> mode;  // nothing: each run's own
  bool yes = false;          // answers confirmations; passes no gate and no blocking finding
  int parallel = 0;          // 0: as the configuration says, else 2
  bool with_failed = false;  // what failed for good, too
};

/// What became of one piece of work.
struct ResumedWork {
  RunId id;
  std::string outcome;  // done failed waiting blocked held interrupted broken left
  int exit = 0;         // as `resume ID` would have ended
  std::string reason;   // "" if there is nothing to add
  std::string command;  // what to type next; "" if nothing
  bool started = false;
};

struct ResumeAllReport {
  std::vector<ResumedWork> work;  // in the order of the scan
  int exit = 0;
};

/// Returns what keeps `plan` from being carried out without a person, as the report has it; nothing if it can be
/// started. `mode` is the one it would be resumed in.
std::optional<ResumedWork> needs_person(const Plan& plan, Mode mode, bool yes);

/// Returns for each of `found` the earlier one that is about the same subject, for the work of the five systems;
/// nothing for all others.
std::vector<std::optional<RunId>> same_subject_before(std::span<const Candidate> found);

/// Returns the exit code of the whole.
int worst_exit(std::span<const ResumedWork> work);

/// Resumes all there is. `tell` is called with a line for people whenever something starts or ends. Invalid if the
/// configuration cannot be read, and in a worker.
Result<ResumeAllReport> resume_all(App& app, const ResumeAllRequest& request, SignalWatch& signals,
                                   const std::function<void(const std::string&)>& tell);

/// Returns the document of `resume --all --json`.
std::string resume_all_document(const ResumeAllReport& report);

}  // namespace reprise
