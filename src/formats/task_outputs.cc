#include "formats/task_outputs.h"

#include <algorithm>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kPathBytesMax = 1'024;
constexpr std::size_t kExtensionMax = 10;

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

// "`a.txt`" and "'a.txt'" are a.txt.
std::string_view without_quotes(std::string_view value) {
  value = trim(value);
  constexpr std::string_view kMarks = "`'\"";
  while (value.size() > 1 && value.front() == value.back() && kMarks.find(value.front()) != kMarks.npos)
    value = trim(value.substr(1, value.size() - 2));
  return value;
}

// "txt" in "a.txt", "gitignore" in ".gitignore"; "" in "v1.2" and "done."
std::string_view extension_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return "";
  const std::string_view extension = name.substr(dot + 1);
  const bool is_word =
      std::ranges::all_of(extension, [](char c) { return is_ascii_letter(c) || is_ascii_digit(c); });
  const bool is_one =
      is_word && extension.size() <= kExtensionMax && std::ranges::any_of(extension, is_ascii_letter);
  return is_one ? extension : std::string_view();
}

}  // namespace

bool is_written_like_path(std::string_view value) {
  value = without_quotes(value);
  if (value.empty() || value.size() > kPathBytesMax || value.find("://") != value.npos) return false;
  if (value.find_first_of(" \t\r\n|<>{}\"*?;,") != value.npos || value.find('\0') != value.npos) return false;
  if (std::ranges::none_of(value, [](char c) { return is_ascii_letter(c) || (c & 0x80) != 0; })) return false;
  const std::size_t slash = value.rfind('/');
  return slash != value.npos || !extension_of(value).empty();
}

TaskOutputs read_task_outputs(std::string_view value) {
  TaskOutputs found;
  std::vector<std::string> paths;
  bool are_paths = true;
  for (const std::string_view line : split(value, '\n')) {
    for (const std::string_view part : split(line, ',')) {
      std::string_view name = trim(part);
      if (name.starts_with("- ")) name = trim(name.substr(2));
      if (name.empty()) continue;
      are_paths = are_paths && is_written_like_path(name);
      paths.emplace_back(without_quotes(name));
    }
  }
  if (paths.empty()) return found;
  if (are_paths) {
    found.files = std::move(paths);
  } else {
    found.texts.emplace_back(trim(value));
  }
  return found;
}

}  // namespace reprise
