// Whether an index file may be resumed from (SL-09), and a repair of what can be derived from the file itself.
//
// The rules: a known status; an iteration from 1 to 10, or 0 while not started; a stale count from 0 to 3; every
// gap that an open question names is `clarifying`, and every `clarifying` gap is named by an open question.
// Several documents' tables have no place for which question is about which gap; there, it is enough that a
// clarifying gap has an open question beside it.
//
// A repair changes only what follows from the rest of the file, says each change with its line, and leaves a file
// that passes the rules, or it refuses. It never invents a status, a gap or an answer.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/spec_loop.h"

namespace reprise {

/// Returns what the rules object to, in the order of lines; empty: the state may be resumed.
std::vector<LoopFault> integrity_faults(const SpecLoopClaims& claims);

/// One change that a repair makes.
struct LoopRepairChange {
  int line = 0;       // in the file as it is; of a field that is added, of its section
  std::string words;  // what is changed, and why
};

struct LoopRepair {
  std::string bytes;                      // the repaired file
  std::vector<LoopRepairChange> changes;  // empty: there was nothing to repair
};

/// Returns the repaired file. Corrupt: what is left cannot be derived from the file; the message names the first
/// line that a person has to look at. Invalid: not an index file.
Result<LoopRepair> repair_spec_loop(std::string_view bytes, std::string_view file);

}  // namespace reprise
