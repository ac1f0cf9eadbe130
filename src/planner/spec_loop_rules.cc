#include "planner/spec_loop_rules.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/check.h"
#include "base/strings.h"
#include "model/clocks.h"
#include "planner/row_fit.h"
#include "planner/shown.h"

namespace reprise {
namespace {

bool has_trace(const SpecLoopClaims& claims) {
  return claims.iteration.number.value_or(0) > 1 || !claims.history.empty() ||
         std::ranges::any_of(claims.gaps,
                             [](const ClaimedGap& gap) { return gap.status == GapStatus::Resolved; }) ||
         std::ranges::any_of(claims.questions, [](const ClaimedQuestion& question) {
           return question.applied || question.status == QuestionStatus::Answered || !question.answer.empty();
         });
}

// An answer counts even if its question is no longer listed: nothing that a person said is dropped.
bool has_unapplied_answer(const SpecLoopClaims& claims) {
  std::unordered_set<std::string_view> listed;
  for (const ClaimedQuestion& question : claims.questions) {
    listed.insert(question.id);
    if (question.has_unapplied_answer()) return true;
  }
  return std::ranges::any_of(claims.answers, [&](const ClaimedAnswer& answer) {
    return !answer.applied && !listed.contains(answer.question);
  });
}

bool is_ended(LoopStatus status) { return status == LoopStatus::Completed || status == LoopStatus::Terminated; }

// Whether the spec was written by the time the loop had this status.
bool needs_spec(LoopStatus status) {
  return status == LoopStatus::Validating || status == LoopStatus::Clarifying || status == LoopStatus::Completed;
}

class SpecLoopPlanner {
 public:
  explicit SpecLoopPlanner(const SpecLoopSnapshot& snapshot)
      : seen_(snapshot), claims_(snapshot.claims), row_(decide(situation_of(snapshot))) {}

  Plan make() {
    plan_.id = {"spec-loop/" + seen_.subject};
    id_ = shell_quote(plan_.id.shown());
    plan_.source_file = seen_.state_file;
    last_ = claims_.last_activity ? claims_.last_activity->time : seen_.file_time;
    plan_.age = seen_.index_exists ? std::max(Duration(0), seen_.now - last_) : Duration(0);
    decide_phases();
    find_questions();
    find_faults();
    find_differences();
    find_oddities();
    find_end_and_age();
    conclude();
    return std::move(plan_);
  }

 private:
  // Phases before the one where the loop goes on are kept, those behind it are still to come.
  void decide_phases() {
    const auto here = std::ranges::find(kLoopPhases, row_.phase, &LoopPhase::name);
    for (auto phase = kLoopPhases.begin(); phase != kLoopPhases.end(); ++phase) {
      StepDecision decision{.stage = std::string(phase->name), .step = {std::string(phase->name)}};
      if (phase == here || row_.phase.empty()) {
        decision.decision = row_.decision;
        decision.rule = row_.label;
        decision.ground = row_.reason;
      } else if (phase < here) {
        decision.decision = Decision::Keep;
        decision.rule = kLoopPassedLabel;
        decision.ground = "the loop has gone past it";
      } else {
        decision.decision = Decision::Run;
        decision.rule = kLoopAheadLabel;
        decision.ground = "it comes after the point where the loop stopped";
      }
      if (decision.decision == Decision::Keep) ++plan_.saved_steps;
      add_evidence(decision);
      plan_.decisions.push_back(std::move(decision));
    }
    if (!row_.phase.empty()) here_ = static_cast<std::size_t>(here - kLoopPhases.begin());
  }

  void add_evidence(StepDecision& decision) const {
    decision.seen.edit().push_back({"file", seen_.state_file, status_seen()});
    if (decision.stage == "A1") {
      decision.seen.edit().push_back(
          {"file", "specs/" + seen_.subject, seen_.directory_exists ? "there" : "missing"});
      decision.seen.edit().push_back({"branch", branch(), seen_.branch_exists ? "there" : "missing"});
    }
    if (decision.stage == "A2") decision.seen.edit().push_back({"file", seen_.spec_file, spec_seen()});
    const bool counts = decision.stage == "A5" || decision.stage == "B3" || decision.stage == "A3";
    if (counts && seen_.index_exists) decision.seen.edit().push_back({"file", seen_.state_file, traces_seen()});
  }

