#include "formats/playbook_edit.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/playbook_words.h"
#include "formats/state_words.h"
#include "text/markdown_edit.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

std::string or_none(std::string_view value) { return value.empty() ? "N/A" : std::string(value); }

// Parses, and refuses what is not ours to change.
Result<std::string> playbook_edited(std::string_view bytes, auto&& make_edits) {
  TRY_VOID(read_playbook(bytes, ""));
  const PlaybookDocument document{std::string(bytes)};
  return apply_edits(bytes, make_edits(document));
}

TextEdit add_to_role(const PlaybookDocument& document, PlaybookSection role, std::string_view text) {
  const MarkdownSection* section = document.find(role);
  if (section != nullptr) return append_to_section(document.text(), *section, text);
  return append_section(document.text(), document.section_level(), section_heading(role), text);
}

// Sets all fields with the key: two that differ would be believed by nobody.
std::vector<TextEdit> set_fields(const PlaybookDocument& document, const std::vector<MarkdownField>& fields,
                                 std::string (*name_of)(std::string_view), FieldChange change) {
  std::vector<TextEdit> edits;
  for (const MarkdownField& field : fields) {
    if (name_of(field.key) == change.key) edits.push_back(set_field(document.text(), field, change.value));
  }
  return edits;
}

std::string bullet(FieldChange change) {
  return "- " + std::string(change.key) + ": " + on_one_line(change.value);
}

// The cells of a row in the table's order of columns.
class RowCells {
 public:
  explicit RowCells(const MarkdownTable& table) : columns_(table), cells_(table.header.cells.size()) {}

  void set(PlaybookColumn column, std::string value) {
    if (const std::optional<std::size_t> at = columns_.find(column)) cells_[*at] = std::move(value);
  }
  const std::vector<std::string>& cells() const { return cells_; }

 private:
  PlaybookColumns columns_;
  std::vector<std::string> cells_;
};

constexpr std::string_view kStagesTable =
    "| Stage | Completed At | Output Artifact | Output Hash |\n"
    "|-------|--------------|-----------------|-------------|\n";
constexpr std::string_view kIterationsTable =
    "| Stage | Cycle Count | Budget | Status |\n"
    "|-------|-------------|--------|--------|\n";

// Adds a row to the first table of the section that has stages, or such a table with the row in it.
TextEdit add_row(const PlaybookDocument& document, PlaybookSection role, std::string_view empty_table,
                 auto&& fill) {
  if (const std::optional<MarkdownTable> table = document.find_table(role, PlaybookColumn::Stage)) {
    RowCells row(*table);
    fill(row);
    return append_row(document.text(), *table, row.cells());
  }
  const MarkdownDocument made{std::string(empty_table)};
  const MarkdownTable table = made.tables(made.sections()[0])[0];
  RowCells row(table);
  fill(row);
  return add_to_role(document, role, apply_edits(empty_table, {append_row(made, table, row.cells())}));
}

// Adds an item below the last one of a list of stages, with the same marker and, where they have one, a ticked
// box.
TextEdit add_stage_item(const PlaybookDocument& document, const MarkdownBlock& last, const CompletedStage& stage) {
  const std::string_view line = text_of(document.text().bytes(), {last.begin, last.end});
  const std::string_view margin = line.substr(0, line.find_first_not_of(" \t"));
  std::string item = std::string(margin) + "- " + (last.checked ? "[x] " : "") + stage.stage + ": " +
                     or_none(join(stage.artifacts, ", ")) + " (" + to_text(stage.completed_at);
  if (!stage.hash.empty()) item += ", " + stage.hash;
  item += ')';
  const std::string newline(document.text().newline());
  const bool is_whole = line.ends_with('\n') || line.ends_with('\r');
  return {.span = {last.end, last.end}, .replacement = is_whole ? item + newline : newline + item};
}

