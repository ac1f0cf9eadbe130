// The entropy port: where ids and random suffixes come from.

#pragma once

#include <cstdint>
#include <string>

namespace reprise {

class Entropy {
 public:
  virtual ~Entropy() = default;
  virtual std::uint64_t next() = 0;
  /// Returns `digits` hexadecimal digits.
  std::string hex(int digits);
};

/// The kernel's generator.
class SystemEntropy : public Entropy {
 public:
  std::uint64_t next() override;
};

}  // namespace reprise
