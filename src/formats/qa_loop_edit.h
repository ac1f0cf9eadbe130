// Changes of a QA loop's status, and a new one. Keys and words are those of the file's dialect; what a dialect has
// no key for is left out.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/orchestrator.h"

namespace reprise {

/// What the history says of one iteration. It is found by its number and added behind the last one if it is not
/// there: a review that is repeated after a crash is not counted twice. What is not given stays.
struct ReviewChange {
  long long iteration = 0;
  std::optional<QaVerdict> verdict = {};  // None: the review is under way
  std::optional<Timestamp> reviewed_at = {};
  std::optional<long long> issues_found = {};
  std::optional<Timestamp> fixed_at = {};
  std::optional<long long> issues_fixed = {};
  std::optional<Timestamp> interrupted_at = {};
  std::string interrupt_reason = {};
};

struct QaLoopChange {
  std::optional<QaLoopStatus> status = {};
  std::optional<long long> iteration = {};
  std::optional<Timestamp> updated_at = {};
  std::optional<QaVerdict> last_verdict = {};
  std::string escalation = {};  // the reason
  std::optional<Timestamp> escalated_at = {};
  std::optional<Timestamp> stopped_at = {};
  std::optional<Timestamp> resumed_at = {};
  std::vector<ReviewChange> reviews = {};
};

/// Returns the file with the change made. The same twice is once. Invalid: not a QA loop's status. Corrupt: torn.
Result<std::string> change_qa_loop(std::string_view bytes, const QaLoopChange& change);

/// What a new file begins with.
struct NewQaLoop {
  std::string story;
  long long iterations_max = 5;
  Timestamp started_at = {};
};

/// Returns a new file in the reference dialect: pending, no iteration yet.
std::string new_qa_loop(const NewQaLoop& loop);

}  // namespace reprise
