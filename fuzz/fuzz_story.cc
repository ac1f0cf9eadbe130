// A story file and an index of stories: any bytes give claims or one error. Each change is made as it was meant or
// refused; the status that a story has changes no byte.

#include "formats/story.h"
#include "formats/story_edit.h"
#include "formats/story_index.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const StoryLook look = looks_like_story("a.md", bytes);
  check(look.is_story == look.why.empty());
  (void)read_story_index(bytes, "a.md");
  const Result<StoryClaims> claims = read_story(bytes, "4.2.story.md");
  const Result<std::string> ready = set_story_status(bytes, StoryStatus::Ready);
  const NewStoryChange change{.at = {.ms = 1'800'000'000'000}, .by = "@dev", .text = "Status: Draft -> Ready | x"};
  const Result<std::string> logged = append_story_change(bytes, change);
  if (!claims) {
    check(!claims.error().message.empty() && !ready && !logged);
    return 0;
  }
  check((claims->status == StoryStatus::Missing) == claims->status_word.empty());
  check(claims->ticked <= claims->boxes);
  check(compare_sections(*claims, *claims).empty());
  if (ready) {
    check(read_story(*ready, "4.2.story.md").value().status == StoryStatus::Ready);
    check(set_story_status(*ready, StoryStatus::Ready).value() == *ready);
  }
  if (logged) {
    const StoryClaims after = read_story(*logged, "4.2.story.md").value();
    check(after.changes.size() == claims->changes.size() + 1);
    check(after.status == claims->status);
  }
  return 0;
}
