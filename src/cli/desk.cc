#include "cli/desk.h"

#include <algorithm>

#include "app/desk.h"
#include "base/strings.h"
#include "cli/desk_actions.h"
#include "cli/desk_lines.h"
#include "cli/desk_screen.h"
#include "cli/terminal.h"

namespace reprise {
namespace {

constexpr int kWidthMin = 40;         // a narrower screen, or one that cannot be painted on, gets lines
constexpr Duration kLookingTime{60};  // between two looks at the keyboard

// The desk on a terminal that gives single keys.
class KeyDesk {
 public:
  KeyDesk(Cli& cli, App& app, Desk desk, std::unique_ptr<KeyTerminal> keys)
      : cli_(cli), app_(app), desk_(std::move(desk)), view_(desk_view(cli, app, desk_)), keys_(std::move(keys)) {}

  int run() {
    const int code = loop();
    keys_->leave();
    if (painted_ > 0) cli_.paint("\n");
    if (desk_.entries.empty() && code == kExitDone) cli_.print(desk_empty_text(desk_, view_.width));
    return code;
  }

 private:
  int loop();
  void paint();
  void clear();
  bool work_on_list();
  void look_at_shown();
  std::optional<RunId> chosen_id();
  void take_over(Desk desk, const std::optional<RunId>& id);
  void select(const std::optional<RunId>& id);
  void refresh();
  bool is_as_shown();
  void choose(std::size_t index);
  void choose_by_digit(char digit);
  void choose_other();
  std::optional<int> handle(const Key& key);
  void handle_filter(const Key& key);
  std::optional<int> handle_text(const std::string& text);
  std::optional<int> act(std::string_view key);
  std::optional<int> go_back(bool acted);
  DeskEntry* selected() { return view_.shown.empty() ? nullptr : &desk_.entries[view_.shown[view_.selected]]; }