std::vector<TextEdit> set_iterations(const PlaybookDocument& document, const PlaybookColumns& columns,
                                     const MarkdownRow& row, const IterationCount& count) {
  std::map<std::size_t, std::string> values;
  const auto set = [&](PlaybookColumn column, std::string value) {
    if (const std::optional<std::size_t> at = columns.find(column)) values[*at] = std::move(value);
  };
  set(PlaybookColumn::Cycles, std::to_string(count.cycles));
  set(PlaybookColumn::Budget, std::to_string(count.budget));
  set(PlaybookColumn::Status, count.status);
  return set_cells(document.text(), row, values);
}

// Whether these are the words of checkpoint `name`, whatever follows them.
bool is_about(std::string_view text, std::string_view name) {
  const std::string_view known = checkpoint_of(name);
  return known.empty() ? leading_token(text) == leading_token(name) : checkpoint_of(text) == known;
}

// The boxes of this checkpoint, ticked or not.
std::vector<TextEdit> set_boxes(const PlaybookDocument& document, const MarkdownSection& section,
                                std::string_view name, bool is_ticked) {
  std::vector<TextEdit> edits;
  for (const MarkdownBlock& box : document.text().boxes(section)) {
    if (is_about(box.text, name)) edits.push_back(set_checked(box, is_ticked));
  }
  return edits;
}

// The rows that stand for this checkpoint among the stages, approved.
std::vector<TextEdit> approve_rows(const PlaybookDocument& document, const MarkdownSection& section,
                                   std::string_view name) {
  std::vector<TextEdit> edits;
  for (const MarkdownTable& table : document.text().tables(section)) {
    const PlaybookColumns columns(table);
    const std::optional<std::size_t> status = columns.find(PlaybookColumn::Status);
    if (!status) continue;
    for (const MarkdownRow& row : table.rows) {
      const std::string& written = columns.cell(row, PlaybookColumn::Stage);
      if (is_known_stage(stage_name(written)) || !is_about(written, name)) continue;
      edits.push_back(set_cell(document.text(), row, *status, "APPROVED"));
    }
  }
  return edits;
}

}  // namespace

Result<std::string> set_header_field(std::string_view bytes, FieldChange change) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    const std::vector<MarkdownField> fields = document.header_fields();
    std::vector<TextEdit> edits = set_fields(document, fields, header_key, change);
    // A recognised file has at least one field.
    if (edits.empty()) edits.push_back(add_field(document.text(), fields.back(), change.key, change.value));
    return edits;
  });
}

Result<std::string> set_detail_field(std::string_view bytes, FieldChange change) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    const MarkdownSection* section = document.find(PlaybookSection::Detail);
    if (section == nullptr) return {add_to_role(document, PlaybookSection::Detail, bullet(change))};
    const std::vector<MarkdownField> fields = document.text().fields(*section);
    std::vector<TextEdit> edits = set_fields(document, fields, normal_key, change);
    if (!edits.empty()) return edits;
    if (fields.empty()) return {append_to_section(document.text(), *section, bullet(change))};
    return {add_field(document.text(), fields.back(), change.key, change.value)};
  });
}

Result<std::string> append_completed_stage(std::string_view bytes, const CompletedStage& stage) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    const bool has_table = document.find_table(PlaybookSection::Stages, PlaybookColumn::Stage).has_value();
    if (const MarkdownBlock* last = document.find_last_stage_item(); last != nullptr && !has_table)
      return {add_stage_item(document, *last, stage)};
    return {add_row(document, PlaybookSection::Stages, kStagesTable, [&](RowCells& row) {
      row.set(PlaybookColumn::Stage, stage.stage);
      row.set(PlaybookColumn::CompletedAt, to_text(stage.completed_at));
      row.set(PlaybookColumn::Artifact, or_none(join(stage.artifacts, ", ")));
      row.set(PlaybookColumn::Hash, or_none(stage.hash));
      row.set(PlaybookColumn::Status, "COMPLETE");
    })};
  });
}

