#include "os/pretended_files.h"

#include <algorithm>

#include "base/digest.h"

namespace reprise {

void PretendedFiles::pretend(const std::filesystem::path& path, std::optional<std::string> bytes) {
  pretended_[path.lexically_normal()] = std::move(bytes);
}

const std::optional<std::string>* PretendedFiles::pretended(const std::filesystem::path& path) const {
  if (pretended_.empty()) return nullptr;
  const auto found = pretended_.find(path.lexically_normal());
  return found == pretended_.end() ? nullptr : &found->second;
}

Result<std::string> PretendedFiles::read(const std::filesystem::path& path, std::size_t bytes_max) {
  const std::optional<std::string>* instead = pretended(path);
  if (instead == nullptr) return PosixFileSystem::read(path, bytes_max);
  if (!*instead) return fail(ErrorKind::NotFound, path.string() + ": it is not there");
  if ((*instead)->size() > bytes_max) return fail(ErrorKind::Invalid, path.string() + ": it is too large");
  return **instead;
}

Result<std::string> PretendedFiles::read_part(const std::filesystem::path& path, std::int64_t offset,
                                              std::size_t bytes_max) {
  const std::optional<std::string>* instead = pretended(path);
  if (instead == nullptr) return PosixFileSystem::read_part(path, offset, bytes_max);
  if (!*instead) return fail(ErrorKind::NotFound, path.string() + ": it is not there");
  const std::size_t start =
      std::min((*instead)->size(), static_cast<std::size_t>(std::max<std::int64_t>(0, offset)));
  return (*instead)->substr(start, bytes_max);
}

Result<std::optional<FileInfo>> PretendedFiles::stat(const std::filesystem::path& path) {
  const std::optional<std::string>* instead = pretended(path);
  if (instead == nullptr) return PosixFileSystem::stat(path);
  if (!*instead) return std::optional<FileInfo>();
  FileInfo info = TRY(PosixFileSystem::stat(path)).value_or(FileInfo{});
  info.type = FileType::Regular;
  info.size = static_cast<std::int64_t>((*instead)->size());
  info.signature = "pretended " + to_text(digest_of(**instead));
  return std::optional(std::move(info));
}

Result<std::vector<std::string>> PretendedFiles::list(const std::filesystem::path& path) {
  std::vector<std::string> names = TRY(PosixFileSystem::list(path));
  const std::filesystem::path folder = path.lexically_normal();
  for (const auto& [file, instead] : pretended_) {
    if (file.parent_path() != folder) continue;
    std::erase(names, file.filename().string());
    if (instead) names.push_back(file.filename().string());
  }
  std::ranges::sort(names);
  return names;
}

Result<void> PretendedFiles::may_write() const {
  if (pretended_.empty()) return {};
  return fail(ErrorKind::Denied, "nothing is written while files are pretended");
}

Result<void> PretendedFiles::replace(const std::filesystem::path& path, std::string_view bytes) {
  TRY_VOID(may_write());
  return PosixFileSystem::replace(path, bytes);
}
Result<void> PretendedFiles::write_scratch(const std::filesystem::path& path, std::string_view bytes) {
  TRY_VOID(may_write());
  return PosixFileSystem::write_scratch(path, bytes);
}
Result<void> PretendedFiles::make_directories(const std::filesystem::path& path) {
  TRY_VOID(may_write());
  return PosixFileSystem::make_directories(path);
}
Result<void> PretendedFiles::remove(const std::filesystem::path& path) {
  TRY_VOID(may_write());
  return PosixFileSystem::remove(path);
}
Result<void> PretendedFiles::remove_below(const std::filesystem::path& root, const std::filesystem::path& below) {
  TRY_VOID(may_write());
  return PosixFileSystem::remove_below(root, below);
}

Result<void> PretendedFiles::remove_tree(const std::filesystem::path& path) {
  TRY_VOID(may_write());
  return PosixFileSystem::remove_tree(path);
}

}  // namespace reprise
