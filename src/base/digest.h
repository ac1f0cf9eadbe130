// SHA-256 of content, and how it is written: "sha256:" and 64 hexadecimal digits.
//
// Uses libcrypto's direct SHA-256 calls, not its provider interface: loading the providers costs a
// millisecond at every start, which is a third of what a command of ours takes
// (docs/decisions/0002-direct-sha256.md).

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

struct Digest {
  std::array<std::uint8_t, 32> bytes = {};
  auto operator<=>(const Digest&) const = default;
};

/// The first half of a digest: enough to tell one thing from its own earlier versions, where thousands of
/// them are kept. Empty: all zero.
struct ShortDigest {
  std::array<std::uint8_t, 16> bytes = {};
  bool empty() const { return *this == ShortDigest(); }
  auto operator<=>(const ShortDigest&) const = default;
};

/// Computes a digest from pieces.
class Hasher {
 public:
  Hasher();
  void add(std::string_view bytes);
  /// Returns the digest of all that was added; the hasher may not be used afterwards.
  Digest finish();

 private:
  alignas(8) unsigned char state_[128];  // the library's context, kept out of this header
};

Digest digest_of(std::string_view bytes);
/// Returns 64 hexadecimal digits.
std::string to_hex(const Digest& digest);
/// Returns "sha256:" and 64 hexadecimal digits.
std::string to_text(const Digest& digest);
/// Reads either form; nothing if `text` is neither.
std::optional<Digest> parse_digest(std::string_view text);

ShortDigest shortened(const Digest& digest);
/// Returns 32 hexadecimal digits, "" for an empty one, and back; nothing if `text` is neither.
std::string to_hex(const ShortDigest& digest);
std::optional<ShortDigest> parse_short_digest(std::string_view text);

}  // namespace reprise