Result<std::string> set_iteration_count(std::string_view bytes, const IterationCount& count) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    const std::optional<MarkdownTable> table =
        document.find_table(PlaybookSection::Iterations, PlaybookColumn::Stage);
    if (table) {
      const PlaybookColumns columns(*table);
      const auto row = std::ranges::find_if(table->rows, [&](const MarkdownRow& each) {
        return stage_name(columns.cell(each, PlaybookColumn::Stage)) == stage_name(count.stage);
      });
      if (row != table->rows.end()) return set_iterations(document, columns, *row, count);
    }
    return {add_row(document, PlaybookSection::Iterations, kIterationsTable, [&](RowCells& row) {
      row.set(PlaybookColumn::Stage, count.stage);
      row.set(PlaybookColumn::Cycles, std::to_string(count.cycles));
      row.set(PlaybookColumn::Budget, std::to_string(count.budget));
      row.set(PlaybookColumn::Status, count.status);
    })};
  });
}

Result<std::string> tick_checkpoint(std::string_view bytes, std::string_view name) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    std::vector<TextEdit> edits;
    for (const PlaybookDocument::Part& part : document.parts()) {
      if (part.role == PlaybookSection::Checkpoints)
        std::ranges::move(set_boxes(document, *part.section, name, true), std::back_inserter(edits));
      if (part.role == PlaybookSection::Stages || part.role == PlaybookSection::Checkpoints)
        std::ranges::move(approve_rows(document, *part.section, name), std::back_inserter(edits));
    }
    if (!edits.empty()) return edits;
    return {add_to_role(document, PlaybookSection::Checkpoints, "- [x] " + on_one_line(name))};
  });
}

Result<std::string> untick_checkpoint(std::string_view bytes, std::string_view name) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    std::vector<TextEdit> edits;
    for (const PlaybookDocument::Part& part : document.parts()) {
      if (part.role == PlaybookSection::Checkpoints)
        std::ranges::move(set_boxes(document, *part.section, name, false), std::back_inserter(edits));
    }
    return edits;
  });
}

Result<std::string> append_note(std::string_view bytes, std::string_view note) {
  return playbook_edited(bytes, [&](const PlaybookDocument& document) -> std::vector<TextEdit> {
    return {add_to_role(document, PlaybookSection::Notes, note)};
  });
}

std::string new_playbook_file(const NewPlaybook& run) {
  std::string out = "# Pipeline State\n\n";
  const std::string now = to_text(run.started_at);
  for (const FieldChange& field :
       {FieldChange{"run_id", run.run_id}, FieldChange{"feature", run.feature},
        FieldChange{"coordinator_mode", run.coordinator_mode}, FieldChange{"debug_mode", "off"},
        FieldChange{"spec_version", run.spec_version}, FieldChange{"spec_hash", run.spec_hash},
        FieldChange{"started_at", now}, FieldChange{"last_updated_at", now},
        FieldChange{"current_stage", run.current_stage}, FieldChange{"status", "IN_PROGRESS"}}) {
    out += bullet({field.key, field.value.empty() ? "N/A" : field.value}) + '\n';
  }
  out += "\n## Completed Stages\n\n" + std::string(kStagesTable);
  out += "\n## Current Stage Detail\n\n" + bullet({"stage", run.current_stage});
  out += "\n- dispatched_at: N/A\n- job_status: QUEUED\n- retry_count: 0\n- last_output_summary: N/A\n";
  out += "\n## Iteration Counts\n\n" + std::string(kIterationsTable);
  out +=
      "\n## Failure Clusters\n\n| Cluster | First Seen | Retry Count | Stage | Notes |\n"
      "|---------|------------|-------------|-------|-------|\n";
  out += "\n## Human Checkpoints Cleared\n\n";
  for (const std::string& checkpoint : run.checkpoints) out += "- [ ] " + on_one_line(checkpoint) + '\n';
  return out + "\n## Notes\n";
}

}  // namespace reprise
