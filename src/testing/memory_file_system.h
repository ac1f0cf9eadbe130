// Files in memory, with the two properties that matter for a crash: replace() survives a power cut,
// write_scratch() does not.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "os/file_system.h"
#include "testing/kill_switch.h"

namespace reprise {

class MemoryFileSystem : public FileSystem {
 public:
  /// `kill` may be null: then nobody dies.
  explicit MemoryFileSystem(KillSwitch* kill = nullptr) : kill_(kill) {}

  Result<std::string> read(const std::filesystem::path& path, std::size_t bytes_max) override;
  Result<std::string> read_part(const std::filesystem::path& path, std::int64_t offset,
                                std::size_t bytes_max) override;
  Result<std::optional<FileInfo>> stat(const std::filesystem::path& path) override;
  Result<std::vector<std::string>> list(const std::filesystem::path& path) override;
  Result<void> replace(const std::filesystem::path& path, std::string_view bytes) override;
  Result<void> write_scratch(const std::filesystem::path& path, std::string_view bytes) override;
  Result<void> make_directories(const std::filesystem::path& path) override;
  Result<void> remove(const std::filesystem::path& path) override;
  Result<void> remove_tree(const std::filesystem::path& path) override;
  Result<void> remove_below(const std::filesystem::path& root, const std::filesystem::path& below) override {
    return remove_tree(root / below);
  }

  // The world around the program: a worker or a person changes a file. Never killed, always durable.
  void put(const std::filesystem::path& path, std::string bytes);
  void erase(const std::filesystem::path& path);
  std::optional<std::string> content(const std::filesystem::path& path) const;

  /// The machine loses power: every file falls back to what was made durable.
  void cut_power();

 private:
  struct File {
    std::string bytes;
    std::optional<std::string> durable;
    std::int64_t version = 0;
  };

  template <typename Effect>
  auto guarded(Effect&& effect) -> decltype(effect()) {
    return kill_ == nullptr ? effect() : kill_->call(effect);
  }
  const File* find(const std::filesystem::path& path) const;
  void write(const std::filesystem::path& path, std::string_view bytes, bool is_durable);
  bool is_directory(const std::string& path) const;

  KillSwitch* kill_;
  std::map<std::string, File> files_;
  std::map<std::string, bool> directories_;
  std::int64_t versions_ = 0;
};

}  // namespace reprise
