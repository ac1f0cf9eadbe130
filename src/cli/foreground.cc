#include "cli/foreground.h"

#include <algorithm>

#include "app/approvals.h"
#include "app/documents.h"
#include "base/strings.h"
#include "os/process.h"

namespace reprise {
namespace {

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

}  // namespace

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

}  // namespace reprise
