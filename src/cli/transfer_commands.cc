// export and import: a run as one portable file.

#include <filesystem>

#include "app/transfer.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/layout.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

void say_wrapped(Cli& cli, const std::string& text) { cli.say(wrapped(text, cli.width(), 2)); }

void print_list(JsonWriter& json, std::string_view name, const std::vector<std::string>& items) {
  json.key(name).begin_array();
  for (const std::string& item : items) json.value(item);
  json.end_array();
}

void print_export(Cli& cli, const ExportedRun& exported, const std::string& file) {
  JsonWriter json;
  json.begin_object().field("id", exported.manifest.run.shown()).field("file", file);
  json.field("events", exported.manifest.events);
  json.field("files", static_cast<std::int64_t>(exported.manifest.files.size()));
  json.field("bytes", static_cast<std::int64_t>(exported.bytes.size()));
  print_list(json, "left_out", exported.left_out);
  cli.print(json.end_object().take() + "\n");
}

Result<int> export_one(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot export its run");
  const std::string given = arguments.value("output");
  const bool to_stdout = given == "-";
  if (to_stdout && cli.wants_json())
    return fail(ErrorKind::Invalid, "--output - and --json both write to the standard output");
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadWrite));
  const RunId run = TRY(find_run(*journal, arguments.positional(0)));
  const std::string name = given.empty() ? default_export_name(run) : given;
  std::error_code error;
  const fs::path file = to_stdout ? fs::path() : fs::absolute(name, error);
  const ExportedRun exported =
      TRY(export_run(*app, *journal, run, to_stdout ? "a stream" : fs::path(name).filename().string(), file));
  if (to_stdout) TRY_VOID(cli.write_bytes(exported.bytes));
  if (cli.wants_json()) {
    print_export(cli, exported, name);
    return kExitDone;
  }
  for (const std::string& path : exported.left_out) say_wrapped(cli, "left out: " + printable_line(path, 300));
  if (!cli.is_quiet()) {
    say_wrapped(cli, "exported " + printable_line(run.shown(), 200) + ": " +
                         count_of(static_cast<std::size_t>(exported.manifest.events), "event") + ", " +
                         count_of(exported.manifest.files.size(), "file"));
    cli.say_of_elsewhere("elsewhere: reprise import " +
                         (to_stdout ? "FILE" : shell_quote(fs::path(name).filename().string())));
  }
  if (!to_stdout) cli.print(printable_line(name, 2000) + "\n");
  return kExitDone;
}

std::string_view word_for(ImportPlan::Here here) {
  switch (here) {
    case ImportPlan::Here::Nothing: return "imported";
    case ImportPlan::Here::Behind: return "brought up to date";
    case ImportPlan::Here::Complete: return "here already";
  }
  return "";
}

void print_import(Cli& cli, const ImportPlan& plan, bool is_done) {
  JsonWriter json;
  json.begin_object().field("id", plan.run.shown()).field("result", word_for(plan.here));
  json.field("exported_at", to_text(plan.manifest.at))
      .field("by", plan.manifest.by)
      .field("host", plan.manifest.host);
  json.field("events", plan.manifest.events);
  print_list(json, "differing", plan.differing);
  print_list(json, "set_aside", plan.replaced);
  cli.print(json.field("applied", is_done).end_object().take() + "\n");
}

void say_differing(Cli& cli, const ImportPlan& plan) {
  say_wrapped(cli, count_of(plan.differing.size(), "file") + " of the project " +
                       (plan.differing.size() == 1 ? "is" : "are") + " not as the run left " +
                       (plan.differing.size() == 1 ? "it:" : "them:"));
  for (const std::string& path : plan.differing) cli.say("  " + printable_line(path, 300));
}

std::string import_again(const Arguments& arguments) {
  std::vector<std::string> words = {"reprise", "import", arguments.positional(0)};
  if (arguments.has("as")) words.insert(words.end(), {"--as", arguments.value("as")});
  words.emplace_back("--yes");
  return shell_command(words);
}

void say_imported(Cli& cli, const ImportPlan& plan) {
  if (cli.is_quiet()) return;
  const TransferManifest& from = plan.manifest;
  say_wrapped(cli, std::string(word_for(plan.here)) + ": " + printable_line(plan.run.shown(), 200));
  say_wrapped(cli, "exported " + to_text(from.at) + " by " + printable_line(from.by, 100));
  if (plan.here != ImportPlan::Here::Complete && !plan.replaced.empty())
    say_wrapped(cli, count_of(plan.replaced.size(), "file") + " set aside; `reprise undo` brings " +
                         (plan.replaced.size() == 1 ? "it" : "them") + " back");
  if (!plan.is_commit_here)
    say_wrapped(cli, "it was exported at commit " + printable_line(from.commit.substr(0, 12), 12) +
                         ", which is not here; what is committed may differ");
  cli.say("look at it: reprise plan " + shell_quote(plan.run.shown()));
  cli.say("go on: reprise resume " + shell_quote(plan.run.shown()));
}

Result<int> import_one(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot import a run");
  const std::unique_ptr<ImportPlan> plan = TRY(plan_import(*app, arguments.positional(0), arguments.value("as")));
  if (!plan->differing.empty()) {
    if (!cli.wants_json()) say_differing(cli, *plan);
    if (!is_agreed(cli, arguments, "set aside and import?")) {
      if (cli.wants_json()) print_import(cli, *plan, false);
      cli.say("nothing was changed. Set aside and import: " + import_again(arguments));
      return kExitBlocked;
    }
  }
  TRY_VOID(carry_out_import(*app, *plan));
  if (cli.wants_json()) {
    print_import(cli, *plan, true);
    return kExitDone;
  }
  say_imported(cli, *plan);
  cli.print(printable_line(plan->run.shown(), 300) + "\n");
  return kExitDone;
}

}  // namespace

int export_command(Cli& cli, const Arguments& arguments) { return cli.finish(export_one(cli, arguments)); }
int import_command(Cli& cli, const Arguments& arguments) { return cli.finish(import_one(cli, arguments)); }

}  // namespace reprise
