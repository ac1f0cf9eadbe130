#include "formats/story_words.h"

#include <gtest/gtest.h>

#include <set>

#include "base/strings.h"
#include "formats/story_ids.h"
#include "formats/story_test_files.h"

namespace reprise {
namespace {

StoryStatus status_of(std::string_view value) { return read_story_status(value).status; }

std::string spaced(std::string_view token, char separator) {
  std::string text(token);
  std::ranges::replace(text, '_', separator);
  return text;
}

TEST(StoryWords, OR03_EveryWordOfTheTableIsReadInEveryDress) {
  std::set<std::string_view> tokens;
  std::set<StoryStatus> statuses;
  int rounds = 0;
  for (const StoryWord& word : kStoryWords) {
    EXPECT_TRUE(tokens.insert(word.token).second) << word.token;
    statuses.insert(word.status);
    const std::string more = word.match == StoryWordMatch::Begins ? " v2.1" : "";
    const std::string plain = spaced(word.token, ' ') + more;
    const bool is_ascii = std::ranges::all_of(plain, [](char c) { return c > 0; });
    for (const std::string& written :
         {plain, is_ascii ? to_upper(plain) : plain, spaced(word.token, '-') + more,
          std::string(word.token) + more, "**" + plain + "**", "`" + plain + "`", "✅ " + plain, plain + " ✅",
          "🟢 **" + plain + "** (a remark)", plain + " - since Monday", plain + " — since Monday",
          plain + ", since Monday", "\"" + plain + "\""}) {
      EXPECT_EQ(status_of(written), word.status) << written;
      EXPECT_EQ(read_story_status(written).trouble, StatusTrouble::None) << written;
      ++rounds;
    }
  }
  EXPECT_EQ(statuses.size(), 5u) << "each of the five has a word";
  EXPECT_EQ(rounds, static_cast<int>(kStoryWords.size()) * 13);
}

TEST(StoryWords, OR03_TheCanonicalWordsAreThemselves) {
  for (const auto& [status, token] : kStoryStatusTokens) {
    if (status < StoryStatus::Draft) continue;
    EXPECT_EQ(status_of(token), status) << token;
  }
}

TEST(StoryWords, OR03_EverythingElseIsUnknownAndNeverGuessed) {
  for (const std::string_view value :
       {"Blocked (by 4.1)", "Cancelled", "Not ready", "85% complete", "Ready for lunch", "Ready for release",
        "Almost done", "✅", "QA Passed", "Implemented", "Draft → Ready", "Testing", "All drafts complete",
        "done-ish", "Partial - Ready for Review", "Unreleased", "mergeddd", "NO-GO"}) {
    EXPECT_EQ(status_of(value), StoryStatus::Unknown) << value;
    EXPECT_EQ(read_story_status(value).trouble, StatusTrouble::NotAWord) << value;
  }
  EXPECT_EQ(status_of("Done" + std::string(1'000, ' ') + "x"), StoryStatus::Unknown) << "prose";
  EXPECT_EQ(status_of("  "), StoryStatus::Missing);
}

TEST(StoryWords, ATemplateThatWasNotFilledInIsNoStatus) {
  for (const std::string_view value :
       {"Draft | Ready | Done", "{{status}}", "<status>", "{status}", "[Draft | Ready | Done]",
        "Draft / Ready / InProgress", "**Draft | Ready**"}) {
    EXPECT_EQ(status_of(value), StoryStatus::Unknown) << value;
    EXPECT_EQ(read_story_status(value).trouble, StatusTrouble::Unfilled) << value;
  }
}

TEST(StoryWords, AValueThatSaysTwoThingsCountsAsTheEarlierOne) {
  for (const auto& [value, status] :
       {std::pair<std::string_view, StoryStatus>{"✅ **COMPLETE** - Ready for QA", StoryStatus::InReview},
        {"Done (in review)", StoryStatus::InReview},
        {"Draft, approved", StoryStatus::Draft},
        {"Ready — In Progress", StoryStatus::Ready}}) {
    EXPECT_EQ(status_of(value), status) << value;
    EXPECT_EQ(read_story_status(value).trouble, StatusTrouble::TwoStatuses) << value;
  }
  EXPECT_EQ(read_story_status("Done - Merged to main").trouble, StatusTrouble::None);
}

TEST(StoryWords, TheWordIsFoundInItsDress) {
  for (const std::string_view value : {"✅ **Done** (all of it)", "Done", "`Done`", "Done ✅", "\"Done\" - yes"}) {
    const StoryStatusValue read = read_story_status(value);
    EXPECT_EQ(text_of(value, read.word), "Done") << value;
  }
}

TEST(StoryWords, OR14_TransitionsAreFoundInSentences) {
  using enum StoryStatus;
  for (const auto& [text, status] :
       {std::pair<std::string_view, std::optional<StoryStatus>>{"Status: Ready -> InProgress", InProgress},
        {"Draft → Ready", Ready},
        {"**Ready** → **In Progress** by @dev", InProgress},
        {"Checked. Status → Ready for Review", InReview},
        {"Status changed to ✅ Done.", Done},
        {"Created. Status set to 🏃 In Progress.", InProgress},
        {"Status: Draft -> Ready; Status: Ready -> InProgress", InProgress},
        {"status: Done", Done},
        {"Draft => Ready (8/10)", Ready},
        {"effort 6h→8-10h", std::nullopt},
        {"Draft → Blocked", std::nullopt},
        {"Ready → Ready for lunch", std::nullopt},
        {"moved a -> b, draft done", std::nullopt},
        {"The status bar is done", std::nullopt},
        {"", std::nullopt}}) {
    EXPECT_EQ(find_transition(text), status) << text;
  }
}

TEST(StoryWords, SectionsAreKnownUnderTheirOtherNames) {
  for (const auto& [heading, key] :
       {std::pair<std::string_view, std::string_view>{"Acceptance Criteria", "acceptance_criteria"},
        {"📋 Acceptance Criteria (8)", "acceptance_criteria"},
        {"2. **Acceptance Criteria**", "acceptance_criteria"},
        {"Tasks / Subtasks", "tasks"},
        {"🔨 TASKS", "tasks"},
        {"Changelog", "change_log"},
        {"Status: Done ✅", "status"},
        {"Status Update", "status_update"},
        {"Gate Status", "gate_status"},
        {"Acceptance Criteria Traceability", "acceptance_criteria_traceability"},
        {"Out of Scope", "scope"},
        {"", ""}}) {
    EXPECT_EQ(story_section_key(heading), key) << heading;
  }
}

TEST(StoryWords, AGateVerdictIsTheFirstWord) {
  EXPECT_EQ(read_gate_verdict("✅ PASS (95/100)"), "PASS");
  EXPECT_EQ(read_gate_verdict("PASS with recommendations"), "PASS");
  EXPECT_EQ(read_gate_verdict("**Concerns** → qa/gates/4.2.yml"), "CONCERNS");
  EXPECT_EQ(read_gate_verdict("failed - see below"), "FAIL");
  EXPECT_EQ(read_gate_verdict("WAIVED"), "WAIVED");
  EXPECT_EQ(read_gate_verdict("PASS | CONCERNS | FAIL | WAIVED"), "");
  EXPECT_EQ(read_gate_verdict("not passed"), "");
  EXPECT_EQ(read_gate_verdict(""), "");
}

TEST(StoryIds, AreTakenFromFileNames) {
  for (const auto& [file, id] : {std::pair<std::string_view, std::string_view>{"4.2.story.md", "4.2"},
                                 {"docs/stories/2.10.story.md", "2.10"},
                                 {"story-4.2-export.md", "4.2"},
                                 {"4.2-export.md", "4.2"},
                                 {"STORY-124.1-names.md", "124.1"},
                                 {"ACT-1-activation.md", "ACT-1"},
                                 {"story-wis-2-registry.md", "WIS-2"},
                                 {"S-8.5b-card.md", "S-8.5b"},
                                 {"4.2.export-as-table.story.md", "4.2"},
                                 {"7.1.2-errors.md", "7.1.2"},
                                 {"EPIC-124-SCOPE.md", ""},
                                 {"epic-4/index.md", ""},
                                 {"2026-11-15-notes.md", ""},
                                 {"01-first.md", ""},
                                 {"story-index.md", ""},
                                 {"v2.1-plan.md", ""},
                                 {"", ""}}) {
    EXPECT_EQ(story_id_of_file(file), id) << file;
  }
}

TEST(StoryIds, AreTakenFromTitlesAndLists) {
  for (const auto& [text, id] : {std::pair<std::string_view, std::string_view>{"Story 4.2: Export", "4.2"},
                                 {"📋 Story WIS-2: Registry", "WIS-2"},
                                 {"Story 8.3 — Card", "8.3"},
                                 {"**STORY-124.1** Names", "124.1"},
                                 {"4.2 Export", "4.2"},
                                 {"[4.2](a.md)", "4.2"},
                                 {"User Story 3: Login", "3"},
                                 {"ACT-1", "ACT-1"},
                                 {"3 things to do", ""},
                                 {"Storybook 7.1 upgrade", ""},
                                 {"v2.2.3", ""},
                                 {"95.66% covered", ""}}) {
    const std::optional<LeadingStoryId> read = read_leading_story_id(text);
    EXPECT_EQ(read ? read->id : "", id) << text;
  }
  using Ids = std::vector<std::string>;
  EXPECT_EQ(read_story_ids("Story 1.1, 1.2 (first) and WIS-3"), (Ids{"1.1", "1.2", "WIS-3"}));
  EXPECT_EQ(read_story_ids("124.3-124.5"), (Ids{"124.3", "124.4", "124.5"}));
  EXPECT_EQ(read_story_ids("2.1, 2.10"), (Ids{"2.1", "2.10"}));
  EXPECT_EQ(read_story_ids("waits for Story 2.1 ✅"), (Ids{"2.1"}));
  EXPECT_EQ(read_story_ids("none"), Ids{});
  EXPECT_EQ(read_story_ids("[S-8.1, S-8.2]"), (Ids{"S-8.1", "S-8.2"}));
}

}  // namespace
}  // namespace reprise
