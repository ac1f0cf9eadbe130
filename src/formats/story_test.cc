#include "formats/story.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "formats/story_test_files.h"
#include "formats/story_words.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

using Texts = std::vector<std::string>;

StoryClaims claims_of(std::string_view bytes, std::string_view file = "4.2.story.md") {
  Result<StoryClaims> claims = read_story(bytes, file);
  EXPECT_TRUE(claims.has_value()) << bytes;
  return claims.value_or(StoryClaims());
}

std::string oddities_of(const StoryClaims& claims) {
  std::string out;
  for (const Oddity& oddity : claims.oddities)
    out += std::to_string(oddity.line) + " " + oddity.text + ": " + oddity.why + "\n";
  return out;
}

TEST(Story, OR03_TheStatusIsReadInEveryShape) {
  int rounds = 0;
  for (const TestFile& file : story_fixtures()) {
    const StoryClaims claims = claims_of(file.bytes, file.name);
    EXPECT_EQ(claims.status, StoryStatus::InProgress) << file.name << ": " << claims.status_word;
    EXPECT_EQ(claims.id, "4.2") << file.name;
    EXPECT_EQ(oddities_of(claims), "") << file.name;
    EXPECT_GT(claims.status_line, 1) << file.name;
    const std::string line = lines_with_ends(file.bytes)[static_cast<std::size_t>(claims.status_line) - 1];
    EXPECT_NE(line.find(claims.status_word), std::string::npos) << file.name << ": " << line;
    ++rounds;
  }
  EXPECT_EQ(rounds, 21);
}

TEST(Story, EverythingOfTheTemplateIsRead) {
  const StoryClaims claims = claims_of(kFullStory);
  EXPECT_EQ(claims.title, "Export as a table");
  EXPECT_EQ(claims.epic, "4");
  EXPECT_EQ(claims.executor, "dev");
  EXPECT_EQ(claims.quality_gate, "qa");
  EXPECT_EQ(claims.dependencies, (Texts{"4.1", "2.10"}));
  EXPECT_EQ(claims.files, (Texts{"src/table.cc", "src/table.h", "src/main.cc"}));
  EXPECT_EQ(claims.boxes, 4);
  EXPECT_EQ(claims.ticked, 2);
  EXPECT_EQ(claims.gate, "PASS") << "the last one";
  Texts keys;
  for (const auto& [key, digest] : claims.sections) keys.push_back(key);
  EXPECT_EQ(keys, (Texts{"acceptance_criteria", "change_log", "dependencies", "dev_agent_record", "dev_notes",
                         "file_list", "qa_results", "risks", "scope", "story", "tasks"}));
}

TEST(Story, OR14_TheChangeLogIsReadInAnyOrderOfColumns) {
  const StoryClaims claims = claims_of(
      "# Story 4.2: T\n\n**Status:** Ready\n\n## Change Log\n\n| Version | Changes | Author | Date "
      "|\n|---|---|---|---|\n"
      "| 1 | Created | Ana | 2026-11-10 |\n| 2 | GO 8/10. Draft → Ready | @po (Pat) | 2026-11-11T10:00:00Z |\n");
  ASSERT_EQ(claims.changes.size(), 2u);
  EXPECT_EQ(claims.changes[0].by, "Ana");
  EXPECT_EQ(claims.changes[0].text, "Created");
  EXPECT_TRUE(claims.changes[0].at->whole_day);
  EXPECT_FALSE(claims.changes[0].to);
  EXPECT_EQ(claims.changes[1].by, "po");
  EXPECT_EQ(claims.changes[1].to, StoryStatus::Ready);
  EXPECT_EQ(to_text(claims.changes[1].at->time), "2026-11-11T10:00:00Z");
  EXPECT_EQ(claims.changes[1].line, 10);
}

TEST(Story, OR14_AChangeLogMayBeBullets) {
  const StoryClaims claims = claims_of(
      "# Story 4.2: T\n\n## 📝 Change Log\n- 2026-11-10: Created (@sm).\n- **2026-11-11** — Status changed to ✅ "
      "Done.\n"
      "- cleaned up\n");
  ASSERT_EQ(claims.changes.size(), 3u);
  EXPECT_EQ(to_text(claims.changes[0].at->time), "2026-11-10T00:00:00Z");
  EXPECT_EQ(claims.changes[0].text, "Created (@sm).");
  EXPECT_EQ(claims.changes[0].by, "sm");
  EXPECT_EQ(claims.changes[1].to, StoryStatus::Done);
  EXPECT_EQ(claims.changes[1].text, "Status changed to ✅ Done.");
  EXPECT_FALSE(claims.changes[2].at);
}

