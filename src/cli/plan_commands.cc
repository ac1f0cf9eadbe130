// Commands that show what a resume would do, and why: plan, why. They change nothing.

#include "app/approvals.h"
#include "app/documents.h"
#include "app/scan.h"
#include "app/session.h"
#include "app/systems.h"
#include "app/task_reports.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/plan_text.h"

namespace reprise {
namespace {

// No journal means that nothing has run here: an answer, not an error.
bool is_empty_store(const Error& error) { return error.kind == ErrorKind::NotFound; }

// The plan of a run of ours or, where the journal knows none of that name, of work that a state file tells of.
Result<Plan> plan_for(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::string wanted = arguments.positional(0);
  const std::string from = arguments.value("from");
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && !is_empty_store(journal.error())) return fail(journal.error());
  const Meant meant = TRY(find_work(*app, journal ? journal->get() : nullptr, wanted));
  if (meant.run) return TRY(preview(*app, **journal, *meant.run, from))->plan;
  return plan_found(*app, *meant.candidate, from);
}

// What became of the files that were approved at this gate; "" for whatever else a step is.
Result<std::string> change_of_approved(Cli& cli, const RunId& run, const StepPath& step) {
  App* app = TRY(cli.app());
  const Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  const Result<RunState> state = journal ? (*journal)->state(run) : fail(journal.error());
  if (!state) return std::string();
  const auto gate = state->gates.find(step);
  return gate == state->gates.end() ? std::string() : change_since_approval(*app, **journal, gate->second);
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
                "run " + plan.id.text + " has no stage \"" + printable_line(wanted, 80) + "\"");
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

Result<int> show_plan(Cli& cli, const Arguments& arguments) {
  if (arguments.has("report")) return show_report(cli, arguments);
  const Plan plan = TRY(plan_for(cli, arguments));
  cli.print(cli.wants_json() ? plan_document(plan) + "\n" : plan_text(cli, plan));
  return kExitDone;
}

}  // namespace

int plan_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_plan(cli, arguments)); }
int why_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_why(cli, arguments)); }

}  // namespace reprise
