// Bringing the mirror up to date.

#include "lanes/snapshot_mirror.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "base/strings.h"
#include "os/io.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Side = Workshop::Side;

constexpr const char* kMirror = "mirror";
constexpr const char* kMemo = "memo";
constexpr std::string_view kMemoVersion = "1";
constexpr int kReadings = 5;
constexpr std::size_t kMemoBytesMax = 64u << 10;

// What has to be done to the mirror.
struct Changes {
  std::vector<std::string> gone;
  std::string nested;             // repositories, as lines for --index-info
  std::vector<std::string> read;  // files to be read
  bool empty() const { return gone.empty() && nested.empty() && read.empty(); }
};

Result<void> remove_entries(const Workshop& workshop, const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  TRY_VOID(workshop.ask(Side::Raw, kMirror, {"update-index", "-z", "--force-remove", "--stdin"}, join_nul(paths)));
  return {};
}

class MirrorUpdate {
 public:
  MirrorUpdate(const Workshop& workshop, const WorktreeListing& listing)
      : workshop_(workshop), listing_(listing) {}

  /// Makes the first round's changes from what the mirror has and what it should have, further rounds' from what
  /// was written since.
  Result<std::vector<LeftOut>> run(std::vector<std::string> changed) {
    Changes changes = TRY(compare(std::move(changed)));
    for (int reading = 0; !changes.empty(); ++reading) {
      if (reading == kReadings) {
        for (const std::string& path : changes.read) left_out_.push_back({path, LeftOutReason::StillChanging});
        break;
      }
      TRY_VOID(apply(changes));
      changes = {};
      for (const std::string& path : TRY(changed_in_mirror(workshop_))) look_at(path, true, changes);
    }
    return std::move(left_out_);
  }

  /// Whether everything that is listed was found on disk.
  bool is_whole() const { return is_whole_; }

 private:
  Result<Changes> compare(std::vector<std::string> changed) {
    const std::vector<IndexEntry> have =
        TRY(parse_entries(TRY(workshop_.ask(Side::Raw, kMirror, {"ls-files", "-v", "-s", "-z"}))));
    std::ranges::sort(changed);
    Changes changes;
    auto wanted = listing_.files.begin();
    const auto end = listing_.files.end();
    for (const IndexEntry& entry : have) {
      for (; wanted != end && *wanted < entry.path; ++wanted) look_at(*wanted, false, changes);
      const bool is_wanted = wanted != end && *wanted == entry.path;
      if (is_wanted) ++wanted;
      if (entry.is_nested() && is_recorded(entry)) continue;
      if (!is_wanted || entry.is_nested()) {
        changes.gone.push_back(entry.path);
        if (is_wanted) look_at(entry.path, false, changes);
      } else if (std::ranges::binary_search(changed, entry.path)) {
        look_at(entry.path, true, changes);
      }
    }
    for (; wanted != end; ++wanted) look_at(*wanted, false, changes);
    add_nested(have, changes);
    return changes;
  }

  bool is_recorded(const IndexEntry& entry) const {
    return std::ranges::any_of(listing_.nested, [&](const NestedRepository& repository) {
      return repository.path == entry.path && repository.commit == entry.object;
    });
  }

  void add_nested(const std::vector<IndexEntry>& have, Changes& changes) const {
    for (const NestedRepository& repository : listing_.nested) {
      const auto is_it = [&](const IndexEntry& entry) {
        return entry.path == repository.path && entry.object == repository.commit && entry.is_nested();
      };
      if (std::ranges::any_of(have, is_it)) continue;
      changes.nested += index_info_line("160000", repository.commit, 0, repository.path);
    }
  }

  // What is on disk decides: a tracked file may be gone, or be a folder by now.
  void look_at(const std::string& path, bool is_in_mirror, Changes& changes) {
    std::error_code code;
    const fs::file_status status = fs::symlink_status(workshop_.git().top() / path, code);
    if (fs::is_regular_file(status) || fs::is_symlink(status)) {
      changes.read.push_back(path);
      return;
    }
    if (fs::exists(status) && !fs::is_directory(status)) left_out_.push_back({path, LeftOutReason::NotAFile});
    is_whole_ = false;
    if (is_in_mirror) changes.gone.push_back(path);
  }

  Result<void> apply(Changes& changes) {
    TRY_VOID(remove_entries(workshop_, changes.gone));
    if (!changes.nested.empty()) {
      TRY_VOID(workshop_.ask(Side::Raw, kMirror, {"update-index", "-z", "--index-info"}, changes.nested));
    }
    if (changes.read.empty() || TRY(read_files(changes.read))) return {};
    TRY_VOID(leave_out_unreadable(changes.read));
    // Git gives up on a file that changes under its hands: then it is read again.
    for (int reading = 1; reading < kReadings; ++reading) {
      if (TRY(read_files(changes.read))) return {};
    }
    return read_one_by_one(changes.read);
  }

  // Whether git could read all of them.
  Result<bool> read_files(const std::vector<std::string>& paths) const {
    const GitAnswer answer = TRY(workshop_.run(
        Side::Raw, kMirror, {"update-index", "--add", "--remove", "--replace", "-z", "--stdin"}, join_nul(paths)));
    return answer.ok();
  }

  Result<void> read_one_by_one(const std::vector<std::string>& paths) {
    std::vector<std::string> gone;
    for (const std::string& path : paths) {
      if (TRY(read_files({path}))) continue;
      left_out_.push_back({path, LeftOutReason::StillChanging});
      gone.push_back(path);
    }
    return remove_entries(workshop_, gone);
  }

