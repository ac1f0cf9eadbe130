// The playbook's own words: names of fields, sections, columns and stages with the synonyms that are in use.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/playbook.h"
#include "text/markdown_document.h"

namespace reprise {

/// What a section of the file is for.
enum class PlaybookSection { Header, Stages, Detail, Iterations, Clusters, Checkpoints, Notes, Other };

/// Returns what the section with this heading is for; the title's own is Header.
PlaybookSection section_role(std::string_view heading);
/// Returns the heading that a section of this role is given when we add it.
std::string_view section_heading(PlaybookSection role);
/// Whether a heading is the file's title: "Pipeline State", maybe with more behind it.
bool is_playbook_title(std::string_view heading);

/// Returns the documented name of a header field, in the form of normal_key().
std::string header_key(std::string_view key);
/// Whether these fields are those of a state file: `spec_hash` or `current_stage` below the title "Pipeline
/// State"; without the title two of `status`, `current_stage` and `spec_hash`.
bool is_playbook_header(const std::vector<MarkdownField>& fields, bool has_title);
/// Whether the field is documented, in the seed's version of the format or a later one.
bool is_known_header_key(std::string_view key);

/// Returns a stage's name as it is compared: lower case with hyphens, remarks cut off.
std::string stage_name(std::string_view text);
/// Whether this is a stage that the playbook's documents name.
bool is_known_stage(std::string_view name);
/// Whether a row of the stages is in truth a person's checkpoint.
bool is_checkpoint_name(std::string_view stage);
/// Returns the seed's name of the checkpoint that a box or a row is about, whatever words follow it: "Spec
/// approved by Ana" is "Spec approval". "" if it is about none of them.
std::string_view checkpoint_of(std::string_view text);
/// Whether a checkpoint's words say that it was not given: "rejected", "not yet". A tick on it is not believed.
bool says_refused(std::string_view text);

/// An item of a list of stages: "tasks: tasks.md", "✅ tasks → `tasks.md` (2026-01-02)".
struct StageItem {
  std::string stage;
  std::string written;
  std::string rest;  // behind the name, arrows and brackets replaced by commas
  bool completed = true;
};
/// Returns the item; nothing if it does not begin with a stage that the playbook knows.
std::optional<StageItem> read_stage_item(std::string_view text);

/// What a row's status says about its stage.
enum class StageStanding { Completed, NotCompleted, Unknown };
StageStanding stage_standing(std::string_view status);

/// Returns the status that a value begins with; Unknown if it is not one of the six, or a template.
PlaybookStatus read_status(std::string_view value);

/// The columns of the tables, whatever they are called and wherever they stand.
enum class PlaybookColumn {
  Stage,
  CompletedAt,
  Artifact,
  Hash,
  Status,
  Cycles,
  Budget,
  Cluster,
  FirstSeen,
  Retries,
  Notes
};
inline constexpr std::size_t kPlaybookColumns = 11;

/// Where a table has its columns, looked up once.
class PlaybookColumns {
 public:
  explicit PlaybookColumns(const MarkdownRow& header);
  explicit PlaybookColumns(const MarkdownTable& table) : PlaybookColumns(table.header) {}

  /// Returns the place of a column; nothing if the table has none like it.
  std::optional<std::size_t> find(PlaybookColumn column) const { return at_[static_cast<std::size_t>(column)]; }
  bool has(PlaybookColumn column) const { return find(column).has_value(); }
  /// Returns the text of that column in a row, "" if the table or the row has none.
  const std::string& cell(const MarkdownRow& row, PlaybookColumn column) const;

 private:
  std::array<std::optional<std::size_t>, kPlaybookColumns> at_;
};

/// A playbook's file with its sections found.
class PlaybookDocument {
 public:
  explicit PlaybookDocument(std::string bytes);
  PlaybookDocument(const PlaybookDocument&) = delete;  // its parts point into it
  PlaybookDocument& operator=(const PlaybookDocument&) = delete;

  const MarkdownDocument& text() const { return text_; }
  /// Whether there is the heading "Pipeline State". Without it the file may have a heading of its own, or none.
  bool has_title() const { return has_title_; }
  /// The level of the headings below the title.
  int section_level() const { return section_level_; }
  /// The sections that stand in the open, in order, those of the header first; subsections of unknown ones are
  /// left out. A section whose heading is not known, numbered or in another language, is taken for what is in it.
  struct Part {
    const MarkdownSection* section;
    PlaybookSection role;
  };
  const std::vector<Part>& parts() const { return parts_; }
  /// Returns the first section with this role; null if there is none.
  const MarkdownSection* find(PlaybookSection role) const;
  /// Returns the header's fields: in the front matter, below the title, and in a section for them.
  std::vector<MarkdownField> header_fields() const;
  /// Returns the last item of a list of stages; null if no section lists them so.
  const MarkdownBlock* find_last_stage_item() const;
  /// Returns the first table in sections of this role that has the column; nothing if there is none.
  std::optional<MarkdownTable> find_table(PlaybookSection role, PlaybookColumn column) const;

 private:
  PlaybookSection role_of(const MarkdownSection& section) const;
  bool has_key_field(const MarkdownSection& section) const;

  MarkdownDocument text_;
  bool has_title_ = false;
  int section_level_ = 2;
  std::vector<Part> parts_;
};

}  // namespace reprise
