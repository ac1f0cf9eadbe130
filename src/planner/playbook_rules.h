// The playbook's rules as tables: what becomes of a run by its status, and of each stage by what is claimed
// and seen of it. Row labels are requirement ids; docs/rules.md has a paragraph for each.
//
// The playbook keeps its seed's policy: a changed spec stops everything until a person decides; a completed
// stage runs again only if its artifact is gone; a ticked box is never asked again; nothing gets around the
// Constitution Check. Pure: no clock, no disk.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/plan.h"
#include "model/playbook_snapshot.h"
#include "model/playbook_stages.h"

namespace reprise {

/// What the file's status means for the run (PB-01).
enum class RunCourse { GoOn, Wait, Done, Fresh, Blocked };
struct PlaybookStatusRow {
  std::string_view label;
  PlaybookStatus status;
  RunCourse course;
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kPlaybookStatusRows = {
    PlaybookStatusRow{"PB-07 in progress", PlaybookStatus::InProgress,      RunCourse::GoOn,    "the run was in progress"},
    PlaybookStatusRow{"PB-07 aborted",     PlaybookStatus::Aborted,         RunCourse::GoOn,    "the run was aborted from outside, which is recovered like one in progress"},
    PlaybookStatusRow{"PB-06 waiting",     PlaybookStatus::WaitingForHuman, RunCourse::Wait,    "the run waits for a person"},
    PlaybookStatusRow{"PB-01 complete",    PlaybookStatus::Complete,        RunCourse::Done,    "the run is complete"},
    PlaybookStatusRow{"PB-12 failed",      PlaybookStatus::Failed,          RunCourse::Fresh,   "a failed run is never resumed; a fresh one is given its notes"},
    PlaybookStatusRow{"PB-01 cancelled",   PlaybookStatus::Cancelled,       RunCourse::Fresh,   "the run was cancelled"},
    PlaybookStatusRow{"PB-01 no status",   PlaybookStatus::Missing,         RunCourse::Blocked, "the file gives no status, so nothing says that it may go on"},
    PlaybookStatusRow{"PB-01 unknown",     PlaybookStatus::Unknown,         RunCourse::Blocked, "the file's status is not one that is known"},
};
// clang-format on
const PlaybookStatusRow& decide(PlaybookStatus status);

/// Where a stage stands by what the file claims.
enum class StagePlace { Completed, Passed, Current, Later };
/// The artifact that the stage names, or that it makes by default.
enum class StageArtifact { None, Missing, Partial, Complete };

/// One situation of one stage.
struct PlaybookSituation {
  StagePlace place = StagePlace::Later;
  StageArtifact artifact = StageArtifact::None;
  StageResume resume = StageResume::Again;
  bool lacks_constitution = false;  // architect was gone through, and its Constitution Check is not completed
  bool upstream_moving = false;     // something before it runs again
  bool waits = false;               // a person's checkpoint is open here
};

/// A row fits if everything it names is so; the first row that fits decides.
struct PlaybookRow {
  std::string_view label;
  std::optional<StagePlace> place = {};
  std::optional<StageArtifact> artifact = {};
  std::optional<StageResume> resume = {};
  std::optional<bool> lacks_constitution = {};
  std::optional<bool> upstream_moving = {};
  std::optional<bool> waits = {};
  Decision decision = Decision::Run;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kPlaybookRows = {
    PlaybookRow{.label = "PB-07 later", .place = StagePlace::Later, .decision = Decision::Run,
                .reason = "it comes after the point where the run stopped"},
    PlaybookRow{.label = "PB-03 missing", .place = StagePlace::Completed, .artifact = StageArtifact::Missing, .decision = Decision::Rerun,
                .reason = "it is listed as completed, but its artifact is gone"},
    PlaybookRow{.label = "PB-05 constitution", .lacks_constitution = true, .decision = Decision::Rerun,
                .reason = "adr.md has no completed Constitution Check"},
    PlaybookRow{.label = "PB-10 verify", .place = StagePlace::Completed, .upstream_moving = true, .decision = Decision::Verify,
                .reason = "it is completed, but something before it runs again"},
    PlaybookRow{.label = "PB-10 keep", .place = StagePlace::Completed, .decision = Decision::Keep,
                .reason = "it is completed"},
    PlaybookRow{.label = "PB-10 passed verify", .place = StagePlace::Passed, .upstream_moving = true, .decision = Decision::Verify,
                .reason = "the run went past it, but something before it runs again"},
    PlaybookRow{.label = "PB-07 passed", .place = StagePlace::Passed, .decision = Decision::Keep,
                .reason = "the run went past it; the file does not list it"},
    PlaybookRow{.label = "PB-10 current moved", .place = StagePlace::Current, .upstream_moving = true, .decision = Decision::Rerun,
                .reason = "something before it runs again"},
    PlaybookRow{.label = "PB-06 wait", .place = StagePlace::Current, .waits = true, .decision = Decision::Wait,
                .reason = "a person's approval is open"},
    PlaybookRow{.label = "PB-04 complete", .place = StagePlace::Current, .artifact = StageArtifact::Complete, .decision = Decision::Keep,
                .reason = "its artifact is there and passes its check"},
    PlaybookRow{.label = "PB-08 continue", .place = StagePlace::Current, .resume = StageResume::Continue, .decision = Decision::Continue,
                .reason = "it was cut off, and goes on with what is there"},
    PlaybookRow{.label = "PB-08 partial", .place = StagePlace::Current, .artifact = StageArtifact::Partial, .resume = StageResume::ContinueIfPartial, .decision = Decision::Continue,
                .reason = "it was cut off, and its unfinished file is there"},
    PlaybookRow{.label = "PB-08 again", .place = StagePlace::Current, .decision = Decision::Rerun,
                .reason = "it was cut off, and may be done again safely"},
};
// clang-format on
const PlaybookRow& decide(const PlaybookSituation& situation);

/// Returns the plan for a playbook that was found in a state file.
Plan plan_playbook(const PlaybookSnapshot& snapshot);

/// Returns the checkpoint that a run waiting at `stage` waits for: the stage's own, if its box is not ticked.
const ClaimedCheckpoint* find_checkpoint(const PlaybookClaims& claims, std::string_view name);

}  // namespace reprise
