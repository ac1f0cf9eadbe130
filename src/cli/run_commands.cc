// Commands that start runs and watch them: run, attach.

#include <algorithm>

#include "app/documents.h"
#include "app/fresh.h"
#include "app/lane_definition.h"
#include "app/lane_look.h"
#include "app/preview.h"
#include "app/scan.h"
#include "app/session.h"
#include "app/status.h"
#include "app/systems.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/foreground.h"
#include "cli/handlers.h"
#include "cli/live_view.h"
#include "cli/prompt.h"
#include "cli/render.h"
#include "cli/resume.h"
#include "cli/status_text.h"
#include "model/limits.h"
#include "os/machine.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr Duration kAttachPause{150};

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
  request.mode = mode_of(arguments, Mode::Interactive);
  if (arguments.has("parallel")) {
    const std::optional<long long> number = parse_number(arguments.value("parallel"), kParallelMax);
    if (!number || *number == 0)
      return fail(ErrorKind::Invalid, "--parallel wants a number from 1 to " + std::to_string(kParallelMax));
    request.parallel = static_cast<int>(*number);
  }
  return request;
}

// The id of a run by the workflow it belongs to, which may have been given as a path.
std::string id_within(App& app, const std::string& workflow, const std::string& name) {
  const Result<Definition> definition = load_definition(app, workflow);
  return (definition ? definition->workflow.name : workflow) + "/" + name;
}

// A lane that another program left, if it is the one that is meant.
std::optional<RunId> find_left_lane(App& app, const StartRequest& request) {
  const auto lane = request.inputs.find("lane");
  std::vector<IgnoredFile> ignored;
  for (const Candidate& candidate : find_lanes(app, ignored)) {
    const std::optional<LaneRunName> name = lane_run_name(candidate.id);
    if (!name || name->run_id != request.run_name) continue;
    if (lane == request.inputs.end() || name->lane == lane->second) return candidate.id;
  }
  return std::nullopt;
}

// The run of lanes that `run lanes PLAN --run-id R --input lane=L` means, or the lane that another program left:
// that lane, or the whole phase. Without a plan the run's name tells it.
Result<RunId> lane_work_meant(App& app, const StartRequest& request) {
  std::string phase;
  if (!request.subject.empty()) phase = phase_in(TRY(load_lanes(app, request.subject, request.inputs)));
  const auto lane = request.inputs.find("lane");
  std::vector<RunId> found;
  std::vector<RunEntry> runs;
  if (const std::unique_ptr<Journal> journal = TRY(open_journal_if_any(app, OpenMode::ReadOnly)))
    runs = TRY(journal->runs());
  for (const RunEntry& entry : runs) {
    const std::optional<LaneRunName> name = lane_run_name(entry.id);
    if (!name || (!phase.empty() && name->phase != phase)) continue;
    const bool is_named = phase.empty() || !request.run_name.empty();
    if (is_named && name->run_id != request.run_name) continue;
    if (name->lane == "-" || lane == request.inputs.end() || name->lane == lane->second) found.push_back(entry.id);
  }
  if (!found.empty()) return found.back();
  if (std::optional<RunId> left = find_left_lane(app, request)) return *left;
  return fail(Error{.kind = ErrorKind::NotFound,
                    .message = "there is no run of " +
                               (request.subject.empty() ? "lanes" : printable_line(request.subject, 100)) +
                               (request.run_name.empty() ? "" : " with the id " + request.run_name)}
                  .hint("reprise status"));
}

// The values of a run are part of what was agreed to when it began.
Result<void> check_inputs(App& app, const RunId& run, const StartRequest& request) {
  const std::unique_ptr<Journal> journal = TRY(open_journal_if_any(app, OpenMode::ReadOnly));
  if (journal == nullptr || !find_run(*journal, run.shown())) return {};
  const RunState state = TRY(journal->state(TRY(find_run(*journal, run.shown()))));
  for (const auto& [name, value] : request.inputs) {
    const auto known = state.values.find(name);
    const bool is_its_lane = name == "lane" && known != state.values.end() && known->second.empty();
    if (known == state.values.end() || known->second == value || is_its_lane) continue;
    return fail(Error{
        .kind = ErrorKind::Invalid,
        .message = "run " + run.shown() + " was begun with " + name + "=" + printable_line(known->second, 60) +
                   ", which does not change; it was not resumed with " + name + "=" + printable_line(value, 60)}
                    .hint("reprise resume " + shell_quote(run.shown())));
  }
  return {};
}

bool is_about_lanes(const Arguments& arguments) { return arguments.positional(0) == kLanesWorkflow; }

int rollback_named(Cli& cli, const Arguments& arguments) {
  const Result<App*> app = cli.app();
  if (!app) return cli.report(app.error());
  const Result<StartRequest> request = start_request(arguments);
  if (!request) return cli.report(request.error());
  const Result<RunId> run = lane_work_meant(**app, *request);
  if (!run) return cli.report(run.error());
  const auto lane = request->inputs.find("lane");
  return rollback_named_command(cli, arguments, run->shown(), lane == request->inputs.end() ? "" : lane->second);
}

