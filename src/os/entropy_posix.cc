#include <sys/random.h>

#include "base/check.h"
#include "os/entropy.h"

namespace reprise {

std::string Entropy::hex(int digits) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  std::uint64_t bits = 0;
  for (int i = 0; i < digits; ++i, bits >>= 4) {
    if (i % 16 == 0) bits = next();
    out += kDigits[bits & 15];
  }
  return out;
}

std::uint64_t SystemEntropy::next() {
  std::uint64_t value = 0;
  check(getrandom(&value, sizeof value, 0) == sizeof value);
  return value;
}

}  // namespace reprise
