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
#include "cli/output.h"
#include "os/lock_wait.h"

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
  /// How wide printed text may be; kUnlimitedWidth if stdout is not a terminal.
  int width() const { return width_; }
  /// How wide the terminal is that stderr writes to.
  int screen_width() const { return screen_width_; }

  /// Writes to stdout. What could act on a terminal is made visible, in JSON as \uNNNN. Commands of ours in the
  /// text work where the user is: with -C they are given the same directory.
  void print(std::string_view text);
  /// The same with commands as they are: what a worker printed, a file, a definition.
  void pass_on(std::string_view text);
  /// Writes bytes to stdout as they are. Fails if they cannot all be written.
  Result<void> write_bytes(std::string_view bytes);
  /// Writes a diagnostic line to stderr, as print() does.
  void say(std::string_view line);
  /// The same with commands as they are: they are for another place.
  void say_of_elsewhere(std::string_view line);
  /// Writes to stderr what moves the cursor, as it is.
  void paint(std::string_view text);
  /// Like paint(), for progress: returns false if the text was dropped, because stderr is not being read.
  bool offer_paint(std::string_view text) { return err_.offer(text); }
  /// Returns a line as say() writes it.
  std::string shown_line(std::string_view line) const;

  /// While a run is worked on, nothing waits for whoever reads the output.
  void begin_live() { ++live_depth_; }
  void end_live() { --live_depth_; }
  /// Writes what the readers of our output take now.
  void pump_output();
  bool is_stalled() const { return err_.is_stalled(); }
  /// Whether stdout can no longer be written to: there is no point in printing more.
  bool has_lost_stdout() const { return out_.failure() != 0; }
  /// Delivers all output and returns the exit code: `exit_code`, or that of a failure to write.
  int close(int exit_code);
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

  /// Waits up to `timeout_ms` for a line on stdin; nothing if there is none yet, or if the input has `ended`.
  std::optional<std::string> read_line(int timeout_ms, bool& ended);

  /// Opens the project that -C or the current directory names.
  Result<App*> app();

 private:
  void say_wait(const std::string& text, const std::vector<std::string>& hints);

  std::string placed(std::string_view text, bool is_json) const;
  std::string safe_for_stdout(std::string_view text) const;
  void deliver(Output& output, std::string_view text);

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
  int screen_width_ = 80;
  int signal_exit_ = 0;
  std::string typed_;
  Output out_{1};
  Output err_{2};
  int live_depth_ = 0;
  bool is_failure_told_ = false;
  std::unique_ptr<App> app_;
  LockWaitListener waits_{[this](const auto& text, const auto& hints) { say_wait(text, hints); }};
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
