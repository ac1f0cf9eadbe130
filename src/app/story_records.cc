#include "app/story_records.h"

#include <set>

#include "app/story_files.h"
#include "base/strings.h"
#include "formats/orchestrator_show.h"
#include "formats/story.h"
#include "formats/story_edit.h"
#include "model/limits.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

class StoryRecords : public RunRecords {
 public:
  explicit StoryRecords(App& app) : app_(app) {}

  Result<void> show(std::span<const RecordedEvent> events, const RunState& state) override {
    std::set<std::string> touched;
    for (const RecordedEvent& recorded : events) {
      if (const AttemptStarted* started = std::get_if<AttemptStarted>(&recorded.event))
        touched.insert(started->step.text);
      if (const AttemptFinished* ended = std::get_if<AttemptFinished>(&recorded.event))
        touched.insert(ended->step.text);
    }
    return show_steps(touched, state);
  }

  Result<void> show_all(const RunState& state) override {
    std::set<std::string> begun;
    for (const auto& [path, step] : state.steps) {
      if (step.attempts > 0) begun.insert(path.text);
    }
    return show_steps(begun, state);
  }

 private:
  Result<void> show_steps(const std::set<std::string>& steps, const RunState& state) {
    for (const std::string& id : stories_of_epic(state)) {
      for (const std::string& step : steps) {
        if (step.ends_with("/" + path_component(id))) TRY_VOID(show_story_of(id, StepPath{step}, state));
      }
    }
    return {};
  }

  // A worker that set the status itself is believed; one that went further than the run knows too.
  Result<void> show_story_of(const std::string& id, const StepPath& step, const RunState& state) {
    const std::string file = find_story_file(app_, id);
    const StepState* record = state.find_step(step);
    if (file.empty() || record == nullptr) return {};
    const bool is_done = record->record == StepState::Record::Done;
    const StoryStatus status = is_done ? StoryStatus::Done : StoryStatus::InProgress;
    const SharedContent content = TRY(read_shared(app_.project / file, kDocumentBytesMax));
    if (!content.exists || !content.settled) return {};
    const StoryClaims claims = TRY(read_story(content.bytes, file));
    const bool is_further = claims.status >= status && claims.status != StoryStatus::Unknown;
    if (is_further) return {};
    const Result<std::string> set = set_story_status(content.bytes, status);
    if (!set) return {};  // it has no place for this status; its author's words stay
    const Result<std::string> noted = append_story_change(
        *set, {.at = is_done ? record->finished_at : record->started_at,
               .by = "reprise",
               .text = "Status: " + printable_line(claims.status_word.empty() ? "none" : claims.status_word, 40) +
                       " -> " + std::string(to_token(status))});
    return app_.files.replace(TRY(make_place_in(app_.project, file)), noted ? *noted : *set);
  }

  App& app_;
};

}  // namespace

std::unique_ptr<RunRecords> story_records(App& app, const RunState& state) {
  return state.workflow == "epic" && !state.state_file.path.empty() ? std::make_unique<StoryRecords>(app)
                                                                    : nullptr;
}

}  // namespace reprise
