#include "os/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace reprise {
namespace {

TEST(Parallel, EachPartIsDoneOnceAndAllAreDoneAtTheEnd) {
  for (const std::size_t parts : {0u, 1u, 2u, 7u, 64u}) {
    std::vector<std::atomic<int>> done(parts);
    for_each_part(parts, [&](std::size_t part) { ++done[part]; });
    for (std::size_t part = 0; part < parts; ++part) EXPECT_EQ(done[part], 1) << part << " of " << parts;
  }
}

TEST(Parallel, AThreadThatIsHeldUpKeepsNobodyWaitingForItsShare) {
  std::atomic<int> others = 0;
  std::atomic<bool> is_held = false;
  for_each_part(50, [&](std::size_t) {
    if (!is_held.exchange(true)) {
      while (others < 49) std::this_thread::yield();  // ends only if somebody else does all the rest
    } else {
      ++others;
    }
  });
  EXPECT_EQ(others, 49);
}

}  // namespace
}  // namespace reprise
