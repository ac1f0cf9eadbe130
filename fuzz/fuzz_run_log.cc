// The lanes' run log: nothing of any bytes is lost or given twice, and what is appended after healing is read.

#include <algorithm>

#include "formats/run_log.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const RunLog log = read_run_log(bytes);
  std::vector<TextSpan> spans;
  for (const ReadLogEvent& read : log.events) spans.push_back(read.span);
  for (const RawLogSpan& raw : log.raw) spans.push_back(raw.span);
  std::ranges::sort(spans, {}, &TextSpan::begin);
  std::size_t at = text_start(bytes);
  spans.push_back({bytes.size(), bytes.size()});
  for (const TextSpan& span : spans) {
    check(span.begin >= at && span.end <= bytes.size());
    check(bytes.substr(at, span.begin - at).find_first_not_of(" \t\r\n") == std::string_view::npos);
    at = span.end;
  }
  RunLogEvent event{.ts = {1'000}, .run_id = "r", .lane = "L", .event = "test_done"};
  event.notes = bytes.substr(0, 1'000);
  const std::string line = run_log_line(event);
  check(line.find('\n') == line.size() - 1);
  std::string appended(bytes);
  appended += heal_run_log(bytes);
  appended += line;
  const RunLog again = read_run_log(appended);
  check(!again.events.empty() && again.events.back().event.event == "test_done");
  check(again.events.back().span.end == appended.size() - 1);
  return 0;
}
