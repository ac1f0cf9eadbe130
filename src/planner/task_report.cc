#include "planner/task_report.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kDecisionsMax = 100;  // shown in the rationale
constexpr std::size_t kLineMax = 400;

std::string word(std::string_view token) { return std::string(token); }
std::string phase_or_none(const std::optional<TaskPhase>& phase) {
  return phase ? word(to_token(*phase)) + " (" + word(phase_name(*phase)) + ")" : std::string("none");
}

// A double-quoted YAML scalar.
std::string yaml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable_line(text, kLineMax)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Text within a line of Markdown: nothing in it becomes markup that hides or moves other text.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : printable_line(text, kLineMax)) {
    if (c == '<' || c == '`' || c == '[' || c == ']' || c == '*' || c == '|' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string line_of(const ChecklistItem& item) {
  std::string line =
      (item.is_passed ? "[x] " : "[ ] ") + word(item.text) + ": " + printable_line(item.outcome, kLineMax);
  if (!item.route.empty()) line += " => " + printable_line(item.route, kLineMax);
  return line + "\n";
}

class Writer {
 public:
  Writer(const TaskSnapshot& snapshot, const TaskRecovery& recovery, const TaskReportState& state)
      : seen_(snapshot), recovery_(recovery), state_(state) {}

  std::string write() {
    const PermanentTask* permanent = seen_.claims.permanent ? &*seen_.claims.permanent : nullptr;
    out_ = "# Recovery report: " + plain(permanent == nullptr ? seen_.claims.list : permanent->feature) + "\n";
    write_summary();
    write_matrix();
    write_rationale();
    write_contradictions();
    write_findings();
    write_branch();
    section("Quality gate");
    for (const ChecklistItem& item : task_quality_gate(seen_, recovery_, state_)) out_ += "- " + line_of(item);
    section("Checklist");
    out_ += "```\nResume Checklist:\n";
    for (const ChecklistItem& item : task_checklist(seen_, recovery_, state_)) out_ += line_of(item);
    out_ += "```\n";
    return std::move(out_);
  }

 private:
  void section(std::string_view title) { out_ += "\n## " + word(title) + "\n\n"; }
  void bullet(std::string_view name, const std::string& text) { out_ += "- " + word(name) + ": " + text + "\n"; }

  void write_summary() {
    section("Recovery summary");
    const TaskCounts& counts = recovery_.counts;
    bullet("List", plain(seen_.claims.list));
    if (seen_.claims.permanent) write_permanent(*seen_.claims.permanent);
    if (!seen_.claims.permanent) bullet("Permanent task", "none");
    bullet("Tier", word(to_token(recovery_.tier)) + (recovery_.tier_is_assumed ? " (none is recorded)" : ""));
    bullet("Last completed phase", phase_or_none(recovery_.last_completed));
    bullet("Resume phase", phase_or_none(recovery_.resume_phase));
    bullet("Work tasks", std::to_string(counts.completed) + " of " + std::to_string(counts.total) +
                             " completed, " + std::to_string(counts.in_progress) + " in progress, " +
                             std::to_string(counts.pending) + " pending, " + std::to_string(counts.failed) +
                             " failed" + doubted(counts));
    bullet("Readiness", word(to_token(recovery_.readiness)));
  }

  static std::string doubted(const TaskCounts& counts) {
    std::string text;
    if (counts.stale > 0) text += ", " + std::to_string(counts.stale) + " stale";
    if (counts.suspect > 0) text += ", " + std::to_string(counts.suspect) + " suspect";
    return text;
  }

  void write_permanent(const PermanentTask& permanent) {
    const std::string phase = permanent.current_phase ? word(to_token(*permanent.current_phase)) + " by " +
                                                            word(to_token(permanent.source))
                                                      : std::string("none");
    bullet("Permanent task", plain(permanent.id) + ", current phase " + phase + ", resumed " +
                                 std::to_string(permanent.resume_count) + " times before");
    for (const std::string& decision : permanent.decisions) bullet("Decision", plain(decision));
  }

  void write_matrix() {
    section("Phase matrix");
    out_ += "| Phase | Tasks | Completed | Failed | Pending | In progress | Stale | Suspect | Standing |\n";
    out_ += "|-------|-------|-----------|--------|---------|-------------|-------|---------|----------|\n";
    for (const PhaseCounts& phase : recovery_.phases) {
      out_ += "| " + word(to_token(phase.phase));
      for (const int count : {phase.tasks, phase.completed, phase.failed, phase.pending, phase.in_progress,
                              phase.stale, phase.suspect}) {
        out_ += " | " + std::to_string(count);
      }
      out_ += " | " + word(to_token(phase.standing)) + " |\n";
    }
  }

  void write_rationale() {
    section("Resume rationale");
    const std::optional<TaskPhase> resume = recovery_.resume_phase;
    for (const PhaseCounts& phase : recovery_.phases) {
      if (phase.phase == resume)
        bullet("Resume at " + word(to_token(phase.phase)), reason(phase.reason, phase.rule));
    }
    if (!resume)
      bullet("Resume",
             recovery_.readiness == Readiness::Done ? "nothing is left to do" : "not possible, see the findings");
    bullet("Granularity", word(to_token(recovery_.granularity->granularity)) + "-level, " +
                              reason(recovery_.granularity->reason, recovery_.granularity->label));
    bullet("Reconstruction", word(to_token(recovery_.depth->depth)) + ", " +
                                 reason(recovery_.depth->reason, recovery_.depth->label));
    bullet("Resume count", reason(recovery_.resume_count->reason, recovery_.resume_count->label));
    if (recovery_.advice != nullptr) {
      bullet("Advice", word(to_token(recovery_.advice->advice)) + ", for runs end in " +
                           phase_or_none(recovery_.dies_in) + ": " +
                           reason(recovery_.advice->reason, recovery_.advice->label));
    }
    if (recovery_.override_row->place != OverridePlace::None) {
      bullet("User's phase " + plain(seen_.from),
             reason(recovery_.override_row->reason, recovery_.override_row->label));
    }
    write_decisions();
  }

  static std::string reason(std::string_view text, std::string_view label) {
    return word(text) + " (" + word(label) + ")";
  }

  void write_decisions() {
    std::size_t shown = 0;
    std::size_t kept = 0;
    for (const TaskDecision& decision : recovery_.decisions) {
      if (decision.decision == Decision::Keep) {
        ++kept;
      } else if (++shown <= kDecisionsMax) {
        const std::string path =
            word(to_token(decision.phase)) + (decision.task.empty() ? "" : "/" + decision.task);
        bullet(plain(path), word(to_token(decision.decision)) + ", " + word(decision.reason) +
                                plain(*decision.detail) + " (" + word(decision.rule) + ")");
      }
    }
    if (shown > kDecisionsMax) out_ += "- " + std::to_string(shown - kDecisionsMax) + " more are not kept\n";
    bullet("Kept", std::to_string(kept));
  }

  void write_contradictions() {
    section("Contradictions");
    if (recovery_.contradictions.empty()) out_ += "None.\n";
    for (const Contradiction& each : recovery_.contradictions) {
      out_ += "- " + each.code + ": " + plain(each.message) +
              (each.is_resolved ? ". Resolved: " : ". Unresolved: ") + word(each.resolution) + ".\n";
    }
  }

  void write_findings() {
    section("Other findings");
    bool has_any = false;
    for (const Finding& finding : recovery_.findings) {
      if (!task_finding(finding.code).resolution.empty()) continue;
      has_any = true;
      out_ += "- " + word(to_token(finding.severity)) + ", " + finding.code + ": " + plain(finding.message) + "\n";
    }
    if (!has_any) out_ += "None.\n";
  }

  void write_branch() {
    section("Branch state");
    const TaskGitSeen& git = seen_.git;
    const bool is_expected = seen_.claims.permanent && !seen_.claims.permanent->branch.empty();
    bullet("Expected branch", is_expected ? plain(seen_.claims.permanent->branch) : "not recorded");
    bullet("Current branch", git.branch.empty() ? "none" : plain(git.branch));
    bullet("Outcome", reason(recovery_.branch->reason, recovery_.branch->label));
    bullet("Uncommitted changes", std::to_string(git.dirty.size()));
    const auto gone = std::ranges::count_if(git.commits, [](const auto& commit) { return !commit.second; });
    bullet("Expected commits",
           git.commits.empty() ? "none recorded, cannot tell"
                               : std::to_string(git.commits.size()) + ", of them missing " + std::to_string(gone));
    if (git.ahead_of_base) bullet("Commits since the base", std::to_string(*git.ahead_of_base));
  }

  const TaskSnapshot& seen_;
  const TaskRecovery& recovery_;
  const TaskReportState& state_;
  std::string out_;
};

std::string phase_value(const std::optional<TaskPhase>& phase) {
  return phase ? yaml_quoted(to_token(*phase)) : std::string("\"\"");
}

}  // namespace

std::string task_report_l1(const TaskRecovery& recovery) {
  const TaskCounts& counts = recovery.counts;
  std::string out = "domain: cross-cutting\nskill: pipeline-resume\n";
  if (!recovery.has_permanent) out += "status: no_pt_found\n";
  out += "last_completed_phase: " + phase_value(recovery.last_completed) + "\n";
  out += "resume_phase: " + phase_value(recovery.resume_phase) + "\n";
  out += "total_tasks: " + std::to_string(counts.total) + "\n";
  out += "completed_tasks: " + std::to_string(counts.completed) + "\n";
  out += "in_progress_tasks: " + std::to_string(counts.in_progress) + "\n";
  out += "pending_tasks: " + std::to_string(counts.pending) + "\n";
  out += "failed_tasks: " + std::to_string(counts.failed) + "\n";
  if (counts.stale > 0) out += "stale_tasks: " + std::to_string(counts.stale) + "\n";
  if (counts.suspect > 0) out += "suspect_tasks: " + std::to_string(counts.suspect) + "\n";
  if (recovery.contradictions.empty()) return out + "contradictions: []\n";
  out += "contradictions:\n";
  for (const Contradiction& each : recovery.contradictions)
    out += "  - " + yaml_quoted(each.code + ": " + each.message) + "\n";
  return out;
}

std::string task_report_l2(const TaskSnapshot& snapshot, const TaskRecovery& recovery,
                           const TaskReportState& state) {
  return Writer(snapshot, recovery, state).write();
}

std::string task_report_signal(const TaskRecovery& recovery, std::string_view ref) {
  const std::string tail = "|tasks:" + std::to_string(recovery.counts.completed) + "/" +
                           std::to_string(recovery.counts.total) + "|ref:" + printable_line(ref, 4'000);
  if (recovery.readiness == Readiness::Blocked) return "FAIL|reason:" + recovery.findings.front().code + tail;
  return "PASS|resume:" + (recovery.resume_phase ? word(to_token(*recovery.resume_phase)) : "none") + tail;
}

}  // namespace reprise
