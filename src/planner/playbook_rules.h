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
  bool other_spec = false;          // it was made for a spec in whose place a person accepted another one
  bool spec_settled = false;        // it makes the spec, which is approved, or up for approval, as it is
  bool behind_gate = false;         // a person's checkpoint before it is not ticked
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
  std::optional<bool> other_spec = {};
  std::optional<bool> spec_settled = {};
  std::optional<bool> behind_gate = {};
  Decision decision = Decision::Run;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kPlaybookRows = {
    PlaybookRow{.label = "PB-11 settled", .lacks_constitution = false, .upstream_moving = false, .other_spec = false, .spec_settled = true, .decision = Decision::Keep,
                .reason = "the spec is approved, or up for approval, as it is"},
    PlaybookRow{.label = "PB-07 later", .place = StagePlace::Later, .decision = Decision::Run,
                .reason = "it comes after the point where the run stopped"},
    PlaybookRow{.label = "PB-02 other spec", .other_spec = true, .decision = Decision::Rerun,
                .reason = "it was made for another spec than the one that a person has accepted since"},
    PlaybookRow{.label = "PB-03 missing", .place = StagePlace::Completed, .artifact = StageArtifact::Missing, .decision = Decision::Rerun,
                .reason = "it is listed as completed, but its artifact is gone"},
    PlaybookRow{.label = "PB-05 constitution", .lacks_constitution = true, .decision = Decision::Rerun,
                .reason = "adr.md has no completed Constitution Check"},
    PlaybookRow{.label = "PB-10 verify", .place = StagePlace::Completed, .upstream_moving = true, .decision = Decision::Verify,
                .reason = "it is completed, but something before it runs again"},
    PlaybookRow{.label = "PB-06 behind", .place = StagePlace::Completed, .behind_gate = true, .decision = Decision::Verify,
                .reason = "it is completed, but a checkpoint before it is not ticked"},
    PlaybookRow{.label = "PB-10 keep", .place = StagePlace::Completed, .decision = Decision::Keep,
                .reason = "it is completed"},
    PlaybookRow{.label = "PB-10 passed verify", .place = StagePlace::Passed, .artifact = StageArtifact::Complete, .upstream_moving = true, .decision = Decision::Verify,
                .reason = "the run went past it and its artifact is there, but something before it runs again"},
    PlaybookRow{.label = "PB-06 passed behind", .place = StagePlace::Passed, .artifact = StageArtifact::Complete, .behind_gate = true, .decision = Decision::Verify,
                .reason = "the run went past it and its artifact is there, but a checkpoint before it is not ticked"},
    PlaybookRow{.label = "PB-07 passed", .place = StagePlace::Passed, .artifact = StageArtifact::Complete, .decision = Decision::Keep,
                .reason = "the run went past it, and its artifact is there and passes its check; the file does not list it"},
    PlaybookRow{.label = "PB-07 passed continue", .place = StagePlace::Passed, .resume = StageResume::Continue, .decision = Decision::Continue,
                .reason = "the run went past it, but nothing shows that it was done; it goes on with what is there"},
    PlaybookRow{.label = "PB-07 passed partial", .place = StagePlace::Passed, .artifact = StageArtifact::Partial, .resume = StageResume::ContinueIfPartial, .decision = Decision::Continue,
                .reason = "the run went past it, but its file is not finished"},
    PlaybookRow{.label = "PB-07 passed unproven", .place = StagePlace::Passed, .decision = Decision::Run,
                .reason = "the run went past it, but nothing shows that it was done"},
    PlaybookRow{.label = "PB-10 current continue", .place = StagePlace::Current, .resume = StageResume::Continue, .upstream_moving = true, .decision = Decision::Continue,
                .reason = "it was cut off, and goes on with what is there once what runs again before it is done"},
    PlaybookRow{.label = "PB-10 current moved", .place = StagePlace::Current, .upstream_moving = true, .decision = Decision::Rerun,
                .reason = "something before it runs again"},
    PlaybookRow{.label = "PB-06 current behind", .place = StagePlace::Current, .artifact = StageArtifact::Complete, .behind_gate = true, .decision = Decision::Verify,
                .reason = "its artifact is there and passes its check, but a checkpoint before it is not ticked"},
    PlaybookRow{.label = "PB-04 complete", .place = StagePlace::Current, .artifact = StageArtifact::Complete, .decision = Decision::Keep,
                .reason = "its artifact is there and passes its check"},
    PlaybookRow{.label = "PB-06 wait", .place = StagePlace::Current, .waits = true, .decision = Decision::Wait,
                .reason = "a person's approval is open"},
    PlaybookRow{.label = "PB-08 continue", .place = StagePlace::Current, .resume = StageResume::Continue, .decision = Decision::Continue,
                .reason = "it was cut off, and goes on with what is there"},
    PlaybookRow{.label = "PB-08 partial", .place = StagePlace::Current, .artifact = StageArtifact::Partial, .resume = StageResume::ContinueIfPartial, .decision = Decision::Continue,
                .reason = "it was cut off, and its unfinished file is there"},
    PlaybookRow{.label = "PB-08 again", .place = StagePlace::Current, .decision = Decision::Rerun,
                .reason = "it was cut off, and may be done again safely"},
};
// clang-format on
const PlaybookRow& decide(const PlaybookSituation& situation);

/// One situation of a person's checkpoint that stands between two stages.
enum class CheckpointBox { Ticked, Open };
struct CheckpointRow {
  std::string_view label;
  CheckpointBox box;
  std::optional<bool> upstream_moving = {};  // something before it is still to be done
  Decision decision = Decision::Wait;
  std::string_view reason = {};
};

// clang-format off
inline constexpr std::array kCheckpointRows = {
    CheckpointRow{.label = "PB-11 ticked", .box = CheckpointBox::Ticked, .decision = Decision::Keep,
                  .reason = "its box is ticked, and it is not asked for again"},
    CheckpointRow{.label = "PB-06 not reached", .box = CheckpointBox::Open, .upstream_moving = true, .decision = Decision::Run,
                  .reason = "it has not been reached yet"},
    CheckpointRow{.label = "PB-06 unticked", .box = CheckpointBox::Open, .decision = Decision::Wait,
                  .reason = "what it is about is there, and its box is not ticked"},
};
// clang-format on
const CheckpointRow& decide(CheckpointBox box, bool upstream_moving);

/// Returns the plan for a playbook that was found in a state file. A checkpoint whose box is not ticked is waited
/// for before anything behind it starts.
Plan plan_playbook(const PlaybookSnapshot& snapshot);

/// Returns the box of the checkpoint; of several the first that is not ticked. Null if there is none.
const ClaimedCheckpoint* find_checkpoint(const PlaybookClaims& claims, std::string_view name);

}  // namespace reprise
