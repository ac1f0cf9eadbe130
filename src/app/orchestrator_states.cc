#include "app/orchestrator_states.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "formats/epic_state.h"
#include "formats/flow_state.h"
#include "formats/qa_loop.h"
#include "formats/spec_pipeline.h"
#include "planner/epic_rules.h"
#include "planner/flow_rules.h"
#include "planner/orchestrator_rules.h"
#include "planner/qa_loop_rules.h"
#include "planner/spec_pipeline_rules.h"
#include "planner/story_cycle_rules.h"

namespace reprise {
namespace {

constexpr std::size_t kStoriesSeenMax = 5'000;  // with those that they depend on
constexpr std::string_view kSpecsFolder = "docs/specs";

bool is_yaml(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }
bool is_data(std::string_view name) { return is_yaml(name) || name.ends_with(".json"); }
bool is_loop(std::string_view name) { return name == "loop-status.json"; }
bool is_named_state(std::string_view name) {
  return (is_yaml(name) && name.substr(0, name.rfind('.')).ends_with("-state")) || name == "session-state.json";
}

// The name without its ending and without "-state".
std::string stem_of(std::string_view path) {
  std::string_view stem = file_name(path);
  stem = stem.substr(0, stem.rfind('.'));
  constexpr std::string_view kState = "-state";
  if (stem.ends_with(kState) && stem.size() > kState.size()) stem.remove_suffix(kState.size());
  return std::string(stem);
}

// A copy that a program made before it replaced the file, or was making when it was stopped.
bool is_copy_of(std::string_view name, std::string_view of) {
  if (!name.starts_with(of)) return false;
  const std::string_view rest = name.substr(of.size());
  return rest == ".bak" || rest == ".tmp" || rest.starts_with(".tmp.");
}

std::string subject_of(const OrchestratorSnapshot& seen) {
  const std::string stem = stem_of(seen.state_file);
  constexpr std::string_view kEpic = "epic-";
  switch (seen.kind) {
    case OrchestratorKind::Epic: return stem.starts_with(kEpic) ? stem.substr(kEpic.size()) : stem;
    case OrchestratorKind::QaLoop: {
      if (seen.state_file != "qa/loop-status.json") {
        const std::string folder = seen.state_file.substr(0, seen.state_file.rfind('/'));
        return std::string(file_name(folder));
      }
      return seen.qa_loop.story.empty() ? stem : seen.qa_loop.story;
    }
    default: break;
  }
  if (!seen.flow.id.empty()) return seen.flow.id;
  // One story may have a state in each of these folders.
  return seen.state_file.find("/master-orchestrator/") == std::string::npos ? stem : "master-" + stem;
}

// Finds and reads the files of one project.
class StateReading {
 public:
  StateReading(App& app, FoundFiles& files) : app_(app), files_(files), now_(app.clock.now()) {}

  void read_epics_and_flows() {
    for (const char* each : {".aios", ".aiox", ".nexos"}) {
      const std::string root = each;
      const std::vector<std::string> names = files_.list(root);
      visit(root, names, is_named_state);
      const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
      for (const std::string& folder : {root + "/workflow-state", root + "/master-orchestrator"}) {
        if (has(file_name(folder))) visit(folder, files_.list(folder), is_data);
      }
    }
  }

  void read_qa_loops() {
    const std::vector<std::string> names = files_.list("qa");
    visit("qa", names, is_loop);
    for (const std::string& name : names) {
      const std::string folder = "qa/" + name;
      if (name.front() != '.' && files_.is_folder(folder)) visit(folder, files_.list(folder), is_loop);
    }
  }

  void read_spec_pipelines(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
      const std::string parent = folder.substr(0, folder.rfind('/'));
      add_spec(folder, std::string(file_name(parent)), false);
    }
    for (const std::string& name : files_.list(std::string(kSpecsFolder))) {
      if (name.find('.') == std::string::npos) add_spec(std::string(kSpecsFolder) + "/" + name, name, true);
    }
  }

  std::vector<OrchestratorState> finish() {
    std::vector<OrchestratorState> out;
    for (auto& [subject, states] : found_) out.push_back(choose(std::move(states)));
    return out;
  }

