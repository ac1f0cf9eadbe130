#include "planner/task_tables.h"

#include "base/check.h"
#include "planner/row_fit.h"
#include "planner/task_choices.h"

namespace reprise {
namespace {}  // namespace

const TaskRow& decide(const TaskSituation& s) {
  for (const TaskRow& row : kTaskRows) {
    const bool has_fact = row.fact == nullptr || s.*row.fact;
    if (row.work == s.work && fits(row.restart, s.restart) && has_fact) return row;
  }
  check_failed("every situation of a task has a row");
}

const PhaseRow& decide(const PhaseSituation& s) {
  for (const PhaseRow& row : kPhaseRows) {
    if (row.work == s.work && (row.fact == nullptr || s.*row.fact)) return row;
  }
  check_failed("every situation of a phase has a row");
}

const TrivialRow& decide(Preparation preparation, TrivialWork work) {
  for (const TrivialRow& row : kTrivialRows) {
    if (fits(row.preparation, preparation) && fits(row.work, work)) return row;
  }
  check_failed("every trivial pipeline has a row");
}

const GranularityRow& decide(TaskTier tier, CompletedEvidence evidence) {
  for (const GranularityRow& row : kGranularityRows) {
    if (fits(row.tier, tier) && fits(row.evidence, evidence)) return row;
  }
  check_failed("every tier has a granularity");
}

const DepthRow& decide_depth(TaskTier tier, bool was_resumed) {
  for (const DepthRow& row : kDepthRows) {
    if (fits(row.tier, tier) && fits(row.was_resumed, was_resumed)) return row;
  }
  check_failed("every tier has a depth");
}

const OverrideRow& decide(OverridePlace place) {
  for (const OverrideRow& row : kOverrideRows) {
    if (row.place == place) return row;
  }
  check_failed("every place of a user's phase has a row");
}

const BranchRow& decide(BranchSeen seen, bool is_recorded, bool is_confirmed) {
  for (const BranchRow& row : kBranchRows) {
    if (fits(row.seen, seen) && fits(row.is_recorded, is_recorded) && fits(row.is_confirmed, is_confirmed)) {
      return row;
    }
  }
  check_failed("every state of the branch has a row");
}

const ResumeCountRow& decide(std::int64_t resume_count) {
  for (const ResumeCountRow& row : kResumeCountRows) {
    if (resume_count <= row.to) return row;
  }
  check_failed("every resume count has a row");
}

const AdviceRow& decide_advice(bool has_failed, bool left_nothing, bool is_complex) {
  for (const AdviceRow& row : kAdviceRows) {
    const bool is_so = fits(row.has_failed, has_failed) && fits(row.left_nothing, left_nothing);
    if (is_so && fits(row.is_complex, is_complex)) return row;
  }
  check_failed("every repeated resume gets an advice");
}

}  // namespace reprise
