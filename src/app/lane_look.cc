#include "app/lane_look.h"

#include <algorithm>
#include <map>

#include "app/lane_definition.h"
#include "app/lane_files.h"
#include "base/strings.h"
#include "formats/lane_checkpoints.h"
#include "git/ensure_worktree.h"
#include "git/git.h"
#include "model/clocks.h"

namespace reprise {
namespace {

RunStatus standing_of(const LaneRow& row, const LaneCheckpoint& latest) {
  if (row.readiness == Readiness::Done) return RunStatus::Done;
  if (row.readiness == Readiness::Blocked) return RunStatus::Unknown;
  if (latest.status == LaneStatus::Failed) return RunStatus::Failed;
  return RunStatus::Interrupted;
}

Candidate to_candidate(const LaneCheckpoint& latest, Timestamp now) {
  const LaneRow& row = decide(latest.stage, latest.status);
  Candidate candidate{.id = to_run_id({latest.run_id, latest.phase, latest.lane}),
                      .system = std::string(kLanesWorkflow),
                      .workflow = std::string(kLanesWorkflow)};
  candidate.subject = latest.run_id + "/" + latest.phase + "/" + latest.lane;
  candidate.state_file = std::string(kCheckpointFile);
  candidate.native_status = std::string(latest.status_word());
  candidate.status = standing_of(row, latest);
  candidate.stage = std::string(latest.stage_word());
  candidate.updated_at = latest.timestamp;
  candidate.age = std::max(Duration(0), now - latest.timestamp);
  candidate.resumable = row.readiness != Readiness::Done;
  candidate.why = std::string(row.reason);
  candidate.about = latest.notes;
  return candidate;
}

// The plan that a hint names: the first word that is a Markdown file.
std::string plan_in(const std::string& hint) {
  for (std::string_view word : split(hint, ' ')) {
    while (!word.empty() && (word.front() == '\'' || word.front() == '"')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == '\'' || word.back() == '"')) word.remove_suffix(1);
    if (word.ends_with(".md")) return std::string(word);
  }
  return "";
}

// The lane's folder relative to the project; "" if it lies elsewhere.
std::string folder_in_project(const App& app, const std::string& path) {
  if (path.empty()) return "";
  const std::filesystem::path place = std::filesystem::path(path).lexically_normal();
  const std::filesystem::path relative = place.is_absolute() ? place.lexically_relative(app.project) : place;
  const std::string text = relative.string();
  return text.empty() || text.starts_with("..") || text == "." ? "" : text;
}

// What a checkpoint's notes say that was committed.
std::string commit_in(const std::string& notes) {
  constexpr std::string_view kWord = "commit ";
  const std::size_t at = notes.rfind(kWord);
  if (at == std::string::npos) return "";
  const std::string_view rest = std::string_view(notes).substr(at + kWord.size());
  const std::size_t end = std::min(rest.find_first_not_of("0123456789abcdef"), rest.size());
  return end == 40 || end == 64 ? std::string(rest.substr(0, end)) : "";
}

// The events that say of the lane what its branch and its checkpoints show. None if there is no branch: it begins
// anew.
Result<std::vector<Event>> events_of_lane(App& app, const LaneFound& found, const Stage& stage) {
  const Git git = TRY(Git::open(app.project));
  const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + stage.lane->branch));
  if (!head) return std::vector<Event>();
  const std::string base =
      found.latest.base_branch.empty() ? TRY(git.branch()).value_or("HEAD") : found.latest.base_branch;
  const GitAnswer start = TRY(git.run({"merge-base", "--", base, *head}));
  const Config config = TRY(read_config(app));
  std::string folder = folder_in_project(app, found.latest.worktree_path);
  if (!folder.starts_with(config.lanes_root + "/"))
    folder = (std::filesystem::path(config.lanes_root) / stage.lane->folder).string();
  const StepPath path{stage.name};
  std::vector<Event> events = {LaneCreated{.lane = path,
                                           .name = stage.name,
                                           .folder = folder,
                                           .branch = stage.lane->branch,
                                           .base = base,
                                           .base_commit = start.ok() ? std::string(trim(start.output)) : *head}};
  std::vector<LaneCheckpoint> records = found.records;
  std::ranges::stable_sort(records, {}, &LaneCheckpoint::timestamp);
  for (const LaneCheckpoint& record : records) {
    const std::string noted = commit_in(record.notes);
    const bool is_start = record.stage == LaneStage::BeforeLaneStart || record.stage == LaneStage::AfterLaneStart;
    events.push_back(CheckpointReached{.lane = path,
                                       .name = std::string(record.stage_word()),
                                       .status = std::string(record.status_word()),
                                       .commit = !noted.empty() ? noted
                                                 : is_start     ? std::get<LaneCreated>(events[0]).base_commit
                                                                : *head,
                                       .snapshot = "",
                                       .notes = record.notes,
                                       .retry_attempt = static_cast<int>(record.retry_attempt.value_or(0)),
                                       .max_retries = static_cast<int>(record.max_retries.value_or(0)),
                                       .failure_context = record.failure_context});
  }
  events.push_back(
      CheckpointReached{.lane = path, .name = std::string(kAdopted), .status = "complete", .commit = *head});
  return events;
}

