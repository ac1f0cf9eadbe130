// The terminal: whether there is one, how large it is, plain reading and writing, and keys one by one.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// A width at which no line is ever broken: one line for each thing, as grep and awk want it.
inline constexpr int kUnlimitedWidth = 1'000'000;

struct TerminalFacts {
  bool can_ask = false;       // stdin and stderr are a terminal
  bool can_draw = false;      // stderr is one that moves its cursor
  bool prints_on_it = false;  // stdout is a terminal
  bool no_colour = false;     // NO_COLOR is set
  bool can_read = false;      // stdin, stdout and stderr are one: a person types and sees everything
  int width = 80;             // of the terminal that stderr is
  int text_width = 80;        // of what is printed; kUnlimitedWidth without a terminal, whatever COLUMNS says
  int height = 24;
};
TerminalFacts terminal_facts();

/// Waits up to `timeout_ms` for input; false if there was none. An empty chunk is the end of input.
bool read_some(int fd, int timeout_ms, std::string& chunk);

/// Puts the set of blocked signals back as it was: whatever ran meanwhile may have taken signals for itself.
class SignalsAsFound {
 public:
  SignalsAsFound();
  ~SignalsAsFound();
  SignalsAsFound(const SignalsAsFound&) = delete;
  SignalsAsFound& operator=(const SignalsAsFound&) = delete;

 private:
  struct Set;
  std::unique_ptr<Set> found_;
};

/// One thing that a person at the keyboard, or the system, did.
struct Key {
  enum class Kind { None, Text, Enter, Escape, Erase, Up, Down, PageUp, PageDown, First, Last, Resized, Ended };
  Kind kind = Kind::None;
  std::string text = {};  // of Text: one character, as UTF-8
  int signal = 0;         // of Ended: SIGINT for Ctrl-C too, SIGTERM, or SIGHUP when the terminal is gone
};

/// Takes the first key off `typed`, the bytes that arrived so far. Nothing if these are only the beginning of one;
/// `is_all` says that no more will come, so that a lone escape is the key of that name. Sequences that mean
/// nothing here are swallowed whole.
std::optional<Key> take_key(std::string& typed, bool is_all);

/// A terminal that gives each key as it is pressed, without showing it.
///
/// While keys are taken, the signals that would end us are read here as well, so that the modes that were found
/// are put back on every way out but SIGKILL; whatever else runs meanwhile is between leave() and enter().
class KeyTerminal {
 public:
  /// Changes the terminal's modes. Nothing if stdin is no terminal or it refuses.
  static std::unique_ptr<KeyTerminal> start();
  ~KeyTerminal();
  KeyTerminal(const KeyTerminal&) = delete;
  KeyTerminal& operator=(const KeyTerminal&) = delete;

  /// Waits up to `timeout_ms` for a key; kind None if there was none.
  Key next(int timeout_ms);
  /// Puts modes and signals back as they were found, for whatever is to run now.
  void leave();
  /// Takes keys again; what was typed meanwhile is dropped.
  void enter();

 private:
  KeyTerminal();
  bool wait(int timeout_ms, Key& key);

  struct Modes;  // as they were found
  std::unique_ptr<Modes> modes_;
  int signals_ = -1;  // where signals arrive
  bool is_taking_ = false;
  std::string typed_;
};

}  // namespace reprise
