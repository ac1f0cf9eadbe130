// What socket.h promises, with POSIX calls.

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "os/socket.h"

namespace reprise {
namespace {

constexpr std::size_t kLineBytesMax = 256u << 20;
constexpr std::size_t kReceivePiece = 64u << 10;
constexpr int kBacklog = 64;

struct Address {
  Fd folder;  // must stay open while the address is used
  sockaddr_un name{};
};

Result<Address> address_of(const std::filesystem::path& path) {
  const std::string folder = path.parent_path().empty() ? "." : path.parent_path().string();
  const int fd = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return fail(error_from_errno(errno, folder + ": cannot be opened"));
  Address address{.folder = Fd(fd)};
  const std::string name = "/proc/self/fd/" + std::to_string(fd) + "/" + path.filename().string();
  if (name.size() >= sizeof address.name.sun_path) {
    return fail(ErrorKind::Invalid, path.string() + ": the name of a socket may not be that long");
  }
  address.name.sun_family = AF_UNIX;
  std::memcpy(address.name.sun_path, name.c_str(), name.size() + 1);
  return address;
}

Result<Fd> new_socket() {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(error_from_errno(errno, "cannot make a socket"));
  return Fd(fd);
}

bool is_same_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace

Result<Fd> listen_at(const std::filesystem::path& path) {
  const Address address = TRY(address_of(path));
  Fd fd = TRY(new_socket());
  ::unlinkat(address.folder.get(), path.filename().c_str(), 0);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.name), sizeof address.name) != 0 ||
      ::fchmodat(address.folder.get(), path.filename().c_str(), 0600, 0) != 0 ||
      ::fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0 || ::listen(fd.get(), kBacklog) != 0) {
    return fail(error_from_errno(errno, path.string() + ": cannot listen"));
  }
  return fd;
}

Result<Fd> connect_to(const std::filesystem::path& path) {
  const Address address = TRY(address_of(path));
  Fd fd = TRY(new_socket());
  while (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.name), sizeof address.name) != 0) {
    if (errno == EINTR) continue;
    if (errno == ECONNREFUSED) errno = ENOENT;
    return fail(error_from_errno(errno, path.string() + ": cannot connect"));
  }
  if (!is_same_user(fd.get())) return fail(ErrorKind::Denied, path.string() + ": belongs to another user");
  return fd;
}

std::optional<Fd> accept_from(int listener) {
  for (;;) {
    const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd < 0) return std::nullopt;
    if (is_same_user(fd)) return Fd(fd);
    ::close(fd);
  }
}

Result<std::pair<Fd, Fd>> socket_pair() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return fail(error_from_errno(errno, "cannot make a pair of sockets"));
  }
  return std::pair<Fd, Fd>(Fd(ends[0]), Fd(ends[1]));
}

LineSocket::LineSocket(Fd fd) : fd_(std::move(fd)) {}

bool LineSocket::receive() {
  received_.erase(0, taken_);
  scanned_ -= taken_;
  taken_ = 0;
  for (;;) {
    const std::size_t size = received_.size();
    if (size > kLineBytesMax) return false;
    received_.resize(size + kReceivePiece);
    const ssize_t count = ::recv(fd_.get(), received_.data() + size, kReceivePiece, MSG_DONTWAIT);
    const int error_number = errno;
    received_.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == static_cast<ssize_t>(kReceivePiece)) continue;
    if (count > 0) return true;
    if (count == 0) return false;
    if (error_number != EINTR) return error_number == EAGAIN || error_number == EWOULDBLOCK;
  }
}

std::optional<std::string_view> LineSocket::next_line() {
  const std::size_t end = received_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = received_.size();
    return std::nullopt;
  }
  const std::string_view line = std::string_view(received_).substr(taken_, end - taken_);
  taken_ = scanned_ = end + 1;
  return line;
}

void LineSocket::queue(std::string_view line) {
  unsent_ += line;
  unsent_ += '\n';
}

bool LineSocket::flush() {
  while (has_unsent()) {
    const ssize_t count =
        ::send(fd_.get(), unsent_.data() + sent_, unsent_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    sent_ += static_cast<std::size_t>(count);
  }
  unsent_.clear();
  sent_ = 0;
  return true;
}

bool LineSocket::flush_waiting(int timeout_ms) {
  while (flush()) {
    if (!has_unsent()) return true;
    pollfd watched{.fd = fd_.get(), .events = POLLOUT, .revents = 0};
    const int count = ::poll(&watched, 1, timeout_ms);
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
  }
  return false;
}

}  // namespace reprise
