// The task pipeline's other tables: granularity and depth of a recovery, the user's own phase, the branch, and the
// resume count with its advice. As in planner/task_tables.h the first row that fits decides. Pure.

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "model/plan.h"
#include "model/task_phases.h"

namespace reprise {

/// Whether a phase restarts as a whole, or only those of its tasks that are not done (TP-11).
enum class Granularity : std::uint8_t { Phase, Task };
/// Whether the statuses suffice, or descriptions and files have to be looked at too.
enum class Depth : std::uint8_t { Shallow, Deep };
constexpr std::string_view to_token(Granularity value) { return value == Granularity::Phase ? "phase" : "task"; }
constexpr std::string_view to_token(Depth value) { return value == Depth::Shallow ? "shallow" : "deep"; }

/// What the completed tasks of an incomplete phase left: output files, commits, or results in their metadata.
enum class CompletedEvidence : std::uint8_t { NoneCompleted, Missing, There };
struct GranularityRow {
  std::string_view label;
  std::optional<TaskTier> tier;
  std::optional<CompletedEvidence> evidence;
  Granularity granularity;
  std::string_view reason;
};
struct DepthRow {
  std::string_view label;
  std::optional<TaskTier> tier;
  std::optional<bool> was_resumed;
  Depth depth;
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kGranularityRows = {
    GranularityRow{"TP-11 trivial phase",   TaskTier::Trivial,  std::nullopt,                     Granularity::Phase, "a trivial pipeline has one phase of work"},
    GranularityRow{"TP-11 standard phase",  TaskTier::Standard, std::nullopt,                     Granularity::Phase, "in the standard tier an incomplete phase restarts as a whole"},
    GranularityRow{"TP-11 nothing to keep", TaskTier::Complex,  CompletedEvidence::NoneCompleted, Granularity::Phase, "no task of the phase is completed"},
    GranularityRow{"TP-11 no proof",        TaskTier::Complex,  CompletedEvidence::Missing,       Granularity::Phase, "a completed task of the phase left neither files nor results in its metadata"},
    GranularityRow{"TP-11 task",            TaskTier::Complex,  CompletedEvidence::There,         Granularity::Task,  "every completed task of the phase left files, commits or results"},
};
inline constexpr std::array kDepthRows = {
    DepthRow{"TP-11 deep",    TaskTier::Complex, std::nullopt, Depth::Deep,    "a complex pipeline is only understood with descriptions and files"},
    DepthRow{"TP-11 resumed", std::nullopt,      true,         Depth::Deep,    "it was resumed before, so what was completed is compared with files"},
    DepthRow{"TP-11 shallow", std::nullopt,      false,        Depth::Shallow, "permanent task and statuses say enough in this tier"},
};
// clang-format on
const GranularityRow& decide(TaskTier tier, CompletedEvidence evidence);
const DepthRow& decide_depth(TaskTier tier, bool was_resumed);

/// The phase that the user gave, compared with the one that was found (TP-12).
enum class OverridePlace : std::uint8_t { None, UnknownPhase, NotOnPath, Earlier, Same, Later };
enum class OverrideOutcome : std::uint8_t { AsFound, Accept, AcceptWithWarning, Refuse };
struct OverrideRow {
  std::string_view label;
  OverridePlace place;
  OverrideOutcome outcome;
  std::string_view code;  // of the finding; "" if there is none
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kOverrideRows = {
    OverrideRow{"TP-12 none",     OverridePlace::None,         OverrideOutcome::AsFound,           "",                          "no phase was given"},
    OverrideRow{"TP-12 unknown",  OverridePlace::UnknownPhase, OverrideOutcome::Refuse,            "override_unknown",          "that is not a phase"},
    OverrideRow{"TP-12 off path", OverridePlace::NotOnPath,    OverrideOutcome::Refuse,            "override_not_on_path",      "the tier does not go through that phase"},
    OverrideRow{"TP-12 earlier",  OverridePlace::Earlier,      OverrideOutcome::AcceptWithWarning, "override_repeats_work",     "work that is done will be done again"},
    OverrideRow{"TP-12 same",     OverridePlace::Same,         OverrideOutcome::Accept,            "",                          "that is where it goes on anyway"},
    OverrideRow{"TP-12 later",    OverridePlace::Later,        OverrideOutcome::Refuse,            "override_skips_unfinished", "that would jump over work that failed or is not finished"},
};
// clang-format on
const OverrideRow& decide(OverridePlace place);

/// The branch that is checked out, compared with the permanent task's (TP-13).
enum class BranchSeen : std::uint8_t { NoRepository, Same, Other, Detached };
enum class BranchOutcome : std::uint8_t { Matches, CannotTell, Ask, Confirmed };
struct BranchRow {
  std::string_view label;
  std::optional<BranchSeen> seen;
  std::optional<bool> is_recorded;   // the permanent task names a branch
  std::optional<bool> is_confirmed;  // a person said that the current one is right
  BranchOutcome outcome;
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kBranchRows = {
    BranchRow{"TP-13 no repository", BranchSeen::NoRepository, std::nullopt, std::nullopt, BranchOutcome::CannotTell, "there is no git repository"},
    BranchRow{"TP-13 not recorded",  std::nullopt,             false,        std::nullopt, BranchOutcome::CannotTell, "the permanent task names no branch"},
    BranchRow{"TP-13 same branch",   BranchSeen::Same,         true,         std::nullopt, BranchOutcome::Matches,    "the branch is the permanent task's"},
    BranchRow{"TP-13 confirmed",     std::nullopt,             true,         true,         BranchOutcome::Confirmed,  "the branch is another, and a person confirmed it"},
    BranchRow{"TP-13 detached",      BranchSeen::Detached,     true,         false,        BranchOutcome::Ask,        "no branch is checked out"},
    BranchRow{"TP-13 other branch",  BranchSeen::Other,        true,         false,        BranchOutcome::Ask,        "another branch is checked out"},
};
// clang-format on
const BranchRow& decide(BranchSeen seen, bool is_recorded, bool is_confirmed);

/// What the number of earlier resumes asks for (TP-14).
enum class ResumeCare : std::uint8_t { Standard, CheckEvidence, Advise };
struct ResumeCountRow {
  std::string_view label;
  std::int64_t from;
  std::int64_t to;
  ResumeCare care;
  std::string_view reason;
};
/// What is recommended for a pipeline that keeps being interrupted.
enum class Advice : std::uint8_t { None, Simplify, Diagnose, Checkpoint };
inline constexpr TokenTable<Advice, 4> kAdviceTokens = {{{Advice::None, "none"},
                                                         {Advice::Simplify, "simplify"},
                                                         {Advice::Diagnose, "diagnose"},
                                                         {Advice::Checkpoint, "checkpoint"}}};
constexpr std::string_view to_token(Advice advice) { return token_in(kAdviceTokens, advice); }
struct AdviceRow {
  std::string_view label;
  std::optional<bool> has_failed;    // where the runs end there is a task that failed
  std::optional<bool> left_nothing;  // and one that was cut off and left nothing
  std::optional<bool> is_complex;
  Advice advice;
  std::string_view reason;
};

// clang-format off
inline constexpr std::array kResumeCountRows = {
    ResumeCountRow{"TP-14 first",    0, 0, ResumeCare::Standard,      "it was not resumed before"},
    ResumeCountRow{"TP-14 again",    1, 2, ResumeCare::CheckEvidence, "it was resumed before, so completed tasks need files or commits to show for it"},
    ResumeCountRow{"TP-14 repeated", 3, std::numeric_limits<std::int64_t>::max(), ResumeCare::Advise, "it keeps being interrupted"},
};
inline constexpr std::array kAdviceRows = {
    AdviceRow{"TP-14 diagnose",      true,         std::nullopt, std::nullopt, Advice::Diagnose,   "tasks fail there; find out why before another attempt"},
    AdviceRow{"TP-14 checkpoint",    false,        true,         std::nullopt, Advice::Checkpoint, "what is cut off there leaves nothing behind; commit partial work more often"},
    AdviceRow{"TP-14 simplify",      false,        false,        true,         Advice::Simplify,   "a complex pipeline keeps much state; go on in the STANDARD tier"},
    AdviceRow{"TP-14 find the cause", false,       false,        false,        Advice::Diagnose,   "nothing of it failed, so look for what ends the sessions: limits, compaction, absence"},
};
// clang-format on
const ResumeCountRow& decide(std::int64_t resume_count);
const AdviceRow& decide_advice(bool has_failed, bool left_nothing, bool is_complex);

}  // namespace reprise
