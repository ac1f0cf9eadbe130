#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#include "os/parallel.h"

namespace reprise {

std::size_t core_count() { return std::max(1u, std::thread::hardware_concurrency()); }

void for_each_part(std::size_t parts, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> helpers;
  helpers.reserve(parts);
  std::size_t begun = 1;
  try {
    for (; begun < parts; ++begun) helpers.emplace_back([&work, begun] { work(begun); });
  } catch (const std::system_error&) {
    // No more threads are to be had; the parts that are left are done here.
  }
  if (parts > 0) work(0);
  for (; begun < parts; ++begun) work(begun);
}

}  // namespace reprise
