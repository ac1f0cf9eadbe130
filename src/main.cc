// reprise: picks the guard, the process above a check, or the command line.

#include <malloc.h>

#include <span>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "guard/guard.h"
#include "guard/supervised.h"

namespace {

constexpr int kKeptBytes = 64 << 20;

// A command is over soon: memory that it gave back is used again rather than asked for once more, page by page.
void keep_memory() {
  ::mallopt(M_MMAP_THRESHOLD, kKeptBytes);
  ::mallopt(M_TRIM_THRESHOLD, kKeptBytes);
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + (count > 0 ? 1 : 0), words + count);
  if (arguments.size() == 3 && arguments[0] == "--guard") return reprise::guard_main(arguments[1], arguments[2]);
  if (arguments.size() > 2 && arguments[0] == reprise::kSuperviseOption)
    return reprise::supervise_main(std::span(arguments).subspan(1));
  keep_memory();
  return reprise::run_cli(arguments);
}
