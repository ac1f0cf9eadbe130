// Numbers, lists, times and digests of state files; declared in state_words.h.

#include <algorithm>
#include <iterator>

#include "base/chars.h"
#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr long long kOrdinalMax = 1'000'000'000;
constexpr std::size_t kRangeBytesMax = 100;

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::string_view take_while(std::string_view& text, bool (*wanted)(char)) {
  std::size_t end = 0;
  while (end < text.size() && wanted(text[end])) ++end;
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

std::string_view without_spaces_in_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// A number ends where a remark begins, not in the middle of a date, a version or a word.
bool ends_number(std::string_view rest) {
  if (rest.empty()) return true;
  if (is_digit(rest[0]) || is_letter(rest[0]) || rest[0] == '_' || rest[0] == '-' || rest[0] == '/') return false;
  return rest[0] != '.' || rest.size() == 1 || !is_digit(rest[1]);
}

// Whether a list is split at this byte, given how deep in brackets it stands.
struct ListCursor {
  int depth = 0;
  bool in_code = false;

  bool separates(char c) {
    if (c == '`') in_code = !in_code;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    return (c == ',' || c == ';' || c == '\n') && depth == 0 && !in_code;
  }
};

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  ListCursor cursor;
  for (const char c : text) {
    if (cursor.separates(c)) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string without_parentheses(std::string_view text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (depth == 0) out += c;
    if (c == ')' && depth > 0) --depth;
  }
  return out;
}

// An id as what stands before its last number, and the number.
struct NumberedId {
  std::string prefix;
  std::string digits;
};

std::optional<NumberedId> numbered(std::string_view id) {
  const std::size_t last = id.find_last_not_of("0123456789");
  const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  if (begin == id.size() || id.size() - begin > 9) return std::nullopt;
  return NumberedId{std::string(id.substr(0, begin)), std::string(id.substr(begin))};
}

// Returns the ids of the range from `first` to `last`; nothing if that is no range.
std::optional<std::vector<std::string>> fill_range(std::string_view first, std::string_view last) {
  const std::optional<NumberedId> from = numbered(trim(first));
  const std::optional<NumberedId> to = numbered(trim(last));
  if (!from || !to) return std::nullopt;
  // "P4-9" is short for "P4-P9", but "SL-1-3" may be an id.
  const bool is_short = to->prefix.empty() && from->prefix.find('-') == std::string::npos;
  if (from->prefix != to->prefix && !is_short) return std::nullopt;
  const long long begin = *parse_number(from->digits, kOrdinalMax);
  const long long end = *parse_number(to->digits, kOrdinalMax);
  if (begin > end || end - begin >= kIdRangeMax) return std::nullopt;
  std::vector<std::string> ids;
  for (long long number = begin; number <= end; ++number) {
    std::string digits = std::to_string(number);
    if (from->digits.starts_with('0'))
      digits.insert(0, from->digits.size() - std::min(digits.size(), from->digits.size()), '0');
    ids.push_back(from->prefix + digits);
  }
  return ids;
}

std::vector<std::string> range_or_id(const std::string& text) {
  if (text.size() > kRangeBytesMax) return {text};
  for (const std::string_view dash : {"–", "..", "-", " to "}) {
    for (std::size_t at = text.find(dash); at != std::string::npos; at = text.find(dash, at + 1)) {
      if (auto ids = fill_range(text.substr(0, at), std::string_view(text).substr(at + dash.size()))) return *ids;
    }
  }
  return {text};
}

// Returns `text` with each of the marks that may stand between two files replaced by a comma.
std::string with_commas(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = 0;
    for (const std::string_view mark : {"<br>", "(+", " + "}) {
      if (text.starts_with(mark)) length = mark.size();
    }
    out += length == 0 ? text[0] : ',';
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

bool is_zone(std::string_view word) {
  return word == "UTC" || word == "Z" || word == "GMT" ||
         ((word.starts_with('+') || word.starts_with('-')) && word.size() > 2 && is_digit(word[1]));
}

// Returns the first word of `text`, and removes it.
std::string_view take_word(std::string_view& text) {
  text = without_spaces_in_front(text);
  const std::size_t end = std::min({text.find_first_of(" \t(,;|)"), text.find("—"), text.size()});
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

std::optional<Fraction> read_fraction(std::string_view value) {
  const std::string text = plain_value(value);
  std::string_view rest = text;
  const std::string_view digits = take_while(rest, is_digit);
  const std::optional<long long> number = parse_number(digits, kOrdinalMax);
  if (!number) return std::nullopt;
  std::string_view behind = without_spaces_in_front(rest);
  const bool has_second = behind.starts_with('/') || behind.starts_with("of ");
  if (!has_second) return ends_number(rest) ? std::optional(Fraction{*number, std::nullopt}) : std::nullopt;
  behind = without_spaces_in_front(behind.substr(behind[0] == '/' ? 1 : 3));
  const std::optional<long long> out_of = parse_number(take_while(behind, is_digit), kOrdinalMax);
  if (!out_of || !ends_number(behind)) return std::nullopt;
  return Fraction{*number, out_of};
}

std::vector<std::string> read_ids(std::string_view value) {
  std::string text = without_parentheses(value);
  std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == '`' || c == '*' || c == '"'; });
  std::vector<std::string> ids;
  for (const std::string& part : split_list(text)) {
    std::string_view rest = part;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(" and "), rest.size());
      const std::string id = plain_value(rest.substr(0, end));
      if (!is_nothing(id)) std::ranges::move(range_or_id(id), std::back_inserter(ids));
      rest.remove_prefix(std::min(end + 4, rest.size()));
    }
  }
  return ids;
}

