// The lanes' run log (JSONL): one event per line, written so that every line stands by itself, read whatever
// others left in it.
//
// What always holds:
//
//   A line that we write is one JSON object on one line: control characters are escaped and bytes that are not
//   UTF-8 replaced. Reading never fails. What is no event is given as a stretch of bytes, and events and stretches
//   together with the space between them are the file. A line that was torn costs itself only: whoever appends
//   puts heal_run_log() first.
//
// Others write values over many lines, several programs at once, text with "|" between its fields, and words of
// their own for a status. All of this is read: as a stream of JSON values, which begins anew at a "{" at the start
// of a line.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/status.h"
#include "text/document.h"

namespace reprise {

/// How an event went. The first four are the words that are written; Running and Unknown are only read.
enum class LogStatus { Ok, Error, Blocked, Skipped, Running, Unknown };
inline constexpr TokenTable<LogStatus, 6> kLogStatusTokens = {{{LogStatus::Ok, "ok"},
                                                               {LogStatus::Error, "error"},
                                                               {LogStatus::Blocked, "blocked"},
                                                               {LogStatus::Skipped, "skipped"},
                                                               {LogStatus::Running, "running"},
                                                               {LogStatus::Unknown, "unknown"}}};

/// Returns what a word for a status means: "passed" and "complete" are Ok, "started" is Running.
LogStatus log_status_from(std::string_view word);

/// An event. "" stands for what does not apply, in the file "-".
struct RunLogEvent {
  Timestamp ts;
  std::string run_id;
  std::string phase;
  std::string lane;
  std::string task;
  std::string event;  // "lane_start", "test_done" …
  LogStatus status = LogStatus::Ok;
  std::string cmd;
  std::optional<int> exit_code;
  std::string notes;
  bool operator==(const RunLogEvent&) const = default;
};

/// Returns the event as one line, its line end included.
std::string run_log_line(const RunLogEvent& event);

/// Returns what must be appended before the next line: a line end if `tail`, the last bytes of the file, ends in
/// the middle of a line.
std::string_view heal_run_log(std::string_view tail);

/// An event where it stands.
struct ReadLogEvent {
  RunLogEvent event;
  std::string status_text;  // the word as written
  bool has_time = false;    // whether `ts` was given and understood
  TextSpan span;
  int line = 0;
};

/// Bytes that are no event.
struct RawLogSpan {
  TextSpan span;
  int line = 0;
  bool is_torn_tail = false;  // it is the file's end and has no line end
};

struct RunLog {
  std::vector<ReadLogEvent> events;  // in the file's order
  std::vector<RawLogSpan> raw;
};

/// Reads a log.
RunLog read_run_log(std::string_view bytes);

/// Returns the last `count` events of a lane in a run as short texts, oldest first: what a retry is told.
std::vector<std::string> last_log_entries(const RunLog& log, std::string_view run_id, std::string_view lane,
                                          std::size_t count);

}  // namespace reprise
