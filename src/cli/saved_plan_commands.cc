// Going on with a plan that was saved, and handing work over without starting it.

#include "app/documents.h"
#include "app/hand_off.h"
#include "app/plan_differences.h"
#include "app/saved_plan.h"
#include "app/scan.h"
#include "app/session.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/layout.h"
#include "cli/resume.h"

namespace reprise {
namespace {

// The journal, or null where nothing has run yet.
Result<std::unique_ptr<Journal>> journal_if_any(App& app) {
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind == ErrorKind::NotFound) return std::unique_ptr<Journal>();
  return journal;
}

Result<Plan> plan_now(const PlannedWork& work, const std::string& from) {
  return TRY(preview(work.app, work.journal, work.meant, from))->plan;
}

// A saved plan that no longer fits: what moved, and how to make a new one.
int refuse(Cli& cli, const SavedPlan& saved, const std::string& file, const std::vector<std::string>& moved) {
  std::string anew = "reprise plan " + shell_quote(saved.plan.id.shown());
  if (!saved.from.empty()) anew += " --from " + shell_quote(saved.from);
  anew += " --save " + shell_quote(file);
  const std::string message =
      "the plan in " + printable_line(file, 300) + " no longer fits " + saved.plan.id.shown();
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().key("error").begin_object().field("kind", "moved").field("message", message);
    json.key("hints").begin_array().value(anew).end_array().end_object().key("moved").begin_array();
    for (const std::string& line : moved) json.value(line);
    json.end_array().end_object();
    cli.print(json.take() + "\n");
  }
  cli.say(wrapped("reprise: " + message + "; nothing was started", cli.width(), 2));
  for (const std::string& line : moved) cli.say(wrapped("  " + line, cli.width(), 4));
  cli.say("  try: " + anew);
  return kExitBlocked;
}

bool is_held(const PlannedWork& work) {
  if (!work.meant.run || work.journal == nullptr) return false;
  const Result<std::optional<Owner>> owner = work.journal->owner(*work.meant.run);
  return owner && *owner && (*owner)->alive;
}

Error other_id(const std::string& wanted, const SavedPlan& saved, const std::string& file) {
  Error error{.kind = ErrorKind::Invalid,
              .message = printable_line(file, 300) + " holds a plan for " + saved.plan.id.shown() + ", not for " +
                         printable_line(wanted, 100)};
  return std::move(error).hint("reprise resume --plan " + shell_quote(file));
}

// The same run under another spelling is the same run.
Result<bool> is_same_work(App& app, Journal* journal, const std::string& wanted, const Meant& meant) {
  if (wanted.empty()) return true;
  const Meant named = TRY(find_work(app, journal, wanted));
  if (named.run && meant.run) return *named.run == *meant.run;
  return named.candidate && meant.candidate && named.candidate->id == meant.candidate->id;
}

Result<int> resume_saved(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::string file = arguments.value("plan");
  const SavedPlan saved = TRY(read_saved_plan(*app, file));
  if (arguments.has("from") && arguments.value("from") != saved.from) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "the saved plan has its own resume point"}.hint(
        "reprise resume --plan " + shell_quote(file)));
  }
  {  // gives the journal back before the session opens it
    const std::unique_ptr<Journal> journal = TRY(journal_if_any(*app));
    const Meant meant = TRY(find_work(*app, journal.get(), saved.plan.id.shown()));
    if (!TRY(is_same_work(*app, journal.get(), arguments.positional(0), meant)))
      return fail(other_id(arguments.positional(0), saved, file));
    const PlannedWork work{*app, journal.get(), meant};
    if (!is_held(work)) {  // else the session says by whom
      const Plan now = TRY(plan_now(work, saved.from));
      const std::vector<std::string> moved = TRY(what_moved(work, saved, now));
      if (!moved.empty()) return refuse(cli, saved, file, moved);
    }
  }
  Arguments agreed = arguments;
  if (!saved.from.empty()) agreed.options["from"] = {saved.from};
  return resume_run(cli, saved.plan.id.shown(), agreed, true);
}

Result<int> show_brief(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::unique_ptr<Journal> journal = TRY(journal_if_any(*app));
  const Meant meant = TRY(find_work(*app, journal.get(), arguments.positional(0)));
  const HandOff out = TRY(hand_off(*app, journal.get(), meant, arguments.value("from")));
  const std::string plan_command = "reprise plan " + shell_quote(out.plan.id.shown());
  if (out.plan.readiness == Readiness::Blocked) {
    Error error{.kind = ErrorKind::Invalid,
                .message = out.plan.id.shown() + " is blocked: no worker would be started"};
    return cli.report(std::move(error).hint(plan_command), kExitBlocked);
  }
  const bool is_over = out.plan.readiness == Readiness::Done || out.plan.readiness == Readiness::Fresh;
  const std::string brief = is_over ? "" : out.brief;
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().field("brief", brief).end_object();
    cli.print(json.take() + "\n");
    return kExitDone;
  }
  if (brief.empty()) cli.say("nothing is left that a worker would be told of\n  " + plan_command);
  cli.pass_on(brief);
  for (const Waiting& waiting : out.before) {
    if (!brief.empty())
      cli.say(wrapped("before that, " + waiting.kind + " " + printable_line(waiting.name, 80) +
                          " waits for a decision: reprise inbox",
                      cli.width(), 2));
  }
  if (!out.besides.empty() && !brief.empty())
    cli.say(std::to_string(out.besides.size()) + " more step(s) would start with it: " + plan_command);
  return kExitDone;
}

}  // namespace

Result<std::optional<int>> refuse_other_plan(Cli& cli, const Arguments& arguments, const Plan& now) {
  if (!arguments.has("plan")) return std::nullopt;
  const std::string file = arguments.value("plan");
  const SavedPlan saved = TRY(read_saved_plan(*TRY(cli.app()), file));
  // Work that was found was compared before it became a run, whose steps are others.
  if (saved.ground.started_at.empty()) return std::nullopt;
  const std::vector<std::string> moved = decided_otherwise(saved, now);
  if (moved.empty()) return std::nullopt;
  return std::optional(refuse(cli, saved, file, moved));
}

int resume_saved_command(Cli& cli, const Arguments& arguments) { return cli.finish(resume_saved(cli, arguments)); }
int brief_command(Cli& cli, const Arguments& arguments) { return cli.finish(show_brief(cli, arguments)); }

}  // namespace reprise
