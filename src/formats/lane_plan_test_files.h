// Phase plans that tests read.

#pragma once

#include <string>

#include "formats/lane_plan.h"
#include "formats/playbook_test_files.h"

namespace reprise {

/// The documented form: an index in fenced code, gates ticked and not, three lanes that wait for gates and each
/// other.
inline const std::string& documented_plan() {
  static const std::string plan = R"(# P2: Harbour

## Summary

A harbour with a light.

## Interface Freeze Gates

### Own

- [ ] IF-0-P2-CHART: the chart's format
- [x] IF-0-P1-TIDE: from the phase before
- [ ] IF-1-P2-QUAY: the quay stands
- [ ] IF-XP-LAMP: cross-phase

## Lane Index & Dependencies

```
- SL-QUAY -- Quay and moorings
  - Depends on: (none - foundation lane)
  - Blocks: SL-LIGHT
  - Parallel-safe: yes

- SL-CHART -- Charts
  - Depends on: IF-1-P2-QUAY, IF-0-P1-TIDE (frozen)
  - Blocks: (Phase 3)
  - Parallel-safe: mixed
  - Retries: 2

- SL-LIGHT -- Light
  - Depends on: SL-CHART,
    IF-0-P2-CHART
  - Blocks: None (last one)
  - Parallel-safe: no
```

## D. Swim Lanes

### SL-QUAY -- Quay and moorings

**Interfaces Consumed**:

- None

**Tasks**:

| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
|---|---|---|---|---|---|---|
| P2-SL-QUAY-01 | test | - | - | `tests/quay.py` | `pytest tests/quay.py` | The test fails |
| P2-SL-QUAY-02 | impl | P2-SL-QUAY-01 | `quay.py`, `bollard.py` | - | `pytest tests/quay.py` | Ships can moor |
| P2-SL-QUAY-03 | impl | - | `rope.py` | - | - | Ropes hold \| always |
| P2-SL-QUAY-04 | verify | P2-SL-QUAY-02, P2-SL-QUAY-03 | - | - | `make lint && make all` | All pass |

### SL-CHART -- Charts

**Interfaces Provided**:

- `IF-0-P2-CHART`: what IF-XP-LAMP needs

| Acceptance | Task | Type | Test Command | Depends On |
|---|---|---|---|---|
| Charts are drawn | **C-1** | Test | pytest charts | IF-1-P2-QUAY |
| Charts are right | C-2 | impl | `a`<br>`b c` | C-1 |

### SL-LIGHT — Light

| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
|---|---|---|---|---|---|---|
| L-1 | impl | C-2 | lamp.c | - | `make lamp` | It shines |

## H. Test Execution Plan

Nothing.
)";
  return plan;
}

/// What mutations put into a phase plan.
inline const std::vector<std::string>& plan_pieces() {
  static const std::vector<std::string> pieces = {"|",
                                                  "\n",
                                                  "\r",
                                                  "- ",
                                                  "## ",
                                                  "```\n",
                                                  ": ",
                                                  "SL-QUAY",
                                                  "IF-0-P2-CHART",
                                                  "\\",
                                                  "**",
                                                  "---",
                                                  "<!--",
                                                  "\t",
                                                  "  - Depends on: SL-LIGHT\n",
                                                  "- SL-X -- X\n",
                                                  "`",
                                                  "(",
                                                  "..",
                                                  std::string(1, '\0'),
                                                  "\xFF",
                                                  "| a | b |\n|---|---|\n"};
  return pieces;
}

}  // namespace reprise
