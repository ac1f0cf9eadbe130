// The tables that all workflows of the orchestrator share: does a story stand where the state says (OR-03), how
// old is the state and what follows (OR-05), which missing file matters (OR-02), and how grave a conflict is
// (OR-04). Row labels begin with requirement ids; docs/rules.md has a paragraph for each.
//
// The seed's five pairs of status are rows of their own. Of all others, those that say the same thing in two
// vocabularies are consistent, and the rest is a difference that a person is told of. Pure: no clock, no disk.

#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "model/orchestrator_snapshot.h"
#include "model/plan.h"

namespace reprise {

/// One pair of status; a side that is not given fits everything. The first row that fits decides.
struct StatusRow {
  std::string_view label;
  std::optional<EpicStoryStatus> state = {};
  std::optional<StoryStatus> story = {};
  std::optional<Severity> severity = {};  // nothing: consistent
  std::string_view code = {};             // of the finding
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kStatusRows = {
    // The seed's five.
    StatusRow{"OR-03 both in progress", EpicStoryStatus::InProgress, StoryStatus::InProgress, {}, {}, "state and story agree"},
    StatusRow{"OR-03 done outside", EpicStoryStatus::InProgress, StoryStatus::Done, Severity::Blocking, "done_outside", "the story was completed outside this workflow"},
    StatusRow{"OR-03 reset", EpicStoryStatus::InProgress, StoryStatus::Draft, Severity::Blocking, "story_reset", "the story was reset; the state is out of date"},
    StatusRow{"OR-03 review done outside", EpicStoryStatus::InReview, StoryStatus::Done, Severity::Blocking, "review_done_outside", "its review was completed outside this workflow"},
    StatusRow{"OR-03 validated meanwhile", EpicStoryStatus::Pending, StoryStatus::Ready, Severity::Info, "validated_meanwhile", "the story was validated while the work paused"},
    // The same thing in two vocabularies.
    StatusRow{"OR-03 both pending", EpicStoryStatus::Pending, StoryStatus::Draft, {}, {}, "state and story agree"},
    StatusRow{"OR-03 both in review", EpicStoryStatus::InReview, StoryStatus::InReview, {}, {}, "state and story agree"},
    StatusRow{"OR-03 both done", EpicStoryStatus::Completed, StoryStatus::Done, {}, {}, "state and story agree"},
    StatusRow{"OR-03 skipped", EpicStoryStatus::Skipped, {}, {}, {}, "a story that was left out may stand anywhere"},
    // A story has no word for failed or blocked: any status but Done goes with them.
    StatusRow{"OR-03 failed but done", EpicStoryStatus::Failed, StoryStatus::Done, Severity::Warning, "status_differs", "the story says Done"},
    StatusRow{"OR-03 blocked but done", EpicStoryStatus::Blocked, StoryStatus::Done, Severity::Warning, "status_differs", "the story says Done"},
    StatusRow{"OR-03 failed", EpicStoryStatus::Failed, {}, {}, {}, "a story has no word of its own for this"},
    StatusRow{"OR-03 blocked", EpicStoryStatus::Blocked, {}, {}, {}, "a story has no word of its own for this"},
    StatusRow{"OR-03 differs", {}, {}, Severity::Warning, "status_differs", "state and story differ"},
};
// clang-format on
const StatusRow& decide(EpicStoryStatus state, StoryStatus story);

/// What an age means, in the seed's words.
struct AgeRow {
  std::string_view label;
  AgeClass age;
  std::optional<Severity> severity;  // of the finding; nothing: none is made
  bool asks;                         // even a clean state is confirmed first (OR-09)
  std::string_view advice;
};
inline constexpr std::array kAgeRows = {
    AgeRow{"OR-05 fresh", AgeClass::Fresh, {}, false, "resume safely"},
    AgeRow{"OR-05 recent", AgeClass::Recent, {}, false, "resume with quick validation"},
    AgeRow{"OR-05 moderate", AgeClass::Moderate, Severity::Info, true, "resume with careful validation"},
    AgeRow{"OR-05 stale", AgeClass::Stale, Severity::Warning, true,
           "consider restarting: the project may have changed significantly"},
};
const AgeRow& decide(AgeClass age);

/// A file that is not there.
struct MissingFile {
  FileRole role = FileRole::Artifact;
  bool ahead = false;     // the step that needs it is not kept
  bool can_make = false;  // a step makes it; of an execution plan: the state itself says all that it says
};
struct MissingFileRow {
  std::string_view label;
  std::optional<FileRole> role = {};
  std::optional<bool> ahead = {};
  std::optional<bool> can_make = {};
  Severity severity = Severity::Info;  // blocking: critical, the work cannot proceed without it
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kMissingFileRows = {
    MissingFileRow{"OR-02 story", FileRole::Story, true, {}, Severity::Blocking, "the story is still to be worked on"},
    MissingFileRow{"OR-02 story of the past", FileRole::Story, false, {}, Severity::Warning, "the story is recorded as done, which can no longer be checked"},
    MissingFileRow{"OR-02 artifact", FileRole::Artifact, {}, true, Severity::Warning, "the step that makes it is done again"},
    MissingFileRow{"OR-02 input", FileRole::Artifact, true, false, Severity::Blocking, "it is needed, and no step makes it"},
    MissingFileRow{"OR-02 input of the past", FileRole::Artifact, false, false, Severity::Info, "what needed it is done"},
    MissingFileRow{"OR-02 configuration", FileRole::Config, true, {}, Severity::Blocking, "it is needed by what is left"},
    MissingFileRow{"OR-02 configuration of the past", FileRole::Config, false, {}, Severity::Info, "what needed it is done"},
    MissingFileRow{"OR-02 template", FileRole::Template, true, {}, Severity::Warning, "its step can be done without it, in another form"},
    MissingFileRow{"OR-02 template of the past", FileRole::Template, false, {}, Severity::Info, "what needed it is done"},
    MissingFileRow{"OR-02 execution plan", FileRole::ExecutionPlan, {}, false, Severity::Blocking, "the state does not list all waves, and only the plan does"},
    MissingFileRow{"OR-02 execution plan spared", FileRole::ExecutionPlan, {}, true, Severity::Warning, "the state lists all waves itself"},
};
// clang-format on
const MissingFileRow& decide(const MissingFile& missing);

enum class Conflict {
  OtherWorkflow,
  Acceptance,
  Section,
  Record,
  FileChanged,
  NewDependency,
  NewStory,
  Lock,
  OldLock
};
/// How a conflict looks. What `grave` means is the row's business.
struct ConflictSeen {
  Conflict conflict = Conflict::OtherWorkflow;
  bool grave = false;
  bool by_time = false;  // nothing but a file's time tells of it
};
struct ConflictRow {
  std::string_view label;
  Conflict conflict;
  std::optional<bool> grave = {};
  std::optional<bool> by_time = {};
  Severity severity = Severity::Info;
  std::string_view code = {};
  std::string_view reason = {};
};

// Changed acceptance criteria or scope are grave when the story is implemented and not yet done: what was built no
// longer answers what is asked, so its review would judge the wrong thing. Before that, the implementation simply
// reads the new ones; after it, the story is closed. The seed's second example settles that other sections warn.
// clang-format off
inline constexpr std::array kConflictRows = {
    ConflictRow{"OR-04 other active", Conflict::OtherWorkflow, true, {}, Severity::Blocking, "other_workflow", "another workflow is at work on the same story"},
    ConflictRow{"OR-04 other", Conflict::OtherWorkflow, false, {}, Severity::Warning, "other_workflow_seen", "another workflow has a state for the same story"},
    ConflictRow{"OR-04 acceptance by time", Conflict::Acceptance, {}, true, Severity::Info, "story_modified", "the story file is newer than the state"},
    ConflictRow{"OR-04 acceptance", Conflict::Acceptance, true, false, Severity::Blocking, "acceptance_changed", "what the story asks for changed after it was implemented"},
    ConflictRow{"OR-04 acceptance early", Conflict::Acceptance, false, false, Severity::Warning, "acceptance_changed_early", "what the story asks for changed"},
    ConflictRow{"OR-04 section by time", Conflict::Section, {}, true, Severity::Info, "story_modified", "the story file is newer than the state"},
    ConflictRow{"OR-04 section", Conflict::Section, {}, false, Severity::Warning, "story_changed", "the story changed since the interruption"},
    ConflictRow{"OR-04 record", Conflict::Record, {}, {}, Severity::Info, "story_recorded", "the story's own record went on"},
    ConflictRow{"OR-04 file by time", Conflict::FileChanged, {}, true, Severity::Info, "file_newer", "the file is newer than the state"},
    ConflictRow{"OR-04 file", Conflict::FileChanged, {}, false, Severity::Warning, "file_changed", "the file was changed by other work"},
    ConflictRow{"OR-04 dependency open", Conflict::NewDependency, true, {}, Severity::Blocking, "dependency_open", "a dependency was added that is not done"},
    ConflictRow{"OR-04 dependency", Conflict::NewDependency, false, {}, Severity::Warning, "dependency_new", "a dependency was added, and is done"},
    ConflictRow{"OR-04 new story", Conflict::NewStory, {}, {}, Severity::Warning, "story_new", "the epic has a story that its state does not list"},
    ConflictRow{"OR-15 held", Conflict::Lock, true, {}, Severity::Blocking, "held_by_another", "it is being worked on right now"},
    ConflictRow{"OR-15 lock expired", Conflict::OldLock, true, {}, Severity::Warning, "lock_expired", "its lock has expired, but the process that took it is still there"},
    ConflictRow{"OR-15 lock expired and dead", Conflict::OldLock, false, {}, Severity::Info, "lock_left", "a lock was left behind; it holds nobody back"},
    ConflictRow{"OR-15 lock left", Conflict::Lock, false, {}, Severity::Info, "lock_left", "a lock was left behind; it holds nobody back"},
};
// clang-format on
const ConflictRow& decide(const ConflictSeen& conflict);

/// Returns the labels of all tables of the orchestrator, so that a test can look for their paragraphs.
std::vector<std::string_view> orchestrator_labels();

}  // namespace reprise
