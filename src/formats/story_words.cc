#include "formats/story_words.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr std::size_t kStatusBytesMax = 400;  // a longer value is prose, whatever it begins with
constexpr std::size_t kPhraseBytesMax = 80;   // how far a status beside an arrow is looked for
constexpr std::size_t kPhraseWordsMax = 4;

// "{status}", "[Draft | Ready]", "Draft | Ready | Done", "{{status}}", "<status>".
bool is_template(std::string_view value) {
  if (is_unfilled(value)) return true;
  std::string_view text = trim(value);
  const bool in_brackets = text.size() > 2 && ((text.front() == '[' && text.back() == ']') ||
                                               (text.front() == '{' && text.back() == '}'));
  if (!in_brackets) return false;
  return text.front() == '{' || is_unfilled(text.substr(1, text.size() - 2));
}

// What stands behind the leading words, without the punctuation that parts them.
std::string_view remark_behind(std::string_view value, std::size_t end) {
  std::string_view rest = value.substr(end);
  for (;;) {
    const std::size_t skipped = std::min(rest.find_first_not_of(" \t*`\"-(,;:|."), rest.size());
    rest.remove_prefix(skipped);
    if (rest.starts_with("—") || rest.starts_with("–")) {
      rest.remove_prefix(std::string_view("—").size());
    } else if (skipped == 0 || rest.empty()) {
      return rest;
    }
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

StoryStatus status_of_words(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += std::string(text.empty() ? "" : " ") + std::string(word);
  return story_status_of_token(leading_token(text));
}

// The status that `text` begins with, with anything behind it; "Ready for lunch" is none.
std::optional<StoryStatus> status_in_front(std::string_view text) {
  const std::string phrase = leading_words(text.substr(0, kPhraseBytesMax));
  const std::vector<std::string_view> words = words_of(phrase);
  for (std::size_t count = std::min(words.size(), kPhraseWordsMax); count > 0; --count) {
    const StoryStatus status = status_of_words(std::span(words).first(count));
    if (status == StoryStatus::Unknown) continue;
    const std::string next = count < words.size() ? to_lower(words[count]) : "";
    if (next == "for" || next == "to") return std::nullopt;
    return status;
  }
  return std::nullopt;
}

// Whether `text` ends with a status or with the word "status": then an arrow behind it is about the status.
bool ends_with_status(std::string_view text) {
  text = text.substr(text.size() - std::min(text.size(), kPhraseBytesMax));
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '*' || c == '`' || c == '"' || c == ':'; });
  plain = plain_value(plain);
  const std::vector<std::string_view> words = words_of(plain);
  if (words.empty()) return false;
  if (to_lower(words.back()) == "status") return true;
  for (std::size_t count = 1; count <= std::min(words.size(), kPhraseWordsMax); ++count) {
    if (status_of_words(std::span(words).last(count)) != StoryStatus::Unknown) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 5> kArrows = {"-->", "->", "=>", "→", "➔"};

std::optional<StoryStatus> status_behind_arrow(std::string_view text, std::size_t at) {
  for (const std::string_view arrow : kArrows) {
    if (!text.substr(at).starts_with(arrow)) continue;
    if (!ends_with_status(text.substr(0, at))) return std::nullopt;
    return status_in_front(text.substr(at + arrow.size()));
  }
  return std::nullopt;
}

// "Status set to Done", "status: Done".
std::optional<StoryStatus> status_behind_word(std::string_view text, std::size_t at) {
  constexpr std::string_view kWord = "status";
  constexpr std::array<std::string_view, 8> kVerbs = {" changed to ", " set to ", " updated to ", " moved to ",
                                                      " is now ",     " to ",     ": ",           ":** "};
  const std::string window = to_lower(text.substr(at, kPhraseBytesMax));
  if (!window.starts_with(kWord)) return std::nullopt;
  for (const std::string_view verb : kVerbs) {
    if (std::string_view(window).substr(kWord.size()).starts_with(verb))
      return status_in_front(text.substr(at + kWord.size() + verb.size()));
  }
  return std::nullopt;
}

struct StorySectionName {
  std::string_view written;
  std::string_view key;
};

constexpr auto kSectionNames = std::to_array<StorySectionName>({
    {"acceptance_criteria", "acceptance_criteria"},
    {"acceptance_criterion", "acceptance_criteria"},
    {"acs", "acceptance_criteria"},
    {"critérios_de_aceite", "acceptance_criteria"},
    {"critérios_de_aceitação", "acceptance_criteria"},
    {"criterios_de_aceite", "acceptance_criteria"},
    {"criterios_de_aceitacao", "acceptance_criteria"},
    {"scope", "scope"},
    {"in_scope", "scope"},
    {"out_of_scope", "scope"},
    {"escopo", "scope"},
    {"dependencies", "dependencies"},
    {"dependencias", "dependencies"},
    {"dependências", "dependencies"},
    {"risks", "risks"},
    {"tasks", "tasks"},
    {"subtasks", "tasks"},
    {"tasks_subtasks", "tasks"},
    {"tasks_and_subtasks", "tasks"},
    {"tasks_breakdown", "tasks"},
    {"task_breakdown", "tasks"},
    {"tarefas", "tasks"},
    {"dev_notes", "dev_notes"},
    {"technical_notes", "technical_notes"},
    {"testing", "testing"},
    {"file_list", "file_list"},
    {"files", "file_list"},
    {"files_changed", "file_list"},
    {"files_modified", "file_list"},
    {"files_created_modified", "file_list"},
    {"dev_agent_record", "dev_agent_record"},
    {"definition_of_done", "definition_of_done"},
    {"qa_results", "qa_results"},
    {"qa_result", "qa_results"},
    {"qa_review", "qa_results"},
    {"qa_gate", "qa_results"},
    {"change_log", "change_log"},
    {"changelog", "change_log"},
});

std::string_view known_section(std::string_view token) {
  const auto found = std::ranges::find(kSectionNames, token, &StorySectionName::written);
  return found == kSectionNames.end() ? std::string_view() : found->key;
}

// "3. Tasks" is "Tasks".
std::string_view without_number(std::string_view heading) {
  const std::size_t digits = std::min(heading.find_first_not_of("0123456789"), heading.size());
  if (digits == 0 || digits + 1 >= heading.size()) return heading;
  const bool is_number = (heading[digits] == '.' || heading[digits] == ')') && heading[digits + 1] == ' ';
  return is_number ? trim(heading.substr(digits + 1)) : heading;
}

}  // namespace

StoryStatus story_status_of_token(std::string_view token) {
  for (const StoryWord& word : kStoryWords) {
    const bool has_more = word.match == StoryWordMatch::Begins && token.size() > word.token.size() &&
                          token.starts_with(word.token) && token[word.token.size()] == '_';
    if (token == word.token || has_more) return word.status;
  }
  return StoryStatus::Unknown;
}

StoryStatusValue read_story_status(std::string_view value) {
  if (trim(value).empty()) return {};
  const TextSpan whole{0, value.size()};
  if (value.size() > kStatusBytesMax) return {StoryStatus::Unknown, StatusTrouble::NotAWord, whole};
  if (is_template(value)) return {StoryStatus::Unknown, StatusTrouble::Unfilled, whole};
  const StoryStatus status = story_status_of_token(leading_token(value));
  if (status == StoryStatus::Unknown) return {status, StatusTrouble::NotAWord, whole};
  const std::string words = leading_words(value);
  const std::size_t at = value.find(words);
  if (at == std::string_view::npos) return {status, StatusTrouble::None, whole};
  const TextSpan word{at, at + words.size()};
  const std::string_view remark = remark_behind(value, word.end);
  const StoryStatus second = story_status_of_token(leading_token(remark.substr(0, remark.find(')'))));
  if (second == StoryStatus::Unknown || second == status) return {status, StatusTrouble::None, word};
  return {std::min(status, second), StatusTrouble::TwoStatuses, word};
}

std::optional<StoryStatus> find_transition(std::string_view text) {
  std::optional<StoryStatus> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    std::optional<StoryStatus> status;
    if (c == 's' || c == 'S') status = status_behind_word(text, at);
    if (c == '-' || c == '=' || static_cast<unsigned char>(c) == 0xE2) status = status_behind_arrow(text, at);
    if (status) found = status;
  }
  return found;
}

