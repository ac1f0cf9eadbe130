// Small text helpers: splitting, quoting for a shell, showing foreign text safely, near misses.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split(std::string&& text, char separator) = delete;  // the parts would dangle
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);
/// Returns what is behind the last "/" or "\\" of a path: a file's name, whichever system wrote the path.
std::string_view file_name(std::string_view path);
/// Returns a number with its noun: "1 file", "2 files".
std::string count_of(std::size_t number, std::string_view noun);

/// Reads a whole number from 0 to `max`; nothing if `text` is anything else.
std::optional<long long> parse_number(std::string_view text, long long max);

/// Returns `word` as one word for every POSIX shell, whatever is in it: for commands that are executed.
std::string single_quoted(std::string_view word);
/// Returns `word` as one word of bash or zsh, whatever is in it: for commands that are printed. What could act on
/// a terminal is escaped: $'\x1b'.
std::string shell_quote(std::string_view word);
/// Returns a command line for printing, which bash and zsh split back into `argv`.
std::string shell_command(std::span<const std::string> argv);

/// Returns `text` with everything removed that could act on a terminal or mislead a reader: escape
/// sequences, control characters other than tab and newline, bidirectional and zero-width marks.
/// Bytes that are not UTF-8 become "\xNN". Works on whole texts; for streams see TerminalFilter.
std::string printable(std::string_view text);
/// The same on one line: newlines and tabs become spaces, and at most `max` characters are kept.
std::string printable_line(std::string_view text, std::size_t max);

/// Returns `text` with every character that printable() would remove shown as an escape: "\x1b", "\u202e". With
/// `has_colour`, plain colour codes stay.
std::string visible(std::string_view text, bool has_colour);
/// Returns a JSON text with the same characters written as \uNNNN, which means the same to every reader.
std::string visible_json(std::string_view document);

/// Removes terminal control from a stream that arrives in arbitrary pieces.
class TerminalFilter {
 public:
  /// Returns what of `chunk`, and of what was held back before, is safe to show now.
  std::string feed(std::string_view chunk);
  /// Returns what was held back; call at the end of the stream.
  std::string finish();

 private:
  enum class State { Text, Escape, Csi, String, StringEscape, Intermediate };
  void take(unsigned char byte, std::string& out);
  void flush_sequence(std::string& out);

  State state_ = State::Text;
  std::string pending_;     // an unfinished UTF-8 character
  std::size_t wanted_ = 0;  // its length
};

/// Returns the entry of `known` that `word` was probably meant to be; nothing if none is close.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// Replaces each "{name}" by what `value` returns for it. A name without a value is left as it is.
template <typename Lookup>
std::string interpolate(std::string_view text, Lookup&& value) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(0, open);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    if (const std::optional<std::string> found = value(name)) {
      out += *found;
      text.remove_prefix(close + 1);
    } else {
      out += '{';
      text.remove_prefix(open + 1);
    }
  }
  out += text;
  return out;
}

}  // namespace reprise
