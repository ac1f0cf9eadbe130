// A session: one process working on one run, from taking the lease to giving it back.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/app.h"
#include "app/definitions.h"
#include "app/lane_files.h"
#include "app/preview.h"
#include "executor/executor.h"
#include "guard/workers.h"

namespace reprise {

class SignalWatch;

struct StartRequest {
  std::string workflow;  // name or path
  std::string subject;
  std::string run_name;  // --run-id
  std::map<std::string, std::string> inputs;
  Mode mode = Mode::Interactive;
  int parallel = 0;
};

struct ResumeRequest {
  std::string from;          // a person's own resume point
  std::optional<Mode> mode;  // nothing: the run's own
};

/// Takes the lease on a run, to work on it or to end its workers. A journal that was restored from a backup may
/// know fewer tokens than the run's guard: the lease then gets one above those, and the exit log is archived.
Result<Lease> acquire_run(App& app, Journal& journal, const RunId& run);

class Session {
 public:
  /// Creates a run and prepares to work on it. Invalid if the request does not fit the definition,
  /// Unavailable if a stage has no worker, Conflict if the subject has work that is not finished (the
  /// hints say how to go on with it). Nothing is started yet.
  static Result<std::unique_ptr<Session>> start(App& app, const StartRequest& request, Observer& observer,
                                                SignalWatch* signals);

  /// Takes over a run, through `journal`. Conflict if another process owns it. What was found out about
  /// open attempts and the acceptance of the plan become durable only with run(): until then plan() can
  /// be shown, and letting go of the session changes nothing.
  static Result<std::unique_ptr<Session>> resume(App& app, std::unique_ptr<Journal> journal, const RunId& run,
                                                 const ResumeRequest& request, Observer& observer,
                                                 SignalWatch* signals);

  ~Session();

  const RunId& id() const { return lease_.run; }
  const Plan& plan() const { return plan_; }
  const RunState& state() const { return executor_->state(); }
  /// Whether the run had ended before: then there is a plan, and nothing else.
  bool is_over() const { return executor_ == nullptr; }
  Mode mode() const { return mode_; }
  /// The definition that it goes on with; empty if the run had ended before.
  const Workflow& workflow() const { return definition_.workflow; }
  const Graph& graph() const { return executor_->graph(); }
  Executor& executor() { return *executor_; }
  Journal& journal() { return *journal_; }

  /// Works until the run is over, waits or is told to stop, and sends the notification for that. Denied,
  /// and nothing recorded, if the plan has a blocking finding.
  Result<SessionEnd> run();

 private:
  Session(App& app, std::unique_ptr<Journal> journal) : app_(app), journal_(std::move(journal)) {}
  Result<void> reach_guard(const std::string& key, const SignalWatch* signals);
  Result<void> prepare(RunState state, Definition definition, const std::string& from, std::optional<Mode> mode,
                       Observer& observer, SignalWatch* signals);
  void notify(const SessionEnd& end);

  App& app_;
  std::unique_ptr<Journal> journal_;
  Lease lease_;
  RunSetup setup_;
  Definition definition_;
  std::unique_ptr<NativeState> native_;
  std::unique_ptr<LaneFiles> lane_files_;
  std::unique_ptr<RunRecords> records_;  // of a task list or of stories
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<Executor> executor_;
  Plan plan_;
  Mode mode_ = Mode::Interactive;
};

/// Returns the error that a stage without a worker deserves, nothing if every role has one.
std::optional<Error> missing_worker(const Workflow& workflow, const Config& config);

}  // namespace reprise