std::string story_section_key(std::string_view heading) {
  const std::string plain = plain_value(heading);
  const std::string text = plain_value(without_number(plain));
  const std::string whole = normal_key(text);
  if (const std::string_view known = known_section(whole); !known.empty()) return std::string(known);
  const std::string token = leading_token(text);
  if (const std::string_view known = known_section(token); !known.empty()) return std::string(known);
  return is_story_status_key(token) ? "status" : whole;
}

bool is_known_story_section(std::string_view key) {
  return std::ranges::find(kSectionNames, key, &StorySectionName::key) != kSectionNames.end();
}

bool is_story_header_section(std::string_view key) {
  static constexpr std::array<std::string_view, 9> kHeaders = {"status",
                                                               "metadata",
                                                               "story_metadata",
                                                               "story_info",
                                                               "story_information",
                                                               "story_details",
                                                               "executor_assignment",
                                                               "info",
                                                               "header"};
  return is_one_of(key, kHeaders);
}

bool is_story_status_key(std::string_view key) {
  static constexpr std::array<std::string_view, 3> kKeys = {"status", "story_status", "current_status"};
  return is_one_of(key, kKeys);
}

std::string_view read_gate_verdict(std::string_view value) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kVerdicts = {
      {{"pass", "PASS"},
       {"passed", "PASS"},
       {"concerns", "CONCERNS"},
       {"fail", "FAIL"},
       {"failed", "FAIL"},
       {"waived", "WAIVED"}}};
  if (value.size() > kStatusBytesMax) value = value.substr(0, kStatusBytesMax);
  if (is_template(value)) return {};
  const std::string words = to_lower(leading_words(value));
  const std::string_view first =
      std::string_view(words).substr(0, words.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const auto found = std::ranges::find(kVerdicts, first, &std::pair<std::string_view, std::string_view>::first);
  return found == kVerdicts.end() ? std::string_view() : found->second;
}

bool is_gate_key(std::string_view key) {
  static constexpr std::array<std::string_view, 13> kKeys = {
      "gate",    "gate_status", "gate_decision", "gate_result", "gate_verdict",  "qa_gate", "qa_verdict",
      "verdict", "decision",    "qa_decision",   "result",      "final_verdict", "status"};
  return is_one_of(key, kKeys);
}

}  // namespace reprise
