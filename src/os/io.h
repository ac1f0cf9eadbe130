// Plain calls on descriptors: whole writes, reads that say "nothing now", files made for appending.
//
// For code that holds files and pipes open for long, as the guard does. Whoever wants a file's content
// or a durable replacement uses FileSystem. Interrupted calls are repeated, short writes are continued.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

struct Pipe {
  Fd read_end;
  Fd write_end;
};

/// Makes a pipe whose read end does not block. Neither end is inherited by children.
Result<Pipe> make_pipe();

/// Lets `fd`, a pipe, hold up to `bytes`. A smaller pipe is slower, not wrong, so a refusal is ignored.
void widen_pipe(int fd, int bytes);

struct Received {
  std::size_t bytes = 0;
  bool ended = false;  // no more will come: end of file, or the other side failed
};

/// Reads what is there, without blocking if `fd` does not block. No bytes and not ended: nothing now.
Received read_available(int fd, std::span<char> buffer);

/// Writes all of `bytes`. `what` names the file in the error.
Result<void> write_all(int fd, std::string_view bytes, std::string_view what);
/// Writes all of `bytes` from `offset` on.
Result<void> write_at(int fd, std::int64_t offset, std::string_view bytes, std::string_view what);
/// Reads up to `bytes_max` bytes from `offset` on; fewer only at the end of the file.
Result<std::string> read_at(int fd, std::int64_t offset, std::size_t bytes_max, std::string_view what);

Result<std::int64_t> size_of(int fd, std::string_view what);
/// Moves a file to a name that no other file has; a file that does not exist is fine.
Result<void> move_file(const std::filesystem::path& from, const std::filesystem::path& to);
Result<void> cut_to(int fd, std::int64_t size, std::string_view what);

/// Opens `path` for reading and appending, creating it with mode 0600. Does not follow a link.
Result<Fd> open_for_append(const std::filesystem::path& path);
/// Opens `path` for reading. NotFound if it is not there.
Result<Fd> open_for_reading(const std::filesystem::path& path);
/// Makes `path` an empty file with mode 0600, and its folders where they are missing. Does not follow a link.
Result<Fd> create_empty(const std::filesystem::path& path);
/// Makes a file without a name on the file system of `path`; it is gone when the descriptor is.
Result<Fd> create_nameless(const std::filesystem::path& path);

/// Whether descriptor `fd` is open and is a socket. Asked of descriptors that another process may have left us.
bool is_socket(int fd);
/// Keeps children from inheriting `fd`.
void keep_from_children(int fd);

}  // namespace reprise
