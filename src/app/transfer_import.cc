// Import, second half: writing what was checked, the history last.
//
// Events keep their times, so they are appended in groups of one time each, every group durable before the next. A
// run of which only some groups were written has no definition yet, unless another run had the same: it cannot be
// planned or resumed, and the same import made again goes on behind the last group.

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/archive.h"
#include "app/garbage.h"
#include "app/lane_definition.h"
#include "app/lane_files.h"
#include "app/transfer.h"
#include "app/transfer_git.h"
#include "app/transfer_history.h"
#include "base/strings.h"
#include "executor/run_setup.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// Says the time at which something happened elsewhere, or the time it is.
class HistoryClock : public Clock {
 public:
  explicit HistoryClock(Clock& real) : real_(real) {}
  Timestamp now() override { return at ? *at : real_.now(); }
  Duration monotonic() override { return real_.monotonic(); }
  std::optional<Timestamp> at;

 private:
  Clock& real_;
};

Result<void> set_mode(const fs::path& path, unsigned mode) {
  std::error_code error;
  fs::permissions(path, static_cast<fs::perms>(mode & 0777u), error);
  if (error) return fail(error_from_errno(error.value(), path.string()));
  return {};
}

Result<void> place_project_file(App& app, const TarEntry& entry) {
  const fs::path path = app.project / entry.path.substr(kProjectBelow.size());
  if (const std::optional<FileInfo> info = TRY(app.files.stat(path))) {
    const bool has_size = info->size == static_cast<std::int64_t>(entry.bytes.size());
    if (has_size && TRY(app.files.read(path, entry.bytes.size() + 1)) == entry.bytes) {
      constexpr unsigned kExecutable = 0100;
      std::error_code error;
      const auto mode = static_cast<unsigned>(fs::status(path, error).permissions()) & 0777u;
      const bool lacks = !error && (entry.mode & kExecutable) != 0 && (mode & kExecutable) == 0;
      return lacks ? set_mode(path, entry.mode) : Result<void>();
    }
    return fail(ErrorKind::Conflict, path.string() + " was changed while the run was imported");
  }
  TRY(make_place_in(app.project, path.lexically_relative(app.project)));
  TRY_VOID(app.files.replace(path, entry.bytes));
  return set_mode(path, entry.mode);
}

Result<void> place_project(App& app, const ImportPlan& plan) {
  std::map<std::string, std::string> contents;
  for (const TarEntry& entry : plan.entries) {
    if (!entry.path.starts_with(kProjectBelow)) continue;
    std::string path = entry.path.substr(kProjectBelow.size());
    if (std::ranges::find(plan.replaced, path) != plan.replaced.end()) contents[std::move(path)] = entry.bytes;
  }
  if (!contents.empty()) TRY(archive_and_change(app, plan.run.text, contents));
  for (const TarEntry& entry : plan.entries) {
    if (entry.path.starts_with(kProjectBelow)) TRY_VOID(place_project_file(app, entry));
  }
  return {};
}

Result<void> place_in_store(App& app, const ImportPlan& plan) {
  const auto place = [&](const fs::path& path, std::string_view bytes) -> Result<void> {
    TRY_VOID(app.files.make_directories(path.parent_path()));
    return app.files.replace(path, bytes);
  };
  const auto* created = std::get_if<RunCreated>(&plan.events.front().event);
  const std::string key = run_key(plan.run, created == nullptr ? "" : created->serial);
  const fs::path attempts = app.store / "attempts" / key;
  if (plan.here == ImportPlan::Here::Nothing) {
    // Of an import that was cut off, or of a run of this name that is long gone: not of this one.
    for (const char* kind : {"attempts", "guards"})
      TRY_VOID(app.files.remove_below(app.store, fs::path(kind) / key));
  }
  const fs::path edits = app.store / "edits" / path_component(plan.run.text);
  for (const TarEntry& entry : plan.entries) {
    if (entry.path.starts_with(kAttemptsBelow))
      TRY_VOID(place(attempts / entry.path.substr(kAttemptsBelow.size()), entry.bytes));
    if (entry.path.starts_with(kEditsBelow))
      TRY_VOID(place(edits / entry.path.substr(kEditsBelow.size()), entry.bytes));
    if (entry.path == kExitsEntry) TRY_VOID(place(guard_directory(app.store, key) / "exits.log", entry.bytes));
  }
  return {};
}

// Appends the exported events that are not here yet, and with the last of them the note of where they come from.
class HistoryWriter {
 public:
  HistoryWriter(App& app, Journal& journal, HistoryClock& clock, const ImportPlan& plan)
      : app_(app), journal_(journal), clock_(clock), plan_(plan), next_(plan.events_here) {}

