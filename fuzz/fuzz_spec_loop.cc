// The spec loop's index file: any bytes give claims or one error, what is recognised can be changed and is still
// recognised, and a repair leaves a sound file or refuses. No change gives the same bytes.

#include "formats/spec_loop.h"
#include "formats/spec_loop_checks.h"
#include "formats/spec_loop_edit.h"
#include "fuzz.h"

using namespace reprise;

namespace {

void check_answers(const std::string& bytes, const SpecLoopClaims& claims) {
  if (claims.questions.empty()) return;
  const std::string& id = claims.questions.front().id;
  const std::string answered = put_answer(bytes, {id, "an | answer", Timestamp{0}}).value();
  const SpecLoopClaims after = read_spec_loop(answered, "f.md").value();
  check(after.questions.size() >= claims.questions.size());
  check(mark_applied(answered, id).has_value());
}

void check_repair(std::string_view bytes) {
  const Result<LoopRepair> repair = repair_spec_loop(bytes, "f.md");
  if (!repair) return check(!repair.error().message.empty());
  check(read_spec_loop(repair->bytes, "f.md").value().faults.empty());
  check(repair->changes.empty() == (repair->bytes == bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const Result<SpecLoopClaims> claims = read_spec_loop(bytes, "f.md");
  check(claims.has_value() == is_spec_loop(bytes));
  if (!claims) {
    check(!claims.error().message.empty());
    check(!set_loop_field(bytes, {"loop_status", "completed"}));
    return 0;
  }
  const std::string with_status = set_loop_field(bytes, {"loop_status", "completed"}).value();
  check(read_spec_loop(with_status, "f.md").value().status == LoopStatus::Completed);
  check(set_loop_field(with_status, {"loop_status", "completed"}).value() == with_status);
  check(is_spec_loop(set_last_activity(bytes, Timestamp{0}).value()));
  const std::string with_gap = add_gap(bytes, {.id = "G-987", .text = "t"}).value();
  check(is_spec_loop(with_gap));
  check(is_spec_loop(set_question(bytes, {.id = "C9.87", .question = "q", .gaps = {"G-1"}}).value()));
  check(is_spec_loop(append_history(bytes, {.gap = "G-1", .action = "resolved"}).value()));
  check(is_spec_loop(set_document(bytes, {.document = "spec.md", .status = "present"}).value()));
  check_answers(std::string(bytes), *claims);
  check_repair(bytes);
  return 0;
}