TEST(Story, OR03_DecoysAreNeverReadAsTheStatus) {
  const std::string title = "# Story 4.2: T\n\n";
  const std::vector<std::pair<std::string, std::string>> decoys = {
      {"fence", "```yaml\nstatus: Done\n**Status:** Done\n```\n"},
      {"fence without an end", "```\n**Status:** Done\n"},
      {"tilde fence", "~~~\n## Status\nDone\n~~~\n"},
      {"comment", "<!-- **Status:** Done -->\n"},
      {"comment of lines", "<!--\n**Status:** Done\n-->\n"},
      {"comment with text behind it", "<!--\n**Status:** Done\n--> and more\n"},
      {"comment without an end", "<!--\n**Status:** Done\n"},
      {"code span", "The line `**Status:** Done` is printed.\n"},
      {"task table", "## Tasks\n\n| Task | Status |\n|---|---|\n| Status | Done |\n| a | Done |\n"},
      {"criteria table", "## Acceptance Criteria\n\n| Status | AC |\n|---|---|\n| Done | 1 |\n"},
      {"table of counts below the title", "| Status | Count |\n|---|---|\n| Done | 5 |\n"},
      {"columns below the title", "| Task | Status | Owner |\n|---|---|---|\n| Status | Done | x |\n"},
      {"review", "## QA Results\n\n**Status:** Done\n\n### Status\n\nDone\n"},
      {"field in a part of a review", "## QA Results\n\n### Status\n\n**Status:** Done\n"},
      {"record", "## Dev Agent Record\n\n**Status:** Done\n"},
      {"change log", "## Change Log\n\n- 2026-11-11: Draft → Ready\n- **Status:** Done\n"},
      {"other headings", "## Gate Status\n\nDone\n\n## Status Update\n\nDone\n"},
      {"two of other sections", "## Phase 1\n\n**Status:** Done\n\n## Phase 2\n\n**Status:** Draft\n"},
      {"prose", "The Status: Done was never reached by anybody who tried it: so it is.\n"},
  };
  for (const auto& [name, decoy] : decoys) {
    const StoryClaims alone = claims_of(title + decoy);
    EXPECT_EQ(alone.status, StoryStatus::Missing) << name << ": " << alone.status_word;
    EXPECT_EQ(oddities_of(alone), "1 T: it has no status\n") << name;
    const StoryClaims beside = claims_of(title + "**Status:** Ready\n\n" + decoy);
    EXPECT_EQ(beside.status, StoryStatus::Ready) << name;
    EXPECT_EQ(oddities_of(beside), "") << name;
  }
  EXPECT_EQ(decoys.size(), 19u);
}

TEST(Story, OR03_OfTwoStatusesTheEarlierCountsAndTheOtherIsReported) {
  const StoryClaims claims = claims_of(
      "---\nstatus: Done\n---\n# Story 4.2: T\n\n**Status:** In Review\n\n## Status\n\nReady for Review\n");
  EXPECT_EQ(claims.status, StoryStatus::InReview);
  EXPECT_EQ(claims.status_line, 6);
  EXPECT_EQ(oddities_of(claims), "2 Done: line 6 gives another status, which counts\n");
}

TEST(Story, AStatusThatIsUnknownOutranksOneThatIsKnown) {
  const StoryClaims claims = claims_of("# Story 4.2: T\n\n**Status:** Done\n\n## Status\n\nBlocked by 4.1\n");
  EXPECT_EQ(claims.status, StoryStatus::Unknown);
  EXPECT_EQ(claims.status_word, "Blocked by 4.1");
  EXPECT_EQ(oddities_of(claims),
            "3 Done: line 7 gives another status, which counts\n7 Blocked by 4.1: not one of the status words\n");
}

TEST(Story, ATemplateThatWasNotFilledInIsUnknownAndReported) {
  const StoryClaims claims =
      claims_of("# Story 4.2: T\n\n**Status:** Draft | Ready | InProgress | InReview | Done\n");
  EXPECT_EQ(claims.status, StoryStatus::Unknown);
  EXPECT_EQ(oddities_of(claims), "3 Draft | Ready | InProgress | InReview | Done: left as the template has it\n");
}

