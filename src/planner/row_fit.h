// How a row of a decision table is matched: a column without a value takes every situation.

#pragma once

#include <optional>

namespace reprise {

template <typename T>
bool fits(const std::optional<T>& wanted, T seen) {
  return !wanted || *wanted == seen;
}

}  // namespace reprise
