#include "base/digest.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(Digest, ItIsSha256) {
  EXPECT_EQ(to_hex(digest_of("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(digest_of("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, PiecesGiveTheSameAsTheWhole) {
  const std::string text(100'000, 'x');
  for (const std::size_t cut :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65'537}}) {
    Hasher hasher;
    hasher.add(text.substr(0, cut));
    hasher.add(text.substr(cut));
    EXPECT_EQ(hasher.finish(), digest_of(text)) << cut;
  }
}

TEST(Digest, BothTextFormsAreReadAndNothingElseIs) {
  const Digest digest = digest_of("x");
  EXPECT_EQ(parse_digest(to_hex(digest)), digest);
  EXPECT_EQ(parse_digest(to_text(digest)), digest);
  EXPECT_EQ(to_text(digest), "sha256:" + to_hex(digest));
  for (const std::string& bad : {std::string(), std::string("sha256:"), to_hex(digest).substr(1),
                                 to_hex(digest) + "0", "sha512:" + to_hex(digest), std::string(64, 'g')}) {
    EXPECT_FALSE(parse_digest(bad)) << bad;
  }
}

}  // namespace
}  // namespace reprise
