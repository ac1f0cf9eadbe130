#include "base/time.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(Time, ATimestampHasOneTextForm) {
  EXPECT_EQ(to_text(Timestamp{0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(to_text(Timestamp{1'794'736'800'123}), "2026-11-15T10:00:00Z");
  EXPECT_EQ(to_text_ms(Timestamp{1'794'736'800'123}), "2026-11-15T10:00:00.123Z");
  EXPECT_EQ(to_text(Timestamp{-1'000}), "1969-12-31T23:59:59Z");
}

TEST(Time, WhatWasWrittenIsRead) {
  for (const std::int64_t ms : {0LL, 951'782'400'000LL, 1'794'736'800'123LL, 4'102'444'799'999LL}) {
    EXPECT_EQ(parse_timestamp(to_text_ms({ms})), Timestamp{ms}) << ms;
  }
}

TEST(Time, PeopleWriteTimesInSeveralWays) {
  const std::optional<Timestamp> ten = parse_timestamp("2026-11-15T10:00:00Z");
  ASSERT_TRUE(ten);
  EXPECT_EQ(parse_timestamp("2026-11-15T10:00Z"), ten);
  EXPECT_EQ(parse_timestamp("2026-11-15T12:00:00+02:00"), ten);
  EXPECT_EQ(parse_timestamp("2026-11-15T04:30:00-05:30"), ten);
  EXPECT_EQ(parse_timestamp("2026-11-15T10:00:00.5Z"), *ten + Duration(500));
  EXPECT_EQ(parse_timestamp("2026-11-15"), *ten - Duration(36'000'000));
  EXPECT_EQ(parse_timestamp("2024-02-29T00:00:00Z"), parse_timestamp("2024-02-29"));
}

TEST(Time, WhatIsNoTimeIsNotRead) {
  for (const char* bad :
       {"", "now", "2026", "2026-13-01", "2026-02-30", "2026-11-15T25:00:00Z", "2026-11-15T10:61:00Z",
        "2026-11-15T10:00:00Zx", "15.11.2026", "2026-11-15T10:00:00+99:00"}) {
    EXPECT_FALSE(parse_timestamp(bad)) << bad;
  }
}

TEST(Time, DurationsHaveUnits) {
  EXPECT_EQ(parse_duration("90s"), Duration(90'000));
  EXPECT_EQ(parse_duration("20m"), Duration(1'200'000));
  EXPECT_EQ(parse_duration("6h"), Duration(21'600'000));
  EXPECT_EQ(parse_duration("2d"), Duration(172'800'000));
  EXPECT_EQ(parse_duration("500ms"), Duration(500));
  EXPECT_EQ(parse_duration("15"), Duration(15'000));
  for (const char* bad : {"", "s", "-1s", "1x", "1 s x", "1e3", "99999999999999999d"})
    EXPECT_FALSE(parse_duration(bad)) << bad;
}

TEST(Time, DurationsForPeopleAreShort) {
  EXPECT_EQ(to_text(Duration(400)), "0.4s");
  EXPECT_EQ(to_text(Duration(12'000)), "12s");
  EXPECT_EQ(to_text(Duration(200'000)), "3m 20s");
  EXPECT_EQ(to_text(Duration(7'500'000)), "2h 5m");
  EXPECT_EQ(to_text(Duration(356'400'000)), "4d 3h");
}

}  // namespace
}  // namespace reprise
