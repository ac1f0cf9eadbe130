#include "app/lane_look.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "app/lane_definition.h"
#include "app/lane_files.h"
#include "base/strings.h"
#include "formats/lane_checkpoints.h"
#include "formats/lane_plan.h"
#include "git/ensure_worktree.h"
#include "git/git.h"
#include "git/git_output.h"
#include "model/clocks.h"
#include "model/limits.h"

namespace reprise {
namespace {

RunStatus standing_of(const LaneRow& row, const LaneCheckpoint& latest) {
  if (row.readiness == Readiness::Done) return RunStatus::Done;
  if (row.readiness == Readiness::Blocked) return RunStatus::Unknown;
  if (latest.status == LaneStatus::Failed || is_exhausted(latest)) return RunStatus::Failed;
  return RunStatus::Interrupted;
}

Candidate to_candidate(const LaneCheckpoint& latest, Timestamp now) {
  const LaneRow& row = decide(latest);
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

// Where a lane is worked in: where its records say, if that is a place for lanes, else where its plan has it.
std::string place_of_lane(const std::string& root, const std::string& recorded, const Stage& stage) {
  return recorded.starts_with(root + "/") ? recorded : (std::filesystem::path(root) / stage.lane->folder).string();
}

// How an earlier run of ours was about to publish the lane.
std::string publish_in(const std::string& notes) {
  for (const std::string way : {"merge", "pr", "push"}) {
    if (notes.starts_with(way + ": head ")) return way;
  }
  return "";
}

// What the agent that goes on is to know of how the work before it ended.
std::vector<std::string> failures_in(const LaneFound& found) {
  std::vector<LaneCheckpoint> records = found.records;
  std::ranges::stable_sort(records, {}, &LaneCheckpoint::timestamp);
  for (const LaneCheckpoint& record : records | std::views::reverse) {
    if (!record.failure_context.empty()) return record.failure_context;
  }
  const bool is_told = found.latest.status == LaneStatus::Failed && !found.latest.notes.empty();
  if (!is_told) return {};
  return {std::string(found.latest.stage_word()) + " failed: " + found.latest.notes};
}

CheckpointReached import_of(const StepPath& lane, const LaneCheckpoint& record, std::string commit) {
  return {.lane = lane,
          .name = std::string(record.stage_word()),
          .status = std::string(record.status_word()),
          .commit = std::move(commit),
          .snapshot = "",
          .notes = record.notes,
          .retry_attempt = static_cast<int>(record.retry_attempt.value_or(0)),
          .max_retries = static_cast<int>(record.max_retries.value_or(0)),
          .failure_context = record.failure_context};
}

// The checkpoint that ends the import: it keeps what was said of attempts and failures.
CheckpointReached end_of_import(const StepPath& lane, const LaneFound& found, std::string commit) {
  CheckpointReached adopted{
      .lane = lane, .name = std::string(kAdopted), .status = "complete", .commit = std::move(commit)};
  for (const LaneCheckpoint& record : found.records) {
    if (record.stage != LaneStage::RetryAttempt) continue;
    adopted.retry_attempt = static_cast<int>(record.retry_attempt.value_or(0));
    adopted.max_retries = static_cast<int>(record.max_retries.value_or(0));
  }
  adopted.failure_context = failures_in(found);
  return adopted;
}

// The events that say of the lane what its branch and its checkpoints show. Without a branch it begins again, and
// its attempts still count. None if there is nothing to start from: whoever starts it says so.
Result<std::vector<Event>> events_of_lane(App& app, const LaneFound& found, const Stage& stage) {
  const Git git = TRY(Git::open(app.project));
  const std::optional<std::string> head = TRY(git.commit_of("refs/heads/" + stage.lane->branch));
  const std::string base =
      found.latest.base_branch.empty() ? TRY(git.branch()).value_or("HEAD") : found.latest.base_branch;
  std::optional<std::string> start = TRY(git.commit_of(base));
  if (head) {
    const GitAnswer common = TRY(git.run({"merge-base", "--", base, *head}));
    start = common.ok() ? std::string(trim(common.output)) : *head;
  }
  if (!start) return std::vector<Event>();
  const StepPath path{stage.name};
  const std::string folder =
      place_of_lane(TRY(read_config(app)).lanes_root, folder_in_project(app, found.latest.worktree_path), stage);
  std::vector<Event> events = {LaneCreated{.lane = path,
                                           .name = stage.name,
                                           .folder = folder,
                                           .branch = stage.lane->branch,
                                           .base = base,
                                           .base_commit = *start}};
  std::vector<LaneCheckpoint> records = found.records;
  std::ranges::stable_sort(records, {}, &LaneCheckpoint::timestamp);
  const bool has_start =
      std::ranges::find(records, LaneStage::BeforeLaneStart, &LaneCheckpoint::stage) != records.end();
  const CheckpointReached begin{
      .lane = path, .name = std::string(kBeforeLaneStart), .status = "ready", .commit = *start};
  if (head && !has_start) events.push_back(begin);  // what one can go back to, whoever recorded it
  for (const LaneCheckpoint& record : records) {
    const bool is_start = record.stage == LaneStage::BeforeLaneStart || record.stage == LaneStage::AfterLaneStart;
    const bool is_without_branch =
        record.stage == LaneStage::BeforeLaneStart || record.stage == LaneStage::RetryAttempt;
    if (!head && !is_without_branch) continue;
    const std::string noted = head ? commit_in(record.notes) : "";
    events.push_back(import_of(path, record, !noted.empty() ? noted : is_start || !head ? *start : *head));
  }
  events.push_back(end_of_import(path, found, head.value_or(*start)));
  if (!head && !has_start) events.push_back(begin);
  return events;
}

std::string source_of(const LaneFound& found) { return found.file + " line " + std::to_string(found.latest.line); }

// Tasks and tests that a checkpoint claims are done.
void add_claims(const LaneFound& found, const Stage& stage, std::vector<Event>& events) {
  const LaneRow& row = decide(found);
  const bool are_tested = row.goes_on_at == LaneStage::PrePr;
  if (!are_tested && row.goes_on_at != LaneStage::AfterLaneTests) return;
  for (const Stage& step : stage.stages) {
    const bool is_claimed = step.publish.empty() && (are_tested || step.name != stage.lane->tests);
    if (!is_claimed) continue;
    events.push_back(ClaimImported{.step = StepPath{stage.name + "/" + step.name},
                                   .done = true,
                                   .source = source_of(found),
                                   .rule = std::string(row.label),
                                   .verdict = "",
                                   .work = work_digest(step),
                                   .artifacts = {}});
  }
}

// The first step of a lane: what a person is asked about before anything starts.
std::string first_step_of(const Stage& lane) {
  const Stage* stage = &lane;
  std::string path = lane.name;
  while (!stage->stages.empty()) {
    stage = &stage->stages.front();
    path += "/" + stage->name;
  }
  return path;
}

// A lane whose attempts are used up waits for a person.
void add_question(const LaneFound& found, const Stage& stage, std::vector<Event>& events) {
  if (!is_exhausted(found.latest)) return;
  for (const Stage& step : stage.stages) {
    if (!step.needs.empty() || !step.publish.empty()) continue;
    const StepPath path{stage.name + "/" + first_step_of(step)};
    events.push_back(ClaimImported{.step = path,
                                   .source = source_of(found),
                                   .rule = std::string(decide(found).label),
                                   .verdict = "",
                                   .work = {},
                                   .artifacts = {}});
    events.push_back(GateOpened{path, exhausted_question(found.latest), {}});
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

// The folder that has the lane's branch checked out, if that is not the lane's place; relative to the project
// where it lies in it.
Result<std::string> elsewhere_of(App& app, const Git& git, const LaneInGit& seen) {
  for (const WorktreeEntry& entry : TRY(list_worktrees(git))) {
    const bool is_there = entry.branch == seen.branch && TRY(app.files.stat(entry.path)).has_value();
    if (!is_there || entry.path == app.project / seen.place) continue;
    const std::string inside = entry.path.lexically_relative(app.project).string();
    return inside.empty() || inside.starts_with("..") ? entry.path.string() : inside;
  }
  return std::string();
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
  seen.place = place_of_lane(TRY(read_config(app)).lanes_root, folder, lane);
  seen.elsewhere = TRY(elsewhere_of(app, git, seen));
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
  if (lane == nullptr) return {};
  found.first_task = first_step_of(*lane);
  found.git = TRY(look_in_git(app, folder, found, *lane));
  return {};
}

// Phase plans of the project that have the lane: Markdown files that git knows or could add.
Result<std::vector<std::string>> plans_with(App& app, const LaneCheckpoint& lane) {
  std::vector<std::string> plans;
  const Result<Git> git = Git::open(app.project);
  if (!git) return plans;
  const GitAnswer listed =
      TRY(git->run({"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"}));
  if (!listed.ok()) return plans;
  for (const std::string_view file : split(listed.output, '\0')) {
    const std::string path(file);
    if (path.empty()) continue;
    const Result<std::string> bytes = app.files.read(app.project / path, kDocumentBytesMax);
    if (!bytes || !is_phase_plan(*bytes)) continue;
    const std::expected<PhasePlan, std::vector<Problem>> plan = read_phase_plan(*bytes, path);
    if (!plan || plan->phase != lane.phase) continue;
    if (lane.lane == "-" || plan->find_lane(lane.lane) != nullptr) plans.push_back(path);
  }
  std::ranges::sort(plans);
  plans.erase(std::ranges::unique(plans).begin(), plans.end());
  return plans;
}

// Finds the plan that nobody names, where there is one and no other.
Result<void> find_plan(App& app, LaneFound& found) {
  if (found.plan_file.empty() || !found.plan_is_there) found.plans = TRY(plans_with(app, found.latest));
  if (!found.plan_file.empty() || found.plans.size() != 1) return {};
  found.plan_file = found.plans.front();
  found.plan_is_guessed = true;
  found.plan_is_there = true;
  return {};
}

// Takes the records of the lane over, with what the earlier ones of them say where the latest does not.
Result<void> take_records(App& app, const LaneRunName& name, LaneFound& found) {
  LaneCheckpoints file = TRY(read_checkpoints(app));
  for (LaneCheckpoint& record : file.records) {
    const bool is_its = record.run_id == name.run_id && record.phase == name.phase && record.lane == name.lane;
    if (!is_its) continue;
    if (found.plan_file.empty()) found.plan_file = plan_in(record.resume_hint);
    for (const Oddity& oddity : file.oddities) {
      if (oddity.line == record.line) found.oddities.push_back(oddity);
    }
    found.records.push_back(std::move(record));
  }
  const LaneCheckpoint* latest = latest_checkpoint(found.records, {name.run_id, name.phase, name.lane});
  if (latest == nullptr) return fail(ErrorKind::NotFound, found.id.text + " is no longer in " + found.file);
  found.latest = *latest;
  for (const LaneCheckpoint& record : found.records) {
    if (found.latest.worktree_path.empty()) found.latest.worktree_path = record.worktree_path;
    if (found.latest.base_branch.empty()) found.latest.base_branch = record.base_branch;
    if (found.publish.empty() && record.stage == LaneStage::PrePr) found.publish = publish_in(record.notes);
  }
  return {};
}

}  // namespace

std::vector<Candidate> find_lanes(App& app, std::vector<IgnoredFile>& ignored) {
  std::vector<Candidate> candidates;
  const Result<LaneCheckpoints> read = read_checkpoints(app);
  if (!read) {
    Candidate damaged{.id = RunId{"lanes/checkpoints"}, .system = std::string(kLanesWorkflow)};
    damaged.workflow = damaged.system;
    damaged.subject = "checkpoints";
    damaged.state_file = std::string(kCheckpointFile);
    damaged.damaged = true;
    damaged.resumable = true;
    damaged.why = read.error().message;
    candidates.push_back(std::move(damaged));
    return candidates;
  }
  std::map<std::string, const LaneCheckpoint*> latest;
  for (const LaneCheckpoint& record : read->records) {
    const LaneRun run{record.run_id, record.phase, record.lane};
    latest[to_run_id({record.run_id, record.phase, record.lane}).text] = latest_checkpoint(read->records, run);
  }
  for (const Oddity& oddity : read->unusable()) {
    ignored.push_back({std::string(kCheckpointFile) + " line " + std::to_string(oddity.line), oddity.why, true});
  }
  for (const auto& [id, record] : latest) candidates.push_back(to_candidate(*record, app.clock.now()));
  return candidates;
}

Result<LaneFound> look_at_found_lane(App& app, const Candidate& candidate) {
  LaneFound found{.id = candidate.id, .file = candidate.state_file, .age = candidate.age};
  const std::optional<LaneRunName> name = lane_run_name(candidate.id);
  if (!name) return fail(ErrorKind::Corrupt, candidate.why);
  if (!candidate.plan_file.empty()) found.plan_file = plan_place(app, candidate.plan_file);
  found.publish = candidate.publish;
  TRY_VOID(take_records(app, *name, found));
  found.is_of_the_future = found.latest.timestamp > app.clock.now() + kClockSlack;
  const std::string folder = folder_in_project(app, found.latest.worktree_path);
  found.worktree_is_outside = folder.empty() && !found.latest.worktree_path.empty();
  found.worktree_is_there = !folder.empty() && TRY(app.files.stat(app.project / folder)).has_value();
  if (!found.plan_file.empty())
    found.plan_is_there = TRY(app.files.stat(app.project / found.plan_file)).has_value();
  TRY_VOID(find_plan(app, found));
  if (!found.plan_file.empty() && found.plan_is_there) TRY_VOID(look_at_planned(app, folder, found));
  return found;
}

Result<Adoption> read_lane_adoption(App& app, const Candidate& candidate) {
  const LaneFound found = TRY(look_at_found_lane(app, candidate));
  std::map<std::string, std::string> inputs;
  if (found.latest.lane != "-") inputs["lane"] = found.latest.lane;
  if (!found.latest.base_branch.empty()) inputs["base"] = found.latest.base_branch;
  if (!found.publish.empty()) inputs["publish"] = found.publish;
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
    add_question(found, stage, adoption.events);
  }
  return adoption;
}

}  // namespace reprise
