#include "cli/plan_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

constexpr std::size_t kKeptShownMax = 12;
constexpr int kMarkWidth = 8;      // the longest decision
constexpr int kStepWidthMax = 40;  // wider steps have their reason below them
constexpr int kStepWidthMin = 8;   // where there is less room, all have
constexpr int kReasonWidthMin = 24;

int colour_of(Decision decision) {
  switch (decision) {
    case Decision::Keep: return 32;
    case Decision::Wait:
    case Decision::Verify: return 33;
    case Decision::Refuse: return 31;
    default: return 36;
  }
}

int colour_of(Severity severity) {
  return severity == Severity::Blocking ? 31 : severity == Severity::Warning ? 33 : 2;
}

// Whether a remedy can be pasted; others are advice.
bool is_command(std::string_view remedy) {
  constexpr std::string_view kPrograms[] = {"reprise", "git", "${EDITOR:-vi}", "mv", "rm", "cat", "chmod"};
  return std::ranges::find(kPrograms, remedy.substr(0, remedy.find(' '))) != std::end(kPrograms);
}

std::string money(double usd) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, usd, std::chars_format::fixed, 2);
  return end.ec == std::errc() ? "$" + std::string(text, end.ptr) : "";
}

// Makes the text of one plan, part by part.
class PlanWriter {
 public:
  PlanWriter(const PlanLayout& layout, const Plan& plan) : layout_(layout), plan_(plan) {}

  std::string write(bool with_options) {
    add_headline();
    add_findings();
    add_waiting();
    add_decisions();
    add_conclusion();
    if (with_options) add_options();
    return std::move(out_);
  }

 private:
  std::string colour(std::string_view text, int code) const {
    return layout_.has_colour ? "\x1b[" + std::to_string(code) + "m" + std::string(text) + "\x1b[0m"
                              : std::string(text);
  }

  void add(std::string_view text, int indent) { out_ += wrapped(text, layout_.width, indent) + "\n"; }

  void add_headline() {
    std::string line =
        colour(printable_line(plan_.id.shown(), 200), 1) + ": " + std::string(words_for(plan_.readiness));
    const std::string trust = trust_of(plan_);
    const bool is_open = plan_.readiness != Readiness::Done && plan_.readiness != Readiness::Fresh &&
                         plan_.readiness != Readiness::Blocked;
    if (is_open || trust != "clean") line += ", " + trust;
    if (plan_.age.count() > 0) line += ", last activity " + to_text(plan_.age) + " ago";
    add(line, 2);
  }

  void add_findings() {
    for (const Severity severity : {Severity::Blocking, Severity::Warning, Severity::Info}) {
      for (const Finding& finding : plan_.findings) {
        if (finding.severity == severity) add_finding(finding);
      }
    }
  }

  void add_finding(const Finding& finding) {
    add(colour(to_token(finding.severity), colour_of(finding.severity)) + ": " +
            printable_line(finding.message, 600) + " [" + finding.code + "]",
        2);
    if (layout_.is_verbose && !finding.claimed.empty()) {
      add("    recorded  " + printable_line(finding.claimed, 200), 14);
      add("    found     " + printable_line(finding.seen, 200), 14);
    }
    if (finding.remedy.empty()) return;
    const std::string remedy = printable_line(finding.remedy, 400);
    if (is_command(remedy)) {
      out_ += "    " + remedy + "\n";
    } else {
      add("  way out: " + remedy, 4);
    }
  }

  void add_waiting() {
    for (const Waiting& waiting : plan_.waiting_for) {
      add(colour("waits for", 1) + " " + waiting.kind + " " + printable_line(waiting.name, 80) + ": " +
              printable_line(waiting.ask, 400),
          2);
    }
  }

  // How wide the column of the steps is; 0 if the reasons have to stand below them.
  int step_width() const {
    const int room = std::min(kStepWidthMax, layout_.width - 2 - kMarkWidth - 3 - kReasonWidthMin);
    if (room < kStepWidthMin) return 0;
    int widest = 4;
    for (const StepDecision& decision : plan_.decisions) {
      const int takes = columns_of(printable_line(decision.step.text, 200));
      if (takes <= room) widest = std::max(widest, takes);
    }
    return widest;
  }

  void add_decisions() {
    const int widest = step_width();
    std::size_t kept = 0;
    std::size_t hidden = 0;
    for (const StepDecision& decision : plan_.decisions) {
      if (decision.decision == Decision::Keep && ++kept > kKeptShownMax && !layout_.is_verbose) {
        ++hidden;
        continue;
      }
      add_decision(decision, widest);
    }
    if (hidden > 0) add("  … and " + std::to_string(hidden) + " more that are kept (--verbose shows them)", 4);
  }

