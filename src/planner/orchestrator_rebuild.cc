#include "planner/orchestrator_rebuild.h"

#include <algorithm>
#include <map>
#include <set>

#include "planner/epic_rules.h"

namespace reprise {
namespace {

std::string_view word_of(EpicStoryStatus status) {
  switch (status) {
    case EpicStoryStatus::Missing:
    case EpicStoryStatus::Unknown: return "";
    case EpicStoryStatus::Pending: return "pending";
    case EpicStoryStatus::InProgress: return "in_progress";
    case EpicStoryStatus::InReview: return "in_review";
    case EpicStoryStatus::Completed: return "completed";
    case EpicStoryStatus::Failed: return "failed";
    case EpicStoryStatus::Blocked: return "blocked";
    case EpicStoryStatus::Skipped: return "skipped";
  }
  return "";
}

std::string_view word_of(WaveStatus status) {
  switch (status) {
    case WaveStatus::Pending: return "pending";
    case WaveStatus::InProgress: return "in_progress";
    case WaveStatus::GateReview: return "gate_review";
    case WaveStatus::Completed: return "completed";
    default: return "";
  }
}

std::optional<EpicStoryStatus> epic_status_of(StoryStatus status) {
  switch (status) {
    case StoryStatus::Draft:
    case StoryStatus::Ready: return EpicStoryStatus::Pending;
    case StoryStatus::InProgress: return EpicStoryStatus::InProgress;
    case StoryStatus::InReview: return EpicStoryStatus::InReview;
    case StoryStatus::Done: return EpicStoryStatus::Completed;
    case StoryStatus::Missing:
    case StoryStatus::Unknown: return std::nullopt;
  }
  return std::nullopt;
}

// How a story stands and who says so.
struct StoryStanding {
  EpicStoryStatus status = EpicStoryStatus::Missing;
  RebuiltFact fact;
};

const ReferencedFile* find_artifact(const OrchestratorSnapshot& snapshot, const std::string& story) {
  const auto found = std::ranges::find_if(snapshot.files, [&](const ReferencedFile& file) {
    return file.exists && file.role == FileRole::Artifact && file.story == story;
  });
  return found == snapshot.files.end() ? nullptr : &*found;
}

StoryStanding standing_of(const OrchestratorSnapshot& snapshot, const std::string& id, const ClaimedStory* old) {
  StoryStanding out{.fact = {.what = "story " + id, .value = "", .file = ""}};
  const auto take = [&](EpicStoryStatus status, FactSource source, std::string file, int line) {
    out.status = status;
    out.fact.value = word_of(status);
    out.fact.source = source;
    out.fact.file = std::move(file);
    out.fact.line = line;
    return out;
  };
  const StorySeen* story = find_story(snapshot, id);
  const bool is_done = story != nullptr && story->exists && story->claims.status == StoryStatus::Done;
  // A story has no word for these two, so only the state can know.
  const bool is_apart =
      old != nullptr && (old->status == EpicStoryStatus::Skipped || old->status == EpicStoryStatus::Blocked);
  if (is_apart && !is_done) return take(old->status, FactSource::OldState, snapshot.state_file, old->line);
  if (story != nullptr && story->exists) {
    if (const auto status = epic_status_of(story->claims.status))
      return take(*status, FactSource::Story, story->path, story->claims.status_line);
  }
  // That something was made says that it was begun, and no more.
  if (const ReferencedFile* file = find_artifact(snapshot, id))
    return take(EpicStoryStatus::InProgress, FactSource::Artifact, file->path, 0);
  if (const StoryChange* change = story == nullptr || !story->exists ? nullptr : last_transition(story->claims))
    return take(*epic_status_of(*change->to), FactSource::ChangeLog, story->path, change->line);
  if (old != nullptr && !word_of(old->status).empty())
    return take(old->status, FactSource::OldState, snapshot.state_file, old->line);
  return out;
}

class EpicRebuilder {
 public:
  explicit EpicRebuilder(const OrchestratorSnapshot& snapshot, RebuiltState& out)
      : seen_(snapshot), old_(snapshot.epic), out_(out), epic_(out.epic) {}

