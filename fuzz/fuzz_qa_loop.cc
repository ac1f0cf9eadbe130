// The status of a QA loop: any bytes give claims or one error. Every file that is read can be changed unless a
// place is taken by something else; the change is in it, and the dialect stays.

#include "formats/qa_loop.h"
#include "formats/qa_loop_edit.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const Result<QaLoopClaims> before = read_qa_loop(bytes, "l.json");
  QaLoopChange change;
  change.status = QaLoopStatus::Stopped;
  change.iteration = 3;
  change.updated_at = Timestamp{1'772'352'000'000};
  change.last_verdict = QaVerdict::Blocked;
  change.reviews = {
      {.iteration = 3, .verdict = QaVerdict::Blocked, .issues_found = 2, .interrupt_reason = "\"\n"}};
  const Result<std::string> after = change_qa_loop(bytes, change);
  if (!before) {
    check(!before.error().message.empty() && !after);
    return 0;
  }
  if (!after) {
    check(!after.error().message.empty());
    return 0;
  }
  const QaLoopClaims claims = read_qa_loop(*after, "l.json").value();
  check(claims.dialect == before->dialect && claims.status == QaLoopStatus::Stopped && claims.iteration == 3);
  check(claims.history.size() <= before->history.size() + 1 && claims.history.size() >= before->history.size());
  check(change_qa_loop(*after, change).value() == *after);
  return 0;
}
