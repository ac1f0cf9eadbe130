#include "planner/own_rules.h"

#include "base/check.h"
#include "planner/row_fit.h"

namespace reprise {
namespace {}  // namespace

const StepRow& decide(const StepSituation& s) {
  for (const StepRow& row : kStepRows) {
    if (row.record == s.record && fits(row.artifacts, s.artifacts) && fits(row.products, s.products) &&
        fits(row.inputs, s.inputs) && fits(row.work, s.work) && fits(row.upstream, s.upstream) &&
        fits(row.verifier, s.verifier) && fits(row.answer, s.answer) && fits(row.resume, s.resume)) {
      return row;
    }
  }
  check_failed("every step situation has a row");
}

const GateRow& decide(const GateSituation& s) {
  for (const GateRow& row : kGateRows) {
    if (row.record == s.record && fits(row.shown, s.shown) && fits(row.upstream, s.upstream)) return row;
  }
  check_failed("every gate situation has a row");
}

}  // namespace reprise
