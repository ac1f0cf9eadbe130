// The values that are known to be secret, and how a text is compared with them: as they are, percent-encoded for a
// URL, as strings of JSON whatever of them is escaped, as JSON in such strings, and with control sequences between
// their characters that no terminal shows.

#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// A set of pairs of bytes: one bit for each.
class BytePairs {
 public:
  void add(char first, char second) {
    const std::uint16_t pair = at(std::array{first, second}.data());
    bits_[pair >> 6] |= std::uint64_t{1} << (pair & 63);
  }
  /// Whether the two bytes at `data` are in it.
  bool has(const char* data) const {
    const std::uint16_t pair = at(data);
    return (bits_[pair >> 6] >> (pair & 63) & 1) != 0;
  }

 private:
  static std::uint16_t at(const char* data) {
    std::uint16_t pair = 0;
    std::memcpy(&pair, data, sizeof pair);
    return pair;
  }
  std::array<std::uint64_t, 1024> bits_ = {};
};

class KnownSecrets {
 public:
  /// Values of fewer than `bytes_min` bytes are left out.
  KnownSecrets(std::span<const std::string> values, std::size_t bytes_min);

  /// The values and their percent-encoded forms, longest first.
  const std::vector<std::string>& forms() const { return forms_; }

  struct Match {
    enum class What { No, Open, Yes } what = What::No;  // Open: more of the text is needed
    std::size_t length = 0;
  };
  /// Compares what `rest` begins with. `is_end`: nothing follows it.
  Match match(std::string_view rest, bool is_end) const;

  /// Adds the pairs of bytes that a text may begin with where a known value begins, and those that its second and
  /// third byte may be then.
  void add_beginnings(BytePairs& first, BytePairs& second) const;

 private:
  std::vector<std::string> forms_;
  std::array<bool, 256> first_bytes_ = {};
};

}  // namespace reprise
