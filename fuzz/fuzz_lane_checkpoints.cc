// The lanes' checkpoint file: any bytes give records or one error with its place. What is read can be written to:
// the record is in it, the others are as they were, and writing it again changes nothing.

#include <algorithm>

#include "formats/lane_checkpoints.h"
#include "fuzz.h"
#include "text/json_edit.h"

using namespace reprise;

namespace {

LaneCheckpoint a_record() {
  LaneCheckpoint record;
  record.run_id = "r";
  record.phase = "P1";
  record.lane = "SL-1";
  record.stage = LaneStage::AfterLaneTests;
  record.status = LaneStatus::Failed;
  record.notes = "\"\n\\";
  record.retry_attempt = 1;
  record.failure_context = {"Attempt 1: x"};
  return record;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const LaneCheckpoint record = a_record();
  const Result<LaneCheckpoints> before = read_lane_checkpoints(bytes, "c.json");
  const Result<std::string> written = upsert_lane_checkpoint(bytes, record);
  check(before.has_value() == written.has_value());
  if (!before) {
    check(!before.error().message.empty() && before.error().kind == ErrorKind::Corrupt);
    return 0;
  }
  const LaneCheckpoints after = read_lane_checkpoints(*written, "c.json").value();
  const auto is_ours = [&](const LaneCheckpoint& each) { return each.key() == record.key(); };
  std::size_t ours = 0;
  for (const LaneCheckpoint& each : after.records) {
    if (!is_ours(each)) continue;
    ++ours;
    check(each.status == record.status && each.notes == record.notes && each.retry_attempt == 1);
    check(each.failure_context == record.failure_context && each.timestamp == record.timestamp);
  }
  check(ours >= 1);
  const auto others = [&](const LaneCheckpoints& all) {
    return all.records.size() - static_cast<std::size_t>(std::ranges::count_if(all.records, is_ours));
  };
  check(others(after) == others(*before));
  check(upsert_lane_checkpoint(*written, record).value() == *written);
  return 0;
}
