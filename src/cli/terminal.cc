#include "cli/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/strings.h"

namespace reprise {
namespace {

// What COLUMNS says, for a terminal that does not tell its width.
std::optional<int> width_told() {
  const char* told = std::getenv("COLUMNS");
  const std::optional<std::int64_t> columns = parse_number(told == nullptr ? "" : told, 10'000);
  return columns && *columns >= 20 ? std::optional(static_cast<int>(*columns)) : std::nullopt;
}

}  // namespace

TerminalFacts terminal_facts() {
  TerminalFacts facts;
  const char* term = std::getenv("TERM");
  const bool is_dumb = term == nullptr || std::string_view(term) == "dumb";
  facts.can_ask = isatty(0) == 1 && isatty(2) == 1;
  facts.can_read = facts.can_ask && isatty(1) == 1;
  facts.can_draw = isatty(2) == 1 && !is_dumb;
  const char* no_colour = std::getenv("NO_COLOR");
  facts.no_colour = no_colour != nullptr && *no_colour != '\0';
  facts.prints_on_it = isatty(1) == 1;
  winsize size{};
  if (ioctl(2, TIOCGWINSZ, &size) != 0) size = {};
  facts.width = size.ws_col > 0 ? size.ws_col : width_told().value_or(facts.width);
  if (size.ws_row > 0) facts.height = size.ws_row;
  facts.text_width = facts.prints_on_it ? facts.width : kUnlimitedWidth;
  return facts;
}

bool read_some(int fd, int timeout_ms, std::string& chunk) {
  pollfd waiting{fd, POLLIN, 0};
  if (::poll(&waiting, 1, timeout_ms) <= 0) return false;
  char buffer[4096];
  const ssize_t count = ::read(fd, buffer, sizeof buffer);
  chunk.assign(buffer, count > 0 ? static_cast<std::size_t>(count) : 0);
  return true;
}

}  // namespace reprise
