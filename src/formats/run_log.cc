#include "formats/run_log.h"

#include <algorithm>
#include <array>

#include "base/json_writer.h"
#include "base/strings.h"
#include "formats/state_words.h"
#include "model/limits.h"
#include "text/json_document.h"

namespace reprise {
namespace {

constexpr long long kExitCodeMax = 1'000'000;

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }
std::string without_dash(std::string text) { return text == "-" ? "" : text; }

// The fields that are text, under their names in the file.
struct LogField {
  std::string_view name;
  std::string RunLogEvent::* value;
};
constexpr std::array<LogField, 7> kLogFields = {{{"run_id", &RunLogEvent::run_id},
                                                 {"phase", &RunLogEvent::phase},
                                                 {"lane", &RunLogEvent::lane},
                                                 {"task", &RunLogEvent::task},
                                                 {"event", &RunLogEvent::event},
                                                 {"cmd", &RunLogEvent::cmd},
                                                 {"notes", &RunLogEvent::notes}}};

std::optional<int> exit_code_in(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const std::optional<long long> number = parse_number(text.substr(is_negative ? 1 : 0), kExitCodeMax);
  if (!number) return std::nullopt;
  return static_cast<int>(is_negative ? -*number : *number);
}

void set_status(ReadLogEvent& read, std::string_view word) {
  read.status_text = word;
  read.event.status = log_status_from(word);
}
void set_time(ReadLogEvent& read, std::string_view text) {
  const std::optional<ReadTime> time = read_time(text);
  read.has_time = time.has_value();
  if (time) read.event.ts = time->time;
}

// Goes through the bytes once, one value or line after the other.
class RunLogReader {
 public:
  explicit RunLogReader(std::string_view bytes) : bytes_(bytes), at_(text_start(bytes)) {}

  RunLog read() {
    while (skip_spaces()) {
      if (!may_begin_here() || !take_value()) take_line();
    }
    end_raw();
    return std::move(log_);
  }

 private:
  bool skip_spaces() {
    for (; at_ < bytes_.size(); ++at_) {
      const char c = bytes_[at_];
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return true;
      if (c == '\n') ++line_;
    }
    return false;
  }

  // Behind something that was not understood, a value begins at the start of a line: elsewhere it is a part of
  // that.
  bool may_begin_here() const {
    const bool starts_line = at_ == text_start(bytes_) || bytes_[at_ - 1] == '\n';
    return bytes_[at_] == '{' && (!raw_ || starts_line);
  }

  // False: there is no whole value here.
  bool take_value() {
    const JsonRules rules{
        .depth_max = kDocumentDepthMax, .nodes_max = kDocumentNodesMax, .control_in_strings = true};
    const Result<JsonNode> value = read_json_value(bytes_, at_, rules);
    if (!value) return false;
    ReadLogEvent read{.span = value->span, .line = line_};
    for (const JsonMember& member : value->members) take_member(read, member);
    if (read.has_time || !read.event.event.empty() || !read.status_text.empty()) {
      end_raw();
      log_.events.push_back(std::move(read));
    } else {
      add_raw(value->span.end);
    }
    line_ += static_cast<int>(std::ranges::count(text_of(bytes_, value->span), '\n'));
    at_ = value->span.end;
    return true;
  }

  void take_member(ReadLogEvent& read, const JsonMember& member) {
    const JsonNode& value = member.value;
    const bool is_list = value.kind == JsonKind::Array || value.kind == JsonKind::Object;
    const std::string text = is_list ? std::string(text_of(bytes_, value.span)) : value.text;
    const std::string key = normal_key(member.key);
    if (key == "ts" || key == "timestamp") set_time(read, text);
    if (key == "status") set_status(read, text);
    if (value.kind == JsonKind::Null) return;
    if (key == "exit_code") read.event.exit_code = exit_code_in(text);
    const auto* field = std::ranges::find(kLogFields, key, &LogField::name);
    if (field != kLogFields.end()) read.event.*field->value = without_dash(text);
  }

  // Takes what is left of this line: fields between pipes, or nothing that is understood. In a value that was
  // torn, the next one may begin at the start of any of its lines.
  void take_line() {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    if (!take_piped(end)) add_raw(end > at_ && bytes_[end - 1] == '\r' ? end - 1 : end);
    at_ = end;
  }

