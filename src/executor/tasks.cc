#include "executor/tasks.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/strings.h"
#include "formats/task_metadata.h"

namespace reprise {
namespace {

namespace json = boost::json;

std::string phase_of(const StepPath& step) { return step.text.substr(0, step.text.find('/')); }

// The task of the same phase and subject, if there is one.
std::optional<std::string> find_same(const RunState& state, const std::string& phase, const std::string& subject) {
  for (const auto& [id, task] : state.tasks) {
    if (task.phase == phase && task.subject == subject) return id;
  }
  return std::nullopt;
}

std::string text_of(const std::string& value) {
  boost::system::error_code error;
  const json::value parsed = json::parse(value, error);
  if (!error && parsed.is_string()) return std::string(parsed.get_string());
  return value;
}

}  // namespace

std::string next_task_id(const RunState& state) {
  long long last = 0;
  for (const auto& [id, task] : state.tasks) last = std::max(last, parse_number(id, 1'000'000'000).value_or(0));
  return std::to_string(last + 1);
}

TaskChanged change_of(const std::string& id, const TaskState& task) {
  return {.id = id,
          .subject = task.subject,
          .description = task.description,
          .owner = task.owner,
          .status = task.status,
          .phase = task.phase,
          .blocked_by = task.blocked_by,
          .metadata = task.metadata,
          .removed = false,
          .by = {}};
}

std::vector<Event> events_of_tasks(const WorkerResult& result, const StepPath& step, const RunState& state,
                                   const std::string& by) {
  std::map<std::string, std::string> ids;  // by the name that the result uses
  long long next = parse_number(next_task_id(state), 2'000'000'000).value_or(1);
  std::vector<bool> is_new;
  for (const WorkerResult::Task& task : result.tasks) {
    const std::string phase = task.phase.empty() ? phase_of(step) : task.phase;
    const std::optional<std::string> same = find_same(state, phase, task.subject);
    is_new.push_back(!same);
    const std::string id = same ? *same : std::to_string(next++);
    ids[task.id.empty() ? task.subject : task.id] = id;
  }
  std::vector<Event> events;
  for (std::size_t i = 0; i < result.tasks.size(); ++i) {
    const WorkerResult::Task& task = result.tasks[i];
    if (!is_new[i]) continue;
    TaskChanged change{.id = ids.at(task.id.empty() ? task.subject : task.id),
                       .subject = task.subject,
                       .description = task.description,
                       .owner = "",
                       .status = "pending",
                       .phase = task.phase.empty() ? phase_of(step) : task.phase,
                       .metadata = task.metadata,
                       .by = by};
    for (const std::string& blocker : task.blocked_by) {
      const auto named = ids.find(blocker);
      change.blocked_by.push_back(named == ids.end() ? blocker : named->second);
    }
    events.push_back(std::move(change));
  }
  return events;
}

const TaskState* permanent_task(const RunState& state) {
  for (const auto& [id, task] : state.tasks) {
    const auto reason = task.metadata.find("reason");
    const bool is_duplicate = reason != task.metadata.end() && text_of(reason->second) == "duplicate";
    if (task.subject.starts_with(kPermanentPrefix) && !is_duplicate) return &task;
  }
  return nullptr;
}

std::string background_of(const RunState& state) {
  const TaskState* permanent = permanent_task(state);
  if (permanent == nullptr) return "";
  std::string text = permanent->subject + "\n\n" + permanent->description + "\n";
  for (const auto& [key, value] : permanent->metadata) text += "\n" + key + ": " + text_of(value);
  return text;
}

TaskHints hints_of(const TaskState& task) {
  std::string bytes;
  for (const auto& [key, value] : task.metadata)
    bytes += (bytes.empty() ? "{" : ",") + json::serialize(json::string(key)) + ":" + value;
  if (bytes.empty()) return {};
  bytes += '}';
  const Result<JsonNode> metadata = read_json_value(bytes, 0, {});
  if (!metadata) return {};
  TaskClaim claim;
  std::vector<Oddity> oddities;
  read_task_metadata(bytes, *metadata, claim, oddities);
  return {std::move(claim.agent), std::move(claim.files), std::move(claim.outputs), std::move(claim.results)};
}

}  // namespace reprise
