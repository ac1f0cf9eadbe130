#include "transcript.h"

#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>

namespace reprise::cli_test {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// An empty line or one that starts like a command would be taken for something else when read back.
std::vector<std::string> output_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const bool is_special = line.empty() || line[0] == '#' || line[0] == '$' || line[0] == '>' || line[0] == '?';
    lines.push_back((is_special ? "| " : "") + line);
  }
  return lines;
}

}  // namespace

std::string normalised(std::string text, const World& world) {
  text = replaced(std::move(text), world.root().string(), "<project>");
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  static const std::vector<std::pair<std::regex, std::string>> kPatterns = {
      {std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)"), "<time>"},
      {std::regex(R"(\d{8}-\d{6}-[0-9a-f]{8})"), "<id>"},
      {std::regex(R"(\b\d+-[0-9a-f]{8}-[0-9a-f]{8}\b)"), "<serial>"},
      {std::regex(R"((sha256:)?[0-9a-f]{32,64})"), "<digest>"},
      {std::regex(R"(\b[0-9a-f]{12}\b)"), "<commit>"},
      {std::regex(R"(\b\d{8}T\d{6}Z-\d+)"), "<time>-<n>"},
      {std::regex(R"((process |"pid":)\d+)"), "$1<pid>"},
      {std::regex(R"(, last activity \d+\.\d+s ago)"), ""},  // not said of what happened this very millisecond
      {std::regex(R"(\d+\.\d+s\b)"), "<took>"},
      {std::regex(R"re("(took|duration_ms)":\d+)re"), "\"$1\":<took>"},
      {std::regex(R"(\d+\.\d+\.\d+( of \d{4}[^\n]*|, source[^\n]*))"), "<version>"}};
  for (const auto& [pattern, word] : kPatterns) text = std::regex_replace(text, pattern, word);
  return replaced(std::move(text), host, "<host>");
}

std::vector<Entry> read_transcript(const fs::path& path) {
  std::vector<Entry> entries(1);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const bool plain = line.empty() || line[0] == '#';
    Entry* last = &entries.back();
    if (line.starts_with("$ ") || (plain && !last->command.empty())) {
      if (!last->command.empty()) last = &entries.emplace_back();
    }
    if (line.starts_with("$ ")) {
      last->command.push_back(line.substr(2));
    } else if (plain) {
      last->before.push_back(line);
    } else if (line.starts_with("> ") || line == ">") {
      last->command.push_back(line.size() > 2 ? line.substr(2) : "");
    } else if (line.starts_with("? ")) {
      last->exit = std::stoi(line.substr(2));
    } else {
      last->output.push_back(line);
    }
  }
  return entries;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string as_text(const Entry& entry) {
  std::string text = joined(entry.before);
  for (std::size_t i = 0; i < entry.command.size(); ++i) {
    text += (i == 0 ? "$ " : entry.command[i].empty() ? ">" : "> ") + entry.command[i] + "\n";
  }
  text += joined(entry.output);
  return entry.exit == 0 ? text : text + "? " + std::to_string(entry.exit) + "\n";
}

Entry run(const Entry& entry, const World& world) {
  if (entry.command.empty()) return entry;
  const Ended ended = world.shell("exec 2>&1\n" + joined(entry.command));
  return {entry.before, entry.command, output_lines(normalised(ended.out, world)), ended.exit};
}

}  // namespace reprise::cli_test
