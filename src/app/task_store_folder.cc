// A task list in its folder, one file per task.

#include <algorithm>

#include "app/task_lists.h"
#include "app/task_store_files.h"
#include "app/task_store_lock.h"
#include "base/strings.h"
#include "formats/problem.h"
#include "formats/task_links.h"
#include "model/limits.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

using Ids = std::vector<std::string>;

bool contains(const Ids& ids, const std::string& id) { return std::ranges::find(ids, id) != ids.end(); }

class FolderStore : public TaskStore {
 public:
  FolderStore(App& app, TaskListPlace place, Duration lock_wait)
      : app_(app), place_(std::move(place)), lock_wait_(lock_wait) {}

  Result<TaskListClaims> list() override { return read_task_list(app_, place_); }

  Result<std::string> get(const std::string& id) override {
    std::string bytes = TRY(read(TRY(file_of(id))));
    if (const Result<ReadTask> task = read_task_file(bytes, id + ".json"); !task)
      return fail(damaged(id, task.error()));
    return bytes;
  }

  Result<std::string> create(const NewTask& task) override {
    if (trim(task.subject).empty()) return fail(ErrorKind::Invalid, "a task needs a subject");
    TRY_VOID(app_.files.make_directories(place_.folder));
    const TaskListLock lock = TRY(TaskListLock::take(app_, place_.folder, lock_wait_));
    if (task.once) {
      const TaskListClaims claims = TRY(list());
      if (const TaskClaim* same = find_same_task(claims, task)) {
        TRY_VOID(check_links(claims, links_of(same->id, task.blocks, {}), same->id));
        TRY_VOID(link_back(same->id, task.blocks, {}));
        return same->id;
      }
    }
    const NextId next = TRY(next_id());
    const std::string id = std::to_string(next.number);
    if (!task.blocks.empty() || !task.blocked_by.empty()) {
      const TaskListClaims claims = TRY(list());
      TRY_VOID(check_links(claims, links_of(id, task.blocks, task.blocked_by), id));
    }
    // Before the task: an id that was given once is not given again, whatever happens to the rest.
    if (next.keeps_mark) TRY_VOID(write_mark(next.number));
    TRY_VOID(write(place_.folder / (id + ".json"), new_task_file(id, task)));
    TRY_VOID(link_back(id, task.blocks, task.blocked_by));
    return id;
  }

  Result<void> update(const std::string& id, const TaskChange& change) override {
    TRY(file_of(id));
    const TaskListLock lock = TRY(TaskListLock::take(app_, place_.folder, lock_wait_));
    const TaskListClaims claims = TRY(list());
    const TaskClaim* task = find_task(claims.tasks, id);
    if (task == nullptr) return fail(not_there(id));
    TRY_VOID(check_links(claims, links_of(id, change.add_blocks, change.add_blocked_by), id));
    // What others say of this task is written into it too, and what it says into them.
    TaskChange whole = change;
    add_known(claims, task->blocks, change.remove_blocks, whole.add_blocks);
    add_known(claims, task->blocked_by, change.remove_blocked_by, whole.add_blocked_by);
    TRY_VOID(edit(id, whole));
    TRY_VOID(link_back(id, whole.add_blocks, whole.add_blocked_by));
    for (const std::string& other : change.remove_blocks) TRY_VOID(edit(other, {.remove_blocked_by = {id}}));
    for (const std::string& other : change.remove_blocked_by) TRY_VOID(edit(other, {.remove_blocks = {id}}));
    return {};
  }

  Result<void> remove(const std::string& id) override {
    const fs::path file = TRY(file_of(id));
    const TaskListLock lock = TRY(TaskListLock::take(app_, place_.folder, lock_wait_));
    const TaskListClaims claims = TRY(list());
    const TaskClaim* task = find_task(claims.tasks, id);
    if (task == nullptr) return fail(not_there(id));
    if (task->is_damaged) return fail(damaged(id, {}));
    if (task->is_permanent) return fail(is_permanent(id));
    TRY_VOID(write_mark(claims.high_water_mark));
    TRY_VOID(app_.files.remove(file));
    for (const TaskClaim& other : claims.tasks) {
      if (other.id == id || (!contains(other.blocks, id) && !contains(other.blocked_by, id))) continue;
      TRY_VOID(edit(other.id, {.remove_blocks = {id}, .remove_blocked_by = {id}}));
    }
    return {};
  }

 private:
  Error not_there(const std::string& id) const {
    Error error{
        .kind = ErrorKind::NotFound,
        .message = "there is no task " + reprise::quoted(id) + " in the list " + reprise::quoted(place_.id)};
    return std::move(error).hint("reprise task list");
  }
  Error damaged(const std::string& id, const Error& error) const {
    const std::string file = (place_.folder / (id + ".json")).string();
    return {.kind = ErrorKind::Corrupt,
            .message = file + (error.line > 0 ? ":" + std::to_string(error.line) : "") + ": " +
                       (error.message.empty() ? "cannot be read" : error.message),
            .file = file,
            .line = error.line,
            .column = error.column};
  }
  Error is_permanent(const std::string& id) const {
    Error error{
        .kind = ErrorKind::Invalid,
        .message = "task " + reprise::quoted(id) + " is permanent and is not removed; one too many is completed"};
    return std::move(error).hint("reprise task update " + shell_quote(id) + " --list " + shell_quote(place_.id) +
                                 " --status completed --metadata reason=duplicate");
  }

