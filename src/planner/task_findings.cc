#include "planner/task_findings.h"

#include <algorithm>
#include <unordered_set>

#include "base/strings.h"
#include "planner/shown.h"
#include "planner/task_facts.h"
#include "planner/task_rules.h"

namespace reprise {
namespace {

std::string token(TaskPhase phase) { return std::string(to_token(phase)); }

int open_tasks(const PhaseCounts& phase) { return phase.failed + phase.in_progress + phase.pending; }

// What the permanent task says, beside what the tasks show.
class PermanentFinder {
 public:
  PermanentFinder(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                  TaskFindings& findings)
      : seen_(snapshot), facts_(facts), recovery_(recovery), findings_(findings), permanent_(*facts.permanent) {}

  void find() {
    find_duplicates();
    find_tier();
    find_delivery();
    if (facts_.tasks.empty() && !facts_.is_rebuilt && recovery_.found_phase &&
        facts_.claimed.value_or(TaskPhase::P0) > TaskPhase::P0) {
      find_corrupted();
      return;
    }
    find_pointer();
    for (const PhaseCounts& phase : recovery_.phases) find_signal(phase);
  }

 private:
  const TaskClaim* find_claim(const std::string& id) const {
    const auto found = std::ranges::find_if(
        seen_.claims.tasks, [&](const TaskClaim& task) { return task.is_permanent && task.id == id; });
    return found == seen_.claims.tasks.end() ? nullptr : &*found;
  }

  void find_duplicates() {
    for (const std::string& id : permanent_.duplicates) {
      const TaskClaim* claim = find_claim(id);
      const bool is_closed =
          claim != nullptr && claim->status == TaskStatus::Completed && claim->reason == "duplicate";
      findings_.add("duplicate_permanent",
                    "task " + printable_line(id, 60) + " is a permanent task too; task " +
                        printable_line(permanent_.id, 60) + " is used",
                    is_closed ? Severity::Info : Severity::Warning);
    }
  }

  void find_tier() {
    if (permanent_.tier) return;
    if (permanent_.tier_word.empty()) {
      findings_.add("tier_absent", "the permanent task names no tier; it is taken as COMPLEX");
      return;
    }
    findings_.add("tier_unknown", "the permanent task names a tier that is not known: \"" +
                                      printable_line(permanent_.tier_word, 60) + "\"; it is taken as COMPLEX");
  }

  void find_delivery() {
    const bool is_over = facts_.tasks.empty() || facts_.is_all_completed;
    if (permanent_.is_delivered && !is_over) {
      findings_.add("delivered_but_open", "the pipeline is said to be delivered, but " +
                                              std::to_string(open_in_list()) + " of its tasks are not completed");
    }
    const TaskClaim* claim = find_claim(permanent_.id);
    if (!permanent_.is_delivered && claim != nullptr && claim->status == TaskStatus::Completed) {
      findings_.add("permanent_completed",
                    "the permanent task is completed, but nothing says that it was committed");
    }
    if (facts_.is_all_completed && recovery_.found_phase == TaskPhase::P8) {
      findings_.add("not_delivered",
                    "all tasks are completed, but the pipeline is not delivered; it goes on with P8");
    }
  }

  int open_in_list() const {
    return recovery_.counts.in_progress + recovery_.counts.pending + recovery_.counts.failed;
  }

  void find_corrupted() {
    Finding& found = findings_.add("permanent_corrupted", "the permanent task is at " + token(*facts_.claimed) +
                                                              ", but there is not a single work task");
    found.claimed = token(*facts_.claimed);
    found.seen = "no work tasks";
    found.remedy = findings_.repair();
  }