  Result<void> leave_out_unreadable(std::vector<std::string>& paths) {
    std::vector<std::string> readable;
    std::vector<std::string> gone;
    for (std::string& path : paths) {
      std::error_code code;
      const fs::path full = workshop_.git().top() / path;
      const bool is_file = fs::is_regular_file(fs::symlink_status(full, code));
      const Result<Fd> fd = is_file ? open_for_reading(full) : Result<Fd>(Fd());
      if (fd || fd.error().kind != ErrorKind::Denied) {
        readable.push_back(std::move(path));
        continue;
      }
      left_out_.push_back({path, LeftOutReason::Unreadable});
      gone.push_back(std::move(path));
    }
    paths = std::move(readable);
    return remove_entries(workshop_, gone);
  }

  const Workshop& workshop_;
  const WorktreeListing& listing_;
  std::vector<LeftOut> left_out_;
  bool is_whole_ = true;
};

// The entries whose object is not what is on disk, though git holds the file for unchanged: it was converted on
// its way. Line endings and keywords change the size; of filters only git knows.
Result<std::set<std::string>> converted_files(const Workshop& workshop, const std::string& index,
                                              const std::vector<IndexEntry>& entries) {
  std::set<std::string> converted;
  std::string objects;
  std::string paths;
  for (const IndexEntry& entry : entries) {
    if (entry.is_other() || !entry.mode.starts_with("100")) continue;
    objects += entry.object + "\n";
    paths += entry.path + '\0';
  }
  const std::string sizes =
      TRY(workshop.ask(Side::Repository, index, {"cat-file", "--batch-check=%(objectsize)", "--buffer"}, objects));
  const std::vector<std::string_view> lines = split(sizes, '\n');
  std::size_t line = 0;
  for (const std::string& path : split_nul(paths)) {
    std::error_code code;
    const std::uintmax_t size = fs::file_size(workshop.git().top() / path, code);
    const std::string_view known = line < lines.size() ? lines[line] : std::string_view();
    if (code || known != std::to_string(size)) converted.insert(path);
    ++line;
  }
  const std::string attributes =
      TRY(workshop.ask(Side::Repository, index,
                       {"check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"}, paths));
  const std::vector<std::string_view> words = split(attributes, '\0');
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
    if (words[i + 2] != "unspecified" && words[i + 2] != "unset") converted.insert(std::string(words[i]));
  }
  return converted;
}

// A beginning that saves reading every file. Whatever is unusual about the user's index, we begin with nothing.
Result<void> begin_mirror(const Workshop& workshop, const std::string& index,
                          const std::vector<IndexEntry>& entries) {
  TRY_VOID(workshop.clear_index(kMirror));
  const auto is_plain = [](const IndexEntry& entry) { return entry.is_other() || entry.tag == 'H'; };
  if (!std::ranges::all_of(entries, is_plain)) return {};
  TRY_VOID(workshop.copy_index_to(kMirror));
  const GitAnswer readable = TRY(workshop.run(Side::Raw, kMirror, {"ls-files", "-z", "--", "."}));
  if (!readable.ok()) return workshop.clear_index(kMirror);
  const std::set<std::string> converted = TRY(converted_files(workshop, index, entries));
  return remove_entries(workshop, {converted.begin(), converted.end()});
}

Result<std::string> signature_of_mirror(const Workshop& workshop) {
  const std::optional<FileInfo> info = TRY(PosixFileSystem().stat(workshop.file(kMirror)));
  return info ? info->signature : std::string();
}

}  // namespace

Memo read_memo(const Workshop& workshop) {
  const Result<std::string> text = PosixFileSystem().read(workshop.file(kMemo), kMemoBytesMax);
  if (!text) return {};
  const std::vector<std::string_view> lines = split(*text, '\n');
  if (lines.size() != 10 || lines[0] != kMemoVersion) return {};
  const auto line = [&](std::size_t i) { return std::string(lines[i]); };
  return Memo{line(1), line(2), line(3), line(4), line(5), line(6), line(7), line(8)};
}

Result<void> write_memo(const Workshop& workshop, Memo memo) {
  memo.signature = TRY(signature_of_mirror(workshop));
  std::string text(kMemoVersion);
  for (const std::string* line : {&memo.ref, &memo.commit, &memo.signature, &memo.listing_key, &memo.tree,
                                  &memo.staged_key, &memo.index_commit, &memo.index_tree}) {
    text += "\n" + *line;
  }
  return PosixFileSystem().write_scratch(workshop.file(kMemo), text + "\n");
}

Result<bool> is_of_mirror(const Workshop& workshop, const Memo& memo) {
  return !memo.signature.empty() && memo.signature == TRY(signature_of_mirror(workshop));
}

Result<std::vector<std::string>> changed_in_mirror(const Workshop& workshop) {
  return split_nul(
      TRY(workshop.ask(Side::Raw, kMirror, {"diff-files", "--name-only", "--ignore-submodules=all", "-z"})));
}

Result<Mirrored> mirror_worktree(const Workshop& workshop, MirrorStart start, const std::string& index,
                                 const std::vector<IndexEntry>& entries, const WorktreeListing& listing) {
  const Memo& memo = start.memo;
  if (memo.signature.empty()) {
    TRY_VOID(begin_mirror(workshop, index, entries));
    start.changed = TRY(changed_in_mirror(workshop));
  } else if (start.changed.empty() && memo.listing_key == listing.key()) {
    return Mirrored{memo.tree, {}, true};
  }
  MirrorUpdate update(workshop, listing);
  Mirrored mirrored{
      .tree = {}, .left_out = TRY(update.run(std::move(start.changed))), .is_whole = update.is_whole()};
  mirrored.is_whole = mirrored.is_whole && mirrored.left_out.empty();
  mirrored.tree = TRY(workshop.ask_line(Side::Raw, kMirror, {"write-tree"}));
  return mirrored;
}

}  // namespace reprise
