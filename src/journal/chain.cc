// What goes into a digest, and in which order. Changing this makes every stored history look tampered with.

#include "journal/chain.h"

#include <array>
#include <cstring>

namespace reprise {

namespace {

void add_number(Hasher& hasher, std::int64_t value) {
  std::array<char, 8> bytes = {};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));  // the same on every machine
  }
  hasher.add({bytes.data(), bytes.size()});
}

void add_text(Hasher& hasher, std::string_view text) {
  add_number(hasher, static_cast<std::int64_t>(text.size()));
  hasher.add(text);
}

void add_digest(Hasher& hasher, const Digest& digest) {
  std::array<char, sizeof digest.bytes> bytes = {};
  std::memcpy(bytes.data(), digest.bytes.data(), bytes.size());
  hasher.add({bytes.data(), bytes.size()});
}

}  // namespace

Digest chain_digest(const Digest& previous, const RunId& run, const StoredEvent& event) {
  Hasher hasher;
  add_digest(hasher, previous);
  add_text(hasher, run.text);
  add_number(hasher, event.number.value);
  add_number(hasher, event.at.ms);
  add_text(hasher, event.kind);
  add_number(hasher, event.version);
  add_text(hasher, event.payload);
  return hasher.finish();
}

Digest copy_digest(const Digest& last, std::string_view body) {
  Hasher hasher;
  add_digest(hasher, last);
  hasher.add(body);
  return hasher.finish();
}

}  // namespace reprise