 private:
  // Reads the states in a folder. A backup alone is what a reset leaves, and no state.
  void visit(const std::string& folder, const std::vector<std::string>& names,
             bool (*is_state)(std::string_view)) {
    constexpr std::string_view kBackup = ".bak";
    for (const std::string& name : names) {
      if (is_state(name)) add(folder, name, names);
      if (!name.ends_with(kBackup)) continue;
      const std::string of = name.substr(0, name.size() - kBackup.size());
      const bool is_alone = is_state(of) && std::ranges::find(names, of) == names.end();
      if (is_alone) files_.pass_over(folder + "/" + name, "it is a backup of a state file that is not there");
    }
  }

  void add(const std::string& folder, const std::string& name, const std::vector<std::string>& beside) {
    std::optional<OrchestratorState> state = read(folder + "/" + name, name);
    if (!state) return;
    OrchestratorSnapshot& seen = state->seen;
    for (const std::string& copy : beside) {
      if (is_copy_of(copy, name)) weigh(folder + "/" + copy, name, *state);
    }
    if (seen.subject.empty()) seen.subject = subject_of(seen);
    found_[{seen.kind, seen.subject}].push_back(std::move(*state));
  }

  // Reads a file as what its name says, else as the other of the two kinds that share these folders. Nothing if it
  // is gone or something else.
  std::optional<OrchestratorState> read(const std::string& path, const std::string& name) {
    const Result<FolderReader::File> file = files_.read(path);
    const bool is_folder = !file && file.error().kind == ErrorKind::NotFound && files_.is_folder(path);
    if (!file && file.error().kind == ErrorKind::NotFound && !is_folder) return std::nullopt;
    using enum OrchestratorKind;
    std::vector<OrchestratorKind> kinds = {Flow, Epic};
    if (name.starts_with("epic-")) kinds = {Epic, Flow};
    if (is_loop(name)) kinds = {QaLoop};
    OrchestratorState state;
    state.seen.state_file = path;
    state.seen.now = now_;
    state.seen.kind = kinds.front();
    if (!file) {
      state.seen.unreadable =
          is_folder ? path + ": it is a folder, not a file" : files_.sentence(path, file.error());
      state.seen.is_closed = !is_folder;
      state.seen.file_time = files_.time_of(path).value_or(now_);
      return state;
    }
    state.seen.file_time = file->modified;
    std::string why;
    for (const OrchestratorKind kind : kinds) {
      state.seen.kind = kind;
      const Result<void> read = read_claims(app_, state.seen, file->bytes);
      if (read) return state;
      if (why.empty()) why = read.error().message;
    }
    files_.ignore(path, "it " + why);
    return std::nullopt;
  }

  // What a copy beside a file is worth to somebody who finds the file damaged.
  void weigh(const std::string& path, const std::string& name, OrchestratorState& state) {
    state.others.push_back(path);
    if (!is_damaged(state.seen)) return;
    std::vector<IgnoredFile> ignored;
    FoundFiles quiet(app_, ignored);
    const Result<FolderReader::File> file = quiet.read(path);
    if (!file) return;
    OrchestratorSnapshot copy{
        .kind = state.seen.kind, .state_file = path, .now = now_, .file_time = file->modified};
    if (!read_claims(app_, copy, file->bytes) || is_damaged(copy)) return;
    state.remark = remark_on(copy, state.seen);
    // The name that its states had while they could be read.
    copy.state_file = state.seen.state_file;
    const bool is_named = copy.kind == OrchestratorKind::Flow || is_loop(name);
    if (is_named) state.seen.subject = subject_of(copy);
  }

  static std::string remark_on(const OrchestratorSnapshot& sound, const OrchestratorSnapshot& damaged) {
    const bool is_older = sound.file_time < damaged.file_time;
    return sound.state_file + " is sound" + (is_older ? ", but older: it is of " : " and not older: it is of ") +
           to_text(sound.file_time);
  }

  // In docs/specs other things than pipelines are kept too: only a file in the pipeline's own form tells it.
  void add_spec(const std::string& folder, const std::string& name, bool is_shared) {
    OrchestratorState state;
    state.seen.now = now_;
    state.seen.subject = name;
    const std::vector<std::string> names = read_spec_folder(files_, folder, state.seen);
    if (names.empty()) return;
    const bool has_data = std::ranges::any_of(names, [](std::string_view each) { return !each.ends_with(".md"); });
    if (is_shared && !has_data) {
      return files_.pass_over(folder,
                              "it is not a spec pipeline's folder: no state file, and no artifact in JSON "
                              "or YAML");
    }
    found_[{state.seen.kind, name}].push_back(std::move(state));
  }

