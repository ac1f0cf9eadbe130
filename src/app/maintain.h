// Looking after the store: doctor, verify, locks, gc; and setting a project up.

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

struct LockEntry {
  RunId run;
  Owner owner;
};
Result<std::vector<LockEntry>> list_locks(App& app);
/// Takes the lease of a run away from an owner that is gone. Conflict while that process lives.
Result<void> break_lock(App& app, const RunId& run);

/// What gc removes: attempt files and guard folders of runs that no longer exist or are archived and older
/// than `keep`.
struct GcReport {
  std::vector<std::string> removed;  // relative to the store
  std::vector<RunId> runs;
};
Result<GcReport> collect_garbage(App& app, Duration keep, Journal::GcMode mode);

/// What init found and wrote.
struct InitReport {
  bool wrote_config = false;         // false: there was one, it is untouched
  std::vector<std::string> systems;  // of the five, those whose files are in this repository
};
Result<InitReport> init_project(App& app);

}  // namespace reprise