  void find_pointer() {
    if (!facts_.claimed || permanent_.source == PhaseSource::WorkTasks ||
        permanent_.source == PhaseSource::Assumed) {
      const TaskPhase phase = facts_.claimed ? *facts_.claimed : recovery_.found_phase.value_or(TaskPhase::P0);
      findings_.add("phase_inferred",
                    "the permanent task names no current phase; by its tasks it is " + token(phase));
    }
    if (!facts_.claimed || !recovery_.found_phase) return;
    if (!is_on_path(facts_.tier, *facts_.claimed)) {
      findings_.add("phase_off_path", "the permanent task is at " + token(*facts_.claimed) + ", which " +
                                          std::string(to_token(facts_.tier)) + " does not go through");
    }
    if (const std::optional<TaskPhase> open = first_open_before(*facts_.claimed)) {
      Finding& found = findings_.add("permanent_ahead", "the permanent task is at " + token(*facts_.claimed) +
                                                            ", but by its tasks it is at " + token(*open));
      found.claimed = token(*facts_.claimed);
      found.seen = token(*open);
    } else if (*facts_.claimed < *recovery_.found_phase) {
      findings_.add("permanent_behind", "the permanent task is at " + token(*facts_.claimed) +
                                            ", but by its tasks it is at " + token(*recovery_.found_phase));
    }
  }

  // The first phase before `claimed` that was not done by what the tasks say; that something of it is in doubt, or
  // is to be repeated, does not mean that the permanent task was wrong.
  std::optional<TaskPhase> first_open_before(TaskPhase claimed) const {
    for (const PhaseCounts& phase : recovery_.phases) {
      if (phase.phase >= claimed) break;
      const bool is_missing = phase.tasks == 0 && phase.standing == PhaseStanding::NotStarted &&
                              phase.rule != kFromRule && phase.rule != kLaterRule;
      if (open_tasks(phase) > 0 || is_missing) return phase.phase;
    }
    return std::nullopt;
  }

  void find_signal(const PhaseCounts& phase) {
    const ClaimedPhase* signal = facts_.find_signal(phase.phase);
    if (signal == nullptr || phase.tasks == 0 || !recovery_.found_phase) return;
    const std::string says = "the permanent task says \"" + printable_line(signal->text, 80) + "\" of phase " +
                             token(phase.phase) + ", but ";
    const bool is_done = open_tasks(phase) == 0;
    if (signal->signal == PhaseSignal::Passed && !is_done) {
      findings_.add("signal_ahead", says + std::to_string(open_tasks(phase)) + " of its tasks are not completed");
    } else if (signal->signal == PhaseSignal::Failed && is_done) {
      findings_.add("signal_failed", says + "all of its tasks are completed");
    } else if (signal->signal != PhaseSignal::Passed && signal->signal != PhaseSignal::Unknown && is_done) {
      findings_.add("signal_behind", says + "all of its tasks are completed");
    }
  }

  const TaskSnapshot& seen_;
  const TaskFacts& facts_;
  const TaskRecovery& recovery_;
  TaskFindings& findings_;
  const PermanentTask& permanent_;
};

// Branch, uncommitted changes, commits.
class GitFinder {
 public:
  GitFinder(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
            TaskFindings& findings)
      : seen_(snapshot), git_(snapshot.git), facts_(facts), recovery_(recovery), findings_(findings) {}

  void find() {
    find_branch();
    find_changes();
    find_commits();
  }

 private:
  void find_branch() {
    const std::string reason(recovery_.branch->reason);
    if (recovery_.branch->outcome == BranchOutcome::Matches) return;
    if (recovery_.branch->outcome == BranchOutcome::CannotTell) {
      findings_.add("branch_unknown", reason + ", so it cannot be told whether the branch is right");
      return;
    }
    const std::string current = git_.branch.empty() ? "(no branch)" : git_.branch;
    Finding& found = findings_.add("branch_mismatch", reason + ": the permanent task expects " +
                                                          printable_line(facts_.permanent->branch, 120) +
                                                          ", checked out is " + printable_line(current, 120));
    found.claimed = facts_.permanent->branch;
    found.seen = current;
    if (recovery_.branch->outcome == BranchOutcome::Ask) found.remedy = findings_.accept("branch_mismatch");
  }

