// Commands that work on runs: run, resume, attach.

#include <algorithm>
#include <expected>

#include "app/approvals.h"
#include "app/documents.h"
#include "app/fresh.h"
#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/orchestrator_system.h"
#include "app/rollback.h"
#include "app/scan.h"
#include "app/session.h"
#include "app/status.h"
#include "app/steer_run.h"
#include "app/systems.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/live_view.h"
#include "cli/render.h"
#include "model/limits.h"
#include "os/machine.h"
#include "os/process.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr Duration kAttachPause{150};
constexpr int kInterruptSignal = 2;  // SIGINT

int exit_code_of(const SessionEnd& end) {
  switch (end.status) {
    case RunStatus::Done: return kExitDone;
    case RunStatus::Waiting: return kExitWaiting;
    case RunStatus::Interrupted: return 128 + end.signal;
    default: return kExitFailed;
  }
}

// What was kept, what that saved, what ran again and why: the point of having resumed.
void say_what_was_saved(Cli& cli, const Plan& plan) {
  if (plan.saved_steps == 0) return;
  cli.say("kept " + std::to_string(plan.saved_steps) + " finished step(s), which saved " +
          to_text(plan.saved_time) + " of work");
  for (const StepDecision& decision : plan.decisions) {
    const bool again = decision.decision == Decision::Rerun || decision.decision == Decision::Continue;
    if (again)
      cli.say("  " + std::string(to_token(decision.decision)) + " " + decision.step.text + ": " +
              printable_line(decision.reason(), 300));
  }
}

void say_end(Cli& cli, const Session& session, const SessionEnd& end) {
  const std::string id = shell_quote(session.id().text);
  const RunState& state = session.state();
  switch (end.status) {
    case RunStatus::Done:
      if (!cli.is_quiet()) cli.say(cli.colour("done", 32) + ": " + session.id().text);
      break;
    case RunStatus::Waiting:
      for (const auto& [path, gate] : state.gates) {
        if (gate.record != GateState::Record::Open) continue;
        cli.say("waiting: " + printable_line(gate.ask, 600));
        cli.say("  reprise approve " + id + " " + shell_quote(path.text));
      }
      for (const auto& [name, question] : state.questions) {
        if (question.answer) continue;
        cli.say("waiting: " + printable_line(question.text, 600));
        cli.say("  reprise answer " + id + " " + shell_quote(name) + " TEXT");
      }
      for (const auto& [path, step] : state.steps) {
        if (step.record == StepState::Record::Failed && step.outcome == AttemptOutcome::Interrupted) {
          cli.say("waiting: step " + path.text + " was cut off and a person decides (resume: report)");
          cli.say("  reprise retry " + id + " " + shell_quote(path.text));
        }
      }
      cli.say("then: reprise resume " + id);
      break;
    case RunStatus::Interrupted: cli.say("interrupted; everything is saved. Go on: reprise resume " + id); break;
    default:
      cli.say(cli.colour(std::string(to_token(end.status)), 31) + ": " + printable_line(end.reason, 600));
      if (end.status == RunStatus::Failed) {
        cli.say("  see: reprise log " + id);
        cli.say(state.state_file.path.empty() ? "  then: reprise resume " + id
                                              : "  start anew: reprise fresh " + id);
        for (const auto& [path, lane] : state.lanes) {
          const bool failed = std::ranges::any_of(
              lane.checkpoints, [](const CheckpointState& checkpoint) { return checkpoint.status == "failed"; });
          if (failed && !lane.closed)
            cli.say("  or go back: reprise rollback " + id + " --lane " + shell_quote(lane.name));
        }
      }
  }
}

