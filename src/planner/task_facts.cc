#include "planner/task_facts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/digest.h"
#include "base/strings.h"

namespace reprise {
namespace {

// Keys of the metadata that show that a task was done, beside those that its claim holds as results.
constexpr std::array<std::string_view, 2> kResultKeys = {"summary", "evidence"};

TaskWork work_of(const TaskClaim& task) {
  if (task.is_damaged) return TaskWork::Unreadable;
  switch (status_of(task)) {
    case TaskStatus::Pending: return TaskWork::Pending;
    case TaskStatus::InProgress: return TaskWork::InProgress;
    case TaskStatus::Completed: return TaskWork::Completed;
    case TaskStatus::Failed: return TaskWork::Failed;
    case TaskStatus::Unknown: return TaskWork::Unknown;
  }
  return TaskWork::Unknown;
}

bool has_result_in_metadata(const TaskClaim& task) {
  return std::ranges::any_of(task.metadata, [](const auto& entry) {
    const bool is_result = std::ranges::find(kResultKeys, to_lower(entry.first)) != kResultKeys.end();
    return is_result && !entry.second.empty() && entry.second != "null" && entry.second != "false";
  });
}

// Times are compared by the second: files are stamped more finely than tasks say when they were done.
bool is_newer(Timestamp a, Timestamp b) { return a.ms / 1'000 > b.ms / 1'000; }

// Every path that a task names, each once.
template <typename Visit>
void for_each_path(const TaskClaim& task, Visit visit) {
  std::unordered_set<std::string_view> met;
  for (const std::string& path : task.files) {
    if (met.insert(path).second) visit(path);
  }
  for (const std::string& path : task.outputs) {
    if (met.insert(path).second) visit(path);
  }
  for (const auto& [path, hash] : task.hashes) {
    if (met.insert(path).second) visit(path);
  }
}

// Fills in what the files and commits of tasks look like.
class Looker {
 public:
  Looker(const TaskSnapshot& snapshot, std::vector<TaskFact>& tasks) : seen_(snapshot), tasks_(tasks) {}

  void look() {
    for (TaskFact& task : tasks_) look_at_outputs(task);
    for (const TaskFact& task : tasks_) {
      if (task.work == TaskWork::Completed) note_explained(task);
    }
    for (TaskFact& task : tasks_) {
      if (task.work == TaskWork::Completed) find_stale(task);
      look_at_commits(task);
    }
  }

 private:
  const TaskFileSeen* find(const std::string& path) const {
    const auto found = seen_.files.find(path);
    return found == seen_.files.end() ? nullptr : &found->second;
  }

  void look_at_outputs(TaskFact& task) const {
    for (const std::string& path : task.claim->outputs) {
      const TaskFileSeen* file = find(path);
      if (file == nullptr) continue;
      (file->exists ? task.outputs : task.gone_outputs).push_back(path);
    }
    const auto is_there = [&](const std::string& path) {
      const TaskFileSeen* file = find(path);
      return file != nullptr && file->exists;
    };
    for (const std::string& result : task.claim->results)
      (is_there(result) ? task.outputs : task.results).push_back(result);
    task.has_file_evidence = !task.outputs.empty() || std::ranges::any_of(task.claim->files, is_there);
    const bool has_hashed =
        std::ranges::any_of(task.claim->hashes, [&](const auto& entry) { return is_there(entry.first); });
    task.has_file_evidence = task.has_file_evidence || has_hashed;
    task.has_result =
        !task.outputs.empty() || !task.results.empty() || has_hashed || has_result_in_metadata(*task.claim);
  }

  // Whether the file is as `task` left it.
  bool is_as_left(const TaskClaim& task, const std::string& path, const TaskFileSeen& file) const {
    if (const auto hash = task.hashes.find(path); hash != task.hashes.end()) {
      const std::optional<Digest> left = parse_digest(hash->second);
      const std::optional<Digest> now = parse_digest(file.digest);
      if (left && (now || !file.exists)) return left == now;
    }
    return file.exists && !is_newer(file.modified, completion_of(task, seen_.now));
  }

  void note_explained(const TaskFact& task) {
    const Timestamp completed = completion_of(*task.claim, seen_.now);
    for_each_path(*task.claim, [&](const std::string& path) {
      const TaskFileSeen* file = find(path);
      if (file == nullptr || !is_as_left(*task.claim, path, *file)) return;
      const auto [place, is_new] = explained_.try_emplace(path, completed);
      if (!is_new) place->second = std::max(place->second, completed);
    });
  }

  void find_stale(TaskFact& task) const {
    const Timestamp completed = completion_of(*task.claim, seen_.now);
    for_each_path(*task.claim, [&](const std::string& path) {
      const TaskFileSeen* file = find(path);
      if (file == nullptr || std::ranges::find(task.gone_outputs, path) != task.gone_outputs.end()) return;
      if (const auto passed = seen_.verified.find(path);
          passed != seen_.verified.end() && passed->second == file->digest) {
        return;
      }
      const auto explained = explained_.find(path);
      if (explained != explained_.end() && explained->second >= completed) return;
      task.stale_files.push_back(path);
    });
  }

  void look_at_commits(TaskFact& task) const {
    for (const std::string& commit : task.claim->commits) {
      const auto found = seen_.git.commits.find(commit);
      if (found == seen_.git.commits.end()) continue;
      if (!found->second) task.gone_commits.push_back(commit);
      if (found->second) task.has_result = task.has_file_evidence = true;
    }
  }

