// A terminal on which the desk runs: what stands on its screen now, and in which modes it is.

#pragma once

#include <sys/types.h>
#include <termios.h>

#include <string>
#include <vector>

#include "world.h"

namespace reprise::cli_test {

/// What a terminal shows after all that was written to it: the few sequences that the desk uses, and plain text
/// that scrolls. Colours stay in the text as they came.
class ScreenText {
 public:
  explicit ScreenText(std::size_t height) : height_(height), lines_(1) {}
  void write(std::string_view bytes);
  /// The lines that are on the screen, without spaces at their ends.
  std::string text() const;
  /// Whether a sequence was seen that this does not know.
  bool is_confused() const { return is_confused_; }
  std::size_t line_of_cursor() const { return row_; }

 private:
  void take_sequence(std::string_view sequence);
  void put(std::string_view glyph);

  std::size_t height_;
  std::vector<std::vector<std::string>> lines_;  // each a list of characters, with the colours before them
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::string colours_;  // to go before the next character
  std::string held_;     // of a sequence or character that is not whole yet
  bool is_confused_ = false;
};

struct DeskTerminalSize {
  int columns = 80;
  int rows = 24;
};

/// `reprise` on a pseudo-terminal in the world's project.
class DeskPty {
 public:
  DeskPty(const World& world, DeskTerminalSize size, const std::vector<std::string>& variables = {"NO_COLOR=1"},
          const std::vector<std::string>& words = {});
  ~DeskPty();
  DeskPty(const DeskPty&) = delete;
  DeskPty& operator=(const DeskPty&) = delete;

  /// Waits until `text` has been written after what earlier calls waited for. False: it ended or took too long.
  bool shows(const std::string& text);
  /// Waits until the screen shows `text`.
  bool has_on_screen(const std::string& text);
  /// Waits until no row is still to be looked at.
  bool is_settled();
  void type(const std::string& keys);
  void resize(DeskTerminalSize size);
  /// Closes the window: what runs in it is hung up.
  void close_window();
  void signal(int number) const;
  int end();
  std::string screen() const { return screen_.text(); }
  const std::string& written() const { return written_; }
  bool is_confused() const { return screen_.is_confused(); }
  /// Whether the terminal's modes are those it had before the program started.
  bool has_modes_as_before() const;

 private:
  bool read_more(int timeout_ms);
  template <typename Condition>
  bool wait_for(Condition&& is_so);

  pid_t pid_ = -1;
  int master_ = -1;
  int slave_ = -1;  // kept, so that the modes can be asked for after the end
  termios before_{};
  ScreenText screen_;
  std::string written_;
  std::size_t seen_ = 0;
};

/// Returns a digest of all files of the project and of its store: names and contents.
std::string digest_of_tree(const fs::path& root);

}  // namespace reprise::cli_test
