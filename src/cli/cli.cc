#include "cli/cli.h"

#include <cerrno>
#include <csignal>

#include "app/documents.h"
#include "base/strings.h"
#include "cli/desk.h"
#include "cli/generate.h"
#include "cli/layout.h"
#include "cli/next_step.h"
#include "cli/terminal.h"
#include "os/signals.h"

namespace reprise {
namespace {

int run_command_of(Cli& cli, const Arguments& arguments) {
  if (arguments.has("version")) {
    cli.print(version_text());
    return kExitDone;
  }
  if (arguments.wants_help) {
    cli.print(arguments.command == nullptr ? help_text() : help_text(*arguments.command));
    return kExitDone;
  }
  if (arguments.command == nullptr) return desk_command(cli, arguments);
  return arguments.command->handler(cli, arguments);
}

}  // namespace

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::NotFound:
    case ErrorKind::Invalid:
    case ErrorKind::Unavailable: return kExitUsage;
    case ErrorKind::Conflict:
    case ErrorKind::Busy: return kExitHeld;
    case ErrorKind::Interrupted: {
      const int signal = pending_end_signal();
      return kExitSignal + (signal != 0 ? signal : SIGTERM);
    }
    case ErrorKind::Refused: return kExitWaiting;
    case ErrorKind::Corrupt:
    case ErrorKind::Denied:
    case ErrorKind::Io: return kExitStore;
  }
  return kExitStore;
}

Cli::Cli(const Arguments& arguments) : arguments_(arguments) {
  if (arguments.has("C")) directory_ = arguments.value("C");
  json_ = arguments.has("json");
  quiet_ = arguments.has("quiet");
  verbose_ = arguments.has("verbose");
  const TerminalFacts facts = terminal_facts();
  interactive_ = facts.can_ask && !json_;
  live_ = facts.can_draw && !json_ && !quiet_;
  colour_ = facts.can_draw && !facts.no_colour;
  plain_print_ = colour_ && !facts.prints_on_it;
  width_ = facts.text_width;
  screen_width_ = facts.width;
}

void Cli::say_wait(const std::string& text, const std::vector<std::string>& hints) {
  say(printable(text));
  for (const std::string& hint : hints) say("  try: " + hint);
}

std::string Cli::placed(std::string_view text, bool is_json) const {
  return directory_ == "." ? std::string(text) : with_directory(text, directory_, is_json);
}
std::string Cli::safe_for_stdout(std::string_view text) const {
  return json_ ? visible_json(text) : visible(text, colour_ && !plain_print_);
}
void Cli::print(std::string_view text) {
  const std::string shown = placed(text, json_);
  deliver(out_, safe_for_stdout(plain_print_ ? without_colour(shown) : shown));
}
void Cli::pass_on(std::string_view text) { deliver(out_, safe_for_stdout(text)); }
std::string Cli::shown_line(std::string_view line) const { return visible(placed(line, false), colour_) + "\n"; }
void Cli::say_of_elsewhere(std::string_view line) { deliver(err_, visible(line, colour_) + "\n"); }
void Cli::say(std::string_view line) { deliver(err_, shown_line(line)); }
void Cli::paint(std::string_view text) { deliver(err_, text); }

void Cli::deliver(Output& output, std::string_view text) {
  output.put(text);
  if (live_depth_ == 0) output.drain(std::nullopt);
}

void Cli::pump_output() {
  out_.pump();
  err_.pump();
}

Result<void> Cli::write_bytes(std::string_view bytes) {
  deliver(out_, bytes);
  if (out_.failure() == 0) return {};
  is_failure_told_ = true;
  return fail(error_from_errno(out_.failure(), "cannot write to standard output"));
}

int Cli::close(int exit_code) {
  if (exit_code >= kExitSignal) {
    pump_output();
    return exit_code;
  }
  constexpr Duration kUnreadPatience{1'000};  // for a parent that waits for our end before it reads
  err_.drain(terminal_facts().can_draw ? std::nullopt : std::optional(kUnreadPatience));
  out_.drain(std::nullopt);
  if (const int signal = pending_end_signal(); signal != 0 && out_.is_stalled()) return kExitSignal + signal;
  out_.close();
  const int on_stdout = out_.failure();
  const int on_stderr = err_.failure();
  if (on_stdout == EPIPE) return kExitSignal + SIGPIPE;
  if (on_stdout != 0 && !is_failure_told_)
    say("reprise: " + error_from_errno(on_stdout, "cannot write to standard output").message);
  // A terminal that is gone, or a reader that has what it wanted, is no failure of ours.
  const bool has_failed = on_stdout != 0 || (on_stderr != 0 && on_stderr != EPIPE && on_stderr != EIO);
  return has_failed ? kExitStore : exit_code;
}

std::string Cli::colour(std::string_view text, int code) const {
  return colour_ ? "\x1b[" + std::to_string(code) + "m" + std::string(text) + "\x1b[0m" : std::string(text);
}
std::string Cli::bold(std::string_view text) const { return colour(text, 1); }
std::string Cli::dim(std::string_view text) const { return colour(text, 2); }

int Cli::report(const Error& error) { return report(error, exit_code_of(error.kind)); }

int Cli::report(const Error& error, int exit_code) {
  Error shown = error;
  if (shown.hints.empty()) shown.hints.push_back(next_step(arguments_, error));
  if (json_) print(error_document(shown) + "\n");
  say("reprise: " + printable(shown.message));
  for (const std::string& hint : shown.hints) say("  try: " + printable_line(hint, 2000));
  return exit_code;
}

std::optional<std::string> Cli::read_line(int timeout_ms, bool& ended) {
  for (;;) {
    const std::size_t newline = typed_.find('\n');
    if (newline != std::string::npos) {
      const std::string line(trim(typed_.substr(0, newline)));
      typed_.erase(0, newline + 1);
      return line;
    }
    pump_output();
    std::string chunk;
    if (!read_some(0, timeout_ms, chunk)) return std::nullopt;
    if (chunk.empty()) {
      ended = true;
      return std::nullopt;
    }
    typed_ += chunk;
  }
}

Result<App*> Cli::app() {
  if (app_ == nullptr) {
    if (directory_.empty()) return fail(ErrorKind::Invalid, "-C wants a directory");
    Result<std::unique_ptr<App>> opened = open_app(directory_);
    if (!opened && opened.error().hints.empty()) return fail(std::move(opened.error()).hint("ls -l"));
    app_ = TRY(std::move(opened));
  }
  return app_.get();
}

int run_cli(std::span<const std::string> words) {
  occupy_standard_descriptors();
  Result<Arguments> arguments = parse_arguments(words);
  if (!arguments) {
    Arguments plain;
    for (const std::string& word : words) {
      if (word == "--json") plain.options["json"];
    }
    Cli cli(plain);
    return cli.close(cli.report(arguments.error()));
  }
  Cli cli(*arguments);
  return cli.close(run_command_of(cli, *arguments));
}

}  // namespace reprise
