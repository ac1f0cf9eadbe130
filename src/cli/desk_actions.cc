#include "cli/desk_actions.h"

#include <algorithm>

#include "app/desk_changes.h"
#include "app/status.h"
#include "base/strings.h"
#include "cli/desk_screen.h"
#include "cli/handlers.h"
#include "cli/layout.h"
#include "cli/prompt.h"
#include "cli/resume.h"
#include "model/limits.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr std::size_t kShownLinesMax = 40;  // of a file that is to be approved

Arguments about(const DeskEntry& entry) {
  Arguments arguments;
  arguments.positionals = {entry.candidate().id.shown()};
  return arguments;
}

// The one key: a clean state that was shown as such goes on at once, anything else is asked about.
int resume(Cli& cli, const DeskEntry* entry) {
  const bool is_clean =
      entry->plan && entry->plan->readiness == Readiness::Ready && trust_of(*entry).kind == TrustKind::Clean;
  return cli.finish(resume_run(cli, entry->candidate().id.shown(), about(*entry), is_clean));
}

int plan(Cli& cli, const DeskEntry* entry) { return plan_command(cli, about(*entry)); }
int why(Cli& cli, const DeskEntry* entry) { return why_command(cli, about(*entry)); }
int fresh(Cli& cli, const DeskEntry* entry) { return fresh_command(cli, about(*entry)); }
int cleanup(Cli& cli, const DeskEntry* entry) { return cleanup_command(cli, about(*entry)); }
int show_inbox(Cli& cli, const DeskEntry*) { return inbox_command(cli, {}); }

int log(Cli& cli, const DeskEntry* entry) {
  const auto is_run = [&]() -> Result<bool> {
    App* app = TRY(cli.app());
    const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadOnly));
    return journal->state(entry->candidate().id).has_value();
  }();
  if (is_run && *is_run) return log_command(cli, about(*entry));
  cli.print(wrapped("no attempt of this was made by Reprise, so there is no output; what is known is in " +
                        printable_line(entry->candidate().state_file, 200),
                    cli.width(), 2) +
            "\n");
  return kExitDone;
}

int diff(Cli& cli, const DeskEntry* entry) {
  const auto changes = [&]() -> Result<std::string> {
    App* app = TRY(cli.app());
    return changes_since(*app, entry->candidate());
  }();
  if (!changes) return cli.report(changes.error());
  cli.print(changes->empty() ? "nothing has changed since it was recorded\n" : printable(*changes));
  return kExitDone;
}

int help(Cli& cli, const DeskEntry*) {
  cli.print(desk_help(cli.width()));
  return kExitDone;
}

// What a person owes to one entry, as the inbox tells it.
Result<std::vector<InboxItem>> owed(Cli& cli, const DeskEntry& entry) {
  App* app = TRY(cli.app());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind != ErrorKind::NotFound) return fail(journal.error());
  std::vector<InboxItem> items = TRY(inbox(*app, journal ? journal->get() : nullptr));
  std::erase_if(items, [&](const InboxItem& item) { return item.id != entry.candidate().id; });
  return items;
}

void show_file(Cli& cli, App& app, const std::string& path) {
  const Result<std::string> bytes = app.files.read(app.project / path, kDocumentBytesMax);
  cli.print(cli.bold("--- " + printable_line(path, 200)) + "\n");
  if (!bytes) {
    cli.print("  " + printable_line(bytes.error().message, 300) + "\n");
    return;
  }
  const std::vector<std::string_view> lines = split(*bytes, '\n');
  for (std::size_t i = 0; i < std::min(lines.size(), kShownLinesMax); ++i) cli.print(printable(lines[i]) + "\n");
  if (lines.size() > kShownLinesMax)
    cli.print("… " + std::to_string(lines.size() - kShownLinesMax) + " more lines\n");
}

Result<int> decide_gate(Cli& cli, SignalWatch& signals, const InboxItem& item) {
  App* app = TRY(cli.app());
  if (item.change.empty()) {
    for (const std::string& path : item.shows) show_file(cli, *app, path);
  } else {
    cli.print("changed since it was last approved:\n" + printable(item.change));
  }
  cli.say(wrapped(cli.bold(printable_line(item.name, 80)) + ": " + printable_line(item.ask, 600), cli.width(), 2));
  static const std::string kAnswers[] = {"yes", "no", "later"};
  const Reply answer = ask(cli, signals, "approve? (yes / no / later)", kAnswers);
  if (!answer.is_answered()) return answer.exit;
  if (answer.text == "later") return kExitWaiting;
  Arguments arguments;
  arguments.positionals = {item.id.shown(), item.name};
  if (answer.text == "yes") return approve_command(cli, arguments);
  const Reply because = ask(cli, signals, "why not?", {});
  if (!because.is_answered()) return because.exit;
  if (because.text.empty()) return kExitWaiting;
  arguments.options["because"] = {because.text};
  return reject_command(cli, arguments);
}

Result<int> answer_question(Cli& cli, SignalWatch& signals, const InboxItem& item) {
  cli.say(wrapped(cli.bold(printable_line(item.name, 80)) + ": " + printable_line(item.ask, 600), cli.width(), 2));
  for (const std::string& option : item.options) cli.say("  - " + printable_line(option, 200));
  const Reply reply = ask(cli, signals, "your answer (an empty line: later)", {});
  if (!reply.is_answered()) return reply.exit;
  if (reply.text.empty()) return kExitWaiting;
  Arguments arguments;
  arguments.positionals = {item.id.shown(), item.name, reply.text};
  return answer_command(cli, arguments);
}

Result<int> decide(Cli& cli, const DeskEntry& entry) {
  const std::vector<InboxItem> items = TRY(owed(cli, entry));
  if (items.empty()) {
    cli.say(printable_line(entry.candidate().id.shown(), 120) + " waits for nothing that you could give here");
    return kExitDone;
  }
  SignalWatch signals = TRY(SignalWatch::start());
  std::size_t which = 0;
  if (items.size() > 1) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      cli.say(wrapped("  " + std::to_string(i + 1) + "  " + items[i].kind + " " +
                          printable_line(items[i].name, 80) + ": " + printable_line(items[i].ask, 300),
                      cli.width(), 5));
    }
    static const std::string kNone[] = {"none"};
    const Reply reply =
        ask_which(cli, signals, "which? (1-" + std::to_string(items.size()) + ", or none)", items.size(), kNone);
    if (!reply.is_answered()) return reply.exit;
    const std::optional<long long> number = parse_number(reply.text, static_cast<long long>(items.size()));
    if (!number || *number == 0) return kExitWaiting;
    which = static_cast<std::size_t>(*number - 1);
  }
  const InboxItem& item = items[which];
  return item.kind == "gate" ? decide_gate(cli, signals, item) : answer_question(cli, signals, item);
}

int approve(Cli& cli, const DeskEntry* entry) { return cli.finish(decide(cli, *entry)); }

constexpr DeskAction kActions[] = {
    {'r', true, true, resume}, {'p', false, true, plan},   {'w', false, true, why},
    {'l', false, true, log},   {'d', false, true, diff},   {'a', true, true, approve},
    {'f', true, true, fresh},  {'c', true, true, cleanup}, {'i', false, false, show_inbox},
    {'?', false, false, help},
};

}  // namespace

const DeskAction* find_action(std::string_view key) {
  const auto found = std::ranges::find_if(
      kActions, [&](const DeskAction& action) { return key.size() == 1 && key[0] == action.key; });
  return found == std::end(kActions) ? nullptr : found;
}

}  // namespace reprise