  std::string status_seen() const {
    if (!seen_.index_exists) return "missing";
    if (!seen_.unreadable.empty()) return printable_line(seen_.unreadable, kShownTextMax);
    if (claims_.status == LoopStatus::Missing) return "no loop status";
    std::string words = "line " + std::to_string(claims_.status_line) + ": loop status ";
    words +=
        claims_.status == LoopStatus::Unknown ? quoted_line(claims_.status_written) : to_token(claims_.status);
    if (claims_.iteration.number) words += ", iteration " + std::to_string(*claims_.iteration.number);
    return words;
  }
  std::string spec_seen() const {
    if (!seen_.spec_exists) return "missing";
    return seen_.spec_is_filled ? "there" : "there, as its template has it";
  }
  std::string traces_seen() const {
    const auto resolved = std::ranges::count(claims_.gaps, GapStatus::Resolved, &ClaimedGap::status);
    return std::to_string(claims_.gaps.size()) + " gaps, " + std::to_string(resolved) + " resolved, " +
           std::to_string(claims_.history.size()) + " history rows";
  }
  std::string branch() const { return claims_.branch.empty() ? seen_.subject : claims_.branch; }

  void find(std::string_view rule, std::string_view code, Severity severity, std::string message) {
    plan_.findings.push_back({.rule = std::string(rule),
                              .code = std::string(code),
                              .severity = severity,
                              .message = std::move(message),
                              .claimed = "",
                              .seen = "",
                              .remedy = ""});
  }
  Finding& last_finding() { return plan_.findings.back(); }

  // Open questions hold the loop where they are asked or their answers applied; elsewhere it gets to them later.
  void find_questions() {
    if (is_ended(claims_.status)) return;
    std::vector<Waiting> open;
    std::set<std::string_view> listed;
    for (const ClaimedQuestion& question : claims_.questions) {
      if (!question.is_open() || question.has_unapplied_answer() || !listed.insert(question.id).second) continue;
      std::string ask = printable_line(question.question, 300);
      if (ask.empty()) ask = "question " + printable_line(question.id, kShownTextMax);
      if (!question.options.empty()) ask += " (" + printable_line(question.options, kShownTextMax) + ")";
      open.push_back({"question", question.id, std::move(ask)});
      if (question.status == QuestionStatus::Answered)
        find("SL-03", "answer_missing", Severity::Info,
             "line " + std::to_string(question.line) + ": question " + printable_line(question.id, kShownTextMax) +
                 " is called answered, but its answer is not recorded");
    }
    if (!open.empty() && row_.phase != "B1" && !row_.phase.empty())
      find("SL-03", "questions_open", Severity::Info,
           count_of(open.size(), "question") + " without an answer" +
               (row_.phase == "B2" ? "" : "; asked again after " + std::string(row_.phase)));
    if (row_.readiness == Readiness::Wait) plan_.waiting_for = std::move(open);
  }

  void find_faults() {
    if (!seen_.unreadable.empty()) {
      find("SL-09", "unreadable", Severity::Blocking,
           "the index cannot be read: " + printable_line(seen_.unreadable, kShownTextMax));
    }
    const Severity severity = is_ended(claims_.status) ? Severity::Warning : Severity::Blocking;
    for (const LoopFault& fault : claims_.faults) {
      find("SL-09", "integrity", severity,
           "line " + std::to_string(fault.line) + ": " + printable_line(fault.wrong, kShownTextMax) +
               "; allowed: " + fault.allowed);
      last_finding().claimed = printable_line(fault.text, kShownTextMax);
      if (seen_.is_repairable && severity == Severity::Blocking) last_finding().remedy = "reprise repair " + id_;
    }
  }

