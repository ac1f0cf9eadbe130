// Who and where this process is.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

int own_pid();
int own_user();
/// Returns the name of our user in the password database; "" if it has none.
std::string own_user_name();
std::string host_name();
/// Sleeps. Only where another process is waited for that has no way to wake us.
void pause_for(Duration duration);
/// Returns `path` absolute and without links. NotFound if it is not there.
Result<std::filesystem::path> canonical_path(const std::filesystem::path& path);

}  // namespace reprise
