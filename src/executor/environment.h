// What of the surrounding environment a worker is given: an allow-list, what its definition names, its
// values and who it is. Loader and interpreter variables never pass, whoever names them (P37).

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/workflow.h"

namespace reprise {

using Environment = std::map<std::string, std::string>;

/// Reads "NAME=value" entries.
Environment parse_environment(std::span<const std::string> entries);

/// Whether a variable of this name makes a program load code: LD_PRELOAD, NODE_OPTIONS, BASH_ENV …
bool is_loader_variable(std::string_view name);

/// Returns what of `surrounding` passes to a worker whose definition names `named`.
Environment worker_environment(const Environment& surrounding, std::span<const std::string> named);

/// The same for a command that the runner starts itself: a check, a notification. It is marked like a worker, so
/// that a script which a worker rewrote cannot decide for a person either.
Environment command_environment(const Environment& surrounding);

/// Returns the variables that any stage or worker names: what one of them is given may pass through a file to
/// another.
std::vector<std::string> named_variables(const Config& config, const std::vector<Stage>& stages);

/// Returns the values that must not be stored: those of the variables that definitions name (that is where a key
/// goes) and of all whose names say that they are secret.
std::vector<std::string> secret_values(const Environment& surrounding, std::span<const std::string> named);

std::vector<std::string> to_entries(const Environment& environment);

}  // namespace reprise
