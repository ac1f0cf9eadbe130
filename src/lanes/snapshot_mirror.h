// The mirror: an index of our own that shows the bytes of a worktree, and is kept from one snapshot to the next.
//
// Because it is kept, an unchanged file costs one lstat. The first one starts from the user's index wherever that
// is known to show the bytes on disk, so that files are not read again there either. What is changed is read by
// git, and looked at once more afterwards: a file that was written meanwhile is read again, a bounded number of
// times.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lanes/snapshot_listing.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {

/// What the last snapshot left for the next. Whatever in it does not fit any more is made anew.
struct Memo {
  std::string ref;           // the last snapshot's: as long as it stands, every object of the mirror is kept
  std::string commit;        // what it has to point to
  std::string signature;     // of the mirror's file
  std::string listing_key;   // what it lists; "": not exactly what it was asked to
  std::string tree;          // and the tree that makes
  std::string staged_key;    // the user's index then
  std::string index_commit;  // and what it was recorded as
  std::string index_tree;
};
/// Reads the memo; an empty one if there is none that can be read.
Memo read_memo(const Workshop& workshop);
/// Writes it; the signature is that of the mirror as it is now.
Result<void> write_memo(const Workshop& workshop, Memo memo);
/// Whether the mirror is the one that `memo` speaks of.
Result<bool> is_of_mirror(const Workshop& workshop, const Memo& memo);

/// The worktree's bytes.
struct Mirrored {
  std::string tree;
  std::vector<LeftOut> left_out;
  bool is_whole = true;  // everything that was listed is in it
};
/// Returns the files of the mirror that look changed on the disk.
Result<std::vector<std::string>> changed_in_mirror(const Workshop& workshop);

/// What a snapshot begins with.
struct MirrorStart {
  Memo memo;                         // empty: the mirror cannot be trusted, and is begun anew
  std::vector<std::string> changed;  // in a mirror that can be trusted
};
/// Brings the mirror up to date with the disk and returns its tree. One that is begun anew starts from our copy
/// `index` of the user's index, whose entries are `entries`.
Result<Mirrored> mirror_worktree(const Workshop& workshop, MirrorStart start, const std::string& index,
                                 const std::vector<IndexEntry>& entries, const WorktreeListing& listing);

}  // namespace reprise
