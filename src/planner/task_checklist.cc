#include "planner/task_checklist.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

std::string number_of(int count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

class Checker {
 public:
  Checker(const TaskSnapshot& snapshot, const TaskRecovery& recovery, const TaskReportState& state)
      : seen_(snapshot), recovery_(recovery), state_(state), repair_("reprise repair " + shell_quote(id())) {}

  ChecklistItem all_tasks() const {
    const int damaged = count("damaged_task");
    ChecklistItem item{.text = "TaskList -- retrieve all tasks in the session", .is_passed = damaged == 0};
    item.outcome = number_of(recovery_.counts.total, "work task", "work tasks") + " in list " +
                   printable_line(seen_.claims.list, 100);
    if (damaged > 0) item.outcome += ", " + std::to_string(damaged) + " of them not readable";
    if (damaged > 0) item.route = "Task Status Contradictions: " + repair_;
    return item;
  }

  ChecklistItem permanent_found() const {
    ChecklistItem item{.text = "Find [PERMANENT] task by subject prefix", .is_passed = recovery_.has_permanent};
    item.outcome = recovery_.has_permanent ? "task " + printable_line(seen_.claims.permanent->id, 60) : "none";
    if (!recovery_.has_permanent) item.route = "No PERMANENT Task Found: " + repair_;
    return item;
  }

  ChecklistItem permanent_read() const {
    ChecklistItem item{.text = "TaskGet PT -- extract current_phase, tier, branch, references"};
    item.is_passed = recovery_.has_permanent && count("permanent_corrupted") == 0;
    item.outcome = permanent_words();
    if (!recovery_.has_permanent) item.route = "No PERMANENT Task Found: " + repair_;
    if (recovery_.has_permanent && !item.is_passed) item.route = "PT Phase Ahead of Actual Progress: " + repair_;
    return item;
  }

  ChecklistItem categorized() const {
    const int unknown = count("status_unknown") + count("damaged_task");
    ChecklistItem item{.text = "Categorize work tasks: completed / in_progress / pending / failed"};
    item.is_passed = unknown == 0;
    const TaskCounts& counts = recovery_.counts;
    item.outcome = std::to_string(counts.completed) + " / " + std::to_string(counts.in_progress) + " / " +
                   std::to_string(counts.pending) + " / " + std::to_string(counts.failed);
    if (unknown > 0)
      item.outcome += ", of them " + std::to_string(unknown) + " pending for want of a known status";
    if (unknown > 0) item.route = "Task Status Contradictions: they are taken as not done";
    return item;
  }

  ChecklistItem branch() const {
    ChecklistItem item{.text = "Check git branch matches PT expectations"};
    item.is_passed = recovery_.branch->outcome != BranchOutcome::Ask;
    item.outcome = recovery_.branch->reason;
    if (recovery_.branch->outcome == BranchOutcome::CannotTell) item.outcome += ", so it cannot be told";
    if (!item.is_passed) item.route = "Branch Mismatch: confirm the current branch or switch";
    return item;
  }

  ChecklistItem changes() const {
    const int unexpected = warnings("uncommitted_changes");
    ChecklistItem item{.text = "Check git status for uncommitted changes", .is_passed = unexpected == 0};
    const int all = static_cast<int>(seen_.git.dirty.size());
    item.outcome = !seen_.git.has_repository ? "there is no git repository"
                   : all == 0                ? "clean"
                                             : number_of(all, "changed file", "changed files");
    if (unexpected > 0) item.outcome += ", not all of them of tasks";
    if (unexpected > 0) item.route = "Branch Mismatch: review the changes before going on";
    return item;
  }

  ChecklistItem compaction() const {
    return {.text = "Detect compaction (check if session context was summarized)",
            .is_passed = true,
            .outcome = "nothing is taken from memory; all of this was read from tasks, git and files",
            .route = ""};
  }

  ChecklistItem resume_point() const {
    ChecklistItem item{.text = "Identify resume point: first non-completed phase"};
    item.is_passed = recovery_.resume_phase || recovery_.readiness == Readiness::Done;
    item.outcome = recovery_.resume_phase                   ? std::string(to_token(*recovery_.resume_phase))
                   : recovery_.readiness == Readiness::Done ? "none: the pipeline is delivered"
                                                            : "none: " + first_blocking();
    if (!item.is_passed) item.route = "to the user, with what blocks";
    return item;
  }

  ChecklistItem contradictions() const {
    const int found = static_cast<int>(recovery_.contradictions.size());
    const auto open = std::ranges::count(recovery_.contradictions, false, &Contradiction::is_resolved);
    ChecklistItem item{.text = "Check for task status contradictions and resolve", .is_passed = open == 0};
    item.outcome = found == 0 ? "none" : number_of(found, "contradiction", "contradictions");
    if (found > 0) item.outcome += open == 0 ? ", each resolved" : ", " + std::to_string(open) + " unresolved";
    if (open > 0) item.route = "Unresolvable state contradictions: to the user, for manual resolution";
    return item;
  }

  ChecklistItem context() const {
    int to_do = 0;
    int partial = 0;
    for (const TaskDecision& decision : recovery_.decisions) {
      const bool is_left = decision.task.empty() || decision.decision == Decision::Keep;
      if (is_left || decision.decision == Decision::Refuse) continue;
      ++to_do;
      if (decision.decision == Decision::Continue) ++partial;
    }
    ChecklistItem item{.text = "Build resume context for agents: PT + task descriptions + any partial output"};
    item.is_passed = recovery_.has_permanent && count("damaged_task") == 0;
    item.outcome = number_of(to_do, "task", "tasks") + " with permanent task and description, " +
                   std::to_string(partial) + " of them with partial output";
    if (!item.is_passed)
      item.route = recovery_.has_permanent ? "Task Status Contradictions: " + repair_
                                           : "No PERMANENT Task Found: " + repair_;
    return item;
  }

  // A plan and the report of a resume are made before anything is started.
  ChecklistItem respawned() const {
    ChecklistItem item = context();
    item.text = "Agents re-spawned with sufficient context to continue";
    if (!item.is_passed) return item;
    item.is_passed = false;
    item.outcome = "nothing is started yet; " + item.outcome;
    return item;
  }

  ChecklistItem presented() const {
    return {
        .text = "Present reconstructed state to user before acting",
        .is_passed = state_.is_presented,
        .outcome = state_.is_presented ? "shown before anything was done" : "to be shown before anything is done",
        .route = ""};
  }

  ChecklistItem updated() const {
    ChecklistItem item{.text = "Update PT metadata: resume_count++, current_phase = resume point"};
    item.is_passed = state_.is_updated;
    if (!recovery_.update) {
      item.outcome = "nothing to write: there is nothing to resume";
      return item;
    }
    item.outcome = std::string(state_.is_updated ? "written" : "to be written on resume") + ": resume_count " +
                   std::to_string(recovery_.update->resume_count) + ", current_phase " +
                   std::string(to_token(recovery_.update->current_phase));
    if (recovery_.update->branch) item.outcome += ", branch " + printable_line(*recovery_.update->branch, 100);
    return item;
  }

 private:
  std::string id() const { return "task-pipeline/" + seen_.claims.list; }

  int count(std::string_view code) const {
    return static_cast<int>(std::ranges::count(recovery_.findings, code, &Finding::code));
  }
  int warnings(std::string_view code) const {
    return static_cast<int>(std::ranges::count_if(recovery_.findings, [&](const Finding& finding) {
      return finding.code == code && finding.severity != Severity::Info;
    }));
  }
  std::string first_blocking() const {
    return recovery_.findings.empty() ? "" : recovery_.findings.front().message;
  }

  std::string permanent_words() const {
    if (!recovery_.has_permanent) return "nothing to read";
    const PermanentTask& permanent = *seen_.claims.permanent;
    const std::string phase = permanent.current_phase ? std::string(to_token(*permanent.current_phase)) + " (" +
                                                            std::string(to_token(permanent.source)) + ")"
                                                      : std::string("none");
    return "current_phase " + phase + ", tier " + std::string(to_token(recovery_.tier)) +
           (recovery_.tier_is_assumed ? " (assumed)" : "") + ", branch " +
           (permanent.branch.empty() ? "none" : printable_line(permanent.branch, 100)) + ", " +
           number_of(static_cast<int>(permanent.references.size()), "reference", "references");
  }

  const TaskSnapshot& seen_;
  const TaskRecovery& recovery_;
  const TaskReportState& state_;
  std::string repair_;
};

ChecklistItem renamed(ChecklistItem item, std::string_view text) {
  item.text = text;
  return item;
}

}  // namespace

std::vector<ChecklistItem> task_checklist(const TaskSnapshot& snapshot, const TaskRecovery& recovery,
                                          const TaskReportState& state) {
  const Checker checker(snapshot, recovery, state);
  return {checker.all_tasks(),      checker.permanent_found(), checker.permanent_read(), checker.categorized(),
          checker.branch(),         checker.changes(),         checker.compaction(),     checker.resume_point(),
          checker.contradictions(), checker.context(),         checker.presented(),      checker.updated()};
}

std::vector<ChecklistItem> task_quality_gate(const TaskSnapshot& snapshot, const TaskRecovery& recovery,
                                             const TaskReportState& state) {
  const Checker checker(snapshot, recovery, state);
  return {
      renamed(checker.permanent_read(), "PERMANENT Task found and context extracted"),
      renamed(checker.categorized(), "All task statuses accurately determined"),
      renamed(checker.resume_point(), "Resume point identified with clear rationale"),
      renamed(checker.branch(), "Git branch state validated"),
      renamed(checker.contradictions(), "No task status contradictions (or contradictions explicitly resolved)"),
      checker.respawned(),
      renamed(checker.presented(), "User informed of resume strategy before execution begins")};
}

}  // namespace reprise
