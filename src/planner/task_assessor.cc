#include "planner/task_assessor.h"

#include <algorithm>

#include "base/strings.h"
#include "planner/shown.h"
#include "planner/task_facts.h"

namespace reprise {
namespace {

constexpr std::size_t at(TaskPhase phase) { return static_cast<std::size_t>(phase); }

// What is told of the tasks of one phase together.
struct PhaseState {
  int tasks = 0;
  int moving = 0;            // not done, or to be done again
  int unproven = 0;          // stand, and left nothing to show for it
  bool begun = false;        // one was started
  bool lost_commit = false;  // one lacks a commit
  bool upstream = false;     // an earlier phase is incomplete
  PhaseRestart restart = PhaseRestart::No;
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i)
    text += (i == 0 ? "" : ", ") + printable_line(names[i], 120);
  return names.size() > 5 ? text + " and " + std::to_string(names.size() - 5) + " more" : text;
}

// Decides about every task and phase, with one phase repeated if the user asks for it.
class Assessor {
 public:
  Assessor(const TaskSnapshot& snapshot, const TaskFacts& facts, std::optional<TaskPhase> repeats)
      : seen_(snapshot), facts_(facts), repeats_(repeats) {
    const bool is_over = facts.tasks.empty() || facts.is_all_completed;
    delivered_ = facts.permanent != nullptr && facts.permanent->is_delivered && is_over && !repeats;
  }

  void assess(TaskRecovery& recovery) {
    count();
    choose_restarts();
    find_upstream();
    recovery.decisions.clear();
    recovery.phases.clear();
    sort_by_phase();
    for (const TaskPhase phase : phases_of(facts_.tier)) assess_phase(phase, recovery);
    conclude(recovery);
  }

 private:
  const TaskFact& fact(int node) const { return facts_.tasks[static_cast<std::size_t>(node)]; }
  bool lacks_commit(const TaskFact& task) const {
    return !delivered_ && (!task.gone_commits.empty() || task.phase_lost_commit);
  }
  bool lacks_output(const TaskFact& task) const { return !delivered_ && !task.gone_outputs.empty(); }
  bool is_repeated(TaskPhase phase) const { return repeats_ == phase; }
  bool is_moving(const TaskFact& task) const {
    return task.work != TaskWork::Completed || is_repeated(task.phase) || lacks_commit(task) || lacks_output(task);
  }

  void count() {
    for (const TaskFact& task : facts_.tasks) {
      PhaseState& phase = states_[at(task.phase)];
      ++phase.tasks;
      if (is_moving(task)) {
        ++phase.moving;
      } else if (!task.has_result) {
        ++phase.unproven;
      }
      phase.begun = phase.begun || task.work == TaskWork::Completed || task.work == TaskWork::InProgress ||
                    task.work == TaskWork::Failed;
      phase.lost_commit = phase.lost_commit || lacks_commit(task);
    }
  }

  CompletedEvidence evidence_of(const PhaseState& phase) const {
    if (phase.moving == phase.tasks) return CompletedEvidence::NoneCompleted;
    return phase.unproven > 0 ? CompletedEvidence::Missing : CompletedEvidence::There;
  }

  void choose_restarts() {
    for (PhaseState& phase : states_) {
      const bool is_mixed = phase.moving > 0 && phase.moving < phase.tasks;
      if (!is_mixed) continue;
      if (decide(facts_.tier, evidence_of(phase)).granularity == Granularity::Task) continue;
      phase.restart = facts_.tier == TaskTier::Complex ? PhaseRestart::Evidence : PhaseRestart::Tier;
    }
  }

  // What moves is settled by the tasks and phases themselves; what waits for it is found from there.
  void find_upstream() {
    bool moving = false;
    for (const TaskPhase phase : phases_of(facts_.tier)) {
      states_[at(phase)].upstream = moving;
      moving = moving || states_[at(phase)].moving > 0 || is_repeated(phase) || is_open_without_tasks(phase);
    }
    std::vector<bool> restless(facts_.tasks.size());
    for (std::size_t i = 0; i < restless.size(); ++i) {
      const TaskFact& task = facts_.tasks[i];
      restless[i] = is_moving(task) || states_[at(task.phase)].restart != PhaseRestart::No ||
                    states_[at(task.phase)].upstream || is_doubted(task);
    }
    upstream_ = facts_.graph.downstream_of(restless);
  }

