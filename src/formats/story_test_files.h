// The story files that tests read: our own, one per shape, and real ones where they are at hand.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/playbook_test_files.h"
#include "formats/story.h"

namespace reprise {

/// A story with every section of the template, in the documented shape.
inline constexpr std::string_view kFullStory = R"(# Story 4.2: Export as a table

**Status:** InProgress
**Epic:** 4
**Executor:** @dev (Dana)
**Quality Gate:** @qa
**Complexity:** 5

## Story

As a clerk I want tables so that I can compare.

## Acceptance Criteria

1. A table has a header.
2. [ ] An empty one is refused.

## Scope

Tables only.

## Dependencies

- **Blocked by:** Story 4.1, 2.10 (layout)
- **Blocks:** 4.3

## Risks

None known.

## Tasks / Subtasks

- [x] Task 1: write the header
  - [x] 1.1 names
  - [ ] 1.2 widths
- [ ] **Task 2:** refuse empty ones

## Dev Notes

The old exporter had `**Status:** Done` in its output:

```markdown
**Status:** Done
```

## File List

| File | Action |
|------|--------|
| `src/table.cc` | created |
| `src/table.h` | created |

## Dev Agent Record

### File List

- `src/main.cc` — calls it
- `src/table.h`

## QA Results

| AC | Status |
|----|--------|
| 1 | Done |

**Gate:** CONCERNS

### Second review

**Gate:** PASS (after the fix)

## Change Log

| Date | Agent | Change |
|------|-------|--------|
| 2026-11-10 | @sm | Created |
| 2026-11-11 | @po | Status: Draft -> Ready |
| 2026-11-12 | @dev (Dana) | Status: Ready -> InProgress |
)";

/// One story per shape of status, all InProgress and with the id 4.2.
inline std::vector<TestFile> story_fixtures() {
  const std::string rest = "\n## Acceptance Criteria\n\n- [ ] It works.\n\n## Tasks\n\n- [ ] Do it\n- [x] Think\n";
  const auto story = [&](const std::string& header) { return "# Story 4.2: A title\n\n" + header + rest; };
  return {
      {"full.md", std::string(kFullStory)},
      {"bold.md", story("**Status:** In Progress  \n**Epic:** 4\n")},
      {"bold_colon_outside.md", story("**Status**: `InProgress`\n")},
      {"emoji.md", story("**Status:** 🟡 **IN PROGRESS** (since Monday)\n")},
      {"plain.md", story("Status: in-progress\n")},
      {"bullet.md", story("- Epic: 4\n- **Status:** In Progress\n")},
      {"quote.md", story("> **Epic:** 4 | **Status:** In Progress\n")},
      {"inline.md", story("**Epic:** 4 | **Status:** InProgress | **Points:** 3\n")},
      {"table.md", story("| Field | Value |\n|---|---|\n| Epic | 4 |\n| **Status** | In Progress |\n")},
      {"table_without_header.md", story("| Status | In Progress |\n|---|---|\n| Epic | 4 |\n")},
      {"front_matter.md", "---\nid: S-4.2\nstatus: \"In Progress\"  # today\nepic: 4\n---\n\n" + story("")},
      {"heading_inline.md", story("## Status: In Progress 🏃\n\n**Priority:** 1\n")},
      {"heading_next.md", story("## Status\n\n**In Progress** (half)\n")},
      {"heading_current.md", story("## Status\n\n**Current:** InProgress\n")},
      {"heading_field.md", story("## Status\n\n**Status:** In Progress\n**Epic:** 4\n")},
      {"heading_list.md", story("## 📋 Status\n\n- In Progress\n")},
      {"boxes_in_order.md",
       story("## Status\n\n- [x] Draft\n- [x] Ready\n- [x] In Progress\n- [ ] In Review\n- [ ] Done\n")},
      {"one_box.md",
       story("## Status\n\n- [ ] Draft\n- [ ] Ready\n- [x] In Progress\n- [ ] In Review\n- [ ] Done\n")},
      {"above_rule.md", "# Story 4.2: A title\n**Epic:** 4\n**Status:** In Progress\n---\n" + rest},
      {"crlf.md",
       "# Story 4.2: A title\r\n\r\n**Status:** In Progress\r\n\r\n## Tasks\r\n\r\n- [ ] Do it\r\n- [x] "
       "Think\r\n"},
      {"byte_order_mark.md", "\xEF\xBB\xBF" + story("**Status:** InProgress\n")},
  };
}

/// Real story files, empty where they are not at hand.
inline std::vector<TestFile> story_corpus() {
  std::vector<TestFile> files = test_files_in(source_folder() / "../shared/corpus/story");
  std::erase_if(files, [](const TestFile& file) { return !file.name.ends_with(".md"); });
  return files;
}

/// What mutations put into a story: Markdown, bytes that are no text, words of its own.
inline const std::vector<std::string>& story_pieces() {
  static const std::vector<std::string> pieces = {"|",
                                                  "\n",
                                                  "\r",
                                                  "- [x] ",
                                                  "## Status\n",
                                                  "```\n",
                                                  "**Status:** Done\n",
                                                  "<!--",
                                                  "-->",
                                                  "---\n",
                                                  "> ",
                                                  "\\",
                                                  "**",
                                                  "\t",
                                                  std::string(1, '\0'),
                                                  "\xFF",
                                                  "# ",
                                                  "status: Draft\n",
                                                  "## Change Log\n",
                                                  "| a | b |\n|---|---|\n",
                                                  "Ready → Done",
                                                  "{{x}}",
                                                  "✅",
                                                  "## Tasks\n"};
  return pieces;
}

/// All that was claimed, as text, so that two readings can be compared.
inline std::string claims_text(const StoryClaims& claims) {
  std::string out = claims.id + "|" + claims.title + "|" + claims.epic + "|" +
                    std::string(to_token(claims.status)) + "|" + claims.status_word + "|" + claims.executor + "|" +
                    claims.quality_gate + "|" + claims.gate + "|" + std::to_string(claims.ticked) + "/" +
                    std::to_string(claims.boxes) + "\n";
  for (const auto& [key, digest] : claims.sections) out += key + " " + digest.substr(0, 15) + "\n";
  for (const std::string& id : claims.dependencies) out += "needs " + id + "\n";
  for (const std::string& file : claims.files) out += "file " + file + "\n";
  for (const StoryChange& change : claims.changes) {
    out += "change " + (change.at ? to_text(change.at->time) : "-") + " " + change.by + ": " + change.text;
    out += change.to ? " => " + std::string(to_token(*change.to)) + "\n" : "\n";
  }
  for (const Oddity& oddity : claims.oddities)
    out += "odd " + std::to_string(oddity.line) + " " + oddity.text + ": " + oddity.why + "\n";
  return out;
}

}  // namespace reprise