  // Changes in files that a started task names are the pipeline's own; others were made by somebody. So may those
  // be that are newer than everything that the list says.
  void find_changes() {
    std::unordered_set<std::string_view> own;
    for (const TaskFact& task : facts_.tasks) {
      if (task.work == TaskWork::Pending) continue;
      own.insert(task.claim->files.begin(), task.claim->files.end());
      own.insert(task.claim->outputs.begin(), task.claim->outputs.end());
      for (const auto& [path, hash] : task.claim->hashes) own.insert(path);
    }
    int known = 0;
    for (const std::string& path : git_.dirty) {
      if (own.contains(path) || is_folder_of(path, own)) {
        is_edited_since(path) ? add_edited(path) : static_cast<void>(++known);
        continue;
      }
      Finding& found = findings_.add("uncommitted_changes", printable_line(path, 160) +
                                                                " has uncommitted changes, and no task that was "
                                                                "started names it; review it before going on");
      found.seen = path;
      found.remedy = "git diff HEAD -- " + shell_quote(path);
    }
    if (known == 0) return;
    findings_.add("pipeline_changes", std::to_string(known) + " files of tasks have uncommitted changes");
  }

  // git names a new folder, not what is in it.
  static bool is_folder_of(const std::string& path, const std::unordered_set<std::string_view>& own) {
    return path.ends_with('/') &&
           std::ranges::any_of(own, [&](std::string_view each) { return each.starts_with(path); });
  }
  // A completed task's file is for its own rule (TP-19), and a new file is what a task makes.
  bool is_edited_since(const std::string& path) const {
    const auto file = seen_.files.find(path);
    if (file == seen_.files.end() || git_.untracked.contains(path)) return false;
    const bool is_stale = std::ranges::any_of(facts_.tasks, [&](const TaskFact& task) {
      return std::ranges::find(task.stale_files, path) != task.stale_files.end();
    });
    return !is_stale && file->second.modified.ms / 1'000 > seen_.claims.updated_at.ms / 1'000;
  }
  void add_edited(const std::string& path) {
    Finding& found = findings_.add("uncommitted_changes",
                                   printable_line(path, 160) +
                                       " was changed after the list's last activity, by an unfinished task or by "
                                       "hand; review it before going on");
    found.seen = path;
    found.remedy = "git diff HEAD -- " + shell_quote(path);
  }

  void find_commits() {
    for (const std::string& commit : facts_.lost) {
      const std::string phase =
          facts_.lost_from ? ", so phase " + token(*facts_.lost_from) + " is incomplete" : "";
      findings_.add("commits_missing",
                    "commit " + printable_line(commit, 60) + ", which the permanent task names, is gone" + phase);
    }
    int recorded = 0;
    int unknown = 0;
    const auto look = [&](const std::string& commit) {
      ++recorded;
      if (!git_.commits.contains(commit)) ++unknown;
    };
    if (facts_.permanent != nullptr) std::ranges::for_each(facts_.permanent->commits, look);
    for (const TaskFact& task : facts_.tasks) std::ranges::for_each(task.claim->commits, look);
    if (recorded == 0) {
      findings_.add("commits_not_recorded",
                    "no commits are recorded, so it cannot be told whether one is missing" + ahead());
    } else if (unknown > 0) {
      findings_.add("commits_unknown", std::to_string(unknown) + " recorded commits could not be looked up");
    }
  }

  std::string ahead() const {
    if (!git_.ahead_of_base) return "";
    const std::string base = git_.default_branch.empty() ? "its base" : printable_line(git_.default_branch, 120);
    return "; the branch has " + std::to_string(*git_.ahead_of_base) + " commits that " + base + " has not";
  }

