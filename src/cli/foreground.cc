#include "cli/foreground.h"

#include <algorithm>

#include "app/documents.h"
#include "app/outcome.h"
#include "app/status.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/layout.h"
#include "cli/questions.h"
#include "os/process.h"

namespace reprise {
namespace {

int exit_code_of(const SessionEnd& end) {
  switch (end.status) {
    case RunStatus::Done: return kExitDone;
    case RunStatus::Waiting: return kExitWaiting;
    case RunStatus::Interrupted: return kExitSignal + end.signal;
    default: return kExitFailed;
  }
}

// Sentences fit a person's terminal; in a log they stay on one line.
void say_words(Cli& cli, const std::string& words) {
  cli.say(cli.is_interactive() ? wrapped(words, cli.screen_width(), 2) : words);
}

// What was kept, what that saved, what ran again and why: the point of having resumed.
void say_what_was_saved(Cli& cli, const Plan& plan) {
  if (plan.saved_steps == 0) return;
  say_words(cli, "kept " + std::to_string(plan.saved_steps) + " finished step(s), which saved " +
                     to_text(plan.saved_time) + " of work");
  for (const StepDecision& decision : plan.decisions) {
    const bool again = decision.decision == Decision::Rerun || decision.decision == Decision::Continue;
    if (again)
      say_words(cli, "  " + std::string(to_token(decision.decision)) + " " + decision.step.text + ": " +
                         printable_line(decision.reason(), 300));
  }
}

// What a command after a failure does with the run.
std::string label_of(const std::string& command) {
  if (command.starts_with("reprise fresh ")) return "start over";
  return command.find(" --from ") == std::string::npos ? "then" : "ask again";
}

void say_end(Cli& cli, const Session& session, const SessionEnd& end) {
  const std::string id = shell_quote(session.id().shown());
  const RunState& state = session.state();
  switch (end.status) {
    case RunStatus::Done:
      if (!cli.is_quiet()) cli.say(cli.colour("done", 32) + ": " + session.id().shown());
      break;
    case RunStatus::Waiting:
      for (const OpenRequest& request : open_requests(state)) {
        const auto question = state.questions.find(request.waiting.name);
        const bool has_options = request.waiting.kind == "question" && question != state.questions.end();
        const std::string ask =
            has_options ? with_options(request.waiting.ask, question->second.options) : request.waiting.ask;
        say_words(cli, "waiting: " + printable_line(ask, 600));
        cli.say("  " + request.command);
      }
      cli.say("then: reprise resume " + id);
      break;
    case RunStatus::Interrupted:
      cli.say("interrupted; everything is saved. Go on: reprise resume " + id);
      for (const auto& [path, lane] : state.lanes) {
        if (lane.made && !lane.closed && lane.published.empty())
          cli.say("  or go back: reprise rollback " + id + " --lane " + shell_quote(lane.name));
      }
      break;
    default:
      say_words(cli, cli.colour(std::string(to_token(end.status)), 31) + ": " + printable_line(end.reason, 600));
      if (end.status == RunStatus::Failed) {
        const std::vector<std::string> commands = commands_after(state, end.status);
        cli.say("  see: " + commands.front());
        cli.say("  " + label_of(commands.back()) + ": " + commands.back());
        for (const auto& [path, lane] : state.lanes) {
          const bool failed = std::ranges::any_of(
              lane.checkpoints, [](const CheckpointState& checkpoint) { return checkpoint.status == "failed"; });
          if (failed && !lane.closed)
            cli.say("  or go back: reprise rollback " + id + " --lane " + shell_quote(lane.name));
        }
      }
  }
}

}  // namespace

std::string with_fields(std::string document, std::string_view fields) {
  if (!fields.empty()) document.insert(document.rfind('}'), "," + std::string(fields));
  return document;
}

namespace {

// A stage that should have said whether another one runs, and said nothing, is easily overlooked.
void warn_missing_verdicts(Cli& cli, const Graph& graph) {
  for (const int leaf : graph.leaves()) {
    if (graph.record(leaf) != nullptr) continue;
    const std::optional<Graph::Unmet> unmet = graph.find_unmet(leaf);
    if (!unmet || !unmet->is_verdict || !unmet->seen.empty() || unmet->condition->negated) continue;
    cli.say("warning: " + graph.node(leaf).path.text + " did not run: " + graph.why_not_needed(leaf));
  }
}

}  // namespace

Result<int> work(Cli& cli, App& app, Session& session, LiveView& view, SignalWatch& signals,
                 std::string_view fields) {
  Questions questions(cli, app, session, view, signals);
  for (;;) {
    SessionEnd end = TRY(session.run());
    view.finish();
    if (end.status == RunStatus::Waiting && cli.is_interactive()) {
      const Asked asked = TRY(questions.ask_first());
      if (asked.is_decided) continue;
      if (asked.exit >= 128) end = {.status = RunStatus::Interrupted, .signal = asked.exit - 128};
    }
    say_end(cli, session, end);
    if (end.status == RunStatus::Done) warn_missing_verdicts(cli, session.graph());
    if (!cli.is_quiet() && session.state().resume_count > 0) say_what_was_saved(cli, session.plan());
    const int exit_code = exit_code_of(end);
    if (!cli.wants_json()) return exit_code;
    Outcome outcome = TRY(session_outcome(app, session.journal(), session.id(), end.status));
    outcome.plan = session.plan();
    outcome.exit = exit_code;
    cli.print(with_fields(outcome_document(outcome), fields) + "\n");
    return exit_code;
  }
}

Result<int> detach(Cli& cli, App& app, const RunId& run, const Arguments& arguments) {
  std::vector<std::string> argv = {app.program.string(), "-C", app.project.string(), "--quiet", "resume", "--yes"};
  for (const std::string option : {"from", "mode"}) {
    if (arguments.has(option)) argv.push_back("--" + option + "=" + arguments.value(option));
  }
  argv.insert(argv.end(), {"--", numbered(run)});
  TRY_VOID(spawn_detached(argv, -1));
  if (cli.wants_json()) {
    JsonWriter json;
    cli.print(json.begin_object().field("id", run.shown()).field("detached", true).end_object().take() + "\n");
  }
  cli.say("working in the background; watch it: reprise attach " + shell_quote(run.shown()));
  return kExitDone;
}

}  // namespace reprise
