// Modes of shown files, and signatures that were recorded without one.

#include "model/seen_mode.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

std::vector<SeenFile> shown(std::string digest, std::string signature) {
  return {{.path = "a", .digest = std::move(digest), .signature = std::move(signature)}};
}

TEST(SeenMode, OnlyTheLastPartOfASignatureIsTheMode) {
  EXPECT_EQ(mode_in("1:2:3:4:5:x"), "x");
  EXPECT_EQ(mode_in("1:2:3:4:5:-"), "-");
  EXPECT_EQ(mode_in("folder:xabc"), "xabc");
  for (const char* old : {"1:2:3:4:5", "", "v7", "pretended sha256:abc"}) EXPECT_EQ(mode_in(old), "") << old;
}

TEST(SeenMode, L9_ApprovalsWithoutAModeHoldForEveryMode) {
  EXPECT_TRUE(same_shown(shown("d", "1:2:3:4:5"), shown("d", "1:2:3:4:6:x")));
  EXPECT_TRUE(same_shown(shown("d", ""), shown("d", "folder:xabc")));
  EXPECT_TRUE(same_shown(shown("d", "1:2:3:4:5:x"), shown("d", "1:9:3:9:9:x")));
  EXPECT_FALSE(same_shown(shown("d", "1:2:3:4:5:-"), shown("d", "1:2:3:4:6:x")));
  EXPECT_FALSE(same_shown(shown("d", "1:2:3:4:5"), shown("e", "1:2:3:4:5")));
}

}  // namespace
}  // namespace reprise
