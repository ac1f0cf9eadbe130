#include "formats/story_index.h"

#include <gtest/gtest.h>

#include "formats/story_test_files.h"

namespace reprise {
namespace {

TEST(StoryIndex, OR03_RowsOfAnIndexAreReadWithTheirLines) {
  const std::vector<StoryIndexRow> rows = read_story_index(R"(# Backlog

| Order | Story | Epic | Status | File |
|---|---|---|---|---|
| 1 | 1.1 Set up | 1 | ✅ Completed | [link](epic-1/1.1-set-up.md) |
| 2 | **Story 2.10:** Export | 2 | Blocked (by 1.1) | |
| 3 | Print | 2 | Draft | [link](epic-2/2.2-print.md) |
| 4 | Something else | 2 | Draft | |
| 5 | 2.4 Short |
)",
                                                           "backlog.md")
                                              .value();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].id, "1.1");
  EXPECT_EQ(rows[0].title, "Set up");
  EXPECT_EQ(rows[0].status, StoryStatus::Done);
  EXPECT_EQ(rows[0].status_word, "✅ Completed");
  EXPECT_EQ(rows[0].line, 5);
  EXPECT_EQ(rows[1].id, "2.10");
  EXPECT_EQ(rows[1].status, StoryStatus::Unknown);
  EXPECT_EQ(rows[1].status_word, "Blocked (by 1.1)");
  EXPECT_EQ(rows[2].id, "2.2") << "from the link";
  EXPECT_EQ(rows[2].title, "Print");
}

TEST(StoryIndex, IdAndTitleMayStandInColumnsOfTheirOwn) {
  const std::vector<StoryIndexRow> rows =
      read_story_index("| Status | Title | ID |\n|---|---|---|\n| InProgress | Log in | ACT-1 |\n", "e.md")
          .value();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].id, "ACT-1");
  EXPECT_EQ(rows[0].title, "Log in");
  EXPECT_EQ(rows[0].status, StoryStatus::InProgress);
}

TEST(StoryIndex, OtherTablesFencesAndCommentsAreNotRead) {
  for (const std::string_view text :
       {"| AC | Status |\n|---|---|\n| 1.1 | Done |\n", "| Story | Points |\n|---|---|\n| 1.1 | 3 |\n",
        "```\n| Story | Status |\n|---|---|\n| 1.1 | Done |\n```\n",
        "<!--\n| Story | Status |\n|---|---|\n| 1.1 | Done |\n--> more\n",
        "| File | Status |\n|---|---|\n| docs/1.1-a.md | Done |\n", "", "# Title\n"}) {
    EXPECT_TRUE(read_story_index(text, "x.md").value().empty()) << text;
  }
  EXPECT_EQ(read_story_index(std::string_view("a\0b", 3), "x.md").error().kind, ErrorKind::Corrupt);
}

TEST(StoryIndex, ARealIndexIsRead) {
  for (const TestFile& file : story_corpus()) {
    if (file.name.find("backlog-index") == std::string::npos) continue;
    const std::vector<StoryIndexRow> rows = read_story_index(file.bytes, file.name).value();
    EXPECT_EQ(rows.size(), 15u);
    for (const StoryIndexRow& row : rows) EXPECT_GE(row.status, StoryStatus::Draft) << row.line;
  }
}

}  // namespace
}  // namespace reprise
