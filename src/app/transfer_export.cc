// Export: what is gathered, and in which order it becomes durable.

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/definitions.h"
#include "app/logs.h"
#include "app/project_files.h"
#include "app/transfer.h"
#include "app/transfer_git.h"
#include "app/transfer_history.h"
#include "app/transfer_survivors.h"
#include "base/mask.h"
#include "base/strings.h"
#include "executor/run_setup.h"
#include "guard/guard.h"
#include "guard/result_file.h"
#include "model/limits.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// Puts the files of one export together: the manifest needs them all, and comes first.
class Package {
 public:
  explicit Package(App& app) : app_(app) {}

  void add(std::string path, std::string bytes, unsigned mode = 0600) {
    files_.push_back({std::move(path), std::move(bytes), mode});
  }
  /// Adds the file `from`; one that vanished meanwhile is left out.
  Result<void> add_file(const std::string& path, const fs::path& from) {
    const std::optional<FileInfo> info = TRY(app_.files.stat(from));
    if (!info || info->type != FileType::Regular) return {};
    std::error_code error;
    const auto mode = static_cast<unsigned>(fs::status(from, error).permissions()) & 0777u;
    add(path, TRY(app_.files.read(from, kTransferFileBytesMax)), error ? 0600u : mode);
    return {};
  }
  /// Adds the files below a folder of an attempt. What was stored was masked then; what a worker left there that
  /// nobody has looked at yet is masked now. Without `has_result` its result is left out: the next session would
  /// not read it, and we may not know the secrets in it.
  Result<void> add_attempt(const std::string& path, const fs::path& from, const Masker& masker, bool has_result) {
    const std::size_t first = files_.size();
    TRY_VOID(add_folder(path, from));
    if (!has_result) std::erase_if(files_, [&](const File& file) { return file.path == path + "/result.json"; });
    for (std::size_t i = first; i < files_.size(); ++i) {
      File& file = files_[i];
      const bool is_result = file.path.ends_with("/result.json");
      file.bytes = is_result ? mask_json(file.bytes, masker) : masker.mask(file.bytes);
    }
    return {};
  }
  /// Adds the files below a folder of the store.
  Result<void> add_folder(const std::string& path, const fs::path& from, int depth = 0) {
    if (depth > 8) return {};
    for (const std::string& name : TRY(app_.files.list(from))) {
      std::error_code error;
      if (fs::is_symlink(from / name, error) || !is_portable_path(name)) continue;
      const std::optional<FileInfo> info = TRY(app_.files.stat(from / name));
      if (info && info->type == FileType::Directory)
        TRY_VOID(add_folder(path + "/" + name, from / name, depth + 1));
      else
        TRY_VOID(add_file(path + "/" + name, from / name));
    }
    return {};
  }
  /// Returns the whole file, and completes the manifest.
  std::string pack(TransferManifest& manifest) const {
    for (const File& file : files_)
      manifest.files.push_back(
          {file.path, static_cast<std::int64_t>(file.bytes.size()), to_text(digest_of(file.bytes))});
    TarWriter writer(manifest.at);
    writer.add(kManifestEntry, to_json(manifest));
    for (const File& file : files_) writer.add(file.path, file.bytes, file.mode);
    return writer.finish();
  }

 private:
  struct File {
    std::string path;
    std::string bytes;
    unsigned mode = 0600;
  };
  App& app_;
  std::vector<File> files_;
};

// The project's files that the state of a run rests on.
class ProjectFiles {
 public:
  ProjectFiles(App& app, const RunState& state) : app_(app), state_(state) {
    const auto take = [&](const std::vector<SeenFile>& files) {
      for (const SeenFile& file : files) wanted_.insert(file.path);
    };
    take(state.baseline);
    for (const auto& [path, step] : state.steps) {
      take(*step.inputs);
      take(*step.artifacts);
      take(*step.before);
    }
    for (const auto& [path, gate] : state.gates) {
      take(gate.shows);
      take(gate.approved);
    }
    if (!state.state_file.path.empty()) wanted_.insert(state.state_file.path);
    // A feature has a folder of its own, and all of it may be looked at.
    const fs::path folder = fs::path(state.state_file.path).parent_path();
    if (state.workflow == "playbook" && !folder.empty()) wanted_.insert(folder.string());
    if (state.workflow == "spec-loop" && folder.has_parent_path()) wanted_.insert(folder.parent_path().string());
  }