std::vector<std::string> read_list(std::string_view value) {
  std::string_view text = trim(value);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::string> list;
  for (const std::string& part : split_list(text)) {
    if (!is_nothing(part)) list.push_back(plain_value(part));
  }
  return list;
}

std::vector<std::string> read_paths(std::string_view value) {
  std::vector<std::string> paths;
  for (const std::string& part : read_list(with_commas(value))) {
    const std::size_t link = part.find("](");
    std::string path = link == std::string::npos ? part.substr(0, part.find(" (")) : part.substr(link + 2);
    path = plain_value(path.substr(0, std::min(path.find(" — "), path.find(" - "))));
    while (path.ends_with(')')) path.pop_back();
    const bool looks_like_one =
        path.find_first_of("./") != std::string::npos && path.find(' ') == std::string::npos;
    if (looks_like_one) paths.push_back(std::move(path));
  }
  return paths;
}

std::optional<ReadTime> read_time(std::string_view value) {
  const std::string text = plain_value(value);
  std::string_view rest = text;
  std::string written(take_word(rest));
  const std::optional<Timestamp> first = parse_timestamp(written);
  if (!first) return std::nullopt;
  if (written.size() > 10) return ReadTime{*first, false};
  const std::string with_time = written + 'T' + std::string(take_word(rest));
  const std::optional<Timestamp> timed = parse_timestamp(with_time);
  if (!timed) return ReadTime{*first, true};
  const std::string_view zone = take_word(rest);
  const bool has_offset = is_zone(zone) && (zone[0] == '+' || zone[0] == '-');
  const std::optional<Timestamp> zoned =
      has_offset ? parse_timestamp(with_time + std::string(zone)) : std::nullopt;
  return ReadTime{zoned.value_or(*timed), false};
}

std::optional<ReadDigest> read_digest(std::string_view value) {
  const std::string text = plain_value(value);
  std::string_view rest = text;
  bool named = false;
  for (const std::string_view name : {"sha256:", "sha-256:", "sha256-", "sha256 "}) {
    if (named || !to_lower(rest.substr(0, name.size())).starts_with(name)) continue;
    rest = without_spaces_in_front(rest.substr(name.size()));
    named = true;
  }
  if (rest.starts_with('`')) rest.remove_prefix(1);
  const std::string digits = to_lower(take_while(rest, is_hex));
  const bool cut = rest.starts_with("…") || rest.starts_with("..");
  if (digits.empty() || (!rest.empty() && (is_letter(rest[0]) || is_digit(rest[0]) || rest[0] == '-')))
    return std::nullopt;
  if (cut)
    return digits.size() >= 4 || named ? std::optional(ReadDigest{DigestForm::Abbreviated, digits}) : std::nullopt;
  if (digits.size() == 64) return ReadDigest{DigestForm::Complete, digits};
  const bool near = digits.size() >= 56 && digits.size() <= 72;
  return named || near ? std::optional(ReadDigest{DigestForm::WrongLength, digits}) : std::nullopt;
}

}  // namespace reprise
