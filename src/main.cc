// reprise: picks the guard or the command line.

#include <string>
#include <vector>

#include "cli/cli.h"
#include "guard/guard.h"

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + (count > 0 ? 1 : 0), words + count);
  if (arguments.size() == 3 && arguments[0] == "--guard") return reprise::guard_main(arguments[1], arguments[2]);
  return reprise::run_cli(arguments);
}
