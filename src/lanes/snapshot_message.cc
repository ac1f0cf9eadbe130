// Writing and reading the block of a snapshot's message.

#include "lanes/snapshot_message.h"

#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::string_view kBegin = "\nReprise-Snapshot: 1\n";
constexpr std::string_view kUnborn = "none";

constexpr std::array<std::pair<LeftOutReason, std::string_view>, 5> kReasons = {{
    {LeftOutReason::NestedChanges, "nested_changes"},
    {LeftOutReason::NoCommit, "no_commit"},
    {LeftOutReason::Unreadable, "unreadable"},
    {LeftOutReason::NotAFile, "not_a_file"},
    {LeftOutReason::StillChanging, "still_changing"},
}};

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

unsigned octal_value(std::string_view text) {
  unsigned value = 0;
  for (const char c : text) value = value * 8 + static_cast<unsigned>(c - '0') % 8;
  return value;
}

std::string octal_text(unsigned mode) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04o", mode & 07777u);
  return buffer.data();
}

// "<word> <path>", as the lines about one file are.
std::pair<std::string_view, std::string> word_and_path(std::string_view value) {
  const std::size_t space = value.find(' ');
  if (space == std::string_view::npos) return {value, ""};
  return {value.substr(0, space), decode_path(value.substr(space + 1))};
}

void take_line(std::string_view name, std::string_view value, Snapshot& snapshot) {
  if (name == "Time") snapshot.time = parse_timestamp(value).value_or(Timestamp());
  if (name == "Head") snapshot.head = value == kUnborn ? "" : std::string(value);
  if (name == "Branch") snapshot.branch = decode_path(value);
  if (name == "Index") snapshot.index_commit = std::string(value);
  if (name == "Index-Tree") snapshot.index_tree = std::string(value);
  if (name == "Ignored") snapshot.ignored.push_back(decode_path(value));
  if (name == "Folder") snapshot.folders.push_back(decode_path(value));
  if (name == "Mode") {
    const auto [mode, path] = word_and_path(value);
    snapshot.modes.push_back({path, octal_value(mode)});
  }
  if (name == "Left-Out") {
    const auto [token, path] = word_and_path(value);
    for (const auto& [reason, known] : kReasons) {
      if (token == known) snapshot.left_out.push_back({path, reason});
    }
  }
}

}  // namespace

std::string_view to_token(LeftOutReason reason) {
  for (const auto& [known, token] : kReasons) {
    if (known == reason) return token;
  }
  return "";
}

std::string encode_path(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '%') {
      text += c;
    } else {
      text += '%';
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
  }
  return text;
}

std::string decode_path(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code =
        text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
    if (is_code) {
      path += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      path += text[i];
    }
  }
  return path;
}

std::string write_snapshot_message(const Snapshot& snapshot) {
  std::string text = printable_line(snapshot.message, 400);
  if (text.empty()) text = "snapshot";
  text += "\n";
  text += kBegin;
  const auto add = [&](std::string_view name, const std::string& value) {
    text += "Reprise-" + std::string(name) + ": " + value + "\n";
  };
  add("Time", to_text_ms(snapshot.time));
  add("Head", snapshot.head.empty() ? std::string(kUnborn) : snapshot.head);
  if (!snapshot.branch.empty()) add("Branch", encode_path(snapshot.branch));
  add("Index", snapshot.index_commit);
  add("Index-Tree", snapshot.index_tree);
  for (const std::string& path : snapshot.ignored) add("Ignored", encode_path(path));
  for (const std::string& path : snapshot.folders) add("Folder", encode_path(path));
  for (const FileMode& file : snapshot.modes) add("Mode", octal_text(file.mode) + " " + encode_path(file.path));
  for (const LeftOut& left : snapshot.left_out) {
    add("Left-Out", std::string(to_token(left.reason)) + " " + encode_path(left.path));
  }
  return text;
}

Result<void> read_snapshot_message(std::string_view message, Snapshot& snapshot) {
  const std::size_t begin = message.rfind(kBegin);
  if (begin == std::string_view::npos) return fail(ErrorKind::Invalid, "the commit is not a snapshot");
  snapshot.message = std::string(trim(message.substr(0, begin)));
  for (const std::string_view line : split(message.substr(begin + kBegin.size()), '\n')) {
    constexpr std::string_view kPrefix = "Reprise-";
    const std::size_t colon = line.find(": ");
    if (!line.starts_with(kPrefix) || colon == std::string_view::npos) continue;
    take_line(line.substr(kPrefix.size(), colon - kPrefix.size()), line.substr(colon + 2), snapshot);
  }
  if (snapshot.index_commit.empty() || snapshot.index_tree.empty())
    return fail(ErrorKind::Invalid, "the commit is not a whole snapshot");
  return {};
}

}  // namespace reprise
