// A folder of our own, held open: what lies below it is reached by descriptors, and no link below it is followed.
//
// For gc, which removes: a link that somebody put into the store must never lead it out of there, whenever it was
// put there. Paths are relative to the folder.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "os/file_system.h"

namespace reprise {

class FolderTree {
 public:
  struct Entry {
    std::string name;
    FileType type = FileType::Regular;
  };

  /// Opens the folder `root`. NotFound if it is not there.
  static Result<FolderTree> open(const std::filesystem::path& root);

  /// Returns what `below` is; nothing if it is not there. Denied if one of the folders between is a link.
  Result<std::optional<FileType>> type_of(const std::filesystem::path& below) const;
  /// Returns what is in the folder `below`, sorted by name; nothing if it is not there. Denied if it, or one of
  /// the folders between, is a link.
  Result<std::vector<Entry>> list(const std::filesystem::path& below) const;
  /// Whether any process holds a lock on the file `below`. What is not there, or is no file, is not locked.
  Result<bool> is_locked(const std::filesystem::path& below) const;
  /// Removes the file, link or folder `below` with all in it; not there is fine. Denied if one of the folders
  /// between is a link, or if one of those to remove is a mount point: what is mounted there stays.
  Result<void> remove(const std::filesystem::path& below) const;
  /// Finds what remove() would stop at, and changes nothing: Denied if a part of it is a mount point, is protected
  /// from changes, or lies in a folder that we may not write to.
  Result<void> check_removable(const std::filesystem::path& below) const;
  /// Moves `below` to `target`, whose folder must exist. NotFound if it is not there.
  Result<void> move(const std::filesystem::path& below, const std::filesystem::path& target) const;

 private:
  struct Place {
    Fd folder;
    std::string name;
  };
  FolderTree(std::filesystem::path root, Fd fd) : root_(std::move(root)), fd_(std::move(fd)) {}
  Result<Place> place_of(const std::filesystem::path& below) const;

  std::filesystem::path root_;
  Fd fd_;
};

}  // namespace reprise