  Result<void> add_to(Package& package) {
    for (const std::string& path : wanted_) TRY_VOID(add(package, path, 0));
    return {};
  }
  std::vector<std::string> take_left_out() { return std::move(left_out_); }

 private:
  bool is_in_a_lane(const std::string& path) const {
    return std::ranges::any_of(state_.lanes, [&](const auto& lane) {
      return path == lane.second.folder || path.starts_with(lane.second.folder + "/");
    });
  }

  Result<void> add(Package& package, const std::string& path, int depth) {
    if (is_in_a_lane(path) || path == ".git" || !added_.insert(path).second) return {};
    const fs::path full = app_.project / path;
    const std::optional<FileInfo> info = TRY(app_.files.stat(full));
    if (!info) return {};  // it is missing here too
    const std::string why = reason_to_leave(path, *info, depth);
    if (!why.empty()) {
      left_out_.push_back(printable_line(path, 200) + ": " + why);
      return {};
    }
    if (info->type == FileType::Regular) return package.add_file(std::string(kProjectBelow) + path, full);
    for (const std::string& name : TRY(app_.files.list(full)))
      TRY_VOID(add(package, path + "/" + name, depth + 1));
    return {};
  }

  std::string reason_to_leave(const std::string& path, const FileInfo& info, int depth) {
    if (!is_portable_path(path) || path.starts_with(".reprise/")) return "such a path does not travel";
    if (!is_inside(app_, path)) return "it lies outside of the project";
    std::error_code error;  // links between folders may go round in circles
    if (info.type == FileType::Directory && fs::is_symlink(app_.project / path, error)) return "it is a link";
    if (depth > kDocumentDepthMax) return "its folders are nested too deeply";
    if (info.type != FileType::Regular && info.type != FileType::Directory) return "it is no file";
    if (info.size > static_cast<std::int64_t>(kTransferFileBytesMax)) return "it is too large";
    return "";
  }

  App& app_;
  const RunState& state_;
  std::set<std::string> wanted_;
  std::set<std::string> added_;
  std::vector<std::string> left_out_;
};

Result<void> add_texts(Package& package, Journal& journal, std::span<const RecordedEvent> events) {
  for (const std::string& digest : digests_named(events)) {
    Result<std::string> text = journal.text(digest);
    if (text) package.add(std::string(kTextsBelow) + digest.substr(digest.find(':') + 1), std::move(*text));
  }
  return {};
}

Result<void> add_attempts(Package& package, App& app, Journal& journal, const RunState& state) {
  const fs::path attempts = app.store / "attempts" / state.key;
  const Masker masker = masker_of_run(app, journal, state);
  const fs::path guard = guard_directory(app.store, state.key);
  bool has_open_step = false;
  for (const auto& [path, step] : state.steps) {
    const bool is_open = step.record == StepState::Record::Open;
    has_open_step = has_open_step || is_open;
    for (int attempt = 1; attempt <= step.attempts; ++attempt) {
      const std::string below = path.text + "/" + std::to_string(attempt);
      const bool is_gone =
          is_open && attempt == step.attempts &&
          TRY(sight_attempt(guard, attempt_name(path, attempt))).what != AttemptSighting::What::Ended;
      TRY_VOID(package.add_attempt(std::string(kAttemptsBelow) + below, attempts / below, masker, !is_gone));
    }
  }
  const fs::path edits = app.store / "edits" / path_component(state.id.text);
  TRY_VOID(package.add_folder(std::string(kEditsBelow.substr(0, kEditsBelow.size() - 1)), edits));
  if (!has_open_step) return {};
  return package.add_file(std::string(kExitsEntry), guard / "exits.log");
}

