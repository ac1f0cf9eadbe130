#include "cli/desk_lines.h"

#include <algorithm>

#include "base/strings.h"
#include "cli/desk_actions.h"
#include "cli/desk_screen.h"
#include "cli/prompt.h"
#include "cli/terminal.h"

namespace reprise {
namespace {

// The desk on a terminal without cursor movement, or too narrow for a list: a numbered text and a line to type.
class LineDesk {
 public:
  LineDesk(Cli& cli, App& app, Desk desk) : cli_(cli), app_(app), desk_(std::move(desk)) {}
  int run();

 private:
  void show();
  std::optional<int> take(const std::string& line);
  std::optional<int> refresh();
  std::optional<int> act(const DeskAction& action);

  Cli& cli_;
  App& app_;
  Desk desk_;
  std::size_t selected_ = 0;
};

void LineDesk::show() {
  complete(app_, desk_);
  look_at_first(app_, desk_, kDeskOrderedMax);
  selected_ = 0;
  if (!desk_.entries.empty()) cli_.print(desk_text(desk_view(cli_, app_, desk_)));
}

int LineDesk::run() {
  show();
  for (;;) {
    Reply line;
    {
      const SignalsAsFound as_found;
      Result<SignalWatch> signals = SignalWatch::start();
      if (!signals) return cli_.report(signals.error());
      line = ask(cli_, *signals, "\nwhat? (r 1 resumes row 1, p 1 plans it, ? shows all, q quits)", {});
      if (!line.is_answered()) return line.exit == kExitWaiting ? static_cast<int>(kExitDone) : line.exit;
    }
    if (const std::optional<int> code = take(line.text)) return *code;
    if (desk_.entries.empty()) {
      cli_.print(desk_empty_text(desk_, cli_.width()));
      return kExitDone;
    }
  }
}

// "r 2", "2 r", "r" or "2": a key, a row, or both. An empty line, or g, reads everything again.
std::optional<int> LineDesk::take(const std::string& line) {
  std::string key;
  bool has_number = false;
  for (const std::string_view word : split(line, ' ')) {
    const std::optional<long long> number = parse_number(word, static_cast<long long>(desk_.entries.size()));
    if (number && *number > 0) {
      selected_ = static_cast<std::size_t>(*number - 1);
      has_number = true;
    } else if (!word.empty()) {
      key = word;
    }
  }
  if (key == "q") return kExitDone;
  if (key == "g" || (key.empty() && !has_number)) return refresh();
  const DeskAction* action = find_action(key);
  if (action != nullptr) return act(*action);
  const DeskEntry& entry = desk_.entries[selected_];
  cli_.say(key.empty() ? printable_line(entry.candidate().id.shown(), 120) + ": " + next_words(entry)
                       : "that is no key here; ? shows what there is");
  return std::nullopt;
}

std::optional<int> LineDesk::refresh() {
  Result<Desk> desk = read_desk(app_);
  if (!desk) return cli_.report(desk.error());
  desk_ = std::move(*desk);
  show();
  return std::nullopt;
}

std::optional<int> LineDesk::act(const DeskAction& action) {
  const SignalsAsFound as_found;
  const DeskEntry shown = desk_.entries[selected_];
  if (!action.acts) {
    action.run(cli_, &shown);
    return std::nullopt;
  }
  const RunId id = shown.candidate().id;
  Result<Desk> desk = read_desk(app_);
  if (!desk) return cli_.report(desk.error());
  complete(app_, *desk);
  DeskEntry* now = find_entry(*desk, id);
  if (now != nullptr && shown.is_looked_at()) look_at(app_, *now);
  if (now == nullptr || fingerprint(*now) != fingerprint(shown)) {
    cli_.say(printable_line(id.shown(), 120) + " has changed since it was shown; nothing was done, look again");
    return refresh();
  }
  const int code = action.run(cli_, now);
  return code > kExitSignal ? std::optional(code) : refresh();
}

}  // namespace

DeskView desk_view(const Cli& cli, const App& app, const Desk& desk) {
  const TerminalFacts facts = terminal_facts();
  DeskView view{.desk = &desk, .project = printable_line(app.project.filename().string(), 60)};
  view.width = facts.width;
  view.height = facts.height;
  view.colour = cli.bold("x") != "x";
  apply_filter(view);
  return view;
}

void look_at_first(App& app, Desk& desk, std::size_t count) {
  for (std::size_t i = 0; i < std::min(count, desk.entries.size()); ++i) look_at(app, desk.entries[i]);
  put_in_order(desk.entries);
}

int run_line_desk(Cli& cli, App& app, Desk desk) { return LineDesk(cli, app, std::move(desk)).run(); }

}  // namespace reprise
