// What an exported run says of itself: the first file in it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/transfer_tar.h"
#include "base/digest.h"
#include "base/result.h"
#include "base/time.h"
#include "model/ids.h"

namespace reprise {

/// The form of the file. A later one is refused by name, not guessed at.
inline constexpr int kTransferFormat = 1;

/// How large the file, and one file in it, may be: both are held in memory.
inline constexpr std::size_t kTransferBytesMax = std::size_t{4} << 30;
inline constexpr std::size_t kTransferFileBytesMax = std::size_t{1} << 30;

/// Where things are in the file.
inline constexpr std::string_view kHistoryEntry = "journal/events.jsonl";
inline constexpr std::string_view kTextsBelow = "journal/texts/";  // by the digest of what is in them
inline constexpr std::string_view kAttemptsBelow = "attempts/";    // of this run, in the store
inline constexpr std::string_view kEditsBelow = "edits/";          // of this run, in the store
inline constexpr std::string_view kExitsEntry =
    "guard/exits.log";                                         // how attempts ended that nobody asked after yet
inline constexpr std::string_view kProjectBelow = "project/";  // relative to the project
inline constexpr std::string_view kBundleEntry = "git/run.bundle";  // what the references need and no remote has

/// A reference of the run.
struct TransferRef {
  std::string ref;
  std::string commit;
};

/// A lane whose worktree was there, and the snapshot of all that was in it.
struct TransferLane {
  StepPath lane;
  std::string snapshot;  // commit; among the references
};

/// A file in the file.
struct TransferFile {
  std::string path;
  std::int64_t size = 0;
  std::string digest;  // "sha256:…"
};

struct TransferManifest {
  RunId run;
  std::string workflow;
  std::string subject;
  Timestamp at;
  std::string by;  // "ana@host"
  std::string host;
  std::string commit;              // that was checked out; "" without git
  std::vector<std::string> roots;  // the first commits of the repository
  std::int64_t events = 0;
  Digest head;  // of the last event
  std::vector<TransferRef> refs;
  std::vector<TransferLane> lanes;
  std::vector<TransferFile> files;  // all but the manifest, in their order
};

/// Returns the manifest as it is written.
std::string to_json(const TransferManifest& manifest);

/// Reads one. Invalid if it is none, or of a later form.
Result<TransferManifest> parse_manifest(std::string_view bytes);

/// Checks that `entries` (without the manifest) are the files that it names, in size and content. Invalid, with
/// the first that is not.
Result<void> check_files(const TransferManifest& manifest, const std::vector<TarEntry>& entries);

}  // namespace reprise
