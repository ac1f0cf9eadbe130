#include "base/time.h"

#include <charconv>
#include <cstdio>

namespace reprise {
namespace {

using namespace std::chrono;

std::string format_seconds(Timestamp time) {
  const sys_time<milliseconds> point{milliseconds(time.ms)};
  const auto day = floor<days>(point);
  const year_month_day date{day};
  const hh_mm_ss clock{floor<seconds>(point - day)};
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return buffer;
}

// Takes exactly `digits` digits from the front of `text`.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  const char* end = text.data() + digits;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text[0] == '-') return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text[0] != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// Reads the "Z", "+02:00" or nothing at the end; returns the offset in minutes.
std::optional<int> take_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const int sign = text[0] == '-' ? -1 : 1;
  if (text[0] != '+' && text[0] != '-') return std::nullopt;
  text.remove_prefix(1);
  const auto hours = take_digits(text, 2);
  take(text, ':');
  const auto minutes = text.empty() ? std::optional<int>(0) : take_digits(text, 2);
  if (!hours || !minutes || !text.empty() || *hours > 14 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

}  // namespace

std::string to_text(Timestamp time) { return format_seconds(time) + "Z"; }

std::string to_text_ms(Timestamp time) {
  char fraction[16];
  const auto ms = static_cast<int>(((time.ms % 1000) + 1000) % 1000);
  std::snprintf(fraction, sizeof fraction, ".%03dZ", ms);
  return format_seconds(time) + fraction;
}

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  const auto y = take_digits(text, 4);
  if (!y || !take(text, '-')) return std::nullopt;
  const auto m = take_digits(text, 2);
  if (!m || !take(text, '-')) return std::nullopt;
  const auto d = take_digits(text, 2);
  if (!d) return std::nullopt;
  const year_month_day date{year(*y), month(static_cast<unsigned>(*m)), day(static_cast<unsigned>(*d))};
  if (!date.ok()) return std::nullopt;
  std::int64_t ms = duration_cast<milliseconds>(sys_days(date).time_since_epoch()).count();
  if (text.empty()) return Timestamp{ms};
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || *hour > 23 || *minute > 59) return std::nullopt;
  ms += (*hour * 60 + *minute) * 60'000LL;
  if (take(text, ':')) {
    const auto second = take_digits(text, 2);
    if (!second || *second > 60) return std::nullopt;
    ms += *second * 1000LL;
    if (take(text, '.')) {
      std::int64_t scale = 100;
      if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
      for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), scale /= 10) {
        ms += (text[0] - '0') * scale;
      }
    }
  }
  const auto zone = take_zone(text);
  if (!zone) return std::nullopt;
  return Timestamp{ms - *zone * 60'000LL};
}

std::optional<Duration> parse_duration(std::string_view text) {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > 1'000'000'000) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  if (unit == "ms") return Duration(number);
  if (unit.empty() || unit == "s") return Duration(number * 1000);
  if (unit == "m") return Duration(number * 60'000);
  if (unit == "h") return Duration(number * 3'600'000);
  if (unit == "d") return Duration(number * 86'400'000);
  return std::nullopt;
}

std::string to_text(Duration duration) {
  const long long ms = duration.count() < 0 ? 0 : duration.count();
  const long long s = ms / 1000;
  char buffer[64];
  if (s < 10) {
    std::snprintf(buffer, sizeof buffer, "%lld.%llds", s, (ms % 1000) / 100);
  } else if (s < 60) {
    std::snprintf(buffer, sizeof buffer, "%llds", s);
  } else if (s < 3600) {
    std::snprintf(buffer, sizeof buffer, "%lldm %llds", s / 60, s % 60);
  } else if (s < 86'400) {
    std::snprintf(buffer, sizeof buffer, "%lldh %lldm", s / 3600, s % 3600 / 60);
  } else {
    std::snprintf(buffer, sizeof buffer, "%lldd %lldh", s / 86'400, s % 86'400 / 3600);
  }
  return buffer;
}

}  // namespace reprise
