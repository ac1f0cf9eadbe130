// The power-cut model: a disk on which only what was synced is sure to be there after the cut.
//
// One run is recorded call by call (fault_map.h). Replaying the record up to some call gives a Disk; it says
// for each file which bytes were synced and which writes were still on their way, and the same for names.
// A policy decides what of that survives; the outcome is written to a folder and looked at. The index of
// SQLite's log is mapped memory that is rebuilt from the log: it is not on this disk.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fault_map.h"

namespace reprise {

struct TraceRecord {
  int call = 0;
  std::uint64_t inode = 0;
  std::int64_t offset = 0;
  std::string path;
  std::string second;
  std::string data;
};

std::vector<TraceRecord> read_trace(const std::filesystem::path& file);

/// What survives of that which was not synced.
enum class Policy {
  DropAll,    // nothing; a file that is synced keeps its name, as on the usual file systems
  Strict,     // nothing; a name survives only if its folder was synced
  KeepNames,  // all names, none of the bytes
  Random,     // the names up to some point, and sectors by the toss of a coin
  Ordered,    // the names that were there when anything was last synced, as a journalling file system keeps them
  Arriving,   // those, some that came after them, in order, and sectors by the toss of a coin
  KeepAll,    // everything: no cut, to check the model itself
};

class Disk {
 public:
  /// `root` is on it from the beginning.
  explicit Disk(std::string root) : root_(std::move(root)) {}

  /// Puts a folder or a file there that was there, and synced, before the record began.
  void put_folder(const std::string& path);
  void put(const std::string& path, std::uint64_t inode, std::string bytes);

  void apply(const TraceRecord& record);

  using Files = std::map<std::string, std::string>;  // content by path below the root
  /// Returns the files that are there after a cut now.
  Files after_cut(Policy policy, std::mt19937_64& random) const;

 private:
  struct Write {
    std::int64_t offset = 0;
    std::string data;
    bool is_truncate = false;  // to `offset`
  };
  struct File {
    std::string synced;
    std::vector<Write> pending;
  };
  enum class Kind { Make, MakeFolder, Rename, Link, Remove };
  struct NameChange {
    Kind kind;
    std::string path;
    std::string second;
    std::uint64_t inode = 0;
    bool is_synced = false;  // its folder was synced, or the file itself
    bool is_synced_strictly = false;
  };

  void sync_file(std::uint64_t inode, const std::string& path);
  void sync_folder(const std::string& path);
  std::string content(const File& file, Policy policy, std::mt19937_64& random) const;

  std::string root_;
  std::map<std::uint64_t, File> files_;
  std::vector<NameChange> names_;
  std::size_t in_order_ = 0;  // as many changes of names came before the last sync of anything
};

/// Writes `files` below `folder`, with the folders they need.
void materialise(const Disk::Files& files, const std::filesystem::path& folder);

}  // namespace reprise
