#include "app/resume_choice.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kChangesShownMax = 20;

// The rules by which finished work does not count any more; the others say how unfinished work goes on.
constexpr std::array<std::string_view, 18> kInvalidating = {
    "WF-14 missing",       "WF-15 redefined",     "WF-16 inputs verify",
    "WF-17 inputs",        "WF-18 upstream",      "WF-19 artifact verify",
    "PB-03 missing",       "PB-05 constitution",  "PB-10 verify",
    "PB-10 passed verify", "OR-07 remake",        "OR-07 upstream",
    "OR-07 spec gone",     "OR-03 epic set back", "TP-13 commit",
    "TP-14 output",        "TP-11 no evidence",   "TP-19 stale"};

bool is_old(const Plan& plan) { return plan.age >= std::chrono::hours(24); }

std::size_t count_of(const Plan& plan, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(plan.findings, severity, &Finding::severity));
}

std::string line_of(const Finding& finding) {
  return std::string(to_token(finding.severity)) + ": " + printable_line(finding.message, 600) + " [" +
         finding.code + "]";
}

// What a person would see of it in a list.
void note_change(std::string_view what, const std::string& was, const std::string& is,
                 std::vector<std::string>& out) {
  if (was == is) return;
  const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : printable_line(text, 100); };
  out.push_back(std::string(what) + ": was " + shown(was) + ", is " + shown(is));
}

std::string number_of(const std::optional<int>& number) { return number ? std::to_string(*number) : ""; }

// What counts of a finding: two that differ only in an age are the same.
std::map<std::string, std::size_t> codes_of(const Plan& plan) {
  std::map<std::string, std::size_t> codes;
  for (const Finding& finding : plan.findings) {
    if (finding.code != "old_state") ++codes[std::string(to_token(finding.severity)) + " " + finding.code];
  }
  return codes;
}

std::string words_of(const StepDecision* decision) {
  return decision == nullptr ? "not there" : std::string(to_token(decision->decision));
}

}  // namespace

std::vector<Candidate> open_work(const std::vector<Candidate>& found) {
  std::vector<Candidate> open;
  for (const Candidate& candidate : found) {
    if (candidate.resumable && candidate.status != RunStatus::Running) open.push_back(candidate);
  }
  return open;
}

std::optional<ResumeChoice> choose_latest(std::span<const Candidate> open) {
  if (open.empty()) return std::nullopt;
  const auto is_covered = [&](const Candidate& candidate) {
    return std::ranges::any_of(open,
                               [&](const Candidate& other) { return other.id.text == candidate.covered_by; });
  };
  const auto newest = std::ranges::max_element(open, [&](const Candidate& a, const Candidate& b) {
    if (is_covered(a) != is_covered(b)) return is_covered(a);
    return a.updated_at < b.updated_at;
  });
  ResumeChoice choice{.index = static_cast<std::size_t>(newest - open.begin()), .why = {}, .passed_over = {}};
  if (open.size() == 1) {
    choice.why = "it is the only interrupted work";
    return choice;
  }
  choice.why = "of " + std::to_string(open.size()) + " it was active last, " + to_text(newest->age) + " ago";
  for (const Candidate& other : open) {
    if (&other == &*newest) continue;
    std::string why = "its last activity is longer ago, " + to_text(other.age);
    if (other.updated_at == newest->updated_at) why = "active at the same time, but further down in the list";
    if (is_covered(other)) why = printable_line(other.covered_by, 100) + " covers it";
    choice.passed_over.push_back({other.id, std::move(why)});
  }
  return choice;
}

std::vector<std::string> words_for(const ResumeChoice& choice, std::span<const Candidate> open) {
  std::vector<std::string> words = {"autopilot chose " + printable_line(open[choice.index].id.shown(), 200) +
                                    ": " + choice.why};
  for (const PassedOver& other : choice.passed_over)
    words.push_back("autopilot passed over " + printable_line(other.id.shown(), 200) + ": " + other.why);
  return words;
}

AutopilotDecision decide_as_autopilot(const Plan& plan) {
  const std::size_t conflicts = count_of(plan, Severity::Blocking);
  const std::size_t warnings = count_of(plan, Severity::Warning);
  const std::string id = printable_line(plan.id.shown(), 200);
  AutopilotDecision decision;
  if (conflicts > 0 || plan.readiness == Readiness::Blocked) {
    decision.course = AutopilotCourse::Halt;
    decision.words = {"autopilot halts at " + id + ": " +
                      (conflicts > 0 ? count_of(conflicts, "conflict") : "nothing can go on without a person")};
  } else if (warnings > 0 || is_old(plan)) {
    decision.course = AutopilotCourse::WithWarnings;
    std::string why = warnings > 0 ? count_of(warnings, "warning") : "";
    if (is_old(plan)) why += (why.empty() ? "" : ", ") + ("the state is " + to_text(plan.age) + " old");
    decision.words = {"autopilot resumes " + id + " with a warning: " + why};
  } else {
    decision.words = {"autopilot resumes " + id + " at once: the state is clean and " +
                      (plan.age.count() > 0 ? to_text(plan.age) + " old" : "new")};
  }
  for (const Finding& finding : plan.findings) {
    if (finding.severity != Severity::Info || (finding.code == "old_state" && is_old(plan)))
      decision.words.push_back(line_of(finding));
  }
  return decision;
}

