#include "page.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "transcript.h"

namespace reprise::cli_test {
namespace {

using Words = std::vector<std::string>;
constexpr const char* kAnything = "…";

// Besides what differs in transcripts: ages and durations of any length, who and where, and what the shell says of
// processes that a page kills.
std::string comparable(const World& world, std::string text) {
  static const std::vector<std::pair<std::regex, std::string>> kPatterns = {
      {std::regex(R"((^|\n)[^\n]*bash: line \d+: +\d+ (Killed|Terminated)[^\n]*)"), "$1"},
      {std::regex(R"(, last activity [0-9a-z. ]+ ago)"), ""},
      {std::regex(R"(\b\d+(d \d+h|h \d+m|m \d+s|(\.\d+)?s|ms|m|h|d)\b)"), "<took>"},
      {std::regex(R"(\d{4}-\d\d-\d\d)"), "<date>"},
      {std::regex("<age>"), "<took>"},
      {std::regex(R"( \(<took> of work\)|, <took> of work)"), ""},  // not said of what took no time
      {std::regex(R"(\bdove\b)"), "<host>"}};
  text = normalised(std::move(text), world);
  for (const auto& [pattern, word] : kPatterns) text = std::regex_replace(text, pattern, word);
  return text;
}

Words words_of(const std::string& text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool is_same_word(const std::string& shown, const std::string& seen) {
  const std::string_view gap = kAnything;
  const std::size_t at = shown.find(gap);
  if (at == std::string::npos) return shown == seen;
  const std::string rest = shown.substr(at + gap.size());
  return seen.size() >= at + rest.size() && seen.starts_with(shown.substr(0, at)) && seen.ends_with(rest);
}

// Whether `shown` is all of `seen`, or the beginning of it.
bool fits(const Words& shown, std::size_t i, const Words& seen, std::size_t k, bool is_whole) {
  for (; i < shown.size(); ++i, ++k) {
    if (shown[i] == kAnything) {
      for (std::size_t next = k; next <= seen.size(); ++next) {
        if (fits(shown, i + 1, seen, next, is_whole)) return true;
      }
      return false;
    }
    if (k == seen.size() || !is_same_word(shown[i], seen[k])) return false;
  }
  return !is_whole || k == seen.size();
}

bool has_in_order(const World& world, const std::vector<std::string>& lines, const Words& seen) {
  std::size_t at = 0;
  for (const std::string& line : lines) {
    const Words words = words_of(comparable(world, line));
    while (at < seen.size() && !fits(words, 0, seen, at, false)) ++at;
    if (at == seen.size() && !words.empty()) return false;
    at += words.size();
  }
  return true;
}

std::vector<Words> sorted_lines(const std::string& text) {
  std::vector<Words> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (Words words = words_of(line); !words.empty()) lines.push_back(std::move(words));
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

std::vector<Block> read_blocks(const fs::path& path) {
  std::vector<Block> blocks;
  std::ifstream file(path);
  bool is_inside = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) blocks.push_back({number, line.substr(3), {}});
    } else if (is_inside) {
      blocks.back().lines.push_back(line);
    }
  }
  return blocks;
}

std::vector<ShownCommand> commands_in(const Block& block) {
  std::vector<ShownCommand> commands;
  int number = block.line;
  for (const std::string& line : block.lines) {
    ++number;
    if (line.starts_with("$ ")) {
      commands.push_back({number, line.substr(2)});
    } else if (!commands.empty() && (line.starts_with("> ") || line == ">")) {
      commands.back().text += "\n" + (line.size() > 2 ? line.substr(2) : "");
    } else if (!commands.empty()) {
      commands.back().excerpt.push_back(line);
    }
  }
  static const std::regex kAnnounced("# exit (\\d+)$");
  for (ShownCommand& command : commands) {
    std::smatch announced;
    if (std::regex_search(command.text, announced, kAnnounced)) command.exit = std::stoi(announced[1]);
  }
  return commands;
}

bool is_same_screen(const World& world, const std::vector<std::string>& shown, const std::string& seen,
                    Comparison comparison) {
  const std::string text = comparable(world, seen);
  if (comparison == Comparison::Excerpt) return has_in_order(world, shown, words_of(text));
  const std::string wanted = comparable(world, joined(shown));
  if (comparison == Comparison::Unordered) return sorted_lines(wanted) == sorted_lines(text);
  return fits(words_of(wanted), 0, words_of(text), 0, true);
}

PageShell::PageShell(const World& world) : output_(world.root().parent_path() / "output") {
  int input[2];
  int answer[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0) return;
  pid_ = world.start_shell(input[0], answer[1]);
  close(input[0]);
  close(answer[1]);
  input_ = input[1];
  answer_ = answer[0];
}

PageShell::~PageShell() {
  if (pid_ > 0) end();
  if (input_ >= 0) close(input_);
  if (answer_ >= 0) close(answer_);
}

void PageShell::end() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

Ended PageShell::type(const std::string& command) {
  const std::string line = "{ " + command + "\n} >'" + output_.string() + "' 2>&1 </dev/null 9>&-\necho $? >&9\n";
  if (pid_ <= 0 || write(input_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return {};
  std::string code;
  char byte = 0;
  pollfd waiting{answer_, POLLIN, 0};
  const bool is_answered = poll(&waiting, 1, 1000 * static_cast<int>(kPatience.count())) == 1;
  while (is_answered && read(answer_, &byte, 1) == 1 && byte != '\n') code += byte;
  if (code.empty()) end();
  return {code.empty() ? -1 : std::stoi(code), slurp(output_), ""};
}

}  // namespace reprise::cli_test
