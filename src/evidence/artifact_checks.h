// Whether a file that a stage produced looks complete, by what its author declared.
//
// Pure: works on content. The `run` command of a check is not started here; that is the caller's part,
// after check_complete() passed.

#pragma once

#include <string>
#include <string_view>

#include "model/workflow.h"

namespace reprise {

struct CheckAnswer {
  bool passed = true;
  std::string why;  // one sentence if it did not pass: "line 12: placeholder TODO"
};

/// Returns whether `content` passes every declared check but `run`. Not empty is always required.
CheckAnswer check_complete(const CompleteCheck& check, std::string_view content);

}  // namespace reprise