std::string validation_of(const Plan& plan) {
  const std::size_t conflicts = count_of(plan, Severity::Blocking);
  const std::size_t warnings = count_of(plan, Severity::Warning);
  std::string text = conflicts > 0 ? count_of(conflicts, "conflict") : "";
  if (warnings > 0) text += (text.empty() ? "" : ", ") + count_of(warnings, "warning");
  return text.empty() ? "clean" : text;
}

std::vector<std::string> risks_of(const Plan& plan) {
  std::vector<std::string> risks;
  for (const Finding& finding : plan.findings) risks.push_back(line_of(finding));
  for (const StepDecision& decision : plan.decisions) {
    const std::string reason = ": " + printable_line(decision.reason(), 400);
    if (is_invalidated(decision)) {
      risks.push_back("finished work is not kept as it is, " + decision.step.text + reason);
    } else if (decision.decision == Decision::Continue || decision.decision == Decision::Rerun) {
      risks.push_back("it was begun before, " + decision.step.text + reason);
    } else if (decision.decision == Decision::Refuse) {
      risks.push_back("it will not be done, " + decision.step.text + reason);
    }
  }
  for (const Waiting& waiting : plan.waiting_for) {
    risks.push_back("it stops until a person decides, " + waiting.kind + " " + printable_line(waiting.name, 80) +
                    ": " + printable_line(waiting.ask, 400));
  }
  return risks;
}

bool is_invalidated(const StepDecision& decision) {
  if (decision.decision != Decision::Rerun && decision.decision != Decision::Verify) return false;
  return std::ranges::find(kInvalidating, decision.rule) != kInvalidating.end();
}

bool is_partial(const Plan& plan) {
  const bool keeps =
      std::ranges::find(plan.decisions, Decision::Keep, &StepDecision::decision) != plan.decisions.end();
  return keeps && std::ranges::any_of(plan.decisions, is_invalidated);
}

std::vector<std::string> changes_of(const Candidate& shown, const Candidate& now) {
  std::vector<std::string> out;
  note_change("status", std::string(to_token(shown.status)), std::string(to_token(now.status)), out);
  note_change("what its state says", shown.native_status, now.native_status, out);
  note_change("stage", shown.stage, now.stage, out);
  note_change("iteration", number_of(shown.iteration), number_of(now.iteration), out);
  note_change("last activity", to_text(shown.updated_at), to_text(now.updated_at), out);
  note_change("state file", shown.state_file, now.state_file, out);
  if (shown.damaged != now.damaged)
    out.emplace_back(now.damaged ? "its state can no longer be read" : "its state can be read again");
  return out;
}

std::vector<std::string> changes_of(const Plan& shown, const Plan& now) {
  std::vector<std::string> out;
  note_change("readiness", std::string(to_token(shown.readiness)), std::string(to_token(now.readiness)), out);
  std::map<std::string_view, const StepDecision*> before;
  for (const StepDecision& decision : shown.decisions) before[decision.step.text] = &decision;
  std::map<std::string_view, const StepDecision*> after;
  for (const StepDecision& decision : now.decisions) {
    after[decision.step.text] = &decision;
    const auto was = before.find(decision.step.text);
    const StepDecision* old = was == before.end() ? nullptr : was->second;
    if (old != nullptr && old->decision == decision.decision && old->rule == decision.rule) continue;
    out.push_back("step " + decision.step.text + ": was " + words_of(old) + ", is " + words_of(&decision) + ": " +
                  printable_line(decision.reason(), 300));
  }
  for (const auto& [step, decision] : before) {
    if (!after.contains(step)) out.push_back("step " + std::string(step) + ": is not there any more");
  }
  const std::map<std::string, std::size_t> found = codes_of(now);
  const std::map<std::string, std::size_t> known = codes_of(shown);
  for (const auto& [code, number] : found) {
    const auto old = known.find(code);
    if (old == known.end() || old->second < number) out.push_back("new: " + code);
  }
  for (const auto& [code, number] : known) {
    const auto is = found.find(code);
    if (is == found.end() || is->second < number) out.push_back("no longer there: " + code);
  }
  if (out.size() > kChangesShownMax) {
    const std::size_t more = out.size() - kChangesShownMax;
    out.resize(kChangesShownMax);
    out.push_back("and " + std::to_string(more) + " more");
  }
  return out;
}

}  // namespace reprise
