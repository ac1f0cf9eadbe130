// A line that is typed while other text is drawn around it: keys without echo, and the line they make so far.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// What has been typed so far. Printable characters are appended, Backspace removes one, Ctrl-W a word, Ctrl-U all
/// of them, Enter ends the line; Ctrl-D on an empty line is the end of input. Other keys do nothing.
class TypedLine {
 public:
  /// Adds bytes as they arrive from the terminal, in any pieces.
  void add(std::string_view bytes) { unread_ += bytes; }
  /// Returns the next complete line without spaces around it; nothing if there is none yet, or if `ended` is set.
  std::optional<std::string> next(bool& ended);
  const std::string& text() const { return text_; }

 private:
  bool edit();

  std::string unread_;
  std::string text_;
};

/// Delivers the keys of stdin as they are pressed, without echo. Signal keys keep their effect, but for Ctrl-\,
/// which would end the process without restoring the terminal. The destructor restores the modes that were found.
class SilentKeys {
 public:
  /// Drops what was typed before. Returns nothing if stdin is not a terminal.
  static std::unique_ptr<SilentKeys> start();
  ~SilentKeys();
  SilentKeys(const SilentKeys&) = delete;
  SilentKeys& operator=(const SilentKeys&) = delete;

  /// Sets the modes again if a shell has changed them: it does so when a job is suspended.
  void renew();

 private:
  SilentKeys();
  struct Modes;  // as they were found
  std::unique_ptr<Modes> modes_;
};

/// Whether this process may read its terminal: one in the background is stopped when it tries.
bool is_in_foreground();

}  // namespace reprise
