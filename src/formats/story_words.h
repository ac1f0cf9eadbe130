// The words of story files: what a status is called, what a section is called, what a change log says of a status.
//
// A status is one of five if its leading words stand in kStoryWords; everything else stays as written and is
// Unknown. A value that still lists its alternatives is a template. A value that says two different things at once
// ("Complete - ready for QA") counts as the one that comes earlier in a story's life. Pure functions of text.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "model/story.h"
#include "text/document.h"

namespace reprise {

/// Whether a row of kStoryWords has to be all of the leading words, or may have more behind it.
enum class StoryWordMatch : std::uint8_t { Whole, Begins };

/// Leading words in the form of leading_token(), and the status that they mean.
struct StoryWord {
  std::string_view token;
  StoryStatus status = StoryStatus::Unknown;
  StoryWordMatch match = StoryWordMatch::Whole;
};

inline constexpr auto kStoryWords = std::to_array<StoryWord>({
    {"draft", StoryStatus::Draft},
    {"planning", StoryStatus::Draft},
    {"rascunho", StoryStatus::Draft},
    {"ready", StoryStatus::Ready},
    {"approved", StoryStatus::Ready},
    {"ready_to_start", StoryStatus::Ready},
    {"ready_to_execute", StoryStatus::Ready},
    {"ready_to_implement", StoryStatus::Ready},
    {"ready_for_dev", StoryStatus::Ready},
    {"ready_for_development", StoryStatus::Ready},
    {"ready_for_execution", StoryStatus::Ready},
    {"ready_for_implementation", StoryStatus::Ready},
    {"in_progress", StoryStatus::InProgress},
    {"inprogress", StoryStatus::InProgress},
    {"implementing", StoryStatus::InProgress},
    {"implementation_in_progress", StoryStatus::InProgress},
    {"in_review", StoryStatus::InReview},
    {"inreview", StoryStatus::InReview},
    {"review", StoryStatus::InReview},
    {"ready_for_review", StoryStatus::InReview},
    {"ready_for_re_review", StoryStatus::InReview},
    {"ready_for_code_review", StoryStatus::InReview},
    {"ready_for_po_review", StoryStatus::InReview},
    {"ready_for_qa", StoryStatus::InReview},
    {"ready_for_qa_review", StoryStatus::InReview},
    {"em_revisão", StoryStatus::InReview},
    {"em_revisao", StoryStatus::InReview},
    {"done", StoryStatus::Done},
    {"complete", StoryStatus::Done},
    {"completed", StoryStatus::Done},
    {"released", StoryStatus::Done},
    {"released_as", StoryStatus::Done, StoryWordMatch::Begins},
    {"released_in", StoryStatus::Done, StoryWordMatch::Begins},
    {"merged", StoryStatus::Done},
    {"merged_to", StoryStatus::Done, StoryWordMatch::Begins},
    {"merged_into", StoryStatus::Done, StoryWordMatch::Begins},
    {"merged_in", StoryStatus::Done, StoryWordMatch::Begins},
    {"concluída", StoryStatus::Done},
    {"concluida", StoryStatus::Done},
    {"concluído", StoryStatus::Done},
    {"concluido", StoryStatus::Done},
});

/// Returns the status that a token of leading_token() means; Unknown if it is in no row.
StoryStatus story_status_of_token(std::string_view token);

/// What is wrong with a value that should be a status.
enum class StatusTrouble : std::uint8_t { None, NotAWord, Unfilled, TwoStatuses };

/// A value read as a status.
struct StoryStatusValue {
  StoryStatus status = StoryStatus::Missing;  // Missing: the value is empty
  StatusTrouble trouble = StatusTrouble::None;
  TextSpan word;  // in the value: the words that say it; all of the value where it is no known word
};

/// Reads a value as it was written, with marks, symbols and remarks.
StoryStatusValue read_story_status(std::string_view value);

/// Returns the status that a sentence of a change log says the story was given: "Status: Ready -> InProgress",
/// "Draft → Ready", "Status changed to Done". Of several the last. Nothing if it says none that is known.
std::optional<StoryStatus> find_transition(std::string_view text);

/// Returns a section's key: the documented one where the heading is a synonym ("Tasks / Subtasks" is "tasks"),
/// else the heading in the form of normal_key(). Numbers, symbols and remarks around a known heading are dropped.
std::string story_section_key(std::string_view heading);
/// Whether this is the key of a section that the story template knows; its fields are about something else than
/// the story as a whole.
bool is_known_story_section(std::string_view key);
/// Whether a section with this key says what the story is: status, executor, metadata.
bool is_story_header_section(std::string_view key);
/// Whether a field with this key, in the form of normal_key(), is the story's status.
bool is_story_status_key(std::string_view key);

/// Returns the gate verdict that a value begins with: PASS, CONCERNS, FAIL or WAIVED; "" if none.
std::string_view read_gate_verdict(std::string_view value);
/// Whether a field or heading with this key gives a gate verdict.
bool is_gate_key(std::string_view key);

}  // namespace reprise
