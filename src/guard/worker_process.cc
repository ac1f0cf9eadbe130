// A worker's life, step by step.

#include "guard/worker_process.h"

#include <signal.h>

#include <algorithm>
#include <array>

#include "guard/result_file.h"
#include "os/io.h"

namespace reprise {
namespace {

constexpr std::size_t kReadPiece = 256u << 10;
constexpr int kReadsPerTurn = 16;  // so that one loud worker does not keep the others waiting
constexpr std::int64_t kLoud = 256 << 10;
constexpr int kWidePipe = 1 << 20;
constexpr Duration kDrainMax{1'000};     // waiting for a grandchild that has the output open
constexpr Duration kLeftoverGrace{250};  // between TERM and KILL for what was left behind
constexpr Duration kGiveUp{1'900};       // then it is recorded, whatever is left
constexpr Duration kLookAgain{20};
constexpr Duration kKillAgain{50};

}  // namespace

WorkerProcess::WorkerProcess(WorkerSpec spec, const std::string& run_tag)
    : spec_(std::move(spec)),
      streams_{{.pipe = Fd(), .file = OutputFile(spec_.stdout_path, spec_.output_bytes_max)},
               {.pipe = Fd(), .file = OutputFile(spec_.stderr_path, spec_.output_bytes_max)}} {
  tree_.run_tag = run_tag;
  tree_.tag = run_tag + "/" + spec_.attempt;
}

Result<void> WorkerProcess::start(Duration now) {
  started_ = exited_ = now;
  const std::string variable = std::string(kTagVariable) + "=";
  std::erase_if(spec_.environment, [&](const std::string& entry) { return entry.starts_with(variable); });
  spec_.environment.push_back(variable + tree_.tag);
  Pipe out = TRY(make_pipe());
  Pipe err = TRY(make_pipe());
  tree_.leader = TRY(spawn({.argv = spec_.argv,
                            .environment = spec_.environment,
                            .directory = spec_.directory,
                            .stdout_fd = out.write_end.get(),
                            .stderr_fd = err.write_end.get()}));
  streams_[0].pipe = std::move(out.read_end);
  streams_[1].pipe = std::move(err.read_end);
  // Not needed any more, and may hold secrets.
  spec_.environment.clear();
  spec_.argv.clear();
  if (spec_.timeout_ms > 0) deadline_ = now + Duration(spec_.timeout_ms);
  return {};
}

void WorkerProcess::drain(Stream stream) {
  static std::array<char, kReadPiece> buffer;  // the guard has one thread
  Kept& kept = streams_[index(stream)];
  for (int i = 0; i < kReadsPerTurn && kept.pipe.is_open(); ++i) {
    const Received got = read_available(kept.pipe.get(), buffer);
    kept.file.take(std::string_view(buffer.data(), got.bytes), spec_.secrets);
    if (got.ended) kept.pipe.reset();
    if (got.bytes == 0) return;
    if (!kept.is_wide && kept.file.printed() > kLoud) {
      kept.is_wide = true;
      widen_pipe(kept.pipe.get(), kWidePipe);
    }
  }
}

void WorkerProcess::note_exit(const ChildExit& exit, Duration now) {
  record_.exit_code = exit.exit_code;
  record_.signal = exit.signal;
  // Whoever was told to end has had its time; what it left behind gets no more.
  const bool was_ended = phase_ != Phase::Running;
  clearing_kill_ = phase_ == Phase::Killing ? now : kNever;
  phase_ = Phase::Draining;
  tree_.is_leader_ours = false;
  exited_ = now;
  deadline_ = was_ended ? now : now + kDrainMax;
}

void WorkerProcess::end(Reason reason, Duration now, const std::set<int>& leaders) {
  if (phase_ >= Phase::Draining) return;  // its own end came first
  (reason == Reason::Stop ? record_.stopped : record_.timed_out) = true;
  if (phase_ != Phase::Running) return;
  phase_ = Phase::Ending;
  deadline_ = now + Duration(spec_.grace_ms);
  signal_tree(tree_, leaders, SIGTERM);
}

void WorkerProcess::kill(Duration now, const std::set<int>& leaders) {
  phase_ = Phase::Killing;
  deadline_ = now + kKillAgain;
  signal_tree(tree_, leaders, SIGKILL);
}

void WorkerProcess::advance(Duration now, const std::set<int>& leaders) {
  if (has_exited()) return settle(now, leaders);
  if (now < deadline_) return;
  if (phase_ == Phase::Running) return end(Reason::Timeout, now, leaders);
  kill(now, leaders);
}

void WorkerProcess::drain_all() {
  // A turn reads more than a pipe can hold, so what the worker itself printed is all read by it, also
  // when a grandchild goes on printing.
  static_assert(kReadsPerTurn * kReadPiece > kWidePipe);
  drain(Stream::Out);
  drain(Stream::Err);
}

void WorkerProcess::settle(Duration now, const std::set<int>& leaders) {
  if (is_done()) return;
  drain_all();
  if (phase_ == Phase::Draining && is_any_open() && now < deadline_) return;
  const bool is_over = now >= exited_ + kGiveUp;
  if (is_over || !may_have_leftovers(tree_, leaders)) {
    phase_ = Phase::Done;
    for (Kept& kept : streams_) kept.pipe.reset();
    return;
  }
  if (phase_ == Phase::Draining) {
    phase_ = Phase::Clearing;
    const bool is_forced = clearing_kill_ <= now;
    clearing_kill_ = std::min(clearing_kill_, now + kLeftoverGrace);
    if (!is_forced) signal_tree(tree_, leaders, SIGTERM);
  }
  if (now >= clearing_kill_) kill_leftovers(tree_, leaders);
  deadline_ = now + kLookAgain;
}

// A disk that cannot take it does not keep the end of the worker from being recorded: the runner masks it again.
void WorkerProcess::mask_result() {
  if (spec_.result_path.empty()) return;
  PosixFileSystem files;
  const Result<std::optional<FileInfo>> info = files.stat(spec_.result_path);
  if (!info || !*info) return;
  record_.left_result = true;
  static_cast<void>(mask_result_file(files, spec_.result_path, static_cast<std::size_t>(spec_.result_bytes_max),
                                     Masker(spec_.secrets)));
}

ExitRecord WorkerProcess::take_record(Timestamp ended_at, std::string start_error) {
  for (Kept& kept : streams_) kept.file.finish();
  mask_result();
  record_.attempt = spec_.attempt;
  if (!start_error.empty()) record_.start_error = Masker(spec_.secrets).mask(start_error);
  record_.duration_ms = (exited_ - started_).count();
  record_.stdout_bytes = streams_[0].file.printed();
  record_.stderr_bytes = streams_[1].file.printed();
  record_.ended_at = ended_at;
  return std::move(record_);
}

}  // namespace reprise
