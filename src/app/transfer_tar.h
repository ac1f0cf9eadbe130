// The file that an exported run is carried in: a POSIX tar, as bytes.
//
// tar(1) lists and unpacks it, so that nobody needs this program to look inside. Of what a tar may be, only the
// plainest is written, and nothing else is read: regular files under relative names, every header byte as we would
// write it. The last entry holds the digest of every byte before it, so that a file that was cut off or changed
// anywhere is known as such before anything in it is believed. Pure: nothing here touches the disk.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

/// The entry that comes first.
inline constexpr std::string_view kManifestEntry = "manifest.json";

/// How long the name of a file may be on every file system that holds a project.
inline constexpr std::size_t kFileNameBytesMax = 255;

/// Whether `path` may name a file of an exported run: relative, made of parts that are neither empty, "." nor
/// "..", none of them ".git" in any spelling, no control characters, no backslash, at most 1,000 bytes and 255 in
/// each part.
bool is_portable_path(std::string_view path);

/// Puts a tar together.
class TarWriter {
 public:
  /// All entries carry the time `at`.
  explicit TarWriter(Timestamp at) : at_(at) {}
  /// Adds a file. Of `mode` only the permissions count.
  void add(std::string_view path, std::string_view bytes, unsigned mode = 0600);
  /// Returns the file, with the entry that ends it.
  std::string finish();

 private:
  Timestamp at_;
  std::string out_;
};

/// Returns `entries`, the bytes of a tar's entries, with the entry that ends it.
std::string sealed_tar(std::string entries, Timestamp at);

/// One file of a tar; `bytes` points into what was read.
struct TarEntry {
  std::string path;
  std::string_view bytes;
  unsigned mode = 0;
};

/// Returns the entries of `file`, without the one that ends it. Invalid, and says how, if it is anything else than
/// what TarWriter writes.
Result<std::vector<TarEntry>> read_tar(std::string_view file);

}  // namespace reprise