  const TaskSnapshot& seen_;
  std::vector<TaskFact>& tasks_;
  std::unordered_map<std::string_view, Timestamp> explained_;  // by path: the last task that left it as it is
};

// The phase that the pipeline is in, for tasks that name none: the permanent task's, but not beyond the first that
// holds unfinished work.
TaskPhase current_phase(const TaskFacts& facts) {
  std::optional<TaskPhase> first_open;
  std::optional<TaskPhase> last;
  for (const TaskFact& task : facts.tasks) {
    if (!task.claim->phase) continue;
    if (!last || *last < task.phase) last = task.phase;
    if (task.work != TaskWork::Completed && (!first_open || task.phase < *first_open)) first_open = task.phase;
  }
  const TaskPhase by_tasks = first_open ? *first_open : last.value_or(TaskPhase::P0);
  if (!facts.claimed) return by_tasks;
  const TaskPhase claimed = phase_on_path(facts.tier, *facts.claimed);
  return first_open ? std::min(claimed, *first_open) : claimed;
}

void count_phases(TaskFacts& facts) {
  for (TaskFact& task : facts.tasks) {
    if (!task.claim->phase) continue;
    task.is_off_path = !is_on_path(facts.tier, *task.claim->phase);
    task.phase = phase_on_path(facts.tier, *task.claim->phase);
  }
  const TaskPhase current = current_phase(facts);
  for (TaskFact& task : facts.tasks) {
    if (!task.claim->phase) task.phase = current;
  }
}

void find_suspects(TaskFacts& facts) {
  for (int node = 0; node < facts.graph.size(); ++node) {
    TaskFact& task = facts.tasks[static_cast<std::size_t>(node)];
    if (task.work != TaskWork::Completed) continue;
    task.is_suspect = std::ranges::any_of(facts.graph.blockers(node), [&](int blocker) {
      return facts.tasks[static_cast<std::size_t>(blocker)].work == TaskWork::Failed;
    });
  }
}

// Commits that the permanent task expects and nobody says he made were made by execution, or by the last phase
// before it that completed anything.
void find_lost_commits(const TaskSnapshot& snapshot, TaskFacts& facts) {
  if (facts.permanent == nullptr) return;
  std::unordered_set<std::string_view> made;
  for (const TaskFact& task : facts.tasks) made.insert(task.claim->commits.begin(), task.claim->commits.end());
  for (const std::string& commit : facts.permanent->commits) {
    const auto found = snapshot.git.commits.find(commit);
    if (found == snapshot.git.commits.end() || found->second || made.contains(commit)) continue;
    facts.lost.push_back(commit);
  }
  if (facts.lost.empty()) return;
  for (const TaskFact& task : facts.tasks) {
    if (task.work != TaskWork::Completed || task.phase > TaskPhase::P6) continue;
    if (!facts.lost_from || *facts.lost_from < task.phase) facts.lost_from = task.phase;
  }
  for (TaskFact& task : facts.tasks) task.phase_lost_commit = task.phase == facts.lost_from;
}

}  // namespace

TaskFacts::TaskFacts(const TaskSnapshot& snapshot) : graph(snapshot.claims) {
  permanent = snapshot.claims.permanent ? &*snapshot.claims.permanent : nullptr;
  if (permanent != nullptr) {
    tier = permanent->tier.value_or(TaskTier::Complex);
    claimed = permanent->current_phase;
  }
  tasks.resize(static_cast<std::size_t>(graph.size()));
  is_all_completed = !tasks.empty();
  for (int node = 0; node < graph.size(); ++node) {
    TaskFact& task = tasks[static_cast<std::size_t>(node)];
    task.claim = &graph.task(node);
    task.work = work_of(*task.claim);
    is_all_completed = is_all_completed && task.work == TaskWork::Completed;
  }
  count_phases(*this);
  find_suspects(*this);
  Looker(snapshot, tasks).look();
  find_lost_commits(snapshot, *this);
  is_rebuilt = tasks.empty() && permanent != nullptr && permanent->is_rebuilt && lost.empty();
}

const ClaimedPhase* TaskFacts::find_signal(TaskPhase phase) const {
  if (permanent == nullptr) return nullptr;
  const auto found = std::ranges::find(permanent->phases, phase, &ClaimedPhase::phase);
  return found == permanent->phases.end() ? nullptr : &*found;
}

Timestamp completion_of(const TaskClaim& task, Timestamp now) {
  return task.completed_at && *task.completed_at <= now ? *task.completed_at : task.file_time;
}

std::optional<TaskPhase> phase_shown_by_commits(const TaskSnapshot& snapshot) {
  if (!snapshot.claims.permanent) return std::nullopt;
  const PermanentTask& permanent = *snapshot.claims.permanent;
  std::optional<TaskPhase> shown;
  std::optional<TaskPhase> gone;
  for (const std::string& commit : permanent.commits) {
    const auto seen = snapshot.git.commits.find(commit);
    if (seen == snapshot.git.commits.end()) continue;
    const auto named = permanent.commit_phases.find(commit);
    const TaskPhase phase = named == permanent.commit_phases.end() ? TaskPhase::P6 : named->second;
    if (seen->second) shown = std::max(shown, std::optional(phase));
    if (!seen->second && (!gone || phase < *gone)) gone = phase;
  }
  if (!shown || !gone || *shown < *gone) return shown;
  if (*gone == TaskPhase::P0) return std::nullopt;
  return static_cast<TaskPhase>(static_cast<int>(*gone) - 1);
}

TaskPhase phase_on_path(TaskTier tier, TaskPhase phase) {
  TaskPhase found = TaskPhase::P0;
  for (const TaskPhase each : phases_of(tier)) {
    if (each <= phase) found = each;
  }
  return found;
}

}  // namespace reprise
