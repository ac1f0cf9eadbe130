#include "app/task_lists.h"

#include <algorithm>

#include "app/task_store_files.h"
#include "base/strings.h"
#include "formats/task_phase_words.h"
#include "git/git.h"
#include "git/git_files.h"
#include "model/limits.h"
#include "os/machine.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListVariable = "CLAUDE_CODE_TASK_LIST_ID";
constexpr int kListChangedMax = 5;

std::string variable(const App& app, const std::string& name) {
  const auto found = app.environment.find(name);
  return found == app.environment.end() ? "" : found->second;
}

// An address as it is compared, however git was told it: "host/path".
std::string plain_address(std::string_view url) {
  std::string text = to_lower(trim(url));
  if (const std::size_t scheme = text.find("://"); scheme != text.npos) text.erase(0, scheme + 3);
  if (const std::size_t user = text.find('@'); user != text.npos && user < text.find('/')) text.erase(0, user + 1);
  if (const std::size_t colon = text.find(':'); colon != text.npos) text[colon] = '/';
  while (text.ends_with('/')) text.pop_back();
  if (text.ends_with(".git")) text.erase(text.size() - 4);
  return text;
}

// Tells which permanent tasks are about the project. Asks git's own files.
class Project {
 public:
  explicit Project(App& app) : app_(app), git_(app.store.parent_path()) {
    const Result<std::string> config = app.files.read(git_ / "config", kDocumentBytesMax);
    if (!config) return;
    for (const std::string_view line : split(*config, '\n')) {
      const std::size_t equals = line.find('=');
      if (equals != line.npos && trim(line.substr(0, equals)) == "url")
        addresses_.push_back(plain_address(line.substr(equals + 1)));
    }
  }

  // Says whether the list with this permanent task belongs to the project, and why.
  void judge(const PermanentTask& task, TaskListPlace& place) const {
    const bool names_one = !task.repository.empty();
    place.belongs = true;
    place.why = "its permanent task names this repository";
    if (names_one && is_here(task.repository)) return;
    if (!names_one && mentions(task.description)) return;
    place.why = "its permanent task names the branch " + printable_line(task.branch, 100);
    if (!names_one && is_branch_name(task.branch) && has_branch(app_.files, git_, task.branch)) return;
    place.belongs = false;
    place.why = names_one ? "its permanent task names " + printable_line(task.repository, 100)
                          : "its permanent task names neither this repository nor one of its branches";
  }

 private:
  // A path of another machine is known by its last part only; one that leads elsewhere on this one is not ours.
  bool is_here(const std::string& named) const {
    if (std::ranges::find(addresses_, plain_address(named)) != addresses_.end()) return true;
    const fs::path path = fs::path(named).lexically_normal();
    const Result<fs::path> real = path.is_absolute() ? canonical_path(path) : fail(ErrorKind::NotFound, "");
    if (real) return *real == app_.project;
    const fs::path last = path.has_filename() ? path.filename() : path.parent_path().filename();
    return named.find("://") == named.npos && !last.empty() && last == app_.project.filename();
  }
  bool mentions(const std::string& text) const {
    const std::string path = app_.project.string();
    for (std::size_t at = text.find(path); at != text.npos; at = text.find(path, at + 1)) {
      const char next = at + path.size() < text.size() ? text[at + path.size()] : ' ';
      const bool goes_on = std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '-' || next == '_';
      if (!goes_on) return true;
    }
    return false;
  }

  App& app_;
  fs::path git_;
  std::vector<std::string> addresses_;
};

Result<void> judge_by_content(App& app, const Project& project, TaskListPlace& place) {
  const std::vector<std::string> names = TRY(task_file_names(app, place.folder));
  const TaskListClaims claims =
      assemble_task_list(place.id, read_task_files(app, place.folder, names, "permanent"), 0);
  place.why = "it has no permanent task";
  if (claims.permanent) project.judge(*claims.permanent, place);
  return {};
}

Error no_list() {
  Error error{.kind = ErrorKind::NotFound,
              .message = "no task list belongs to this project; name one with --list, a new one if need be"};
  return std::move(error).hint("reprise task list --all");
}

