// WorkerProcess: one worker as the guard sees it, from the spawn to the exit record.
//
//   Running ──timeout, stop──► Ending (TERM sent) ──grace over──► Killing (KILL sent, again and again)
//      └───────────────────────────┴────────────────────────────────┘
//                                  │ the process has ended
//                                  ▼
//                 Draining: somebody still has its output open ──1 s──► Clearing: what it left behind is
//                                  │                                    ended, TERM and then KILL
//                                  └──────────► Done ◄─── at the latest 2 s after its end (P22)

#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "guard/output_file.h"
#include "guard/worker_tree.h"
#include "guard/workers.h"
#include "os/file_system.h"
#include "os/process.h"

namespace reprise {

class WorkerProcess {
 public:
  enum class Stream { Out = 0, Err = 1 };
  enum class Reason { Timeout, Stop };
  static constexpr Duration kNever = Duration::max();

  WorkerProcess(WorkerSpec spec, const std::string& run_tag);

  /// Starts the program. The error is what the exit record's start_error is to say; Unavailable if the machine is
  /// short of what it takes, and another try may succeed.
  Result<void> start(Duration now);
  /// Reads what the stream holds now, a bounded amount of it.
  void drain(Stream stream);
  /// Is told that the program itself has ended.
  void note_exit(const ChildExit& exit, Duration now);
  /// Begins to end the whole tree. `leaders` are all workers that live.
  void end(Reason reason, Duration now, const std::set<int>& leaders);
  /// Does what is due: the next signal, or, after the exit, the next step towards Done.
  void advance(Duration now, const std::set<int>& leaders);

  bool is_done() const { return phase_ == Phase::Done; }
  bool has_exited() const { return phase_ >= Phase::Draining; }
  /// When advance() has to be called at the latest.
  Duration deadline() const { return deadline_; }
  int pid() const { return tree_.leader; }
  int fd(Stream stream) const { return streams_[index(stream)].pipe.get(); }
  const std::string& attempt() const { return spec_.attempt; }
  /// Returns what was to be started, after start() failed.
  WorkerSpec take_spec() { return std::move(spec_); }
  /// Returns the exit record; once, when done, or when start() failed with `start_error`.
  ExitRecord take_record(Timestamp ended_at, std::string start_error = "");

 private:
  enum class Phase { Running, Ending, Killing, Draining, Clearing, Done };
  struct Kept {
    Fd pipe;
    OutputFile file;
    bool is_wide = false;
  };
  static std::size_t index(Stream stream) { return static_cast<std::size_t>(stream); }
  bool is_any_open() const { return streams_[0].pipe.is_open() || streams_[1].pipe.is_open(); }
  void drain_all();
  void mask_result();
  void kill(Duration now, const std::set<int>& leaders);
  void settle(Duration now, const std::set<int>& leaders);

  WorkerSpec spec_;
  WorkerTree tree_;
  Kept streams_[2];
  Phase phase_ = Phase::Running;
  ExitRecord record_;
  Duration started_{0};
  Duration exited_{0};
  Duration clearing_kill_{0};  // when leftovers get KILL instead of TERM
  Duration deadline_ = kNever;
};

}  // namespace reprise
