// Resuming: what is meant, what it would do, what the mode wants asked, and then the work.

#include <algorithm>
#include <expected>

#include "app/documents.h"
#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/orchestrator_system.h"
#include "app/rollback.h"
#include "app/scan.h"
#include "app/session.h"
#include "app/systems.h"
#include "base/strings.h"
#include "cli/foreground.h"
#include "cli/handlers.h"
#include "cli/live_view.h"
#include "cli/plan_text.h"
#include "cli/render.h"
#include "cli/resume.h"

namespace reprise {

Mode mode_of(const Arguments& arguments, Mode fallback) {
  return value_in(kModeTokens, arguments.value("mode")).value_or(fallback);
}

Result<std::optional<int>> confirm(Cli& cli, const Plan& plan, Mode mode, bool is_confirmed,
                                   SignalWatch& signals) {
  if (!cli.wants_json() && !cli.is_quiet()) cli.say(plan_text(cli, plan));
  const auto end_here = [&](std::string_view status, int exit_code) {
    if (cli.wants_json()) cli.print(outcome_document(plan, status, exit_code) + "\n");
    return std::optional(exit_code);
  };
  switch (plan.readiness) {
    case Readiness::Done:
    case Readiness::Fresh:
      cli.say(plan.readiness == Readiness::Done
                  ? "nothing to resume: the run is done"
                  : "nothing to resume: the run has ended; start anew with: reprise fresh " +
                        shell_quote(plan.id.text));
      return end_here(plan.readiness == Readiness::Done ? "done" : "stopped", kExitDone);
    case Readiness::Blocked: {
      cli.say("blocked; see the way out above");
      const bool is_held = std::ranges::any_of(
          plan.findings, [](const Finding& finding) { return finding.code == "held_by_another"; });
      return end_here("interrupted", is_held ? kExitHeld : kExitBlocked);
    }
    case Readiness::Wait:
      if (cli.is_interactive() || plan.waiting_for.empty())
        return std::nullopt;  // it can be asked and answered here
      return std::nullopt;
    default: break;
  }
  if (is_confirmed || (mode == Mode::Autopilot)) return std::nullopt;
  const bool asks = mode == Mode::Preflight || plan.readiness == Readiness::Confirm;
  if (!asks && !cli.is_interactive()) return std::nullopt;
  if (!cli.is_interactive()) {
    cli.say("this needs a confirmation: reprise resume " + shell_quote(plan.id.text) + " --yes");
    return end_here("interrupted", kExitWaiting);
  }
  const auto is_quiet_so_far = [&] { return signals.poll().interrupts == 0 && signals.poll().ending == 0; };
  static const std::string kAnswers[] = {"yes", "cancel"};
  static const std::string kProceed[] = {"proceed", "cancel"};
  const std::optional<std::string> answer = mode == Mode::Preflight
                                                ? cli.ask("type proceed or cancel", kProceed, is_quiet_so_far)
                                                : cli.ask("resume? [yes/cancel]", kAnswers, is_quiet_so_far);
  if (signals.poll().interrupts > 0) return end_here("interrupted", 130);
  if (const int ending = signals.poll().ending; ending != 0) return end_here("interrupted", 128 + ending);
  if (!answer || *answer == "cancel") return end_here("interrupted", kExitWaiting);
  return std::nullopt;
}

namespace {

int nothing_to_resume(Cli& cli) {
  cli.say("nothing to resume");
  cli.say("  see what there is:  reprise scan --all");
  cli.say("  start something:    reprise run WORKFLOW    (reprise workflow list)");
  if (cli.wants_json()) cli.print("{\"outcome\":{\"status\":\"done\",\"exit\":0}}\n");
  return kExitDone;
}

Error is_over(const RunId& run, const std::string& from) {
  Error error{.kind = ErrorKind::Invalid,
              .message = "run " + run.text + " is over and stays as it is; a fork does it again from a stage"};
  return std::move(error).hint("reprise fork " + shell_quote(run.text) + " --from " + shell_quote(from));
}

// Work that was found in a state file: shown and confirmed first, then made a run of. Returns its id, or an exit
// code if the resume ends here.
Result<std::expected<RunId, int>> take_up(Cli& cli, const Candidate& candidate, const Arguments& arguments,
                                          bool is_confirmed, SignalWatch& signals) {
  App* app = TRY(cli.app());
  const Plan plan = TRY(plan_found(*app, candidate, arguments.value("from")));
  if (candidate.system == "spec-loop" && !cli.wants_json()) cli.say(resume_prompt(candidate, plan));
  const bool is_open = plan.readiness != Readiness::Done && plan.readiness != Readiness::Blocked;
  if (candidate.system == "spec-loop" && cli.is_interactive() && !is_confirmed && is_open) {
    static const std::string kAnswers[] = {"resume", "fresh", "cancel"};
    const std::optional<std::string> answer = cli.ask("[resume/fresh/cancel]", kAnswers, [&] {
      return signals.poll().interrupts == 0 && signals.poll().ending == 0;
    });
    if (answer == "fresh") {
      Arguments anew;
      anew.positionals = {candidate.id.text};
      anew.options["run"];
      return std::expected<RunId, int>(std::unexpect, fresh_command(cli, anew));
    }
    if (answer != "resume") return std::expected<RunId, int>(std::unexpect, kExitWaiting);
    is_confirmed = true;
  }
  const Mode mode = mode_of(arguments, Mode::Interactive);
  if (const std::optional<int> ended = TRY(confirm(cli, plan, mode, is_confirmed, signals)))
    return std::expected<RunId, int>(std::unexpect, *ended);
  if (candidate.system != kLanesWorkflow) {  // whose definition is a plan, which adopting reads
    const Definition definition = TRY(definition_for_found(*app, candidate));
    if (std::optional<Error> error = missing_worker(definition.workflow, TRY(read_config(*app))))
      return fail(std::move(*error));
  }
  if (candidate.system == kOrchestrator && !cli.wants_json() && !cli.is_quiet()) {
    for (const std::string& line : TRY(words_on_resuming(*app, candidate))) cli.say(line);
  }
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadWrite));
  return std::expected<RunId, int>(TRY(adopt(*app, *journal, candidate)));
}