// Asks for an open gate or question on the terminal. False: nobody answered, here or elsewhere.
Result<bool> ask_person(Cli& cli, App& app, Session& session, SignalWatch& signals) {
  Executor& executor = session.executor();
  Result<bool> decided = false;  // by somebody elsewhere, while we ask here
  const auto still_waiting = [&] {
    const SignalsSeen seen = signals.poll();
    if (seen.interrupts > 0 || seen.ending != 0) return false;
    decided = executor.serve_while_waiting();
    return decided && !*decided;
  };
  for (const auto& [path, gate] : std::map(session.state().gates)) {
    if (gate.record != GateState::Record::Open) continue;
    cli.say(cli.bold(path.text) + ": " + printable_line(gate.ask, 600));
    for (const SeenFile& file : gate.shows) cli.say("  see " + printable_line(file.path, 200));
    const std::string change = change_since_approval(app, session.journal(), gate);
    if (!change.empty()) cli.say("changed since it was last approved:\n" + printable(change));
    static const std::string kAnswers[] = {"yes", "no", "later"};
    const std::optional<std::string> answer = cli.ask("approve? [yes/no/later]", kAnswers, still_waiting);
    if (!answer) return decided;
    if (*answer == "later") return false;
    Steer steer{.kind = *answer == "yes" ? "approve" : "reject", .target = path.text, .by = app.actor};
    if (steer.kind == "reject") {
      steer.text = cli.ask("why not?", {}, still_waiting).value_or("");
      if (steer.text.empty()) return decided;
    }
    const Result<void> done = executor.steer(steer);
    if (!done && done.error().kind == ErrorKind::Io) return fail(done.error());
    if (!done) cli.say(printable(done.error().message));
    return true;
  }
  for (const auto& [id, question] : std::map(session.state().questions)) {
    if (question.answer) continue;
    const std::optional<std::string> answer = cli.ask(printable_line(question.text, 600), {}, still_waiting);
    if (!answer || answer->empty()) return decided;
    TRY_VOID(executor.steer({.kind = "answer", .target = id, .text = *answer, .by = app.actor}));
    return true;
  }
  return false;
}

Result<int> work(Cli& cli, App& app, Session& session, LiveView& view, SignalWatch& signals) {
  for (;;) {
    SessionEnd end = TRY(session.run());
    view.finish();
    if (end.status == RunStatus::Waiting && cli.is_interactive()) {
      if (TRY(ask_person(cli, app, session, signals))) continue;
      const SignalsSeen seen = signals.poll();
      if (seen.interrupts > 0 || seen.ending != 0) {
        end = {.status = RunStatus::Interrupted, .signal = seen.ending != 0 ? seen.ending : kInterruptSignal};
      }
    }
    say_end(cli, session, end);
    if (!cli.is_quiet() && session.state().resume_count > 0) say_what_was_saved(cli, session.plan());
    const int exit_code = exit_code_of(end);
    if (cli.wants_json()) cli.print(outcome_document(session.plan(), to_token(end.status), exit_code) + "\n");
    return exit_code;
  }
}

// Hands the run over to a process of its own.
Result<int> detach(Cli& cli, App& app, const RunId& run, const Arguments& arguments) {
  std::vector<std::string> argv = {app.program.string(), "-C", app.project.string(), "--quiet", "resume", "--yes"};
  for (const std::string option : {"from", "mode"}) {
    if (arguments.has(option)) argv.push_back("--" + option + "=" + arguments.value(option));
  }
  argv.insert(argv.end(), {"--", run.text});
  TRY_VOID(spawn_detached(argv, -1));
  cli.say("working in the background; watch it: reprise attach " + shell_quote(run.text));
  return kExitDone;
}

Result<Mode> mode_of(const Arguments& arguments, Mode fallback) {
  const std::optional<Mode> mode = value_in(kModeTokens, arguments.value("mode"));
  return mode.value_or(fallback);
}

Result<StartRequest> start_request(const Arguments& arguments) {
  StartRequest request{.workflow = arguments.positional(0),
                       .subject = arguments.positional(1),
                       .run_name = arguments.value("run-id")};
  for (const std::string& input : arguments.values("input")) {
    const std::size_t equals = input.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::Invalid, "--input wants NAME=VALUE, not \"" + printable_line(input, 60) + "\"");
    }
    request.inputs[input.substr(0, equals)] = input.substr(equals + 1);
  }
  if (arguments.has("variant")) request.inputs["variant"] = arguments.value("variant");
  request.mode = TRY(mode_of(arguments, Mode::Interactive));
  if (arguments.has("parallel")) {
    const std::optional<long long> number = parse_number(arguments.value("parallel"), kParallelMax);
    if (!number || *number == 0)
      return fail(ErrorKind::Invalid, "--parallel wants a number from 1 to " + std::to_string(kParallelMax));
    request.parallel = static_cast<int>(*number);
  }
  return request;
}

