// check(): an assertion that is on in every build.
//
// It is for our own mistakes only. Whatever input, disk or another process can cause is a Result.
// Being killed is a tested way out of this program, so stopping at once is the cheap and safe answer.

#pragma once

namespace reprise {

/// Prints the failed condition with its place to stderr and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace reprise

#define check(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::reprise::check_failed(#condition, __FILE__, __LINE__))
