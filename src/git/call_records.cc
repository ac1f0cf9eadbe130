// Records of calls, one small file each.

#include "git/call_records.h"

#include "base/strings.h"
#include "git/path_look.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/io.h"
#include "os/process.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr std::size_t kRecordBytesMax = 64u << 10;
constexpr std::string_view kUnderRepository = "repository";

path records_folder(const path& own) { return own / "git-calls"; }

// Lines: who calls, which lock git holds, where, what, when. The first two words of a command tell what it can
// leave.
Result<std::string> text_of(const Git& git, const std::vector<std::string>& arguments, bool under_repository) {
  const ProcessId self = TRY(identify_self());
  std::string command;
  for (std::size_t i = 0; i < arguments.size() && i < 2; ++i) command += (i > 0 ? " " : "") + arguments[i];
  std::string text = std::to_string(self.pid) + " " + self.start + " " + self.boot + "\n";
  text += std::string(under_repository ? kUnderRepository : "own") + "\n";
  text += git.git_dir().string() + "\n" + printable_line(command, 200) + "\n";
  return text + to_text_ms(SystemClock().now()) + "\n";
}

Result<std::optional<CallRecord>> read_record(const path& file) {
  const std::optional<PathLook> look = TRY(look_at(file));
  if (!look || look->type != FileType::Regular) return std::nullopt;
  const std::string text = TRY(PosixFileSystem().read(file, kRecordBytesMax));
  const std::vector<std::string_view> lines = split(text, '\n');
  CallRecord record{.file = file, .began_ns = look->born_ns.value_or(look->modified_ns)};
  if (lines.size() < 6) return record;  // cut off: it never came to a call
  record.under_repository = lines[1] == kUnderRepository;
  record.git_dir = lines[2];
  record.command = lines[3];
  return record;
}

}  // namespace

Result<path> own_folder(const Git& git) {
  path folder = git.common_dir() / "reprise";
  TRY_VOID(PosixFileSystem().make_directories(folder));
  return folder;
}

Result<RecordedCall> RecordedCall::begin(const Git& git, const std::vector<std::string>& arguments,
                                         bool under_repository) {
  const path own = TRY(own_folder(git));
  TRY_VOID(PosixFileSystem().make_directories(records_folder(own)));
  const std::string text = TRY(text_of(git, arguments, under_repository));
  path file = records_folder(own) / SystemEntropy().hex(16);
  const FileLock making = TRY(FileLock::lock(own / "git.lock", kRecordsByte));
  FileLock lock = TRY(FileLock::lock(file, 0));
  TRY_VOID(write_at(lock.fd(), 0, text, file.string()));
  return RecordedCall(std::move(lock), std::move(file));
}

Result<void> RecordedCall::end() { return PosixFileSystem().remove(file_); }

Result<DeadCalls> DeadCalls::find(const Git& git, bool has_repository) {
  DeadCalls dead;
  const path own = TRY(own_folder(git));
  const std::vector<std::string> names = TRY(PosixFileSystem().list(records_folder(own)));
  if (names.empty()) return dead;
  const FileLock looking = TRY(FileLock::lock(own / "git.lock", kRecordsByte));
  std::optional<FileLock> repository;
  if (!has_repository) repository = TRY(FileLock::try_lock(own / "git.lock", kRepositoryByte));
  for (const std::string& name : names) {
    const path file = records_folder(own) / name;
    if (!TRY(look_at(file))) continue;
    std::optional<FileLock> lock = TRY(FileLock::try_lock(file, 0));
    if (!lock) continue;
    std::optional<CallRecord> record = TRY(read_record(file));
    if (!record || (record->under_repository && !has_repository && !repository)) continue;
    dead.records_.push_back(std::move(*record));
    dead.locks_.push_back(std::move(*lock));
  }
  if (repository) dead.locks_.push_back(std::move(*repository));
  return dead;
}

Result<void> DeadCalls::forget(const CallRecord& record) { return PosixFileSystem().remove(record.file); }

}  // namespace reprise
