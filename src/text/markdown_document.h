// A Markdown document to look things up in: sections, tables, fields, boxes, each with its place.
//
// Reads what people and agents write where a key and its value are meant: as bullets, as lines with a bold
// key, as tables of Field and Value. Nothing is interpreted here; markdown_edit.h changes what was found.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/markdown.h"

namespace reprise {

/// A pipe table, also one that stands in fenced code.
struct MarkdownTable {
  MarkdownRow header;
  TextSpan delimiter;
  std::vector<MarkdownRow> rows;
  bool fenced = false;

  /// Returns the column whose heading is `name`, compared as headings are.
  std::optional<std::size_t> find_column(std::string_view name) const;
};

/// A table where it stands in its document, which it does not outlive.
struct MarkdownTableView {
  const MarkdownRow& header;
  const std::vector<MarkdownRow>& rows;
  bool fenced = false;
};

enum class FieldForm {
  Bullet,  // "- key: value", "- **Key:** value", "- `key`: value"
  Line,    // "**Key:** value" or "Key: value" on a line of its own
  Row,     // a row of a table that has the columns Field and Value
};

/// A key with its value. A bullet's value may go on over the lines below it.
struct MarkdownField {
  FieldForm form = FieldForm::Bullet;
  int line = 0;                     // 1-based
  std::string key;                  // as written, without marks of emphasis
  std::string value;                // as written; wrapped lines joined by a space; of a row, unescaped
  TextSpan place;                   // of the value, wrapped lines included; where there is none, where it would go
  TextSpan prefix;                  // of a bullet or line: all that stands before the value
  std::size_t end = 0;              // behind the last line of the field, its ending and nested items included
  bool bold = false;                // whether the key is marked as bold
  std::vector<std::string> nested;  // the items of a list nested below the bullet
  const MarkdownRow* row = nullptr;  // of a row: where it stands in the document, which it does not outlive
};

/// A heading and what stands below it. The text before the first heading is a section without one.
struct MarkdownSection {
  std::string heading;      // as written, without markers
  int level = 0;            // 0: before the first heading
  int line = 0;             // of the heading, 1-based
  std::size_t first = 0;    // its blocks below the heading, as numbers …
  std::size_t own_end = 0;  // … up to the next heading of any level,
  std::size_t end = 0;      // … up to the next heading of the same or a higher level
};

/// A document with its blocks and sections.
class MarkdownDocument {
 public:
  explicit MarkdownDocument(std::string bytes);

  const std::string& bytes() const { return bytes_; }
  const std::vector<MarkdownBlock>& blocks() const { return blocks_; }
  /// All sections in order, the one without a heading first.
  const std::vector<MarkdownSection>& sections() const { return sections_; }
  /// Returns the first section with this heading, compared by normal_heading(); null if there is none.
  const MarkdownSection* find_section(std::string_view heading) const;

  /// Returns the tables between this heading and the next one of any level, those in fenced code included.
  std::vector<MarkdownTable> tables(const MarkdownSection& section) const;
  /// Calls `visit` with a MarkdownTableView of each of them; nothing is copied.
  template <typename Visit>
  void for_each_table(const MarkdownSection& section, Visit visit) const {
    for (std::size_t i = section.first; i < section.own_end; ++i) {
      const MarkdownBlock& block = blocks_[i];
      if (block.kind == MarkdownKind::Table) visit(MarkdownTableView{block.header, block.rows, false});
      if (block.kind != MarkdownKind::Code) continue;
      for (const MarkdownBlock& inner : scan_inside(bytes_, block)) {
        if (inner.kind == MarkdownKind::Table) visit(MarkdownTableView{inner.header, inner.rows, true});
      }
    }
  }
  /// Returns the fields there: bullets, lines, and rows of tables with the columns Field and Value.
  std::vector<MarkdownField> fields(const MarkdownSection& section) const;
  /// The same without the rows of tables.
  std::vector<MarkdownField> fields_outside_tables(const MarkdownSection& section) const;
  /// Returns the lines "key: value" of front matter there that are not indented; quotes around a value are not
  /// part of it.
  std::vector<MarkdownField> front_matter_fields(const MarkdownSection& section) const;
  /// Returns the list items with a box there.
  std::vector<MarkdownBlock> boxes(const MarkdownSection& section) const;
  /// Returns the text between this heading and the next one of any level, without blank lines at its ends.
  TextSpan body(const MarkdownSection& section) const;

  /// The line ending that most lines have.
  std::string_view newline() const { return newline_; }

 private:
  std::string bytes_;
  std::vector<MarkdownBlock> blocks_;
  std::vector<MarkdownSection> sections_;
  std::string_view newline_;
};

/// Reads a text such as "key: value" or "**Key:** value"; nothing if it is not a field. Positions are those
/// in `text`, of which `span` is looked at.
std::optional<MarkdownField> read_field(std::string_view text, TextSpan span);

}  // namespace reprise
