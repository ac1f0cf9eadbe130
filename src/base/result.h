// Result<T>: a value or an Error, and TRY to pass errors up.
//
//   std::string text = TRY(files.read(path));   // returns the error from this function if there is one
//   TRY_VOID(files.remove(path));

#pragma once

#include <expected>
#include <utility>

#include "base/error.h"

namespace reprise {

template <typename T>
using Result = std::expected<T, Error>;

/// Returns an Error of `kind`, ready to be returned from a function with a Result.
inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{.kind = kind, .message = std::move(message)});
}
inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

}  // namespace reprise

// Each use gets a name of its own, so that one may stand inside another. `name` is declared here, and a declared
// name cannot stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define TRY_JOIN_INNER_(a, b) a##b
#define TRY_JOIN_(a, b) TRY_JOIN_INNER_(a, b)

#define TRY_AS_(name, expression)                               \
  __extension__({                                               \
    auto name = (expression);                                   \
    if (!name) return std::unexpected(std::move(name).error()); \
    std::move(*name);                                           \
  })
#define TRY(expression) TRY_AS_(TRY_JOIN_(try_result_, __COUNTER__), expression)

#define TRY_VOID_AS_(name, expression)                                                    \
  do {                                                                                    \
    if (auto name = (expression); !name) return std::unexpected(std::move(name).error()); \
  } while (false)
#define TRY_VOID(expression) TRY_VOID_AS_(TRY_JOIN_(try_result_, __COUNTER__), expression)
// NOLINTEND(bugprone-macro-parentheses)
