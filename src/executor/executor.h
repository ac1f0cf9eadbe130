// The executor: the one loop that does the work. It asks the planner what is ready, records the intent,
// starts the worker, waits, records the outcome, and asks again.
//
// What always holds (executor_test.cc, tests/sim, tests/crash):
//
//   J6  An attempt's start is durable before its worker exists.
//   J7  An attempt's end is durable before anything that depends on it starts.
//   J8  At most one attempt of a step is open.
//   X2  Killed at any point, the next plan is valid; no recorded outcome is lost; no step with a recorded
//       success is executed again; at most the attempt in flight is repeated.
//
// What became known together is appended together: the end of one step and the start of the next are one
// durable commit. If an append fails nothing more is started or acknowledged. One thread; never acts
// inside a callback.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "executor/attempt.h"
#include "executor/checkout.h"
#include "executor/lane_keeper.h"
#include "executor/native_state.h"
#include "executor/prepare.h"
#include "executor/projector.h"
#include "executor/run_records.h"
#include "executor/run_setup.h"
#include "executor/steering.h"
#include "guard/workers.h"
#include "journal/journal.h"
#include "model/observer.h"
#include "model/plan.h"
#include "planner/graph.h"

namespace reprise {

class Clock;
class FileSystem;
class SignalWatch;

/// How a session ended.
struct SessionEnd {
  RunStatus status = RunStatus::Running;  // Done, Failed, Stopped, Waiting, or Interrupted by a signal
  int signal = 0;
  std::string reason;
  int executed = 0;  // attempts that ended in this session
};

/// What the executor works with; all of it must outlive it.
struct ExecutorParts {
  Journal& journal;
  Workers& workers;
  FileSystem& files;
  Clock& clock;
  Observer& observer;
  SignalWatch* signals = nullptr;     // null: none arrive
  NativeState* native = nullptr;      // null: no state file shows the run
  RunRecords* records = nullptr;      // null: nobody else reads along
  bool is_final_when_failed = false;  // by the rules of the system
};

class Executor {
 public:
  /// `state` is the run's state under `lease`; `definition` is the digest of `workflow` as stored.
  Executor(ExecutorParts parts, const RunSetup& setup, const Workflow& workflow, std::string definition,
           std::string source_digest, Lease lease, RunState state);

  /// Begins a session: finds out what became of open attempts, plans, and records that the plan was
  /// accepted. `from` is a person's own resume point, "" for the planner's.
  Result<Plan> begin(const std::string& from, Mode mode);

  /// Adds to the run's log why something was decided without asking; durable with what run() records first.
  Result<void> note(std::string text, std::string by) { return record(NoteAdded{std::move(text), std::move(by)}); }

  /// Works until the run is over, waits for a person, or is told to stop.
  Result<SessionEnd> run();

  /// Applies what a person decided in this very process, as a request from another one would be.
  Result<void> steer(const Steer& steer);
  /// Sets what run() calls between two turns while steps work, when everything is durable: it may call steer().
  /// It returns a descriptor whose input it waits for, -1 for none. It must be unset before it dangles.
  void set_between_turns(std::function<Result<int>()> between_turns) { between_turns_ = std::move(between_turns); }
  /// Whether run() only waits for running workers, because it was interrupted or the run was cancelled.
  bool is_stopping() const { return interrupts_ > 0 || ending_signal_ != 0 || cancel_.has_value(); }
  /// Records one decision of a person, outside of a session: what the state file says is taken in before it, and
  /// shown after it. Open attempts stay as they are.
  Result<void> decide(const Steer& steer);
  /// Handles requests that other commands left in the journal.
  Result<void> serve_requests();
  /// The same while run() is not at work. True: something was decided, and run() is to be called again.
  Result<bool> serve_while_waiting();

  const RunState& state() const { return state_; }
  const Graph& graph() const { return graph_; }
  int parallel() const { return parallel_; }

 private:
  Result<void> resolve_open_attempts();
  Result<void> resolve_gone(int leaf, const StepPath& path);
  PrepareRequest prepare_request();
  Result<Prepared> prepare_plan(const std::string& from);
  Result<Plan> plan_now();
  Result<void> take_news();
  Result<void> note_resumption();
  Result<void> take_edits();
  bool may_be_from_worker() const;
  Result<std::string> find_other_worker();
  Result<Timestamp> last_time_of_state_file();
  Result<bool> had_worker_since(const RunEntry& run, Timestamp since);
  void begin_graph(const Plan& plan);

  Result<void> fill();
  Result<void> start_leaf(int leaf);
  bool has_failed_for_good(int leaf) const;
  bool has_upstream_changed(int leaf) const;
  bool has_changed_before(int leaf, EventNumber checked) const;
  bool waits_for_answers(int leaf) const;
  bool is_asked_first() const;
  Result<void> ask_about_outdated(int leaf);
  Result<bool> keeps_after_verification(int leaf);
  Result<void> open_gate(int leaf);
  Result<void> ask_at_gate(int gate, const std::vector<SeenFile>& shown);
  bool is_redefined(int gate) const;
  const std::vector<int>& gates_before(int leaf);
  bool is_approved(int gate) const;
  bool is_behind(int gate, int leaf);
  bool is_approval_current(int gate, const std::vector<SeenFile>& shown);
  bool ran_only_steps_behind(int gate);
  Result<bool> are_approvals_current(int leaf);
  Result<void> accept_changes_behind_gates(int leaf);
  Result<void> keep_texts(const std::vector<SeenFile>& shown);
  Result<void> start_attempt(int leaf);
  double cost_limit() const;
  bool is_over_cost() const;
  Result<void> ask_for_cost();

