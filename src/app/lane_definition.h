// The definition of a run of lanes: made from a phase plan and the run's inputs, instead of being read from YAML.

#pragma once

#include <map>
#include <string>

#include "app/app.h"
#include "app/definitions.h"

namespace reprise {

/// The name of the built-in workflow whose definition is a phase plan.
inline constexpr std::string_view kLanesWorkflow = "lanes";

/// The name of a run of lanes, `lanes/<run id>/<phase>/<lane>`; lane "-" for a whole phase.
struct LaneRunName {
  std::string run_id;
  std::string phase;
  std::string lane;
};
/// Returns the parts of such an id; nothing if it is not one.
std::optional<LaneRunName> lane_run_name(const RunId& run);
RunId to_run_id(const LaneRunName& name);

/// Returns where a plan is: `file` as it was given from where the person is, else from the project's root;
/// relative to the project if it lies in it.
std::string plan_place(App& app, const std::string& file);

/// Loads the definition that the plan in `file` (as a person gives it) and `inputs` make. Invalid lists every
/// problem of the plan with its line.
Result<Definition> load_lanes(App& app, const std::string& file, const std::map<std::string, std::string>& inputs);

/// Invalid, with the file, if lanes are to be merged into a branch whose checkout has uncommitted changes: better
/// known before they begin than after all of them have worked. Looks at git and nothing else.
Result<void> check_base_is_clean(App& app, const std::map<std::string, std::string>& inputs);

/// Returns the phase that a definition of lanes is about.
std::string phase_in(const Definition& definition);

/// Returns the name for a new run of `definition`: `run_name` if it is given, else made of phase, lane and time.
/// Invalid if it cannot be one.
Result<LaneRunName> name_lane_run(App& app, const Definition& definition, const std::string& run_name,
                                  const std::map<std::string, std::string>& inputs);

}  // namespace reprise
