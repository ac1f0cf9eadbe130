// What runs and steps are now. Read-only.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/definitions.h"
#include "app/timeline.h"
#include "model/plan.h"
#include "planner/graph.h"

namespace reprise {

struct StepView {
  StepPath step;
  std::string stage;
  std::string lane = {};  // name of the lane that it works in; "": the project's own tree
  StepStatus status = StepStatus::Pending;
  std::int64_t attempt = 0;
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> finished_at;
  std::optional<int> exit_code;
  std::vector<std::string> artifacts;
  std::string reason;
  std::string verdict;
  std::string summary;
};

struct RunView {
  RunId id;
  std::string workflow;
  std::string subject;
  RunStatus status = RunStatus::Unknown;
  std::string reason;
  Mode mode = Mode::Interactive;
  std::string stage;       // the first step that is not done
  std::string state_file;  // that shows it, "" if none does
  std::map<StepStatus, int> counts;
  int resume_count = 0;
  Timestamp started_at;
  Timestamp updated_at;
  std::optional<Owner> owner;
  std::vector<Waiting> waiting_for;
  double cost_usd = 0;
  std::vector<StepView> steps;
  std::vector<TimelineEntry> timeline;  // filled by whoever shows one run
};

/// Returns how `run` stands now. A run that is running without a living owner shows as interrupted.
Result<RunView> view_run(App& app, Journal& journal, const RunId& run);

/// Returns all runs, newest first; a run that cannot be read is listed with status unknown and why.
Result<std::vector<RunView>> view_runs(App& app, Journal& journal);

/// Something that only a person can give, over all runs.
struct InboxItem {
  RunId id;
  std::string kind;  // gate or question
  std::string name;
  std::string ask;
  std::vector<std::string> options;
  std::vector<std::string> shows;
  std::string change;  // of what is shown since it was last approved, as a diff
  Timestamp since;
};
/// Returns what a person is asked, with what they may choose from: "Which colour? (red / blue)".
std::string with_options(const std::string& ask, const std::vector<std::string>& options);

/// Returns what to say of an answer that is none of the options it was asked with, "" if it is one. Options are
/// what the asker thought of; another answer is taken, but not without a word.
std::string note_on_answer(const std::string& answer, const std::vector<std::string>& options);

/// `journal` may be null: nothing has run here, and only what state files tell is listed.
Result<std::vector<InboxItem>> inbox(App& app, Journal* journal);

}  // namespace reprise
