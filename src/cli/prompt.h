// Questions to a person at a terminal, and every way in which one can end without an answer.
//
// Nothing has been done when a question is asked, and nothing is done if it is not answered: Ctrl-C ends the
// command with 130, a closed terminal with 129, SIGTERM with 143, the end of input (Ctrl-D) with 3. An answer that
// is none of those that are allowed is asked for again, and what is allowed is said.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/cli.h"
#include "os/signals.h"

namespace reprise {

/// An answer, or the exit code of a question that got none.
struct Reply {
  std::string text;
  int exit = 0;  // 0: answered

  bool is_answered() const { return exit == 0; }
};

/// Returns which of `answers` a typed line means; nothing, and says what is allowed, if it is none of them.
std::optional<std::string> accept_answer(Cli& cli, const std::string& line, std::span<const std::string> answers);

/// Returns the exit code for the signals that arrived; 0 if none did.
int exit_of(const SignalsSeen& seen);
/// Returns the exit code of a question whose input has ended: that of a signal, if one arrives soon, or 3.
int exit_without_answer(SignalWatch& signals);

/// Asks until one of `answers` is given, as a whole or by a first letter that no other has; any line if there are
/// none to choose from.
Reply ask(Cli& cli, SignalWatch& signals, const std::string& question, std::span<const std::string> answers);

/// Asks until a number from 1 to `count` or one of `words` is given; the reply's text is what was typed.
Reply ask_which(Cli& cli, SignalWatch& signals, const std::string& question, std::size_t count,
                std::span<const std::string> words);

}  // namespace reprise
