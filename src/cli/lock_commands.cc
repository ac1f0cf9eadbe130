// Who owns what, and taking a run from an owner that is gone.

#include "app/maintain.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"
#include "cli/layout.h"

namespace reprise {
namespace {

std::string words_for(const Owner& owner) {
  return "process " + std::to_string(owner.pid) + " on " + printable_line(owner.host, 80) + " since " +
         to_text(owner.since);
}

std::string locks_text(const Cli& cli, const std::vector<LockEntry>& locks) {
  if (locks.empty()) return "nobody owns a run here\n";
  std::string out;
  for (const LockEntry& lock : locks) {
    const std::string id = shell_quote(lock.run.shown());
    const int colour = lock.state == OwnerState::Alive ? 32 : 33;
    out += wrapped(cli.bold(printable_line(lock.run.shown(), 120)) + "  " +
                       cli.colour(to_token(lock.state), colour) + "  " + words_for(lock.owner),
                   cli.width(), 4) +
           "\n";
    switch (lock.state) {
      case OwnerState::Alive: out += "  watch it: reprise attach " + id + "\n"; break;
      case OwnerState::Dead: out += "  go on: reprise resume " + id + "\n"; break;
      case OwnerState::Unknown:
        out += wrapped("  it is of another machine; look there before you go on", cli.width(), 4) + "\n";
        out += "  reprise resume " + id + "\n";
    }
  }
  return out;
}

std::string locks_document(const std::vector<LockEntry>& locks) {
  JsonWriter json;
  json.begin_object().key("locks").begin_array();
  for (const LockEntry& lock : locks) {
    json.begin_object().field("id", lock.run.shown()).field("host", lock.owner.host).field("pid", lock.owner.pid);
    json.field("since", to_text(lock.owner.since)).field("alive", lock.owner.alive);
    json.field("state", to_token(lock.state)).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

Result<int> show_locks(Cli& cli) {
  App* app = TRY(cli.app());
  const std::vector<LockEntry> locks = TRY(list_locks(*app));
  cli.print(cli.wants_json() ? locks_document(locks) + "\n" : locks_text(cli, locks));
  return kExitDone;
}

Result<int> break_one(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  RunId run;
  {
    const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
    run = TRY(find_run(*journal, arguments.positional(0)));
  }
  const std::optional<Owner> owner = TRY(break_lock(*app, run));
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().field("id", run.shown()).field("was_held", owner.has_value()).end_object();
    cli.print(json.take() + "\n");
  }
  cli.say(owner ? run.shown() + " was taken from " + words_for(*owner) + ", which is gone; it is free"
                : "nobody holds " + run.shown());
  return kExitDone;
}

}  // namespace

int lock_list_command(Cli& cli, const Arguments&) { return cli.finish(show_locks(cli)); }
int lock_break_command(Cli& cli, const Arguments& arguments) { return cli.finish(break_one(cli, arguments)); }

}  // namespace reprise
