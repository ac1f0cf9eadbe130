// What the keys of the desk do with an entry, once the terminal is back in its usual modes. Each is what the
// command of that name does, and returns its exit code.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/desk.h"
#include "cli/cli.h"
#include "os/signals.h"

namespace reprise {

/// Asks for lines; Ctrl-C and a closed terminal end the asking.
class Asking {
 public:
  Asking(Cli& cli, SignalWatch& signals) : cli_(cli), signals_(signals) {}

  /// Nothing: there was no answer, and exit_code() says what that ends with.
  std::optional<std::string> ask(const std::string& question, std::span<const std::string> answers) {
    const std::optional<std::string> answer = cli_.ask(question, answers, [this] {
      const SignalsSeen seen = signals_.poll();
      ended_ = seen.ending != 0 ? 128 + seen.ending : seen.interrupts > 0 ? 130 : 0;
      return ended_ == 0;
    });
    return ended_ != 0 ? std::nullopt : answer;
  }
  int exit_code() const { return ended_ != 0 ? ended_ : kExitWaiting; }

 private:
  Cli& cli_;
  SignalWatch& signals_;
  int ended_ = 0;
};

/// A key that does something with the selected entry.
struct DeskAction {
  char key;
  bool acts;  // and does not only look: the entry is looked at again before
  bool needs_entry;
  int (*run)(Cli& cli, const DeskEntry* entry);
};

/// Returns what `key` does; null if it does nothing to an entry.
const DeskAction* find_action(std::string_view key);

}  // namespace reprise
