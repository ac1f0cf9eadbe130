// The exit log as a file of JSON lines.

#include "guard/exit_log.h"

#include <algorithm>

#include "guard/protocol.h"
#include "os/io.h"

namespace reprise {
namespace {

constexpr std::size_t kPiece = 64u << 10;

// Returns where the last whole line ends, looking from the end backwards.
Result<std::int64_t> end_of_lines(int fd, std::int64_t size, const std::string& name) {
  while (size > 0) {
    const std::int64_t start = std::max<std::int64_t>(0, size - static_cast<std::int64_t>(kPiece));
    const std::string piece = TRY(read_at(fd, start, static_cast<std::size_t>(size - start), name));
    const std::size_t newline = piece.rfind('\n');
    if (newline != std::string::npos) return start + static_cast<std::int64_t>(newline) + 1;
    size = start;
  }
  return 0;
}

// From the end: what is asked for is nearly always among the newest. Only lines that can be it are parsed.
Result<std::optional<ExitRecord>> search(int fd, std::int64_t size, const std::string& name,
                                         const std::string& attempt) {
  const std::string text = TRY(read_at(fd, 0, static_cast<std::size_t>(size), name));
  const std::string wanted = encode_text(attempt);
  std::size_t end = text.rfind('\n');
  while (end != std::string::npos) {
    const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.find(wanted) != std::string_view::npos) {
      std::optional<ExitRecord> record = decode_record(line);
      if (record && record->attempt == attempt) return record;
    }
    end = before;
  }
  return std::nullopt;
}

}  // namespace

Result<ExitLog> ExitLog::open(const std::filesystem::path& path) {
  std::string name = path.string();
  Fd fd = TRY(open_for_append(path));
  const std::int64_t size = TRY(size_of(fd.get(), name));
  const std::int64_t whole = TRY(end_of_lines(fd.get(), size, name));
  if (whole < size) TRY_VOID(cut_to(fd.get(), whole, name));
  return ExitLog(std::move(fd), std::move(name), whole);
}

Result<void> ExitLog::append(std::span<const ExitRecord> records) {
  std::string lines;
  for (const ExitRecord& record : records) lines += encode(record) + "\n";
  if (Result<void> written = write_all(fd_.get(), lines, name_); !written) {
    // A half line would swallow the next one; if even cutting fails, the next guard cuts.
    static_cast<void>(cut_to(fd_.get(), size_, name_));
    return written;
  }
  size_ += static_cast<std::int64_t>(lines.size());
  return {};
}

Result<std::optional<ExitRecord>> ExitLog::find(const std::string& attempt) const {
  return search(fd_.get(), size_, name_, attempt);
}

Result<std::optional<ExitRecord>> ExitLog::look(const std::filesystem::path& path, const std::string& attempt) {
  const Result<Fd> fd = open_for_reading(path);
  if (!fd && fd.error().kind == ErrorKind::NotFound) return std::nullopt;
  if (!fd) return fail(fd.error());
  const std::int64_t size = TRY(size_of(fd->get(), path.string()));
  return search(fd->get(), size, path.string(), attempt);
}

Result<void> ExitLog::archive(const std::filesystem::path& path, const std::string& ending) {
  return move_file(path, path.string() + "." + ending);
}

}  // namespace reprise
