// Work that falls into independent parts, done on as many cores as there are.

#pragma once

#include <cstddef>
#include <functional>

namespace reprise {

/// The number of cores that this process may use; at least 1.
std::size_t core_count();

/// Calls `work` with each of the numbers from 0 to `parts` - 1, each on a thread of its own where one can be had,
/// and returns when all are done. `work` must not throw, and what it touches for two numbers must not be the same.
void for_each_part(std::size_t parts, const std::function<void(std::size_t)>& work);

}  // namespace reprise