TEST(Story, AStatusAsideCountsOnlyIfItIsTheOnlyOne) {
  const StoryClaims claims = claims_of("# Story 4.2: T\n\n## Background\n\n**Status:** Draft\n");
  EXPECT_EQ(claims.status, StoryStatus::Draft);
  EXPECT_EQ(oddities_of(claims), "5 Draft: stands in a section about something else\n");
}

TEST(Story, BoxesOfAStatusThatAreTickedWithoutOrderCountAsTheEarliest) {
  const StoryClaims claims =
      claims_of("# Story 4.2: T\n\n## Status\n\n- [ ] Draft\n- [x] Ready\n- [ ] In Progress\n- [x] Done\n");
  EXPECT_EQ(claims.status, StoryStatus::Ready);
  EXPECT_EQ(claims_of("# Story 4.2: T\n\n## Status\n\n- [ ] Draft\n- [ ] Done\n").status, StoryStatus::Missing);
}

TEST(Story, TheIdIsTheNamesThenTheTitlesAndIsText) {
  EXPECT_EQ(claims_of("# Story 4.2: T\n\nStatus: Draft\n", "notes.md").id, "4.2");
  EXPECT_EQ(claims_of("# Story 2.10: T\n\nStatus: Draft\n", "x.md").id, "2.10");
  EXPECT_EQ(claims_of("# T\n\n- Story ID: ACT-1\n- Status: Draft\n", "x.md").id, "ACT-1");
  const StoryClaims differs = claims_of("# Story 4.3: T\n\nStatus: Draft\n", "4.2.story.md");
  EXPECT_EQ(differs.id, "4.2");
  EXPECT_EQ(oddities_of(differs), "1 Story 4.3: T: the file's name says 4.2; the name counts\n");
  const StoryClaims none = claims_of("# T\n\nStatus: Draft\n", "x.md");
  EXPECT_EQ(none.id, "");
  EXPECT_EQ(oddities_of(none), "1 T: neither the file's name nor its title gives the story's id\n");
}

TEST(Story, FieldsOfFrontMatterAreRead) {
  const StoryClaims claims = claims_of(
      "---\nepic: 8-shop\nstatus: Blocked (by S-8.1)\nexecutor: \"@dev\"\nquality_gate: '@qa'\ndepends_on: "
      "[S-8.1, S-8.2]\n"
      "blocked_by:\n  - S-8.0\n---\n\n# Story 8.3 — Card\n",
      "x.md");
  EXPECT_EQ(claims.status, StoryStatus::Unknown);
  EXPECT_EQ(claims.status_word, "Blocked (by S-8.1)");
  EXPECT_EQ(claims.epic, "8-shop");
  EXPECT_EQ(claims.executor, "dev");
  EXPECT_EQ(claims.quality_gate, "qa");
  EXPECT_EQ(claims.dependencies, (Texts{"S-8.1", "S-8.2", "S-8.0"}));
  EXPECT_EQ(claims.title, "Card");
}

TEST(Story, OR04_DependenciesAreThoseThatItWaitsFor) {
  const StoryClaims claims = claims_of(
      "# Story 4.2: T\n\n**Dependencies:** Story 4.1 ✅ (layout)\n\n## Dependencies\n\n### Blocked By\n- "
      "**WIS-1:** Design\n"
      "- 3.1 and 3.2\n- Node 18.2 or later\n\n### Blocks\n- **WIS-3:** Next\n");
  EXPECT_EQ(claims.dependencies, (Texts{"4.1", "WIS-1", "3.1", "3.2"}));
  EXPECT_TRUE(claims_of("# Story 4.2: T\n\n## Dependencies\n\nNone.\n").dependencies.empty());
}

TEST(Story, FilesAreReadFromLabelsLinksAndBoxes) {
  const StoryClaims claims = claims_of(
      "# Story 4.2: T\n\n## Dev Agent Record\n\n**File List:**\n- `a/b.cc` — new; see x/y\n- [ ] `c.h`, `d.h`\n"
      "- [docs/e.md](./e.md)\n- [link](f/g.md) - NEW\n\n**Notes:**\n- `not/this.cc`\n");
  EXPECT_EQ(claims.files, (Texts{"a/b.cc", "c.h", "d.h", "docs/e.md", "f/g.md"}));
}