  static OrchestratorState choose(std::vector<OrchestratorState> states) {
    std::ranges::stable_sort(states, std::greater<>(),
                             [](const OrchestratorState& state) { return last_activity(state.seen); });
    OrchestratorState newest = std::move(states.front());
    for (std::size_t i = 1; i < states.size(); ++i) {
      OrchestratorState& older = states[i];
      const bool is_better = is_damaged(newest.seen) && !is_damaged(older.seen) && newest.remark.empty();
      if (is_better) newest.remark = remark_on(older.seen, newest.seen);
      newest.others.push_back(older.seen.state_file);
      std::ranges::move(older.others, std::back_inserter(newest.others));
    }
    return newest;
  }

  App& app_;
  FoundFiles& files_;
  Timestamp now_;
  std::map<std::pair<OrchestratorKind, std::string>, std::vector<OrchestratorState>> found_;
};

// Keeps what was read, or why it was not.
template <typename Claims>
Result<void> keep(App& app, OrchestratorSnapshot& seen, Result<Claims> read, Claims& into) {
  if (read) {
    into = std::move(*read);
    return {};
  }
  if (read.error().kind == ErrorKind::Invalid) return fail(read.error());
  seen.unreadable = sentence_about(app, seen.state_file, read.error());
  return {};
}

}  // namespace

std::vector<OrchestratorState> read_orchestrator_states(App& app, FoundFiles& files,
                                                        const std::vector<std::string>& spec_folders) {
  StateReading reading(app, files);
  reading.read_epics_and_flows();
  reading.read_qa_loops();
  reading.read_spec_pipelines(spec_folders);
  return reading.finish();
}

Result<void> read_claims(App& app, OrchestratorSnapshot& seen, std::string_view bytes) {
  const std::string& file = seen.state_file;
  switch (seen.kind) {
    case OrchestratorKind::Epic: return keep(app, seen, read_epic_state(bytes, file), seen.epic);
    case OrchestratorKind::QaLoop: {
      TRY_VOID(keep(app, seen, read_qa_loop(bytes, file), seen.qa_loop));
      if (!seen.unreadable.empty()) seen.qa_loop = read_torn_qa_loop(bytes);
      return {};
    }
    case OrchestratorKind::Flow: return keep(app, seen, read_flow_state(bytes, file), seen.flow);
    case OrchestratorKind::StoryCycle:
    case OrchestratorKind::SpecPipeline: break;
  }
  return {};
}

std::vector<std::string> read_spec_folder(FoundFiles& files, const std::string& folder,
                                          OrchestratorSnapshot& seen) {
  std::map<std::string, std::string> read;
  std::vector<std::string> names;
  seen.kind = OrchestratorKind::SpecPipeline;
  seen.state_file = folder + "/" + std::string(kSpecPipelineFile);
  for (const std::string& name : files.list(folder)) {
    if (name != kSpecPipelineFile && !is_spec_artifact(name)) continue;
    Result<FolderReader::File> file = files.read(folder + "/" + name);
    if (!file && file.error().kind == ErrorKind::NotFound) continue;
    names.push_back(name);
    if (!file) {
      seen.unreadable = files.sentence(folder + "/" + name, file.error());
      continue;
    }
    seen.file_time = std::max(seen.file_time, file->modified);
    read.emplace(name, std::move(file->bytes));
  }
  seen.spec = read_spec_pipeline(seen.subject, read);
  return names;
}

bool is_spec_artifact(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kNames = {"requirements", "complexity", "research", "spec",
                                                             "critique"};
  static constexpr std::array<std::string_view, 4> kEndings = {".json", ".yml", ".yaml", ".md"};
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && std::ranges::find(kNames, name.substr(0, dot)) != kNames.end() &&
         std::ranges::find(kEndings, name.substr(dot)) != kEndings.end();
}

bool is_copy_of_state(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.ends_with(".bak") || name.ends_with(".tmp") || name.find(".tmp.") != std::string_view::npos;
}