  void find_differences() {
    if (!claims_.feature.empty() && claims_.feature != seen_.subject) {
      find("SL-01", "name_differs", Severity::Warning,
           "the index is about " + quoted_line(claims_.feature) + ", its directory is " +
               quoted_line(seen_.subject));
      last_finding().claimed = claims_.feature;
      last_finding().seen = seen_.subject;
    }
    find_spec_difference();
    if (!claims_.branch.empty() && !seen_.branch_exists)
      differs("branch_missing", line_of(claims_.find_field("branch")), "branch " + claims_.branch,
              "there is no such branch");
    find_document_differences();
    find_pointer_differences();
  }

  void find_spec_difference() {
    if (!needs_spec(claims_.status) || (seen_.spec_exists && seen_.spec_is_filled)) return;
    find("ALL-03", seen_.spec_exists ? "spec_unfilled" : "spec_missing", Severity::Warning,
         "the loop status is " + std::string(to_token(claims_.status)) + ", but " +
             printable_line(seen_.spec_file, kShownTextMax) +
             (seen_.spec_exists ? " is still its template" : " is not there"));
    last_finding().claimed = to_token(claims_.status);
    last_finding().seen = spec_seen();
    last_finding().remedy = "reprise resume " + id_ + " --from A2";
  }

  void find_document_differences() {
    for (const ClaimedDocument& each : claims_.documents) {
      if (each.document != "spec.md") continue;
      if (each.status == "present" && !seen_.spec_exists)
        differs("document_differs", each.line, "spec.md is present", "it is not there");
      if (each.status == "absent" && seen_.spec_exists)
        differs("document_differs", each.line, "spec.md is absent", "it is there");
    }
  }

  // Places that say the same thing again, and may have been left behind.
  void find_pointer_differences() {
    for (const ClaimedWorkflow& each : claims_.workflows) {
      const bool is_specify = each.workflow == "specify" || each.workflow.empty();
      if (is_specify && each.status == "completed" && claims_.status != LoopStatus::Completed)
        differs("pointer_differs", each.line, "the workflow is completed", "the loop status is another");
    }
    const ClaimedField* pending = claims_.find_loop_field("pending_clarifications");
    if (pending == nullptr) return;
    const std::size_t digits = std::min(pending->value.find_first_not_of("0123456789"), pending->value.size());
    const std::optional<long long> number = parse_number(pending->value.substr(0, digits), 1'000'000);
    const auto open = std::ranges::count_if(claims_.questions, &ClaimedQuestion::is_open);
    if (number && *number != open)
      differs("pointer_differs", pending->line, std::to_string(*number) + " pending clarifications",
              std::to_string(open) + " questions are open");
  }

  static int line_of(const ClaimedField* field) { return field == nullptr ? 0 : field->line; }

  void differs(std::string_view code, int line, std::string claimed, std::string seen) {
    find("ALL-03", code, Severity::Info,
         "line " + std::to_string(line) + " says " + quoted_line(claimed) + ", but " + seen);
    last_finding().claimed = printable_line(claimed, kShownTextMax);
    last_finding().seen = std::move(seen);
  }

  void find_oddities() {
    list("not_understood", claims_.oddities);
    list("template_not_filled", claims_.unfilled);
  }

  void list(std::string_view code, const std::vector<Oddity>& oddities) {
    for (std::size_t i = 0; i < oddities.size() && i < kListedMax; ++i) {
      find("ALL-03", code, Severity::Info,
           "line " + std::to_string(oddities[i].line) + ": " + quoted_line(oddities[i].text) + ": " +
               printable_line(oddities[i].why, kShownTextMax));
    }
    if (oddities.size() > kListedMax)
      find("ALL-03", code, Severity::Info, std::to_string(oddities.size() - kListedMax) + " more like these");
  }

  void find_end_and_age() {
    if (is_ended(claims_.status)) {
      const std::string reason = claims_.termination_reason.empty()
                                     ? "no reason is given"
                                     : printable_line(claims_.termination_reason, 100);
      find("SL-03", "ended", Severity::Info,
           "the loop is " + std::string(to_token(claims_.status)) + ": " + reason);
      last_finding().claimed = claims_.termination_reason;
    } else if (seen_.index_exists && last_ > seen_.now + kClockSlack) {
      find("OR-05", "time_in_future", Severity::Info, "its last activity is still to come: " + to_text(last_));
    } else if (plan_.age >= std::chrono::hours(24)) {
      find("OR-05", "old_state", Severity::Info, "the last activity was " + to_text(plan_.age) + " ago");
      last_finding().seen = to_text(seen_.now - plan_.age);
    }
  }

