// Masker: takes secrets out of a stream of output before a byte of it is stored or shown.
//
// Two kinds are found: values that are known to be secret, however JSON and URLs spell them and a terminal would
// put them together (see secret_forms.h), and texts that have the shape of a well-known kind of token (API keys,
// forge and registry tokens, JSON web tokens, bearer headers, private keys). Each is replaced by "***". A known
// value is masked to its last byte wherever it begins, inside of another match too. Chunks may be cut anywhere;
// what might still become a secret is held back, never more than sixteen times the longest secret and kMaskHoldMax
// bytes. Text without a hit passes at the speed of one table look-up per byte.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Shorter values are not masked: they would be found everywhere and hide nothing.
inline constexpr std::size_t kSecretBytesMin = 6;
inline constexpr std::size_t kMaskHoldMax = 2048;

class Masker {
 public:
  explicit Masker(std::span<const std::string> secrets = {});

  /// Appends to `out` what of `chunk`, and of what was held back before, is safe to show now.
  void feed(std::string_view chunk, std::string& out);
  /// Appends what was held back; call at the end of the stream. The masker is then as new.
  void finish(std::string& out);
  /// Returns `text` masked as a whole.
  std::string mask(std::string_view text) const;
  /// The same for a text that is shown on a screen: without its control sequences if a secret is seen only then.
  std::string mask_shown(std::string_view text) const;

 private:
  enum class State { Text, Token, KeyBlock };
  // What stands at a place of the text.
  struct Match {
    enum class What { Nothing, Undecided, Secret, Token, KeyBlock } what = What::Nothing;
    std::size_t kept = 0;       // bytes at its start that are not secret ("Bearer ")
    std::size_t length = 0;     // bytes decided on
    std::uint8_t alphabet = 0;  // which bytes go on with the token
  };

  struct Patterns;

  bool is_inside_word(std::string_view text, std::size_t at) const;
  std::size_t next_candidate(std::string_view text, std::size_t from) const;
  Match match_at(std::string_view text, std::size_t at, bool is_end) const;
  Match match_secret(std::string_view rest, bool is_end) const;
  std::size_t skip(std::string_view text, std::size_t from, bool is_end);
  std::size_t end_of_shape(std::string_view text, std::size_t from, bool is_end);
  std::size_t skip_key_block(std::string_view text, std::size_t from, bool is_end);
  std::size_t scan(std::string_view text, bool is_end, std::string& out);

  std::shared_ptr<const Patterns> patterns_;
  State state_ = State::Text;
  std::size_t hidden_ = 0;     // bytes at the start of held_ that are masked already
  std::uint8_t alphabet_ = 0;  // of the token being skipped
  std::size_t skipped_ = 0;    // bytes of the key block being skipped
  std::string before_;         // the last bytes before held_: tokens begin at the border of a word
  std::string held_;
};

}  // namespace reprise
