// Story files of real projects, where they are at hand: the status that they give is read by the table of words.

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "base/strings.h"
#include "formats/story.h"
#include "formats/story_test_files.h"

namespace reprise {
namespace {

// A line of the list of forms: how many files give their status so.
struct StatusForm {
  int count = 0;
  std::string form;
  std::string value;
};

std::vector<StatusForm> status_forms() {
  std::vector<StatusForm> forms;
  const std::string bytes = read_test_file(source_folder() / "../shared/corpus/story/STATUS-FORMS.tsv");
  for (const std::string_view line : split(bytes, '\n')) {
    const std::vector<std::string_view> cells = split(line, '\t');
    const std::optional<long long> count = parse_number(cells[0], 1'000'000);
    if (count && cells.size() >= 2)
      forms.push_back(
          {static_cast<int>(*count), std::string(cells[1]), std::string(cells.size() > 2 ? cells[2] : "")});
  }
  return forms;
}

// A story with the value in this form, and with a decoy behind it.
std::string story_with(const StatusForm& form) {
  const std::string title = "# Story 4.2: T\n\n";
  const std::string rest = "\n## Tasks\n\n| Task | Status |\n|---|---|\n| a | Draft |\n";
  if (form.form == "bold") return title + "**Status:** " + form.value + "\n" + rest;
  if (form.form == "table")
    return title + "| Field | Value |\n|---|---|\n| Status | " + form.value + " |\n" + rest;
  if (form.form == "yaml") return "---\nstatus: " + form.value + "\n---\n" + title + rest;
  if (form.form == "h2-inline") return title + "## Status: " + form.value + "\n" + rest;
  if (form.form == "h2-next") return title + "## Status\n\n" + form.value + "\n" + rest;
  return title + rest;
}

// What the documented mapping says of a value, found in another way than the reader does: all that is not a plain
// letter, digit or one of a few marks is dropped, and what is left before the first mark is looked up.
StoryStatus expected_status(std::string value) {
  for (std::size_t dash = value.find("—"); dash != std::string::npos; dash = value.find("—"))
    value.replace(dash, 3, "(");
  std::erase_if(value, [](char c) { return c < 0 || c == '*' || c == '"' || c == '`'; });
  std::string text = to_lower(trim(value));
  for (const std::string_view front : {"current:", "status:", "- [x]"}) {
    if (text.starts_with(front)) text = text.substr(front.size());
  }
  text = text.substr(0, std::min(text.find_first_of("(|,;"), text.find(" - ")));
  std::ranges::replace(text, '-', ' ');
  text = trim(text);
  if (text.starts_with("released as v")) text = "released";
  static const std::map<std::string, StoryStatus> kMapping = {
      {"done", StoryStatus::Done},
      {"complete", StoryStatus::Done},
      {"completed", StoryStatus::Done},
      {"released", StoryStatus::Done},
      {"merged", StoryStatus::Done},
      {"in review", StoryStatus::InReview},
      {"inreview", StoryStatus::InReview},
      {"review", StoryStatus::InReview},
      {"ready for review", StoryStatus::InReview},
      {"ready for qa", StoryStatus::InReview},
      {"ready", StoryStatus::Ready},
      {"approved", StoryStatus::Ready},
      {"ready to start", StoryStatus::Ready},
      {"ready for development", StoryStatus::Ready},
      {"ready for execution", StoryStatus::Ready},
      {"ready to execute", StoryStatus::Ready},
      {"in progress", StoryStatus::InProgress},
      {"inprogress", StoryStatus::InProgress},
      {"implementing", StoryStatus::InProgress},
      {"implementation in progress", StoryStatus::InProgress},
      {"draft", StoryStatus::Draft},
      {"planning", StoryStatus::Draft},
      {"rascunho", StoryStatus::Draft}};
  const auto found = kMapping.find(text);
  return found == kMapping.end() ? StoryStatus::Unknown : found->second;
}

TEST(StoryCorpus, OR03_TheStatusOfRealStoriesIsReadByTheMapping) {
  const std::vector<StatusForm> forms = status_forms();
  if (forms.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int files = 0, right = 0, known = 0, unknown = 0, missing = 0;
  for (const StatusForm& form : forms) {
    const StoryClaims claims = read_story(story_with(form), "4.2.story.md").value();
    const StoryStatus expected = form.form == "none" ? StoryStatus::Missing : expected_status(form.value);
    files += form.count;
    if (claims.status == StoryStatus::Missing) missing += form.count;
    if (claims.status >= StoryStatus::Draft) known += form.count;
    if (claims.status == expected) {
      right += form.count;
    } else {
      std::cout << "  " << form.value << ": " << to_token(claims.status) << ", not " << to_token(expected) << "\n";
    }
    if (claims.status != StoryStatus::Unknown) continue;
    unknown += form.count;
    EXPECT_NE(form.value.find(claims.status_word), std::string::npos) << form.value << ": " << claims.status_word;
    EXPECT_FALSE(claims.status_word.empty()) << form.value;
    EXPECT_FALSE(claims.oddities.empty()) << form.value;
  }
  std::cout << files << " files: " << right << " as the mapping says; " << known << " have one of the five, "
            << unknown << " are reported as unknown with their word, " << missing << " have none\n";
  EXPECT_GE(right * 100, files * 95);
  EXPECT_EQ(known + unknown + missing, files);
  EXPECT_GE(files, 600);
}

TEST(StoryCorpus, RealStoriesAreReadAndToldFromOtherFiles) {
  const std::vector<TestFile> files = story_corpus();
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  const std::map<std::string, std::pair<std::string, StoryStatus>> expected = {
      {"01", {"", StoryStatus::Done}},       {"05", {"7.1.2", StoryStatus::Done}},
      {"11", {"WIS-2", StoryStatus::Done}},  {"13", {"124.1", StoryStatus::Done}},
      {"16", {"8.3", StoryStatus::Unknown}}, {"20", {"WIS-16", StoryStatus::InReview}},
      {"22", {"1.1", StoryStatus::Missing}}, {"27", {"1.3", StoryStatus::Ready}},
      {"30", {"", StoryStatus::Missing}}};
  int rounds = 0;
  for (const TestFile& file : files) {
    const auto known = expected.find(file.name.substr(0, 2));
    if (known == expected.end()) continue;
    const StoryClaims claims = read_story(file.bytes, file.name).value();
    EXPECT_EQ(claims.id, known->second.first) << file.name;
    EXPECT_EQ(claims.status, known->second.second) << file.name << " " << claims.status_word;
    EXPECT_EQ(looks_like_story(file.name, file.bytes).is_story, file.name.substr(0, 2) != "30") << file.name;
    ++rounds;
  }
  EXPECT_EQ(rounds, static_cast<int>(expected.size()));
}

TEST(StoryCorpus, RealStoriesCutAtEveryByteAreReadOrRefused) {
  const std::vector<TestFile> files = story_corpus();
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int rounds = 0;
  for (const TestFile& file : files) {
    for (std::size_t size = 0; size <= file.bytes.size(); size += size < 3'000 ? 1 : 97, ++rounds) {
      const Result<StoryClaims> claims = read_story(file.bytes.substr(0, size), file.name);
      ASSERT_TRUE(claims.has_value() || claims.error().kind == ErrorKind::Corrupt);
    }
  }
  EXPECT_GT(rounds, 20'000);
}

}  // namespace
}  // namespace reprise
