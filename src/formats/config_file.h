// `.reprise/config.yaml`: which programs are the workers, limits, lanes, notifications.

#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "formats/problem.h"
#include "model/workflow.h"

namespace reprise {

/// Reads a configuration. All problems at once, in order of position; an empty file is the default.
std::expected<Config, std::vector<Problem>> load_config(std::string_view bytes, const std::string& file);

}  // namespace reprise
