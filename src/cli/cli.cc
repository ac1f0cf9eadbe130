#include "cli/cli.h"

#include "app/documents.h"
#include "base/strings.h"
#include "cli/desk.h"
#include "cli/generate.h"
#include "cli/layout.h"
#include "cli/next_step.h"
#include "cli/terminal.h"

namespace reprise {
int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::NotFound:
    case ErrorKind::Invalid:
    case ErrorKind::Unavailable: return kExitUsage;
    case ErrorKind::Conflict: return kExitHeld;
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
  width_ = facts.width;
}

std::string Cli::placed(std::string_view text, bool is_json) const {
  return directory_ == "." ? std::string(text) : with_directory(text, directory_, is_json);
}
void Cli::print(std::string_view text) {
  if (directory_ == "." && !plain_print_) return pass_on(text);
  const std::string shown = placed(text, json_);
  pass_on(plain_print_ ? without_colour(shown) : shown);
}
void Cli::pass_on(std::string_view text) { write_all(1, text); }
void Cli::say_of_elsewhere(std::string_view line) { write_all(2, std::string(line) + "\n"); }
void Cli::say(std::string_view line) { write_all(2, placed(line, false) + "\n"); }
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
  Result<Arguments> arguments = parse_arguments(words);
  if (!arguments) {
    Arguments plain;
    for (const std::string& word : words) {
      if (word == "--json") plain.options["json"];
    }
    return Cli(plain).report(arguments.error());
  }
  Cli cli(*arguments);
  if (arguments->has("version")) {
    cli.print(version_text());
    return kExitDone;
  }
  if (arguments->command == nullptr && !arguments->wants_help) return desk_command(cli, *arguments);
  if (arguments->wants_help) {
    cli.print(arguments->command == nullptr ? help_text() : help_text(*arguments->command));
    return kExitDone;
  }
  return arguments->command->handler(cli, *arguments);
}

}  // namespace reprise
