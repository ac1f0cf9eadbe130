#include "app/app.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/config_file.h"
#include "git/git.h"
#include "git/git_files.h"
#include "git/git_output.h"
#include "git/occupants.h"
#include "guard/guard.h"
#include "journal/disk.h"
#include "model/limits.h"
#include "os/machine.h"
#include "os/process.h"
#include "os/process_table.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

// Follows the `gitdir:` of a linked worktree and its `commondir` to the folder that all worktrees share.
Result<fs::path> common_git_directory(FileReader& files, const fs::path& dot_git) {
  const fs::path git = TRY(read_git_directory(files, dot_git));
  const Result<std::string> common = files.read(git / "commondir", 1 << 16);
  return common ? (git / trim(*common)).lexically_normal() : git;
}

constexpr int kAncestorsMax = 4'096;

bool is_guard(int pid) {
  const std::vector<std::string> words = arguments_of(pid);
  return words.size() > 1 && words[1] == kGuardOption;
}

// Who decides: by the environment, else by the password database, else by what git calls them.
std::string name_of_user(const App& app) {
  for (const char* variable : {"USER", "LOGNAME"}) {
    const auto found = app.environment.find(variable);
    if (found != app.environment.end() && !found->second.empty()) return found->second;
  }
  if (std::string name = own_user_name(); !name.empty()) return name;
  if (const Result<Git> git = Git::open(app.project)) {
    const std::optional<std::string> name = git->config("user.name").value_or(std::nullopt);
    if (name && !trim(*name).empty()) return std::string(trim(*name));
  }
  return "uid " + std::to_string(own_user());
}

// New files below the root are excluded from git: it must not hold the project's own.
Result<void> check_lanes_root(App& app, const Config& config, const std::string& name) {
  if (config.lanes_root_line == 0) return {};
  const Result<Git> git = Git::open(app.project);
  const std::filesystem::path root = app.project / config.lanes_root;
  if (!git || git->is_bare() || !is_below(root.lexically_normal(), git->top())) return {};
  const std::string files =
      TRY(git->ask({"ls-files", "-z", "--", ":(literal)" + root.lexically_normal().string()}));
  if (files.empty()) return {};
  Error error{.kind = ErrorKind::Invalid,
              .message = name + ":" + std::to_string(config.lanes_root_line) + ": lanes.root " +
                         printable_line(config.lanes_root, 100) + " holds files of the project: " +
                         names_for_people(split_names(files)) + "; name a folder of its own, such as .worktrees"};
  error.file = name;
  error.line = config.lanes_root_line;
  return fail(std::move(error).hint("${EDITOR:-vi} " + name));
}

}  // namespace

bool App::is_worker() const {
  if (environment.contains("REPRISE_RUN") || environment.contains(std::string(kTagVariable))) return true;
  std::optional<ProcessEntry> process = find_process(pid);
  for (int depth = 0; process && depth < kAncestorsMax; ++depth) {
    if (process->parent <= 1) return false;
    if (environment_value(process->parent, kTagVariable) || is_guard(process->parent)) return true;
    process = find_process(process->parent);
  }
  return true;  // its ancestors are hidden, or too many
}

Result<std::unique_ptr<App>> open_app(const fs::path& directory) {
  auto app = std::make_unique<App>();
  const fs::path start = TRY(canonical_path(directory));
  if (const std::optional<FileInfo> info = TRY(app->files.stat(start)); !info || info->type != FileType::Directory)
    return fail(ErrorKind::Invalid, printable_line(directory.string(), 300) + " is not a directory");
  app->project = start;
  app->store = start / ".reprise" / "state";
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    if (TRY(app->files.stat(folder / ".git"))) {
      app->project = folder;
      fs::path common = TRY(common_git_directory(app->files, folder / ".git"));
      if (!common.has_filename()) common = common.parent_path();
      app->store = common / "reprise";
      // Called from inside a lane, the project is still the one that the lane belongs to.
      const fs::path main = common.filename() == ".git" ? common.parent_path() : folder;
      if (main != folder && folder.string().starts_with((main / Config{}.lanes_root).string() + "/"))
        app->project = main;
      break;
    }
    if (folder == folder.root_path()) break;
  }
  app->environment = parse_environment(current_environment());
  app->program = "/proc/self/exe";
  app->pid = own_pid();
  app->host = host_name();
  app->actor = name_of_user(*app) + "@" + app->host;
  return app;
}

