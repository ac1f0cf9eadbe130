// Reading the mount table; pure, so that it is tested on lines of real machines.

#include "os/mounts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"

namespace reprise {

std::optional<std::string> find_mount_type(std::string_view mountinfo, unsigned major, unsigned minor) {
  // "42 27 0:39 / /mnt rw,relatime shared:1 - fuse.sshfs host:/home rw": spaces in paths are escaped, and the
  // optional fields before the dash have no dash of their own.
  constexpr std::size_t kDevice = 2, kFirstOptional = 6;
  const std::string device = std::to_string(major) + ":" + std::to_string(minor);
  for (const std::string_view line : split(mountinfo, '\n')) {
    const std::vector<std::string_view> fields = split(line, ' ');
    if (fields.size() <= kFirstOptional || fields[kDevice] != device) continue;
    const auto dash = std::find(fields.begin() + kFirstOptional, fields.end(), "-");
    if (dash != fields.end() && dash + 1 != fields.end()) return std::string(*(dash + 1));
  }
  return std::nullopt;
}

bool is_local_fuse_type(std::string_view type) {
  static constexpr std::array<std::string_view, 14> kLocal = {
      "fuseblk",    "fuse.ntfs",      "fuse.ntfs-3g",  "fuse.exfat",         "fuse.exfat-fuse",
      "fuse.ext2",  "fuse.ext3",      "fuse.ext4",     "fuse.fuse2fs",       "fuse.encfs",
      "fuse.cryfs", "fuse.gocryptfs", "fuse.securefs", "fuse.fuse-overlayfs"};
  return std::ranges::find(kLocal, type) != kLocal.end();
}

}  // namespace reprise
