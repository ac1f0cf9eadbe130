// The guard process: one loop around one wait call.
//
// Everything that happened in one turn is published together: one write to the exit log, then one
// message to the runner (G2).

#include "guard/guard.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "guard/exit_log.h"
#include "guard/protocol.h"
#include "guard/worker_log.h"
#include "guard/worker_process.h"
#include "os/clock.h"
#include "os/io.h"
#include "os/poller.h"
#include "os/process.h"
#include "os/process_table.h"
#include "os/socket.h"

namespace reprise {
namespace {

constexpr int kInheritedSocket = 3;       // the runner that starts us leaves its connection there
constexpr Duration kFirstRunner{10'000};  // how long a guard without any runner waits for one
constexpr Duration kLogRetry{250};
constexpr Duration kLeftoverPatience{5'000};
constexpr Duration kShortagePause{100};
constexpr Duration kShortagePatience{5'000};  // once no worker is left whose end could help
constexpr int kDescriptors = 4'096;           // two for each of up to a thousand workers

// What a poller key stands for; the rest of the key is an id.
enum class Source : std::uint64_t { Listener, Signals, Connection, WorkerOut, WorkerErr };
constexpr std::uint64_t key_of(Source source, std::uint64_t id = 0) {
  return id << 3 | static_cast<std::uint64_t>(source);
}

class Guard {
 public:
  Guard(std::filesystem::path directory, std::string tag, FileLock lock, ExitLog log, Poller poller)
      : directory_(std::move(directory)),
        tag_(std::move(tag)),
        lock_(std::move(lock)),
        log_(std::move(log)),
        started_(directory_),
        poller_(std::move(poller)) {}

  Result<void> open();
  void run();

 private:
  struct Connection {
    LineSocket lines;
    bool waits_for_room = false;  // part of what is queued could not be sent
  };

  // A worker that could not be started because the machine was short of something.
  struct Deferred {
    WorkerSpec spec;
    Duration since{0};  // when it was tried first
  };

  bool is_needed() const;
  int turn_timeout() const;
  void handle(const Poller::Ready& ready);
  void handle_signals();
  void handle_connection(std::uint64_t id, bool is_readable);
  void handle_output(std::uint64_t id, WorkerProcess::Stream stream);
  void handle_request(std::uint64_t id, GuardRequest request);
  void add_connection(Fd fd);
  void drop_connection(std::uint64_t id);
  void greet(std::uint64_t id, std::optional<std::int64_t> token);
  void start(std::uint64_t id, GuardRequest request);
  void start_one(WorkerSpec spec);
  std::optional<Deferred> try_start(WorkerSpec spec, Duration since);
  void start_deferred();
  bool is_deferred(const std::string& attempt) const;
  ExitRecord stopped_before_start(const std::string& attempt) const;
  void stop(const std::string& attempt);
  void stop_all();
  void answer(std::uint64_t id, const GuardRequest& request);
  Result<AttemptSighting> sight(const GuardRequest& request);
  Result<void> end_leftovers();
  void advance(std::uint64_t id);
  void advance_due();
  void publish();
  void send(std::uint64_t id, const GuardReply& reply);
  void flush(std::uint64_t id);
  void load_token();
  void store_token() const;

  std::filesystem::path directory_;
  std::string tag_;
  FileLock lock_;  // G1: held until we end
  ExitLog log_;
  WorkerLog started_;
  Poller poller_;
  mutable SystemClock clock_;  // reading it changes nothing
  Fd listener_;
  Fd signals_;
  std::map<std::uint64_t, Connection> connections_;
  std::uint64_t runner_ = 0;  // its connection, 0: none
  std::int64_t newest_token_ = 0;
  std::map<std::uint64_t, WorkerProcess> workers_;
  std::map<std::string, std::uint64_t, std::less<>> by_attempt_;
  std::map<int, std::uint64_t> by_pid_;
  std::set<int> leaders_;          // the programs of workers that have not ended
  std::vector<ExitRecord> ended_;  // not yet in the log
  std::vector<Deferred> deferred_;
  Duration next_start_try_{0};
  Duration next_log_try_{0};
  bool log_fails_ = false;
  bool is_ending_ = false;
  bool are_leftovers_ended_ = false;
  Duration waits_until_{0};
  std::uint64_t last_id_ = 0;
};

Result<void> Guard::open() {
  load_token();
  allow_descriptors(kDescriptors);
  TRY_VOID(become_subreaper());
  signals_ = TRY(take_signals(std::array{SIGCHLD, SIGTERM}, std::array{SIGINT, SIGHUP, SIGPIPE}));
  listener_ = TRY(listen_at(directory_ / "guard.sock"));
  TRY_VOID(poller_.add(signals_.get(), key_of(Source::Signals)));
  TRY_VOID(poller_.add(listener_.get(), key_of(Source::Listener)));
  waits_until_ = clock_.monotonic() + kFirstRunner;
  if (is_socket(kInheritedSocket)) {
    keep_from_children(kInheritedSocket);
    waits_until_ = Duration(0);
    add_connection(Fd(kInheritedSocket));
    runner_ = last_id_;  // its hello is on the way
  }
  return {};
}

bool Guard::is_needed() const {
  if (!workers_.empty() || !ended_.empty() || !deferred_.empty()) return true;
  return !is_ending_ && (runner_ != 0 || clock_.monotonic() < waits_until_);
}

int Guard::turn_timeout() const {
  Duration next = WorkerProcess::kNever;
  for (const auto& [id, worker] : workers_) next = std::min(next, worker.deadline());
  if (!ended_.empty()) next = std::min(next, next_log_try_);
  if (!deferred_.empty()) next = std::min(next, next_start_try_);
  const Duration now = clock_.monotonic();
  if (runner_ == 0 && now < waits_until_) next = std::min(next, waits_until_);
  if (next == WorkerProcess::kNever) return -1;
  constexpr Duration kTurnMax{3'600'000};
  return static_cast<int>(std::clamp(next - now, Duration(0), kTurnMax).count());
}

void Guard::run() {
  while (is_needed()) {
    for (const Poller::Ready& ready : poller_.wait(turn_timeout())) handle(ready);
    advance_due();
    start_deferred();
    publish();
  }
  started_.clear();
  // Whoever connects from now on finds nobody, and starts a guard of their own once our lock is gone.
  static_cast<void>(PosixFileSystem().remove(directory_ / "guard.sock"));
}

void Guard::handle(const Poller::Ready& ready) {
  const std::uint64_t id = ready.key >> 3;
  switch (static_cast<Source>(ready.key & 7)) {
    case Source::Signals: return handle_signals();
    case Source::Connection: return handle_connection(id, ready.readable);
    case Source::WorkerOut: return handle_output(id, WorkerProcess::Stream::Out);
    case Source::WorkerErr: return handle_output(id, WorkerProcess::Stream::Err);
    case Source::Listener:
      while (std::optional<Fd> fd = accept_from(listener_.get())) add_connection(std::move(*fd));
      return;
  }
}

void Guard::handle_signals() {
  for (const int signal : read_signals(signals_.get())) {
    if (signal == SIGTERM) stop_all();
  }
  const Duration now = clock_.monotonic();
  bool has_reaped = false;
  while (const std::optional<ChildExit> exit = reap_any()) {
    has_reaped = true;
    const auto found = by_pid_.find(exit->pid);
    if (found == by_pid_.end()) continue;  // an orphan that we took over
    leaders_.erase(exit->pid);
    workers_.at(found->second).note_exit(*exit, now);
    by_pid_.erase(found);
  }
  if (!has_reaped) return;
  // Also those that wait for their leftovers: one of these may be what has just ended.
  std::vector<std::uint64_t> exited;
  for (const auto& [id, worker] : workers_) {
    if (worker.has_exited()) exited.push_back(id);
  }
  for (const std::uint64_t id : exited) advance(id);
}

void Guard::handle_output(std::uint64_t id, WorkerProcess::Stream stream) {
  const auto found = workers_.find(id);
  if (found == workers_.end()) return;
  found->second.drain(stream);
  if (found->second.has_exited()) advance(id);
}

void Guard::advance(std::uint64_t id) {
  WorkerProcess& worker = workers_.at(id);
  worker.advance(clock_.monotonic(), leaders_);
  if (!worker.is_done()) return;
  ended_.push_back(worker.take_record(clock_.now()));
  by_attempt_.erase(worker.attempt());
  workers_.erase(id);
}

void Guard::advance_due() {
  const Duration now = clock_.monotonic();
  std::vector<std::uint64_t> due;
  for (const auto& [id, worker] : workers_) {
    if (worker.deadline() <= now) due.push_back(id);
  }
  for (const std::uint64_t id : due) advance(id);
}

// G2: into the log first. While the log cannot be written nobody is told how anything ended, only that
// there is trouble, and we stay.
void Guard::publish() {
  if (ended_.empty() || (log_fails_ && clock_.monotonic() < next_log_try_)) return;
  if (const Result<void> appended = log_.append(ended_); !appended) {
    next_log_try_ = clock_.monotonic() + kLogRetry;
    if (!log_fails_) send(runner_, {.what = GuardReply::What::Trouble, .message = appended.error().message});
    log_fails_ = true;
    return;
  }
  log_fails_ = false;
  send(runner_, {.what = GuardReply::What::Ended, .ended = std::move(ended_)});
  ended_.clear();
}

void Guard::add_connection(Fd fd) {
  const std::uint64_t id = ++last_id_;
  if (!poller_.add(fd.get(), key_of(Source::Connection, id))) return;
  connections_.emplace(id, Connection{.lines = LineSocket(std::move(fd))});
}

void Guard::drop_connection(std::uint64_t id) {
  connections_.erase(id);
  if (runner_ == id) runner_ = 0;
}

void Guard::handle_connection(std::uint64_t id, bool is_readable) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  LineSocket& lines = found->second.lines;
  bool is_alive = true;
  if (is_readable) is_alive = lines.receive();
  // Once we are told to end we start nothing and promise nothing: the runner sees us go, and looks again.
  while (!is_ending_) {
    const std::optional<std::string_view> line = lines.next_line();
    if (!line) break;
    handle_request(id, decode_request(*line));
  }
  if (!is_alive) return drop_connection(id);
  flush(id);
}

void Guard::handle_request(std::uint64_t id, GuardRequest request) {
  switch (request.what) {
    case GuardRequest::What::Hello: return greet(id, request.token);
    case GuardRequest::What::Start: return start(id, std::move(request));
    case GuardRequest::What::Stop: return stop(request.attempt);
    case GuardRequest::What::LookUp:
    case GuardRequest::What::Sight: return answer(id, request);
    case GuardRequest::What::Poke: return send(runner_, {.what = GuardReply::What::Poke});
    case GuardRequest::What::Unknown: return;
  }
}

void Guard::greet(std::uint64_t id, std::optional<std::int64_t> token) {
  if (token && *token < newest_token_) {
    if (runner_ == id) runner_ = 0;
    return send(id, {.what = GuardReply::What::Refused, .message = "the run was taken over by another process"});
  }
  if (token) {
    if (runner_ != 0 && runner_ != id) {
      send(runner_, {.what = GuardReply::What::Refused, .message = "the run was taken over by another process"});
    }
    runner_ = id;
    waits_until_ = Duration(0);
    const bool is_newer = *token > newest_token_;
    newest_token_ = *token;
    if (is_newer) store_token();
  }
  // At once: a runner that sees this knows that what it sent before is being handled.
  send(id, {.what = GuardReply::What::Hello});
}

void Guard::start(std::uint64_t id, GuardRequest request) {
  if (!request.token || *request.token < newest_token_) {  // G3
    return send(id, {.what = GuardReply::What::Refused, .message = "the run was taken over by another process"});
  }
  for (WorkerSpec& spec : request.specs) start_one(std::move(spec));
}

void Guard::start_one(WorkerSpec spec) {
  if (by_attempt_.contains(spec.attempt) || is_deferred(spec.attempt)) return;
  if (std::optional<Deferred> deferred = try_start(std::move(spec), clock_.monotonic()))
    deferred_.push_back(std::move(*deferred));
}

// Starts a worker. Returns it if the machine is short of something now and it is to be tried again.
std::optional<Guard::Deferred> Guard::try_start(WorkerSpec spec, Duration since) {
  const std::uint64_t id = ++last_id_;
  const auto [place, is_new] = workers_.try_emplace(id, std::move(spec), tag_);
  WorkerProcess& worker = place->second;
  const Result<void> started = worker.start(clock_.monotonic());
  if (!started) {
    const bool is_short = started.error().kind == ErrorKind::Unavailable;
    // What other workers hold becomes free when they end.
    const bool is_hopeless = workers_.size() == 1 && clock_.monotonic() >= since + kShortagePatience;
    std::optional<Deferred> deferred;
    if (is_short && !is_hopeless) {
      deferred.emplace(worker.take_spec(), since);
    } else {
      ended_.push_back(worker.take_record(clock_.now(), started.error().message));
      ended_.back().is_shortage = is_short;
    }
    workers_.erase(place);
    return deferred;
  }
  // Before anybody can count on it. If this fails, its tag and its group still lead to it.
  static_cast<void>(started_.add(worker.pid()));
  by_attempt_.emplace(worker.attempt(), id);
  by_pid_.emplace(worker.pid(), id);
  leaders_.insert(worker.pid());
  const bool is_watched = poller_.add(worker.fd(WorkerProcess::Stream::Out), key_of(Source::WorkerOut, id)) &&
                          poller_.add(worker.fd(WorkerProcess::Stream::Err), key_of(Source::WorkerErr, id));
  // Without its output being drained it would hang one day: better to end it now, and say so.
  if (!is_watched) worker.end(WorkerProcess::Reason::Stop, clock_.monotonic(), leaders_);
  return std::nullopt;
}

void Guard::start_deferred() {
  if (deferred_.empty() || is_ending_ || clock_.monotonic() < next_start_try_) return;
  next_start_try_ = clock_.monotonic() + kShortagePause;
  std::vector<Deferred> waiting = std::exchange(deferred_, {});
  for (Deferred& each : waiting) {
    // The first that fails shows that nothing has become free.
    if (!deferred_.empty()) {
      deferred_.push_back(std::move(each));
    } else if (std::optional<Deferred> again = try_start(std::move(each.spec), each.since)) {
      deferred_.push_back(std::move(*again));
    }
  }
}

bool Guard::is_deferred(const std::string& attempt) const {
  return std::ranges::any_of(deferred_, [&](const Deferred& each) { return each.spec.attempt == attempt; });
}

void Guard::stop(const std::string& attempt) {
  for (const Deferred& each : deferred_) {
    if (each.spec.attempt == attempt) ended_.push_back(stopped_before_start(attempt));
  }
  std::erase_if(deferred_, [&](const Deferred& each) { return each.spec.attempt == attempt; });
  const auto found = by_attempt_.find(attempt);
  if (found == by_attempt_.end()) return;
  workers_.at(found->second).end(WorkerProcess::Reason::Stop, clock_.monotonic(), leaders_);
}

ExitRecord Guard::stopped_before_start(const std::string& attempt) const {
  return {.attempt = attempt, .stopped = true, .ended_at = clock_.now()};
}

void Guard::stop_all() {
  is_ending_ = true;
  for (const Deferred& each : deferred_) ended_.push_back(stopped_before_start(each.spec.attempt));
  deferred_.clear();
  for (auto& [id, worker] : workers_) {
    worker.end(WorkerProcess::Reason::Stop, clock_.monotonic(), leaders_);
  }
}

void Guard::answer(std::uint64_t id, const GuardRequest& request) {
  const Result<AttemptSighting> sighting = sight(request);
  if (sighting) {
    send(id, {.what = GuardReply::What::Sighting, .attempt = request.attempt, .sighting = *sighting});
  } else {
    send(id, {.what = GuardReply::What::Trouble, .attempt = request.attempt, .message = sighting.error().message});
  }
}

Result<AttemptSighting> Guard::sight(const GuardRequest& request) {
  using What = AttemptSighting::What;
  const bool is_pending =
      std::ranges::any_of(ended_, [&](const ExitRecord& record) { return record.attempt == request.attempt; });
  // What has ended but is not in the log yet still runs, for everybody else: its end is about to be told.
  if (is_pending || by_attempt_.contains(request.attempt) || is_deferred(request.attempt))
    return AttemptSighting{.what = What::Running, .record = {}};
  if (std::optional<ExitRecord> record = TRY(log_.find(request.attempt))) {
    return AttemptSighting{.what = What::Ended, .record = std::move(*record)};
  }
  if (request.what == GuardRequest::What::LookUp) TRY_VOID(end_leftovers());
  return AttemptSighting{};
}

// Ends what an earlier guard of this run left behind when it was killed. Once is enough: whatever is found
// afterwards was started by us.
Result<void> Guard::end_leftovers() {
  if (are_leftovers_ended_) return {};
  const auto find = [&] { return started_.find_survivors(list_processes(), tag_); };
  TRY_VOID(kill_until_none(find, kLeftoverPatience));
  are_leftovers_ended_ = true;
  return {};
}

void Guard::send(std::uint64_t id, const GuardReply& reply) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  found->second.lines.queue(encode(reply));
  flush(id);
}

// A connection that fails here is dropped when the poller reports it: callers may be using it.
void Guard::flush(std::uint64_t id) {
  Connection& connection = connections_.at(id);
  static_cast<void>(connection.lines.flush());
  if (connection.lines.has_unsent() == connection.waits_for_room) return;
  connection.waits_for_room = !connection.waits_for_room;
  poller_.change(connection.lines.fd(), key_of(Source::Connection, id),
                 connection.waits_for_room ? Poller::Interest::ReadWrite : Poller::Interest::Read);
}

// The newest token is kept in the lock's file, one line each: a runner that lost its lease must be
// refused also by the guard that it would start itself.
void Guard::load_token() { newest_token_ = newest_guard_token(directory_); }

void Guard::store_token() const {
  const std::string name = (directory_ / "guard.lock").string();
  const Result<Fd> fd = open_for_append(name);
  // A line of its own, also behind one that was torn: two numbers in one line would be read as a larger one.
  if (fd) static_cast<void>(write_all(fd->get(), "\n" + std::to_string(newest_token_) + "\n", name));
}

Result<int> run_guard(const std::filesystem::path& directory, const std::string& tag) {
  std::optional<FileLock> lock = TRY(FileLock::try_lock(directory / "guard.lock", 0));
  if (!lock) return 0;  // another guards this run; whoever started us sees us go, and asks it
  ExitLog log = TRY(ExitLog::open(directory / "exits.log"));
  Poller poller = TRY(Poller::open());
  Guard guard(directory, tag, std::move(*lock), std::move(log), std::move(poller));
  TRY_VOID(guard.open());
  guard.run();
  return 0;
}

}  // namespace

std::int64_t newest_guard_token(const std::filesystem::path& run_directory) {
  std::int64_t newest = 0;
  const Result<std::string> text = PosixFileSystem().read(run_directory / "guard.lock", 1u << 20);
  if (!text) return newest;
  for (const std::string_view line : split(*text, '\n'))
    newest = std::max<std::int64_t>(newest, parse_number(line, INT64_MAX).value_or(0));
  return newest;
}

Result<void> archive_exits(const std::filesystem::path& run_directory) {
  const std::optional<FileLock> lock = TRY(FileLock::try_lock(run_directory / "guard.lock", 0));
  if (!lock) return {};
  return ExitLog::archive(run_directory / "exits.log", std::to_string(newest_guard_token(run_directory)));
}

int guard_main(const std::filesystem::path& run_directory, const std::string& tag) {
  const Result<int> code = run_guard(run_directory, tag);
  if (code) return *code;
  // The only one who can be told why is the runner that waits at the other end.
  if (is_socket(kInheritedSocket)) {
    LineSocket runner{Fd(kInheritedSocket)};
    runner.queue(encode(GuardReply{.what = GuardReply::What::Trouble, .message = code.error().message}));
    static_cast<void>(runner.flush());
  }
  return 1;
}

}  // namespace reprise
