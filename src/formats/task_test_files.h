// The task files that tests read: our own, and real ones where they are at hand.

#pragma once

#include <string>
#include <vector>

#include "formats/playbook_test_files.h"

namespace reprise {

/// A task as its tool writes one.
inline const std::string kPlainTask = R"({
  "id": "4",
  "subject": "Draw the tide chart",
  "description": "Heights for a month.\n\n```yaml\nphase: P9\n```",
  "activeForm": "Drawing the tide chart",
  "status": "in_progress",
  "blocks": [
    "7",
    "9"
  ],
  "blockedBy": [
    "1"
  ],
  "metadata": {
    "phase": "P6",
    "domain": "execution",
    "agent": "implementer",
    "files": [
      "src/tide.cc",
      "src/chart.cc"
    ],
    "parent": "1"
  },
  "owner": "terminal-b"
})";

/// One of another program: other order, other spelling, keys of its own, CRLF and a byte order mark.
inline const std::string kForeignTask =
    "\xEF\xBB\xBF{\r\n\t\"status\" : \"failed\",\r\n\t\"priority\": 2, \"id\": 12,\r\n\t\"subject\": \"Find the "
    "leak \\u00e9 \xEB\xB0\xB0\",\r\n\t\"blocked_by\": [3, \"4\"],\r\n\t\"metadata\": {\"phaseId\": \"phase 7\", "
    "\"partial_output\": \"notes/leak.md\", \"completedAt\": \"2026-03-01T10:00:00+02:00\", \"_internal\": "
    "false}\r\n}\r\n";

/// A permanent task with everything in its metadata.
inline const std::string kPermanentTask = R"({
  "id": "1",
  "subject": "[PERMANENT] Tide tables",
  "description": "Tables for a month.",
  "activeForm": "Keeping the plan",
  "status": "pending",
  "blocks": [],
  "blockedBy": [],
  "metadata": {
    "type": "permanent",
    "tier": "STANDARD",
    "current_phase": "P3",
    "commit_status": "pending",
    "branch": "feature/tides",
    "resume_count": 2,
    "references": ["docs/tides.md", "src/tide.cc"],
    "user_directives": ["no new dependency"],
    "decisions": ["tables, not curves"],
    "phase_signals": {"p0": "PASS|goals:3", "p1": "PASS", "p2": "partial|sources:1"}
  }
})";

inline std::vector<TestFile> task_fixtures() {
  return {{"4.json", kPlainTask}, {"12.json", kForeignTask}, {"1.json", kPermanentTask}};
}
/// Files of real lists, empty where they are not at hand; those that begin with "[" are snapshots.
inline std::vector<TestFile> task_corpus() {
  return test_files_in(source_folder() / "../shared/corpus/claude-task");
}

/// What mutations put into a task's file.
inline const std::vector<std::string>& task_pieces() {
  static const std::vector<std::string> pieces = {"{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  ",",
                                                  ":",
                                                  "\"",
                                                  "\n",
                                                  "\r\n",
                                                  "\\",
                                                  "\"id\": 3,",
                                                  "\"status\": \"done\",",
                                                  "\"blocks\": [\"4\"],",
                                                  "\"metadata\": {\"phase\": [\"P1\"]},",
                                                  "\"error\": \"x\",",
                                                  "[PERMANENT] ",
                                                  "P4-P9",
                                                  "| P1 | COMPLETE |\\n",
                                                  "null",
                                                  "\xFF",
                                                  std::string(1, '\0')};
  return pieces;
}

}  // namespace reprise