  bool is_doubted(const TaskFact& task) const {
    if (delivered_) return false;
    return task.is_suspect || !task.stale_files.empty() || phase_is_doubted(task.phase) || is_unproven(task);
  }
  bool phase_is_doubted(TaskPhase phase) const {
    const ClaimedPhase* signal = facts_.find_signal(phase);
    return !delivered_ &&
           (states_[at(phase)].lost_commit || (signal != nullptr && signal->signal == PhaseSignal::Failed));
  }
  bool is_unproven(const TaskFact& task) const {
    if (facts_.permanent == nullptr || decide(facts_.permanent->resume_count).care == ResumeCare::Standard)
      return false;
    if (seen_.last_resume && completion_of(*task.claim, seen_.now) < *seen_.last_resume) return false;
    return !task.has_file_evidence;
  }

  // A phase without tasks.
  PhaseSituation situation_of_empty(TaskPhase phase) const {
    PhaseSituation situation{.is_delivered = delivered_, .repeats = is_repeated(phase)};
    bool has_later = false;
    for (std::size_t later = at(phase) + 1; later < kTaskPhases; ++later) {
      has_later = has_later || states_[later].tasks > 0;
      situation.begun_later = situation.begun_later || states_[later].begun;
    }
    if (facts_.tier == TaskTier::Trivial && phase < trivial_phase()) situation.begun_later = true;
    const ClaimedPhase* signal = facts_.find_signal(phase);
    situation.signal_is_bad =
        signal != nullptr && (signal->signal == PhaseSignal::Failed || signal->signal == PhaseSignal::Partial);
    const bool is_past = (facts_.claimed && *facts_.claimed > phase) ||
                         (signal != nullptr && signal->signal == PhaseSignal::Passed);
    const bool is_executed =
        facts_.is_all_completed && phase > TaskPhase::P6 && states_[at(TaskPhase::P6)].tasks > 0;
    const bool is_rebuilt = facts_.is_rebuilt && facts_.claimed && *facts_.claimed > phase;
    situation.claimed_past = phase != TaskPhase::P8 && ((is_past && (has_later || is_executed)) || is_rebuilt);
    return situation;
  }
  bool is_open_without_tasks(TaskPhase phase) const {
    return states_[at(phase)].tasks == 0 &&
           decide(situation_of_empty(phase)).standing == PhaseStanding::NotStarted;
  }

  // TP-05: the one task of a trivial pipeline says where it goes on.
  TaskPhase trivial_phase() const {
    Preparation preparation = Preparation::None;
    TrivialWork work = TrivialWork::None;
    for (const TaskFact& task : facts_.tasks) {
      const bool is_done = task.work == TaskWork::Completed;
      if (task.phase == TaskPhase::P0 && preparation != Preparation::Unfinished) {
        preparation = is_done ? Preparation::Done : Preparation::Unfinished;
      }
      if (task.phase != TaskPhase::P6) continue;
      work = std::max(work, is_done                             ? TrivialWork::Done
                            : task.work == TaskWork::Failed     ? TrivialWork::Failed
                            : task.work == TaskWork::InProgress ? TrivialWork::InProgress
                                                                : TrivialWork::Pending);
    }
    return decide(preparation, work).phase;
  }

  void sort_by_phase() {
    for (int node = 0; node < facts_.graph.size(); ++node) by_phase_[at(fact(node).phase)].push_back(node);
  }

  void assess_phase(TaskPhase phase, TaskRecovery& recovery) {
    const PhaseState& state = states_[at(phase)];
    PhaseCounts counts{.phase = phase, .tasks = state.tasks, .restart = state.restart};
    bool has_verify = false;
    for (const int node : by_phase_[at(phase)]) {
      recovery.decisions.push_back(decision_of(node));
      has_verify = has_verify || recovery.decisions.back().decision == Decision::Verify;
      count_in(counts, fact(node), recovery.decisions.back());
    }
    PhaseSituation situation = state.tasks == 0 ? situation_of_empty(phase) : PhaseSituation{};
    situation.work = work_of(state, has_verify);
    situation.upstream_moving = state.upstream;
    situation.awaits_delivery = phase == TaskPhase::P8 && !delivered_ && !facts_.tasks.empty() && all_done_;
    const PhaseRow& row = decide(situation);
    counts.standing = row.standing;
    counts.rule = row.label;
    counts.reason = row.reason;
    all_done_ = all_done_ && is_behind(row.standing);
    const bool has_own = state.tasks == 0 || (situation.awaits_delivery && situation.work == PhaseWork::Completed);
    if (has_own) recovery.decisions.push_back(decision_of(counts));
    recovery.phases.push_back(counts);
  }