  void make() {
    keep_header();
    for (const EpicWave& wave : waves()) add_wave(wave);
    epic_.total_waves = static_cast<long long>(epic_.waves.size());
    const auto open = std::ranges::find_if(
        epic_.waves, [](const ClaimedWave& wave) { return wave.status != WaveStatus::Completed; });
    if (!epic_.waves.empty())
      epic_.current_wave = open == epic_.waves.end() ? epic_.waves.back().number : open->number;
    epic_.status = EpicStatus::Active;  // whether its final gate was passed is for the next plan to say
    epic_.status_word = "active";
    out_.possible = !epic_.waves.empty();
    if (!out_.possible) out_.unknown.push_back("which stories the epic has");
  }

 private:
  void keep_header() {
    epic_.id = old_.id.empty() ? seen_.subject : old_.id;
    epic_.execution_plan = old_.execution_plan;
    epic_.mode = old_.mode;
    epic_.started_at = old_.started_at;
    epic_.verdicts = old_.verdicts;
    const auto keep = [&](std::string what, const std::string& value) {
      if (!value.empty())
        out_.facts.push_back({std::move(what), value, FactSource::OldState, seen_.state_file, 0});
    };
    keep("execution plan", epic_.execution_plan);
    keep("mode", epic_.mode);
    for (const ClaimedVerdict& verdict : epic_.verdicts) {
      out_.facts.push_back(
          {"gate " + verdict.gate, verdict.verdict, FactSource::OldState, seen_.state_file, verdict.line});
    }
    if (epic_.mode.empty()) out_.unknown.push_back("in which mode it ran");
  }

  // The execution plan's waves if it can be read, else those that the damaged file still shows, else one wave.
  std::vector<EpicWave> waves() {
    const bool readable =
        seen_.execution_plan && !seen_.execution_plan->damaged && !seen_.execution_plan->waves.empty();
    if (readable || !old_.waves.empty()) {
      source_ = readable ? FactSource::ExecutionPlan : FactSource::OldState;
      return readable ? waves_of_plan() : waves_of(seen_);
    }
    EpicWave one{.number = "1", .claim = nullptr, .planned = nullptr, .stories = {}};
    for (const auto& [id, story] : seen_.stories) {
      const std::string& epic = story.claims.epic;
      const bool is_other = !epic.empty() && epic.find(seen_.subject) == std::string::npos;
      if (!is_other) one.stories.push_back({.id = id});
    }
    for (const NewStory& story : seen_.new_stories) {
      if (!seen_.stories.contains(story.id)) one.stories.push_back({.id = story.id});
    }
    source_ = FactSource::Nothing;
    if (one.stories.empty()) return {};
    out_.unknown.push_back("which waves the epic has; all stories are put into one");
    return {std::move(one)};
  }

  std::vector<EpicWave> waves_of_plan() const {
    std::map<std::string, const ClaimedStory*> claims;
    for (const ClaimedWave& wave : old_.waves) {
      for (const ClaimedStory& story : wave.stories) claims.emplace(bare_story_id(story.id), &story);
    }
    std::map<std::string, const PlannedStory*> planned;
    for (const PlannedStory& story : seen_.execution_plan->stories)
      planned.emplace(bare_story_id(story.id), &story);
    std::vector<EpicWave> waves;
    std::set<std::string> listed;
    for (const PlannedWave& each : seen_.execution_plan->waves) {
      EpicWave wave{.number = each.number, .claim = nullptr, .planned = &each, .stories = {}};
      for (const std::string& id : each.stories) {
        if (!listed.insert(bare_story_id(id)).second) continue;
        const auto claim = claims.find(bare_story_id(id));
        const auto plan = planned.find(bare_story_id(id));
        wave.stories.push_back({.id = id,
                                .claim = claim == claims.end() ? nullptr : claim->second,
                                .planned = plan == planned.end() ? nullptr : plan->second});
      }
      waves.push_back(std::move(wave));
    }
    return waves;
  }

