#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace reprise {

void check_failed(const char* what, std::source_location where) {
  std::fprintf(stderr, "reprise: internal error: %s (%s:%u, %s)\n", what, where.file_name(),
               static_cast<unsigned>(where.line()), where.function_name());
  std::abort();
}

}  // namespace reprise
