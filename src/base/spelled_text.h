// A text as it reads when it is taken for part of a JSON string, of JSON in a string of JSON, and so on.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace reprise {

/// How often one string of JSON may lie in another. 0: the text is read as it is.
inline constexpr int kSpelledLevelMax = 3;

class SpelledText {
 public:
  static constexpr int kEnd = -1;         // the text ends here, perhaps within an escape
  static constexpr int kNotSpelled = -2;  // no string of JSON goes on like this

  /// Reads at most `bytes_max` bytes of `text`.
  SpelledText(std::string_view text, int level, std::size_t bytes_max)
      : text_(text), level_(level), bytes_max_(bytes_max) {}

  /// Returns the next byte that is meant, kEnd or kNotSpelled.
  int next() { return next(level_); }
  /// How many bytes of the text were read.
  std::size_t consumed() const { return at_; }

 private:
  // The rest of a character that was written as \uXXXX.
  struct Rest {
    std::array<char, 4> bytes = {};
    std::uint8_t at = 0;
    std::uint8_t size = 0;
  };

  int next(int level);
  int escaped(int level);
  int unit(int level);

  std::string_view text_;
  int level_;
  std::size_t bytes_max_;
  std::size_t at_ = 0;
  std::array<Rest, kSpelledLevelMax> rests_ = {};
};

}  // namespace reprise