  Cli& cli_;
  App& app_;
  Desk desk_;
  DeskView view_;
  std::unique_ptr<KeyTerminal> keys_;
  std::size_t painted_ = 0;  // lines on the screen that are ours
  bool is_complete_ = false;
  bool is_settled_ = false;  // rows stay where they are
  bool has_chosen_ = false;  // a key was pressed: the selection is a person's
  std::string digits_;       // typed one after the other
};

void KeyDesk::paint() {
  scroll_to_selected(view_);
  const std::vector<std::string> lines = desk_frame(view_);
  std::string out = painted_ > 1 ? "\x1b[" + std::to_string(painted_ - 1) + "A" : "";
  out += "\r\x1b[J" + join(lines, "\n");
  cli_.paint(out);
  painted_ = lines.size();
}

// After the size has changed, lines are no longer where they were painted.
void KeyDesk::clear() {
  const TerminalFacts facts = terminal_facts();
  view_.width = facts.width;
  view_.height = facts.height;
  cli_.paint("\x1b[H\x1b[2J");
  painted_ = 0;
}

int KeyDesk::loop() {
  paint();
  for (bool is_busy = true;;) {
    const Key key = keys_->next(is_busy ? 0 : -1);
    if (key.kind == Key::Kind::None) {
      is_busy = is_busy && work_on_list();
      continue;
    }
    if (const std::optional<int> code = handle(key)) return *code;
    if (desk_.entries.empty()) return kExitDone;
    paint();
    is_busy = true;
  }
}

// Does a part of what is still to be found out; false if all that can be seen is known.
bool KeyDesk::work_on_list() {
  if (!is_complete_) {
    const std::optional<RunId> id = chosen_id();
    complete(app_, desk_);
    select(id);
    is_complete_ = true;
    paint();
    return true;
  }
  const std::size_t end = std::min(view_.shown.size(), view_.top + rows_on_screen(view_));
  for (std::size_t i = view_.top; i < end; ++i) {
    if (desk_.entries[view_.shown[i]].is_looked_at()) continue;
    look_at_shown();
    paint();
    return true;
  }
  return false;
}

void KeyDesk::look_at_shown() {
  const Duration begin = app_.clock.monotonic();
  const std::size_t end = std::min(view_.shown.size(), view_.top + rows_on_screen(view_));
  for (std::size_t i = view_.top; i < end; ++i) {
    DeskEntry& entry = desk_.entries[view_.shown[i]];
    if (entry.is_looked_at()) continue;
    look_at(app_, entry);
    if (app_.clock.monotonic() - begin > kLookingTime) break;
  }
  const auto looked_at = std::ranges::count_if(desk_.entries, &DeskEntry::is_looked_at);
  if (is_settled_ || static_cast<std::size_t>(looked_at) > kDeskOrderedMax) return;
  const std::optional<RunId> id = chosen_id();
  put_in_order(desk_.entries);
  select(id);
}

// What a person has moved to, and must stay on; nothing as long as the list is looked at from its top.
std::optional<RunId> KeyDesk::chosen_id() {
  return has_chosen_ && selected() != nullptr ? std::optional(selected()->candidate().id) : std::nullopt;
}

void KeyDesk::take_over(Desk desk, const std::optional<RunId>& id) {
  desk_ = std::move(desk);
  select(id);
}

// Selects the entry that holds `id`, or the first.
void KeyDesk::select(const std::optional<RunId>& id) {
  apply_filter(view_);
  view_.selected = 0;
  for (std::size_t i = 0; id && i < view_.shown.size(); ++i) {
    DeskEntry& entry = desk_.entries[view_.shown[i]];
    const auto member = std::ranges::find(entry.members, *id, &Candidate::id);
    if (member == entry.members.end()) continue;
    view_.selected = i;
    entry.chosen = static_cast<std::size_t>(member - entry.members.begin());
  }
  scroll_to_selected(view_);
}

void KeyDesk::refresh() {
  const std::optional<RunId> id = chosen_id();
  Result<Desk> desk = read_desk(app_);
  if (!desk) {
    view_.message = "the project cannot be read: " + desk.error().message;
    return;
  }
  is_complete_ = is_settled_ = false;
  take_over(std::move(*desk), id);
}

// Looks again at what is about to be acted on (DS3). False: what is true now is on the screen instead.
bool KeyDesk::is_as_shown() {
  const DeskEntry shown = *selected();
  const RunId id = shown.candidate().id;
  const std::string name = printable_line(id.shown(), 120);
  Result<Desk> desk = read_desk(app_);
  if (!desk) {
    view_.message = "the project cannot be read: " + desk.error().message;
    return false;
  }
  complete(app_, *desk);
  DeskEntry* now = find_entry(*desk, id);
  if (now == nullptr) {
    view_.message = name + " is no longer interrupted; nothing was done";
  } else {
    const auto member = std::ranges::find(now->members, id, &Candidate::id);
    now->chosen = static_cast<std::size_t>(member - now->members.begin());
    if (shown.is_looked_at()) look_at(app_, *now);
    if (fingerprint(*now) == fingerprint(shown)) return true;
    view_.message = name + " has changed since it was shown; nothing was done, look again";
  }
  take_over(std::move(*desk), id);
  is_settled_ = false;
  return false;
}

void KeyDesk::choose(std::size_t index) {
  if (view_.shown.empty()) return;
  view_.selected = std::min(index, view_.shown.size() - 1);
}

// Digits that follow each other are one number, as long as there is such a row.
void KeyDesk::choose_by_digit(char digit) {
  const auto most = static_cast<long long>(view_.shown.size());
  for (const std::string& typed : {digits_ + digit, std::string(1, digit)}) {
    const std::optional<long long> number = parse_number(typed, most);
    if (!number || *number == 0) continue;
    digits_ = typed;
    choose(static_cast<std::size_t>(*number - 1));
    return;
  }
  digits_.clear();
}

void KeyDesk::choose_other() {
  DeskEntry* entry = selected();
  if (entry == nullptr) return;
  if (entry->members.size() < 2) {
    view_.message = "only one state file tells of this";
    return;
  }
  entry->chosen = (entry->chosen + 1) % entry->members.size();
  look_at(app_, *entry);
}

std::optional<int> KeyDesk::handle(const Key& key) {
  view_.message.clear();
  if (key.kind != Key::Kind::Text) digits_.clear();
  if (key.kind == Key::Kind::Ended) return kExitSignal + key.signal;
  if (key.kind == Key::Kind::Resized) {
    clear();
    return std::nullopt;
  }
  is_settled_ = has_chosen_ = true;  // from now on no row moves by itself
  if (view_.is_filtering) {
    handle_filter(key);
    return std::nullopt;
  }
  const std::size_t page = rows_on_screen(view_);
  switch (key.kind) {
    case Key::Kind::Up: choose(view_.selected - std::min<std::size_t>(1, view_.selected)); break;
    case Key::Kind::Down: choose(view_.selected + 1); break;
    case Key::Kind::PageUp: choose(view_.selected - std::min(page, view_.selected)); break;
    case Key::Kind::PageDown: choose(view_.selected + page); break;
    case Key::Kind::First: choose(0); break;
    case Key::Kind::Last: choose(view_.shown.size()); break;
    case Key::Kind::Enter: return act("r");
    case Key::Kind::Escape:
      view_.filter.clear();
      apply_filter(view_);
      break;
    case Key::Kind::Text: return handle_text(key.text);
    default: break;
  }
  return std::nullopt;
}

void KeyDesk::handle_filter(const Key& key) {
  if (key.kind == Key::Kind::Text) view_.filter += key.text;
  if (key.kind == Key::Kind::Erase) {
    while (!view_.filter.empty() && (static_cast<unsigned char>(view_.filter.back()) & 0xc0) == 0x80)
      view_.filter.pop_back();
    if (!view_.filter.empty()) view_.filter.pop_back();
  }
  if (key.kind == Key::Kind::Escape) view_.filter.clear();
  view_.is_filtering = key.kind != Key::Kind::Enter && key.kind != Key::Kind::Escape;
  apply_filter(view_);
}

std::optional<int> KeyDesk::handle_text(const std::string& text) {
  const char key = text.size() == 1 ? text[0] : '\0';
  if (key >= '0' && key <= '9') {
    choose_by_digit(key);
    return std::nullopt;
  }
  digits_.clear();
  switch (key) {
    case 'q': return kExitDone;
    case 'j': choose(view_.selected + 1); return std::nullopt;
    case 'k': choose(view_.selected - std::min<std::size_t>(1, view_.selected)); return std::nullopt;
    case 'o': choose_other(); return std::nullopt;
    case 'g': refresh(); return std::nullopt;
    case '/': view_.is_filtering = true; return std::nullopt;
    default: return act(text);
  }
}

std::optional<int> KeyDesk::act(std::string_view key) {
  const DeskAction* action = find_action(key);
  if (action == nullptr) {
    view_.message = "\"" + printable_line(key, 4) + "\" is no key here; ? shows what the keys do";
    return std::nullopt;
  }
  if (action->needs_entry && selected() == nullptr) {
    view_.message = "no row is chosen";
    return std::nullopt;
  }
  if (action->acts && !is_as_shown()) return std::nullopt;
  cli_.paint("\n\n");
  painted_ = 0;
  keys_->leave();
  const int code = action->run(cli_, selected());
  if (code > kExitSignal) return code;
  if (code != kExitDone) cli_.say("(exit code " + std::to_string(code) + ")");
  return go_back(action->acts);
}

// Leaves what was shown on the screen until a key is pressed.
std::optional<int> KeyDesk::go_back(bool acted) {
  keys_->enter();
  cli_.paint("\n[any key: the list, q: quit]");
  Key key;
  while (key.kind == Key::Kind::None || key.kind == Key::Kind::Resized) {
    key = keys_->next(-1);
    if (key.kind == Key::Kind::Resized) {
      const TerminalFacts facts = terminal_facts();
      view_.width = facts.width;
      view_.height = facts.height;
    }
  }
  cli_.paint("\n");
  if (key.kind == Key::Kind::Ended) return kExitSignal + key.signal;
  if (key.text == "q") return kExitDone;
  if (acted) refresh();
  return std::nullopt;
}

int show_text(Cli& cli, App& app, Desk desk) {
  complete(app, desk);
  look_at_first(app, desk, cli.wants_json() ? desk.entries.size() : kDeskOrderedMax);
  if (cli.wants_json()) {
    cli.print(desk_document(desk) + "\n");
  } else if (desk.entries.empty()) {
    cli.print(desk_empty_text(desk, cli.width()));
  } else {
    cli.print(desk_text(desk_view(cli, app, desk)));
  }
  if (desk.problems.empty()) return kExitDone;
  cli.say("  try: reprise doctor");
  return kExitStore;
}

Result<int> show_desk(Cli& cli) {
  App* app = TRY(cli.app());
  Desk desk = TRY(read_desk(*app));
  const TerminalFacts facts = terminal_facts();
  if (!cli.is_interactive() || !facts.can_read) return show_text(cli, *app, std::move(desk));
  if (desk.entries.empty()) complete(*app, desk);
  if (desk.entries.empty()) return show_text(cli, *app, std::move(desk));
  if (!facts.can_draw || facts.width < kWidthMin) return run_line_desk(cli, *app, std::move(desk));
  std::unique_ptr<KeyTerminal> keys = KeyTerminal::start();
  if (keys == nullptr) return run_line_desk(cli, *app, std::move(desk));
  return KeyDesk(cli, *app, std::move(desk), std::move(keys)).run();
}

}  // namespace

int desk_command(Cli& cli, const Arguments&) { return cli.finish(show_desk(cli)); }

}  // namespace reprise
