#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace reprise {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "reprise: internal error: check failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace reprise
