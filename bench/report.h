// The table that the benchmarks print: one row per figure, with its bar. A figure over its bar fails the program.

#pragma once

#include <cstdio>
#include <string>

namespace reprise_bench {

class Report {
 public:
  void row(const std::string& what, double value, double bar, const char* unit, const std::string& detail = "") {
    const bool is_over = value > bar;
    std::printf("%-58s %7.2f %-10s bar %5.2f  %s  %s\n", what.c_str(), value, unit, bar, is_over ? "OVER" : "ok  ",
                detail.c_str());
    std::fflush(stdout);
    has_row_ = true;
    is_over_ = is_over_ || is_over;
  }
  /// Returns 0 if there are rows and each is within its bar, 1 if one is over, 2 if there are none.
  int exit_code() const { return !has_row_ ? 2 : is_over_ ? 1 : 0; }

 private:
  bool has_row_ = false;
  bool is_over_ = false;
};

/// Returns "NAME 12.3 ms ".
inline std::string ms(const char* name, double seconds) {
  char text[80];
  std::snprintf(text, sizeof text, "%s %.1f ms ", name, seconds * 1000);
  return text;
}

}  // namespace reprise_bench