  void add_decision(const StepDecision& decision, int widest) {
    const std::string step = printable_line(decision.step.text, 200);
    const std::string reason = printable_line(decision.reason(), 400);
    const std::string mark =
        "  " + colour(padded(to_token(decision.decision), kMarkWidth), colour_of(decision.decision));
    const bool is_below = columns_of(step) > widest;
    const int column = 2 + kMarkWidth + 1 + (is_below ? 0 : widest + 2);
    if (is_below) {
      out_ += mark + " " + step + "\n";
      if (!reason.empty()) add(indented(column, reason), column);
    } else {
      // Words are put in behind the columns, whose spaces are not for breaking lines at.
      const std::string text = wrapped(indented(column, reason), layout_.width, column);
      out_ += mark + " " + padded(step, widest) + "  " +
              text.substr(std::min(text.size(), static_cast<std::size_t>(column))) + "\n";
    }
    if (layout_.is_verbose) add_evidence(decision);
  }

  static std::string indented(int columns, std::string_view text) {
    return std::string(static_cast<std::size_t>(columns), ' ') + std::string(text);
  }

  void add_evidence(const StepDecision& decision) {
    constexpr int kIndent = 2 + kMarkWidth + 1;
    for (const Evidence& evidence : decision.evidence()) {
      add(indented(kIndent, evidence.kind + " " + printable_line(evidence.subject, 200) + ": " +
                                printable_line(evidence.seen, 400)),
          kIndent + 2);
    }
  }

  void add_conclusion() {
    if (plan_.resume_point) {
      std::string line = "resume point: " + printable_line(plan_.decisions[*plan_.resume_point].step.text, 200);
      if (plan_.iteration) line += ", iteration " + std::to_string(*plan_.iteration);
      add(line, 2);
    }
    if (plan_.saved_steps > 0) {
      std::string line =
          "saved: " + std::to_string(plan_.saved_steps) + " step(s), " + to_text(plan_.saved_time) + " of work";
      if (plan_.saved_usd > 0) line += ", " + money(plan_.saved_usd);
      add(line, 2);
    }
    if (plan_.again_steps > 0) {
      std::string line = "again: " + std::to_string(plan_.again_steps) + " step(s)";
      if (plan_.again_time >= std::chrono::seconds(1)) line += ", " + to_text(plan_.again_time) + " of work";
      if (plan_.again_usd > 0) line += ", " + money(plan_.again_usd);
      add(line, 2);
    }
  }

  void add_options() {
    for (const PlanOption& option : plan_.options)
      out_ += "  " + padded(option.action, kMarkWidth) + " " + printable_line(option.command, 400) + "\n";
  }

  const PlanLayout& layout_;
  const Plan& plan_;
  std::string out_;
};

}  // namespace

PlanLayout layout_for(const Cli& cli) {
  return {.width = cli.width(), .has_colour = cli.has_colour(), .is_verbose = cli.is_verbose()};
}

std::string_view words_for(Readiness readiness) {
  switch (readiness) {
    case Readiness::Ready: return "ready to resume";
    case Readiness::Confirm: return "resumable once confirmed";
    case Readiness::Wait: return "waits for you";
    case Readiness::Blocked: return "blocked";
    case Readiness::Fresh: return "cannot be resumed, only started anew";
    case Readiness::Done: return "done";
  }
  return "";
}

std::string trust_of(const Plan& plan) {
  const auto conflicts = std::ranges::count(plan.findings, Severity::Blocking, &Finding::severity);
  const auto warnings = std::ranges::count(plan.findings, Severity::Warning, &Finding::severity);
  std::string text;
  if (conflicts > 0) text = count_of(static_cast<std::size_t>(conflicts), "conflict");
  if (warnings > 0) text += (text.empty() ? "" : ", ") + count_of(static_cast<std::size_t>(warnings), "warning");
  return text.empty() ? "clean" : text;
}

std::string plan_text(const PlanLayout& layout, const Plan& plan) { return PlanWriter(layout, plan).write(true); }
std::string plan_text(const Cli& cli, const Plan& plan) { return plan_text(layout_for(cli), plan); }

std::string plan_text_without_options(const PlanLayout& layout, const Plan& plan) {
  return PlanWriter(layout, plan).write(false);
}

std::string why_text(const PlanLayout& layout, const StepDecision& decision) {
  const std::string step = printable_line(decision.step.text, 200);
  std::string out = (layout.has_colour ? "\x1b[1m" + step + "\x1b[0m" : step) + ": " +
                    std::string(to_token(decision.decision)) + "\n";
  const auto add = [&](std::string_view field, const std::string& text) {
    out += wrapped("  " + padded(field, 9) + " " + text, layout.width, 12) + "\n";
  };
  add("reason", printable_line(decision.reason(), 1000));
  add("rule", std::string(decision.rule));
  const std::vector<Evidence> evidence = decision.evidence();
  for (const Evidence& seen : evidence)
    add("evidence", seen.kind + " " + printable_line(seen.subject, 200) + ": " + printable_line(seen.seen, 400));
  if (evidence.empty()) add("evidence", "none");
  return out;
}

std::string why_text(const Cli& cli, const StepDecision& decision) { return why_text(layout_for(cli), decision); }

}  // namespace reprise
