#include "cli/resume_text.h"

#include <algorithm>

#include "app/resume_choice.h"
#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

constexpr std::size_t kPhasesShownMax = 12;
constexpr int kWordsMax = 600;

// Lines of text for one terminal: what is long is broken and goes on indented, commands are not.
class Page {
 public:
  explicit Page(const Cli& cli) : cli_(cli) {}

  Page& heading(const std::string& what, const std::string& id) {
    return line(cli_.bold("=== " + what + ": " + printable_line(id, 200) + " ==="), 0);
  }
  Page& title(const std::string& words) { return gap().line(cli_.bold(words), 0); }
  Page& gap() {
    text_ += "\n";
    return *this;
  }
  /// One paragraph whose further lines begin `indent` columns in.
  Page& line(const std::string& words, int indent) {
    text_ += wrapped(words, cli_.width(), indent) + "\n";
    return *this;
  }
  Page& item(const std::string& words) { return line("  - " + words, 4); }
  /// Something to be typed, or words if it is no command.
  Page& command(const std::string& words, int margin) {
    const std::string margin_text(static_cast<std::size_t>(margin), ' ');
    if (!words.starts_with("reprise ") && !words.starts_with("${EDITOR:-vi} "))
      return line(margin_text + words, margin);
    text_ += margin_text + printable_line(words, 1000) + "\n";
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  const Cli& cli_;
  std::string text_;
};

std::string with_agent(const std::string& step, const StepWork& work) {
  return step + (work.agent.empty() ? "" : " -- @" + printable_line(work.agent, 60));
}

std::string_view end_of(const StepDecision& decision) {
  if (decision.rule == "WF-03 skipped") return "skipped by a person";
  if (decision.rule == "WF-22 not needed") return "not needed";
  return "done";
}

void add_source(const Proposal& proposal, Page& page) {
  const Duration age = proposal.plan.age;
  page.line(
      "Interrupted: " + (age.count() > 0 ? to_text(age) + " ago (" + std::string(to_token(age_class(age))) + ")"
                                         : std::string("just now")),
      2);
  page.line("State source: " + printable_line(proposal.source, 300), 2);
}

// Phases that stay as they are; long lists are folded, the last ones are those that matter.
void add_kept(const Cli& cli, const Proposal& proposal, Page& page) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < proposal.plan.decisions.size(); ++i) {
    if (proposal.plan.decisions[i].decision == Decision::Keep) kept.push_back(i);
  }
  if (kept.empty()) return;
  page.title("Completed phases:");
  const bool folds = kept.size() > kPhasesShownMax && !cli.is_verbose();
  if (folds) page.line("  " + count_of(kept.size() - kPhasesShownMax, "phase") + " before these", 4);
  for (std::size_t i = folds ? kept.size() - kPhasesShownMax : 0; i < kept.size(); ++i) {
    const StepDecision& decision = proposal.plan.decisions[kept[i]];
    page.line("  " + std::to_string(kept[i] + 1) + ". " +
                  with_agent(decision.step.text, proposal.phases[kept[i]]) + " -- " +
                  std::string(end_of(decision)),
              5);
  }
}

void add_resume_point(const Proposal& proposal, Page& page) {
  const Plan& plan = proposal.plan;
  if (!plan.resume_point) return;
  const StepDecision& point = plan.decisions[*plan.resume_point];
  const StepWork& work = proposal.phases[*plan.resume_point];
  page.title("Resume point:");
  page.line("  -> phase " + std::to_string(*plan.resume_point + 1) + " of " +
                std::to_string(plan.decisions.size()) + ": " + with_agent(point.step.text, work),
            5);
  page.line("     " + std::string(to_token(point.decision)) + ": " + printable_line(point.reason(), kWordsMax), 5);
  if (!work.command.empty()) page.line("     runs: " + printable_line(work.command, 200), 5);
  if (!work.inputs.empty()) page.line("     input: " + printable_line(join(work.inputs, ", "), kWordsMax), 5);
}

