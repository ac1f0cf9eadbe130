// Error: a failure that can happen, as a value.
//
// The kinds are only those that callers branch on. The message names the thing, the operation and
// the cause; each layer that knows more adds it with within(). Hints are commands that work when
// pasted into a shell; only front ends turn an Error into text for people.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

enum class ErrorKind {
  NotFound,     // the thing named is not there
  Conflict,     // held by another, or it moved since it was looked at
  Corrupt,      // it is there but is not what it should be
  Invalid,      // the caller's input is wrong
  Denied,       // not allowed
  Unavailable,  // not now, or not in this version
  Refused,      // it would be unsafe; a person has to change something first
  Io,           // the disk or the operating system failed
  Busy,         // another process did not release a lock in time; nothing was done
  Interrupted,  // a signal that ends this process arrived during a wait; nothing was done
};

std::string_view to_token(ErrorKind kind);
/// Whether nobody can continue after such an error: the store or the disk failed, or the process could not get at
/// it. It says nothing about the work that was asked for.
bool ends_work(ErrorKind kind);
/// The same for the wait for a lock alone.
bool is_wait_failure(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::Io;
  std::string message;
  std::string file = {};  // the file it is about, where there is one
  int line = 0;           // 1-based; 0: none
  int column = 0;
  std::vector<std::string> hints = {};
  bool is_full = false;  // no space left on a file system: that of `file`, if it is named

  /// Returns this error with "`context`: " in front of its message.
  Error within(std::string_view context) &&;
  /// Returns this error with one more hint.
  Error hint(std::string command) &&;
};

/// Returns the error of a file system without space: Io, with a hint that shows how full `folder` is.
Error no_space_in(const std::string& folder, std::string_view what);

/// Returns an Io, NotFound, Denied or Invalid error for `errno_value`: "`what`: No such file or directory".
Error error_from_errno(int errno_value, std::string_view what);

}  // namespace reprise
