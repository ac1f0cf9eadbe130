// The lanes' checkpoint file (`checkpoints.json`): read as records, and changed one record at a time.
//
// What always holds:
//
//   A missing or empty file is an empty list. The list may be the member "checkpoints" of an object. A file that
//   was cut off or damaged is an error with line and column, never an empty list. A record needs six fields to be
//   one: run_id, phase, lane, stage, status and timestamp. What lacks one of them, and what else was not
//   understood, is listed with its line; unknown stages, statuses and fields are kept. A write replaces the record
//   with the same run, phase, lane and stage where it stands, or adds one at the end. Every other byte stays,
//   unknown members of that record included (F2). Writing the same twice is writing it once.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/lane_checkpoint.h"
#include "model/playbook.h"

namespace reprise {

struct LaneCheckpoints {
  std::vector<LaneCheckpoint> records;  // in the file's order, which means nothing
  std::vector<Oddity> oddities;         // what was not understood, by line

  /// Returns those that are about something which is no record.
  std::vector<Oddity> unusable() const;
};

/// Reads the file. Corrupt: damaged, too large, or something else than a list of records or one record. `file` is
/// for messages only.
Result<LaneCheckpoints> read_lane_checkpoints(std::string_view bytes, std::string_view file);

/// What `--resume` and `--rollback` are about.
struct LaneRun {
  std::string_view run_id;
  std::string_view phase;
  std::string_view lane;
};

/// Returns the commands that go on with a lane and that roll it back: `reprise run lanes PLAN --input lane=L
/// --run-id R --resume`. They work when pasted into a shell, whatever is in the names. A phase as a whole (lane
/// "-") has no input. Without a plan, "", it is looked for when the command runs.
std::string resume_hint(std::string_view plan, const LaneRun& run);
std::string rollback_hint(std::string_view plan, const LaneRun& run);

/// Returns the latest record of a lane in a run: by timestamp, where two are equal the later stage; null if there
/// is none.
const LaneCheckpoint* latest_checkpoint(std::span<const LaneCheckpoint> records, const LaneRun& run);

/// Returns the file with `record` in it. A file of one record becomes a list; records with the same key, where
/// there are several, all become this one. Corrupt as for reading; Invalid if the record has no run, phase, lane
/// or stage.
Result<std::string> upsert_lane_checkpoint(std::string_view bytes, const LaneCheckpoint& record);

}  // namespace reprise
