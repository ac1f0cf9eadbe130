// repair: shows what would change in a state file, asks, and changes it.

#include "app/lane_recorder.h"
#include "app/repair.h"
#include "app/systems.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"

namespace reprise {
namespace {

void print_document(Cli& cli, const StateRepair& repair, bool is_applied) {
  JsonWriter json;
  json.begin_object().field("id", repair.id.shown()).field("file", repair.file).key("changes").begin_array();
  for (const std::string& change : repair.changes) json.value(change);
  json.end_array().field("diff", repair.diff).field("applied", is_applied).end_object();
  cli.print(json.take() + "\n");
}

void show(Cli& cli, const StateRepair& repair) {
  for (const std::string& change : repair.changes) cli.say(printable_line(change, 400));
  if (!cli.wants_json()) cli.print(printable(repair.diff));
}

// Only state files can be repaired. A run without one is in the journal, which `doctor` checks.
Result<void> refuse_run(Journal& journal, const std::string& text) {
  const Result<RunId> run = find_run(journal, text);
  if (!run) return {};
  const std::string file = TRY(journal.state(*run)).state_file.path;
  if (file.empty()) {
    return fail(
        Error{.kind = ErrorKind::Unavailable,
              .message = "nothing to repair in " + run->shown() + ": its state is in the journal, not in a file"}
            .hint("reprise doctor")
            .hint("reprise plan " + shell_quote(run->shown())));
  }
  return fail(Error{.kind = ErrorKind::Unavailable,
                    .message = "nothing to repair in " + run->shown() + ": " + printable_line(file, 200) +
                               " is missing or not recognised, and is written from the journal"}
                  .hint("reprise plan " + shell_quote(run->shown())));
}

Result<int> repair(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot repair a state file");
  const Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  const Result<Meant> found = find_work(*app, nullptr, arguments.positional(0));
  if (!found && journal) TRY_VOID(refuse_run(**journal, arguments.positional(0)));
  if (!found) return fail(found.error());
  const Meant& meant = *found;
  if (journal) {
    const RunsOfSubject runs = TRY(runs_of_subject(**journal, meant.candidate->id.text));
    if (runs.newest) TRY_VOID(check_nobody_works(**journal, *runs.newest));
  }
  const StateRepair planned = TRY(plan_repair(*app, *meant.candidate));
  if (planned.diff.empty()) {
    cli.say("nothing is wrong in " + planned.file);
    if (cli.wants_json()) print_document(cli, planned, false);
    return kExitDone;
  }
  show(cli, planned);
  if (!is_agreed(cli, arguments, "change it so?")) {
    if (cli.wants_json()) print_document(cli, planned, false);
    cli.say("nothing was changed. Change it so: reprise repair " + shell_quote(planned.id.shown()) + " --yes");
    return kExitWaiting;
  }
  const std::string kept = TRY(apply_repair(*app, planned));
  cli.say(planned.task ? "made: " + kept : "repaired; the file as it was is kept in " + kept);
  if (cli.wants_json()) print_document(cli, planned, true);
  return kExitDone;
}

}  // namespace

int repair_command(Cli& cli, const Arguments& arguments) { return cli.finish(repair(cli, arguments)); }

}  // namespace reprise