  // Ids are looked up among the names that are there; a path is never made of one.
  Result<fs::path> file_of(const std::string& id) const {
    const std::string name = id + ".json";
    if (!contains(TRY(task_file_names(app_, place_.folder)), name)) return fail(not_there(id));
    return place_.folder / name;
  }
  Result<std::string> read(const fs::path& file) const {
    std::optional<std::string> bytes = TRY(read_settled_task(file));
    if (!bytes) return fail(ErrorKind::NotFound, file.string() + " is gone");
    return std::move(*bytes);
  }
  Result<void> write(const fs::path& file, const std::string& bytes) const {
    if (bytes.size() > kDocumentBytesMax)
      return fail(ErrorKind::Invalid,
                  "a task cannot be larger than " + std::to_string(kDocumentBytesMax) + " bytes");
    return app_.files.replace(file, bytes);
  }
  Result<void> edit(const std::string& id, const TaskChange& change) const {
    const Result<fs::path> file = file_of(id);
    if (!file) return file.error().kind == ErrorKind::NotFound ? Result<void>() : fail(file.error());
    const std::string bytes = TRY(read(*file));
    const Result<std::string> changed = edit_task_file(bytes, change, id + ".json");
    if (!changed) {
      if (changed.error().kind == ErrorKind::Corrupt) return fail(damaged(id, changed.error()));
      return fail(changed.error());
    }
    return *changed == bytes ? Result<void>() : write(*file, *changed);
  }

  // A number that no task has or had, and whether the list keeps a mark of the largest.
  struct NextId {
    std::int64_t number = 0;
    bool keeps_mark = false;
  };
  Result<NextId> next_id() const {
    const std::vector<std::string> names = TRY(task_file_names(app_, place_.folder));
    const Result<std::optional<std::int64_t>> mark = read_high_water_mark(app_, place_.folder);
    const bool keeps_mark = names.empty() || !mark || mark->has_value();
    std::int64_t largest = mark ? mark->value_or(0) : 0;
    for (const std::string& name : names) {
      const std::optional<long long> number = parse_number(id_of_task_file(name), kIdMax);
      largest = std::max<std::int64_t>(largest, number.value_or(0));
    }
    if (largest >= kIdMax)
      return fail(ErrorKind::Invalid, "the list " + reprise::quoted(place_.id) + " has no id left");
    return NextId{largest + 1, keeps_mark};
  }
  Result<void> write_mark(std::int64_t mark) const {
    return app_.files.replace(place_.folder / kHighWaterMark, std::to_string(mark));
  }

  static std::vector<TaskLink> links_of(const std::string& id, const Ids& blocks, const Ids& blocked_by) {
    std::vector<TaskLink> links;
    for (const std::string& other : blocks) links.push_back({id, other});
    for (const std::string& other : blocked_by) links.push_back({other, id});
    return links;
  }
  Result<void> check_links(const TaskListClaims& claims, const std::vector<TaskLink>& links,
                           const std::string& id) const {
    for (const TaskLink& link : links) {
      const std::string& other = link.blocker == id ? link.blocked : link.blocker;
      const TaskClaim* task = find_task(claims.tasks, other);
      if (other == id) break;
      if (task == nullptr) return fail(not_there(other));
      if (task->is_damaged) return fail(damaged(other, {}));
    }
    const Ids chain = find_closed_chain(claims.tasks, links);
    if (chain.empty()) return {};
    return fail(ErrorKind::Invalid, chain.size() == 2 ? "task " + reprise::quoted(id) + " cannot wait for itself"
                                                      : "tasks would wait for one another: " +
                                                            printable_line(join(chain, " blocks "), 500));
  }

  static void add_known(const TaskListClaims& claims, const Ids& edges, const Ids& without, Ids& to) {
    for (const std::string& other : edges) {
      const TaskClaim* task = find_task(claims.tasks, other);
      if (task != nullptr && !task->is_damaged && !contains(without, other) && !contains(to, other))
        to.push_back(other);
    }
  }
  Result<void> link_back(const std::string& id, const Ids& blocks, const Ids& blocked_by) const {
    for (const std::string& other : blocks) {
      if (other != id) TRY_VOID(edit(other, {.add_blocked_by = {id}}));
    }
    for (const std::string& other : blocked_by) {
      if (other != id) TRY_VOID(edit(other, {.add_blocks = {id}}));
    }
    return {};
  }

  App& app_;
  TaskListPlace place_;
  Duration lock_wait_;
};

}  // namespace

std::unique_ptr<TaskStore> open_task_folder(App& app, TaskListPlace place, Duration lock_wait) {
  return std::make_unique<FolderStore>(app, std::move(place), lock_wait);
}

}  // namespace reprise
