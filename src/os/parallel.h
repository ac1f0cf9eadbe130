// Work that falls into independent parts, done on as many cores as there are.

#pragma once

#include <cstddef>
#include <functional>

namespace reprise {

/// Calls `work` with each of the numbers from 0 to `parts` - 1, on as many threads as there are cores (two at
/// least, where they can be had), and returns when all are done. Whoever is free takes the next part: a thread
/// that starts late, or whose core is busy, keeps nobody waiting for its share. `work` must not throw, and what it
/// touches for two numbers must not be the same.
void for_each_part(std::size_t parts, const std::function<void(std::size_t)>& work);

}  // namespace reprise
