// Snapshots: everything a worktree holds, as one commit under refs/reprise/, without touching the worktree.
//
// What always holds:
//   N1  The tree of a snapshot is the worktree as it was: tracked files as they are on disk, untracked ones, and
//       those ignored ones that the caller lists. Bytes are the bytes on disk, whatever filters, line endings or
//       keywords git would have applied on the way in.
//   N2  Everything is reachable through the one reference: the parents are HEAD, and a commit that holds what was
//       staged (all stages of a conflict, and the merge or rebase that was going on). Nothing is left to gc.
//   N3  Neither index, worktree, HEAD, any other reference nor any lock of the user's is written, not even for a
//       moment. What is needed in between lies in a folder of our own below the worktree's git directory.
//   N4  When it returns, objects and reference are on the disk. Killed at any point, it leaves no reference, or
//       the whole snapshot; the next one goes on as if nothing had been.
//   N5  The same state gives the same tree and the same commit of what was staged.
//   N6  What could not be taken is said, with the reason, and is never removed by a restore: changes inside nested
//       repositories, files that may not be read, files that are no files.
//
// Of permissions git knows the executable bit. Others are recorded for files that git does not track.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "git/git.h"

namespace reprise {

/// Why something in a worktree is not in its snapshot.
enum class LeftOutReason {
  NestedChanges,  // a repository inside, recorded as its commit: what is changed in it is not
  NoCommit,       // a repository inside that has no commit to be recorded as
  Unreadable,     // may not be read
  NotAFile,       // a pipe, a socket, a device
  StillChanging,  // was written each time it was read: what is recorded, if anything, may be half of a change
};
std::string_view to_token(LeftOutReason reason);

struct LeftOut {
  std::string path;  // relative to the worktree's root
  LeftOutReason reason = LeftOutReason::NotAFile;
  bool operator==(const LeftOut&) const = default;
};

/// The permissions of a file that git does not track, where they are not the usual ones.
struct FileMode {
  std::string path;
  unsigned mode = 0;
  bool operator==(const FileMode&) const = default;
};

/// What is to be taken.
struct SnapshotRequest {
  std::string ref;                        // below refs/reprise/; "": only looked at, nothing is kept
  std::string message;                    // why, in a line
  Timestamp time;                         // now, as the caller sees it
  std::vector<std::string> ignored = {};  // ignored files and folders to include, relative to the root
  std::vector<std::string> pinned = {};   // further commits that have to stay reachable
  bool is_new = false;                    // the reference must not be there yet: Conflict if it is
};

/// A snapshot, as taken or as read back.
struct Snapshot {
  std::string commit;        // "" if nothing is kept
  std::string tree;          // the worktree
  std::string head;          // the commit that was checked out; "": none yet
  std::string branch;        // "refs/heads/…"; "": HEAD was detached
  std::string index_commit;  // what was staged (snapshot_index.h)
  std::string index_tree;    // of it, what was in no conflict
  std::string ref;           // "" if it was read by its commit
  std::string message;
  Timestamp time;
  std::vector<std::string> ignored;  // what of the ignored was asked for
  std::vector<std::string> folders;  // the empty ones, which no tree can hold
  std::vector<FileMode> modes;
  std::vector<LeftOut> left_out;
};

/// Takes a snapshot of `worktree`. Invalid if it has none (a bare repository) or the reference's name is not one
/// of ours. Waits while another process takes one of the same worktree.
Result<Snapshot> take_snapshot(const Git& worktree, const SnapshotRequest& request);

/// Reads back the snapshot that `name` (a reference or commit) stands for. NotFound if there is none; Invalid if
/// it is a commit but no snapshot.
Result<Snapshot> read_snapshot(const Git& git, const std::string& name);

/// Whether both show the same worktree: bytes, index, HEAD and branch.
bool is_same_state(const Snapshot& a, const Snapshot& b);

/// Whether `ref` is a reference that snapshots may be kept under: below refs/reprise/, by the grammar of branch
/// names.
bool is_snapshot_ref(std::string_view ref);

}  // namespace reprise