// What is meant by `text`, or by nothing: the only run that can be resumed, in the journal or in a state file.
Result<std::optional<Meant>> resumable(App& app, Journal* journal, const std::string& text) {
  if (!text.empty()) return TRY(find_work(app, journal, text));
  std::vector<RunId> open;
  for (const Candidate& candidate : TRY(scan(app, {})).candidates) {
    if (candidate.resumable && candidate.status != RunStatus::Running) open.push_back(candidate.id);
  }
  if (open.empty()) return std::nullopt;
  if (open.size() == 1) return TRY(find_work(app, journal, open.front().text));
  Error error{.kind = ErrorKind::Invalid, .message = "several runs can be resumed; say which"};
  for (const RunId& id : open) error.hints.push_back("reprise resume " + shell_quote(id.text));
  return fail(std::move(error));
}

}  // namespace

Result<int> resume_run(Cli& cli, const std::string& text, const Arguments& arguments, bool is_confirmed) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot resume a run");
  std::unique_ptr<Journal> journal;
  if (TRY(app->files.stat(app->store / "journal.db"))) journal = TRY(open_journal(*app, OpenMode::ReadWrite));
  const std::optional<Meant> meant = TRY(resumable(*app, journal.get(), text));
  if (!meant) return nothing_to_resume(cli);
  SignalWatch signals = TRY(SignalWatch::start());
  bool is_yes = is_confirmed || arguments.has("yes");
  RunId run;
  if (meant->run) {
    run = *meant->run;
  } else {
    const std::expected<RunId, int> taken = TRY(take_up(cli, *meant->candidate, arguments, is_yes, signals));
    if (!taken) return taken.error();
    run = *taken;
    is_yes = true;
    if (journal == nullptr) journal = TRY(open_journal(*app, OpenMode::ReadWrite));
  }
  LiveView view(cli, app->clock);
  const ResumeRequest request{.from = arguments.value("from"),
                              .mode = value_in(kModeTokens, arguments.value("mode"))};
  std::unique_ptr<Session> session = TRY(Session::resume(*app, std::move(journal), run, request, view, &signals));
  view.hide();
  if (!cli.wants_json() && !cli.is_quiet() && !session->is_over()) {
    for (const std::string& line : where_lanes_stand(session->state())) cli.say(line);
  }
  if (const std::optional<int> ended = TRY(refuse_other_plan(cli, arguments, session->plan()))) return *ended;
  const Readiness readiness = session->plan().readiness;
  if (arguments.has("from") && (readiness == Readiness::Done || readiness == Readiness::Fresh))
    return fail(is_over(run, arguments.value("from")));
  const Mode mode = mode_of(arguments, session->mode());
  const bool was_shown = !meant->run && readiness != Readiness::Blocked;
  if (!was_shown) {
    if (const std::optional<int> ended = TRY(confirm(cli, session->plan(), mode, is_yes, signals))) return *ended;
  }
  if (arguments.has("detach")) {
    session.reset();  // gives the lease back
    return detach(cli, *app, run, arguments);
  }
  return work(cli, *app, *session, view, signals);
}

int resume_command(Cli& cli, const Arguments& arguments) {
  if (arguments.has("all")) return resume_all_command(cli, arguments);
  if (arguments.has("brief")) return brief_command(cli, arguments);
  if (arguments.has("plan")) return resume_saved_command(cli, arguments);
  return cli.finish(resume_run(cli, arguments.positional(0), arguments, false));
}

}  // namespace reprise
