// Known-bad variants: mistakes put in on purpose, so that the fault tests can prove they would notice.
//
// In the product the question is always answered "no" at compile time. A test build that defines
// REPRISE_KNOWN_BAD asks the environment variable of the same name at run time.

#pragma once

#include <cstdlib>
#include <string_view>

namespace reprise {

enum class KnownBad {
  AckBeforeCommit,     // ack_before_commit: an append is acknowledged before it is committed
  SyncNormal,          // sync_normal: the journal is not synced at commit
  RenameWithoutFsync,  // rename_without_fsync: a file is renamed into place before its bytes are on disk
  AnswerApart,         // answer_apart: a request is answered in a transaction after that of its events
  KeepRequests,        // keep_requests: a request outlives the owner it was asked of
  RawResult,           // raw_result: a worker's result is stored as it was written, secrets and all
  RowsBeforeFolders,   // rows_before_folders: gc forgets a run before it has removed its folders
  GcFollowsLinks,      // gc_follows_links: gc removes by path, through links
};

#ifdef REPRISE_KNOWN_BAD
inline bool known_bad(KnownBad what) {
  const char* chosen = std::getenv("REPRISE_KNOWN_BAD");
  if (chosen == nullptr) return false;
  const std::string_view name = chosen;
  switch (what) {
    case KnownBad::AckBeforeCommit: return name == "ack_before_commit";
    case KnownBad::SyncNormal: return name == "sync_normal";
    case KnownBad::RenameWithoutFsync: return name == "rename_without_fsync";
    case KnownBad::AnswerApart: return name == "answer_apart";
    case KnownBad::KeepRequests: return name == "keep_requests";
    case KnownBad::RawResult: return name == "raw_result";
    case KnownBad::RowsBeforeFolders: return name == "rows_before_folders";
    case KnownBad::GcFollowsLinks: return name == "gc_follows_links";
  }
  return false;
}
#else
constexpr bool known_bad(KnownBad) { return false; }
#endif

}  // namespace reprise
