// Changing a story file: what is meant changes, in whatever shape the file has, and nothing else.

#include "formats/story_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/story_test_files.h"
#include "formats/story_words.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

const Timestamp kStoryNow = parse_timestamp("2026-11-15T10:00:00Z").value();
const NewStoryChange kStoryChange{.at = kStoryNow, .by = "@dev", .text = "Status: Ready -> InProgress"};

constexpr std::array kStatuses = {StoryStatus::Draft, StoryStatus::Ready, StoryStatus::InProgress,
                                  StoryStatus::InReview, StoryStatus::Done};

// What one replacement took away and put in.
struct Replaced {
  std::string gone;
  std::string come;
};

Replaced difference(std::string_view before, std::string_view after) {
  const auto [a, b] = std::ranges::mismatch(before, after);
  before.remove_prefix(static_cast<std::size_t>(a - before.begin()));
  after.remove_prefix(static_cast<std::size_t>(b - after.begin()));
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.remove_suffix(1);
    after.remove_suffix(1);
  }
  return {std::string(before), std::string(after)};
}

StoryClaims edited_claims(std::string_view bytes) { return read_story(bytes, "4.2.story.md").value(); }

// Replaces one text by another, once.
std::string with_text(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(StoryEdit, F1_TheStatusThatItHasChangesNoByte) {
  int rounds = 0;
  for (const TestFile& file : story_fixtures()) {
    EXPECT_EQ(set_story_status(file.bytes, StoryStatus::InProgress).value(), file.bytes) << file.name;
    ++rounds;
  }
  EXPECT_EQ(rounds, 21);
}

TEST(StoryEdit, F2_OnlyTheWordOfTheStatusChanges) {
  int rounds = 0;
  for (const TestFile& file : story_fixtures()) {
    if (file.name.find("box") != std::string::npos) continue;
    const StoryClaims before = edited_claims(file.bytes);
    const std::string word(text_of(before.status_word, read_story_status(before.status_word).word));
    for (const StoryStatus status : kStatuses) {
      if (status == StoryStatus::InProgress) continue;
      const std::string after = set_story_status(file.bytes, status).value();
      EXPECT_EQ(after, with_text(file.bytes, word, to_token(status))) << file.name;
      EXPECT_EQ(edited_claims(after).status, status) << file.name;
      EXPECT_EQ(edited_claims(after).oddities.size(), 0u) << file.name;
      ++rounds;
    }
  }
  EXPECT_EQ(rounds, 19 * 4);
}

TEST(StoryEdit, F2_MarksSymbolsRemarksAndPaddingStay) {
  const auto set = [](const std::string& line) {
    return set_story_status("# Story 4.2: T\r\n\r\n" + line + "\r\n", StoryStatus::InReview).value().substr(18);
  };
  EXPECT_EQ(set("**Status:** ✅ **DONE** (QA 95/100)  "), "**Status:** ✅ **InReview** (QA 95/100)  \r\n");
  EXPECT_EQ(set("| Field | Value |\r\n|---|---|\r\n| Status |  Done    |"),
            "| Field | Value |\r\n|---|---|\r\n| Status |  InReview    |\r\n");
  EXPECT_EQ(set("## Status: Done ✅"), "## Status: InReview ✅\r\n");
  EXPECT_EQ(set("**Epic:** 4 | **Status:** Done | **Points:** 3"),
            "**Epic:** 4 | **Status:** InReview | **Points:** 3\r\n");
  EXPECT_EQ(set("**Status:** Done <!-- by hand -->"), "**Status:** InReview <!-- by hand -->\r\n");
}

TEST(StoryEdit, AValueThatIsNoKnownWordIsReplacedAsAWhole) {
  const auto set = [](const std::string& value) {
    return set_story_status("# Story 4.2: T\n\n**Status:** " + value + "\n", StoryStatus::Ready)
        .value()
        .substr(16);
  };
  EXPECT_EQ(set("Blocked (by 4.1)"), "**Status:** Ready\n");
  EXPECT_EQ(set("Draft | Ready | Done"), "**Status:** Ready\n");
  EXPECT_EQ(set("{{status}}"), "**Status:** Ready\n");
  EXPECT_EQ(set("✅ Complete - Ready for QA"), "**Status:** Ready\n") << "the remark would contradict the word";
}

TEST(StoryEdit, AllPlacesThatGiveTheStatusAreSet) {
  const std::string before =
      "---\nstatus: 'Done'\n---\n# Story 4.2: T\n\n**Status:** Draft\n\n## Status\n\nBlocked\n";
  EXPECT_EQ(set_story_status(before, StoryStatus::Ready).value(),
            "---\nstatus: 'Ready'\n---\n# Story 4.2: T\n\n**Status:** Ready\n\n## Status\n\nReady\n");
}

TEST(StoryEdit, AStatusIsAddedWhereThereIsNone) {
  const auto set = [](const std::string& bytes) { return set_story_status(bytes, StoryStatus::Ready).value(); };
  EXPECT_EQ(set("# Story 4.2: T\n\ntext\n"), "# Story 4.2: T\n\n**Status:** Ready\n\ntext\n");
  EXPECT_EQ(set("# Story 4.2: T\r\ntext\r\n"), "# Story 4.2: T\r\n\r\n**Status:** Ready\r\n\r\ntext\r\n");
  EXPECT_EQ(set("# Story 4.2: T"), "# Story 4.2: T\n\n**Status:** Ready\n");
  EXPECT_EQ(set("text\n"), "**Status:** Ready\n\ntext\n");
  EXPECT_EQ(set("---\nid: 4.2\n---\ntext\n"), "---\nid: 4.2\n---\n\n**Status:** Ready\n\ntext\n");
  EXPECT_EQ(set("# Story 4.2: T\n\n## Status\n\n## Tasks\n"),
            "# Story 4.2: T\n\n## Status\n\nReady\n\n## Tasks\n");
  EXPECT_EQ(set("# Story 4.2: T\n\n## Status\n\n- [ ] Draft\n- [ ] Ready\n- [ ] Done\n"),
            "# Story 4.2: T\n\n## Status\n\n- [x] Draft\n- [x] Ready\n- [ ] Done\n");
}

TEST(StoryEdit, BoxesOfAStatusAreTicked) {
  const auto file = [](const char* boxes) {
    const auto box = [&](int i) { return std::string("- [") + boxes[i] + "] "; };
    return "# Story 4.2: T\n\n## Status\n\n" + box(0) + "Draft\n" + box(1) + "Ready\n" + box(2) + "In Review\n" +
           box(3) + "Done\n";
  };
  EXPECT_EQ(set_story_status(file("xx  "), StoryStatus::Done).value(), file("xxxx"));
  EXPECT_EQ(set_story_status(file("xxxx"), StoryStatus::Ready).value(), file("xx  "));
  EXPECT_EQ(set_story_status(file(" x  "), StoryStatus::InReview).value(), file("  x ")) << "one tick moves";
  EXPECT_EQ(set_story_status(file("x   "), StoryStatus::Ready).value(), file("xx  "));
  const Result<std::string> none = set_story_status(file("xx  "), StoryStatus::InProgress);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(none.error().message, "the status \"Ready\" cannot be changed to InProgress where it stands");
}

TEST(StoryEdit, F2_ARowIsAddedToTheChangeLog) {
  const std::string full(kFullStory);
  EXPECT_EQ(append_story_change(full, kStoryChange).value(),
            full + "| 2026-11-15 | @dev | Status: Ready -> InProgress |\n");
  const std::string other =
      "## Change Log\r\n\r\n|Change|At|Version|\r\n|---|---|---|\r\n|x|2026-11-10T09:00:00Z|1|\r\n\r\nend\r\n";
  EXPECT_EQ(append_story_change(other, kStoryChange).value(),
            with_text(other, "|1|\r\n", "|1|\r\n|Status: Ready -> InProgress|2026-11-15T10:00:00Z||\r\n"));
  const StoryChange last = edited_claims(append_story_change(full, kStoryChange).value()).changes.back();
  EXPECT_EQ(last.by, "dev");
  EXPECT_EQ(last.to, StoryStatus::InProgress);
}

TEST(StoryEdit, AChangeLogOfBulletsGetsABullet) {
  const std::string bullets = "# Story 4.2: T\n\n## Change Log\n\n- 2026-11-10: Created\n\n## End\n";
  EXPECT_EQ(append_story_change(bullets, kStoryChange).value(),
            with_text(bullets, "Created\n", "Created\n- 2026-11-15: Status: Ready -> InProgress (@dev)\n"));
}

TEST(StoryEdit, AChangeLogIsAddedInTheFilesLineEnding) {
  const std::string rows =
      "| Date | Agent | Change |\r\n|------|-------|--------|\r\n| 2026-11-15 | @dev | a\\|b c |\r\n";
  EXPECT_EQ(append_story_change("# S\r\n\r\ntext\r\n", {.at = kStoryNow, .by = "@dev", .text = "a|b\nc"}).value(),
            "# S\r\n\r\ntext\r\n\r\n## Change Log\r\n\r\n" + rows);
  EXPECT_EQ(append_story_change("# S\r\n\r\n## Change Log\r\n", {.at = kStoryNow, .by = "@dev", .text = "a|b\nc"})
                .value(),
            "# S\r\n\r\n## Change Log\r\n\r\n" + rows);
}

TEST(StoryEdit, AChangeThatCouldNotBeReadIsRefused) {
  const Result<std::string> hidden = append_story_change("# S\n\n<!-- a comment without an end\n", kStoryChange);
  ASSERT_FALSE(hidden);
  EXPECT_EQ(hidden.error().kind, ErrorKind::Invalid);
  EXPECT_FALSE(set_story_status("<!-- a comment without an end\n\n# S\n", StoryStatus::Ready));
  EXPECT_EQ(set_story_status("", StoryStatus::Ready).error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(append_story_change(std::string_view("a\0", 2), kStoryChange).error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(tick_story_box("\xFF", "x").error().kind, ErrorKind::Corrupt);
}

TEST(StoryEdit, F2_ABoxIsTicked) {
  const std::string full(kFullStory);
  const std::string after = tick_story_box(full, "1.2 widths").value();
  EXPECT_EQ(after, with_text(full, "[ ] 1.2", "[x] 1.2"));
  EXPECT_EQ(tick_story_box(after, "1.2 widths").value(), after);
  EXPECT_EQ(tick_story_box(full, "Task 2: refuse empty ones").value(),
            with_text(full, "[ ] **Task 2", "[x] **Task 2"));
  EXPECT_EQ(tick_story_box(full, "An empty one is refused.").error().kind, ErrorKind::NotFound)
      << "not under Tasks";
  EXPECT_EQ(edited_claims(after).ticked, edited_claims(full).ticked + 1);
}

// Checks of one file, whatever is in it, that each change is made or refused, and made as it was meant.
int expect_changes_are_sound(const std::string& bytes) {
  int made = 0;
  const Result<StoryClaims> before = read_story(bytes, "4.2.story.md");
  for (const StoryStatus status : kStatuses) {
    const Result<std::string> after = set_story_status(bytes, status);
    EXPECT_TRUE(before.has_value() || !after.has_value());
    if (!after) continue;
    EXPECT_EQ(edited_claims(*after).status, status) << bytes;
    EXPECT_EQ(set_story_status(*after, status).value(), *after) << bytes;
    ++made;
  }
  if (const Result<std::string> after = append_story_change(bytes, kStoryChange)) {
    const StoryClaims now = edited_claims(*after);
    EXPECT_EQ(now.changes.size(), before->changes.size() + 1) << bytes;
    EXPECT_EQ(now.status, before->status) << bytes << "\n---\n" << *after;
    EXPECT_EQ(difference(bytes, *after).gone, "") << bytes;
    ++made;
  }
  return made;
}

TEST(StoryEdit, AFileCutAtEveryByteIsChangedAsMeantOrRefused) {
  int rounds = 0;
  int made = 0;
  for (const TestFile& file : story_fixtures()) {
    for (std::size_t size = 0; size <= file.bytes.size(); ++size, ++rounds) {
      made += expect_changes_are_sound(file.bytes.substr(0, size));
    }
  }
  EXPECT_GT(rounds, 3'500);
  EXPECT_GT(made, rounds * 5);
}

TEST(StoryEdit, MutatedFilesAreChangedAsMeantOrRefused) {
  const std::vector<TestFile> files = story_fixtures();
  std::mt19937 random(12);
  int made = 0;
  for (int round = 0; round < 10'000; ++round) {
    made += expect_changes_are_sound(mutated(files[random() % files.size()].bytes, story_pieces(), random));
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(made, 30'000);
}

TEST(StoryEdit, F2_RealFilesKeepEveryByteThatIsNotTheChange) {
  const std::vector<TestFile> files = story_corpus();
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int rounds = 0;
  for (const TestFile& file : files) {
    const StoryClaims before = read_story(file.bytes, file.name).value();
    EXPECT_GT(expect_changes_are_sound(file.bytes), 3) << file.name;
    const Replaced row = difference(file.bytes, append_story_change(file.bytes, kStoryChange).value());
    EXPECT_EQ(row.gone, "") << file.name;
    if (before.status >= StoryStatus::Draft) {
      EXPECT_EQ(set_story_status(file.bytes, before.status).value(), file.bytes) << file.name;
    }
    ++rounds;
  }
  EXPECT_EQ(rounds, static_cast<int>(files.size()));
}

}  // namespace
}  // namespace reprise
