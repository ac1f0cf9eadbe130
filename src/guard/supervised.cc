// run_supervised() and its process in between. A command that cannot be started is told through descriptor 3: its
// exit code could be any.

#include "guard/supervised.h"

#include <signal.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "guard/worker_tree.h"
#include "os/clock.h"
#include "os/io.h"
#include "os/machine.h"
#include "os/poller.h"

namespace reprise {
namespace {

constexpr int kReportFd = 3;
constexpr int kSignalBase = 128;
constexpr int kTimedOutCode = 124;
constexpr int kNotStartedCode = 127;
constexpr std::size_t kReportBytesMax = 4'096;
constexpr Duration kTermGrace{250};  // between TERM and KILL for what was left behind
constexpr Duration kClearPatience{1'900};
constexpr Duration kClearPause{20};
constexpr Duration kBackstop{10'000};  // for a process in between that does not keep the time

std::string numbered_tag(const std::string& tag, const ProcessId& self) {
  return tag + "/" + std::to_string(self.pid) + "-" + self.start;
}

void set_tag(std::vector<std::string>& environment, const std::string& tag) {
  const std::string name = std::string(kTagVariable) + "=";
  std::erase_if(environment, [&](const std::string& each) { return each.starts_with(name); });
  environment.push_back(name + tag);
}

class Supervised {
 public:
  Supervised(std::vector<std::string> argv, Duration timeout) : argv_(std::move(argv)), timeout_(timeout) {}

  Result<int> run() {
    TRY_VOID(become_subreaper());
    const Fd signals = TRY(take_signals(std::array{SIGCHLD, SIGTERM}, std::array{SIGINT, SIGHUP, SIGPIPE}));
    const ProcessId self = TRY(identify_self());
    tree_.run_tag = numbered_tag(std::string(kCommandTag), self);
    tree_.tag = tree_.run_tag;
    std::vector<std::string> environment = current_environment();
    set_tag(environment, tree_.tag);
    tree_.leader =
        TRY(spawn({.argv = argv_, .environment = environment, .stdin_fd = 0, .stdout_fd = 1, .stderr_fd = 2}));
    leaders_ = {tree_.leader};
    const int code = wait_for_leader(signals.get());
    clear();
    return code;
  }

 private:
  int wait_for_leader(int signals) {
    const Duration end = clock_.monotonic() + timeout_;
    for (;;) {
      while (const std::optional<ChildExit> exit = reap_any()) {
        if (exit->pid != tree_.leader) continue;
        forget_leader();
        return exit->exit_code.value_or(kSignalBase + exit->signal);
      }
      const Duration left = timeout_ == Duration(0) ? kClearPatience : end - clock_.monotonic();
      if (left <= Duration(0)) return end_leader();
      wait_readable(std::array{signals}, static_cast<int>(std::min(left, kClearPatience).count()));
      const std::vector<int> arrived = read_signals(signals);
      if (std::ranges::find(arrived, SIGTERM) != arrived.end()) return end_leader();
    }
  }

  int end_leader() {
    signal_tree(tree_, leaders_, SIGKILL);
    while (!known_exit()) pause_for(kClearPause);
    forget_leader();
    return kTimedOutCode;
  }

  bool known_exit() const {
    const std::optional<ProcessEntry> entry = find_process(tree_.leader);
    if (entry && !entry->has_ended()) return false;
    reap_child(tree_.leader);
    return true;
  }

  void forget_leader() {
    tree_.is_leader_ours = false;
    leaders_.clear();
  }

  void clear() {
    if (!may_have_leftovers(tree_, leaders_)) return;
    const Duration start = clock_.monotonic();
    signal_tree(tree_, leaders_, SIGTERM);
    while (may_have_leftovers(tree_, leaders_)) {
      const Duration waited = clock_.monotonic() - start;
      if (waited > kClearPatience) return;
      if (waited > kTermGrace) kill_leftovers(tree_, leaders_);
      pause_for(kClearPause);
    }
  }

  SystemClock clock_;
  std::vector<std::string> argv_;
  Duration timeout_;
  WorkerTree tree_;
  std::set<int> leaders_;
};

std::string read_report(int fd) {
  std::string report(kReportBytesMax, '\0');
  report.resize(read_available(fd, report).bytes);
  return report;
}

}  // namespace

Result<Captured> run_supervised(const std::filesystem::path& program, CaptureRequest request) {
  if (request.environment.empty()) request.environment = current_environment();
  set_tag(request.environment, std::string(kCommandTag));
  if (program.empty()) return run_captured(request);
  Pipe report = TRY(make_pipe());
  const std::int64_t timeout_ms = request.timeout ? std::max<std::int64_t>(request.timeout->count(), 1) : 0;
  const std::array between = {program.string(), std::string(kSuperviseOption), std::to_string(timeout_ms)};
  request.argv.insert(request.argv.begin(), between.begin(), between.end());
  request.held_fd = report.write_end.get();
  if (request.timeout) *request.timeout += kBackstop;
  Captured captured = TRY(run_captured(request));
  report.write_end.reset();
  const std::string said = read_report(report.read_end.get());
  const std::size_t space = said.find(' ');
  if (space == std::string::npos) return captured;
  Error error{.kind = static_cast<ErrorKind>(parse_number(said.substr(0, space), 255).value_or(0)),
              .message = said.substr(space + 1)};
  // As run_captured(): whoever wants output now cannot wait for the machine to recover.
  if (error.kind == ErrorKind::Unavailable) error.kind = ErrorKind::Io;
  return fail(std::move(error));
}

int supervise_main(std::span<const std::string> words) {
  keep_from_children(kReportFd);
  const Duration timeout{parse_number(words.front(), INT64_MAX).value_or(0)};
  const Result<int> code = Supervised({words.begin() + 1, words.end()}, timeout).run();
  if (code) return *code;
  const std::string report = std::to_string(static_cast<int>(code.error().kind)) + " " +
                             code.error().message.substr(0, kReportBytesMax / 2);
  static_cast<void>(write_all(kReportFd, report, "report"));
  return kNotStartedCode;
}

}  // namespace reprise
