// check(): an assertion that is on in every build.
//
// It is for our own mistakes only. Whatever input, disk or another process can cause is a Result.
// Being killed is a tested way out of this program, so stopping at once is the cheap and safe answer.

#pragma once

#include <source_location>

namespace reprise {

/// Prints what is wrong with its place to stderr and aborts.
[[noreturn]] void check_failed(const char* what, std::source_location where = std::source_location::current());

/// Aborts with the caller's place unless `condition` holds.
template <typename Condition>
constexpr void check(const Condition& condition, std::source_location where = std::source_location::current()) {
  if (!static_cast<bool>(condition)) [[unlikely]]
    check_failed("a check does not hold", where);
}

}  // namespace reprise