TEST(Story, TheGateIsTheLastVerdict) {
  const auto gate = [](const std::string& text) {
    return claims_of("# Story 4.2: T\n\n## QA Results\n\n" + text).gate;
  };
  EXPECT_EQ(gate("**Gate: FAIL — see below.**\n\n### Gate Status\n\nGate: CONCERNS → qa/4.2.yml\n"), "CONCERNS");
  EXPECT_EQ(gate("### Gate Decision\n\n✅ PASS\n"), "PASS");
  EXPECT_EQ(gate("| Gate | Waived |\n|---|---|\n| Verdict | WAIVED |\n"), "WAIVED");
  EXPECT_EQ(gate("| AC | Status |\n|---|---|\n| 1 | PASS |\n"), "");
  EXPECT_EQ(gate("```\nGate: PASS\n```\n"), "");
  EXPECT_EQ(gate("_Pending_\n"), "");
}

TEST(Story, OR04_ChangedSectionsAreNamed) {
  const auto changed = [](std::string_view from, std::string_view to) {
    std::string after(kFullStory);
    const std::size_t at = after.find(from);
    EXPECT_NE(at, std::string::npos);
    after.replace(at, from.size(), to);
    return compare_sections(claims_of(kFullStory), claims_of(after));
  };
  EXPECT_EQ(changed("An empty one is refused", "An empty one is allowed"), Texts{"acceptance_criteria"});
  EXPECT_EQ(changed("Tables only", "Tables and lists"), Texts{"scope"});
  EXPECT_EQ(changed("## Risks\n\nNone known.\n\n", ""), Texts{"risks"});
  EXPECT_EQ(changed("## Risks", "## Money\n\nNone.\n\n## Risks"), Texts{"money"});
  EXPECT_EQ(changed("- `src/main.cc`", "- `src/mine.cc`"), (Texts{"dev_agent_record", "file_list"}));
  EXPECT_EQ(changed("InProgress", "Done"), Texts{}) << "the header is no section";
}

TEST(Story, OR04_TicksSpacesAndLineEndsDoNotChangeASection) {
  const StoryClaims before = claims_of(kFullStory);
  std::string after;
  for (const char c : kFullStory) after += c == '\n' ? "  \r\n" : std::string(1, c);
  EXPECT_EQ(compare_sections(before, claims_of(after)), Texts{});
  std::string ticked(kFullStory);
  ticked.replace(ticked.find("- [ ] **Task 2"), 5, "- [X]");
  EXPECT_EQ(compare_sections(before, claims_of(ticked)), Texts{});
  EXPECT_EQ(claims_of(ticked).ticked, 3);
}

TEST(Story, OtherFilesOfTheFolderAreToldApart) {
  const std::string story = "# Story 4.2: T\n\n**Status:** Draft\n";
  const std::string criteria = "# T\n\n**Status:** Draft\n\n## Acceptance Criteria\n\n1. x\n";
  for (const auto& [file, bytes] : {std::pair<std::string, std::string>{"4.2.story.md", ""},
                                    {"story-login.md", "x"},
                                    {"4.2-login.md", "# T\n"},
                                    {"login.md", story},
                                    {"login.md", criteria},
                                    {"STORY-1.1-index.md", story},
                                    {"4.2-test-plan.md", story}}) {
    EXPECT_TRUE(looks_like_story(file, bytes).is_story) << file << ": " << looks_like_story(file, bytes).why;
    EXPECT_EQ(looks_like_story(file, bytes).why, "");
  }
  for (const auto& [file, bytes, why] :
       {std::tuple<std::string, std::string, std::string>{"README.md", story, "its name says that it is a readme"},
        {"epic-4/index.md", story, "its name says that it is an index"},
        {"EPIC-124-SCOPE.md", criteria, "its name says that it is an epic"},
        {"sprint-plan.md", story, "its name says that it is a plan"},
        {"final-report.md", story, "its name says that it is a report"},
        {"4.2.story.yaml", story, "not a Markdown file"},
        {"big.md", "# Epic 4: T\n\n## Acceptance Criteria\n\n1. x\n", "its title says that it is an epic"},
        {"notes.md", "# Notes\n\ntext\n",
         "neither its name nor its title names a story, and it has no acceptance criteria"},
        {"notes.md", "a\xFF", "it cannot be read as text"}}) {
    EXPECT_FALSE(looks_like_story(file, bytes).is_story) << file;
    EXPECT_EQ(looks_like_story(file, bytes).why, why) << file;
  }
}

