// What the checkpoints of a lane mean for going on: the table of LN-05. Pure.
//
// For lanes that are only known from checkpoints.json; a run of ours is planned from its journal. What the latest
// checkpoint says decides where the lane goes on; an unknown word never means "start anew".

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/lane_checkpoint.h"
#include "model/plan.h"
#include "model/playbook.h"

namespace reprise {

/// One row: what is done with a lane whose latest checkpoint is of this stage and status.
struct LaneRow {
  std::string_view label;
  int stage;   // a LaneStage, or -1 for any
  int status;  // a LaneStatus, or -1 for any
  LaneStage goes_on_at;
  Readiness readiness;
  std::string_view reason;
  std::string_view finding = {};  // what a person is warned of, "" if of nothing
};
/// Returns the row that fits; every combination has one.
const LaneRow& decide(LaneStage stage, LaneStatus status);
/// The same for a whole record: an attempt beyond the last that is allowed is none.
const LaneRow& decide(const LaneCheckpoint& latest);
/// All rows, in the order in which they are tried.
std::span<const LaneRow> lane_rows();

/// What git shows of a lane's branch and worktree. Commits outrank what a checkpoint says (ALL-03).
struct LaneInGit {
  std::string branch;             // that the plan gives it; "": git was not asked
  std::string head;               // of the branch; "": there is none
  std::string recorded;           // the last commit that a checkpoint names; "": none does
  bool has_recorded = true;       // the branch holds it
  std::string other_branch = {};  // that is checked out in its worktree instead; "": none is
  bool is_dirty = false;          // its worktree has changes that are not committed
  std::string elsewhere = {};     // the folder that has its branch checked out, if that is not `place`
  std::string place = {};         // where Reprise works in the lane, relative to the project
};

/// What is known of a lane that was found.
struct LaneFound {
  RunId id;
  std::string file;                     // the checkpoint file
  LaneCheckpoint latest;                // by time
  std::vector<LaneCheckpoint> records;  // all of the lane in this run
  std::string plan_file;  // the phase plan that its hints name, or the only one that fits; "" if none does
  bool plan_is_there = true;
  bool plan_is_guessed = false;    // no checkpoint names it
  std::vector<std::string> plans;  // that have such a lane, if none is named
  std::string publish;             // how it is published; "" if nobody says
  std::string first_task;          // the step that a person is asked about before anything starts
  bool is_in_plan = true;          // the plan has such a lane
  LaneInGit git;
  bool worktree_is_there = false;
  bool worktree_is_outside = false;  // of the project
  Duration age{0};
  bool is_of_the_future = false;  // its latest checkpoint is
  std::vector<Oddity> oddities;   // of its records
};

/// Whether its attempts are used up: a person has to look before anything starts.
bool is_exhausted(const LaneCheckpoint& latest);
/// Returns what a person is asked then.
std::string exhausted_question(const LaneCheckpoint& latest);

/// Returns the row that the lane goes on by: what its latest checkpoint says, as far as git bears that out.
const LaneRow& decide(const LaneFound& found);
/// Returns the plan: a decision for each checkpoint of the seed.
Plan plan_lane_found(const LaneFound& found);

}  // namespace reprise
