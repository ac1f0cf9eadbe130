#include "app/garbage.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/leftover_files.h"
#include "app/task_reports.h"
#include "os/folder_tree.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> kKinds = {"attempts", "guards"};
// Where what belongs to no run is moved to, at one stroke, before it is removed.
constexpr const char* kTrash = "removed";
constexpr const char* kGuardLock = "guard.lock";
constexpr int kWalkDepthMax = 64;

bool lies_in(const std::string& path, const std::string& folder) { return path.starts_with(folder + "/"); }

/// The places in the store that belong to runs, relative to it.
class Claims {
 public:
  static Result<Claims> of(Journal& journal) {
    Claims claims;
    for (const RunEntry& entry : TRY(journal.runs())) {
      for (std::string& place : places_of(entry.id, TRY(journal.key(entry.id))))
        claims.places_.insert(std::move(place));
    }
    return claims;
  }

  static std::vector<std::string> places_of(const RunId& run, const std::string& key) {
    std::vector<std::string> places;
    for (const std::string kind : kKinds) places.push_back(kind + "/" + key);
    if (key != run.text) places.push_back(task_report_place(run));
    return places;
  }

  bool is_place(const std::string& path) const { return places_.contains(path); }
  /// Whether the place of a run lies somewhere in the folder `path`.
  bool is_way(const std::string& path) const {
    const auto next = places_.lower_bound(path + "/");
    return next != places_.end() && lies_in(*next, path);
  }
  bool is_within(const std::string& path) const {
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
      if (places_.contains(path.substr(0, at))) return true;
    }
    return false;
  }
  bool is_claimed(const std::string& path) const { return is_place(path) || is_way(path) || is_within(path); }

 private:
  std::set<std::string> places_;
};

class Collection {
 public:
  Collection(App& app, Journal& journal, FolderTree tree, Timestamp before)
      : app_(app), journal_(journal), tree_(std::move(tree)), before_(before) {}

  Result<GcReport> collect(GcMode mode) {
    const std::vector<RunId> runs = TRY(journal_.removable(before_));
    claims_ = TRY(Claims::of(journal_));
    if (Result<void> done = work(runs, mode); !done) report_.failure = std::move(done.error());
    return std::move(report_);
  }

 private:
  Result<void> work(const std::vector<RunId>& runs, GcMode mode) {
    for (const RunId& run : runs) TRY_VOID(mode == GcMode::DryRun ? look_at(run) : remove(run));
    TRY_VOID(find_unclaimed());
    return mode == GcMode::DryRun ? find_trash() : remove_unclaimed(mode);
  }

  /// Why the places of a run have to stay; "" if they may go.
  Result<std::string> obstacle(const std::vector<std::string>& places) const {
    for (const std::string& place : places) {
      if (claims_.is_way(place)) return "another run has its folder in " + place;
      const Result<bool> held = tree_.is_locked(fs::path(place) / kGuardLock);
      if (!held && held.error().kind == ErrorKind::Denied) return held.error().message;
      if (!held) return fail(held.error());
      if (*held) return "its guard is at work";
      if (std::string why = TRY(why_not_removable(place)); !why.empty()) return why;
    }
    return std::string();
  }

  Result<std::string> why_not_removable(const fs::path& place) const {
    const Result<void> checked = tree_.check_removable(place);
    if (!checked && ends_work(checked.error().kind)) return fail(checked.error());
    return checked ? std::string() : checked.error().message;
  }

  Result<std::vector<std::string>> places_there(const RunId& run) const {
    std::vector<std::string> there;
    for (std::string& place : Claims::places_of(run, TRY(journal_.key(run)))) {
      const Result<std::optional<FileType>> type = tree_.type_of(place);
      if (!type && type.error().kind != ErrorKind::Denied) return fail(type.error());
      if (!type || *type) there.push_back(std::move(place));
    }
    return there;
  }

  Result<void> look_at(const RunId& run) {
    const std::vector<std::string> places = TRY(places_there(run));
    const std::string why = TRY(obstacle(places));
    if (!why.empty()) {
      report_.kept.push_back({run.shown(), why});
      return {};
    }
    report_.runs.push_back(run);
    std::ranges::copy(places, std::back_inserter(report_.removed));
    return {};
  }

