#include "planner/orchestrator_tables.h"

#include "base/check.h"
#include "planner/epic_rules.h"
#include "planner/flow_rules.h"
#include "planner/orchestrator_conflicts.h"
#include "planner/orchestrator_rules.h"
#include "planner/qa_loop_rules.h"
#include "planner/row_fit.h"
#include "planner/spec_pipeline_rules.h"
#include "planner/story_cycle_rules.h"

namespace reprise {
namespace {

template <typename Rows>
void append_labels(const Rows& rows, std::vector<std::string_view>& labels) {
  for (const auto& row : rows) labels.push_back(row.label);
}

}  // namespace

const StatusRow& decide(EpicStoryStatus state, StoryStatus story) {
  for (const StatusRow& row : kStatusRows) {
    if (fits(row.state, state) && fits(row.story, story)) return row;
  }
  check_failed("every pair of status has a row");
}

const AgeRow& decide(AgeClass age) {
  for (const AgeRow& row : kAgeRows) {
    if (row.age == age) return row;
  }
  check_failed("every age has a row");
}

const MissingFileRow& decide(const MissingFile& missing) {
  for (const MissingFileRow& row : kMissingFileRows) {
    if (fits(row.role, missing.role) && fits(row.ahead, missing.ahead) && fits(row.can_make, missing.can_make)) {
      return row;
    }
  }
  check_failed("every missing file has a row");
}

const ConflictRow& decide(const ConflictSeen& seen) {
  for (const ConflictRow& row : kConflictRows) {
    if (row.conflict == seen.conflict && fits(row.grave, seen.grave) && fits(row.by_time, seen.by_time))
      return row;
  }
  check_failed("every conflict has a row");
}

std::vector<std::string_view> orchestrator_labels() {
  std::vector<std::string_view> labels = {
      kUpstreamLabel,    kAheadLabel,         kPassedLabel,           kNoStoryLabel,     kSpecDoneLabel,
      kSpecNothingLabel, kRemakeLabel,        kWorkerLabel,           kDamagedLabel,     kFromLabel,
      kDependencyLabel,  kLoopIterationLabel, kLoopMaybeRunningLabel, kFlowNoStepsLabel, kFlowMasterLabel,
      kEpicNoWavesLabel, kFlowRestLabel,      kClosedLabel,           kWaveStoryLabel};
  append_labels(kStatusRows, labels);
  append_labels(kAgeRows, labels);
  append_labels(kMissingFileRows, labels);
  append_labels(kConflictRows, labels);
  append_labels(kStoryCycleRows, labels);
  append_labels(kSpecRows, labels);
  append_labels(kQaLoopRows, labels);
  append_labels(kFlowRows, labels);
  append_labels(kFlowStepRows, labels);
  append_labels(kEpicStatusRows, labels);
  append_labels(kEpicStoryRows, labels);
  append_labels(kWaveGateRows, labels);
  return labels;
}

}  // namespace reprise
