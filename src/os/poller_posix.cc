// Poller with epoll; wait_readable() with poll.

#include <poll.h>
#include <sys/epoll.h>

#include <array>
#include <cerrno>

#include "os/poller.h"

namespace reprise {

Result<Poller> Poller::open() {
  const int fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (fd < 0) return fail(error_from_errno(errno, "cannot wait for events"));
  return Poller(Fd(fd));
}

Result<void> Poller::add(int fd, std::uint64_t key) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = key;
  if (::epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return fail(error_from_errno(errno, "cannot wait for a descriptor"));
  }
  return {};
}

void Poller::change(int fd, std::uint64_t key, Interest interest) {
  epoll_event event{};
  event.events = interest == Interest::Read ? EPOLLIN : EPOLLIN | EPOLLOUT;
  event.data.u64 = key;
  static_cast<void>(::epoll_ctl(fd_.get(), EPOLL_CTL_MOD, fd, &event));
}

void Poller::remove(int fd) { static_cast<void>(::epoll_ctl(fd_.get(), EPOLL_CTL_DEL, fd, nullptr)); }

const std::vector<Poller::Ready>& Poller::wait(int timeout_ms) {
  std::array<epoll_event, 64> events;
  const int count = ::epoll_wait(fd_.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
  ready_.clear();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    ready_.push_back({.key = event.data.u64,
                      .readable = (event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0,
                      .writable = (event.events & EPOLLOUT) != 0});
  }
  return ready_;
}

std::vector<bool> wait_readable(std::span<const int> fds, int timeout_ms) {
  std::vector<pollfd> watched;
  for (const int fd : fds) watched.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  const int count = ::poll(watched.data(), watched.size(), timeout_ms);
  std::vector<bool> ready(fds.size(), false);
  for (std::size_t i = 0; count > 0 && i < watched.size(); ++i) ready[i] = watched[i].revents != 0;
  return ready;
}

}  // namespace reprise
