// The command line: what people type, what they see, and the exit codes of the contract.
//
// What one may pipe goes to stdout; progress, prompts and diagnostics go to stderr. With `--json` a
// command prints the JsonForm of its row in the table, usually one document, and never prompts. Prompts only on a
// terminal.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/app.h"
#include "base/result.h"
#include "cli/arguments.h"

namespace reprise {

enum ExitCode : int {
  kExitDone = 0,
  kExitFailed = 1,
  kExitUsage = 2,
  kExitWaiting = 3,
  kExitBlocked = 4,
  kExitHeld = 5,
  kExitStore = 6,
  kExitSignal = 128,  // plus the number of the signal that ended it
};

/// Returns the exit code that an error stands for.
int exit_code_of(ErrorKind kind);

class Cli {
 public:
  explicit Cli(const Arguments& arguments);

  /// Whether a person can be asked.
  bool is_interactive() const { return interactive_; }
  bool wants_json() const { return json_; }
  bool is_quiet() const { return quiet_; }
  bool is_verbose() const { return verbose_; }
  /// Whether stderr is a terminal that understands colour and cursor movement.
  bool has_live_screen() const { return live_; }
  bool has_colour() const { return colour_; }
  int width() const { return width_; }

  /// Writes to stdout; text from outside must have been made printable. Commands of ours in it work where the
  /// person is: with -C they are given the same directory.
  void print(std::string_view text);
  /// Writes to stdout what is not ours to say, byte for byte: what a worker printed, a file, a definition.
  void pass_on(std::string_view text);
  /// Writes a diagnostic line to stderr, with commands as in print().
  void say(std::string_view line);
  /// The same with commands as they are: they are for another place.
  void say_of_elsewhere(std::string_view line);
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  std::string colour(std::string_view text, int code) const;

  /// Shows an error with its hints, or with a next step if it has none, or prints it as JSON; returns its exit
  /// code.
  int report(const Error& error);
  int report(const Error& error, int exit_code);
  /// Returns a command's exit code; an error is reported first. A question that a signal ended has the last word.
  int finish(const Result<int>& result) {
    const int exit_code = result ? *result : report(result.error());
    return signal_exit_ != 0 ? signal_exit_ : exit_code;
  }
  /// A question ended with this exit code instead of an answer; finish() knows it, if it was a signal's.
  void ended_at_prompt(int exit_code) {
    if (exit_code >= 128) signal_exit_ = exit_code;
  }

  /// Asks on the terminal until one of `answers` (compared by their first letter too) is given; nothing at
  /// the end of input. `while_waiting` is called a few times a second.
  template <typename Poll>
  std::optional<std::string> ask(const std::string& question, std::span<const std::string> answers,
                                 Poll&& while_waiting);

  /// Opens the project that -C or the current directory names.
  Result<App*> app();

 private:
  std::optional<std::string> read_line(int timeout_ms, bool& ended);

  std::string placed(std::string_view text, bool is_json) const;

  const Arguments arguments_;
  std::string directory_ = ".";
  bool json_ = false;
  bool quiet_ = false;
  bool verbose_ = false;
  bool interactive_ = false;
  bool live_ = false;
  bool colour_ = false;
  bool plain_print_ = false;  // stderr has colour, and stdout is no terminal
  int width_ = 80;
  int signal_exit_ = 0;
  std::string typed_;
  std::unique_ptr<App> app_;
};

template <typename Poll>
std::optional<std::string> Cli::ask(const std::string& question, std::span<const std::string> answers,
                                    Poll&& while_waiting) {
  for (;;) {
    say(question);
    bool ended = false;
    std::optional<std::string> line;
    while (!line && !ended) {
      line = read_line(200, ended);
      if (!line && !ended && !while_waiting()) return std::nullopt;
    }
    if (!line) return std::nullopt;
    if (answers.empty()) return line;
    for (const std::string& answer : answers) {
      if (*line == answer || (line->size() == 1 && (*line)[0] == answer[0])) return answer;
    }
  }
}

/// Runs the command line; returns the exit code.
int run_cli(std::span<const std::string> words);

}  // namespace reprise
