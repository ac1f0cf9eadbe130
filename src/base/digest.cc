#define OPENSSL_API_COMPAT 0x10100000L  // declares the direct calls without a deprecation warning
#include "base/digest.h"

#include <openssl/sha.h>

#include "base/check.h"

namespace reprise {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
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

std::string to_hex(const Digest& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (const std::uint8_t byte : digest.bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string to_text(const Digest& digest) { return "sha256:" + to_hex(digest); }

std::optional<Digest> parse_digest(std::string_view text) {
  if (text.starts_with("sha256:")) text.remove_prefix(7);
  if (text.size() != 64) return std::nullopt;
  Digest digest;
  for (std::size_t i = 0; i < 32; ++i) {
    const int high = hex_value(text[2 * i]);
    const int low = hex_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return digest;
}

}  // namespace reprise
