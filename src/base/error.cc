#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace reprise {

std::string_view to_token(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::NotFound: return "not_found";
    case ErrorKind::Conflict: return "conflict";
    case ErrorKind::Corrupt: return "corrupt";
    case ErrorKind::Invalid: return "invalid";
    case ErrorKind::Denied: return "denied";
    case ErrorKind::Unavailable: return "unavailable";
    case ErrorKind::Io: return "io";
    case ErrorKind::Busy: return "busy";
    case ErrorKind::Interrupted: return "interrupted";
  }
  return "io";
}

bool is_wait_failure(ErrorKind kind) { return kind == ErrorKind::Busy || kind == ErrorKind::Interrupted; }

bool ends_work(ErrorKind kind) {
  return kind == ErrorKind::Io || kind == ErrorKind::Corrupt || is_wait_failure(kind);
}

Error Error::within(std::string_view context) && {
  message = std::string(context) + ": " + message;
  return std::move(*this);
}

Error Error::hint(std::string command) && {
  hints.push_back(std::move(command));
  return std::move(*this);
}

Error error_from_errno(int errno_value, std::string_view what) {
  ErrorKind kind = ErrorKind::Io;
  if (errno_value == ENOENT || errno_value == ENOTDIR) kind = ErrorKind::NotFound;
  if (errno_value == EACCES || errno_value == EPERM || errno_value == EROFS) kind = ErrorKind::Denied;
  return Error{.kind = kind, .message = std::string(what) + ": " + std::strerror(errno_value)};
}

}  // namespace reprise
