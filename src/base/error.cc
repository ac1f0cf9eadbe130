#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/strings.h"

namespace reprise {

std::string_view to_token(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::NotFound: return "not_found";
    case ErrorKind::Conflict: return "conflict";
    case ErrorKind::Corrupt: return "corrupt";
    case ErrorKind::Invalid: return "invalid";
    case ErrorKind::Denied: return "denied";
    case ErrorKind::Unavailable: return "unavailable";
    case ErrorKind::Refused: return "refused";
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

Error no_space_in(const std::string& folder, std::string_view what) {
  return Error{.kind = ErrorKind::Io,
               .message = std::string(what) + ": the file system of " + folder + " is full; free space there",
               .file = folder,
               .hints = {"df -h " + shell_quote(folder)},
               .is_full = true};
}

Error error_from_errno(int errno_value, std::string_view what) {
  ErrorKind kind = ErrorKind::Io;
  if (errno_value == ENOENT || errno_value == ENOTDIR) kind = ErrorKind::NotFound;
  if (errno_value == ENAMETOOLONG) kind = ErrorKind::Invalid;
  if (errno_value == EACCES || errno_value == EPERM || errno_value == EROFS) kind = ErrorKind::Denied;
  return Error{.kind = kind,
               .message = std::string(what) + ": " + std::strerror(errno_value),
               .is_full = errno_value == ENOSPC || errno_value == EDQUOT};
}

}  // namespace reprise
