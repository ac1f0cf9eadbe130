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

#define TRY(expression)                                                            \
  __extension__({                                                                  \
    auto try_result_ = (expression);                                               \
    if (!try_result_) return std::unexpected(std::move(try_result_).error());      \
    std::move(*try_result_);                                                       \
  })

#define TRY_VOID(expression)                                                       \
  do {                                                                             \
    if (auto try_result_ = (expression); !try_result_)                             \
      return std::unexpected(std::move(try_result_).error());                      \
  } while (false)
