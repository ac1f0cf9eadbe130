// The terminal: whether there is one, how wide it is, and plain reading and writing.

#pragma once

#include <string>
#include <string_view>

namespace reprise {

struct TerminalFacts {
  bool can_ask = false;    // stdin and stderr are a terminal
  bool can_draw = false;   // stderr is one that moves its cursor
  bool no_colour = false;  // NO_COLOR is set
  int width = 80;
};
TerminalFacts terminal_facts();

/// Writes all of `text`; a reader that has gone away is not our failure.
void write_all(int fd, std::string_view text);

/// Waits up to `timeout_ms` for input; false if there was none. An empty chunk is the end of input.
bool read_some(int fd, int timeout_ms, std::string& chunk);

}  // namespace reprise
