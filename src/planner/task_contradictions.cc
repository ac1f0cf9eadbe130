#include "planner/task_contradictions.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/check.h"
#include "base/strings.h"
#include "planner/task_facts.h"
#include "planner/task_findings.h"
#include "planner/task_rules.h"

namespace reprise {
namespace {

std::string name_of(const TaskClaim& task) { return "task " + printable_line(task.id, 60); }

// What the tasks say of themselves and of each other.
class TaskFinder {
 public:
  TaskFinder(const TaskSnapshot& snapshot, const TaskFacts& facts, const TaskRecovery& recovery,
             TaskFindings& findings)
      : seen_(snapshot), facts_(facts), recovery_(recovery), findings_(findings) {}

  void find() {
    find_cycles();
    for (const std::string_view id : facts_.graph.repeated_ids()) {
      findings_.add("duplicate_id", "more than one task has the id " + printable_line(id, 60));
    }
    for (int node = 0; node < facts_.graph.size(); ++node) {
      find_in(node);
      find_among_blockers(node);
      find_in_decision_facts(fact(node));
    }
    find_edges();
    find_phases();
  }

 private:
  const TaskFact& fact(int node) const { return facts_.tasks[static_cast<std::size_t>(node)]; }

  void find_cycles() {
    for (const std::vector<int>& chain : facts_.graph.cycles()) {
      std::string text;
      for (std::size_t i = 0; i < chain.size() && i < 12; ++i)
        text += printable_line(fact(chain[i]).claim->id, 60) + " -> ";
      if (chain.size() > 12) text += "(" + std::to_string(chain.size() - 12) + " more) -> ";
      const std::string first = printable_line(fact(chain.front()).claim->id, 60);
      const bool is_over =
          std::ranges::all_of(chain, [&](int node) { return fact(node).work == TaskWork::Completed; });
      const Severity severity = is_over ? Severity::Warning : Severity::Blocking;  // over: it holds nothing up
      Finding& found =
          chain.size() == 1
              ? findings_.add("self_block", "task " + first + " blocks itself: " + text + first, severity)
              : findings_.add("blocker_cycle", "tasks wait for each other, each for the next: " + text + first,
                              severity);
      found.remedy = "reprise task get " + shell_quote(fact(chain.front()).claim->id) + " --list " +
                     shell_quote(seen_.claims.list);
    }
  }

  void find_in(int node) {
    const TaskFact& task = fact(node);
    const TaskClaim& claim = *task.claim;
    if (claim.is_damaged) {
      findings_.add("damaged_task", name_of(claim) + " cannot be read" + in_file(claim)).remedy =
          findings_.repair();
      return;
    }
    if (task.work == TaskWork::Unknown) {
      findings_.add("status_unknown", name_of(claim) + " has a status that is not known: \"" +
                                          printable_line(claim.status_word, 60) + "\"");
    }
    if (task.work == TaskWork::Failed &&
        (claim.status == TaskStatus::Completed || to_lower(claim.status_word) == "completed")) {
      findings_.add("completed_with_error",
                    name_of(claim) + " is completed, and has an error: " + printable_line(claim.error, 120));
    }
    if (claim.is_numeric_id) {
      findings_.add("numeric_id", name_of(claim) + " has a number as its id, which hides it from its own tool");
    }
    find_in_phase(task);
    find_in_time(claim, task.work == TaskWork::Completed);
    const std::string_view permanent = facts_.permanent == nullptr ? std::string_view() : facts_.permanent->id;
    if (!claim.parent.empty() && !permanent.empty() && claim.parent != permanent) {
      findings_.add("other_parent", name_of(claim) + " belongs to task " + printable_line(claim.parent, 60) +
                                        ", not to " + printable_line(permanent, 60));
    }
  }

  static std::string in_file(const TaskClaim& claim) {
    return claim.file.empty() ? "" : " (" + printable_line(claim.file, 120) + ")";
  }

  void find_in_phase(const TaskFact& task) {
    const TaskClaim& claim = *task.claim;
    const std::string counts = "; it counts in " + std::string(to_token(task.phase));
    if (task.is_off_path) {
      findings_.add("phase_off_path", name_of(claim) + " is of phase " + std::string(to_token(*claim.phase)) +
                                          ", which " + std::string(to_token(facts_.tier)) +
                                          " does not go through" + counts);
    } else if (!claim.phase && !claim.phase_word.empty()) {
      findings_.add("phase_unknown", name_of(claim) + " names a phase that is not known: \"" +
                                         printable_line(claim.phase_word, 60) + "\"" + counts);
    } else if (!claim.phase) {
      findings_.add("phase_missing", name_of(claim) + " names no phase" + counts);
    }
  }

  void find_in_time(const TaskClaim& claim, bool is_completed) {
    const std::optional<Timestamp> completed = claim.completed_at;
    if (!is_completed || !completed || *completed <= seen_.now) return;
    findings_.add("time_in_future",
                  name_of(claim) + " is said to be completed in the future: " + to_text(*completed));
  }

