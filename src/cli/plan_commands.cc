// Commands that show what a resume would do, and why: plan, why. They change nothing.

#include <algorithm>

#include "app/approvals.h"
#include "app/documents.h"
#include "app/plan_differences.h"
#include "app/preview.h"
#include "app/saved_plan.h"
#include "app/scan.h"
#include "app/systems.h"
#include "app/task_reports.h"
#include "app/what_if.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/layout.h"
#include "cli/plan_text.h"

namespace reprise {
namespace {

// No journal means that nothing has run here: an answer, not an error.
// The plan of a run of ours or, where the journal knows none of that name, of work that a state file tells of.
Result<Plan> plan_of(App& app, Journal* journal, const Meant& meant, const std::string& from) {
  return TRY(preview(app, journal, meant, from))->plan;
}

Result<Plan> plan_for(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  Journal* known = journal ? journal->get() : nullptr;
  return plan_of(*app, known, TRY(find_work(*app, known, arguments.positional(0))), arguments.value("from"));
}

// What became of the files that were approved at this gate; "" for whatever else a step is.
Result<std::string> change_of_approved(Cli& cli, const RunId& run, const StepPath& step) {
  App* app = TRY(cli.app());
  const Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  const Result<RunState> state = journal ? (*journal)->state(run) : fail(journal.error());
  if (!state) return std::string();
  const auto gate = state->gates.find(step);
  return gate == state->gates.end() ? std::string() : change_since_approval(*app, **journal, *state, gate->second);
}

Result<int> show_why(Cli& cli, const Arguments& arguments) {
  const Plan plan = TRY(plan_for(cli, arguments));
  const std::string wanted = arguments.positional(1);
  std::vector<const StepDecision*> chosen;
  for (const StepDecision& decision : plan.decisions) {
    const std::string& path = decision.step.text;
    const bool named = path == wanted || decision.stage == wanted || path.starts_with(wanted + "/");
    if (wanted.empty() ? decision.decision != Decision::Keep : named) chosen.push_back(&decision);
  }
  if (chosen.empty() && !wanted.empty()) {
    return fail(ErrorKind::NotFound,
                "run " + plan.id.shown() + " has no stage \"" + printable_line(wanted, 80) + "\"");
  }
  if (cli.wants_json()) {
    Plan part;
    part.id = plan.id;
    for (const StepDecision* decision : chosen) part.decisions.push_back(*decision);
    part.readiness = plan.readiness;
    part.findings = plan.findings;
    cli.print(plan_document(part) + "\n");
    return kExitDone;
  }
  if (chosen.empty()) cli.print("every step is kept: nothing is left to do\n");
  for (const StepDecision* decision : chosen) {
    cli.print(why_text(cli, *decision));
    cli.print(printable(TRY(change_of_approved(cli, plan.id, decision->step))));
  }
  return kExitDone;
}

// A task pipeline's own report instead of the plan.
Result<int> show_report(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  Journal* known = journal ? journal->get() : nullptr;
  const Meant meant = TRY(find_work(*app, known, arguments.positional(0)));
  cli.print(TRY(task_pipeline_report(*app, known, meant, arguments.value("report"), arguments.value("from"))));
  return kExitDone;
}

std::string change_of(const PlanDifference& difference) {
  const auto or_none = [](const std::string& token) { return token.empty() ? std::string("nothing") : token; };
  return or_none(difference.was) + " -> " + or_none(difference.is);
}

// "keep -> rerun  build  an input has changed"; decisions are padded to `width`.
std::string difference_text(const PlanDifference& difference, int width) {
  const std::string name = printable_line(difference.name, 200);
  const std::string reason = printable_line(difference.reason, 300);
  if (difference.kind == "decision") return padded(change_of(difference), width) + "  " + name + "  " + reason;
  if (difference.kind == "finding")
    return (difference.was.empty() ? "new " + difference.is : "no longer") + ": " + reason + " [" + name + "]";
  return difference.kind + " " + name + (difference.was.empty() ? ": waits" : ": waits no longer");
}

// The plan under changes that are supposed, and what differs.
Result<int> show_what_if(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (arguments.has("save")) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "a plan of what might be cannot be gone on with, so it is not saved"}
                    .hint("reprise plan " + shell_quote(arguments.positional(0)) + " --save " +
                          shell_quote(arguments.value("save"))));
  }
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  Journal* known = journal ? journal->get() : nullptr;
  const Meant meant = TRY(find_work(*app, known, arguments.positional(0)));
  const WhatIf result = TRY(what_if(*app, known, meant, arguments.value("from"), arguments.values("what-if")));
  if (cli.wants_json()) {
    cli.print(what_if_document(result) + "\n");
    return kExitDone;
  }
  for (const std::string& change : result.changes)
    cli.print(wrapped("what if: " + printable_line(change, 300), cli.width(), 2) + "\n");
  cli.print(plan_text_without_options(layout_for(cli), result.plan));
  cli.print(result.differs.empty() ? "nothing would be decided otherwise\n"
                                   : "what differs from the plan as it is:\n");
  int widest = 0;
  for (const PlanDifference& difference : result.differs) {
    if (difference.kind == "decision") widest = std::max(widest, columns_of(change_of(difference)));
  }
  for (const PlanDifference& difference : result.differs)
    cli.print(wrapped("  " + difference_text(difference, widest), cli.width(), 6) + "\n");
  return kExitDone;
}

Result<int> show_plan(Cli& cli, const Arguments& arguments) {
  if (arguments.has("what-if")) return show_what_if(cli, arguments);
  if (arguments.has("report")) return show_report(cli, arguments);
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  Journal* known = journal ? journal->get() : nullptr;
  const Meant meant = TRY(find_work(*app, known, arguments.positional(0)));
  const std::string from = arguments.value("from");
  const Plan plan = TRY(plan_of(*app, known, meant, from));
  const std::string file = arguments.value("save");
  if (arguments.has("save")) TRY_VOID(save_plan({*app, known, meant}, from, plan, file));
  cli.print(cli.wants_json() ? plan_document(plan) + "\n" : plan_text(cli, plan));
  if (arguments.has("save") && !cli.is_quiet())
    cli.say("saved in " + printable_line(file, 300) + "; go on with it:\n  reprise resume --plan " +
            shell_quote(file));
  return kExitDone;
}

}  // namespace

int plan_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_plan(cli, arguments)); }
int why_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_why(cli, arguments)); }

}  // namespace reprise
