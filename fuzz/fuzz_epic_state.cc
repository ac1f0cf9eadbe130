// The epic's state file: any bytes give claims or one error. What is changed can be read again, holds the change,
// and changing it again changes nothing.

#include <algorithm>

#include "formats/epic_state.h"
#include "formats/epic_state_edit.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const Result<EpicClaims> before = read_epic_state(bytes, "e.yaml");
  EpicChange change;
  change.current_wave = "4";
  change.updated_at = Timestamp{1'772'352'000'000};
  change.stories = {{.wave = "2", .id = "2.10", .status = EpicStoryStatus::Failed, .executor = "x: \"y\""}};
  change.verdicts = {{.gate = "2", .verdict = "rejected", .agent = "qa"}};
  const Result<std::string> after = change_epic_state(bytes, change);
  if (!before) {
    check(!before.error().message.empty() && !after);
    return 0;
  }
  if (!after) {
    check(!after.error().message.empty());
    return 0;
  }
  check(!before->damaged);
  const EpicClaims claims = read_epic_state(*after, "e.yaml").value();
  check(claims.current_wave == "4" && claims.updated_at->time == *change.updated_at);
  check(claims.waves.size() >= before->waves.size() && claims.verdicts.size() >= before->verdicts.size());
  check(std::ranges::any_of(claims.waves, [](const ClaimedWave& wave) {
    return wave.number == "2" && std::ranges::any_of(wave.stories, [](const ClaimedStory& story) {
             return story.status == EpicStoryStatus::Failed;
           });
  }));
  check(change_epic_state(*after, change).value() == *after);
  return 0;
}
