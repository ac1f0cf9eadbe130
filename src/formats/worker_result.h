// The result that a worker may write (contract section 4): bytes in, plain data out.
//
// A result that does not parse is an error, and so a failed attempt: half a result is not a result.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

struct WorkerResult {
  enum class Status { Unsaid, Done, Failed, NeedsHuman };
  struct Gap {
    std::string id;
    std::string priority;
    std::string text;
  };
  struct Question {
    std::string id;
    std::string text;
    std::vector<std::string> gaps;
    std::vector<std::string> options;
  };

  /// Work that is to be done by others; blockers are ids of the list, or of tasks of the same result.
  struct Task {
    std::string id;  // for the others of the same result; "" if none needs it
    std::string subject;
    std::string description;
    std::string phase;  // "" for that of the step which hands it in
    std::vector<std::string> blocked_by;
    std::map<std::string, std::string> metadata;  // each value as JSON
  };

  Status status = Status::Unsaid;
  std::string summary;
  std::vector<std::string> artifacts;
  std::string verdict;
  std::vector<Gap> gaps;
  std::vector<Question> questions;
  std::vector<Task> tasks;
  std::optional<Timestamp> retry_at;
  double cost_usd = 0;
  std::int64_t tokens = 0;
};

/// Reads a result. Invalid, with what is wrong where, if it is not JSON or a field has the wrong type.
/// Unknown fields are ignored.
Result<WorkerResult> parse_worker_result(std::string_view bytes);

}  // namespace reprise
