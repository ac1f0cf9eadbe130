// Looking after the store: doctor, verify, locks; and setting a project up.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"

namespace reprise {

/// One thing that doctor looked at.
struct DoctorLine {
  enum class Answer { Ok, Warning, Bad } answer = Answer::Ok;
  std::string subject;
  std::string message;
  std::string remedy;
};
/// Looks at store, configuration, definitions, runs and leftovers. Changes nothing.
Result<std::vector<DoctorLine>> doctor(App& app);

/// Whether the process that a lease names is at work. Unknown: it is of another machine and its lock is not held
/// here, which says nothing if that machine has the store mounted from somewhere else.
enum class OwnerState { Alive, Dead, Unknown };
struct LockEntry {
  RunId run;
  Owner owner;
  OwnerState state = OwnerState::Dead;
};
std::string_view to_token(OwnerState state);
/// Returns who owns what: one entry per lease that was not given back.
Result<std::vector<LockEntry>> list_locks(App& app);
/// Takes the lease of a run away from an owner that is gone, on the record, and gives it back: then nobody owns
/// it. Returns whom it was taken from; nothing if nobody had it. Conflict while that process lives.
Result<std::optional<Owner>> break_lock(App& app, const RunId& run);

/// What init found and wrote.
struct InitReport {
  bool wrote_config = false;         // false: there was one, it is untouched
  std::vector<std::string> systems;  // of the five, those whose files are in this repository
};
Result<InitReport> init_project(App& app);

}  // namespace reprise
