// One attempt at a step: what is started, and what its end means.
//
// prepare() makes the event that records the intent and the program to start; conclude() turns the exit
// record, the result file and the products into the event that records the outcome. An attempt is done
// only if every product is in place and passes its check. Nothing here decides about retries.

#pragma once

#include <vector>

#include "base/mask.h"
#include "base/result.h"
#include "evidence/collector.h"
#include "executor/run_setup.h"
#include "formats/worker_result.h"
#include "guard/result_file.h"
#include "guard/workers.h"
#include "model/event.h"
#include "os/file_system.h"
#include "planner/graph.h"

namespace reprise {

struct Brief;

/// Whether a relative path stays in its folder: not absolute, no "..".
bool lies_beneath(const std::string& path);

struct PreparedAttempt {
  AttemptStarted event;
  WorkerSpec spec;
};

struct ConcludedAttempt {
  AttemptFinished event;
  std::vector<Event> more;            // a gate or questions that the worker opened, gaps that it found
  std::optional<WorkerResult> gaps;   // of a stage that finds gaps
  std::optional<WorkerResult> tasks;  // of one that puts tasks on the run's list
};

class Attempts {
 public:
  Attempts(const RunSetup& setup, const Workflow& workflow, FileSystem& files)
      : setup_(setup), workflow_(workflow), files_(files), collector_(files, setup.project) {}

  const RunSetup& setup() const { return setup_; }
  FileSystem& files() const { return files_; }

  Result<PreparedAttempt> prepare(const Graph& graph, int leaf, const RunState& state);
  Result<ConcludedAttempt> conclude(const Graph& graph, int leaf, const RunState& state, const ExitRecord& record);

  /// Returns the brief that the next attempt at a step would be given, as Markdown. Writes nothing.
  Result<std::string> brief_text(const Graph& graph, int leaf, const RunState& state);

  /// Makes the declared checks of a step that was cut off; the text says what is wrong, "" if nothing is.
  Result<ProductsSeen> products_of_cut_off(const Graph& graph, int leaf, const StepState& step);

  /// Says what a product lacks by its declared check, "" if nothing; starts no command.
  Result<std::string> product_fault(const std::string& path, const CompleteCheck& check);

  /// Runs the stage's verify command; true if it exits 0.
  Result<bool> verify(const Graph& graph, int leaf, const RunState& state);

  /// Returns the stage's inputs, or its recorded artifacts, as they look now.
  Result<std::vector<SeenFile>> look_at_inputs(const Graph& graph, int leaf, const StepState* step);
  Result<std::vector<SeenFile>> look_at(const std::vector<SeenFile>& files);
  Result<std::vector<SeenFile>> look_at_shown(const Graph& graph, int leaf);

  /// Takes away the result file of a last attempt whose result nobody will read: only its guard was sure to know
  /// the secrets in it, and may have been killed before it masked them. False if there is none.
  Result<bool> take_secrets_out(const RunState& state, const StepPath& step);

  /// Returns `text` with every secret replaced.
  std::string without_secrets(std::string_view text) const { return masker().mask(text); }

  /// The same for what people and workers wrote into an event.
  void take_secrets_out(Event& event) const;
  void take_secrets_out(TaskChanged& task) const;

  /// Returns the command that the worker of a step is started with, for people.
  std::string command_of(const Graph& graph, int leaf) const;

  /// How many further attempts a step of this stage may have after a failure.
  int retries_of(const Stage& stage) const;

 private:
  const Worker* worker_of(const Stage& stage) const;
  const Worker* worker_of(const Graph& graph, int leaf, const RunState& state) const;
  std::string role_of(const Graph& graph, int leaf, const RunState& state) const;
  std::vector<std::string> variables_of(const Stage& stage) const;
  std::vector<std::string> argv_of(const Graph& graph, int leaf, const Command& command) const;
  Environment environment_of(const Graph& graph, int leaf, const RunState& state, std::int64_t attempt) const;
  std::filesystem::path folder_of(const Graph& graph, int leaf) const;
  static std::string from_inside(const Graph& graph, int leaf, const std::string& path);
  static void add_failures_of_found_lane(const LaneState& lane, Brief& brief);
  static void add_failures_that_lead_here(const Graph& graph, int leaf, Brief& brief);
  Result<void> describe_task(const Graph& graph, int leaf, const RunState& state, Brief& brief);
  Result<bool> is_there(const std::filesystem::path& path);
  Result<bool> is_left(const Graph& graph, int leaf, const std::string& path);
  bool needs_brief(const Graph& graph, int leaf, std::int64_t attempt);
  Result<Brief> make_brief(const Graph& graph, int leaf, const RunState& state, const AttemptStarted& event);
  Result<void> write_brief(const Graph& graph, int leaf, const RunState& state, const AttemptStarted& event);
  Result<void> clear(const std::filesystem::path& directory);
  Result<void> read_outcome(const Graph& graph, int leaf, const ExitRecord& record,
                            const std::filesystem::path& directory, const ResultFile& file, ConcludedAttempt& out);
  Result<void> take_result(const WorkerResult& result, const ExitRecord& record, ConcludedAttempt& out);
  Result<std::string> first_product_fault(const Graph& graph, int leaf);
  Result<void> record_artifacts(const Graph& graph, int leaf, const WorkerResult* result, AttemptFinished& event);
  const std::vector<std::string>& secrets() const;
  const Masker& masker() const;
  std::vector<std::string> last_lines_of(const std::filesystem::path& file);
  std::vector<std::string> last_lines(const ExitRecord& record, const std::filesystem::path& directory);

  const RunSetup& setup_;
  const Workflow& workflow_;
  FileSystem& files_;
  Collector collector_;
  mutable std::optional<std::vector<std::string>> secrets_;  // these two are made on first use
  mutable std::optional<Masker> masker_;
};

}  // namespace reprise
