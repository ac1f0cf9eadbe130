// Pre-flight: everything that a resume stands on, looked at one by one before anything starts (OR-11). Every file
// that the work refers to, the status of every story or task involved, every dependency, and whether each is as
// recorded.
//
// It reports, it does not decide: what blocks is a finding of the plan. Reads only; a file outside of the project
// is named and not looked at. The same for a run of ours and for found work of all five systems.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/resume_proposal.h"
#include "app/scan.h"
#include "base/json_writer.h"
#include "base/time.h"
#include "model/run_state.h"
#include "model/status.h"

namespace reprise {

/// How a file compares with what is recorded of it.
enum class FileStanding {
  Same,     // as recorded
  Changed,  // there, and not as recorded
  Missing,  // recorded or needed now, and not there
  New,      // there, and nothing is recorded of it
  Later,    // not there, and not needed yet: a step that is still to run makes it
};
inline constexpr TokenTable<FileStanding, 5> kFileStandingTokens = {{{FileStanding::Same, "same"},
                                                                     {FileStanding::Changed, "changed"},
                                                                     {FileStanding::Missing, "missing"},
                                                                     {FileStanding::New, "new"},
                                                                     {FileStanding::Later, "later"}}};
constexpr std::string_view to_token(FileStanding standing) { return token_in(kFileStandingTokens, standing); }

struct PreflightFile {
  std::string path;  // relative to the project
  std::string role;  // "artifact", "input", "state", "story", …
  FileStanding standing = FileStanding::Same;
  std::string recorded;  // digest; "" if none is known
  std::optional<Timestamp> recorded_at;
  std::string digest;  // now; "" if it is not there or is a folder that was not read
  std::optional<std::int64_t> size;
  std::optional<Timestamp> modified_at;
  std::string phase;      // that needs or made it
  bool critical = false;  // the work cannot go on without it
  std::string note;       // how a change is known, or by whom it was made
};

/// A status that is written in two places.
struct PreflightStatus {
  std::string subject;  // a story, a task, a step
  std::string file;
  std::string claimed;  // by the state
  std::string seen;     // where it is kept
  bool agrees = true;
};

struct PreflightDependency {
  std::string of;
  std::string on;
  bool sound = true;
  std::string standing;  // "done", "comes before it", "not there", "goes round in a circle"
};

struct PreflightReport {
  std::vector<PreflightFile> files;  // by path
  std::vector<PreflightStatus> statuses;
  std::vector<PreflightDependency> dependencies;

  std::size_t count(FileStanding standing) const;
};

/// Returns the report on something found.
Result<PreflightReport> preflight_found(App& app, const Candidate& candidate, const Proposal& proposal);

/// Returns the report on a run of ours.
Result<PreflightReport> preflight_run(App& app, const RunState& state, const Proposal& proposal);

/// Writes the report as one JSON object, with the plan's steps from the resume point on and their risks.
void write_preflight(JsonWriter& json, const Proposal& proposal, const PreflightReport& report);

}  // namespace reprise
