// The configuration file: any bytes give a configuration or problems with positions.

#include "formats/config_file.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::expected<Config, std::vector<Problem>> config = load_config(as_text(data, size), "f.yaml");
  if (!config) {
    check(!config.error().empty());
    for (const Problem& problem : config.error()) check(problem.line >= 1 && problem.column >= 1);
  }
  return 0;
}