Result<int> resume_run(Cli& cli, const std::string& text, const Arguments& arguments, bool is_confirmed);

// The id of a run by the workflow it belongs to, which may have been given as a path.
std::string id_within(App& app, const std::string& workflow, const std::string& name) {
  const Result<Definition> definition = load_definition(app, workflow);
  return (definition ? definition->workflow.name : workflow) + "/" + name;
}

// A lane that another program left, if it is the one that is meant: it becomes a run of ours.
Result<std::optional<RunId>> adopt_meant(App& app, const StartRequest& request) {
  const auto lane = request.inputs.find("lane");
  for (const Candidate& candidate : find_lanes(app)) {
    const std::optional<LaneRunName> name = lane_run_name(candidate.id);
    if (!name || name->run_id != request.run_name) continue;
    if (lane != request.inputs.end() && name->lane != lane->second) continue;
    const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
    return TRY(adopt_lane(app, *journal, candidate, request.subject));
  }
  return std::nullopt;
}

// The run of lanes that `run lanes PLAN --run-id R --input lane=L` means: of that lane, or of the whole phase.
Result<RunId> lane_run_meant(App& app, const Arguments& arguments) {
  const StartRequest request = TRY(start_request(arguments));
  const Definition definition = TRY(load_lanes(app, request.subject, request.inputs));
  const auto lane = request.inputs.find("lane");
  std::vector<RunId> found;
  std::vector<RunEntry> runs;
  if (TRY(app.files.stat(app.store / "journal.db")))
    runs = TRY(TRY(open_journal(app, OpenMode::ReadOnly))->runs());
  for (const RunEntry& entry : runs) {
    const std::optional<LaneRunName> name = lane_run_name(entry.id);
    if (!name || name->phase != phase_in(definition)) continue;
    if (!request.run_name.empty() && name->run_id != request.run_name) continue;
    if (name->lane == "-" || lane == request.inputs.end() || name->lane == lane->second) found.push_back(entry.id);
  }
  if (!found.empty()) return found.back();
  if (std::optional<RunId> adopted = TRY(adopt_meant(app, request))) return *adopted;
  return fail(Error{.kind = ErrorKind::NotFound,
                    .message = "there is no run of " + printable_line(request.subject, 100) +
                               (request.run_name.empty() ? "" : " with the id " + request.run_name)}
                  .hint("reprise status"));
}

bool is_about_lanes(const Arguments& arguments) { return arguments.positional(0) == kLanesWorkflow; }

int rollback_named(Cli& cli, const Arguments& arguments) {
  const Result<App*> app = cli.app();
  if (!app) return cli.report(app.error());
  const Result<RunId> run = lane_run_meant(**app, arguments);
  if (!run) return cli.report(run.error());
  const Result<StartRequest> request = start_request(arguments);
  const auto lane = request->inputs.find("lane");
  return rollback_named_command(cli, arguments, run->text, lane == request->inputs.end() ? "" : lane->second);
}

Result<int> resume_named(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (is_about_lanes(arguments)) {
    Result<RunId> run = lane_run_meant(*app, arguments);
    if (!run) return fail(run.error());
    return resume_run(cli, run->text, arguments, true);
  }
  const std::string name = arguments.has("run-id") ? arguments.value("run-id") : arguments.positional(1);
  return resume_run(cli, id_within(*app, arguments.positional(0), name), arguments, true);
}

// A subject with unfinished work: on a terminal the person chooses, elsewhere exit 3 says what to type.
Result<int> unfinished(Cli& cli, const Error& error, const StartRequest& request, const Arguments& arguments,
                       SignalWatch& signals) {
  if (!cli.is_interactive()) return cli.report(error, kExitWaiting);
  App* app = TRY(cli.app());
  const std::string id =
      id_within(*app, request.workflow, request.run_name.empty() ? request.subject : request.run_name);
  cli.say(printable(error.message));
  static const std::string kAnswers[] = {"resume", "fresh", "cancel"};
  const std::optional<std::string> answer = cli.ask("[resume/fresh/cancel]", kAnswers, [&] {
    return signals.poll().interrupts == 0 && signals.poll().ending == 0;
  });
  if (signals.poll().interrupts > 0) return 128 + kInterruptSignal;
  if (answer == "resume") return resume_run(cli, id, arguments, true);
  if (answer == "fresh") {
    const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadWrite));
    const FreshStart fresh = TRY(plan_fresh(*app, journal.get(), TRY(find_work(*app, journal.get(), id))));
    TRY_VOID(start_fresh(*app, journal.get(), fresh));
    return run_command(cli, arguments);
  }
  return kExitWaiting;
}

