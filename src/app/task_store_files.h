// The files of a task list's folder, read while others may write them.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "formats/task_file.h"

namespace reprise {

/// The file that holds the largest id that was ever given.
inline constexpr std::string_view kHighWaterMark = ".highwatermark";
/// The largest number that an id can be.
inline constexpr std::int64_t kIdMax = 999'999'999'999'999'999;

/// Returns the names of the tasks' files. Invalid if there are too many of them.
Result<std::vector<std::string>> task_file_names(App& app, const std::filesystem::path& folder);

/// Reads tasks' files, those that cannot be read as damaged ones; files that are gone are left out. Where `word`
/// is given, only files that hold it, in any case, are looked at.
std::vector<ReadTask> read_task_files(App& app, const std::filesystem::path& folder,
                                      const std::vector<std::string>& names, std::string_view word = "");

/// Returns the bytes of one file when nobody is writing it; nothing if it is not there.
Result<std::optional<std::string>> read_settled_task(const std::filesystem::path& file);

/// Returns the number in `.highwatermark`; nothing if there is no such file. Corrupt if it holds none.
Result<std::optional<std::int64_t>> read_high_water_mark(App& app, const std::filesystem::path& folder);

}  // namespace reprise
