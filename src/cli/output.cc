#include "cli/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/strings.h"
#include "os/signals.h"

namespace reprise {
namespace {

constexpr std::size_t kProgressBytesMax = 16u << 10;
constexpr std::size_t kCautiousPiece = 256;  // what a writable pipe or terminal takes without blocking
constexpr int kTurnMs = 100;                 // how long a signal may go unnoticed

}  // namespace

Output::~Output() {
  if (own_ >= 0) ::close(own_);
}

void Output::find_kind() {
  struct stat info{};
  kind_ = Kind::Plain;
  if (::fstat(fd_, &info) != 0) return;
  if (S_ISSOCK(info.st_mode)) kind_ = Kind::Socket;
  if (!S_ISFIFO(info.st_mode) && ::isatty(fd_) != 1) return;
  kind_ = Kind::Shared;
  const std::string path = "/proc/self/fd/" + std::to_string(fd_);
  own_ = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

// Like write(), but fails with EAGAIN instead of waiting for a reader.
long Output::write_now(std::string_view text) const {
  if (kind_ == Kind::Plain) return ::write(fd_, text.data(), text.size());
  if (kind_ == Kind::Socket) return ::send(fd_, text.data(), text.size(), MSG_DONTWAIT);
  if (own_ >= 0) return ::write(own_, text.data(), text.size());
  pollfd watched{.fd = fd_, .events = POLLOUT, .revents = 0};
  if (::poll(&watched, 1, 0) != 1) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(fd_, text.data(), std::min(text.size(), kCautiousPiece));
}

void Output::pump() {
  if (kind_ == Kind::Unknown) find_kind();
  std::size_t done = 0;
  while (done < queue_.size() && failure_ == 0) {
    const long written = write_now(std::string_view(queue_).substr(done));
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (written < 0 && errno != EINTR) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) break;
      failure_ = errno;
    }
  }
  queue_.erase(0, failure_ == 0 ? done : queue_.size());
  if (!queue_.empty() || dropped_ == 0 || failure_ != 0) return;
  const std::size_t dropped = std::exchange(dropped_, 0);
  put("reprise: " + count_of(dropped, "line") + " of progress not shown: the output was not read\n");
}

void Output::put(std::string_view text) {
  if (failure_ != 0) return;
  queue_ += text;
  pump();
}

bool Output::offer(std::string_view text) {
  if (failure_ != 0) return false;
  pump();
  if (queue_.size() + text.size() > kProgressBytesMax) {
    dropped_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return false;
  }
  put(text);
  return true;
}

void Output::drain(std::optional<Duration> patience) {
  int idle_ms = 0;
  for (pump(); !queue_.empty(); pump()) {
    if (pending_end_signal() != 0) return;
    if (patience && idle_ms >= patience->count()) return;
    pollfd watched{.fd = own_ >= 0 ? own_ : fd_, .events = POLLOUT, .revents = 0};
    idle_ms = ::poll(&watched, 1, kTurnMs) == 0 ? idle_ms + kTurnMs : 0;
  }
}

void Output::close() {
  if (failure_ == 0 && ::close(fd_) != 0 && errno != EBADF) failure_ = errno;
}

void occupy_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is taken. Opened for the wrong direction, so that using it still fails.
    static_cast<void>(::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace reprise
