// Where and for whom a run is worked on: the same for every attempt of a session.

#pragma once

#include <filesystem>
#include <string>

#include "executor/environment.h"
#include "model/ids.h"
#include "model/run_state.h"
#include "model/workflow.h"

namespace reprise {

struct RunSetup {
  std::filesystem::path project;  // absolute; workers run here
  std::filesystem::path store;    // the folder of the journal
  std::filesystem::path program;  // our own binary, which is put above checks; "": nothing is
  Config config;
  Environment environment;  // ours; what of it passes to workers is decided per worker
  std::string actor;        // who started this session: "ana@host"
  std::string owner;        // "host:pid"
};

/// Returns where `project` is, relative to the main checkout; "" for that one. The worktrees of a repository share
/// one store, and a run may have been begun in another of them.
inline std::string checkout_of(const std::filesystem::path& project, const std::filesystem::path& store) {
  const std::string place = project.lexically_relative(store.parent_path().parent_path()).string();
  return place == "." ? "" : place;
}

/// Returns the folder of one attempt's files; it is made when there is something to put into it.
inline std::filesystem::path attempt_directory(const std::filesystem::path& store, const RunState& run,
                                               const StepPath& step, std::int64_t attempt) {
  return store / "attempts" / run.key / step.text / std::to_string(attempt);
}

/// Returns the folder of the guard of the run with this key: its lock, socket and exit log.
inline std::filesystem::path guard_directory(const std::filesystem::path& store, const std::string& key) {
  return store / "guards" / key;
}

/// Returns the name by which the guard knows an attempt.
inline std::string attempt_name(const StepPath& step, std::int64_t attempt) {
  return step.text + "#" + std::to_string(attempt);
}

}  // namespace reprise
