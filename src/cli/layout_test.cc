#include "cli/layout.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(LayoutTest, ColumnsAreWhatTheTerminalShows) {
  EXPECT_EQ(columns_of("plan"), 4);
  EXPECT_EQ(columns_of("§ ü …"), 5);
  EXPECT_EQ(columns_of("計画"), 4);
  EXPECT_EQ(columns_of("e\xcc\x81"), 1);  // an accent of its own
  EXPECT_EQ(columns_of("\x1b[31mred\x1b[0m"), 3);
  EXPECT_EQ(padded("計", 4), "計  ");
}

TEST(LayoutTest, NoLineIsLongerThanTheTerminalUnlessAWordIs) {
  EXPECT_EQ(wrapped("the spec changed since the run began", 20, 2), "the spec changed\n  since the run\n  began");
  EXPECT_EQ(wrapped("  see reprise-a-very-long-word-that-stays-whole now", 20, 4),
            "  see\n    reprise-a-very-long-word-that-stays-whole\n    now");
  EXPECT_EQ(wrapped("one\ntwo", 80, 2), "one\ntwo");
  EXPECT_EQ(wrapped("", 80, 2), "");
}

TEST(LayoutTest, WhatMustFitIsShortenedAndKeepsItsColour) {
  EXPECT_EQ(shortened("playbook/001-login", 10), "playbook/…");
  EXPECT_EQ(shortened("計画書", 4), "計…");
  EXPECT_EQ(shortened("fits", 4), "fits");
  EXPECT_EQ(shortened("\x1b[1mplaybook\x1b[0m", 5), "\x1b[1mplay…\x1b[0m");
}

}  // namespace
}  // namespace reprise
