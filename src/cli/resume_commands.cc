// The resume command; what it does is in resumer.h.

#include "app/documents.h"
#include "app/resume_proposal.h"
#include "base/strings.h"
#include "cli/handlers.h"
#include "cli/plan_text.h"
#include "cli/resume.h"
#include "cli/resume_text.h"
#include "cli/resumer.h"

namespace reprise {

Mode mode_of(const Arguments& arguments, Mode fallback) {
  return value_in(kModeTokens, arguments.value("mode")).value_or(fallback);
}

int say_blocked(Cli& cli, App& app, Session& session) {
  const Plan& plan = session.plan();
  const int exit_code = is_held(plan) ? kExitHeld : kExitBlocked;
  if (!cli.wants_json() && !cli.is_quiet()) cli.say(plan_text(cli, plan));
  cli.say("blocked; see the way out above");
  if (!cli.wants_json()) return exit_code;
  Outcome outcome = refused_outcome(app, &session.journal(), plan);
  outcome.status = "interrupted";
  outcome.exit = exit_code;
  cli.print(outcome_document(outcome) + "\n");
  return exit_code;
}

Result<int> resume_run(Cli& cli, const std::string& text, const Arguments& arguments, bool is_confirmed) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot resume a run");
  SignalWatch signals = TRY(SignalWatch::start());
  return Resumer(cli, *app, arguments, signals, is_confirmed).resume(text);
}

int resume_command(Cli& cli, const Arguments& arguments) {
  if (arguments.has("all")) return resume_all_command(cli, arguments);
  if (arguments.has("brief")) return brief_command(cli, arguments);
  if (arguments.has("plan")) return resume_saved_command(cli, arguments);
  const Result<int> done = resume_run(cli, arguments.positional(0), arguments, false);
  if (done || !cli.is_interactive() || done.error().kind == ErrorKind::Invalid) return cli.finish(done);
  cli.say(std::string(trim(failed_text(cli, arguments.positional(0), done.error()))));
  return cli.finish(exit_code_of(done.error().kind));
}

}  // namespace reprise
