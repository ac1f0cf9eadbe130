// The mount table of the kernel, and which FUSE file systems share their locks with every process that can reach
// their files.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// Returns the type ("ext4", "fuse.sshfs") of the mount of device `major`:`minor` in `mountinfo`, the text of
/// /proc/self/mountinfo; nothing if no line names the device.
std::optional<std::string> find_mount_type(std::string_view mountinfo, unsigned major, unsigned minor);

/// Whether a FUSE mount of `type` is a local file system whose files are reachable through this mount only: one on
/// a block device, an encrypted one, the root of a rootless container. The kernel then sees every lock. All others
/// are refused, known or not: sshfs, rclone, s3fs, glusterfs and virtiofs have users on other machines; bindfs,
/// mergerfs and unionfs show a folder that is reachable beside them, where their locks do not hold; "fuse" alone
/// does not say what it is.
bool is_local_fuse_type(std::string_view type);

}  // namespace reprise
