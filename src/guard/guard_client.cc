// The runner's side: Workers over the connection to the run's guard.

#include <algorithm>
#include <array>
#include <set>

#include "guard/exit_log.h"
#include "guard/guard.h"
#include "guard/protocol.h"
#include "os/clock.h"
#include "os/poller.h"
#include "os/process.h"
#include "os/process_table.h"
#include "os/socket.h"

namespace reprise {
namespace {

constexpr Duration kConnectPatience{10'000};
constexpr Duration kAnswerPatience{30'000};
constexpr Duration kSightPatience{3'000};
constexpr Duration kPauseMax{20};
constexpr int kSendPatienceMs = 30'000;
constexpr int kAskTries = 3;

// Names the guard of a run, and what to do about one that is there and says nothing.
Error guard_is_silent(const std::filesystem::path& directory) {
  Error error{.kind = ErrorKind::Busy, .message = "the run's guard does not answer"};
  for (const ProcessEntry& entry : list_processes()) {
    const std::vector<std::string> words = arguments_of(entry.pid);
    if (words.size() < 3 || words[1] != kGuardOption || words[2] != directory.string()) continue;
    const std::string pid = std::to_string(entry.pid);
    const bool is_stopped = entry.state == 'T';
    error.message += ": process " + pid + (is_stopped ? " is stopped" : "");
    if (is_stopped) error = std::move(error).hint("kill -CONT " + pid);
    // The next guard ends the workers of one that was killed; their steps are done again.
    return std::move(error).hint("kill -KILL " + pid);
  }
  return error;
}

class GuardClient : public Workers {
 public:
  GuardClient(GuardOptions options, Clock& clock, int interrupt_fd)
      : options_(std::move(options)), clock_(clock), interrupt_fd_(interrupt_fd) {}

  /// Reaches a guard, or starts one without waiting for it.
  Result<void> connect();
  Result<void> start(const std::vector<WorkerSpec>& specs) override;
  Result<WorkerNews> wait(std::optional<Duration> timeout) override;
  void watch(int fd) override { watched_fd_ = fd; }
  Result<void> stop(const std::string& attempt) override;
  Result<AttemptSighting> look_up(const std::string& attempt) override;

 private:
  std::filesystem::path socket_path() const { return options_.run_directory / "guard.sock"; }
  Result<void> say(const std::string& line);
  Result<void> reach_again();
  Result<void> pump(std::optional<Duration> timeout, bool with_interrupt);
  Result<void> receive();
  void take(GuardReply reply);
  Result<void> lose_connection();
  Result<AttemptSighting> ask(const std::string& attempt);
  bool has_news() const;
  WorkerNews take_news();

  GuardOptions options_;
  Clock& clock_;
  int interrupt_fd_;
  int watched_fd_ = -1;
  std::optional<LineSocket> socket_;
  bool is_greeted_ = false;              // the guard has answered on this connection
  std::vector<std::string> unanswered_;  // sent before that; if the guard goes without answering, said again
  Duration patience_until_{0};
  Duration pause_{1};
  WorkerNews news_;
  std::set<std::string> awaited_;  // attempts whose end is to be told through wait()
  std::optional<GuardReply> answer_;
  std::optional<Error> refusal_;  // G3: this runner may not go on
  std::string trouble_;           // the guard's last words
};

Result<void> GuardClient::connect() {
  patience_until_ = clock_.monotonic() + kConnectPatience;
  pause_ = Duration(1);
  return reach_again();
}

Result<void> GuardClient::reach_again() {
  is_greeted_ = false;
  Result<Fd> alive = connect_to(socket_path());
  if (alive) {
    socket_.emplace(std::move(*alive));
  } else if (alive.error().kind == ErrorKind::NotFound) {
    auto [ours, theirs] = TRY(socket_pair());
    const std::vector<std::string> argv = {options_.program.string(), std::string(kGuardOption),
                                           options_.run_directory.string(), options_.tag};
    static_cast<void>(TRY(spawn_detached(argv, theirs.get())));
    socket_.emplace(std::move(ours));
  } else {
    return fail(std::move(alive).error().within("reaching the run's guard"));
  }
  socket_->queue(encode(GuardRequest{.what = GuardRequest::What::Hello, .token = options_.token}));
  for (const std::string& line : unanswered_) socket_->queue(line);
  // A failure shows as the end of the connection, and is handled there.
  static_cast<void>(socket_->flush_waiting(kSendPatienceMs));
  return {};
}

// The connection has ended. A guard that never answered has not done anything: it was on its way out, or
// found another in its place. Then it is tried again, with growing pauses.
Result<void> GuardClient::lose_connection() {
  socket_.reset();
  if (is_greeted_) {
    is_greeted_ = false;
    news_.guard_lost = true;
    awaited_.clear();
    return {};
  }
  if (clock_.monotonic() >= patience_until_) {
    unanswered_.clear();
    const std::string why = "the run's guard cannot be started: ";
    // What it complains about before it can work is its folder: a full disk, or a read-only one.
    if (!trouble_.empty()) return fail(ErrorKind::Io, why + trouble_);
    return fail(guard_is_silent(options_.run_directory).within("the run's guard cannot be started"));
  }
  wait_readable({}, static_cast<int>(pause_.count()));
  pause_ = std::min(pause_ * 2, kPauseMax);
  return reach_again();
}

Result<void> GuardClient::say(const std::string& line) {
  if (refusal_) return fail(*refusal_);
  if (!socket_) TRY_VOID(connect());
  if (!is_greeted_) unanswered_.push_back(line);
  socket_->queue(line);
  if (socket_->flush_waiting(kSendPatienceMs) || !is_greeted_) return {};
  TRY_VOID(receive());  // its last words, and its end
  return fail(ErrorKind::Unavailable, "the run's guard has ended");
}

Result<void> GuardClient::start(const std::vector<WorkerSpec>& specs) {
  if (news_.guard_lost) return fail(ErrorKind::Unavailable, "the run's guard has ended");
  TRY_VOID(say(encode_start(options_.token, specs)));
  for (const WorkerSpec& spec : specs) awaited_.insert(spec.attempt);
  return {};
}

Result<void> GuardClient::stop(const std::string& attempt) {
  return say(encode(GuardRequest{.what = GuardRequest::What::Stop, .attempt = attempt}));
}

void GuardClient::take(GuardReply reply) {
  switch (reply.what) {
    case GuardReply::What::Hello:
      is_greeted_ = true;
      unanswered_.clear();
      trouble_.clear();
      return;
    case GuardReply::What::Ended:
      for (ExitRecord& record : reply.ended) {
        // Others ended before anybody looked them up; the look-up will say so.
        if (awaited_.erase(record.attempt) > 0) news_.ended.push_back(std::move(record));
      }
      return;
    case GuardReply::What::Poke: news_.poked = true; return;
    case GuardReply::What::Refused:
      refusal_ = Error{.kind = ErrorKind::Conflict, .message = reply.message};
      return;
    case GuardReply::What::Trouble:
      if (reply.attempt.empty()) {
        trouble_ = reply.message;
        return;
      }
      [[fallthrough]];
    case GuardReply::What::Sighting:
      // At once: its end may be the very next line.
      if (reply.sighting.what == AttemptSighting::What::Running) awaited_.insert(reply.attempt);
      answer_ = std::move(reply);
      return;
    case GuardReply::What::Unknown: return;
  }
}

// Waits for one round of messages, and takes them.
Result<void> GuardClient::pump(std::optional<Duration> timeout, bool with_interrupt) {
  const std::array<int, 3> fds = {socket_->fd(), with_interrupt ? interrupt_fd_ : -1,
                                  with_interrupt ? watched_fd_ : -1};
  constexpr std::int64_t kTurnMax = 3'600'000;
  const int timeout_ms = timeout ? static_cast<int>(std::clamp<std::int64_t>(timeout->count(), 0, kTurnMax)) : -1;
  const std::vector<bool> ready = wait_readable(fds, timeout_ms);
  if (ready[1] || ready[2]) news_.signalled = true;
  return ready[0] ? receive() : Result<void>();
}

Result<void> GuardClient::receive() {
  const bool is_alive = socket_->receive();
  while (const std::optional<std::string_view> line = socket_->next_line()) take(decode_reply(*line));
  return is_alive ? Result<void>() : lose_connection();
}

bool GuardClient::has_news() const {
  return !news_.ended.empty() || news_.poked || news_.signalled || news_.guard_lost;
}

WorkerNews GuardClient::take_news() {
  WorkerNews news = std::move(news_);
  news_ = {};
  return news;
}

Result<WorkerNews> GuardClient::wait(std::optional<Duration> timeout) {
  const Duration start = clock_.monotonic();
  for (bool is_first = true;; is_first = false) {
    if (has_news()) return take_news();
    if (refusal_) return fail(*refusal_);
    if (is_greeted_ && !trouble_.empty()) return fail(ErrorKind::Io, "the run's guard: " + std::move(trouble_));
    const Duration passed = clock_.monotonic() - start;
    if (timeout && !is_first && passed >= *timeout) return WorkerNews{};
    if (!socket_) TRY_VOID(connect());
    std::optional<Duration> left;
    if (timeout) left = std::max(Duration(0), *timeout - passed);
    TRY_VOID(pump(left, true));
  }
}

Result<AttemptSighting> GuardClient::ask(const std::string& attempt) {
  answer_.reset();
  TRY_VOID(say(encode(GuardRequest{.what = GuardRequest::What::LookUp, .attempt = attempt})));
  const Duration deadline = clock_.monotonic() + kAnswerPatience;
  while (!answer_ || answer_->attempt != attempt) {
    if (refusal_) return fail(*refusal_);
    if (!socket_) return fail(ErrorKind::Unavailable, "the run's guard ended while it was asked");
    const Duration left = deadline - clock_.monotonic();
    if (left <= Duration(0)) return fail(guard_is_silent(options_.run_directory));
    TRY_VOID(pump(left, false));
  }
  if (answer_->what == GuardReply::What::Trouble) return fail(ErrorKind::Unavailable, answer_->message);
  return answer_->sighting;
}

Result<AttemptSighting> GuardClient::look_up(const std::string& attempt) {
  for (int tries = 1;; ++tries) {
    Result<AttemptSighting> sighting = ask(attempt);
    // A guard that died meanwhile: the next one knows no less.
    if (!sighting && !socket_ && !refusal_ && tries < kAskTries) continue;
    if (!sighting) return sighting;
    if (sighting->what == AttemptSighting::What::Ended) {
      awaited_.erase(attempt);
      std::erase_if(news_.ended, [&](const ExitRecord& record) { return record.attempt == attempt; });
    }
    return sighting;
  }
}

// Asks a guard that lives. Nothing if there is none, or if it ended before it answered.
Result<std::optional<AttemptSighting>> ask_living(const std::filesystem::path& directory,
                                                  const std::string& attempt) {
  Result<Fd> fd = connect_to(directory / "guard.sock");
  if (!fd && fd.error().kind == ErrorKind::NotFound) return std::nullopt;
  if (!fd) return fail(std::move(fd).error().within("reaching the run's guard"));
  LineSocket socket(std::move(*fd));
  socket.queue(encode(GuardRequest{.what = GuardRequest::What::Hello}));
  socket.queue(encode(GuardRequest{.what = GuardRequest::What::Sight, .attempt = attempt}));
  if (!socket.flush_waiting(static_cast<int>(kSightPatience.count()))) return std::nullopt;
  for (bool is_alive = true; is_alive;) {
    const std::array<int, 1> fds = {socket.fd()};
    if (!wait_readable(fds, static_cast<int>(kSightPatience.count()))[0]) {
      return fail(guard_is_silent(directory));
    }
    is_alive = socket.receive();
    while (const std::optional<std::string_view> line = socket.next_line()) {
      GuardReply reply = decode_reply(*line);
      if (reply.what == GuardReply::What::Sighting) return std::move(reply.sighting);
      if (reply.what == GuardReply::What::Trouble) return fail(ErrorKind::Unavailable, reply.message);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Workers>> connect_guard(const GuardOptions& options, Clock& clock, int interrupt_fd) {
  // The guard works in "/", so as not to keep any folder in use.
  if (!options.run_directory.is_absolute() || !options.program.is_absolute()) {
    return fail(ErrorKind::Invalid, options.run_directory.string() + ": the guard needs absolute paths");
  }
  auto client = std::make_unique<GuardClient>(options, clock, interrupt_fd);
  TRY_VOID(client->connect());
  return client;
}

Result<AttemptSighting> sight_attempt(const std::filesystem::path& run_directory, const std::string& attempt) {
  if (const std::optional<AttemptSighting> seen = TRY(ask_living(run_directory, attempt))) return *seen;
  std::optional<ExitRecord> record = TRY(ExitLog::look(run_directory / "exits.log", attempt));
  if (!record) return AttemptSighting{};
  return AttemptSighting{.what = AttemptSighting::What::Ended, .record = std::move(*record)};
}

void poke_guard(const std::filesystem::path& run_directory) {
  Result<Fd> fd = connect_to(run_directory / "guard.sock");
  if (!fd) return;  // nobody to wake
  LineSocket socket(std::move(*fd));
  socket.queue(encode(GuardRequest{.what = GuardRequest::What::Hello}));
  socket.queue(encode(GuardRequest{.what = GuardRequest::What::Poke}));
  static_cast<void>(socket.flush());
}

}  // namespace reprise
