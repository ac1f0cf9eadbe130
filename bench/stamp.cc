// A step for benchmarks: appends the time at which it started to LOG and, if named, creates OUT.
//   stamp LOG [OUT]

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

int main(int count, char** words) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[64];
  const int length =
      std::snprintf(line, sizeof line, "%lld\n", static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
  const int log = open(words[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0 || write(log, line, static_cast<std::size_t>(length)) != length) return 1;
  if (count > 2) close(open(words[2], O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  return 0;
}