  Result<void> write(std::optional<Lease>& lease) {
    while (next_ < plan_.events.size()) {
      const Timestamp at = plan_.events[next_].at;
      const EventNumber before{static_cast<std::int64_t>(next_)};
      const std::vector<Event> group = next_group();
      if (lease) {
        TRY(journal_.append(*lease, before, group, at));
        continue;
      }
      clock_.at = at;
      Result<Lease> created = journal_.create(plan_.run, group, {}, Journal::Origin::Elsewhere);
      clock_.at.reset();
      lease = TRY(std::move(created));
    }
    return {};
  }

 private:
  std::vector<Event> next_group() {
    const Timestamp at = plan_.events[next_].at;
    std::vector<Event> group;
    for (; next_ < plan_.events.size() && plan_.events[next_].at == at; ++next_)
      group.push_back(plan_.events[next_].event);
    if (next_ == plan_.events.size()) group.push_back(note());
    return group;
  }

  Event note() const {
    const TransferManifest& from = plan_.manifest;
    std::string text = "imported on " + app_.host + " at " + to_text(app_.clock.now()) + "; exported on " +
                       printable_line(from.host, 100) + " at " + to_text(from.at) + " by " +
                       printable_line(from.by, 100);
    if (plan_.run != from.run) text += " as run " + printable_line(from.run.shown(), 200);
    return NoteAdded{std::move(text), app_.actor};
  }

  App& app_;
  Journal& journal_;
  HistoryClock& clock_;
  const ImportPlan& plan_;
  std::size_t next_;
};

enum class Texts { AllButDefinition, Definition };

Result<void> put_texts(Journal& journal, const ImportPlan& plan, Texts which) {
  for (const TarEntry& entry : plan.entries) {
    if (!entry.path.starts_with(kTextsBelow)) continue;
    const bool is_definition = to_text(digest_of(entry.bytes)) == plan.state.definition;
    if (is_definition == (which == Texts::Definition)) TRY(journal.put_text(entry.bytes));
  }
  return {};
}

// The run may have moved since the plan was made. A lease that its owner never gave back is taken without a word
// in the history, which has to stay a beginning of the exported one.
Result<Lease> take_run(Journal& journal, const ImportPlan& plan) {
  if (TRY(journal.owner(plan.run))) TRY_VOID(journal.break_lease(plan.run));
  const Lease lease = TRY(journal.acquire(plan.run));
  const Result<RunState> state = journal.state(plan.run);
  if (state && state->last.value == static_cast<std::int64_t>(plan.events_here)) return lease;
  journal.release(lease);
  if (!state) return fail(state.error());
  return fail(Error{.kind = ErrorKind::Conflict,
                    .message = "run " + plan.run.shown() + " has moved since it was looked at"}
                  .hint("reprise status " + shell_quote(plan.run.shown())));
}

Result<void> carry_out(App& app, Journal& journal, HistoryClock& clock, const ImportPlan& plan,
                       std::optional<Lease>& lease) {
  const auto bundle = std::ranges::find(plan.entries, kBundleEntry, &TarEntry::path);
  TRY_VOID(bring_refs(app, plan.manifest, plan.state, bundle == plan.entries.end() ? "" : bundle->bytes));
  TRY_VOID(place_project(app, plan));
  TRY_VOID(place_in_store(app, plan));
  TRY_VOID(put_texts(journal, plan, Texts::AllButDefinition));
  TRY_VOID(HistoryWriter(app, journal, clock, plan).write(lease));
  TRY_VOID(put_texts(journal, plan, Texts::Definition));
  if (const std::optional<LaneRunName> name = lane_run_name(plan.run))
    TRY_VOID(LaneFiles(app, *name).catch_up(journal, TRY(journal.state(plan.run))));
  return {};
}

}  // namespace

Result<void> carry_out_import(App& app, const ImportPlan& plan) {
  HistoryClock clock(app.clock);
  const std::unique_ptr<Journal> journal =
      TRY(open_sqlite_journal(app.store, OpenMode::ReadWrite, clock, app.entropy));
  if (plan.here == ImportPlan::Here::Complete) return put_texts(*journal, plan, Texts::Definition);
  // Until the journal names the run, gc takes its files for those of no run.
  const FileLock no_gc = TRY(FileLock::lock(app.store / kImportLock, 0));
  std::optional<Lease> lease;
  if (plan.here == ImportPlan::Here::Behind) lease = TRY(take_run(*journal, plan));
  Result<void> done = carry_out(app, *journal, clock, plan, lease);
  if (lease) journal->release(*lease);
  return done;
}

}  // namespace reprise
