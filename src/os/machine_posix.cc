#include <pwd.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "os/machine.h"

namespace reprise {

int own_pid() { return static_cast<int>(getpid()); }
int own_user() { return static_cast<int>(getuid()); }

std::string own_user_name() {
  std::array<char, 16 << 10> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return "";
  return entry.pw_name;
}

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
