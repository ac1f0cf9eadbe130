#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "os/parallel.h"

namespace reprise {

void for_each_part(std::size_t parts, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_parts = [&] {
    for (std::size_t part = next++; part < parts; part = next++) work(part);
  };
  const std::size_t threads = std::min<std::size_t>(parts, std::max(2u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> helpers;
  helpers.reserve(threads);
  try {
    while (helpers.size() + 1 < threads) helpers.emplace_back(take_parts);
  } catch (const std::system_error&) {
    return take_parts();  // no more threads are to be had; those that there are do it
  }
  take_parts();
}

}  // namespace reprise