// Tasks and tests that a checkpoint claims are done.
void add_claims(const LaneFound& found, const Stage& stage, std::vector<Event>& events) {
  const LaneRow& row = decide(found);
  if (row.goes_on_at != LaneStage::PrePr) return;
  for (const Stage& step : stage.stages) {
    if (!step.publish.empty()) continue;
    events.push_back(ClaimImported{.step = StepPath{stage.name + "/" + step.name},
                                   .done = true,
                                   .source = found.file + " line " + std::to_string(found.latest.line),
                                   .rule = std::string(row.label),
                                   .verdict = "",
                                   .work = work_digest(step),
                                   .artifacts = {}});
  }
}

// The lane as its plan has it; null if it has no such lane.
const Stage* lane_in(const Definition& definition, const std::string& name) {
  const auto lane = std::ranges::find_if(definition.workflow.stages,
                                         [&](const Stage& stage) { return stage.lane && stage.name == name; });
  return lane == definition.workflow.stages.end() ? nullptr : &*lane;
}

// The last commit that a checkpoint of the lane names.
std::string recorded_commit(std::vector<LaneCheckpoint> records) {
  std::ranges::stable_sort(records, {}, &LaneCheckpoint::timestamp);
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (const std::string commit = commit_in(record->notes); !commit.empty()) return commit;
  }
  return "";
}

// What git shows of the lane. Asks and changes nothing.
Result<LaneInGit> look_in_git(App& app, const std::string& folder, const LaneFound& found, const Stage& lane) {
  const Git git = TRY(Git::open(app.project));
  LaneInGit seen{.branch = lane.lane->branch, .recorded = recorded_commit(found.records)};
  seen.head = TRY(git.commit_of("refs/heads/" + seen.branch)).value_or("");
  if (!seen.head.empty() && !seen.recorded.empty()) {
    const GitAnswer held = TRY(git.run({"merge-base", "--is-ancestor", seen.recorded, seen.head}));
    seen.has_recorded = held.ok();
  }
  if (!found.worktree_is_there) return seen;
  const Result<Git> there = open_worktree(git, app.project / folder);
  if (!there) return seen;
  const std::string branch = TRY(there->branch()).value_or("no branch");
  if (branch != seen.branch) seen.other_branch = branch;
  const GitAnswer status = TRY(there->run({"status", "--porcelain", "-uno"}));
  seen.is_dirty = status.ok() && !trim(status.output).empty();
  return seen;
}

// What the plan that is named says of the lane, and git. A plan that cannot be read is told by whoever runs it.
Result<void> look_at_planned(App& app, const std::string& folder, LaneFound& found) {
  if (found.latest.lane == "-") return {};
  const Result<Definition> definition = load_lanes(app, found.plan_file, {});
  if (!definition) return {};
  const Stage* lane = lane_in(*definition, found.latest.lane);
  found.is_in_plan = lane != nullptr;
  if (lane != nullptr) found.git = TRY(look_in_git(app, folder, found, *lane));
  return {};
}

}  // namespace