  static bool is_behind(PhaseStanding standing) {
    return standing == PhaseStanding::Completed || standing == PhaseStanding::Passed;
  }

  static PhaseWork work_of(const PhaseState& state, bool has_verify) {
    if (state.tasks == 0) return PhaseWork::None;
    if (state.moving == state.tasks) return PhaseWork::Unfinished;
    if (state.moving > 0) return PhaseWork::Mixed;
    return has_verify ? PhaseWork::Unverified : PhaseWork::Completed;
  }

  static void count_in(PhaseCounts& counts, const TaskFact& task, const TaskDecision& decision) {
    switch (task.work) {
      case TaskWork::Failed: ++counts.failed; return;
      case TaskWork::InProgress: ++counts.in_progress; return;
      case TaskWork::Unreadable:
      case TaskWork::Unknown:
      case TaskWork::Pending: ++counts.pending; return;
      case TaskWork::Completed: break;
    }
    const bool is_kept = decision.decision == Decision::Keep;
    ++(task.is_suspect && !is_kept             ? counts.suspect
       : !task.stale_files.empty() && !is_kept ? counts.stale
                                               : counts.completed);
  }

  TaskSituation situation_of(int node) const {
    const TaskFact& task = fact(node);
    const PhaseState& phase = states_[at(task.phase)];
    return {.work = task.work,
            .restart = phase.restart,
            .in_cycle = facts_.graph.is_in_cycle(node),
            .repeats = is_repeated(task.phase),
            .lacks_commit = lacks_commit(task),
            .lacks_output = lacks_output(task),
            .is_suspect = !delivered_ && task.is_suspect,
            .is_stale = !delivered_ && !task.stale_files.empty(),
            .phase_is_doubted = phase_is_doubted(task.phase),
            .is_unproven = !delivered_ && is_unproven(task),
            .upstream_moving = phase.upstream || upstream_[static_cast<std::size_t>(node)],
            .has_partial = !task.outputs.empty() || !task.results.empty()};
  }

  TaskDecision decision_of(int node) const {
    const TaskFact& task = fact(node);
    const TaskRow& row = decide(situation_of(node));
    TaskDecision decision{.phase = task.phase,
                          .task = task.claim->id,
                          .decision = row.decision,
                          .rule = row.label,
                          .reason = row.reason,
                          .evidence = evidence_of(node)};
    decision.detail = detail_of(node, row);
    if (row.decision == Decision::Continue) {
      std::vector<std::string> partial = task.outputs;
      partial.insert(partial.end(), task.results.begin(), task.results.end());
      decision.partial = std::move(partial);
    }
    return decision;
  }

  std::string detail_of(int node, const TaskRow& row) const {
    const TaskFact& task = fact(node);
    if (row.fact == &TaskSituation::lacks_commit) {
      return " (" + listed(task.gone_commits.empty() ? facts_.lost : task.gone_commits) + ")";
    }
    if (row.fact == &TaskSituation::lacks_output) return " (" + listed(task.gone_outputs) + ")";
    if (row.fact == &TaskSituation::is_stale) return " (" + listed(task.stale_files) + ")";
    if (row.fact == &TaskSituation::has_partial) return " (" + partial_of(task) + ")";
    if (row.fact == &TaskSituation::is_suspect) return " (task " + failed_blocker(node) + ")";
    if (row.work == TaskWork::Failed && !task.claim->error.empty())
      return ": " + printable_line(task.claim->error, kShownTextMax);
    if (row.work == TaskWork::Unknown) return " (\"" + printable_line(task.claim->status_word, 60) + "\")";
    return "";
  }

