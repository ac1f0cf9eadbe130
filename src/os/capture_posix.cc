// run_captured(): one program from start to end, with all three streams served at once.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "os/clock.h"
#include "os/io.h"
#include "os/process.h"

namespace reprise {
namespace {

constexpr Duration kNever = Duration::max();
constexpr Duration kSlow{3'000};          // after it is asked whether the program is stuck
constexpr int kLookForEndMs = 5;          // where nothing announces the end of a process
constexpr Duration kDrainAfterExit{200};  // for a grandchild that keeps our pipes open

// One program and our ends of its streams.
class Capture {
 public:
  explicit Capture(const CaptureRequest& request) : request_(request) {}

  Result<Captured> run() {
    if (Result<void> started = start(); !started) {
      // Whoever wants output now cannot wait for the machine to recover.
      if (started.error().kind == ErrorKind::Unavailable) started.error().kind = ErrorKind::Io;
      return fail(std::move(started).error());
    }
    SystemClock clock;
    Duration deadline = request_.timeout ? clock.monotonic() + *request_.timeout : kNever;
    Duration look_at = request_.is_stuck ? clock.monotonic() + kSlow : kNever;
    bool has_ended = false;
    while (!has_ended || output_.is_open() || errors_.is_open()) {
      if (clock.monotonic() >= look_at) {
        look_at = kNever;
        if (!has_ended && request_.is_stuck()) deadline = clock.monotonic();
      }
      if (clock.monotonic() >= deadline) {
        if (has_ended) break;
        result_.timed_out = true;
        kill_group();
        deadline = kNever;
      }
      const Duration next = std::min(deadline, look_at);
      const Duration left = std::max(Duration(0), next - clock.monotonic());
      serve(next == kNever ? -1 : static_cast<int>(left.count()), has_ended);
      if (!has_ended && collect_exit()) {
        has_ended = true;
        deadline = clock.monotonic() + kDrainAfterExit;
      }
    }
    return std::move(result_);
  }

 private:
  Result<void> start() {
    Pipe in;
    if (!request_.input.empty()) TRY_VOID(open_input(in));
    Pipe out = TRY(make_pipe());
    Pipe err = TRY(make_pipe());
    const std::vector<std::string> environment =
        request_.environment.empty() ? current_environment() : request_.environment;
    pid_ = TRY(spawn({.argv = request_.argv,
                      .environment = environment,
                      .directory = request_.directory,
                      .stdin_fd = in.read_end.get(),
                      .stdout_fd = out.write_end.get(),
                      .stderr_fd = err.write_end.get(),
                      .extra_fd = request_.held_fd}));
    process_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    input_ = std::move(in.write_end);
    output_ = std::move(out.read_end);
    errors_ = std::move(err.read_end);
    return {};
  }

  // The other way round than an output pipe: it is our end, the writing one, that must not block.
  Result<void> open_input(Pipe& in) {
    in = TRY(make_pipe());
    if (::fcntl(in.read_end.get(), F_SETFL, 0) != 0 || ::fcntl(in.write_end.get(), F_SETFL, O_NONBLOCK) != 0) {
      return fail(error_from_errno(errno, "cannot set up a pipe"));
    }
    return {};
  }

  void serve(int timeout_ms, bool has_ended) {
    std::array<pollfd, 4> watched = {{{output_.get(), POLLIN, 0},
                                      {errors_.get(), POLLIN, 0},
                                      {input_.get(), POLLOUT, 0},
                                      {has_ended ? -1 : process_.get(), POLLIN, 0}}};
    int turn_ms = std::max(timeout_ms, -1);
    // Without a process descriptor a program that has closed its streams ends unnoticed.
    if (!has_ended && !process_.is_open())
      turn_ms = turn_ms < 0 ? kLookForEndMs : std::min(turn_ms, kLookForEndMs);
    if (::poll(watched.data(), watched.size(), turn_ms) <= 0) return;
    if (watched[0].revents != 0) take(output_, result_.output);
    if (watched[1].revents != 0) take(errors_, result_.errors);
    if (watched[2].revents != 0) give();
  }

  void take(Fd& stream, std::string& kept) {
    std::array<char, 64u << 10> buffer;
    const Received got = read_available(stream.get(), buffer);
    const std::size_t room = request_.output_bytes_max - std::min(kept.size(), request_.output_bytes_max);
    if (got.bytes > room) result_.is_cut = true;
    kept.append(buffer.data(), std::min(got.bytes, room));
    if (got.ended) stream.reset();
  }

  void give() {
    const std::string_view rest = std::string_view(request_.input).substr(given_);
    const ssize_t count = write_quietly(rest);
    if (count > 0) given_ += static_cast<std::size_t>(count);
    const bool has_failed = count < 0 && errno != EAGAIN && errno != EINTR;
    if (has_failed || given_ == request_.input.size()) input_.reset();
  }

  // A program that does not read its input must not end us with SIGPIPE.
  ssize_t write_quietly(std::string_view bytes) const {
    sigset_t pipe_signal;
    sigset_t old;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    const ssize_t count = ::write(input_.get(), bytes.data(), bytes.size());
    const int error_number = errno;
    if (count < 0 && error_number == EPIPE && sigismember(&old, SIGPIPE) == 0) {
      const timespec now{};
      ::sigtimedwait(&pipe_signal, nullptr, &now);
    }
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    errno = error_number;
    return count;
  }

  bool collect_exit() {
    int status = 0;
    const pid_t pid = ::waitpid(pid_, &status, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR)) return false;
    if (pid == pid_ && WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
    if (pid == pid_ && WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    return true;
  }

  // Only while the child is not waited for: afterwards the number may be another's.
  void kill_group() const { signal_group(pid_, SIGKILL); }

  const CaptureRequest& request_;
  Captured result_;
  int pid_ = 0;
  Fd process_;
  Fd input_;
  Fd output_;
  Fd errors_;
  std::size_t given_ = 0;
};

}  // namespace

Result<Captured> run_captured(const CaptureRequest& request) { return Capture(request).run(); }

}  // namespace reprise
