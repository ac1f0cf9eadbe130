#include "formats/story_ids.h"

#include <algorithm>
#include <array>

#include "base/chars.h"
#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr std::size_t kIdBytesMax = 40;
constexpr std::size_t kPrefixBytesMax = 12;
constexpr std::size_t kListBytesMax = 4'000;  // a longer list of ids is prose

// How freely an id is read where a story is known to be meant.
struct IdForm {
  bool plain_number = false;  // "3"
  bool lower_case = false;    // "wis-2", which is WIS-2
};

// "4.2", "124.1.3", "8.5b": returns the length, 0 if it is something else. `dots` counts the dots.
std::size_t number_length(std::string_view text, int& dots) {
  std::size_t end = 0;
  dots = 0;
  for (;;) {
    const std::size_t digits = std::min(text.substr(end).find_first_not_of("0123456789"), text.size() - end);
    if (digits == 0) return 0;
    end += digits;
    if (end + 1 >= text.size() || text[end] != '.' || !is_digit(text[end + 1])) break;
    ++dots;
    ++end;
  }
  const bool has_suffix = end < text.size() && text[end] >= 'a' && text[end] <= 'f' &&
                          (end + 1 == text.size() || (!is_letter(text[end + 1]) && !is_digit(text[end + 1])));
  return has_suffix ? end + 1 : end;
}

bool ends_id(std::string_view rest) {
  return rest.empty() || (!is_letter(rest[0]) && !is_digit(rest[0]) && rest[0] != '/' && rest[0] != '%');
}

// Prefixes of things that are no stories.
bool is_other_prefix(std::string_view prefix) {
  static constexpr std::array<std::string_view, 9> kOthers = {"EPIC",  "ADR", "PRD",   "SPRINT", "WAVE",
                                                              "PHASE", "PR",  "STORY", "AC"};
  return std::ranges::find(kOthers, to_upper(prefix)) != kOthers.end();
}

// "ACT-" in front of a number; 0 if there is none.
std::size_t prefix_length(std::string_view text, IdForm form) {
  if (text.empty() || !is_letter(text[0]) || (!form.lower_case && !is_upper(text[0]))) return 0;
  std::size_t end = 1;
  while (end < text.size() && end <= kPrefixBytesMax && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  if (end + 1 >= text.size() || text[end] != '-' || !is_digit(text[end + 1])) return 0;
  return is_other_prefix(text.substr(0, end)) ? 0 : end + 1;
}

// Returns the length of the id in front of `text`, 0 if there is none.
std::size_t id_length(std::string_view text, IdForm form) {
  text = text.substr(0, kIdBytesMax);
  const std::size_t prefix = prefix_length(text, form);
  int dots = 0;
  const std::size_t number = number_length(text.substr(prefix), dots);
  const bool is_enough = prefix > 0 || dots > 0 || form.plain_number;
  if (number == 0 || !is_enough || !ends_id(text.substr(prefix + number))) return 0;
  return prefix + number;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && to_lower(text.substr(text.size() - end.size())) == end;
}

bool begins_with_story(std::string_view text) {
  return text.size() > 5 && to_lower(text.substr(0, 5)) == "story" && !is_letter(text[5]);
}

// The name without folders, ".md" and ".story".
std::string_view stem_of(std::string_view file) {
  std::string_view stem = file_name(file);
  for (const std::string_view end : {".md", ".markdown", ".story"}) {
    if (ends_with_ignoring_case(stem, end)) stem.remove_suffix(end.size());
  }
  return stem;
}

// Where an id may begin: behind marks, brackets, symbols and the word "Story".
std::size_t id_start(std::string_view text, bool& is_named) {
  const std::string plain = plain_value(text.substr(0, 200));
  std::size_t at = plain.empty() ? 0 : std::min(text.find(plain[0]), text.size());
  constexpr std::string_view kBeforeIds = " \t*`\"[(_#";
  const auto skip = [&] { at = std::min(text.find_first_not_of(kBeforeIds, at), text.size()); };
  skip();
  if (to_lower(text.substr(at, 5)) == "user ") at += 5;
  if (begins_with_story(text.substr(at))) {
    is_named = true;
    at = std::min(text.find_first_not_of(" \t*`\"[(_#-:.", at + 5), text.size());
  }
  return at;
}

void add_once(std::vector<std::string>& ids, std::string id) {
  if (std::ranges::find(ids, id) == ids.end()) ids.push_back(std::move(id));
}

}  // namespace

bool is_named_story(std::string_view file) {
  const std::string_view name = file_name(file);
  return begins_with_story(name) || ends_with_ignoring_case(name, ".story.md");
}

std::string story_id_of_file(std::string_view file) {
  std::string_view stem = stem_of(file);
  const bool is_named = is_named_story(file);
  if (begins_with_story(stem)) stem.remove_prefix(6);
  const IdForm form{.plain_number = false, .lower_case = is_named};
  const std::size_t length = id_length(stem, form);
  const std::size_t prefix = std::min(prefix_length(stem, form), length);
  return to_upper(stem.substr(0, prefix)) + std::string(stem.substr(prefix, length - prefix));
}

std::optional<LeadingStoryId> read_leading_story_id(std::string_view text) {
  bool is_named = false;
  const std::size_t at = id_start(text, is_named);
  const std::size_t length = id_length(text.substr(at), {.plain_number = is_named, .lower_case = false});
  if (length == 0) return std::nullopt;
  return LeadingStoryId{std::string(text.substr(at, length)), at + length};
}

std::vector<std::string> read_story_ids(std::string_view text) {
  std::vector<std::string> ids;
  for (const std::string& part : read_ids(text.substr(0, kListBytesMax))) {
    if (const std::optional<LeadingStoryId> leading = read_leading_story_id(part)) {
      add_once(ids, leading->id);
      continue;
    }
    const std::string lower = to_lower(part);
    for (std::size_t at = lower.find("story "); at != std::string::npos; at = lower.find("story ", at + 1)) {
      const std::optional<LeadingStoryId> named = read_leading_story_id(std::string_view(part).substr(at));
      if (named) add_once(ids, named->id);
    }
  }
  return ids;
}

}  // namespace reprise
