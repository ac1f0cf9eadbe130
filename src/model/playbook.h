// What a playbook state file claims: its fields, stages, checkpoints and notes, each with its line.
//
// Claims are not facts. Nothing in here was looked at in the world; what could not be understood is listed
// with its line and text, so that a person can be shown it, and never guessed at.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/time.h"

namespace reprise {

/// What the file says the run is. Missing and Unknown are never a fresh start: a person has to look.
enum class PlaybookStatus { Missing, Unknown, InProgress, WaitingForHuman, Complete, Failed, Cancelled, Aborted };

constexpr std::string_view to_token(PlaybookStatus status) {
  switch (status) {
    case PlaybookStatus::Missing: return "missing";
    case PlaybookStatus::Unknown: return "unknown";
    case PlaybookStatus::InProgress: return "in_progress";
    case PlaybookStatus::WaitingForHuman: return "waiting_for_human";
    case PlaybookStatus::Complete: return "complete";
    case PlaybookStatus::Failed: return "failed";
    case PlaybookStatus::Cancelled: return "cancelled";
    case PlaybookStatus::Aborted: return "aborted";
  }
  return "unknown";
}

/// A key and its value as written, with the file's line.
struct ClaimedField {
  std::string key;    // the documented name where the file uses a synonym
  std::string value;  // as written; "" if nothing stands there
  int line = 0;
};

/// A point in time; only a day where the file gives no more.
struct ClaimedTime {
  Timestamp time;
  bool whole_day = false;
};

/// How much of a SHA-256 digest is given.
enum class ClaimedHash {
  None,         // no value, or one that stands for nothing
  Complete,     // 64 digits
  Abbreviated,  // cut short with an ellipsis: can be compared with the start of a digest only
  WrongLength,  // digits, but not 64 of them: equals no digest
  Unreadable,   // something else
};

struct ClaimedDigest {
  ClaimedHash form = ClaimedHash::None;
  std::string digits;  // in lower case, "" without any

  /// Returns the digest, if it is complete.
  std::optional<Digest> digest() const {
    return form == ClaimedHash::Complete ? parse_digest(digits) : std::nullopt;
  }
};

/// A row of the stages.
struct ClaimedStage {
  std::string stage;  // in lower case with hyphens: "code-review"
  std::string written;
  std::string status;  // of a table with such a column, as written
  std::optional<ClaimedTime> completed_at;
  std::vector<std::string> artifacts;
  ClaimedDigest hash;
  int line = 0;
};

/// The stage that was at work, as the file details it.
struct ClaimedStageDetail {
  std::vector<ClaimedField> fields;
  std::string stage;       // "" if not given
  std::string job_status;  // as a token: "retrying"; "" if not given
  std::optional<long long> retry_count;
};

struct ClaimedIterations {
  std::string stage;
  std::optional<long long> cycles;
  std::optional<long long> budget;
  std::string status;  // as written
  int line = 0;
};

struct ClaimedCluster {
  std::string cluster;
  std::optional<ClaimedTime> first_seen;
  std::optional<long long> retries;
  std::string stage;
  std::string notes;
  int line = 0;
};

struct ClaimedCheckpoint {
  std::string name;  // as written, without its remark in parentheses
  bool ticked = false;
  int line = 0;
};

/// Something in the file that was not understood, or that contradicts itself.
struct Oddity {
  int line = 0;
  std::string text;  // as written
  std::string why;
};

struct PlaybookClaims {
  std::vector<ClaimedField> header;  // all fields, unknown ones too, in the file's order
  PlaybookStatus status = PlaybookStatus::Missing;
  std::string status_remark;  // what stands behind the status word
  std::string current_stage;  // in lower case with hyphens; "" if not given
  ClaimedDigest spec_hash;
  std::optional<ClaimedTime> started_at;
  std::optional<ClaimedTime> last_updated_at;
  std::vector<ClaimedStage> completed;      // in the file's order; a stage may occur more than once
  std::vector<ClaimedStage> not_completed;  // rows whose status says so, or says something unknown
  ClaimedStageDetail detail;
  std::vector<ClaimedIterations> iterations;
  std::vector<ClaimedCluster> clusters;
  std::vector<ClaimedCheckpoint> checkpoints;
  std::string notes;
  std::vector<Oddity> oddities;
  std::vector<Oddity> unfilled;  // what was left as the template has it

  /// Returns the last header field with this documented name; null if there is none.
  const ClaimedField* find_field(std::string_view key) const {
    const auto found =
        std::find_if(header.rbegin(), header.rend(), [&](const ClaimedField& f) { return f.key == key; });
    return found == header.rend() ? nullptr : &*found;
  }
};

}  // namespace reprise
