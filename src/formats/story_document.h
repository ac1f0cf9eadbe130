// A story file as its parts: title, header fields, sections with their keys, and the places where its status
// stands.
//
// The shapes that people and agents write are known here and nowhere else; story.h reads claims from them and
// story_edit.h changes them. What stands in code fences and in comments is never a field or a status.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "formats/story_words.h"
#include "text/markdown_document.h"

namespace reprise {

/// A field that says something of the story as a whole.
struct StoryField {
  enum class Form { FrontMatter, Line, Row };
  Form form = Form::Line;
  std::string key;    // in the form of normal_key()
  std::string value;  // as written, without quotes of YAML
  TextSpan place;     // of `value`
  int line = 0;
  std::vector<std::string> nested;  // of front matter: the items below the key
  bool in_status_section = false;
};

/// A section, or the text below a bold label such as "**File List:**".
struct StoryPart {
  std::string key;          // story_section_key() of its heading
  MarkdownSection section;  // of a section, `end` is where the next one on the main level begins
  bool is_label = false;
  bool is_main = false;  // on the level of the story's sections, not below one of them
};

/// One place that gives the story's status.
struct StatusSighting {
  std::string word;  // as written; of a list with boxes, the one that counts
  StoryStatusValue value;
  int line = 0;
  TextSpan place;                    // of `word`
  std::vector<MarkdownBlock> boxes;  // of a list with boxes
  bool is_aside = false;             // stands in a section that is not about the story as a whole
};

/// A story file, scanned.
class StoryDocument {
 public:
  explicit StoryDocument(std::string bytes);
  StoryDocument(const StoryDocument&) = delete;
  StoryDocument& operator=(const StoryDocument&) = delete;

  const MarkdownDocument& text() const { return text_; }
  /// The section of the title: the first heading of level 1; else the first heading, if it is no section's. Null
  /// if there is none.
  const MarkdownSection* title() const { return title_; }
  /// The level of the headings of the story's sections.
  int main_level() const { return main_level_; }
  /// The header fields in the file's order: front matter, the text below the title, header sections.
  const std::vector<StoryField>& fields() const { return fields_; }
  /// Returns the first header field with one of these keys that has a value; null if there is none.
  const StoryField* find_field(std::initializer_list<std::string_view> keys) const;
  /// The parts in the file's order.
  const std::vector<StoryPart>& parts() const { return parts_; }
  /// Returns the first part with this key; null if there is none.
  const StoryPart* find_part(std::string_view key) const;
  /// All places that give the status, in the file's order. One that stands aside counts only if it is the only
  /// one.
  const std::vector<StatusSighting>& statuses() const { return statuses_; }
  /// Whether the byte is in a comment; one without an end goes on to the end of the file.
  bool is_commented(std::size_t at) const;

  /// Returns the text of the line that the block begins with, without quote marks ">", list marker, box and spaces
  /// at its ends.
  TextSpan line_of(const MarkdownBlock& block) const;

 private:
  void find_comments();
  void find_title();
  void find_parts();
  void add_labels(const MarkdownSection& section);
  void read_header();
  void read_fields(const MarkdownSection& section, bool in_status_section);
  void read_front_matter(const MarkdownBlock& block);
  void add_rows(const MarkdownBlock& table, bool in_status_section);
  void find_statuses();
  void find_section_status(const StoryPart& part);
  void find_aside();
  void add_sighting(const StoryField& field, bool is_aside);

  MarkdownDocument text_;
  const MarkdownSection* title_ = nullptr;
  int main_level_ = 2;
  std::vector<TextSpan> comments_;
  std::vector<StoryField> fields_;
  std::vector<StoryPart> parts_;
  std::vector<StatusSighting> statuses_;
};

/// Returns the fields on one line of text: "**Epic:** 3 | **Status:** Done" are two.
std::vector<StoryField> fields_on_line(std::string_view bytes, TextSpan line);

}  // namespace reprise
