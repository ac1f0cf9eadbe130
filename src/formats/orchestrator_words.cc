#include "formats/orchestrator_words.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/strings.h"
#include "formats/state_file.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr long long kNumberMax = 1'000'000'000'000'000;

// A word and what it means. The first of a meaning is the one that is written.
template <typename T>
struct Word {
  std::string_view word;
  T meaning;
};

constexpr std::array<Word<EpicStatus>, 13> kEpicWords = {{{"active", EpicStatus::Active},
                                                          {"in_progress", EpicStatus::Active},
                                                          {"running", EpicStatus::Active},
                                                          {"interrupted", EpicStatus::Interrupted},
                                                          {"paused", EpicStatus::Interrupted},
                                                          {"stopped", EpicStatus::Interrupted},
                                                          {"completed", EpicStatus::Completed},
                                                          {"complete", EpicStatus::Completed},
                                                          {"done", EpicStatus::Completed},
                                                          {"aborted", EpicStatus::Aborted},
                                                          {"abort", EpicStatus::Aborted},
                                                          {"cancelled", EpicStatus::Aborted},
                                                          {"canceled", EpicStatus::Aborted}}};
constexpr std::array<Word<WaveStatus>, 13> kWaveWords = {{{"pending", WaveStatus::Pending},
                                                          {"not_started", WaveStatus::Pending},
                                                          {"todo", WaveStatus::Pending},
                                                          {"in_progress", WaveStatus::InProgress},
                                                          {"active", WaveStatus::InProgress},
                                                          {"running", WaveStatus::InProgress},
                                                          {"gate_review", WaveStatus::GateReview},
                                                          {"in_review", WaveStatus::GateReview},
                                                          {"review", WaveStatus::GateReview},
                                                          {"completed", WaveStatus::Completed},
                                                          {"complete", WaveStatus::Completed},
                                                          {"done", WaveStatus::Completed},
                                                          {"failed", WaveStatus::Failed}}};
constexpr std::array<Word<EpicStoryStatus>, 18> kEpicStoryWords = {{{"pending", EpicStoryStatus::Pending},
                                                                    {"not_started", EpicStoryStatus::Pending},
                                                                    {"todo", EpicStoryStatus::Pending},
                                                                    {"ready", EpicStoryStatus::Pending},
                                                                    {"draft", EpicStoryStatus::Pending},
                                                                    {"in_progress", EpicStoryStatus::InProgress},
                                                                    {"inprogress", EpicStoryStatus::InProgress},
                                                                    {"running", EpicStoryStatus::InProgress},
                                                                    {"active", EpicStoryStatus::InProgress},
                                                                    {"in_review", EpicStoryStatus::InReview},
                                                                    {"inreview", EpicStoryStatus::InReview},
                                                                    {"review", EpicStoryStatus::InReview},
                                                                    {"completed", EpicStoryStatus::Completed},
                                                                    {"complete", EpicStoryStatus::Completed},
                                                                    {"done", EpicStoryStatus::Completed},
                                                                    {"failed", EpicStoryStatus::Failed},
                                                                    {"blocked", EpicStoryStatus::Blocked},
                                                                    {"skipped", EpicStoryStatus::Skipped}}};
constexpr std::array<Word<FlowStatus>, 14> kFlowWords = {{{"active", FlowStatus::Active},
                                                          {"in_progress", FlowStatus::Active},
                                                          {"running", FlowStatus::Active},
                                                          {"initialized", FlowStatus::Active},
                                                          {"ready", FlowStatus::Active},
                                                          {"interrupted", FlowStatus::Interrupted},
                                                          {"paused", FlowStatus::Paused},
                                                          {"stopped", FlowStatus::Paused},
                                                          {"completed", FlowStatus::Completed},
                                                          {"complete", FlowStatus::Completed},
                                                          {"done", FlowStatus::Completed},
                                                          {"aborted", FlowStatus::Aborted},
                                                          {"cancelled", FlowStatus::Aborted},
                                                          {"canceled", FlowStatus::Aborted}}};
constexpr std::array<Word<QaLoopStatus>, 14> kLoopWords = {{{"idle", QaLoopStatus::Idle},
                                                            {"pending", QaLoopStatus::Pending},
                                                            {"in_progress", QaLoopStatus::InProgress},
                                                            {"running", QaLoopStatus::InProgress},
                                                            {"in_review", QaLoopStatus::InProgress},
                                                            {"active", QaLoopStatus::InProgress},
                                                            {"interrupted", QaLoopStatus::Interrupted},
                                                            {"completed", QaLoopStatus::Completed},
                                                            {"complete", QaLoopStatus::Completed},
                                                            {"done", QaLoopStatus::Completed},
                                                            {"stopped", QaLoopStatus::Stopped},
                                                            {"paused", QaLoopStatus::Stopped},
                                                            {"escalated", QaLoopStatus::Escalated},
                                                            {"escalate", QaLoopStatus::Escalated}}};