  Result<void> remove(const RunId& run) {
    std::vector<std::string> removed;
    std::string why;
    const auto clear = [&]() -> Result<bool> {
      const std::vector<std::string> places = TRY(places_there(run));
      why = TRY(obstacle(places));
      if (!why.empty()) return false;
      TRY_VOID(journal_.begin_removal(run));
      for (const std::string& place : places) {
        const Result<void> gone = tree_.remove(place);
        if (!gone && ends_work(gone.error().kind)) return fail(gone.error());
        if (!gone) {
          why = gone.error().message + "; some of its files are removed, so it cannot be brought back";
          return false;
        }
        removed.push_back(place);
      }
      return true;
    };
    const Result<bool> done = journal_.remove(run, before_, clear);
    std::ranges::move(removed, std::back_inserter(report_.removed));
    if (!done) return fail(done.error());
    if (*done) report_.runs.push_back(run);
    if (!*done && !why.empty()) report_.kept.push_back({run.shown(), why});
    return {};
  }

  // The folders first, the runs again afterwards: a run is in the journal before it has folders, so what is still
  // nobody's then is no new run's. Only an import writes its folders first (kImportLock).
  Result<void> find_unclaimed() {
    const Claims claims = TRY(Claims::of(journal_));
    std::vector<std::string> found;
    for (const std::string kind : kKinds) TRY_VOID(walk(kind, claims, 0, found));
    const Claims now = TRY(Claims::of(journal_));
    for (std::string& path : found) {
      if (now.is_claimed(path)) continue;
      if (std::string why = TRY(why_unclaimed_stays(path)); !why.empty()) {
        report_.kept.push_back({path, std::move(why)});
      } else {
        report_.unclaimed.push_back(std::move(path));
      }
    }
    return {};
  }

  Result<std::string> why_unclaimed_stays(const std::string& path) const {
    const Result<bool> is_used = is_in_use(path);
    if (!is_used && is_used.error().kind == ErrorKind::Denied) return is_used.error().message;
    if (!is_used) return fail(is_used.error());
    if (*is_used) return "a guard is at work in it";
    return why_not_removable(path);
  }

  // Collects what lies in `folder` and on no run's way.
  Result<void> walk(const std::string& folder, const Claims& claims, int depth, std::vector<std::string>& found) {
    const Result<std::vector<FolderTree::Entry>> entries = tree_.list(folder);
    if (!entries && entries.error().kind == ErrorKind::Denied) {
      report_.kept.push_back({folder, entries.error().message});
      return {};
    }
    if (!entries) return fail(entries.error());
    for (const FolderTree::Entry& entry : *entries) {
      const std::string path = folder + "/" + entry.name;
      if (claims.is_place(path)) continue;
      const bool is_folder = entry.type == FileType::Directory;
      if (is_folder && claims.is_way(path) && depth < kWalkDepthMax) {
        TRY_VOID(walk(path, claims, depth + 1, found));
      } else if (!is_folder || TRY(holds_a_file(path, 0))) {
        found.push_back(path);
      }
    }
    return {};
  }

  // Empty folders stay behind where a run was removed: a new run may be about to make its own in them.
  Result<bool> holds_a_file(const std::string& folder, int depth) const {
    for (const FolderTree::Entry& entry : TRY(tree_.list(folder))) {
      if (entry.type != FileType::Directory || depth > kWalkDepthMax) return true;
      if (TRY(holds_a_file(folder + "/" + entry.name, depth + 1))) return true;
    }
    return false;
  }

  // The lock of a run lies in one kind of its folders and protects all of them.
  Result<bool> is_in_use(const std::string& path) const {
    const std::string key = path.substr(path.find('/') + 1);
    for (const std::string kind : kKinds) {
      if (TRY(holds_a_lock(kind + "/" + key, 0))) return true;
      for (fs::path above = fs::path(key).parent_path(); !above.empty(); above = above.parent_path()) {
        if (TRY(tree_.is_locked(kind / above / kGuardLock))) return true;
      }
    }
    return false;
  }

  Result<bool> holds_a_lock(const std::string& path, int depth) const {
    if (TRY(tree_.type_of(path)) != FileType::Directory || depth > kWalkDepthMax) return false;
    for (const FolderTree::Entry& entry : TRY(tree_.list(path))) {
      const std::string place = path + "/" + entry.name;
      if (entry.name == kGuardLock && TRY(tree_.is_locked(place))) return true;
      if (entry.type == FileType::Directory && TRY(holds_a_lock(place, depth + 1))) return true;
    }
    return false;
  }

