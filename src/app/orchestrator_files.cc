#include "app/orchestrator_files.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/orchestrator_states.h"
#include "app/project_files.h"
#include "base/digest.h"
#include "base/strings.h"
#include "formats/execution_plan.h"
#include "planner/spec_pipeline_rules.h"

namespace reprise {
namespace {

constexpr std::size_t kFilesMax = 500;

// "epic-quay-execution" for the epics QUAY and EPIC-QUAY.
std::string plan_stem(std::string_view epic) {
  const std::string id = to_lower(epic);
  return (id.starts_with("epic-") ? id : "epic-" + id) + "-execution";
}

std::string find_plan_in(FoundFiles& files, const std::string& folder, const std::string& stem) {
  for (const std::string& name : files.list(folder)) {
    const std::string lower = to_lower(name);
    if (lower == stem + ".yaml" || lower == stem + ".yml") return folder + "/" + name;
  }
  return "";
}

// In the folders of stories and epics, and one below.
std::string find_usual_plan(FoundFiles& files, const OrchestratorSnapshot& seen) {
  static constexpr std::array<std::string_view, 4> kRoots = {"docs/stories/epics", "docs/stories", "docs/epics",
                                                             "docs"};
  for (const std::string& epic : {seen.subject, seen.epic.id}) {
    if (epic.empty()) continue;
    for (const std::string_view each : kRoots) {
      const std::string root(each);
      std::string found = find_plan_in(files, root, plan_stem(epic));
      if (!found.empty()) return found;
      if (root == "docs") continue;
      for (const std::string& name : files.list(root)) {
        if (name.find('.') == std::string::npos || files.is_folder(root + "/" + name))
          found = find_plan_in(files, root + "/" + name, plan_stem(epic));
        if (!found.empty()) return found;
      }
    }
  }
  return "";
}

bool looks_like_path(std::string_view text) {
  if (text.empty() || text.size() > 500 || text.find_first_of(" \t\n\"'{}") != std::string_view::npos)
    return false;
  const std::size_t dot = text.rfind('.');
  return text.find('/') != std::string_view::npos ||
         (dot != std::string_view::npos && dot > 0 && dot + 1 < text.size());
}

class FileList {
 public:
  FileList(App& app, const OrchestratorSnapshot& seen, const WorkflowCourse& course)
      : app_(app), seen_(seen), course_(course) {
    for (const CourseStep& step : course_.steps) {
      if (open_.empty() && step.decision.decision != Decision::Keep) open_ = step.decision.step.text;
    }
  }

  std::vector<ReferencedFile> make() {
    if (seen_.kind == OrchestratorKind::Epic) add_plan();
    for (const std::string& id : stories_of(seen_)) add_story(id);
    if (seen_.kind == OrchestratorKind::StoryCycle) add_file_list();
    if (seen_.kind == OrchestratorKind::SpecPipeline) add_spec_artifacts();
    if (seen_.kind == OrchestratorKind::Flow) add_flow_artifacts();
    add_needed(seen_.flow.templates, FileRole::Template);
    add_needed(seen_.flow.configs, FileRole::Config);
    if (seen_.execution_plan) add_needed({seen_.execution_plan->template_file}, FileRole::Template);
    return std::move(out_);
  }

 private:
  void add(ReferencedFile file) {
    if (file.path.empty() || out_.size() >= kFilesMax || !listed_.insert(file.path).second) return;
    out_.push_back(std::move(file));
  }

  void add_plan() {
    if (seen_.epic.execution_plan.empty()) return;
    std::string path = path_in_project(app_, seen_.epic.execution_plan);
    if (path.empty()) path = seen_.epic.execution_plan;
    ReferencedFile file = look_at_file(app_, path, FileRole::ExecutionPlan);
    // Read from its usual place, it is not missing.
    if (!file.exists && seen_.execution_plan) return;
    file.phase = open_;
    add(std::move(file));
  }

  // What no step makes, and whatever is left needs.
  void add_needed(const std::vector<std::string>& paths, FileRole role) {
    for (const std::string& written : paths) {
      if (!looks_like_path(written)) continue;
      ReferencedFile file = look_at_file(app_, path_in_project(app_, written), role);
      file.phase = open_;
      add(std::move(file));
    }
  }

  std::string step_of_story(const std::string& id) const {
    if (seen_.kind == OrchestratorKind::StoryCycle) return "validate";
    if (seen_.kind != OrchestratorKind::Epic) return open_;
    const auto step = std::ranges::find(course_.steps, id, &CourseStep::story);
    return step == course_.steps.end() ? "" : step->decision.step.text;
  }

  void add_story(const std::string& id) {
    const StorySeen* story = find_story(seen_, id);
    if (story == nullptr || story->path.empty()) return;
    ReferencedFile file = look_at_file(app_, story->path, FileRole::Story);
    file.phase = step_of_story(id);
    if (seen_.kind == OrchestratorKind::StoryCycle) file.made_by = "create";
    file.story = id;
    add(std::move(file));
  }

  void add_file_list() {
    const StorySeen* story = find_story(seen_, seen_.subject);
    if (story == nullptr) return;
    for (const std::string& written : story->claims.files) {
      const std::string path = path_in_project(app_, written);
      const bool is_pattern = path.find('*') != std::string::npos && !is_inside(app_, path);
      if (path.empty() || is_pattern) continue;
      ReferencedFile file = look_at_file(app_, path, FileRole::Artifact);
      file.phase = "review";
      file.made_by = "implement";
      file.story = seen_.subject;
      add(std::move(file));
    }
  }