Result<void> check_target(App& app, const fs::path& file) {
  if (file.empty()) return {};
  const std::optional<FileInfo> info = TRY(app.files.stat(file));
  if (!info) {
    if (TRY(app.files.stat(file.parent_path()))) return {};
    return fail(
        Error{.kind = ErrorKind::Invalid, .message = "there is no folder " + file.parent_path().string()}.hint(
            "mkdir -p " + shell_quote(file.parent_path().string())));
  }
  const Result<std::string> begin = app.files.read_part(file, 0, kManifestEntry.size());
  if (info->type == FileType::Regular && begin && (begin->empty() || *begin == kManifestEntry)) return {};
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = file.string() + " is there and is no exported run; it is not overwritten",
                    .file = file.string()}
                  .hint("mv " + shell_quote(file.string()) + " " + shell_quote(file.string() + ".old")));
}

Result<void> check_state_travels(const RunState& state) {
  if (state.state_file.path.empty() || is_portable_path(state.state_file.path)) return {};
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = "the state of " + state.id.shown() + " lies in " +
                               printable_line(state.state_file.path, 300) +
                               ", outside of the project, and does not travel"}
                  .hint("reprise status " + shell_quote(state.id.shown())));
}

TransferManifest manifest_of(const App& app, const RunState& state, const RunInGit& in_git, Timestamp now) {
  TransferManifest manifest{.run = state.id, .workflow = state.workflow, .subject = state.subject, .at = now};
  manifest.by = app.actor;
  manifest.host = app.host;
  manifest.commit = in_git.commit;
  manifest.roots = in_git.roots;
  manifest.refs = in_git.refs;
  manifest.lanes = in_git.lanes;
  return manifest;
}

// The note is in the file before it is in the journal, and in the journal before the file can be used.
Result<ExportedRun> export_leased(App& app, Journal& journal, const Lease& lease, const std::string& name,
                                  const fs::path& file) {
  const RunState state = TRY(journal.state(lease.run));
  TRY_VOID(check_state_travels(state));
  TRY_VOID(check_no_survivor(app, state));
  std::vector<RecordedEvent> events = TRY(whole_history(journal, lease.run));
  const Timestamp now = app.clock.now();
  const Event note = NoteAdded{"exported on " + app.host + " as " + printable_line(name, 200) +
                                   "; if it goes on elsewhere, import it back before it goes on here",
                               app.actor};
  events.push_back({{state.last.value + 1}, now, note});

  RunInGit in_git = TRY(gather_git(app, state));
  ExportedRun exported{.manifest = manifest_of(app, state, in_git, now), .left_out = std::move(in_git.left_out)};
  TransferManifest& manifest = exported.manifest;
  manifest.events = static_cast<std::int64_t>(events.size());
  manifest.head = chain_of(lease.run, events).back();

  Package package(app);
  package.add(std::string(kHistoryEntry), to_lines(events));
  TRY_VOID(add_texts(package, journal, events));
  TRY_VOID(add_attempts(package, app, journal, state));
  ProjectFiles project(app, state);
  TRY_VOID(project.add_to(package));
  std::ranges::move(project.take_left_out(), std::back_inserter(exported.left_out));
  if (!in_git.bundle.empty()) package.add(std::string(kBundleEntry), std::move(in_git.bundle));
  exported.bytes = package.pack(manifest);
  if (exported.bytes.size() > kTransferBytesMax)
    return fail(ErrorKind::Invalid, "run " + lease.run.shown() + " is too large to be exported: over 4 GiB");
  TRY(journal.append(lease, state.last, {&note, 1}, now));
  if (!file.empty()) TRY_VOID(app.files.replace(file, exported.bytes));
  return exported;
}

}  // namespace

std::string default_export_name(const RunId& run) {
  std::string name = run.text;
  std::ranges::replace(name, '/', '-');
  while (name.ends_with('-')) name.pop_back();
  return path_component(name) + ".reprise.tar";
}

Result<ExportedRun> export_run(App& app, Journal& journal, const RunId& run, const std::string& name,
                               const fs::path& file) {
  TRY_VOID(check_target(app, file));
  const Lease lease = TRY(journal.acquire(run));
  Result<ExportedRun> exported = export_leased(app, journal, lease, name, file);
  journal.release(lease);
  return exported;
}

}  // namespace reprise
