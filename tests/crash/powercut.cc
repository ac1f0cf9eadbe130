#include "powercut.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/check.h"

namespace reprise {
namespace {

constexpr std::size_t kSector = 512;

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool is_left_out(std::string_view path) { return path.ends_with("-shm") || path.ends_with(".sock"); }

void overwrite(std::string& content, std::size_t offset, std::string_view data) {
  if (content.size() < offset + data.size()) content.resize(offset + data.size());
  content.replace(offset, data.size(), data);
}

// Each sector by itself: a disk writes whole ones, in any order.
void overwrite_some(std::string& content, std::size_t offset, std::string_view data, std::mt19937_64& random) {
  while (!data.empty()) {
    const std::size_t room = kSector - offset % kSector;
    const std::string_view piece = data.substr(0, room);
    if ((random() & 1) != 0) overwrite(content, offset, piece);
    offset += piece.size();
    data.remove_prefix(piece.size());
  }
}

}  // namespace

std::vector<TraceRecord> read_trace(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<TraceRecord> records;
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    check(at + count <= bytes.size());
    at += count;
    return bytes.substr(at - count, count);
  };
  while (at < bytes.size()) {
    FaultRecord head{};
    std::memcpy(&head, take(sizeof head).data(), sizeof head);
    TraceRecord record{.call = static_cast<int>(head.call), .inode = head.inode, .offset = head.offset};
    record.path = take(head.path_bytes);
    record.second = take(head.second_bytes);
    record.data = take(head.data_bytes);
    records.push_back(std::move(record));
  }
  return records;
}

void Disk::put_folder(const std::string& path) {
  names_.push_back({Kind::MakeFolder, path, "", 0, true, true});
  in_order_ = names_.size();
}

void Disk::put(const std::string& path, std::uint64_t inode, std::string bytes) {
  names_.push_back({Kind::Make, path, "", inode, true, true});
  files_[inode].synced = std::move(bytes);
  in_order_ = names_.size();
}

void Disk::apply(const TraceRecord& record) {
  if (is_left_out(record.path)) return;
  switch (record.call) {
    case FAULT_OPEN:
      files_[record.inode] = {};
      names_.push_back({Kind::Make, record.path, "", record.inode});
      return;
    case FAULT_WRITE:
    case FAULT_PWRITE:
    case FAULT_WRITEV: files_[record.inode].pending.push_back({record.offset, record.data}); return;
    case FAULT_FTRUNCATE: files_[record.inode].pending.push_back({record.offset, "", true}); return;
    case FAULT_MKDIR: names_.push_back({Kind::MakeFolder, record.path, "", 0}); return;
    case FAULT_RENAME: names_.push_back({Kind::Rename, record.path, record.second, record.inode}); return;
    case FAULT_LINK: names_.push_back({Kind::Link, record.path, record.second, record.inode}); return;
    case FAULT_UNLINK: names_.push_back({Kind::Remove, record.path, "", record.inode}); return;
    case FAULT_FSYNC:
    case FAULT_FDATASYNC:
      in_order_ = names_.size();
      if (files_.contains(record.inode)) {
        // A short file comes whole: not every way to write one is recorded.
        if (!record.data.empty()) files_[record.inode] = {.synced = record.data, .pending = {}};
        sync_file(record.inode, record.path);
      } else {
        sync_folder(record.path);
      }
      return;
    default: return;
  }
}

void Disk::sync_file(std::uint64_t inode, const std::string& path) {
  File& file = files_[inode];
  std::mt19937_64 unused;
  file.synced = content(file, Policy::KeepAll, unused);
  file.pending.clear();
  // Where a file's own sync brings its name along, it brings the folders that lead to it.
  for (NameChange& change : names_) {
    const bool leads_to_it = change.kind == Kind::MakeFolder && path.starts_with(change.path + "/");
    if (change.inode == inode || leads_to_it) change.is_synced = true;
  }
}

void Disk::sync_folder(const std::string& path) {
  for (NameChange& change : names_) {
    const bool has_second = change.kind == Kind::Rename || change.kind == Kind::Link;
    const std::string& name = has_second ? change.second : change.path;
    if (parent_of(name) == path) change.is_synced = change.is_synced_strictly = true;
  }
}

std::string Disk::content(const File& file, Policy policy, std::mt19937_64& random) const {
  std::string bytes = file.synced;
  if (policy != Policy::KeepAll && policy != Policy::Random && policy != Policy::Arriving) return bytes;
  for (const Write& write : file.pending) {
    const std::size_t offset = static_cast<std::size_t>(write.offset);
    if (write.is_truncate) {
      if (policy == Policy::KeepAll || (random() & 1) != 0) bytes.resize(offset);
    } else if (policy == Policy::KeepAll) {
      overwrite(bytes, offset, write.data);
    } else {
      overwrite_some(bytes, offset, write.data, random);
    }
  }
  return bytes;
}

Disk::Files Disk::after_cut(Policy policy, std::mt19937_64& random) const {
  std::map<std::string, std::uint64_t> names;
  std::set<std::string> folders = {root_};
  // Names that are on their way arrive in order, so a cut leaves a beginning of them.
  std::size_t arrived = names_.size();
  if (policy == Policy::Random) arrived = random() % (names_.size() + 1);
  if (policy == Policy::Arriving) arrived = in_order_ + random() % (names_.size() - in_order_ + 1);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const NameChange& change = names_[i];
    const bool is_kept = policy == Policy::Strict     ? change.is_synced_strictly
                         : policy == Policy::DropAll  ? change.is_synced
                         : policy == Policy::Ordered  ? i < in_order_
                         : policy == Policy::Arriving ? i < arrived
                                                      : change.is_synced || i < arrived;
    if (!is_kept) continue;
    switch (change.kind) {
      case Kind::MakeFolder: folders.insert(change.path); break;
      case Kind::Make: names[change.path] = change.inode; break;
      case Kind::Remove: names.erase(change.path); break;
      case Kind::Link: names[change.second] = change.inode; break;
      case Kind::Rename:
        names.erase(change.path);
        names[change.second] = change.inode;
        break;
    }
  }
  const auto is_reachable = [&](std::string path) {
    while (path != root_ && folders.contains(path)) path = parent_of(path);
    return path == root_;
  };
  Files left;
  for (const auto& [path, inode] : names) {
    if (is_reachable(parent_of(path))) {
      left[path.substr(root_.size() + 1)] = content(files_.at(inode), policy, random);
    }
  }
  return left;
}

void materialise(const Disk::Files& files, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : files) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << bytes;
    check(out.good());
  }
}

}  // namespace reprise
