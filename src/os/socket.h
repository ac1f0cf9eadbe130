// Unix sockets by path, and lines over them.
//
// A socket's path may not be longer than 107 bytes, and repositories lie deep: sockets are bound and
// reached through a descriptor of their folder. Only processes of the same user are talked to.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

/// Listens at `path`, in place of whatever socket was left there. Whoever calls this has made sure, by
/// a lock, that nobody else is listening.
Result<Fd> listen_at(const std::filesystem::path& path);
/// Connects to the socket at `path`. NotFound if there is none or nobody listens; Denied if the one who
/// listens is another user.
Result<Fd> connect_to(const std::filesystem::path& path);
/// Takes the next connection; nothing if there is none now. Another user's is closed and not returned.
std::optional<Fd> accept_from(int listener);
/// Makes two sockets that are connected to each other.
Result<std::pair<Fd, Fd>> socket_pair();

/// Lines of text over a connected socket. Never blocks, except in flush_waiting().
class LineSocket {
 public:
  explicit LineSocket(Fd fd);

  int fd() const { return fd_.get(); }
  /// Reads what has arrived. False when the other side is gone, or sent a line longer than any of ours:
  /// the lines read before are still returned by next_line().
  bool receive();
  /// Returns the next whole line without its newline. Valid until the next receive().
  std::optional<std::string_view> next_line();
  /// Puts `line` and a newline into the queue.
  void queue(std::string_view line);
  /// Sends of the queue what can be sent now. False if the other side is gone.
  bool flush();
  /// Sends all of the queue, waiting up to `timeout_ms` for the other side to read.
  bool flush_waiting(int timeout_ms);
  bool has_unsent() const { return sent_ < unsent_.size(); }

 private:
  Fd fd_;
  std::string received_;
  std::size_t taken_ = 0;    // of received_, already returned
  std::size_t scanned_ = 0;  // of received_, known to be without newline after taken_
  std::string unsent_;
  std::size_t sent_ = 0;
};

}  // namespace reprise
