// What a spec loop's index file claims, and what was seen of its feature beside it.
//
// Claims are not facts. What could not be understood is listed with its line and text, so that a person can be
// shown it, and never guessed at. A question is open until its answer is applied (SL-03); whether it was is told
// by the file's own evidence, since the documented format has no word for it.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/gap.h"
#include "model/playbook.h"
#include "model/status.h"

namespace reprise {

/// Bounds of the loop, as documented (SL-09, SL-11).
inline constexpr long long kLoopIterationsMax = 10;
inline constexpr long long kLoopStaleMax = 3;

/// What the file says the loop does. Missing and Unknown are never a fresh start: a person has to look.
enum class LoopStatus {
  Missing,
  Unknown,
  NotStarted,
  Scaffolding,
  SpecWriting,
  Validating,
  Clarifying,
  Completed,
  Terminated
};
inline constexpr TokenTable<LoopStatus, 9> kLoopStatusTokens = {{{LoopStatus::Missing, "missing"},
                                                                 {LoopStatus::Unknown, "unknown"},
                                                                 {LoopStatus::NotStarted, "not_started"},
                                                                 {LoopStatus::Scaffolding, "scaffolding"},
                                                                 {LoopStatus::SpecWriting, "spec_writing"},
                                                                 {LoopStatus::Validating, "validating"},
                                                                 {LoopStatus::Clarifying, "clarifying"},
                                                                 {LoopStatus::Completed, "completed"},
                                                                 {LoopStatus::Terminated, "terminated"}}};
constexpr std::string_view to_token(LoopStatus status) { return token_in(kLoopStatusTokens, status); }

enum class QuestionStatus { Unknown, Open, Answered, Applied, Deferred };
inline constexpr TokenTable<QuestionStatus, 5> kQuestionStatusTokens = {{{QuestionStatus::Unknown, "unknown"},
                                                                         {QuestionStatus::Open, "open"},
                                                                         {QuestionStatus::Answered, "answered"},
                                                                         {QuestionStatus::Applied, "applied"},
                                                                         {QuestionStatus::Deferred, "deferred"}}};
constexpr std::string_view to_token(QuestionStatus status) { return token_in(kQuestionStatusTokens, status); }

/// A number out of a maximum: "2 / 10".
struct ClaimedCount {
  std::optional<long long> number;  // nothing: not given, or not a number
  std::optional<long long> out_of;
  std::string written;
  int line = 0;  // 0: the field is not there
};

/// A row of the questions.
struct ClaimedQuestion {
  std::string id;  // "C2.1", "Q-S1"
  std::string question;
  std::vector<std::string> gaps;  // named by the question, or naming it
  QuestionStatus status = QuestionStatus::Unknown;
  std::string written;  // its status as written
  std::string options;
  std::string answer;    // from the row, else from the received answers
  bool applied = false;  // its status says so, or the rest of the file shows it
  int line = 0;

  /// Whether it still holds the loop: not set aside, and no answer to it was applied.
  bool is_open() const { return !applied && status != QuestionStatus::Deferred; }
  /// Whether there is an answer that waits to be applied. Called answered without a text, it has to be asked
  /// again.
  bool has_unapplied_answer() const { return is_open() && !answer.empty(); }
};

/// A row of the gap queue.
struct ClaimedGap {
  std::string id;  // "G-001"
  GapPriority priority = GapPriority::Unknown;
  GapStatus status = GapStatus::Unknown;
  std::string written;  // its status as written
  std::string text;
  std::string resolution;
  std::vector<std::string> questions;  // those that the row names
  int line = 0;

  /// Whether nothing more is to be done about it.
  bool is_settled() const {
    return status == GapStatus::Resolved || status == GapStatus::Deferred || status == GapStatus::KnownGap;
  }
};

/// A row of the gap resolution history; the columns that documents agree on.
struct ClaimedResolution {
  std::string gap;
  std::optional<long long> iteration;
  std::string words;  // the row's other cells, as one line
  int line = 0;
};

/// An answer in a section of answers: in "Received Answers", which only we write, or in one of another tool.
struct ClaimedAnswer {
  std::string question;  // its id, or its words where those are what the section gives
  std::string answer;
  std::optional<bool> recorded = {};  // whether it was applied, where the row says so
  bool applied = false;               // the same, else what the rest of the file shows
  std::optional<ClaimedTime> at;
  int line = 0;
};

struct ClaimedDocument {
  std::string document;  // "spec.md"
  std::string status;    // as a token: "present"
  std::string path;
  int line = 0;
};

struct ClaimedWorkflow {
  std::string workflow;  // "specify"; "" where the file gives one status without a name
  std::string status;    // as a token: "in_progress"
  int line = 0;
};

/// Something that the integrity rules (SL-09) do not allow.
struct LoopFault {
  int line = 0;
  std::string text;     // as written; "" if it is missing
  std::string wrong;    // what is wrong
  std::string allowed;  // what could stand there
};

struct SpecLoopClaims {
  std::string feature;                 // its id: the field's, else the title's
  std::string branch;                  // "" if none is given
  std::vector<ClaimedField> metadata;  // all fields, unknown ones too, in the file's order
  std::vector<ClaimedField> loop;      // the same of the loop state
  LoopStatus status = LoopStatus::Missing;
  std::string status_written;
  int status_line = 0;  // where it stands, or would
  ClaimedCount iteration;
  ClaimedCount stale;
  std::optional<ClaimedTime> last_activity;
  std::string termination_reason;  // "" if none is given
  std::vector<ClaimedQuestion> questions;
  std::vector<ClaimedGap> gaps;
  std::vector<ClaimedResolution> history;
  std::vector<ClaimedAnswer> answers;
  std::vector<ClaimedDocument> documents;
  std::vector<ClaimedWorkflow> workflows;
  bool links_questions = false;  // some table has a place for which question is about which gap
  std::vector<Oddity> oddities;
  std::vector<Oddity> unfilled;   // what was left as the template has it
  std::vector<LoopFault> faults;  // why the state is not to be resumed as it is

  /// Returns the last metadata field with this documented name; null if there is none.
  const ClaimedField* find_field(std::string_view key) const { return find_last(metadata, key); }
  /// The same among the fields of the loop state.
  const ClaimedField* find_loop_field(std::string_view key) const { return find_last(loop, key); }

 private:
  static const ClaimedField* find_last(const std::vector<ClaimedField>& fields, std::string_view key) {
    const auto found =
        std::find_if(fields.rbegin(), fields.rend(), [&](const ClaimedField& f) { return f.key == key; });
    return found == fields.rend() ? nullptr : &*found;
  }
};

/// Everything a plan for a spec loop is made from. The planner gets this and nothing else.
struct SpecLoopSnapshot {
  std::string subject;     // the feature's directory
  std::string state_file;  // the index, relative to the project
  SpecLoopClaims claims;   // empty if there is no index, or none that can be read
  std::string unreadable;  // why the index cannot be read; "" if it can
  Timestamp now;
  Timestamp file_time;  // of the index, where it gives no time of its own

  bool index_exists = false;
  bool directory_exists = false;
  bool branch_exists = false;  // the one that the file names, or one named like the feature
  std::string spec_file;       // relative to the project
  bool spec_exists = false;
  bool spec_is_filled = false;  // it is more than its template
  bool is_repairable = false;   // repair_spec_loop() would make its faults good
};

}  // namespace reprise
