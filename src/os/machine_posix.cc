#include <unistd.h>

#include <thread>

#include "os/machine.h"

namespace reprise {

int own_pid() { return static_cast<int>(getpid()); }
int own_user() { return static_cast<int>(getuid()); }

void pause_for(Duration duration) { std::this_thread::sleep_for(duration); }

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "localhost";
  return name;
}

Result<std::filesystem::path> canonical_path(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path result = std::filesystem::canonical(path, error);
  if (error) return fail(error_from_errno(error.value(), path.string()));
  return result;
}

}  // namespace reprise
