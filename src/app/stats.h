// Statistics over all runs of a project, archived ones included: where runs stop, what resuming saved, what was
// tried again and why, how long people were waited for.
//
// Counting is pure (events and leases go in, numbers come out) and one run at a time, so that no more than one
// history is in memory.
//
// What is counted, exactly:
//
//   stops    every session that ended before its run was done (run_history.h says how that is known), by cause and
//   by
//            the stage it was at: killed (the owner vanished; that the store failed looks the same), signal (it
//            gave the run back unfinished), failed (a step failed for good), waiting (a gate or a question). Not
//            counted: sessions that work now, and runs that a person stopped.
//   saved    the sum over all resumes of the steps whose success was on record when the resume began and that it
//            neither reset nor started again; time and money are those of the attempt that succeeded. The same
//            step counts once per resume, so a run resumed twice saves it twice: without resuming it would have
//            been done twice more.
//   retries  every attempt after a step's first, by how the attempt before it ended.
//   waited   the time during which a gate or a question was open, each moment once per run however many were open;
//            what is open now counts up to now. The end of a run ends its waiting.
//   longest  successful attempts, by the time that their worker took.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/run_history.h"

namespace reprise {

/// A run as it is counted.
struct CountedRun {
  RunId id;
  bool archived = false;
  std::optional<Owner> owner;  // who the lease names now
  std::vector<RecordedEvent> events;
};

/// An attempt that took long.
struct LongStep {
  RunId run;
  StepPath step;
  Duration took{0};
};

/// A run that could not be counted, and why.
struct UncountedRun {
  RunId id;
  std::string why;
};

struct Stats {
  int runs = 0;
  int done = 0;
  int failed = 0;
  int stopped = 0;
  int unfinished = 0;
  int archived = 0;  // among the above
  int sessions = 0;
  int resumes = 0;
  SavedWork worked;  // attempts that succeeded, what they took and cost
  SavedWork saved;
  std::map<std::pair<std::string, std::string>, int> stops;  // by cause and stage; "" for between steps
  std::map<std::string, int> retries;                        // by cause
  int same_error = 0;                                        // retries given up since the error was the same again
  Duration waited{0};
  int asked = 0;  // gates and questions
  std::vector<LongStep> longest;
  std::vector<UncountedRun> uncounted;
};

/// How many steps `longest` names.
inline constexpr std::size_t kLongestNamed = 5;

/// Adds `run` to `stats`. `now` is for what waits still.
void count_run(Stats& stats, const CountedRun& run, Timestamp now);

/// Counts all runs of the journal. A run that cannot be read is named in `uncounted`, the others count.
Result<Stats> count_runs(Journal& journal, Timestamp now);

/// Returns the document of `stats --json`.
std::string stats_document(const Stats& stats);

}  // namespace reprise
