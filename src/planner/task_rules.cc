#include "planner/task_rules.h"

#include <algorithm>

#include "base/strings.h"
#include "planner/task_assessor.h"
#include "planner/task_facts.h"

namespace reprise {
namespace {

// Reads "P6", "p6" or the phase's name.
std::optional<TaskPhase> read_phase(std::string_view text) {
  for (const auto& [phase, token] : kTaskPhaseTokens) {
    if (to_upper(trim(text)) == token || to_lower(trim(text)) == phase_name(phase)) return phase;
  }
  return std::nullopt;
}

OverridePlace place_of(std::string_view from, TaskTier tier, std::optional<TaskPhase> found) {
  if (trim(from).empty()) return OverridePlace::None;
  const std::optional<TaskPhase> phase = read_phase(from);
  if (!phase) return OverridePlace::UnknownPhase;
  if (!is_on_path(tier, *phase)) return OverridePlace::NotOnPath;
  if (!found || *phase < *found) return OverridePlace::Earlier;
  return *phase == *found ? OverridePlace::Same : OverridePlace::Later;
}

BranchSeen branch_seen(const TaskGitSeen& git, const PermanentTask* permanent) {
  if (!git.has_repository) return BranchSeen::NoRepository;
  if (git.is_detached || git.branch.empty()) return BranchSeen::Detached;
  return permanent != nullptr && permanent->branch == git.branch ? BranchSeen::Same : BranchSeen::Other;
}

TaskCounts count(const std::vector<PhaseCounts>& phases) {
  TaskCounts counts;
  for (const PhaseCounts& phase : phases) {
    counts.total += phase.tasks;
    counts.completed += phase.completed;
    counts.in_progress += phase.in_progress;
    counts.pending += phase.pending;
    counts.failed += phase.failed;
    counts.stale += phase.stale;
    counts.suspect += phase.suspect;
  }
  return counts;
}

// TP-14: where the runs end, and what is recommended.
void advise(const TaskFacts& facts, TaskRecovery& recovery) {
  if (recovery.resume_count->care != ResumeCare::Advise) return;
  for (const PhaseCounts& phase : recovery.phases) {
    if (!recovery.dies_in && phase.failed + phase.in_progress > 0) recovery.dies_in = phase.phase;
  }
  if (!recovery.dies_in) recovery.dies_in = recovery.found_phase;
  bool has_failed = false;
  bool left_nothing = false;
  for (const TaskFact& task : facts.tasks) {
    if (task.phase != recovery.dies_in) continue;
    has_failed = has_failed || task.work == TaskWork::Failed;
    left_nothing = left_nothing || (task.work == TaskWork::InProgress && task.outputs.empty());
  }
  recovery.advice = &decide_advice(has_failed, left_nothing, recovery.tier == TaskTier::Complex);
}

bool has(const TaskRecovery& recovery, Severity severity) {
  return std::ranges::find(recovery.findings, severity, &Finding::severity) != recovery.findings.end();
}

// D4: whatever blocks leaves no point to go on from, and nothing to be written.
void conclude(const TaskSnapshot& snapshot, TaskRecovery& recovery) {
  if (has(recovery, Severity::Blocking)) {
    recovery.readiness = Readiness::Blocked;
    recovery.resume_phase.reset();
    recovery.resume_decision.reset();
    return;
  }
  if (!recovery.resume_phase) {
    recovery.readiness = Readiness::Done;
    return;
  }
  recovery.readiness = has(recovery, Severity::Warning) ? Readiness::Confirm : Readiness::Ready;
  PermanentUpdate& update = recovery.update.emplace();
  update.current_phase = *recovery.resume_phase;
  update.resume_count = snapshot.claims.permanent->resume_count + 1;
  if (recovery.branch->outcome == BranchOutcome::Confirmed) update.branch = snapshot.git.branch;
}

class TaskPlanMaker {
 public:
  TaskPlanMaker(const TaskSnapshot& snapshot, const TaskRecovery& recovery)
      : seen_(snapshot), recovery_(recovery) {}

