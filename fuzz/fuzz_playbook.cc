// The playbook's state file: any bytes give claims or one error, and what is recognised can be changed and is
// still recognised. No change gives the same bytes.

#include "formats/playbook.h"
#include "formats/playbook_checks.h"
#include "formats/playbook_edit.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const ConstitutionVerdict verdict = constitution_check(bytes);
  check(verdict.completed == verdict.reason.empty());
  (void)spec_hashes(bytes);
  const Result<PlaybookClaims> claims = read_playbook(bytes, "f.md");
  check(claims.has_value() == is_playbook(bytes));
  if (!claims) {
    check(!claims.error().message.empty());
    check(!set_header_field(bytes, {"status", "FAILED"}));
    return 0;
  }
  const std::string with_status = set_header_field(bytes, {"status", "FAILED"}).value();
  check(read_playbook(with_status, "f.md").value().status == PlaybookStatus::Failed);
  check(set_header_field(with_status, {"status", "FAILED"}).value() == with_status);
  check(is_playbook(set_detail_field(bytes, {"job_status", "DONE"}).value()));
  check(
      is_playbook(set_iteration_count(bytes, {.stage = "tdd", .cycles = 1, .budget = 3, .status = "x"}).value()));
  check(is_playbook(tick_checkpoint(bytes, "Spec approval").value()));
  check(is_playbook(append_note(bytes, "A note.").value()));
  const std::string with_stage = append_completed_stage(bytes, {.stage = "spec", .artifacts = {"a.md"}}).value();
  check(is_playbook(with_stage));
  return 0;
}
