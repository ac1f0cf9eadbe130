// A plan in a file: what a person agreed to, and what of the world it stands on.
//
// Going on with a saved plan means making the plan anew and comparing. If anything is decided otherwise, or
// anything that the plan stands on is another than it was, the saved plan does not fit any more, and what moved is
// told line by line. Time that passes is no movement.
//
// A plan stands on the run's record (its last event), its definition, its state file, every file that it looked at
// as evidence, and for lanes the commits of their branches and bases.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/systems.h"
#include "model/plan.h"

namespace reprise {

/// What a plan stands on.
struct Ground {
  std::int64_t last_event = 0;  // 0: there is no run of it yet
  std::string started_at;       // of the run; "" if there is none
  std::string definition;       // digest of what a resume would work with
  std::string state_file;       // "" if there is none
  std::string state_digest;
  std::map<std::string, std::string> files;    // digest by path, "" if it is not there
  std::map<std::string, std::string> commits;  // by branch, "" if there is no such branch
};

struct SavedPlan {
  std::string repository;  // where it was saved for
  std::string from;        // the person's own resume point
  Ground ground;
  Plan plan;  // decisions with their reasons, findings and what waits; nothing else of it
};

/// What is planned, and where its record is; `journal` is null where nothing has run.
struct PlannedWork {
  App& app;
  Journal* journal = nullptr;
  const Meant& meant;
};

/// Looks at everything that `plan` stands on. Changes nothing.
Result<Ground> ground_of(const PlannedWork& work, const Plan& plan);

/// Writes `plan` into `file`, whole or not at all. Invalid if something else than a saved plan is there; NotFound
/// if its folder is not.
Result<void> save_plan(const PlannedWork& work, const std::string& from, const Plan& plan,
                       const std::filesystem::path& file);

/// Reads it back. NotFound, or Invalid with what is wrong: no plan, cut off, of another repository.
Result<SavedPlan> read_saved_plan(App& app, const std::filesystem::path& file);

/// Returns what is not any more as it was when the plan was saved, one sentence each; none if it still fits. `now`
/// is the plan for the same work made anew. Invalid if it is another run of that name.
Result<std::vector<std::string>> what_moved(const PlannedWork& work, const SavedPlan& saved, const Plan& now);

/// Returns only what `now` decides otherwise, in the same words. Pure.
std::vector<std::string> decided_otherwise(const SavedPlan& saved, const Plan& now);

}  // namespace reprise
