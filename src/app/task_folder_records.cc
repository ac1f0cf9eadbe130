#include "app/task_folder_records.h"

#include <algorithm>
#include <boost/json.hpp>

#include "app/project_files.h"
#include "app/task_pipeline_find.h"
#include "app/task_pipeline_look.h"
#include "base/digest.h"
#include "executor/tasks.h"
#include "formats/task_file.h"
#include "formats/task_file_edit.h"
#include "model/limits.h"

namespace reprise {
namespace {

bool is_work(const TaskClaim& task) { return !task.is_permanent && !task.is_internal && !task.is_damaged; }

// Whether somebody else says that a task is done. One that the run itself is to do again is not: its file was not
// written yet.
bool was_completed_by_others(const RunState& state, const TaskClaim& task, const TaskState& known) {
  if (task.status != TaskStatus::Completed || known.phase.empty()) return false;
  const StepState* step = state.find_step(step_of_task(known.phase, task.id));
  return step == nullptr || step->record == StepState::Record::Failed;
}

// Whether an agent whose step ran again made a task of the run once more: in all that says what is to be done.
bool is_made_again(const TaskClaim& task, const std::string& phase, const RunState& state) {
  return std::ranges::any_of(state.tasks, [&](const auto& other) {
    return other.second.phase == phase && other.second.subject == task.subject &&
           other.second.description == task.description;
  });
}

// The tasks that events are about.
std::set<std::string> tasks_in(std::span<const RecordedEvent> events, const RunState& state) {
  std::set<std::string> ids;
  std::set<std::string> steps;
  for (const RecordedEvent& recorded : events) {
    std::visit(
        [&](const auto& event) {
          if constexpr (requires { event.step.text; }) steps.insert(event.step.text);
        },
        recorded.event);
    if (const TaskChanged* change = std::get_if<TaskChanged>(&recorded.event)) ids.insert(change->id);
  }
  for (const auto& [id, task] : state.tasks) {
    if (steps.contains(step_of_task(task.phase, id).text)) ids.insert(id);
  }
  return ids;
}

}  // namespace

Result<void> TaskFolderRecords::show(std::span<const RecordedEvent> events, const RunState& state) {
  TRY_VOID(show_tasks(tasks_in(events, state), state));
  const bool has_ended = std::ranges::any_of(events, [](const RecordedEvent& recorded) {
    return std::holds_alternative<AttemptFinished>(recorded.event);
  });
  return has_ended && !state.tasks.empty() ? mark_duplicates(state) : Result<void>();
}

Result<void> TaskFolderRecords::show_all(const RunState& state) {
  std::set<std::string> ids;
  for (const auto& [id, task] : state.tasks) {
    const StepState* step = state.find_step(step_of_task(task.phase, id));
    if (step != nullptr && step->attempts > 0) ids.insert(id);
  }
  TRY_VOID(show_tasks(ids, state));
  return state.tasks.empty() ? Result<void>() : mark_duplicates(state);
}

// Of several permanent tasks one is used, and a task that was made again is done once. The others are completed
// with the reason, and never deleted.
Result<void> TaskFolderRecords::mark_duplicates(const RunState& state) {
  const std::unique_ptr<TaskStore> store = open_task_folder(app_, place_);
  const TaskListClaims list = TRY(store->list());
  if (!list.permanent) return {};
  std::vector<std::string> duplicates = list.permanent->duplicates;
  for (const TaskClaim& task : list.tasks) {
    if (!is_work(task) || task.status != TaskStatus::Pending || state.tasks.contains(task.id)) continue;
    const std::string phase(to_token(task.phase.value_or(current_phase_of(state))));
    if (is_made_again(task, phase, state)) duplicates.push_back(task.id);
  }
  for (const std::string& id : duplicates) {
    const TaskClaim* task = find_task(list.tasks, id);
    if (task == nullptr || task->reason == "duplicate") continue;
    TRY_VOID(store->update(id, {.status = TaskStatus::Completed, .metadata = {{"reason", "\"duplicate\""}}}));
  }
  return {};
}

Result<void> TaskFolderRecords::show_tasks(const std::set<std::string>& ids, const RunState& state) {
  if (ids.empty()) return {};
  const std::unique_ptr<TaskStore> store = open_task_folder(app_, place_);
  const TaskListClaims list = TRY(store->list());
  for (const std::string& id : ids) TRY_VOID(show_task(*store, list, state, id));
  return {};
}

Result<void> TaskFolderRecords::show_task(TaskStore& store, const TaskListClaims& list, const RunState& state,
                                          const std::string& id) {
  const auto task = state.tasks.find(id);
  if (task == state.tasks.end() || task->second.subject.starts_with(kPermanentPrefix)) return {};
  const TaskStatus standing = standing_of(state, id, task->second);
  const auto there = std::ranges::find(list.tasks, id, &TaskClaim::id);
  if (there == list.tasks.end()) {
    if (standing == TaskStatus::Completed) return {};  // finished, and removed by whoever keeps the list
    NewTask file{.subject = task->second.subject, .description = task->second.description, .status = standing};
    file.blocked_by = task->second.blocked_by;
    for (const auto& [key, value] : task->second.metadata) file.metadata.push_back({key, value});
    file.metadata.push_back({"phase", "\"" + task->second.phase + "\""});
    const std::string made = TRY(store.create(file));
    if (made == id) return {};
    return fail(ErrorKind::Conflict, "task " + id + " of the run became task " + made + " of the list");
  }
  if (there->is_damaged || there->status == standing) return {};
  TaskChange change{.status = standing};
  const StepState* step = state.find_step(step_of_task(task->second.phase, id));
  if (standing == TaskStatus::InProgress) change.owner = "reprise";
  if (standing == TaskStatus::Completed && step != nullptr) {
    change.metadata.push_back({"completed_at", "\"" + to_text(step->finished_at) + "\""});
    if (step->attempts > 0) add_hashes(*there, change);
  }
  if (standing == TaskStatus::Failed && step != nullptr)
    change.metadata.push_back({"error", as_json_value(step->reason->empty() ? "failed" : *step->reason)});
  return store.update(id, change);
}

// The digests that the task recorded are those of an earlier completion; now its files are as this one left them.
void TaskFolderRecords::add_hashes(const TaskClaim& task, TaskChange& change) {
  if (task.hashes.empty()) return;
  boost::json::object hashes;
  for (const auto& [path, digest] : task.hashes) {
    const std::string place = to_project_path(app_, path);
    const bool may_be_read = place.starts_with('/') || is_inside(app_, place);
    const Result<std::string> bytes =
        may_be_read ? app_.files.read(app_.project / place, kDocumentBytesMax) : fail(ErrorKind::NotFound, "");
    hashes[path] = bytes ? to_text(digest_of(*bytes)) : digest;
  }
  const bool is_short = task.metadata.contains("hashes") || !task.metadata.contains("file_hashes");
  change.metadata.push_back({is_short ? "hashes" : "file_hashes", boost::json::serialize(hashes)});
}

Result<std::vector<Event>> TaskFolderRecords::news(const RunState& state) {
  std::vector<Event> news;
  if (state.tasks.empty()) return news;  // the list was not taken over yet
  for (const TaskClaim& task : TRY(read_task_list(app_, place_)).tasks) {
    if (!is_work(task)) continue;
    const auto known = state.tasks.find(task.id);
    if (known == state.tasks.end()) {
      const std::string phase(to_token(task.phase.value_or(current_phase_of(state))));
      if (!is_made_again(task, phase, state)) news.emplace_back(change_from(task, phase));
      continue;
    }
    const TaskState& before = known->second;
    if (was_completed_by_others(state, task, before)) {
      news.emplace_back(ClaimImported{.step = step_of_task(before.phase, task.id),
                                      .done = true,
                                      .source = task.file + " of the list",
                                      .rule = "TP-24",
                                      .verdict = ""});
      continue;
    }
    if (before.subject == task.subject && before.description == task.description &&
        before.blocked_by == task.blocked_by)
      continue;
    news.emplace_back(change_from(task, before.phase));
  }
  return news;
}

std::unique_ptr<RunRecords> task_records(App& app, const RunState& state) {
  if (state.workflow != kTaskPipeline || state.state_file.path.empty()) return nullptr;
  const std::optional<TaskListPlace> place = task_list_of(app, state.subject);
  return place ? std::make_unique<TaskFolderRecords>(app, *place) : nullptr;
}

}  // namespace reprise
