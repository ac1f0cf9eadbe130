// Output: one of our two output descriptors, and what becomes of text that nobody reads.
//
// A stopped terminal (Ctrl-S), a paused pager or a parent that does not drain a pipe must not stop a run. So
// nothing here blocks in write(): text is queued, and written as the descriptor takes it. Results are kept until
// they are written; lines of progress are dropped once too much is queued, and the reader is told how many.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace reprise {

class Output {
 public:
  explicit Output(int fd) : fd_(fd) {}
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Queues `text` and writes what the descriptor takes now.
  void put(std::string_view text);
  /// Like put() for progress: drops `text` if too much is queued already. Returns whether it was queued.
  bool offer(std::string_view text);
  /// Writes what the descriptor takes now.
  void pump();
  /// Writes everything. Returns early if writing fails, if a signal that ends us has arrived, or if the reader
  /// takes nothing for as long as `patience` (nothing: no limit).
  void drain(std::optional<Duration> patience);
  /// Closes the descriptor itself: some file systems report a full disk only now.
  void close();

  bool is_stalled() const { return !queue_.empty(); }
  /// The errno of the first write that failed; 0: none did.
  int failure() const { return failure_; }

 private:
  enum class Kind { Unknown, Plain, Socket, Shared };
  void find_kind();
  long write_now(std::string_view text) const;

  int fd_;
  int own_ =
      -1;  // the same pipe or terminal, opened again so that it does not block: others share the flags of fd_
  Kind kind_ = Kind::Unknown;
  int failure_ = 0;
  std::size_t dropped_ = 0;  // lines
  std::string queue_;
};

/// Makes sure that descriptors 0, 1 and 2 are open, so that no file of ours takes their place.
void occupy_standard_descriptors();

}  // namespace reprise
