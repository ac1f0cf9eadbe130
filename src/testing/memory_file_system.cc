#include "testing/memory_file_system.h"

#include <algorithm>

namespace reprise {
namespace {

std::string key_of(const std::filesystem::path& path) { return path.lexically_normal().string(); }

}  // namespace

const MemoryFileSystem::File* MemoryFileSystem::find(const std::filesystem::path& path) const {
  const auto found = files_.find(key_of(path));
  return found == files_.end() ? nullptr : &found->second;
}

bool MemoryFileSystem::is_directory(const std::string& path) const {
  if (directories_.contains(path)) return true;
  const auto next = files_.lower_bound(path + "/");
  return next != files_.end() && next->first.starts_with(path + "/");
}

Result<std::string> MemoryFileSystem::read(const std::filesystem::path& path, std::size_t bytes_max) {
  return guarded([&]() -> Result<std::string> {
    const File* file = find(path);
    if (file == nullptr) return fail(ErrorKind::NotFound, path.string() + ": No such file or directory");
    if (file->bytes.size() > bytes_max) return fail(ErrorKind::Invalid, path.string() + " is too long");
    return file->bytes;
  });
}

Result<std::string> MemoryFileSystem::read_part(const std::filesystem::path& path, std::int64_t offset,
                                                std::size_t bytes_max) {
  return guarded([&]() -> Result<std::string> {
    const File* file = find(path);
    if (file == nullptr) return fail(ErrorKind::NotFound, path.string() + ": No such file or directory");
    const std::size_t from = std::min(static_cast<std::size_t>(offset), file->bytes.size());
    return file->bytes.substr(from, bytes_max);
  });
}

Result<std::optional<FileInfo>> MemoryFileSystem::stat(const std::filesystem::path& path) {
  return guarded([&]() -> Result<std::optional<FileInfo>> {
    if (const File* file = find(path)) {
      return FileInfo{.type = FileType::Regular,
                      .size = static_cast<std::int64_t>(file->bytes.size()),
                      .modified = {},
                      .signature = "v" + std::to_string(file->version)};
    }
    if (is_directory(key_of(path))) return FileInfo{.type = FileType::Directory, .modified = {}, .signature = ""};
    return std::nullopt;
  });
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::filesystem::path& path) {
  return guarded([&]() -> Result<std::vector<std::string>> {
    const std::string prefix = key_of(path) + "/";
    std::vector<std::string> names;
    const auto add = [&](const std::string& key) {
      if (key.starts_with(prefix))
        names.push_back(key.substr(prefix.size(), key.find('/', prefix.size()) - prefix.size()));
    };
    for (const auto& [key, file] : files_) add(key);
    for (const auto& [key, made] : directories_) add(key);
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    return names;
  });
}

void MemoryFileSystem::write(const std::filesystem::path& path, std::string_view bytes, bool is_durable) {
  File& file = files_[key_of(path)];
  file.bytes = bytes;
  file.version = ++versions_;
  if (is_durable) file.durable = file.bytes;
}

Result<void> MemoryFileSystem::replace(const std::filesystem::path& path, std::string_view bytes) {
  return guarded([&]() -> Result<void> {
    if (!is_directory(key_of(path.parent_path()))) {
      return fail(ErrorKind::NotFound, path.string() + ": No such file or directory");
    }
    write(path, bytes, true);
    return {};
  });
}

Result<void> MemoryFileSystem::write_scratch(const std::filesystem::path& path, std::string_view bytes) {
  return guarded([&]() -> Result<void> {
    write(path, bytes, false);
    return {};
  });
}

Result<void> MemoryFileSystem::make_directories(const std::filesystem::path& path) {
  return guarded([&]() -> Result<void> {
    for (std::filesystem::path folder = path; folder != folder.root_path(); folder = folder.parent_path()) {
      directories_[key_of(folder)] = true;
    }
    return {};
  });
}

Result<void> MemoryFileSystem::remove(const std::filesystem::path& path) {
  return guarded([&]() -> Result<void> {
    files_.erase(key_of(path));
    return {};
  });
}

Result<void> MemoryFileSystem::remove_tree(const std::filesystem::path& path) {
  return guarded([&]() -> Result<void> {
    const std::string key = key_of(path);
    const auto beneath = [&](const auto& entry) {
      return entry.first == key || entry.first.starts_with(key + "/");
    };
    std::erase_if(files_, beneath);
    std::erase_if(directories_, beneath);
    return {};
  });
}

void MemoryFileSystem::put(const std::filesystem::path& path, std::string bytes) { write(path, bytes, true); }

void MemoryFileSystem::erase(const std::filesystem::path& path) { files_.erase(key_of(path)); }

std::optional<std::string> MemoryFileSystem::content(const std::filesystem::path& path) const {
  const File* file = find(path);
  return file == nullptr ? std::nullopt : std::optional(file->bytes);
}

void MemoryFileSystem::cut_power() {
  std::erase_if(files_, [](const auto& entry) { return !entry.second.durable; });
  for (auto& [path, file] : files_) {
    if (file.bytes == *file.durable) continue;
    file.bytes = *file.durable;
    file.version = ++versions_;
  }
}

}  // namespace reprise
