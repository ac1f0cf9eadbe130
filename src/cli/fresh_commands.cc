// fresh and undo: set work aside and begin anew, and bring it back.

#include "app/fresh.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/prompt.h"

namespace reprise {
namespace {

void write_list(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void print_paths(Cli& cli, const std::string& id, const std::vector<std::string>& paths,
                 const std::vector<std::string>& worktrees, const std::string& command, bool is_done) {
  JsonWriter json;
  json.begin_object().field("id", id);
  write_list(json, "paths", paths);
  write_list(json, "worktrees", worktrees);
  json.field("command", command).field("applied", is_done).end_object();
  cli.print(json.take() + "\n");
}

std::string command_of(const FreshStart& fresh) {
  std::vector<std::string> words = {"reprise", "run", fresh.workflow};
  if (!fresh.subject.empty()) words.push_back(fresh.subject);
  for (const auto& [name, value] : fresh.inputs) {
    if (!value.empty()) words.insert(words.end(), {"--input", name + "=" + value});
  }
  return shell_command(words);
}

int run_anew(Cli& cli, const FreshStart& fresh) {
  Arguments arguments;
  arguments.positionals = {fresh.workflow};
  if (!fresh.subject.empty()) arguments.positionals.push_back(fresh.subject);
  for (const auto& [name, value] : fresh.inputs) {
    if (!value.empty()) arguments.options["input"].push_back(name + "=" + value);
  }
  return run_command(cli, arguments);
}

void say_fresh_start(Cli& cli, const FreshStart& planned) {
  for (const std::string& path : planned.paths) cli.say("sets aside " + printable_line(path, 200));
  for (const auto& [story, bytes] : planned.stories) cli.say("sets back to Ready: " + printable_line(story, 200));
  for (const std::string& folder : planned.worktrees)
    cli.say("removes the worktree " + printable_line(folder, 200) +
            "; what is not committed in it is kept, what git ignores is not");
  if (planned.run) cli.say("puts run " + planned.run->shown() + " away");
}

Result<int> fresh(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot start work anew");
  std::unique_ptr<Journal> journal = TRY(open_journal_if_any(*app, OpenMode::ReadWrite));
  const Meant meant = TRY(find_work(*app, journal.get(), arguments.positional(0)));
  const FreshStart planned = TRY(plan_fresh(*app, journal.get(), meant));
  const std::string id = shell_quote(planned.id.shown());
  if (!cli.wants_json()) say_fresh_start(cli, planned);
  const bool starts = arguments.has("run");
  if (!is_agreed(cli, arguments, starts ? "Archive this work and start a new run?" : "Archive this work?")) {
    if (cli.wants_json())
      print_paths(cli, planned.id.shown(), planned.paths, planned.worktrees, command_of(planned), false);
    cli.say("nothing was changed. Do it: reprise fresh " + id + (starts ? " --run" : "") + " --yes");
    return kExitWaiting;
  }
  say_leftovers(cli, TRY(start_fresh(*app, journal.get(), planned)));
  const bool has_files = !planned.paths.empty() || !planned.stories.empty();
  cli.say((has_files ? "set aside" : "put away") + std::string("; `reprise undo` brings it back"));
  if (starts) {
    journal.reset();
    return run_anew(cli, planned);
  }
  if (cli.wants_json()) {
    print_paths(cli, planned.id.shown(), planned.paths, planned.worktrees, command_of(planned), true);
  } else {
    if (cli.is_interactive()) cli.say("start a new run:");
    cli.print(command_of(planned) + "\n");  // alone on stdout, for a script to run
  }
  return kExitDone;
}

// Returns the id to print for the run that is stored as `id`.
Result<std::string> shown_id(App& app, const std::string& id) {
  return TRY(TRY(open_journal(app, OpenMode::ReadOnly))->state({id})).id.shown();
}

Result<int> undo(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot undo what a person did");
  const std::string about = arguments.positional(0);
  const std::optional<ArchiveEntry> last = TRY(last_change(*app, about));
  if (!last) {
    cli.say("there is nothing to undo" + (about.empty() ? "" : " of " + printable_line(about, 200)));
    if (cli.wants_json()) print_paths(cli, "", {}, {}, "", false);
    return kExitDone;
  }
  if (!cli.wants_json()) {
    if (last->is_run)
      cli.say((last->restored ? "sets aside again run " : "brings back run ") + printable_line(last->id, 200));
    if (!last->is_run && !last->lanes.empty()) {
      const std::string lane =
          "lane " + printable_line(join(last->lanes, ", "), 200) + " of " + printable_line(last->id, 200);
      if (last->removed) {
        cli.say((last->restored ? "removes " : "brings back ") + lane);
      } else {
        cli.say((last->restored ? "rolls back again " : "takes back the rollback of ") + lane);
      }
    }
    for (const std::string& path : last->created ? last->paths : std::vector<std::string>()) {
      cli.say((last->restored ? "puts back " : "takes away ") + printable_line(path, 200) + ", made " +
              to_text(last->at) + " by " + printable_line(last->by, 100));
    }
    for (const std::string& path : last->created ? std::vector<std::string>() : last->paths) {
      cli.say((last->restored ? "sets aside again " : "brings back ") + printable_line(path, 200) + ", " +
              (last->restored ? "brought back " : "set aside ") + to_text(last->changed_at) + " by " +
              printable_line(last->by, 100));
    }
  }
  const std::string question = last->created    ? last->restored ? "put it back?" : "take it away?"
                               : last->restored ? "set it aside again?"
                                                : "bring it back?";
  if (!is_agreed(cli, arguments, question)) {
    const std::string command = "reprise undo " + (about.empty() ? "" : shell_quote(about) + " ") + "--yes";
    if (cli.wants_json()) print_paths(cli, last->id, last->paths, {}, command, false);
    cli.say("nothing was changed. Do it: " + command);
    return kExitWaiting;
  }
  say_leftovers(cli, TRY(take_back(*app, *last)));
  const std::string next = "reprise plan " + shell_quote(last->is_run ? TRY(shown_id(*app, last->id)) : last->id);
  if (cli.wants_json()) {
    print_paths(cli, last->id, last->paths, {}, next, true);
  } else {
    const std::string away =
        (last->created ? "taken away" : "set aside again") + std::string("; `reprise undo` brings it back");
    cli.say(last->restored != last->created ? away : "brought back; look at it: " + next);
  }
  return kExitDone;
}

}  // namespace

bool is_agreed(Cli& cli, const Arguments& arguments, const std::string& question) {
  if (arguments.has("yes")) return true;
  if (!cli.is_interactive()) return false;
  static const std::string kAnswers[] = {"yes", "no"};
  Result<SignalWatch> signals = SignalWatch::start();
  return signals && ask(cli, *signals, question + " (yes / no)", kAnswers).text == "yes";
}

Result<bool> set_aside_if_agreed(Cli& cli, App& app, const std::string& id, const Arguments& arguments) {
  const std::unique_ptr<Journal> journal = TRY(open_journal(app, OpenMode::ReadWrite));
  const FreshStart planned = TRY(plan_fresh(app, journal.get(), TRY(find_work(app, journal.get(), id))));
  say_fresh_start(cli, planned);
  if (!is_agreed(cli, arguments, "Archive this work and start a new run?")) {
    cli.say("nothing was changed");
    return false;
  }
  say_leftovers(cli, TRY(start_fresh(app, journal.get(), planned)));
  return true;
}

int fresh_command(Cli& cli, const Arguments& arguments) { return cli.finish(fresh(cli, arguments)); }
int undo_command(Cli& cli, const Arguments& arguments) { return cli.finish(undo(cli, arguments)); }

}  // namespace reprise