TEST(Story, WhatIsNotTextIsOneErrorWithItsPlace) {
  for (const std::string_view empty : {"", " \r\n\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(read_story(empty, "s.md").error().kind, ErrorKind::Corrupt);
    EXPECT_EQ(read_story(empty, "s.md").error().file, "s.md");
  }
  const Result<StoryClaims> nul = read_story(std::string_view("# S\n\nab\0c", 9), "s.md");
  EXPECT_EQ(nul.error().line, 3);
  EXPECT_EQ(nul.error().column, 3);
}

TEST(Story, AFileCutAtEveryByteIsReadOrRefused) {
  int rounds = 0;
  int expected = 0;
  for (const TestFile& file : story_fixtures()) {
    expected += static_cast<int>(file.bytes.size()) + 1;
    for (std::size_t size = 0; size <= file.bytes.size(); ++size) {
      const Result<StoryClaims> claims = read_story(file.bytes.substr(0, size), "4.2.story.md");
      ++rounds;
      if (!claims) {
        EXPECT_EQ(claims.error().kind, ErrorKind::Corrupt);
        EXPECT_FALSE(claims.error().message.empty());
        continue;
      }
      EXPECT_EQ(claims->id, "4.2");
      // A word that is cut is Unknown, or no status yet; never one that the whole file does not give.
      const bool is_lists = file.name.find("box") != std::string::npos;
      EXPECT_TRUE(is_lists || claims->status <= StoryStatus::Unknown || claims->status == StoryStatus::InProgress)
          << file.name << " " << size << " " << claims->status_word;
    }
  }
  EXPECT_EQ(rounds, expected);
  EXPECT_GT(rounds, 3'500);
}

TEST(Story, TenThousandMutationsAreClaimsOrOneError) {
  std::vector<TestFile> files = story_fixtures();
  std::mt19937 random(11);
  int claims = 0;
  int errors = 0;
  for (int round = 0; round < 10'000; ++round) {
    const std::string& bytes = files[random() % files.size()].bytes;
    const std::string after = round % 2 == 0 ? mutated(bytes, story_pieces(), random)
                                             : damaged(bytes, kDamages[random() % kDamages.size()], random);
    const Result<StoryClaims> read = read_story(after, "4.2.story.md");
    ++(read ? claims : errors);
    if (!read) {
      ASSERT_EQ(read.error().kind, ErrorKind::Corrupt);
      ASSERT_FALSE(read.error().message.empty());
      continue;
    }
    ASSERT_EQ(read->status == StoryStatus::Missing, read->status_word.empty()) << after;
    ASSERT_TRUE(read->status > StoryStatus::Unknown || !read->oddities.empty()) << after;
    ASSERT_EQ(claims_text(*read), claims_text(*read_story(after, "4.2.story.md")));
    ASSERT_LE(read->ticked, read->boxes);
    (void)looks_like_story("x.md", after);
  }
  EXPECT_EQ(claims + errors, 10'000);
  EXPECT_GT(errors, 1'000);
  EXPECT_GT(claims, 6'000);
}

TEST(Story, P13_LargeAndStrangeFilesAreLinear) {
  for (const std::string line :
       {"**Status:** Done\n", "- [x] Done\n", "<!--\n", "# Story 1.1\n", "| Status | Done |\n|---|---|\n",
        "## Change Log\n- Draft → Ready → \n", "**File List:**\n- `a.b`\n", "status status: \n",
        "## Dependencies\n- story story 1.2, \n", "**a** | **b** | **c**\n", "## QA Results\nGate: PASS\n"}) {
    std::string bytes = "# Story 4.2: T\n\n## Status\n";
    while (bytes.size() < 400'000) bytes += line;
    EXPECT_TRUE(read_story(bytes, "4.2.story.md").has_value());
  }
  std::string longest = "# Story 4.2: T\n\n**Status:** ";
  while (longest.size() < 400'000) longest += "| **Status:** Draft → ";
  EXPECT_TRUE(read_story(longest, "4.2.story.md").has_value());
}

}  // namespace
}  // namespace reprise