constexpr std::array<Word<QaVerdict>, 5> kVerdictWords = {{{"approve", QaVerdict::Approve},
                                                           {"approved", QaVerdict::Approve},
                                                           {"reject", QaVerdict::Reject},
                                                           {"rejected", QaVerdict::Reject},
                                                           {"blocked", QaVerdict::Blocked}}};
constexpr std::array<Word<SpecVerdict>, 6> kSpecWords = {{{"approved", SpecVerdict::Approved},
                                                          {"approve", SpecVerdict::Approved},
                                                          {"needs_revision", SpecVerdict::NeedsRevision},
                                                          {"revise", SpecVerdict::NeedsRevision},
                                                          {"blocked", SpecVerdict::Blocked},
                                                          {"block", SpecVerdict::Blocked}}};

template <typename T>
T meaning_of(std::string_view written, std::span<const Word<T>> words) {
  const std::string token = leading_token(written);
  const auto found = std::ranges::find(words, token, &Word<T>::word);
  return found == words.end() ? T::Unknown : found->meaning;
}

template <typename T>
std::string_view first_word(T meaning, std::span<const Word<T>> words) {
  const auto found = std::ranges::find(words, meaning, &Word<T>::meaning);
  return found == words.end() ? std::string_view() : found->word;
}

// "STORY-{id}": braces around a word.
bool has_brace_gap(std::string_view value) {
  const std::size_t open = value.find('{');
  const std::size_t close = open == std::string_view::npos ? open : value.find('}', open);
  if (close == std::string_view::npos || close == open + 1 || close - open > 40) return false;
  const std::string_view name = value.substr(open + 1, close - open - 1);
  return std::ranges::none_of(name, [](char c) { return c == ' ' || c == ':' || c == ',' || c == '"'; });
}

// Milliseconds or seconds since 1970, told apart by the number of digits.
std::optional<Timestamp> time_of_number(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find('.'));
  if (digits.size() != 13 && digits.size() != 10) return std::nullopt;
  const std::optional<long long> number = parse_number(digits, kNumberMax);
  if (!number) return std::nullopt;
  return Timestamp{digits.size() == 13 ? *number : *number * 1000};
}

}  // namespace

std::string_view word_of(EpicStatus status) { return first_word<EpicStatus>(status, kEpicWords); }
std::string_view word_of(WaveStatus status) { return first_word<WaveStatus>(status, kWaveWords); }
std::string_view word_of(EpicStoryStatus status) { return first_word<EpicStoryStatus>(status, kEpicStoryWords); }
std::string_view word_of(FlowStatus status) { return first_word<FlowStatus>(status, kFlowWords); }

std::string_view word_of(QaVerdict verdict) {
  switch (verdict) {
    case QaVerdict::Approve: return "APPROVE";
    case QaVerdict::Reject: return "REJECT";
    case QaVerdict::Blocked: return "BLOCKED";
    case QaVerdict::None:
    case QaVerdict::Unknown: return "";
  }
  return "";
}

std::string_view word_of(QaLoopStatus status, std::string_view dialect) {
  if (dialect == "compact") {
    if (status == QaLoopStatus::Pending) return "idle";
    if (status == QaLoopStatus::InProgress) return "running";
    if (status == QaLoopStatus::Completed) return "complete";
    if (status == QaLoopStatus::Stopped) return "paused";
  } else if (status == QaLoopStatus::Idle) {
    return "pending";
  }
  if (dialect == "fork" && status == QaLoopStatus::InProgress) return "in_review";
  return first_word<QaLoopStatus>(status, kLoopWords);
}

EpicStatus epic_status_of(std::string_view word) { return meaning_of<EpicStatus>(word, kEpicWords); }
WaveStatus wave_status_of(std::string_view word) { return meaning_of<WaveStatus>(word, kWaveWords); }
EpicStoryStatus epic_story_status_of(std::string_view word) {
  return meaning_of<EpicStoryStatus>(word, kEpicStoryWords);
}
FlowStatus flow_status_of(std::string_view word) { return meaning_of<FlowStatus>(word, kFlowWords); }
QaLoopStatus qa_loop_status_of(std::string_view word) { return meaning_of<QaLoopStatus>(word, kLoopWords); }
QaVerdict qa_verdict_of(std::string_view word) { return meaning_of<QaVerdict>(word, kVerdictWords); }
SpecVerdict spec_verdict_of(std::string_view word) { return meaning_of<SpecVerdict>(word, kSpecWords); }

