#include "model/ids.h"

#include <algorithm>

#include "base/strings.h"
#include "model/limits.h"

namespace reprise {
namespace {

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

// What a file system takes as one name.
constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kSerialBytesMax = 64;
constexpr long long kRunNumberMax = 1'000'000'000;

// Returns where the "@n" of `id` begins, or its end if it has none.
std::size_t number_place(std::string_view id) {
  const std::size_t at = id.rfind('@');
  if (at == std::string_view::npos || !parse_number(id.substr(at + 1), kRunNumberMax)) return id.size();
  return at;
}

// Whether all segments of `text` follow one another somewhere in `id`.
bool fits_segments(std::string_view id, std::string_view text) {
  const std::vector<std::string_view> have = split(id, '/');
  const std::vector<std::string_view> want = split(text, '/');
  return std::ranges::search(have, want).begin() != have.end();
}

bool fits_prefix(std::string_view id, std::string_view text) {
  if (!id.starts_with(text)) return false;
  const std::string_view last = text.substr(text.rfind('/') + 1);  // all of it if there is no "/"
  const bool is_number = !last.empty() && last.find_first_not_of("0123456789.") == std::string_view::npos;
  const std::string_view rest = id.substr(text.size());
  return !is_number || rest.empty() || rest.find_first_of("0123456789.") != 0;
}

}  // namespace

std::string RunId::shown() const { return has_siblings ? numbered(*this) : text; }

bool has_number(std::string_view text) { return number_place(text) != text.size(); }

std::string numbered(const RunId& run) { return has_number(run.text) ? run.text : run.text + "@1"; }

NameFit fit_of(const RunId& id, std::string_view text) {
  if (id.text == text) return NameFit::Exact;
  const std::string_view subject = subject_of(id);
  if (has_number(text)) {
    const RunId wanted{std::string(text)};
    if (number_of(wanted) != number_of(id)) return NameFit::None;
    return fit_of({std::string(subject)}, subject_of(wanted));
  }
  if (subject == text) return NameFit::Exact;
  if (fits_segments(subject, text)) return NameFit::Segments;
  return fits_prefix(subject, text) ? NameFit::Prefix : NameFit::None;
}

bool is_serial(std::string_view text) {
  return !text.empty() && text.size() <= kSerialBytesMax &&
         text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

std::string run_key(const RunId& run, std::string_view serial) {
  if (serial.empty()) return run.text;
  const std::size_t name = run.text.rfind('/') + 1;  // 0 if there is none
  const std::size_t room = kNameBytesMax - 1 - serial.size();
  return run.text.substr(0, name + std::min(room, run.text.size() - name)) + "+" + std::string(serial);
}

std::string_view subject_of(const RunId& run) {
  return std::string_view(run.text).substr(0, number_place(run.text));
}

std::int64_t number_of(const RunId& run) {
  const std::size_t at = number_place(run.text);
  return at == run.text.size() ? 1 : *parse_number(std::string_view(run.text).substr(at + 1), kRunNumberMax);
}

bool is_run_name(std::string_view text) {
  return !text.empty() && text.size() <= kRunIdBytesMax && text != "." && text != ".." && text[0] != '-' &&
         std::ranges::all_of(text, is_name_byte);
}

std::string path_component(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  const bool dots = text == "." || text == "..";
  for (const char c : text) {
    if (is_name_byte(c) && !dots) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

}  // namespace reprise
