#include "app/task_store_files.h"

#include <algorithm>

#include "base/strings.h"
#include "model/limits.h"
#include "os/folder_reader.h"
#include "os/machine.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

bool holds(std::string_view bytes, std::string_view word) {
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  return word.empty() || std::ranges::search(bytes, word, same).begin() != bytes.end();
}

// A file that does not read well at first may be half written: it is looked at again when nobody writes it.
std::optional<ReadTask> read_again(const fs::path& folder, const std::string& name) {
  const Result<std::optional<std::string>> bytes = read_settled_task(folder / name);
  if (!bytes) return damaged_task(name, bytes.error());
  if (!*bytes) return std::nullopt;
  Result<ReadTask> read = read_task_file(**bytes, name);
  return read ? std::move(*read) : damaged_task(name, read.error());
}

}  // namespace

Result<std::vector<std::string>> task_file_names(App& app, const fs::path& folder) {
  std::vector<std::string> names = TRY(app.files.list(folder));
  std::erase_if(names, [](const std::string& name) { return id_of_task_file(name).empty(); });
  if (names.size() <= static_cast<std::size_t>(kStagesMax)) return names;
  return fail(ErrorKind::Invalid, folder.string() + " holds more than " + std::to_string(kStagesMax) + " tasks");
}

std::vector<ReadTask> read_task_files(App& app, const fs::path& folder, const std::vector<std::string>& names,
                                      std::string_view word) {
  std::vector<ReadTask> tasks;
  const FolderReader reader(folder);
  FolderReader::File file;
  for (const std::string& name : names) {
    const FolderReader::Answer answer = reader.read(name, kDocumentBytesMax, file);
    if (answer == FolderReader::Answer::Missing) continue;
    const bool is_read = answer == FolderReader::Answer::Read;
    if (is_read && !holds(file.bytes, word)) continue;
    std::optional<ReadTask> task;
    if (Result<ReadTask> read = read_task_file(is_read ? file.bytes : "", name)) task = std::move(*read);
    if (!task) task = read_again(folder, name);
    if (!task) continue;
    task->task.file_time = file.modified;
    if (!is_read) {
      const Result<std::optional<FileInfo>> info = app.files.stat(folder / name);
      task->task.file_time = info && *info ? (*info)->modified : Timestamp();
    }
    tasks.push_back(std::move(*task));
  }
  return tasks;
}

Result<std::optional<std::string>> read_settled_task(const fs::path& file) {
  for (int round = 0; round < kLookAgainMax; ++round) {
    SharedContent content = TRY(read_shared(file, kDocumentBytesMax));
    if (content.settled && !content.exists) return std::nullopt;
    if (content.settled) return std::move(content.bytes);
    pause_for(kLookAgainAfter);
  }
  return fail(ErrorKind::Conflict, file.string() + " is being written by another program all the time");
}

Result<std::optional<std::int64_t>> read_high_water_mark(App& app, const fs::path& folder) {
  const fs::path file = folder / kHighWaterMark;
  const Result<std::string> text = app.files.read(file, 64);
  if (!text && text.error().kind == ErrorKind::NotFound) return std::nullopt;
  if (!text) return fail(text.error());
  const std::optional<long long> number = parse_number(trim(*text), kIdMax);
  if (number) return std::int64_t{*number};
  return fail(Error{.kind = ErrorKind::Corrupt,
                    .message = file.string() + " holds no number, but \"" + printable_line(*text, 40) + "\"",
                    .file = file.string()});
}

}  // namespace reprise
