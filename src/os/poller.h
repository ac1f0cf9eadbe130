// Poller: waits until one of many descriptors is ready.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

class Poller {
 public:
  struct Ready {
    std::uint64_t key = 0;
    bool readable = false;  // also when the other side has closed
    bool writable = false;
  };
  enum class Interest { Read, ReadWrite };

  static Result<Poller> open();
  /// Watches `fd`; its events carry `key`. Closing the last copy of `fd` ends the watching.
  Result<void> add(int fd, std::uint64_t key);
  void change(int fd, std::uint64_t key, Interest interest);
  void remove(int fd);
  /// Waits for `timeout_ms` (-1: no limit) and returns what is ready; nothing if time passed or a signal came.
  const std::vector<Ready>& wait(int timeout_ms);

 private:
  explicit Poller(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
  std::vector<Ready> ready_;
};

/// Waits until a descriptor of `fds` (-1: skipped) can be read, or until `timeout_ms` has passed (-1: no
/// limit). Returns one flag per descriptor; all false if time passed or a signal came.
std::vector<bool> wait_readable(std::span<const int> fds, int timeout_ms);

}  // namespace reprise