  static std::string partial_of(const TaskFact& task) {
    if (task.results.empty()) return listed(task.outputs);
    return (task.outputs.empty() ? "" : listed(task.outputs) + ", and ") + "results in its metadata";
  }

  std::string failed_blocker(int node) const {
    for (const int blocker : facts_.graph.blockers(node)) {
      if (fact(blocker).work == TaskWork::Failed) return printable_line(fact(blocker).claim->id, 60);
    }
    return "";
  }

  std::vector<Evidence> evidence_of(int node) const {
    const TaskFact& task = fact(node);
    const std::string word =
        task.work == TaskWork::Unreadable ? "cannot be read" : std::string(to_token(status_of(*task.claim)));
    std::vector<Evidence> evidence = {
        {"task", task.claim->file.empty() ? task.claim->id : task.claim->file, word}};
    for (const std::string& path : task.outputs) evidence.push_back({"file", path, "there"});
    for (const std::string& result : task.results)
      evidence.push_back({"result", "metadata", printable_line(result, kShownTextMax)});
    for (const std::string& path : task.gone_outputs) evidence.push_back({"file", path, "missing"});
    for (const std::string& path : task.stale_files)
      evidence.push_back({"file", path, "changed since it was completed"});
    for (const std::string& commit : task.gone_commits)
      evidence.push_back({"commit", commit, "not in this branch"});
    for (const int blocker : facts_.graph.blockers(node)) {
      if (fact(blocker).work == TaskWork::Completed) continue;
      evidence.push_back(
          {"task", fact(blocker).claim->id, std::string(to_token(status_of(*fact(blocker).claim)))});
    }
    return evidence;
  }

  // Of a phase itself: it has no tasks, or they are done and it is not.
  TaskDecision decision_of(const PhaseCounts& phase) const {
    TaskDecision decision{.phase = phase.phase, .rule = phase.rule, .reason = phase.reason};
    decision.decision = is_behind(phase.standing) ? Decision::Keep : Decision::Run;
    const std::string tasks = phase.tasks == 0 ? "no tasks" : std::to_string(phase.tasks) + " tasks";
    decision.evidence.push_back({"phase", std::string(to_token(phase.phase)), tasks});
    if (const ClaimedPhase* signal = facts_.find_signal(phase.phase)) {
      decision.evidence.push_back(
          {"signal", std::string(to_token(phase.phase)), printable_line(signal->text, kShownTextMax)});
    }
    return decision;
  }

  void conclude(TaskRecovery& recovery) const {
    recovery.resume_phase.reset();
    recovery.last_completed.reset();
    for (const PhaseCounts& phase : recovery.phases) {
      if (!is_behind(phase.standing)) {
        recovery.resume_phase = phase.phase;
        break;
      }
      const ClaimedPhase* signal = facts_.find_signal(phase.phase);
      const bool is_known = phase.standing == PhaseStanding::Completed ||
                            (signal != nullptr && signal->signal == PhaseSignal::Passed);
      if (is_known) recovery.last_completed = phase.phase;
    }
    const TaskPhase phase = recovery.resume_phase.value_or(TaskPhase::P8);
    recovery.granularity = &decide(facts_.tier, evidence_of(states_[at(phase)]));
    const auto first = std::ranges::find_if(
        recovery.decisions, [](const TaskDecision& each) { return each.decision != Decision::Keep; });
    recovery.resume_decision.reset();
    if (first != recovery.decisions.end())
      recovery.resume_decision = static_cast<std::size_t>(first - recovery.decisions.begin());
  }

  const TaskSnapshot& seen_;
  const TaskFacts& facts_;
  std::optional<TaskPhase> repeats_;
  bool delivered_ = false;
  bool all_done_ = true;  // while phases are gone through: every one so far
  std::array<PhaseState, kTaskPhases> states_ = {};
  std::array<std::vector<int>, kTaskPhases> by_phase_ = {};
  std::vector<bool> upstream_;  // by node: something that it waits for is not settled
};

}  // namespace

void assess(const TaskSnapshot& snapshot, const TaskFacts& facts, std::optional<TaskPhase> repeats,
            TaskRecovery& recovery) {
  Assessor(snapshot, facts, repeats).assess(recovery);
}

}  // namespace reprise
