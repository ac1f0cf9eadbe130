// The spec loop's own words: names of fields, sections, columns and statuses with the synonyms that are in use.
//
// The index file is described by several documents that agree on the sections and disagree on their columns; so
// a column is found by what it is called in its section, wherever it stands.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec_loop.h"
#include "text/markdown_document.h"

namespace reprise {

/// What a section of the index is for. Answers: the one that we write; UserAnswers: one that other tools write.
/// Kept: documented, and none of our business. Other: not documented.
enum class LoopSection {
  Title,
  Metadata,
  Documents,
  Workflow,
  LoopState,
  Gaps,
  Questions,
  History,
  Answers,
  UserAnswers,
  Kept,
  Other
};

/// Returns what the section with this heading is for.
LoopSection loop_section(std::string_view heading);
/// Returns the heading that a section of this role is given when we add it.
std::string_view heading_of(LoopSection role);
/// Whether a heading is the file's title: "Feature Index", mostly with the feature's id behind it.
bool is_spec_loop_title(std::string_view heading);
/// Returns the feature's id in the title, "" if there is none.
std::string feature_in_title(std::string_view heading);

/// Returns the documented name of a field of the loop state, in the form of normal_key(); `in_section`: it stands
/// in that section, where short names will do. "" if it is none.
std::string loop_key(std::string_view key, bool in_section);
/// Returns how a field of the loop state is labelled: "Loop Status".
std::string_view loop_label(std::string_view key);
/// Returns the documented name of a metadata field, or the key as it is compared if it is not documented.
std::string metadata_key(std::string_view key);
bool is_known_metadata_key(std::string_view key);

/// Return the value that a text begins with; Unknown if it is none of those documented, or a template.
LoopStatus read_loop_status(std::string_view value);
GapStatus read_gap_status(std::string_view value);
GapPriority read_gap_priority(std::string_view value);
QuestionStatus read_question_status(std::string_view value);

/// The columns of the tables. Id is what a row is about: the gap, the question, the document, the workflow.
enum class LoopColumn {
  Id,
  Text,
  Gaps,
  Priority,
  Status,
  Resolution,
  Question,
  Options,
  Answer,
  Iteration,
  Action,
  Details,
  At,
  Applied,
  Path
};
inline constexpr std::size_t kLoopColumns = 15;

/// Where a table has its columns, looked up once.
class LoopColumns {
 public:
  LoopColumns(const MarkdownRow& header, LoopSection role);
  LoopColumns(const MarkdownTable& table, LoopSection role) : LoopColumns(table.header, role) {}

  /// Returns the place of a column; nothing if the table has none like it.
  std::optional<std::size_t> find(LoopColumn column) const { return at_[static_cast<std::size_t>(column)]; }
  bool has(LoopColumn column) const { return find(column).has_value(); }
  /// Returns the text of that column in a row, "" if the table or the row has none.
  const std::string& cell(const MarkdownRow& row, LoopColumn column) const;
  /// Returns what the row is about, without marks.
  std::string id(const MarkdownRow& row) const;

 private:
  std::array<std::optional<std::size_t>, kLoopColumns> at_;
};

/// An index file with its sections found. One without the title "Feature Index" is read in the same way: its first
/// heading is its title if it is of level 1 and no section's, and what stands above all headings belongs to it.
class SpecLoopDocument {
 public:
  explicit SpecLoopDocument(std::string bytes);
  SpecLoopDocument(const SpecLoopDocument&) = delete;  // its parts point into it
  SpecLoopDocument& operator=(const SpecLoopDocument&) = delete;

  const MarkdownDocument& text() const { return text_; }
  /// The title's section; the text before the first heading if there is no title.
  const MarkdownSection& title() const { return *title_; }
  /// The feature's id in the title "Feature Index", "" if it gives none.
  std::string feature() const;
  /// The level that a section has when we add it.
  int section_level() const;
  /// The sections that stand in the open, in order, the title's first; subsections of kept ones are left out, and
  /// below the title "Feature Index" those of unknown ones too.
  struct Part {
    const MarkdownSection* section;
    LoopSection role;
  };
  const std::vector<Part>& parts() const { return parts_; }
  /// Returns the first section with this role; null if there is none.
  const MarkdownSection* find(LoopSection role) const;

  /// A field with its documented name.
  struct Field {
    MarkdownField field;
    std::string key;
    bool is_loop = false;  // of the loop state, else of the metadata
  };
  /// Returns the fields of the title, the metadata and the loop state: lines of front matter, bullets, lines and
  /// rows of tables that are not fenced. Lines that explain which values there are, are left out.
  std::vector<Field> fields() const;
  /// Returns the first table of a section that holds fields of the loop state; nothing if there is none.
  std::optional<MarkdownTable> find_field_table(const MarkdownSection& section) const;
  /// Returns the tables of all sections with this role that have a column Id.
  std::vector<MarkdownTable> tables(LoopSection role) const;
  /// Whether this is an index file of a spec loop: it has the section of the loop state, a field "Loop Status", a
  /// status of the loop with an iteration in its title's text, or both gaps and questions.
  bool is_recognised() const;

 private:
  void find_parts();
  bool has_state_in_title() const;
  void add_fields(const Part& part, std::vector<Field>& fields) const;

  MarkdownDocument text_;
  const MarkdownSection* title_ = nullptr;
  bool has_documented_title_ = false;
  bool state_in_title_ = false;
  std::vector<Part> parts_;
};

}  // namespace reprise