  // What is not there is only missed where the rules say that it should be: a simple spec has no assessment.
  void add_spec_artifacts() {
    static constexpr std::array<std::string_view, 5> kNames = {"requirements", "complexity", "research", "spec",
                                                               "critique"};
    const std::string folder = seen_.state_file.substr(0, seen_.state_file.rfind('/') + 1);
    for (std::size_t i = 0; i < kNames.size() && i < course_.steps.size(); ++i) {
      ReferencedFile file = look_at_file(app_, folder + artifact_name(folder, kNames[i]), FileRole::Artifact);
      const bool is_missed = course_.steps[i].decision.decision == Decision::Rerun;
      if (!file.exists && !is_missed) continue;
      file.made_by = course_.steps[i].decision.step.text;
      if (i + 1 < course_.steps.size()) file.phase = course_.steps[i + 1].decision.step.text;
      add(std::move(file));
    }
  }

  std::string artifact_name(const std::string& folder, std::string_view artifact) {
    if (artifact == "spec") return "spec.md";
    for (const char* ending : {".json", ".yaml", ".yml", ".md"}) {
      std::string name = std::string(artifact) + ending;
      if (is_inside(app_, folder + name)) return name;
    }
    return std::string(artifact) + ".json";
  }

  // A step's output is its own. An artifact that only the whole state lists is a certain step's if only one is
  // completed; otherwise nothing says whose it is, and it is needed by what comes next.
  void add_flow_artifacts() {
    std::vector<std::string> completed;
    for (std::size_t i = 0; i < seen_.flow.steps.size() && i < course_.steps.size(); ++i) {
      const ClaimedFlowStep& claim = seen_.flow.steps[i];
      if (claim.completed) completed.push_back(course_.steps[i].decision.step.text);
      if (!claim.completed || !looks_like_path(claim.output)) continue;
      ReferencedFile file = look_at_file(app_, path_in_project(app_, claim.output), FileRole::Artifact);
      file.made_by = completed.back();
      file.phase = i + 1 < course_.steps.size() ? course_.steps[i + 1].decision.step.text : "";
      file.story = seen_.flow.story;
      add(std::move(file));
    }
    for (const std::string& written : seen_.flow.artifacts) {
      if (!looks_like_path(written)) continue;
      ReferencedFile file = look_at_file(app_, path_in_project(app_, written), FileRole::Artifact);
      if (completed.size() == 1) file.made_by = completed.front();
      file.phase = open_;
      file.story = seen_.flow.story;
      add(std::move(file));
    }
  }

  App& app_;
  const OrchestratorSnapshot& seen_;
  const WorkflowCourse& course_;
  std::string open_;  // the first step that is not kept
  std::set<std::string> listed_;
  std::vector<ReferencedFile> out_;
};

}  // namespace

std::string path_in_project(App& app, std::string_view written) {
  std::string text(trim(written));
  if (text.empty() || text.find('\0') != std::string::npos) return "";
  std::ranges::replace(text, '\\', '/');
  const std::string normal = std::filesystem::path(text).lexically_normal().generic_string();
  const bool is_here = !normal.starts_with('/') && !normal.starts_with("..") && normal != ".";
  if (is_here && is_inside(app, normal)) return normal;
  for (std::size_t at = normal.find('/'); at != std::string::npos; at = normal.find('/', at + 1)) {
    const std::string tail = normal.substr(at + 1);
    if (!tail.empty() && !tail.starts_with("..") && is_inside(app, tail)) return tail;
  }
  return is_here ? normal : "";
}

ReferencedFile look_at_file(App& app, std::string path, FileRole role) {
  ReferencedFile file{.path = std::move(path), .role = role};
  if (!is_inside(app, file.path)) return file;
  file.exists = true;
  const Result<std::optional<FileInfo>> info = app.files.stat(app.project / file.path);
  if (info && *info) file.modified_at = (*info)->modified;
  const bool is_file = info && *info && (*info)->type == FileType::Regular;
  if (const std::optional<std::string> bytes = is_file ? read_inside(app, file.path) : std::nullopt)
    file.digest = to_text(digest_of(*bytes));
  return file;
}

void find_execution_plan(App& app, FoundFiles& files, OrchestratorSnapshot& seen) {
  std::string path = path_in_project(app, seen.epic.execution_plan);
  if (path.empty() || !is_inside(app, path)) path = find_usual_plan(files, seen);
  if (path.empty()) return;
  const Result<FolderReader::File> file = files.read(path);
  Result<ExecutionPlanClaims> plan = file ? read_execution_plan(file->bytes, path) : fail(file.error());
  if (plan) {
    seen.execution_plan = std::move(*plan);
    if (seen.epic.execution_plan.empty()) seen.epic.execution_plan = path;
    return;
  }
  seen.epic.oddities.push_back(
      {0, path, "the execution plan does not count: " + files.sentence(path, plan.error())});
}

std::string planned_story_file(App& app, const OrchestratorSnapshot& seen, std::string_view id) {
  if (!seen.execution_plan) return "";
  for (const PlannedStory& story : seen.execution_plan->stories) {
    if (story_key(story.id) != story_key(id) || story.file.empty()) continue;
    const std::string& folder = seen.execution_plan->story_folder;
    const std::string below = path_in_project(app, folder.empty() ? story.file : folder + "/" + story.file);
    const std::string alone = path_in_project(app, story.file);
    return !is_inside(app, below) && is_inside(app, alone) ? alone : below;
  }
  return "";
}

std::vector<ReferencedFile> referenced_files(App& app, const OrchestratorSnapshot& seen,
                                             const WorkflowCourse& course) {
  return FileList(app, seen, course).make();
}

}  // namespace reprise
