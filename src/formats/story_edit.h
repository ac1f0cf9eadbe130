// Byte-exact changes of a story file: its status where it stands, a row of its change log, a box.
//
// What always holds:
//
//   F2  Only the bytes of the change itself differ; line endings, marks, symbols, padding and remarks stay.
//   What was written is what is read: each function reads its own result, and refuses (Invalid) where the file is
//   such that this would not be so. A file that cannot be read is refused with the same error as by read_story().

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "model/story.h"

namespace reprise {

/// Sets the status, which must be one of the five, in every place that gives it, in the shape it has there: only
/// the word changes where there is a known one, else the value. Where there is none, a line is added below the
/// title. In a list with boxes, the box of the status is ticked; Invalid if there is no box for it.
Result<std::string> set_story_status(std::string_view bytes, StoryStatus status);

/// A row for the change log.
struct NewStoryChange {
  Timestamp at;
  std::string by;  // as it is to be written: "@dev"
  std::string text;
};
/// Adds a row below the last one of the change log's table, a bullet to a change log of bullets, or the section
/// with a table at the end of the file. The time is given as a day unless the rows there give more.
Result<std::string> append_story_change(std::string_view bytes, const NewStoryChange& change);

/// Ticks the first open box under Tasks with this text, marks around it ignored. NotFound if there is no such box;
/// a box that is ticked already stays so.
Result<std::string> tick_story_box(std::string_view bytes, std::string_view text);

}  // namespace reprise