  void add_wave(const EpicWave& from) {
    ClaimedWave wave;
    wave.number = from.number;
    if (from.planned != nullptr) wave.name = from.planned->name;
    if (wave.name.empty() && from.claim != nullptr) wave.name = from.claim->name;
    const std::string source_file = source_ == FactSource::ExecutionPlan ? old_.execution_plan
                                    : source_ == FactSource::OldState    ? seen_.state_file
                                                                         : "";
    const int line = from.planned != nullptr ? from.planned->line : from.claim != nullptr ? from.claim->line : 0;
    const std::size_t place = out_.facts.size();
    out_.facts.push_back({"wave " + wave.number, "", source_, source_file, line});
    for (const WaveStory& story : from.stories) wave.stories.push_back(add_story(story));
    wave.status = status_of(wave);
    wave.status_word = word_of(wave.status);
    out_.facts[place].value = wave.status_word;
    epic_.waves.push_back(std::move(wave));
  }

  ClaimedStory add_story(const WaveStory& from) {
    StoryStanding standing = standing_of(seen_, from.id, from.claim);
    ClaimedStory story;
    if (from.claim != nullptr) story = *from.claim;
    story.id = from.id;
    story.status = standing.status;
    story.status_word = word_of(standing.status);
    if (story.status != EpicStoryStatus::Completed) story.completed_at.reset();
    if (from.planned != nullptr) {
      if (story.branch.empty()) story.branch = from.planned->branch;
      if (story.executor.empty()) story.executor = from.planned->executor;
      if (story.quality_gate.empty()) story.quality_gate = from.planned->quality_gate;
    }
    if (standing.fact.source == FactSource::Nothing) out_.unknown.push_back("how story " + from.id + " stands");
    out_.facts.push_back(std::move(standing.fact));
    return story;
  }

  // A wave whose stories are over is completed only if its gate is known to have passed it.
  WaveStatus status_of(const ClaimedWave& wave) const {
    const auto is_over = [](const ClaimedStory& story) {
      return story.status == EpicStoryStatus::Completed || story.status == EpicStoryStatus::Skipped;
    };
    if (!wave.stories.empty() && std::ranges::all_of(wave.stories, is_over)) {
      const bool passed = std::ranges::any_of(epic_.verdicts, [&](const ClaimedVerdict& verdict) {
        return number_of_wave(verdict.gate) == number_of_wave(wave.number) && verdict.verdict == "approved";
      });
      return passed ? WaveStatus::Completed : WaveStatus::GateReview;
    }
    const bool untouched = std::ranges::all_of(
        wave.stories, [](const ClaimedStory& story) { return story.status == EpicStoryStatus::Pending; });
    return untouched ? WaveStatus::Pending : WaveStatus::InProgress;
  }

  const OrchestratorSnapshot& seen_;
  const EpicClaims& old_;
  FactSource source_ = FactSource::Nothing;
  RebuiltState& out_;
  EpicClaims& epic_;
};

}  // namespace

const StoryChange* last_transition(const StoryClaims& story) {
  const auto found = std::find_if(story.changes.rbegin(), story.changes.rend(), [](const StoryChange& change) {
    return change.to && epic_status_of(*change.to);
  });
  return found == story.changes.rend() ? nullptr : &*found;
}

RebuiltState rebuild_state(const OrchestratorSnapshot& snapshot) {
  RebuiltState out;
  out.kind = snapshot.kind;
  switch (snapshot.kind) {
    case OrchestratorKind::Epic: EpicRebuilder(snapshot, out).make(); break;
    case OrchestratorKind::QaLoop: rebuild_qa_loop(snapshot, out); break;
    case OrchestratorKind::Flow: rebuild_flow(snapshot, out); break;
    case OrchestratorKind::StoryCycle:
    case OrchestratorKind::SpecPipeline: break;  // their stories and artifacts are the state
  }
  return out;
}

}  // namespace reprise
