// Changes to a spec loop's index file, and a fresh one: bytes in, bytes out.
//
// Each function changes what it is named after and leaves every other byte alone (F2), in whatever form the file
// has: any order and set of columns, the usual heading or a synonym. A section or table that is missing is added.
// Invalid: the bytes are not an index file. NotFound: the row that is to be changed is not there.
//
// An answer stands in its question's row (in the column Answer, or behind the status where the table has none) and
// in a section of our own, "Received Answers", which also says whether it was applied (SL-03).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/spec_loop.h"

namespace reprise {

struct LoopFieldChange {
  std::string_view key;  // as documented: "loop_status", "last_updated"
  std::string_view value;
};

/// Sets a field of the loop state, under whatever synonym it stands; adds it to the state's table or list.
Result<std::string> set_loop_field(std::string_view bytes, LoopFieldChange change);
/// Sets the last activity of the loop, and the feature's last update where the file has one.
Result<std::string> set_last_activity(std::string_view bytes, Timestamp now);

struct LoopGapChange {
  std::string id;
  GapStatus status = GapStatus::Pending;
  std::optional<std::string> resolution = {};  // nothing: stays as it is
};
/// Sets a gap's status, and its resolution where the table has a column for it.
Result<std::string> set_gap(std::string_view bytes, const LoopGapChange& change);

struct NewLoopGap {
  std::string id;
  GapPriority priority = GapPriority::Important;
  std::string text;
  GapStatus status = GapStatus::Pending;
};
/// Adds a row to the gap queue.
Result<std::string> add_gap(std::string_view bytes, const NewLoopGap& gap);

struct LoopQuestion {
  std::string id;
  std::string question;
  std::vector<std::string> gaps;
  std::string options;
  std::string status = "awaiting_answer";
};
/// Sets the row of a question, or adds it. Cells that it has no value for stay as they are.
Result<std::string> set_question(std::string_view bytes, const LoopQuestion& question);

struct LoopHistoryRow {
  std::string gap;
  long long iteration = 1;
  std::string action;   // "resolved"
  std::string details;  // "Answer: …"
  std::string question;
  Timestamp at;
};
/// Adds a row to the gap resolution history. Rows that are there are never changed.
Result<std::string> append_history(std::string_view bytes, const LoopHistoryRow& row);

struct ReceivedAnswer {
  std::string question;
  std::string answer;
  Timestamp at;
};
/// Puts an answer into the question's row and into the received answers, not applied yet. An answer that was not
/// applied is replaced; NotFound if there is no such question.
Result<std::string> put_answer(std::string_view bytes, const ReceivedAnswer& answer);
/// Says in both places that a question's answer was applied.
Result<std::string> mark_applied(std::string_view bytes, std::string_view question);

struct LoopDocumentChange {
  std::string document;  // "spec.md"
  std::string status;    // "present"
  std::string path;      // of a row that is added
  Timestamp at;
};
/// Sets the row of a document in the availability matrix, or adds it.
Result<std::string> set_document(std::string_view bytes, const LoopDocumentChange& change);

struct NewSpecLoop {
  std::string feature;  // "005-user-auth"
  std::string branch;
  std::string description;
  std::string spec_path;
  LoopStatus status = LoopStatus::Scaffolding;
  Timestamp now;
};
/// Returns the index of a feature that begins now.
std::string new_spec_loop_file(const NewSpecLoop& loop);

}  // namespace reprise
