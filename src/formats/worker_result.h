// The result that a worker may write (contract section 4): bytes in, plain data out.
//
// A result that does not parse is an error, and so a failed attempt: half a result is not a result.

#pragma once

#include <cstdint>
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

  Status status = Status::Unsaid;
  std::string summary;
  std::vector<std::string> artifacts;
  std::string verdict;
  std::vector<Gap> gaps;
  std::vector<Question> questions;
  std::optional<Timestamp> retry_at;
  double cost_usd = 0;
  std::int64_t tokens = 0;
};

/// Reads a result. Invalid, with what is wrong where, if it is not JSON or a field has the wrong type.
/// Unknown fields are ignored.
Result<WorkerResult> parse_worker_result(std::string_view bytes);

}  // namespace reprise