  // "time|phase|scope|lane|task|event|status|notes"
  bool take_piped(std::size_t end) {
    const std::string_view text = trim(bytes_.substr(at_, end - at_));
    std::array<std::string_view, 7> parts;
    std::string_view rest = text;
    for (std::string_view& part : parts) {
      const std::size_t pipe = rest.find('|');
      if (pipe == std::string_view::npos) return false;
      part = trim(rest.substr(0, pipe));
      rest.remove_prefix(pipe + 1);
    }
    ReadLogEvent read{.span = {at_, at_ + text.size()}, .line = line_};
    set_time(read, parts[0]);
    if (!read.has_time) return false;
    end_raw();
    read.event.phase = without_dash(std::string(parts[1]));
    read.event.lane = without_dash(std::string(parts[3]));
    read.event.task = without_dash(std::string(parts[4]));
    read.event.event = without_dash(std::string(parts[5]));
    set_status(read, parts[6]);
    read.event.notes = trim(rest);
    log_.events.push_back(std::move(read));
    return true;
  }

  void add_raw(std::size_t end) {
    if (!raw_) raw_ = RawLogSpan{.span = {at_, at_}, .line = line_};
    raw_->span.end = end;
  }
  void end_raw() {
    if (!raw_) return;
    raw_->is_torn_tail = raw_->span.end == bytes_.size();
    log_.raw.push_back(*raw_);
    raw_.reset();
  }

  std::string_view bytes_;
  std::size_t at_;
  int line_ = 1;
  RunLog log_;
  std::optional<RawLogSpan> raw_;
};

}  // namespace

LogStatus log_status_from(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, LogStatus>, 20> kWords = {
      {{"ok", LogStatus::Ok},
       {"success", LogStatus::Ok},
       {"succeeded", LogStatus::Ok},
       {"complete", LogStatus::Ok},
       {"completed", LogStatus::Ok},
       {"pass", LogStatus::Ok},
       {"passed", LogStatus::Ok},
       {"done", LogStatus::Ok},
       {"error", LogStatus::Error},
       {"fail", LogStatus::Error},
       {"failed", LogStatus::Error},
       {"failure", LogStatus::Error},
       {"blocked", LogStatus::Blocked},
       {"skipped", LogStatus::Skipped},
       {"skip", LogStatus::Skipped},
       {"running", LogStatus::Running},
       {"started", LogStatus::Running},
       {"start", LogStatus::Running},
       {"in_progress", LogStatus::Running},
       {"retrying", LogStatus::Running}}};
  const std::string token = leading_token(word);
  const auto* found = std::ranges::find_if(kWords, [&](const auto& entry) { return entry.first == token; });
  return found == kWords.end() ? LogStatus::Unknown : found->second;
}

std::string run_log_line(const RunLogEvent& event) {
  JsonWriter writer;
  writer.begin_object();
  writer.field("ts", event.ts.ms % 1000 == 0 ? to_text(event.ts) : to_text_ms(event.ts));
  writer.field("run_id", or_dash(event.run_id)).field("phase", or_dash(event.phase));
  writer.field("lane", or_dash(event.lane)).field("task", or_dash(event.task));
  writer.field("event", or_dash(event.event)).field("status", token_in(kLogStatusTokens, event.status));
  if (!event.cmd.empty()) writer.field("cmd", std::string_view(event.cmd));
  if (event.exit_code) writer.field("exit_code", *event.exit_code);
  if (!event.notes.empty()) writer.field("notes", std::string_view(event.notes));
  return writer.end_object().take() + "\n";
}

std::string_view heal_run_log(std::string_view tail) { return tail.empty() || tail.ends_with('\n') ? "" : "\n"; }

RunLog read_run_log(std::string_view bytes) { return RunLogReader(bytes).read(); }

std::vector<std::string> last_log_entries(const RunLog& log, std::string_view run_id, std::string_view lane,
                                          std::size_t count) {
  std::vector<std::string> entries;
  for (auto read = log.events.rbegin(); read != log.events.rend() && entries.size() < count; ++read) {
    const RunLogEvent& event = read->event;
    if (event.run_id != run_id || event.lane != lane) continue;
    std::string text = event.event + " " + std::string(or_dash(read->status_text));
    if (!event.task.empty()) text = event.task + ": " + text;
    if (!event.cmd.empty()) text += ", " + event.cmd;
    if (event.exit_code) text += ", exit code " + std::to_string(*event.exit_code);
    if (!event.notes.empty()) text += ": " + event.notes;
    entries.push_back(printable_line(text, kFailureLineBytesMax));
  }
  std::ranges::reverse(entries);
  return entries;
}

}  // namespace reprise
