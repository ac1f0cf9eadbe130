// Points in time and durations: milliseconds, UTC, one text form.
//
// Wall-clock time is for people: it is shown and gives ages. It never orders events (their numbers
// do) and never measures how long something took (Clock::monotonic does).

#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

using Duration = std::chrono::milliseconds;

struct Timestamp {
  std::int64_t ms = 0;  // since 1970-01-01T00:00:00Z
  auto operator<=>(const Timestamp&) const = default;
};

inline Timestamp operator+(Timestamp t, Duration d) { return {t.ms + d.count()}; }
inline Timestamp operator-(Timestamp t, Duration d) { return {t.ms - d.count()}; }
inline Duration operator-(Timestamp a, Timestamp b) { return Duration(a.ms - b.ms); }

/// Returns "2026-11-15T10:00:00Z"; milliseconds are dropped.
std::string to_text(Timestamp time);
/// Returns the same with milliseconds: "2026-11-15T10:00:00.123Z".
std::string to_text_ms(Timestamp time);

/// Reads "2026-11-15T10:00:00Z", with or without fraction, seconds or offset ("+02:00"), and a bare
/// date. Nothing if `text` is not a time.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// Reads "90s", "20m", "6h", "2d", "500ms" or a bare number of seconds. Nothing if it is none of these.
std::optional<Duration> parse_duration(std::string_view text);

/// Returns a short text for people: "0.4s", "12s", "3m 20s", "2h 5m", "4d 3h".
std::string to_text(Duration duration);

}  // namespace reprise
