// The real file system, but for some files it says what it was told to say: as if they had another content, or
// were not there. For plans of what might be.
//
// Nothing is written for that. As long as something is pretended, nothing can be written at all (Denied), so that
// what might be never becomes what is.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "os/file_system.h"

namespace reprise {

class PretendedFiles : public PosixFileSystem {
 public:
  /// Makes it look as if `path` (absolute) held `bytes`, or were not there if there are none.
  void pretend(const std::filesystem::path& path, std::optional<std::string> bytes);
  /// Returns what is pretended of `path`: nothing if nothing is, else its bytes, or none if it is said to be gone.
  const std::optional<std::string>* pretended(const std::filesystem::path& path) const;

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
  Result<void> remove_below(const std::filesystem::path& root, const std::filesystem::path& below) override;

 private:
  Result<void> may_write() const;

  std::map<std::filesystem::path, std::optional<std::string>> pretended_;  // by normal path
};

}  // namespace reprise