bool is_damaged(const OrchestratorSnapshot& seen) {
  return !seen.unreadable.empty() || (seen.kind == OrchestratorKind::Epic && seen.epic.damaged) ||
         (seen.kind == OrchestratorKind::Flow && seen.flow.damaged);
}

std::string status_word_of(const OrchestratorSnapshot& seen) {
  switch (seen.kind) {
    case OrchestratorKind::Epic: return seen.epic.status_word;
    case OrchestratorKind::QaLoop: return seen.qa_loop.status_word;
    case OrchestratorKind::Flow: return seen.flow.status_word;
    case OrchestratorKind::SpecPipeline: return seen.spec.state_word;
    case OrchestratorKind::StoryCycle: break;
  }
  const auto story = seen.stories.find(seen.subject);
  return story == seen.stories.end() ? "" : story->second.claims.status_word;
}

std::vector<std::string> stories_of(const OrchestratorSnapshot& seen) {
  std::vector<std::string> ids;
  switch (seen.kind) {
    case OrchestratorKind::Epic:
      for (const EpicWave& wave : waves_of(seen)) {
        for (const WaveStory& story : wave.stories) ids.push_back(story.id);
      }
      break;
    case OrchestratorKind::QaLoop: ids.push_back(seen.qa_loop.story); break;
    case OrchestratorKind::Flow: ids.push_back(seen.flow.story); break;
    case OrchestratorKind::StoryCycle: ids.push_back(seen.subject); break;
    case OrchestratorKind::SpecPipeline: break;
  }
  std::erase(ids, "");
  // A loop whose file tells nothing is still about the story that its folder is named after.
  const bool is_unnamed = ids.empty() && seen.kind == OrchestratorKind::QaLoop && !seen.unreadable.empty();
  if (is_unnamed) ids.push_back(seen.subject);
  return ids;
}

bool covers(const OrchestratorSnapshot& seen, std::string_view story) {
  const std::string key = story_key(story);
  if (seen.kind != OrchestratorKind::Epic) {
    return std::ranges::any_of(stories_of(seen), [&](const std::string& id) { return story_key(id) == key; });
  }
  for (const ClaimedWave& wave : seen.epic.waves) {
    for (const ClaimedStory& claim : wave.stories) {
      const bool is_over = claim.status == EpicStoryStatus::Completed || claim.status == EpicStoryStatus::Skipped;
      if (story_key(claim.id) == key && !is_over) return true;
    }
  }
  return false;
}

WorkflowCourse course_of(const OrchestratorSnapshot& seen) {
  switch (seen.kind) {
    case OrchestratorKind::Epic: return course_of_epic(seen);
    case OrchestratorKind::QaLoop: return course_of_qa_loop(seen);
    case OrchestratorKind::StoryCycle: return course_of_story_cycle(seen);
    case OrchestratorKind::SpecPipeline: return course_of_spec_pipeline(seen);
    case OrchestratorKind::Flow: return course_of_flow(seen);
  }
  return {};
}

StorySeen to_seen(const FoundStory& file, const StoryShelf& shelf) {
  StorySeen story;
  story.path = file.path;
  story.others = shelf.others_of(file.id);
  if (const FoundStory* counts = shelf.find(file.id); counts != nullptr && counts != &file) {
    std::erase(story.others, file.path);
    story.others.push_back(counts->path);
  }
  story.exists = true;
  story.claims = file.claims;
  if (file.damage) story.unreadable = file.damage->message;
  story.modified_at = file.modified;
  return story;
}

void add_stories(OrchestratorSnapshot& seen, const StoryShelf& shelf) {
  std::vector<std::string> ids = stories_of(seen);
  // A story has one id in a plan, however those that depend on it spell it.
  std::map<std::string, std::string> spelling;
  for (const std::string& id : ids) spelling.emplace(story_key(id), id);
  for (std::size_t i = 0; i < ids.size() && i < kStoriesSeenMax; ++i) {
    const auto [at, is_new] = seen.stories.try_emplace(ids[i]);
    const FoundStory* file = shelf.find(ids[i]);
    if (is_new && file != nullptr) at->second = to_seen(*file, shelf);
    for (std::string& on : at->second.claims.dependencies) {
      const auto [spelled, is_other] = spelling.emplace(story_key(on), on);
      on = spelled->second;
      if (is_other) ids.push_back(on);
    }
  }
}

}  // namespace reprise