  void conclude() {
    plan_.readiness = readiness();
    const bool open = plan_.readiness == Readiness::Ready || plan_.readiness == Readiness::Confirm ||
                      plan_.readiness == Readiness::Wait;
    if (open) {
      plan_.resume_point = here_;
      if (row_.phase.starts_with('B') && claims_.iteration.number)
        plan_.iteration = static_cast<int>(std::min(*claims_.iteration.number, kLoopIterationsMax));
    }
    add_options(open);
  }

  Readiness readiness() const {
    const auto has = [&](Severity severity) {
      return std::ranges::find(plan_.findings, severity, &Finding::severity) != plan_.findings.end();
    };
    if (has(Severity::Blocking)) return Readiness::Blocked;
    return row_.readiness == Readiness::Ready && has(Severity::Warning) ? Readiness::Confirm : row_.readiness;
  }

  void add_options(bool open) {
    const auto offer = [&](std::string action, std::string command) {
      plan_.options.push_back({std::move(action), std::move(command)});
    };
    if (open) offer("resume", "reprise resume " + id_);
    if (open) {
      for (const Waiting& waiting : plan_.waiting_for)
        offer("answer", "reprise answer " + id_ + " " + shell_quote(waiting.name) + " TEXT");
    }
    for (const Finding& finding : plan_.findings) {
      if (finding.rule == "ALL-03" && !finding.remedy.empty()) offer("from", finding.remedy);
    }
    if (plan_.readiness == Readiness::Blocked && seen_.is_repairable) offer("repair", "reprise repair " + id_);
    if (plan_.readiness == Readiness::Blocked) offer("manual", "reprise plan " + id_);
    if (row_.decision == Decision::Run && row_.readiness == Readiness::Fresh) {
      offer("fresh", "reprise run spec-loop " + shell_quote(seen_.subject));
    } else if (plan_.readiness != Readiness::Done) {
      offer("fresh", "reprise fresh " + id_);
    }
  }

  const SpecLoopSnapshot& seen_;
  const SpecLoopClaims& claims_;
  const LoopRow& row_;
  std::string id_;  // as a word of a shell
  std::optional<std::size_t> here_;
  Timestamp last_;  // activity
  Plan plan_;
};

}  // namespace

bool fits(const LoopRow& row, const LoopSituation& s) {
  return row.index == s.index && fits(row.place, s.place) && fits(row.status, s.status) &&
         fits(row.spec, s.spec) && fits(row.questions, s.questions) && fits(row.answers, s.answers) &&
         fits(row.trace, s.trace);
}

const LoopRow& decide(const LoopSituation& situation) {
  for (const LoopRow& row : kSpecLoopRows) {
    if (fits(row, situation)) return row;
  }
  check_failed("every situation of a spec loop has a row");
}

LoopSituation situation_of(const SpecLoopSnapshot& snapshot) {
  const SpecLoopClaims& claims = snapshot.claims;
  const bool exists = snapshot.directory_exists || snapshot.branch_exists;
  const bool asks = std::ranges::any_of(claims.questions, [](const ClaimedQuestion& question) {
    return question.is_open() && !question.has_unapplied_answer();
  });
  return {.index = snapshot.index_exists ? LoopIndex::Present : LoopIndex::Absent,
          .place = exists ? LoopPlace::Existing : LoopPlace::New,
          .status = claims.status,
          .spec = snapshot.spec_exists ? LoopSpec::Exists : LoopSpec::Missing,
          .questions = asks ? LoopQuestions::Open : LoopQuestions::None,
          .answers = has_unapplied_answer(claims) ? LoopAnswers::Received : LoopAnswers::None,
          .trace = has_trace(claims) ? LoopTrace::Seen : LoopTrace::None};
}

Plan plan_spec_loop(const SpecLoopSnapshot& snapshot) { return SpecLoopPlanner(snapshot).make(); }

}  // namespace reprise