  void keep_unclaimed() {
    for (std::string& path : report_.unclaimed)
      report_.kept.push_back({std::move(path), "an import or another gc is running"});
    report_.unclaimed.clear();
  }

  // What a gc moved away and could not remove.
  Result<void> find_trash() {
    const Result<std::vector<FolderTree::Entry>> trash = tree_.list(kTrash);
    if (trash && !trash->empty()) report_.removed.emplace_back(kTrash);
    return {};
  }

  Result<void> empty_trash() {
    const bool is_there = TRY(tree_.type_of(kTrash)).has_value();
    const std::string why = TRY(why_not_removable(kTrash));
    if (!why.empty()) {
      report_.kept.push_back({kTrash, why});
      return {};
    }
    const Result<void> removed = tree_.remove(kTrash);
    if (!removed && ends_work(removed.error().kind)) return fail(removed.error());
    if (!removed) report_.kept.push_back({kTrash, removed.error().message});
    if (removed && is_there) report_.removed.emplace_back(kTrash);
    return {};
  }

  // A place in the trash that is free: a part of what was moved there before may have had to stay.
  Result<fs::path> place_in_trash(std::size_t& number) const {
    for (;; ++number) {
      fs::path place = fs::path(kTrash) / std::to_string(number);
      if (!TRY(tree_.type_of(place))) return place;
    }
  }

  // An import writes files before its run is in the journal; its lock keeps gc away from them.
  // Moved away while nobody can create a run: a run that begins a moment later finds the place empty, and its own
  // folders are not in what is removed.
  Result<void> remove_unclaimed(GcMode mode) {
    if (mode != GcMode::RemoveUnclaimed && !TRY(tree_.type_of(kTrash))) return {};
    const std::optional<FileLock> no_import = TRY(FileLock::try_lock(app_.store / kImportLock, 0));
    if (!no_import) {
      if (mode == GcMode::RemoveUnclaimed) keep_unclaimed();
      return {};
    }
    TRY_VOID(empty_trash());
    if (mode != GcMode::RemoveUnclaimed || report_.unclaimed.empty()) return {};
    TRY_VOID(app_.files.make_directories(app_.store / kTrash));
    std::vector<std::pair<std::string, fs::path>> moved;
    const Result<void> is_moved = journal_.alone([&]() -> Result<void> {
      const Claims claims = TRY(Claims::of(journal_));
      std::size_t number = 0;
      for (const std::string& path : report_.unclaimed) {
        if (claims.is_claimed(path) || !TRY(why_unclaimed_stays(path)).empty()) continue;
        const fs::path place = TRY(place_in_trash(number));
        TRY_VOID(tree_.move(path, place));
        moved.emplace_back(path, place);
      }
      return {};
    });
    for (const auto& [path, place] : moved) {
      TRY_VOID(tree_.remove(place));
      std::erase(report_.unclaimed, path);
      report_.removed.push_back(path);
    }
    TRY_VOID(is_moved);
    const Result<void> emptied = tree_.remove(kTrash);
    return !emptied && ends_work(emptied.error().kind) ? emptied : Result<void>();
  }

  App& app_;
  Journal& journal_;
  FolderTree tree_;
  Timestamp before_;
  Claims claims_;  // as they were at the beginning
  GcReport report_;
};

}  // namespace

Result<GcReport> collect_garbage(App& app, Duration keep, GcMode mode) {
  if (app.is_worker()) return fail(ErrorKind::Invalid, "a worker cannot remove anything");
  const bool is_dry = mode == GcMode::DryRun;
  const std::unique_ptr<Journal> journal =
      TRY(open_journal_if_any(app, is_dry ? OpenMode::ReadOnly : OpenMode::ReadWrite));
  if (!journal) return GcReport{};
  FolderTree tree = TRY(FolderTree::open(app.store));
  GcReport report = TRY(Collection(app, *journal, std::move(tree), app.clock.now() - keep).collect(mode));
  if (report.failure) return report;
  report.temporary = is_dry ? find_leftover_files(app) : remove_leftover_files(app);
  return report;
}

}  // namespace reprise
