#define OPENSSL_API_COMPAT 0x10100000L  // declares the direct calls without a deprecation warning
#include "base/digest.h"

#include <openssl/sha.h>

#include <algorithm>
#include <span>

#include "base/check.h"

namespace reprise {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string hex_of(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(bytes.size() * 2, '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text[2 * i] = kDigits[bytes[i] >> 4];
    text[2 * i + 1] = kDigits[bytes[i] & 15];
  }
  return text;
}

bool read_hex(std::string_view text, std::span<std::uint8_t> bytes) {
  if (text.size() != bytes.size() * 2) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_value(text[2 * i]);
    const int low = hex_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return true;
}

}  // namespace

static_assert(sizeof(SHA256_CTX) <= 128);

Hasher::Hasher() { check(SHA256_Init(reinterpret_cast<SHA256_CTX*>(state_)) == 1); }

void Hasher::add(std::string_view bytes) {
  SHA256_Update(reinterpret_cast<SHA256_CTX*>(state_), bytes.data(), bytes.size());
}

Digest Hasher::finish() {
  Digest digest;
  SHA256_Final(digest.bytes.data(), reinterpret_cast<SHA256_CTX*>(state_));
  return digest;
}

Digest digest_of(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.finish();
}

std::string to_hex(const Digest& digest) { return hex_of(digest.bytes); }

std::string to_text(const Digest& digest) { return "sha256:" + to_hex(digest); }

std::optional<Digest> parse_digest(std::string_view text) {
  if (text.starts_with("sha256:")) text.remove_prefix(7);
  Digest digest;
  return read_hex(text, digest.bytes) ? std::optional(digest) : std::nullopt;
}

ShortDigest shortened(const Digest& digest) {
  ShortDigest shorter;
  std::copy_n(digest.bytes.begin(), shorter.bytes.size(), shorter.bytes.begin());
  return shorter;
}

std::string to_hex(const ShortDigest& digest) { return digest.empty() ? "" : hex_of(digest.bytes); }

std::optional<ShortDigest> parse_short_digest(std::string_view text) {
  ShortDigest digest;
  return text.empty() || read_hex(text, digest.bytes) ? std::optional(digest) : std::nullopt;
}

}  // namespace reprise
