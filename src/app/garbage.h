// gc: what of the store may go, and its removal.
//
// One rule: the folders of a run go only if the journal names the run as archived and old enough, and nobody holds
// it: neither a process its lease nor a guard its lock. Whatever would stop their removal is looked for before the
// first of them goes, and that they go is recorded first, so that `undo` never brings a run back with a part of
// its files. They go before the run's rows do, so that a gc that is killed leaves a run that the next one removes.
// What belongs to no run is only reported, unless a person said that it may go.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/app.h"

namespace reprise {

/// Locked by `import` while it writes the files of a run that the journal does not name yet, and by gc while it
/// removes what belongs to no run. Relative to the store.
inline constexpr const char* kImportLock = "import.lock";

struct GcReport {
  /// Something that stays, and why.
  struct Kept {
    std::string path;  // relative to the store
    std::string why;
  };
  std::vector<RunId> runs;             // that are removed
  std::vector<std::string> removed;    // relative to the store
  std::vector<std::string> unclaimed;  // what belongs to no run, and was not removed
  std::vector<std::string>
      temporary;  // files of killed writers that are removed, as find_leftover_files() names them
  std::vector<Kept> kept;
  std::optional<Error> failure;  // what ended the work; the rest says what was done before
};

enum class GcMode {
  DryRun,           // only says what Remove would do
  Remove,           // removes the runs
  RemoveUnclaimed,  // and what belongs to no run
};

/// Removes the runs that were archived before `keep` ago, and temporary files of killed writers.
Result<GcReport> collect_garbage(App& app, Duration keep, GcMode mode);

}  // namespace reprise
