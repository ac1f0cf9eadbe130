// What a story file claims: its status, who works on it, what it asks for, and how far its boxes are ticked.
//
// Stories are written by people and agents in many shapes (docs/formats/story.md). A status that is none of the
// five stays as it was written and is reported; it is never guessed at.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/playbook.h"
#include "model/status.h"

namespace reprise {

enum class StoryStatus : std::uint8_t { Missing, Unknown, Draft, Ready, InProgress, InReview, Done };
inline constexpr TokenTable<StoryStatus, 7> kStoryStatusTokens = {{{StoryStatus::Missing, "missing"},
                                                                   {StoryStatus::Unknown, "unknown"},
                                                                   {StoryStatus::Draft, "Draft"},
                                                                   {StoryStatus::Ready, "Ready"},
                                                                   {StoryStatus::InProgress, "InProgress"},
                                                                   {StoryStatus::InReview, "InReview"},
                                                                   {StoryStatus::Done, "Done"}}};
constexpr std::string_view to_token(StoryStatus status) { return token_in(kStoryStatusTokens, status); }

/// A row of the change log.
struct StoryChange {
  std::optional<ClaimedTime> at;
  std::string by;
  std::string text;
  std::optional<StoryStatus> to;  // where the text is a transition: "Status: Ready -> InProgress"
  int line = 0;
};

struct StoryClaims {
  std::string id;  // "4.2", from the file's name, else from its title; as text
  std::string title;
  std::string epic;  // "" if it does not say
  StoryStatus status = StoryStatus::Missing;
  std::string status_word;  // as written; "" if there is none
  int status_line = 0;
  std::string executor;      // without "@"
  std::string quality_gate;  // without "@"
  std::map<std::string, std::string>
      sections;                           // digest of each section's text by its normal key: "acceptance_criteria"
  std::vector<std::string> dependencies;  // ids of stories that it names under Dependencies
  std::vector<std::string> files;         // of the File List
  int boxes = 0;                          // tasks and subtasks
  int ticked = 0;
  std::string gate;                  // the last verdict under QA Results: PASS, CONCERNS, FAIL, WAIVED; "" if none
  std::vector<StoryChange> changes;  // in the file's order
  std::vector<Oddity> oddities;
};

}  // namespace reprise
