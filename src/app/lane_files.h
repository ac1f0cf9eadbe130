// The files that runs of lanes share with other programs: checkpoints.json and the run log.
//
// Both are written from the journal, after it. Checkpoints are one file for all runs and programs: each write
// takes a lock, builds on what is in the file at that moment, and changes one record; a program that does not know
// the lock and writes in between is noticed, and built upon (LN-01). The run log is only appended to; a line that
// is torn or missing after a crash is completed by the next session, from the journal (LN-10).
//
// What another program recorded of a lane before it was adopted stays as that program wrote it, and is not logged
// a second time: neither its time nor its commits are known better here.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/lane_definition.h"
#include "executor/run_records.h"
#include "formats/lane_checkpoints.h"
#include "formats/run_log.h"
#include "model/lane_checkpoint.h"

namespace reprise {

/// Where the checkpoints of a project are, relative to it.
inline constexpr std::string_view kCheckpointFile = ".claude/ai-dev-kit/run-logs/checkpoints.json";
/// Where the log of a run is, relative to the project.
std::string run_log_file(const std::string& run_id);

/// Fails like check_place_in() if checkpoints or the log of a run of lanes would not lie in the project.
Result<void> check_lane_places(const App& app);

/// Puts records into the project's checkpoint file, one by one, in one write. Corrupt, and nothing is written, if
/// the file cannot be read.
Result<void> put_checkpoints(App& app, const std::vector<LaneCheckpoint>& records);

/// Fills in what a program that records a checkpoint need not know: time, log and hints, those of an earlier
/// checkpoint of the lane if no plan is named.
Result<void> complete_record(App& app, const std::string& plan, LaneCheckpoint& record);

/// Returns all records; none if there is no file.
Result<std::vector<LaneCheckpoint>> list_checkpoints(App& app);
/// The same, with what in the file is no record or not understood.
Result<LaneCheckpoints> read_checkpoints(App& app);

/// Appends lines to a run log, each whole. A torn end of the file is closed first.
Result<void> append_to_log(App& app, const std::string& file, const std::string& lines);

/// The record of one checkpoint of a run, as the file has it.
LaneCheckpoint to_record(App& app, const RunState& state, const LaneState& lane,
                         const CheckpointState& checkpoint);

/// Keeps both files in step with a run.
class LaneFiles : public RunRecords {
 public:
  LaneFiles(App& app, LaneRunName name) : app_(app), name_(std::move(name)) {}
  Result<void> show(std::span<const RecordedEvent> events, const RunState& state) override;
  /// Writes what a session that ended could not write any more.
  Result<void> catch_up(Journal& journal, const RunState& state);

 private:
  std::string lines_for(std::span<const RecordedEvent> events, const RunState& state) const;
  std::vector<LaneCheckpoint> records_for(const RunState& state) const;
  Result<std::vector<LaneCheckpoint>> taken_back(const RunState& state) const;
  Result<void> put_records(const RunState& state) const;

  App& app_;
  LaneRunName name_;
};

}  // namespace reprise