  Plan make() {
    plan_.id = {"task-pipeline/" + seen_.claims.list};
    plan_.readiness = recovery_.readiness;
    plan_.findings = recovery_.findings;
    plan_.resume_point = recovery_.resume_decision;
    plan_.source_file = seen_.state_file;
    plan_.age = std::max(Duration(0), seen_.now - seen_.claims.updated_at);
    plan_.decisions.reserve(recovery_.decisions.size());
    for (const TaskDecision& decision : recovery_.decisions) plan_.decisions.push_back(step_of(decision));
    add_options();
    return std::move(plan_);
  }

 private:
  StepDecision step_of(const TaskDecision& decision) {
    const std::string stage(to_token(decision.phase));
    const std::string path = decision.task.empty() ? stage : stage + "/" + path_component(decision.task);
    StepDecision step{.stage = stage, .step = {path}, .decision = decision.decision};
    step.rule = decision.rule;
    step.ground = decision.reason;
    step.detail = decision.detail;
    step.seen = decision.evidence;
    if (decision.decision == Decision::Keep && !decision.task.empty()) ++plan_.saved_steps;
    return step;
  }

  bool has_finding(std::string_view code) const {
    return std::ranges::find(plan_.findings, code, &Finding::code) != plan_.findings.end();
  }
  void offer(std::string action, std::string command) {
    plan_.options.push_back({std::move(action), std::move(command)});
  }

  void add_options() {
    const std::string id = shell_quote(plan_.id.shown());
    const std::string from = seen_.from.empty() ? "" : " --from " + shell_quote(seen_.from);
    if (plan_.resume_point) offer("resume", "reprise resume " + id + from);
    if (recovery_.branch->outcome == BranchOutcome::Ask && has_finding("branch_mismatch")) {
      offer("switch", "git switch " + shell_quote(seen_.claims.permanent->branch));
      offer("accept", "reprise accept " + id + " branch_mismatch --because TEXT");
    }
    if (has_finding("no_pt_found") || has_finding("permanent_corrupted") || has_finding("damaged_task")) {
      offer("repair", "reprise repair " + id);
    }
    if (plan_.readiness == Readiness::Blocked) offer("manual", "reprise plan " + id);
    if (plan_.readiness != Readiness::Done) offer("fresh", "reprise fresh " + id);
  }

  const TaskSnapshot& seen_;
  const TaskRecovery& recovery_;
  Plan plan_;
};

}  // namespace

TaskRecovery recover(const TaskSnapshot& snapshot) {
  const TaskFacts facts(snapshot);
  TaskRecovery recovery;
  recovery.has_permanent = facts.permanent != nullptr;
  recovery.tier = facts.tier;
  recovery.tier_is_assumed = facts.permanent == nullptr || !facts.permanent->tier;
  const std::int64_t resumes = facts.permanent == nullptr ? 0 : facts.permanent->resume_count;
  recovery.resume_count = &decide(resumes);
  recovery.depth = &decide_depth(facts.tier, recovery.resume_count->care != ResumeCare::Standard);
  recovery.branch = &decide(branch_seen(snapshot.git, facts.permanent),
                            facts.permanent != nullptr && !facts.permanent->branch.empty(),
                            snapshot.accepted.contains("branch_mismatch"));
  assess(snapshot, facts, std::nullopt, recovery);
  recovery.found_phase = recovery.resume_phase;
  recovery.override_row = &decide(place_of(snapshot.from, facts.tier, recovery.found_phase));
  if (recovery.override_row->outcome == OverrideOutcome::AcceptWithWarning) {
    assess(snapshot, facts, read_phase(snapshot.from), recovery);
  }
  recovery.counts = count(recovery.phases);
  advise(facts, recovery);
  find_contradictions(snapshot, facts, recovery);
  conclude(snapshot, recovery);
  return recovery;
}

Plan plan_task_pipeline(const TaskSnapshot& snapshot) { return plan_task_pipeline(snapshot, recover(snapshot)); }

Plan plan_task_pipeline(const TaskSnapshot& snapshot, const TaskRecovery& recovery) {
  return TaskPlanMaker(snapshot, recovery).make();
}

}  // namespace reprise
