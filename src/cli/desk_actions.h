// What the keys of the desk do with an entry, once the terminal is back in its usual modes. Each is what the
// command of that name does, and returns its exit code.

#pragma once

#include <string_view>

#include "app/desk.h"
#include "cli/cli.h"

namespace reprise {

/// A key that does something with the selected entry.
struct DeskAction {
  char key;
  bool acts;  // and does not only look: the entry is looked at again before
  bool needs_entry;
  int (*run)(Cli& cli, const DeskEntry* entry);
};

/// Returns what `key` does; null if it does nothing to an entry.
const DeskAction* find_action(std::string_view key);

}  // namespace reprise
