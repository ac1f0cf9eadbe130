// The mount table, on lines of real machines.

#include "os/mounts.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

constexpr const char* kTable =
    "27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
    "42 27 0:39 / /home/ana/my\\040mount rw,nosuid,nodev,relatime shared:3 - fuse.sshfs host:/srv rw,user_id=0\n"
    "43 27 0:40 / /media/usb rw,relatime - fuseblk /dev/sdb1 rw,user_id=0,group_id=0,blksize=4096\n"
    "44 27 0:41 / /host rw,relatime - virtiofs share rw\n"
    "45 27 0:42 / /mnt rw,relatime - fuse /tmp/src rw,user_id=0\n"
    "46 27 0:4\n"
    "47 27 0:43 / /cut rw,relatime -";

TEST(Mounts, E08_TypeIsFoundByDevice) {
  EXPECT_EQ(find_mount_type(kTable, 254, 0), "ext4");
  EXPECT_EQ(find_mount_type(kTable, 0, 39), "fuse.sshfs");
  EXPECT_EQ(find_mount_type(kTable, 0, 40), "fuseblk");
  EXPECT_EQ(find_mount_type(kTable, 0, 41), "virtiofs");
  EXPECT_EQ(find_mount_type(kTable, 0, 42), "fuse");
}

TEST(Mounts, E08_MissingOrTruncatedLinesNameNoType) {
  EXPECT_EQ(find_mount_type(kTable, 0, 3), std::nullopt);
  EXPECT_EQ(find_mount_type(kTable, 0, 4), std::nullopt);
  EXPECT_EQ(find_mount_type(kTable, 0, 43), std::nullopt);
  EXPECT_EQ(find_mount_type("", 0, 39), std::nullopt);
}

TEST(Mounts, E08_OnlyListedFuseTypesAreLocal) {
  for (const char* local : {"fuseblk", "fuse.ntfs-3g", "fuse.gocryptfs", "fuse.encfs", "fuse.fuse-overlayfs"}) {
    EXPECT_TRUE(is_local_fuse_type(local)) << local;
  }
  for (const char* other : {"fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "virtiofs", "fuse.bindfs",
                            "fuse.mergerfs", "fuse", "fuse.", "", "fuse.something-new"}) {
    EXPECT_FALSE(is_local_fuse_type(other)) << other;
  }
}

}  // namespace
}  // namespace reprise