// What else is not simply to be done in its turn, and then the names of what is.
void add_rest(const Proposal& proposal, Page& page) {
  const Plan& plan = proposal.plan;
  std::vector<std::string> later;
  std::vector<std::string> beside;
  for (std::size_t i = 0; i < plan.decisions.size(); ++i) {
    const StepDecision& decision = plan.decisions[i];
    if (decision.decision == Decision::Keep || plan.resume_point == i) continue;
    if (decision.decision == Decision::Run) {
      later.push_back(decision.step.text);
    } else {
      beside.push_back(std::string(to_token(decision.decision)) + " " + decision.step.text + ": " +
                       printable_line(decision.reason(), kWordsMax));
    }
  }
  if (!beside.empty()) page.title("Also:");
  for (std::size_t i = 0; i < std::min(beside.size(), kPhasesShownMax); ++i) page.item(beside[i]);
  if (beside.size() > kPhasesShownMax) page.item(std::to_string(beside.size() - kPhasesShownMax) + " more");
  if (later.empty()) return;
  const std::size_t more = later.size() > kPhasesShownMax ? later.size() - kPhasesShownMax : 0;
  later.resize(later.size() - more);
  page.gap().line("Then: " + join(later, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : ""), 2);
}

void add_findings(const Plan& plan, Severity severity, const std::string& title, Page& page) {
  bool is_first = true;
  for (const Finding& finding : plan.findings) {
    if (finding.severity != severity) continue;
    if (std::exchange(is_first, false)) page.title(title);
    page.item(printable_line(finding.message, kWordsMax) + " [" + finding.code + "]");
    if (!finding.remedy.empty()) page.command(finding.remedy, 4);
  }
}

void add_waiting(const Plan& plan, Page& page) {
  if (!plan.waiting_for.empty()) page.title("Waits for a person:");
  for (const Waiting& waiting : plan.waiting_for) {
    page.item(waiting.kind + " " + printable_line(waiting.name, 80) + ": " +
              printable_line(waiting.ask, kWordsMax));
  }
}

void add_saved(const Plan& plan, Page& page) {
  if (plan.saved_steps == 0) return;
  std::string text = "Saved: " + count_of(static_cast<std::size_t>(plan.saved_steps), "step");
  if (plan.saved_time.count() > 0) text += ", " + to_text(plan.saved_time) + " of work";
  page.gap().line(text, 2);
}

void add_all_findings(const Plan& plan, Page& page) {
  add_findings(plan, Severity::Info, "Notes:", page);
  add_findings(plan, Severity::Warning, "Warnings:", page);
  add_findings(plan, Severity::Blocking, "Conflicts (must be resolved before it can go on):", page);
}

std::string where_it_stands(const Candidate& candidate) {
  std::string text = candidate.damaged ? "damaged" : std::string(to_token(candidate.status));
  text += " " + to_text(candidate.age) + " ago";
  if (candidate.iteration) {
    text += " -- iteration " + std::to_string(*candidate.iteration);
    if (candidate.iteration_max) text += " of " + std::to_string(*candidate.iteration_max);
  } else if (!candidate.stage.empty()) {
    text += " -- at " + printable_line(candidate.stage, 80);
  }
  return text;
}

std::string facts_of(const PreflightFile& file) {
  std::string text = file.role;
  if (!file.phase.empty()) text += ", " + printable_line(file.phase, 100);
  text += file.critical ? ", critical" : "";
  if (!file.recorded.empty()) text += "; recorded " + file.recorded.substr(0, 19);
  if (file.recorded_at) text += " " + to_text(*file.recorded_at);
  if (!file.digest.empty()) text += "; now " + file.digest.substr(0, 19);
  if (file.size) text += ", " + std::to_string(*file.size) + " bytes";
  if (file.modified_at) text += ", " + to_text(*file.modified_at);
  return text + (file.note.empty() ? "" : "; " + printable_line(file.note, 300));
}

void add_files(const PreflightReport& report, Page& page) {
  std::string counts;
  for (const auto& [standing, token] : kFileStandingTokens) {
    if (const std::size_t number = report.count(standing); number > 0)
      counts += (counts.empty() ? "" : ", ") + std::to_string(number) + " " + std::string(token);
  }
  page.title("Files: " + (counts.empty() ? "none" : counts));
  for (const PreflightFile& file : report.files) {
    page.line("  " + std::string(to_token(file.standing)) + " " + printable_line(file.path, 300), 4);
    page.line("      " + facts_of(file), 6);
  }
}

