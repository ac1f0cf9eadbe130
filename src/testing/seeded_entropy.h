// Randomness that is the same for the same seed.

#pragma once

#include <random>

#include "os/entropy.h"

namespace reprise {

class SeededEntropy : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t next() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace reprise