  Result<void> finish_attempt(const ExitRecord& record);
  Result<AttemptFinished> conclude_attempt(const ExitRecord& record, std::string branch = "");
  std::string find_switched_branch(int leaf) const;
  void take_in_tasks();
  void after_attempt(int leaf, const AttemptFinished& event);
  void after_success(int leaf);
  bool must_report(int leaf, AttemptOutcome outcome) const;
  void plan_next_attempt(const Stage& stage, const StepState& step, AttemptFinished& event) const;
  Duration time_to_retry(const StepPath& path, const StepState& step);
  void schedule(int leaf);
  void release_due();

  Result<void> apply_steer(const Steer& steer);
  void after_steer(const Event& event);
  void stop_all();
  void take_signals();
  Result<void> recover_from_lost_guard();

  Result<std::optional<Error>> open_lane(int lane);
  std::optional<StepPath> find_idle_lane() const;
  Result<std::optional<Error>> find_rival(const LaneState& lane);
  Result<bool> enter_lane(int leaf);
  Result<void> hold_for_lane(int leaf, int lane, const Error& trouble);
  std::optional<Timestamp> last_death_in(int lane) const;
  Result<bool> take_before(int leaf, std::int64_t attempt);
  Result<void> settle_in_lane(int leaf, ConcludedAttempt& concluded);
  void add_work_checkpoint(int leaf, ConcludedAttempt& concluded) const;
  void add_tests_checkpoint(int leaf, const std::string& head, ConcludedAttempt& concluded) const;
  void count_retry_of_lane(int leaf, ConcludedAttempt& concluded) const;
  void reset_for_retry(int leaf, ConcludedAttempt& concluded) const;
  Result<void> warn_of_overlaps(int leaf);
  Result<void> publish_lane(int leaf);
  void take_publication(const LaneState& lane, const Result<Publication>& published,
                        ConcludedAttempt& concluded) const;
  std::string title_of(const LaneState& lane) const;
  std::string body_of(const LaneState& lane) const;

  void escalate(const Stage& stage, ConcludedAttempt& concluded) const;
  Result<void> record_answers_applied(int leaf);

  Result<void> record(Event event);
  Result<void> flush();
  void tell(const Event& event);
  void show_in_records(const std::vector<Event>& told, EventNumber before);
  Result<void> maybe_copy();
  Result<void> wait_for_news();
  Result<std::optional<SessionEnd>> find_end();
  Result<SessionEnd> end_with(RunStatus status, std::string reason);
  std::string first_failure() const;
  bool settle_unneeded();
  bool waits_for_person() const;

  ExecutorParts parts_;
  std::function<Result<int>()> between_turns_;
  const RunSetup& setup_;
  const Workflow& workflow_;
  std::string definition_;
  std::string source_digest_;
  Lease lease_;
  RunState state_;
  Graph graph_;
  Attempts attempts_;
  LaneKeeper lanes_;
  CheckoutReader checkout_;
  std::set<int> open_lanes_;                     // nodes whose lane was made or found in this session
  std::set<std::pair<int, int>> overlaps_told_;  // pairs of these
  std::optional<Projector> projector_;
  std::optional<StepPath> ask_first_;  // a gate that is decided before anything starts
  int parallel_ = 1;

  std::string not_shown_;                         // why the last events could not be shown to others
  std::vector<Event> pending_;                    // applied to state_, not yet in the journal
  Timestamp pending_at_;                          // their time
  std::vector<WorkerSpec> to_start_;              // started once pending_ is durable
  std::unordered_map<std::string, int> running_;  // leaf by attempt name; -1: no longer in the definition
  std::multimap<Duration, int> due_;              // leaves that wait for their next attempt, by monotonic time
  // By step and attempt: when the next may start.
  std::map<std::pair<StepPath, std::int32_t>, Duration> retry_due_;
  std::set<int> held_;              // leaves that wait for a person's word
  std::set<int> outdated_;          // running leaves that something runs again which they need
  std::set<StepPath> failed_here_;  // what this session has tried in vain
  // What a gate shows, as it was last found to be covered by its approval.
  struct Covered {
    std::vector<SeenFile> shown;
    EventNumber at;
  };
  std::map<int, Covered> covered_;                          // by gate
  std::vector<std::pair<EventNumber, int>> ended_;          // attempts that ended in this session: when, leaf
  std::unordered_map<int, std::vector<int>> gates_before_;  // by leaf: the gates that show files
  int gates_before_of_ = 0;                                 // the size of the graph that gates_before_ is about
  bool began_with_open_ = false;                 // a worker may have been at work since the last session
  bool go_on_ = false;                           // there is something to do before the next wait
  bool replan_ = false;                          // a finished step was reset
  std::unordered_map<int, Decision> decisions_;  // of the plan, for leaves neither kept nor new
  std::vector<RequestAnswer> answers_;           // to requests, given with pending_
  std::optional<RunFinished> cancel_;            // asked for; recorded when nothing runs any more
  std::vector<std::int64_t> cancel_requests_;
  Duration requests_seen_at_{0};
  EventNumber copied_at_;
  int executed_ = 0;
  int lost_guards_ = 0;  // in a row
  int interrupts_ = 0;
  int ending_signal_ = 0;
};

}  // namespace reprise