std::string state_of(App& app, const fs::path& folder) {
  const Result<std::optional<FileInfo>> info = app.files.stat(folder);
  return info && *info ? (*info)->signature : "";
}

}  // namespace

fs::path task_lists_folder(const App& app) {
  if (const std::string config = variable(app, "CLAUDE_CONFIG_DIR"); !config.empty())
    return app.project / config / "tasks";
  const std::string home = variable(app, "HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".claude" / "tasks";
}

Result<std::vector<TaskListPlace>> find_task_lists(App& app, std::span<const std::string> configured) {
  std::vector<TaskListPlace> places;
  const fs::path root = task_lists_folder(app);
  if (root.empty()) return places;
  const std::string named = task_list_folder(variable(app, kListVariable));
  const Project project(app);
  for (const std::string& name : TRY(app.files.list(root))) {
    const std::optional<FileInfo> info = TRY(app.files.stat(root / name));
    if (name.starts_with('.') || !info || info->type != FileType::Directory) continue;
    TaskListPlace place{.id = name, .folder = root / name, .belongs = true, .why = {}};
    const auto is_it = [&](const std::string& id) { return task_list_folder(id) == name; };
    if (name == named) {
      place.why = std::string(kListVariable) + " names it";
    } else if (std::ranges::any_of(configured, is_it)) {
      place.why = "the configuration names it";
    } else {
      place.belongs = false;
      const Result<void> judged = judge_by_content(app, project, place);
      if (!judged) place.why = "it cannot be read: " + judged.error().message;
    }
    places.push_back(std::move(place));
  }
  return places;
}

Result<TaskListPlace> choose_task_list(App& app, const std::string& name) {
  const fs::path root = task_lists_folder(app);
  if (root.empty()) return fail(ErrorKind::NotFound, "there is no folder for task lists: HOME is not set");
  const std::string in_environment = variable(app, kListVariable);
  const std::string id = task_list_folder(name.empty() ? in_environment : name);
  if (!id.empty()) {
    return TaskListPlace{.id = id,
                         .folder = root / id,
                         .belongs = true,
                         .why = name.empty() ? std::string(kListVariable) + " names it" : "it was named"};
  }
  std::vector<TaskListPlace> places = TRY(find_task_lists(app));
  std::erase_if(places, [](const TaskListPlace& place) { return !place.belongs; });
  if (places.empty()) return fail(no_list());
  if (places.size() == 1) return places.front();
  std::string names;
  for (const TaskListPlace& place : places) names += (names.empty() ? "" : ", ") + printable_line(place.id, 80);
  return fail(ErrorKind::Invalid, "several task lists belong to this project; name one with --list: " + names);
}

const TaskClaim* find_same_task(const TaskListClaims& claims, const NewTask& task) {
  const auto phase = std::ranges::find(task.metadata, "phase", &JsonSetting::key);
  std::string word = phase == task.metadata.end() ? "" : phase->json;
  std::erase(word, '"');
  const std::optional<TaskPhase> wanted = read_task_phase(word);
  for (const TaskClaim& claim : claims.tasks) {
    if (claim.is_permanent || claim.is_internal || claim.is_damaged) continue;
    if (claim.phase == wanted && trim(claim.subject) == trim(task.subject)) return &claim;
  }
  return nullptr;
}

Result<TaskListClaims> read_task_list(App& app, const TaskListPlace& place) {
  std::vector<ReadTask> tasks;
  for (int round = 0; round < kListChangedMax; ++round) {
    const std::string before = state_of(app, place.folder);
    if (before.empty())
      return fail(ErrorKind::NotFound, "there is no task list \"" + printable_line(place.id, 80) + "\"");
    tasks = read_task_files(app, place.folder, TRY(task_file_names(app, place.folder)));
    if (state_of(app, place.folder) == before) break;
  }
  const Result<std::optional<std::int64_t>> mark = read_high_water_mark(app, place.folder);
  TaskListClaims claims = assemble_task_list(place.id, std::move(tasks), mark && *mark ? **mark : 0);
  if (!mark) claims.oddities.push_back({0, std::string(kHighWaterMark), mark.error().message});
  return claims;
}

}  // namespace reprise