std::vector<Candidate> find_lanes(App& app) {
  std::vector<Candidate> candidates;
  const Result<std::vector<LaneCheckpoint>> records = list_checkpoints(app);
  if (!records) {
    Candidate damaged{.id = RunId{"lanes/checkpoints"}, .system = std::string(kLanesWorkflow)};
    damaged.workflow = damaged.system;
    damaged.subject = "checkpoints";
    damaged.state_file = std::string(kCheckpointFile);
    damaged.damaged = true;
    damaged.resumable = true;
    damaged.why = records.error().message;
    candidates.push_back(std::move(damaged));
    return candidates;
  }
  std::map<std::string, const LaneCheckpoint*> latest;
  for (const LaneCheckpoint& record : *records) {
    const LaneRun run{record.run_id, record.phase, record.lane};
    latest[to_run_id({record.run_id, record.phase, record.lane}).text] = latest_checkpoint(*records, run);
  }
  for (const auto& [id, record] : latest) candidates.push_back(to_candidate(*record, app.clock.now()));
  return candidates;
}

Result<LaneFound> look_at_found_lane(App& app, const Candidate& candidate) {
  LaneFound found{.id = candidate.id, .file = candidate.state_file, .age = candidate.age};
  const std::optional<LaneRunName> name = lane_run_name(candidate.id);
  if (!name) return fail(ErrorKind::Corrupt, candidate.why);
  for (LaneCheckpoint& record : TRY(list_checkpoints(app))) {
    const bool is_its = record.run_id == name->run_id && record.phase == name->phase && record.lane == name->lane;
    if (!is_its) continue;
    if (found.plan_file.empty()) found.plan_file = plan_in(record.resume_hint);
    found.records.push_back(std::move(record));
  }
  const LaneCheckpoint* latest = latest_checkpoint(found.records, {name->run_id, name->phase, name->lane});
  if (latest == nullptr) return fail(ErrorKind::NotFound, candidate.id.text + " is no longer in " + found.file);
  found.latest = *latest;
  for (const LaneCheckpoint& record : found.records) {
    if (found.latest.worktree_path.empty()) found.latest.worktree_path = record.worktree_path;
    if (found.latest.base_branch.empty()) found.latest.base_branch = record.base_branch;
  }
  found.is_of_the_future = found.latest.timestamp > app.clock.now() + kClockSlack;
  const std::string folder = folder_in_project(app, found.latest.worktree_path);
  found.worktree_is_outside = folder.empty() && !found.latest.worktree_path.empty();
  found.worktree_is_there = !folder.empty() && TRY(app.files.stat(app.project / folder)).has_value();
  if (found.plan_file.empty()) return found;
  found.plan_is_there = TRY(app.files.stat(app.project / found.plan_file)).has_value();
  if (found.plan_is_there) TRY_VOID(look_at_planned(app, folder, found));
  return found;
}

Result<Adoption> read_lane_adoption(App& app, const Candidate& candidate, const std::string& plan_file) {
  LaneFound found = TRY(look_at_found_lane(app, candidate));
  if (!plan_file.empty()) found.plan_file = plan_file;
  std::map<std::string, std::string> inputs;
  if (found.latest.lane != "-") inputs["lane"] = found.latest.lane;
  if (!found.latest.base_branch.empty()) inputs["base"] = found.latest.base_branch;
  Adoption adoption{.definition = TRY(load_lanes(app, found.plan_file, inputs))};
  const Workflow& workflow = adoption.definition.workflow;
  RunCreated created = created_by_adoption(adoption.definition, candidate);
  created.workflow = std::string(kLanesWorkflow);
  created.subject = workflow.source;
  created.native_file.clear();  // checkpoints.json is shared by all runs of lanes
  for (const auto& [name, value] : inputs) {
    if (created.values.contains(name)) created.values[name] = value;
  }
  adoption.events.emplace_back(std::move(created));
  for (const Stage& stage : workflow.stages) {
    if (!stage.lane || stage.name != found.latest.lane) continue;
    std::vector<Event> lane = TRY(events_of_lane(app, found, stage));
    if (lane.empty()) continue;
    adoption.events.insert(adoption.events.end(), lane.begin(), lane.end());
    add_claims(found, stage, adoption.events);
  }
  return adoption;
}

}  // namespace reprise
