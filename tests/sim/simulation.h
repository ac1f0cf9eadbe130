// One simulated run: a random definition, workers with random ends, a runner that is killed at random
// calls, a guard that dies, people who decide and people who change files behind our back. The same seed
// gives the same run. After a while everything calms down, and then the run has to get done.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "auditor.h"
#include "random_workflow.h"
#include "testing/memory_journal.h"

namespace reprise {

struct SimReport {
  int sessions = 0;
  int kills = 0;
  int lost_guards = 0;
  int edits = 0;
  int decisions = 0;  // of people
  int attempts = 0;
  RunStatus end = RunStatus::Unknown;
  std::vector<std::string> violations;
};

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed);
  SimReport run();
  /// Returns what happened, one line per event.
  std::string story() const { return story_; }

 private:
  bool is_calm() const;
  void create();
  void session();
  void work(MemoryJournal& journal, const Lease& lease);
  void check_leases(MemoryJournal& journal, const Lease& lease);
  void take_end(const Result<SessionEnd>& end, const RunState& state);
  void person_acts();
  bool decide(const Steer& steer);
  Steer next_steer();
  std::string random_step();
  void while_waiting();
  void edit_by_hand();
  void change_definition();
  Script script_for(const WorkerSpec& spec);
  void write_result(const std::string& path, Script& script, Rng& rng, bool calm);

  Rng rng_;
  std::uint64_t seed_;
  FixedClock clock_;
  KillSwitch kill_;
  MemoryFileSystem files_{&kill_};
  ScriptedGuard guard_{clock_, files_};
  MemoryJournalStore store_;
  RunSetup setup_;
  Auditor auditor_;
  Workflow workflow_;
  std::string definition_;
  RunId id_{"demo/x"};
  std::optional<Lease> stale_;
  std::string story_;
  SimReport report_;
  bool is_over_ = false;
  bool is_waiting_ = false;
};

}  // namespace reprise
