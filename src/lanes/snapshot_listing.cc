// Making the listing.

#include "lanes/snapshot_listing.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "base/digest.h"
#include "lanes/standing.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Side = Workshop::Side;

// What a new file has where nobody asks for privacy.
bool is_usual_mode(unsigned mode) { return mode == 0644 || mode == 0755 || mode == 0664 || mode == 0775; }

// Collects a listing, kind by kind.
class Collector {
 public:
  Collector(const Workshop& workshop, std::string index) : workshop_(workshop), index_(std::move(index)) {}

  Result<WorktreeListing> collect(const std::vector<IndexEntry>& entries,
                                  const std::vector<std::string>& ignored) {
    FolderChecks folders(top());
    for (const IndexEntry& entry : entries) {
      if (entry.is_other()) continue;
      if (!folders.is_reached_directly(entry.path)) continue;  // a link stands where its folder was
      if (entry.is_nested() && entry.stage == 0) {
        TRY_VOID(take_submodule(entry));
      } else if (listing_.files.empty() || listing_.files.back() != entry.path) {
        listing_.files.push_back(entry.path);
        note_mode(entry.path);
      }
    }
    TRY_VOID(take_others(entries));
    if (!ignored.empty()) TRY_VOID(take_ignored(ignored));
    std::ranges::sort(listing_.files);
    const auto [first, last] = std::ranges::unique(listing_.files);
    listing_.files.erase(first, last);
    std::ranges::sort(listing_.folders);
    std::ranges::sort(listing_.modes, {}, &FileMode::path);
    const auto again = std::ranges::unique(listing_.modes, {}, &FileMode::path);
    listing_.modes.erase(again.begin(), again.end());
    return std::move(listing_);
  }

 private:
  const fs::path& top() const { return workshop_.git().top(); }

  Result<void> take_submodule(const IndexEntry& entry) {
    const fs::file_status status = standing_at(top() / entry.path);
    if (!fs::exists(status)) return {};
    if (!fs::is_directory(status)) {
      listing_.files.push_back(entry.path);
      return {};
    }
    if (is_repository(top() / entry.path)) return take_nested(entry.path);
    listing_.nested.push_back({entry.path, entry.object});  // not filled yet: its place is all there is
    return {};
  }

  Result<void> take_nested(const std::string& path) {
    const Result<Git> nested = Git::open(top() / path);
    const bool is_own = nested && nested->top() == top() / path;
    const std::optional<std::string> head = is_own ? TRY(nested->commit_of("HEAD")) : std::nullopt;
    if (!head) {
      listing_.left_out.push_back({path, LeftOutReason::NoCommit});
      return {};
    }
    listing_.nested.push_back({path, *head});
    // A worker may have made it: nothing that it configures is started.
    const GitAnswer status = TRY(nested->run({"status", "--porcelain", "-z"}));
    if (!status.ok() || !status.output.empty()) listing_.left_out.push_back({path, LeftOutReason::NestedChanges});
    return {};
  }

  // Git names a folder that holds nothing tracked by itself; what is in it is asked for only if there is one.
  Result<void> take_others(const std::vector<IndexEntry>& entries) {
    std::vector<std::string> folders;
    std::vector<std::string> paths;
    for (const IndexEntry& entry : entries) {
      if (!entry.is_other()) continue;
      const bool is_folder = entry.path.ends_with('/') && !is_repository(top() / entry.path);
      (is_folder ? folders : paths).push_back(entry.path);
    }
    if (!folders.empty()) {
      paths =
          split_nul(TRY(workshop_.ask(Side::Repository, index_, {"ls-files", "-o", "--exclude-standard", "-z"})));
      TRY_VOID(find_empty_folders(folders));
    }
    return take_paths(paths);
  }

  // In portions that fit on a command line.
  Result<void> take_ignored(const std::vector<std::string>& ignored) {
    constexpr std::size_t kPortion = 500;
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i <= ignored.size(); ++i) {
      if (i < ignored.size() && fs::exists(standing_at(top() / ignored[i]))) arguments.push_back(ignored[i]);
      if (arguments.empty() || (i < ignored.size() && arguments.size() < kPortion)) continue;
      arguments.insert(arguments.begin(), {"ls-files", "-o", "-z", "--"});
      TRY_VOID(take_paths(split_nul(TRY(workshop_.ask(Side::Repository, index_, arguments)))));
      arguments.clear();
    }
    return {};
  }

  Result<void> take_paths(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (path.ends_with('/')) {
        const std::string name = path.substr(0, path.size() - 1);
        const auto is_it = [&](const NestedRepository& known) { return known.path == name; };
        if (std::ranges::none_of(listing_.nested, is_it)) TRY_VOID(take_nested(name));
        continue;
      }
      listing_.files.push_back(path);
      note_mode(path);
    }
    return {};
  }

  void note_mode(const std::string& path) {
    const fs::file_status status = standing_at(top() / path);
    const unsigned mode = static_cast<unsigned>(status.permissions()) & 07777u;
    if (!fs::is_regular_file(status) || is_usual_mode(mode)) return;
    listing_.modes.push_back({path, mode});
  }

  Result<void> find_empty_folders(const std::vector<std::string>& folders) {
    const std::vector<std::string> left = split_nul(TRY(workshop_.ask(
        Side::Repository, index_, {"ls-files", "-o", "-i", "--directory", "--exclude-standard", "-z"})));
    const std::set<std::string> ignored(left.begin(), left.end());
    for (const std::string& folder : folders) find_empty_below(folder, ignored);
    return {};
  }

  void find_empty_below(const std::string& folder, const std::set<std::string>& ignored) {
    if (ignored.contains(folder) || is_repository(top() / folder)) return;
    std::error_code code;
    bool is_empty = true;
    for (fs::directory_iterator it(top() / folder, code), end; !code && it != end; it.increment(code)) {
      is_empty = false;
      if (fs::is_directory(standing_at(it->path()))) {
        find_empty_below(folder + it->path().filename().string() + "/", ignored);
      }
    }
    if (is_empty && !code) listing_.folders.push_back(folder.substr(0, folder.size() - 1));
  }

  const Workshop& workshop_;
  std::string index_;
  WorktreeListing listing_;
};

}  // namespace

bool FolderChecks::is_folder(std::string_view folder) {
  const fs::path path = top_ / folder;
  return fs::is_directory(standing_at(path));
}

// Paths come sorted, so what was learnt about the last one's folders is nearly always what is asked.
bool FolderChecks::is_reached_directly(std::string_view path) {
  std::size_t depth = 0;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const std::string_view folder = path.substr(0, slash);
    if (depth >= known_.size() || known_[depth].first != folder) {
      known_.resize(depth);
      known_.emplace_back(folder, is_folder(folder));
    }
    if (!known_[depth].second) return false;
    ++depth;
  }
  return true;
}

std::string WorktreeListing::key() const {
  std::string text = join_nul(files);
  for (const NestedRepository& repository : nested)
    text += "\1" + repository.path + '\0' + repository.commit + '\0';
  return to_hex(digest_of(text));
}

Result<std::vector<IndexEntry>> list_entries(const Workshop& workshop, const std::string& index) {
  return parse_entries(TRY(workshop.ask(
      Side::Repository, index, {"ls-files", "-v", "-s", "-c", "-o", "--directory", "--exclude-standard", "-z"})));
}

Result<WorktreeListing> list_worktree(const Workshop& workshop, const std::string& index,
                                      const std::vector<IndexEntry>& entries,
                                      const std::vector<std::string>& ignored) {
  return Collector(workshop, index).collect(entries, ignored);
}

}  // namespace reprise