  void find_among_blockers(int node) {
    const TaskFact& task = fact(node);
    const bool is_completed = task.work == TaskWork::Completed;
    if (!is_completed && task.work != TaskWork::InProgress) return;
    for (const int blocker : facts_.graph.blockers(node)) {
      const TaskFact& before = fact(blocker);
      if (blocker == node) continue;
      if (before.work == TaskWork::Completed) {
        find_backwards(*before.claim, *task.claim, is_completed);
        continue;
      }
      const std::string_view code = !is_completed                     ? "started_early"
                                    : before.work == TaskWork::Failed ? "suspect_task"
                                                                      : "blocker_unfinished";
      findings_.add(code, name_of(*task.claim) + (is_completed ? " is completed" : " is in progress") + ", but " +
                              name_of(*before.claim) + ", which blocks it, is " + word_of(before));
    }
  }

  static std::string word_of(const TaskFact& task) {
    if (task.work == TaskWork::Unreadable) return "not readable";
    return std::string(to_token(status_of(*task.claim)));
  }

  void find_backwards(const TaskClaim& before, const TaskClaim& after, bool is_completed) {
    if (!is_completed || !before.completed_at || !after.completed_at) return;
    if (*after.completed_at >= *before.completed_at) return;
    findings_.add("time_backwards", name_of(after) + " is said to be completed at " +
                                        to_text(*after.completed_at) + ", before " + name_of(before) +
                                        ", which blocks it (" + to_text(*before.completed_at) + ")");
  }

  void find_in_decision_facts(const TaskFact& task) {
    if (task.work != TaskWork::Completed || recovery_.found_phase == std::nullopt) return;
    if (!task.stale_files.empty()) {
      findings_.add("stale_task", name_of(*task.claim) + " is completed, but " +
                                      printable_line(task.stale_files.front(), 120) + more(task.stale_files) +
                                      " was changed since");
    }
    if (!task.gone_outputs.empty()) {
      findings_.add("outputs_missing", name_of(*task.claim) + " is completed, but " +
                                           printable_line(task.gone_outputs.front(), 120) +
                                           more(task.gone_outputs) + ", which it left, is gone");
    }
    for (const std::string& commit : task.gone_commits) {
      findings_.add("commits_missing", "commit " + printable_line(commit, 60) + " of " + name_of(*task.claim) +
                                           " is gone, so phase " + std::string(to_token(task.phase)) +
                                           " is incomplete");
    }
  }

  static std::string more(const std::vector<std::string>& names) {
    return names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
  }

  void find_edges() {
    for (const TaskGraph::OneSided& edge : facts_.graph.one_sided()) {
      const TaskClaim& blocker = *fact(edge.blocker).claim;
      const TaskClaim& dependent = *fact(edge.dependent).claim;
      findings_.add("one_sided_edge", edge.told_by_blocker ? name_of(blocker) + " says that it blocks " +
                                                                 name_of(dependent) + ", which does not say so"
                                                           : name_of(dependent) + " says that it is blocked by " +
                                                                 name_of(blocker) + ", which does not say so");
    }
    long long largest = seen_.claims.high_water_mark;
    for (const TaskClaim& task : seen_.claims.tasks) {
      largest = std::max(largest, parse_number(task.id, 1'000'000'000).value_or(0));
    }
    for (const TaskGraph::Removed& removed : facts_.graph.removed()) {
      if (parse_number(removed.id, 1'000'000'000'000).value_or(0) <= largest) continue;
      findings_.add("blocker_never_given", name_of(*fact(removed.dependent).claim) + " is blocked by task " +
                                               printable_line(removed.id, 60) + ", an id that was never given");
    }
  }

  void find_phases() {
    const PhaseCounts* open = nullptr;
    for (const PhaseCounts& phase : recovery_.phases) {
      const int done = phase.completed + phase.stale + phase.suspect;
      const std::string token(to_token(phase.phase));
      if (phase.failed > 0 && done > 0) {
        findings_.add("phase_conflict", "phase " + token + " has " + std::to_string(done) + " completed and " +
                                            std::to_string(phase.failed) + " failed tasks");
      }
      if (open != nullptr && done + phase.in_progress + phase.failed > 0) {
        findings_.add("phase_out_of_order", "work of phase " + token + " was begun, but phase " +
                                                std::string(to_token(open->phase)) + " is not done");
      }
      const bool has_open = phase.failed + phase.in_progress + phase.pending > 0;
      const bool is_denied = phase.rule == kSignalRule;
      if (open == nullptr && (has_open || is_denied)) open = &phase;
    }
  }

  const TaskSnapshot& seen_;
  const TaskFacts& facts_;
  const TaskRecovery& recovery_;
  TaskFindings& findings_;
};

}  // namespace

void find_contradictions(const TaskSnapshot& snapshot, const TaskFacts& facts, TaskRecovery& recovery) {
  TaskFindings findings(snapshot);
  find_about_permanent(snapshot, facts, recovery, findings);
  find_about_git(snapshot, facts, recovery, findings);
  TaskFinder(snapshot, facts, recovery, findings).find();
  find_about_resume(snapshot, facts, recovery, findings);
  findings.finish(recovery);
}

const TaskFindingRow& task_finding(std::string_view code) {
  const auto found = std::ranges::find(kTaskFindingRows, code, &TaskFindingRow::code);
  check(found != kTaskFindingRows.end());
  return *found;
}

}  // namespace reprise
