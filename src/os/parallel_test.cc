#include "os/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace reprise {
namespace {

TEST(Parallel, EachPartIsDoneOnceAndAllAreDoneAtTheEnd) {
  EXPECT_GE(core_count(), 1u);
  for (const std::size_t parts : {0u, 1u, 2u, 7u, 64u}) {
    std::vector<std::atomic<int>> done(parts);
    for_each_part(parts, [&](std::size_t part) { ++done[part]; });
    for (std::size_t part = 0; part < parts; ++part) EXPECT_EQ(done[part], 1) << part << " of " << parts;
  }
}

}  // namespace
}  // namespace reprise