Result<int> resume_named(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (is_about_lanes(arguments)) {
    const StartRequest request = TRY(start_request(arguments));
    const RunId run = TRY(lane_work_meant(*app, request));
    TRY_VOID(check_inputs(*app, run, request));
    return resume_run(cli, run.shown(), arguments, true);
  }
  const std::string name = arguments.has("run-id") ? arguments.value("run-id") : arguments.positional(1);
  return resume_run(cli, id_within(*app, arguments.positional(0), name), arguments, true);
}

// Whether there is work to resume. A file that is not recognised as a state file is in the way, and is none.
Result<bool> is_resumable(App& app, const std::string& id) {
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  return find_work(app, journal.get(), id).has_value();
}

// The work whose state file a new run would overwrite, or that the same description fits; it may be of another
// subject.
Result<std::optional<Candidate>> work_in_the_way(App& app, const Error& error) {
  if (error.file.empty()) return std::nullopt;
  for (Candidate& candidate : TRY(scan(app, {.all = true})).candidates) {
    if (candidate.state_file == error.file) return std::move(candidate);
  }
  return std::nullopt;
}

// Says which other features are in progress: starting one beside them may be a mistake.
Result<void> say_others_in_progress(Cli& cli, App& app, const RunId& run, const std::string& workflow) {
  if (workflow != "playbook" && workflow != "spec-loop") return {};
  for (const Candidate& candidate : TRY(scan(app, {.system = workflow})).candidates) {
    if (candidate.id == run || subject_of(candidate.id) == subject_of(run)) continue;
    cli.say("also in progress: " + printable_line(candidate.id.shown(), 100) +
            (candidate.stage.empty() ? "" : ", at " + printable_line(candidate.stage, 60)) +
            "; resume it: reprise resume " + shell_quote(candidate.id.shown()));
  }
  return {};
}

// A subject with unfinished work: on a terminal the person chooses, elsewhere exit 3 says what to type.
Result<int> unfinished(Cli& cli, const Error& error, const StartRequest& request, const Arguments& arguments,
                       SignalWatch& signals) {
  const bool is_held = !error.hints.empty() && error.hints.front().starts_with("reprise attach ");
  if (is_held) return cli.report(error, kExitHeld);
  App* app = TRY(cli.app());
  const std::optional<Candidate> candidate = TRY(work_in_the_way(*app, error));
  const std::string typed =
      id_within(*app, request.workflow, request.run_name.empty() ? request.subject : request.run_name);
  const std::string id = candidate ? candidate->id.shown() : typed;
  const bool is_unknown_file = !candidate && !error.file.empty();
  if (!cli.is_interactive() || is_unknown_file || !TRY(is_resumable(*app, id)))
    return cli.report(error, kExitWaiting);
  cli.say(printable(error.message));
  const bool is_over = candidate && !candidate->resumable && !candidate->damaged;
  const bool is_loop = candidate && candidate->system == "spec-loop" && !is_over && !candidate->damaged;
  if (is_loop) cli.say("\n" + resume_prompt(*candidate, TRY(preview(*app, *candidate, ""))->plan));
  static const std::string kAnswers[] = {"resume", "fresh", "cancel"};
  const std::span<const std::string> answers = is_over ? std::span(kAnswers).subspan(1) : std::span(kAnswers);
  const Reply reply = ask(cli, signals,
                          is_over   ? "Archive this work and start a new run? (fresh / cancel)"
                          : is_loop ? "How would you like to proceed? (resume / fresh / cancel)"
                                    : "Go on with it? (resume / fresh / cancel)",
                          answers);
  if (!reply.is_answered()) return reply.exit;
  const std::string& answer = reply.text;
  if (answer == "resume") return resume_run(cli, id, arguments, true);
  if (answer == "fresh" && TRY(set_aside_if_agreed(cli, *app, id, arguments))) return run_command(cli, arguments);
  return kExitWaiting;
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
  if (!cli.wants_json()) cli.print((*session)->id().shown() + "\n");
  if (!cli.is_quiet()) TRY_VOID(say_others_in_progress(cli, *app, (*session)->id(), (*session)->state().workflow));
  if ((*session)->plan().readiness == Readiness::Blocked) return say_blocked(cli, *app, **session);
  if (arguments.has("detach")) {
    const RunId run = (*session)->id();
    session->reset();  // gives the lease back
    return detach(cli, *app, run, arguments);
  }
  return work(cli, *app, **session, view, signals);
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
      cli.print(cli.wants_json() ? status_document({&now, 1}, true) + "\n" : status_text(cli, {&now, 1}));
      return now.status == RunStatus::Done      ? kExitDone
             : now.status == RunStatus::Waiting ? kExitWaiting
                                                : kExitFailed;
    }
    view.tick();
    const SignalsSeen seen = signals.poll();
    if (seen.interrupts > 0 || seen.ending != 0) return seen.ending != 0 ? kExitSignal + seen.ending : 130;
    pause_for(kAttachPause);
  }
}

}  // namespace

int run_command(Cli& cli, const Arguments& arguments) {
  if (arguments.has("rollback") && is_about_lanes(arguments)) return rollback_named(cli, arguments);
  if (arguments.has("rollback"))
    return cli.report(
        Error{.kind = ErrorKind::Invalid, .message = "--rollback is for lanes"}.hint("reprise rollback --help"));
  return cli.finish(arguments.has("resume") ? resume_named(cli, arguments) : start_run(cli, arguments));
}

int attach_command(Cli& cli, const Arguments& arguments) { return cli.finish(attach_run(cli, arguments)); }

}  // namespace reprise
