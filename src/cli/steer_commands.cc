// Commands by which a person decides: approve, reject, answer, accept, retry, skip, cancel, fork.

#include <algorithm>

#include "app/adoption.h"
#include "app/preview.h"
#include "app/status.h"
#include "app/steer_run.h"
#include "app/systems.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"

namespace reprise {
namespace {

// A decision that is refused leaves external work as it is: no run is made of it.
Result<void> check_decision(App& app, const Candidate& candidate, const Steer& steer) {
  const std::unique_ptr<Preview> seen = TRY(preview_adopted(app, candidate, ""));
  if (seen->graph == nullptr) {
    const auto blocking = std::ranges::find(seen->plan.findings, Severity::Blocking, &Finding::severity);
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = candidate.id.shown() + " is blocked: " +
                                 (blocking == seen->plan.findings.end() ? candidate.why : blocking->message)}
                    .hint("reprise plan " + shell_quote(candidate.id.shown())));
  }
  if (steer.kind.empty() || steer.kind == "accept") return {};
  const Steer bound = TRY(bind_steer(steer, seen->state, *seen->graph));
  if (steer.kind == "answer") TRY(events_for(bound, seen->state, *seen->graph, {}));
  return {};
}

// Deciding about work that was found in a state file makes a run of it: the decision has to stand somewhere.
Result<RunId> run_meant(App& app, const std::string& text, const Steer& steer) {
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind != ErrorKind::NotFound) return fail(journal.error());
  const Meant meant = TRY(find_work(app, journal ? journal->get() : nullptr, text));
  if (meant.run) return *meant.run;
  if (app.is_worker()) return fail(ErrorKind::Denied, "a worker cannot decide for a person");
  TRY_VOID(check_decision(app, *meant.candidate, steer));
  const std::unique_ptr<Journal> writable = TRY(open_journal(app, OpenMode::ReadWrite));
  return adopt(app, *writable, *meant.candidate);
}

void confirm(Cli& cli, const RunId& run, const std::string& what) {
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().field("id", run.shown()).field("recorded", what).end_object();
    cli.print(json.take() + "\n");
  } else if (!cli.is_quiet()) {
    cli.say("recorded: " + printable_line(what, 300));
  }
}

// An answer that the question did not offer is taken, and said to be one.
Result<void> say_if_not_offered(Cli& cli, App& app, const RunId& run, const Steer& steer) {
  const RunState state = TRY(TRY(open_journal(app, OpenMode::ReadOnly))->state(run));
  const auto question = state.questions.find(steer.target);
  if (question == state.questions.end()) return {};
  const std::string note = note_on_answer(steer.text, question->second.options);
  if (!note.empty()) cli.say(note);
  return {};
}

int steer_command(Cli& cli, const Arguments& arguments, Steer steer) {
  const auto done = [&]() -> Result<void> {
    App* app = TRY(cli.app());
    const RunId run = TRY(run_meant(*app, arguments.positional(0), steer));
    steer.target = TRY(steer_run(*app, run, steer));
    if (steer.kind == "answer") TRY_VOID(say_if_not_offered(cli, *app, run, steer));
    confirm(cli, run, steer.kind + (steer.target.empty() ? "" : " " + steer.target));
    return {};
  }();
  if (done) return kExitDone;
  return cli.report(done.error(), ends_work(done.error().kind) ? exit_code_of(done.error().kind) : kExitUsage);
}

}  // namespace

int approve_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "approve", .target = a.positional(1), .text = a.value("because")});
}
int reject_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "reject", .target = a.positional(1), .text = a.value("because")});
}
int answer_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "answer", .target = a.positional(1), .text = a.positional(2)});
}
int accept_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "accept", .target = a.positional(1), .text = a.value("because")});
}
int retry_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "retry", .target = a.positional(1), .text = a.value("because")});
}
int skip_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "skip", .target = a.positional(1), .text = a.value("because")});
}
int cancel_command(Cli& cli, const Arguments& a) {
  return steer_command(cli, a, {.kind = "cancel", .target = "", .text = a.value("because")});
}

int fork_command(Cli& cli, const Arguments& arguments) {
  if (!arguments.has("from"))
    return cli.report(Error{.kind = ErrorKind::Invalid, .message = "fork needs --from STAGE"});
  const auto forked = [&]() -> Result<RunId> {
    App* app = TRY(cli.app());
    const RunId run = TRY(run_meant(*app, arguments.positional(0), {}));
    return fork_run(*app, run, arguments.value("from"));
  }();
  if (!forked) return cli.report(forked.error());
  if (cli.wants_json()) {
    confirm(cli, *forked, "fork");
  } else {
    cli.print(forked->text + "\n");
    cli.say("go on: reprise resume " + shell_quote(forked->text));
  }
  return kExitDone;
}

}  // namespace reprise