// Shows the plan and asks what the mode wants asked. Returns an exit code if the resume ends here.
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

Result<int> start_run(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot start a run inside a run");
  const StartRequest request = TRY(start_request(arguments));
  SignalWatch signals = TRY(SignalWatch::start());
  LiveView view(cli, app->clock);
  Result<std::unique_ptr<Session>> session = Session::start(*app, request, view, &signals);
  if (!session && session.error().kind == ErrorKind::Conflict)
    return unfinished(cli, session.error(), request, arguments, signals);
  if (!session) return fail(session.error());
  if (!cli.wants_json()) cli.print((*session)->id().text + "\n");
  if ((*session)->plan().readiness == Readiness::Blocked) {
    if (const std::optional<int> ended = TRY(confirm(cli, (*session)->plan(), request.mode, true, signals)))
      return *ended;
  }
  if (arguments.has("detach")) {
    const RunId run = (*session)->id();
    session->reset();  // gives the lease back
    return detach(cli, *app, run, arguments);
  }
  return work(cli, *app, **session, view, signals);
}

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
  const Mode mode = TRY(mode_of(arguments, Mode::Interactive));
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
  const Readiness readiness = session->plan().readiness;
  if (arguments.has("from") && (readiness == Readiness::Done || readiness == Readiness::Fresh))
    return fail(is_over(run, arguments.value("from")));
  const Mode mode = TRY(mode_of(arguments, session->mode()));
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

// Shows the events of a run that another process works on, as they come.
Result<int> attach_run(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
  const RunId run = TRY(find_run(*journal, arguments.positional(0)));
  LiveView view(cli, app->clock);
  SignalWatch signals = TRY(SignalWatch::start());
  EventNumber last{0};
  for (;;) {
    const std::vector<RecordedEvent> events = TRY(journal->events(run, last, kEventsPerReadMax));
    for (const RecordedEvent& event : events) {
      last = event.number;
      if (const AttemptStarted* e = std::get_if<AttemptStarted>(&event.event))
        view.step_started({e->step, e->attempt.value, false, "", ""});
      if (const AttemptFinished* e = std::get_if<AttemptFinished>(&event.event)) view.step_finished(*e);
      if (const GateOpened* e = std::get_if<GateOpened>(&event.event)) view.gate_opened(*e);
      if (const GateDecided* e = std::get_if<GateDecided>(&event.event)) view.gate_decided(*e);
    }
    const RunView now = TRY(view_run(*app, *journal, run));
    if (events.empty() && now.status != RunStatus::Running) {
      view.finish();
      cli.print(cli.wants_json() ? status_document({now}, true) + "\n" : status_text(cli, {now}));
      return now.status == RunStatus::Done      ? kExitDone
             : now.status == RunStatus::Waiting ? kExitWaiting
                                                : kExitFailed;
    }
    view.tick();
    const SignalsSeen seen = signals.poll();
    if (seen.interrupts > 0 || seen.ending != 0) return seen.ending != 0 ? 128 + seen.ending : 130;
    pause_for(kAttachPause);
  }
}

int finish(Cli& cli, const Result<int>& result) { return result ? *result : cli.report(result.error()); }

}  // namespace

int run_command(Cli& cli, const Arguments& arguments) {
  if (arguments.has("rollback") && is_about_lanes(arguments)) return rollback_named(cli, arguments);
  if (arguments.has("rollback"))
    return cli.report(
        Error{.kind = ErrorKind::Invalid, .message = "--rollback is for lanes"}.hint("reprise rollback ID"));
  return finish(cli, arguments.has("resume") ? resume_named(cli, arguments) : start_run(cli, arguments));
}

int resume_command(Cli& cli, const Arguments& arguments) {
  return finish(cli, resume_run(cli, arguments.positional(0), arguments, false));
}

int attach_command(Cli& cli, const Arguments& arguments) { return finish(cli, attach_run(cli, arguments)); }

}  // namespace reprise