void add_statuses(const PreflightReport& report, Page& page) {
  const auto wrong = std::ranges::count(report.statuses, false, &PreflightStatus::agrees);
  page.title("Statuses: " + std::to_string(report.statuses.size()) + " compared, " + std::to_string(wrong) +
             " do not agree");
  for (const PreflightStatus& status : report.statuses) {
    std::string text =
        std::string(status.agrees ? "  agrees " : "  differs ") + printable_line(status.subject, 100);
    if (!status.claimed.empty()) text += ": recorded " + printable_line(status.claimed, 60) + ",";
    text += " seen " + printable_line(status.seen, 200);
    page.line(text + (status.file.empty() ? "" : " (" + printable_line(status.file, 200) + ")"), 4);
  }
}

void add_dependencies(const PreflightReport& report, Page& page) {
  const auto broken = std::ranges::count(report.dependencies, false, &PreflightDependency::sound);
  page.title("Dependencies: " + std::to_string(report.dependencies.size()) + " followed, " +
             std::to_string(broken) + " broken");
  for (const PreflightDependency& each : report.dependencies) {
    page.line(std::string(each.sound ? "  sound " : "  broken ") + printable_line(each.of, 100) + " needs " +
                  printable_line(each.on, 100) + ": " + each.standing,
              4);
  }
}

void add_steps(const Proposal& proposal, Page& page) {
  const Plan& plan = proposal.plan;
  const auto left = std::ranges::count_if(
      plan.decisions, [](const StepDecision& each) { return each.decision != Decision::Keep; });
  page.title("The plan from here to the end: " + count_of(static_cast<std::size_t>(left), "step"));
  for (std::size_t i = 0; i < plan.decisions.size(); ++i) {
    const StepDecision& decision = plan.decisions[i];
    if (decision.decision == Decision::Keep) continue;
    page.line("  " + std::to_string(i + 1) + ". " + std::string(to_token(decision.decision)) + " " +
                  with_agent(decision.step.text, proposal.phases[i]) + ": " +
                  printable_line(decision.reason(), kWordsMax),
              5);
  }
}

}  // namespace

std::string summary_text(const Cli& cli, const Proposal& proposal) {
  Page page(cli);
  page.heading("Resume", proposal.plan.id.shown()).gap();
  add_source(proposal, page);
  add_kept(cli, proposal, page);
  add_resume_point(proposal, page);
  add_rest(proposal, page);
  add_waiting(proposal.plan, page);
  add_all_findings(proposal.plan, page);
  add_saved(proposal.plan, page);
  return page.take();
}

std::string partial_text(const Cli& cli, const Proposal& proposal) {
  const Plan& plan = proposal.plan;
  Page page(cli);
  page.heading("Partial Resume Possible", plan.id.shown()).gap();
  add_source(proposal, page);
  page.title("Valid phases (they are kept):");
  for (std::size_t i = 0; i < plan.decisions.size(); ++i) {
    if (plan.decisions[i].decision != Decision::Keep) continue;
    page.item("phase " + std::to_string(i + 1) + ": " +
              with_agent(plan.decisions[i].step.text, proposal.phases[i]) + " -- " +
              printable_line(plan.decisions[i].reason(), kWordsMax));
  }
  page.title("Invalid phases (they are done or looked at again):");
  for (std::size_t i = 0; i < plan.decisions.size(); ++i) {
    if (!is_invalidated(plan.decisions[i])) continue;
    page.item("phase " + std::to_string(i + 1) + ": " +
              with_agent(plan.decisions[i].step.text, proposal.phases[i]) + " -- " +
              printable_line(plan.decisions[i].reason(), kWordsMax));
  }
  add_resume_point(proposal, page);
  add_rest(proposal, page);
  add_waiting(plan, page);
  add_all_findings(plan, page);
  add_saved(plan, page);
  if (plan.resume_point) {
    page.gap().line("Suggestion: resume from phase " + std::to_string(*plan.resume_point + 1) +
                        ", with what the valid phases made.",
                    2);
  }
  return page.take();
}