  const TaskSnapshot& seen_;
  const TaskGitSeen& git_;
  const TaskFacts& facts_;
  const TaskRecovery& recovery_;
  TaskFindings& findings_;
};

void find_override(const TaskSnapshot& snapshot, const TaskRecovery& recovery, TaskFindings& findings) {
  const OverrideRow& row = *recovery.override_row;
  if (row.code.empty()) return;
  const std::string found = recovery.found_phase ? token(*recovery.found_phase) : std::string("none");
  Finding& finding =
      findings.add(row.code, "to go on from \"" + printable_line(snapshot.from, 60) +
                                 "\": " + std::string(row.reason) + "; by the tasks it goes on with " + found);
  finding.claimed = snapshot.from;
  finding.seen = found;
  if (row.outcome != OverrideOutcome::Refuse || !recovery.found_phase) return;
  finding.remedy = "reprise resume " + shell_quote("task-pipeline/" + snapshot.claims.list) + " --from " + found;
}

}  // namespace

TaskFindings::TaskFindings(const TaskSnapshot& snapshot)
    : seen_(snapshot), id_(shell_quote("task-pipeline/" + snapshot.claims.list)) {}

Finding& TaskFindings::add(std::string_view code, std::string message, std::optional<Severity> severity) {
  const TaskFindingRow& row = task_finding(code);
  auto place = counts_.find(code);
  if (place == counts_.end()) place = counts_.emplace(code, Count()).first;
  const Severity is = severity.value_or(row.severity);
  if (++place->second.all <= kListedMax) return list(row, std::move(message), is);
  place->second.worst = std::min(place->second.worst, is);  // Blocking is the least
  return dropped_ = {};
}

Finding& TaskFindings::list(const TaskFindingRow& row, std::string message, Severity severity) {
  list_.push_back({.rule = std::string(row.rule),
                   .code = std::string(row.code),
                   .severity = severity,
                   .message = std::move(message),
                   .claimed = "",
                   .seen = "",
                   .remedy = ""});
  return list_.back();
}

void TaskFindings::finish(TaskRecovery& recovery) {
  for (const auto& [code, count] : counts_) {
    if (count.all <= kListedMax) continue;
    list(task_finding(code), std::to_string(count.all - kListedMax) + " more like these", count.worst);
  }
  for (Finding& finding : list_) {
    const bool can_accept = finding.severity == Severity::Warning || finding.code == "branch_mismatch";
    const bool is_accepted = can_accept && seen_.accepted.contains(finding.code);
    if (is_accepted) {
      finding.severity = Severity::Info;
      finding.message += " (accepted)";
    }
    const TaskFindingRow& row = task_finding(finding.code);
    if (row.resolution.empty()) continue;
    recovery.contradictions.push_back({.code = finding.code,
                                       .message = finding.message,
                                       .resolution = is_accepted ? "a person accepted it" : row.resolution,
                                       .is_resolved = finding.severity != Severity::Blocking});
  }
  for (const Severity severity : {Severity::Blocking, Severity::Warning, Severity::Info}) {
    for (Finding& finding : list_) {
      if (finding.severity == severity) recovery.findings.push_back(std::move(finding));
    }
  }
  list_.clear();
}

std::string TaskFindings::repair() const { return "reprise repair " + id_; }
std::string TaskFindings::accept(std::string_view code) const {
  return "reprise accept " + id_ + " " + std::string(code) + " --because TEXT";
}

void find_about_permanent(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                          TaskFindings& findings) {
  if (facts.permanent != nullptr) {
    PermanentFinder(snapshot, facts, recovery, findings).find();
    return;
  }
  findings.add("no_pt_found", "the list has no permanent task, so there is nothing to resume from").remedy =
      findings.repair();
}

void find_about_git(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                    TaskFindings& findings) {
  if (recovery.found_phase) GitFinder(snapshot, facts, recovery, findings).find();
}

void find_about_resume(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
                       TaskFindings& findings) {
  find_override(snapshot, recovery, findings);
  for (const TaskDecision& decision : recovery.decisions) {
    if (decision.rule != kUnprovenRule) continue;
    findings.add("unproven_task", "task " + printable_line(decision.task, 60) +
                                      " is completed, but no file or commit shows it, and the pipeline was "
                                      "resumed before");
  }
  if (recovery.advice != nullptr && recovery.found_phase) {
    Finding& found = findings.add(
        "repeated_resumes", "the pipeline was resumed " + std::to_string(facts.permanent->resume_count) +
                                " times, and its runs end in " + token(recovery.dies_in.value_or(TaskPhase::P0)) +
                                "; recommended: " + std::string(to_token(recovery.advice->advice)) + ": " +
                                std::string(recovery.advice->reason));
    found.rule = recovery.advice->label;
  }
  for (const Oddity& oddity : snapshot.claims.oddities) {
    findings.add("not_understood", printable_line(oddity.text, 120) + ": " + printable_line(oddity.why, 200));
  }
  const Duration age = snapshot.now - snapshot.claims.updated_at;
  if (age >= std::chrono::hours(24)) findings.add("old_state", "the last activity was " + to_text(age) + " ago");
}

}  // namespace reprise