std::string gate_verdict_of(std::string_view word) {
  static constexpr std::array<std::string_view, 4> kApproved = {"approved", "approve", "pass", "passed"};
  static constexpr std::array<std::string_view, 4> kRejected = {"rejected", "reject", "fail", "failed"};
  const std::string token = leading_token(word);
  if (std::ranges::find(kApproved, token) != kApproved.end()) return "approved";
  if (std::ranges::find(kRejected, token) != kRejected.end()) return "rejected";
  return token;
}

std::string agent_name(std::string_view written) {
  std::string_view name = trim(written);
  while (name.starts_with('@')) name.remove_prefix(1);
  return std::string(trim(name));
}

std::string wave_number(std::string_view written) {
  std::string_view number = trim(written);
  if (to_lower(number.substr(0, 4)) == "wave") {
    number.remove_prefix(4);
    while (!number.empty() && std::string_view(" -_#").find(number[0]) != std::string_view::npos) {
      number.remove_prefix(1);
    }
  }
  return std::string(number.empty() ? trim(written) : number);
}

bool is_same_story(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view id) {
    std::string text = to_lower(trim(id));
    const bool has_word = text.size() > 6 && text.starts_with("story") &&
                          std::string_view(" -_").find(text[5]) != std::string_view::npos;
    return has_word ? text.substr(6) : text;
  };
  return bare(a) == bare(b);
}

bool is_gap(std::string_view value) { return is_unfilled(value) || has_brace_gap(value); }

void StateReader::odd(const StateValue& at, std::string_view text, std::string why) {
  add_oddity(oddities_, at.line, printable_line(text, 100), std::move(why));
}

std::string StateReader::text(const StateValue* value) {
  if (value == nullptr || value->kind == StateValue::Kind::Nothing) return "";
  if (value->kind != StateValue::Kind::Text) {
    odd(*value, "",
        value->is_list() ? "a list stands where a text is expected" : "a map stands where a text is expected");
    return "";
  }
  if (is_nothing(value->text)) return "";
  if (is_gap(value->text)) {
    odd(*value, value->text, "a template that was not filled in");
    return "";
  }
  return std::string(trim(value->text));
}

std::optional<ClaimedTime> StateReader::time(const StateValue* value) {
  const std::string written = text(value);
  if (written.empty() || is_nothing_yet(written)) return std::nullopt;
  if (std::optional<ReadTime> found = read_time(written)) return ClaimedTime{found->time, found->whole_day};
  if (std::optional<Timestamp> found = time_of_number(written)) return ClaimedTime{*found, false};
  odd(*value, written, "not a point in time");
  return std::nullopt;
}

std::optional<long long> StateReader::number(const StateValue* value) {
  const std::string written = text(value);
  if (written.empty()) return std::nullopt;
  const std::optional<Fraction> found = read_fraction(written);
  if (!found) odd(*value, written, "not a number");
  return found ? std::optional(found->number) : std::nullopt;
}

std::optional<long long> StateReader::number_in(std::string_view key) {
  const std::size_t digit = key.find_first_of("0123456789");
  return digit == std::string_view::npos ? std::nullopt : parse_number(trim(key.substr(digit)), kNumberMax);
}

bool StateReader::flag(const StateValue* value, bool otherwise) {
  const std::string word = leading_token(text(value));
  if (word.empty()) return otherwise;
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  odd(*value, value->text, "neither true nor false");
  return otherwise;
}

std::vector<std::string> StateReader::list(const StateValue* value, std::string_view name) {
  std::vector<std::string> out;
  if (value == nullptr || value->kind == StateValue::Kind::Nothing) return out;
  if (value->kind == StateValue::Kind::Text) return read_list(text(value));
  if (value->is_map()) {
    for (const StateEntry& entry : value->entries) out.push_back(entry.key);
    return out;
  }
  for (const StateValue& element : value->elements) {
    const bool has_name = element.is_map() && !name.empty() && element.find(name) != nullptr;
    std::string item = text(has_name ? element.find(name) : &element);
    if (!item.empty()) out.push_back(std::move(item));
  }
  return out;
}

std::vector<StateItem> StateReader::items(const StateValue* value, std::initializer_list<std::string_view> names) {
  std::vector<StateItem> out;
  if (value == nullptr) return out;
  for (const StateEntry& entry : value->entries) {
    if (is_gap(entry.key)) {
      odd(entry.value, entry.key, "a template that was not filled in");
    } else {
      out.push_back({entry.key, &entry.value, entry.line});
    }
  }
  for (const StateValue& element : value->elements) {
    const std::string id = text(element.is_map() ? element.find(names) : &element);
    if (!id.empty()) {
      out.push_back({id, &element, element.line});
    } else if (element.is_map()) {
      odd(element, "", "an element that does not say which one it is");
    }
  }
  if (value->kind == StateValue::Kind::Text && !text(value).empty())
    odd(*value, value->text, "neither a list nor a map");
  return out;
}

}  // namespace reprise
