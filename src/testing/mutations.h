// Damage for files that are read as text: what a torn write, a careless edit or another program does to them.
// The same seed gives the same damage.

#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace reprise {

/// Returns `bytes` after one to four edits at random places: a stretch erased or copied, or one of `pieces` put
/// in.
inline std::string mutated(std::string bytes, std::span<const std::string> pieces, std::mt19937& random) {
  for (std::size_t count = 1 + random() % 4; count > 0; --count) {
    const std::size_t at = random() % (bytes.size() + 1);
    const std::size_t length = std::min<std::size_t>(random() % 40, bytes.size() - at);
    const std::size_t kind = random() % 3;
    if (kind == 0) bytes.erase(at, length);
    if (kind == 1) bytes.insert(at, pieces[random() % pieces.size()]);
    if (kind == 2) bytes.insert(random() % (bytes.size() + 1), bytes.substr(at, length));
  }
  return bytes;
}

/// One kind of damage each, as damaged() does it.
enum class Damage { FlippedBits, Cut, DoubledLine, LostPipes, NulBytes, MixedLineEnds };
inline constexpr std::array kDamages = {Damage::FlippedBits, Damage::Cut,      Damage::DoubledLine,
                                        Damage::LostPipes,   Damage::NulBytes, Damage::MixedLineEnds};

/// Returns the lines of `bytes`, each with its line end.
inline std::vector<std::string> lines_with_ends(const std::string& bytes) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    lines.push_back(bytes.substr(at, end - at));
    at = end;
  }
  return lines;
}

/// Returns `bytes`, which must not be empty, with one to three bits flipped at random places.
inline std::string with_flipped_bits(std::string bytes, std::mt19937& random) {
  for (std::size_t count = 1 + random() % 3; count > 0; --count) {
    char& byte = bytes[random() % bytes.size()];
    byte = static_cast<char>(byte ^ (1 << random() % 8));
  }
  return bytes;
}

/// Returns `bytes` with one line standing there twice.
inline std::string with_doubled_line(const std::string& bytes, std::mt19937& random) {
  std::vector<std::string> lines = lines_with_ends(bytes);
  const std::string doubled = lines[random() % lines.size()];
  const std::size_t place = random() % (lines.size() + 1);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place), doubled);
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

/// Returns `bytes` with each line ended by LF, CRLF or CR, as it comes.
inline std::string with_mixed_line_ends(const std::string& bytes, std::mt19937& random) {
  constexpr std::array<const char*, 3> kEnds = {"\n", "\r\n", "\r"};
  std::string out;
  for (const char c : bytes) {
    if (c == '\n') {
      out += kEnds[random() % kEnds.size()];
    } else {
      out += c;
    }
  }
  return out;
}

/// Returns `bytes`, which must not be empty, with damage of this kind at random places.
inline std::string damaged(std::string bytes, Damage kind, std::mt19937& random) {
  switch (kind) {
    case Damage::FlippedBits: return with_flipped_bits(std::move(bytes), random);
    case Damage::Cut: return bytes.substr(0, random() % bytes.size());
    case Damage::DoubledLine: return with_doubled_line(bytes, random);
    case Damage::LostPipes:
      std::erase_if(bytes, [&](char c) { return c == '|' && random() % 4 == 0; });
      return bytes;
    case Damage::NulBytes: return bytes.substr(0, random() % bytes.size()) + std::string(1 + random() % 64, '\0');
    case Damage::MixedLineEnds: return with_mixed_line_ends(bytes, random);
  }
  return bytes;
}

}  // namespace reprise