Result<std::unique_ptr<Journal>> open_journal(App& app, OpenMode mode) {
  // The journal makes its folder itself, and syncs the folders above: made here, a power cut could take it.
  Result<std::unique_ptr<Journal>> journal = open_sqlite_journal(app.store, mode, app.clock, app.entropy);
  if (!journal && journal.error().kind == ErrorKind::Corrupt) {
    // It is kept as it is; what the files of other systems tell can be had without it.
    const std::string store = app.store.string();
    return fail(Error(journal.error())
                    .hint("mv " + shell_quote(store) + " " + shell_quote(store + ".damaged"))
                    .hint("reprise scan"));
  }
  if (journal || journal.error().kind != ErrorKind::NotFound) return journal;
  Error error{.kind = ErrorKind::NotFound,
              .message = "nothing has run here yet (" + journal.error().message + ")"};
  return fail(std::move(error).hint("reprise workflow list"));
}

Result<std::unique_ptr<Journal>> open_journal_if_any(App& app, OpenMode mode) {
  const std::optional<FileInfo> file = TRY(app.files.stat(app.store / "journal.db"));
  if (file && file->size > 0) return open_journal(app, mode);
  // Opened for reading, a journal that was lost is told from one that never was.
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && is_empty_store(journal.error())) return std::unique_ptr<Journal>();
  if (journal && mode == OpenMode::ReadWrite) return open_journal(app, mode);
  return journal;
}

std::string guard_tag(const fs::path& store, const std::string& key) {
  const std::optional<FileIdentity> identity = identity_of(store);
  if (!identity) return key + "@" + store.string();
  return key + "@" + std::to_string(identity->device) + "." + std::to_string(identity->inode);
}

Result<Config> read_config(App& app) {
  const std::string name = ".reprise/config.yaml";
  Result<std::string> bytes = app.files.read(app.project / name, kDocumentBytesMax);
  if (!bytes && bytes.error().kind == ErrorKind::NotFound) return Config{};
  if (!bytes) return fail(bytes.error());
  std::expected<Config, std::vector<Problem>> config = load_config(*bytes, name);
  if (config) {
    TRY_VOID(check_lanes_root(app, *config, name));
    return std::move(*config);
  }
  Error error{.kind = ErrorKind::Invalid};
  for (const Problem& problem : config.error())
    error.message += (error.message.empty() ? "" : "\n") + to_text(problem);
  error.file = name;
  error.line = config.error().front().line;
  error.column = config.error().front().column;
  return fail(std::move(error).hint("${EDITOR:-vi} " + name));
}

IdMatch match_id(const std::vector<RunId>& all, const std::string& text) {
  // A name that was found may end like a number: "x@1" is itself before it is the first run of "x".
  const auto same = has_number(text) ? std::ranges::find(all, RunId{text}) : all.end();
  if (same != all.end()) return {NameFit::Exact, {*same}};
  IdMatch match;
  for (const RunId& id : all) {
    const NameFit fit = fit_of(id, text);
    if (fit == NameFit::None || fit > match.fit) continue;
    if (fit < match.fit) match = {fit, {}};
    std::erase_if(match.ids, [&](const RunId& other) { return subject_of(other) == subject_of(id); });
    match.ids.push_back(id);
  }
  return match;
}

Result<RunId> only_match(const IdMatch& match, const std::string& text) {
  if (match.ids.size() == 1) return match.ids.front();
  const std::string name = "\"" + printable_line(text, 100) + "\"";
  Error error{.kind = ErrorKind::NotFound, .message = "there is no run " + name};
  if (!match.ids.empty()) {
    std::vector<std::string> names;
    for (const RunId& id : match.ids) names.push_back(id.shown());
    error = {.kind = ErrorKind::Invalid, .message = name + " may mean: " + join(names, ", ")};
  }
  return fail(std::move(error).hint("reprise status"));
}

Result<IdMatch> match_run(Journal& journal, const std::string& text) {
  std::vector<RunId> all;
  std::vector<RunId> archived;
  for (RunEntry& entry : TRY(journal.runs())) (entry.archived ? archived : all).push_back(std::move(entry.id));
  IdMatch found = match_id(all, text);
  if (found.fit == NameFit::Exact) return found;
  const auto put_away =
      std::ranges::find_if(archived, [&](const RunId& id) { return id.text == text || numbered(id) == text; });
  return put_away == archived.end() ? found : IdMatch{NameFit::Exact, {*put_away}};
}

Result<RunId> find_run(Journal& journal, const std::string& text) {
  return only_match(TRY(match_run(journal, text)), text);
}

Result<RunsOfSubject> runs_of_subject(Journal& journal, const std::string& id) {
  RunsOfSubject runs;
  for (const RunEntry& entry : TRY(journal.runs())) {
    if (entry.id.text == id || subject_of(entry.id) == id) runs.newest = entry.id;
  }
  const std::int64_t largest = TRY(journal.largest_number(id));
  runs.next = RunId{largest == 0 ? id : id + "@" + std::to_string(largest + 1)};
  return runs;
}

}  // namespace reprise