std::string cannot_resume_text(const Cli& cli, const Proposal& proposal, const std::vector<WayOut>& ways) {
  const Plan& plan = proposal.plan;
  Page page(cli);
  page.heading("Cannot Resume", plan.id.shown()).gap();
  add_source(proposal, page);
  page.title("Reason: " + (plan.findings.empty() ? "a person has said no" : validation_of(plan)));
  for (const Finding& finding : plan.findings) {
    if (finding.severity == Severity::Blocking)
      page.item(printable_line(finding.message, kWordsMax) + " [" + finding.code + "]");
  }
  const bool is_told =
      std::ranges::find(plan.findings, Severity::Blocking, &Finding::severity) != plan.findings.end();
  for (const StepDecision& decision : plan.decisions) {
    if (decision.decision == Decision::Refuse && !is_told)
      page.item(decision.step.text + ": " + printable_line(decision.reason(), kWordsMax));
  }
  add_findings(plan, Severity::Warning, "Warnings:", page);
  if (ways.empty()) return page.take();
  page.title("Options:");
  for (std::size_t i = 0; i < ways.size(); ++i) {
    page.line("  " + std::to_string(i + 1) + ". " + ways[i].words, 5);
    page.command(ways[i].command, 5);
  }
  return page.take();
}

std::string phases_text(const Cli& cli, const Proposal& proposal) {
  Page page(cli);
  page.title("Phases:");
  for (std::size_t i = 0; i < proposal.plan.decisions.size(); ++i) {
    const StepDecision& decision = proposal.plan.decisions[i];
    page.line("  " + std::to_string(i + 1) + ". " + with_agent(decision.step.text, proposal.phases[i]) + " -- " +
                  printable_line(decision.reason(), kWordsMax),
              5);
  }
  return page.take();
}

std::string several_text(const Cli& cli, const std::vector<Candidate>& open) {
  Page page(cli);
  page.line(cli.bold("=== Multiple Interrupted Workflows Found ==="), 0).gap();
  for (std::size_t i = 0; i < open.size(); ++i) {
    page.line("  " + std::to_string(i + 1) + ". " + printable_line(open[i].id.shown(), 120) + " -- " +
                  where_it_stands(open[i]),
              5);
  }
  return page.take();
}

std::string resuming_text(const Cli& cli, const Proposal& proposal) {
  const Plan& plan = proposal.plan;
  Page page(cli);
  page.heading("Resuming", plan.id.shown());
  std::string agent;
  if (plan.resume_point) {
    agent = printable_line(proposal.phases[*plan.resume_point].agent, 60);
    page.line("Phase: " + std::to_string(*plan.resume_point + 1) + " of " + std::to_string(plan.decisions.size()) +
                  " -- " + plan.decisions[*plan.resume_point].step.text,
              2);
  }
  if (!agent.empty()) page.line("Agent: @" + agent, 2);
  if (plan.age.count() > 0) page.line("State age: " + to_text(plan.age), 2);
  page.line("Validation: " + validation_of(plan), 2);
  if (!agent.empty() && plan.readiness != Readiness::Wait) page.line("Handing off to @" + agent + "...", 2);
  return page.take();
}

std::string failed_text(const Cli& cli, const std::string& id, const Error& error) {
  Page page(cli);
  page.line(cli.bold("=== Resume Failed ==="), 0);
  if (!id.empty()) page.line("Workflow: " + printable_line(id, 200), 2);
  page.line("Reason: " + printable(error.message), 2);
  if (!error.file.empty()) page.line("File: " + printable_line(error.file, 200), 2);
  page.line("Recommended action:", 2);
  if (error.hints.empty()) page.command("reprise doctor", 2);
  for (const std::string& hint : error.hints) page.command(hint, 2);
  return page.take();
}

std::string preflight_text(const Cli& cli, const Proposal& proposal, const PreflightReport& report) {
  Page page(cli);
  page.heading("Pre-flight", proposal.plan.id.shown()).gap();
  add_source(proposal, page);
  page.line("Validation: " + validation_of(proposal.plan), 2);
  add_files(report, page);
  add_statuses(report, page);
  add_dependencies(report, page);
  add_steps(proposal, page);
  add_waiting(proposal.plan, page);
  const std::vector<std::string> risks = risks_of(proposal.plan);
  page.title("Risks: " + (risks.empty() ? "none was found" : std::to_string(risks.size())));
  for (const std::string& risk : risks) page.item(risk);
  add_saved(proposal.plan, page);
  return page.take();
}

}  // namespace reprise
