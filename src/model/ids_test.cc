#include "model/ids.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(Ids, ARunNameIsShortPlainAndNoOptionOrPath) {
  for (const char* good : {"x", "2.1", "a-b_c.d", "A1"}) EXPECT_TRUE(is_run_name(good)) << good;
  for (const char* bad :
       {"", ".", "..", "-x", "--help", "a/b", "../..", "a b", "$(x)", "a\nb", "é", "a;b", "a@2"}) {
    EXPECT_FALSE(is_run_name(bad)) << bad;
  }
  EXPECT_TRUE(is_run_name(std::string(64, 'a')));
  EXPECT_FALSE(is_run_name(std::string(65, 'a')));
}

TEST(Ids, APathComponentHoldsNothingThatAFolderCouldTakeAmiss) {
  EXPECT_EQ(path_component("api-v1.2_x"), "api-v1.2_x");
  EXPECT_EQ(path_component("a/b c"), "a%2Fb%20c");
  EXPECT_EQ(path_component(".."), "%2E%2E");
  EXPECT_EQ(path_component("."), "%2E");
  EXPECT_EQ(path_component("50%"), "50%25");
  EXPECT_NE(path_component("a%20b"), path_component("a b")) << "two items never share a path";
}

}  // namespace
}  // namespace reprise
