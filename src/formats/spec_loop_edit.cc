#include "formats/spec_loop_edit.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_words.h"
#include "formats/state_words.h"
#include "text/markdown_edit.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

using Edits = std::vector<TextEdit>;

constexpr std::string_view kFieldTable = "| Field | Value |\n|-------|-------|\n";
constexpr std::string_view kDocumentTable =
    "| Document | Status | Path | Last Modified |\n|----------|--------|------|---------------|\n";
constexpr std::string_view kGapTable =
    "| Priority | Gap ID | Question | Status | Resolution |\n"
    "|----------|--------|----------|--------|------------|\n";
constexpr std::string_view kQuestionTable =
    "| ID | Question | Gaps | Options | Status | Answer |\n|----|----------|------|---------|--------|--------|\n";
constexpr std::string_view kHistoryTable =
    "| Gap ID | Iteration | Action | Details | Timestamp |\n"
    "|--------|-----------|--------|---------|-----------|\n";
constexpr std::string_view kAnswerTable =
    "| Question | Answer | Received At | Applied |\n|----------|--------|-------------|---------|\n";

// Parses, and refuses what is not ours to change.
template <typename MakeEdits>
Result<std::string> index_edited(std::string_view bytes, MakeEdits&& make_edits) {
  TRY_VOID(read_spec_loop(bytes, ""));
  const SpecLoopDocument document{std::string(bytes)};
  const Result<Edits> edits = make_edits(document);
  if (!edits) return fail(edits.error());
  return apply_edits(bytes, *edits);
}

std::unexpected<Error> not_listed(std::string_view what, std::string_view id) {
  return fail(ErrorKind::NotFound,
              "there is no " + std::string(what) + " \"" + printable_line(id, 100) + "\" in the index");
}

// What is to stand in a row, by column.
using Cells = std::map<LoopColumn, std::string>;

TextEdit add_to_role(const SpecLoopDocument& document, LoopSection role, std::string_view text) {
  const MarkdownSection* section = document.find(role);
  if (section != nullptr) return append_to_section(document.text(), *section, text);
  return append_section(document.text(), document.section_level(), heading_of(role), text);
}

std::vector<std::string> in_order(const MarkdownTable& table, LoopSection role, const Cells& cells) {
  const LoopColumns columns(table, role);
  std::vector<std::string> row(table.header.cells.size());
  for (const auto& [column, value] : cells) {
    if (const std::optional<std::size_t> at = columns.find(column)) row[*at] = value;
  }
  return row;
}

// Returns `empty_table` with one row in it.
std::string table_with(std::string_view empty_table, LoopSection role, const Cells& cells) {
  const MarkdownDocument made{std::string(empty_table)};
  const MarkdownTable table = made.tables(made.sections()[0])[0];
  return apply_edits(empty_table, {append_row(made, table, in_order(table, role, cells))});
}

// Adds a row to the last table of the role, or such a table with the row in it.
TextEdit add_row(const SpecLoopDocument& document, LoopSection role, std::string_view empty_table,
                 const Cells& cells) {
  const std::vector<MarkdownTable> tables = document.tables(role);
  if (tables.empty()) return add_to_role(document, role, table_with(empty_table, role, cells));
  return append_row(document.text(), tables.back(), in_order(tables.back(), role, cells));
}

// Sets cells of all rows that are about `id`: two that differ would be believed by nobody. `cells_for` is given
// the table's columns and the row.
template <typename CellsFor>
Edits set_rows(const SpecLoopDocument& document, LoopSection role, std::string_view id, CellsFor&& cells_for) {
  Edits edits;
  for (const MarkdownTable& table : document.tables(role)) {
    const LoopColumns columns(table, role);
    for (const MarkdownRow& row : table.rows) {
      if (columns.id(row) != id) continue;
      std::map<std::size_t, std::string> values;
      for (const auto& [column, value] : cells_for(columns, row)) {
        if (const std::optional<std::size_t> at = columns.find(column)) values[*at] = value;
      }
      for (TextEdit& edit : set_cells(document.text(), row, values)) edits.push_back(std::move(edit));
    }
  }
  return edits;
}

bool has_row(const SpecLoopDocument& document, LoopSection role, std::string_view id) {
  return std::ranges::any_of(document.tables(role), [&](const MarkdownTable& table) {
    const LoopColumns columns(table, role);
    return std::ranges::any_of(table.rows, [&](const MarkdownRow& row) { return columns.id(row) == id; });
  });
}

void append(Edits& edits, Edits more) {
  for (TextEdit& edit : more) edits.push_back(std::move(edit));
}

// A question's status with its answer behind it, where the table has no column for that.
Cells answered_cells(const LoopColumns& columns, std::string_view status, const std::string& answer) {
  if (columns.has(LoopColumn::Answer))
    return {{LoopColumn::Status, std::string(status)}, {LoopColumn::Answer, answer}};
  return {{LoopColumn::Status, std::string(status) + (answer.empty() ? "" : " — " + answer)}};
}

Edits loop_field_edits(const SpecLoopDocument& document, LoopFieldChange change) {
  Edits edits;
  const std::vector<SpecLoopDocument::Field> fields = document.fields();
  const SpecLoopDocument::Field* last = nullptr;  // of the loop state
  for (const SpecLoopDocument::Field& each : fields) {
    if (!each.is_loop) continue;
    last = &each;
    if (each.key == change.key) edits.push_back(set_field(document.text(), each.field, change.value));
  }
  if (!edits.empty()) return edits;
  const MarkdownSection* section = document.find(LoopSection::LoopState);
  const std::optional<MarkdownTable> table =
      section == nullptr ? std::nullopt : document.find_field_table(*section);
  std::string label(loop_label(change.key));
  if (table) {
    const MarkdownRow& model = table->rows.empty() ? table->header : table->rows.back();
    if (!model.cells.empty() && model.cells[0].starts_with("**")) label = "**" + label + "**";
    return {append_row(document.text(), *table, {label, std::string(change.value)})};
  }
  if (last != nullptr && last->field.form != FieldForm::Row)
    return {add_field(document.text(), last->field, label, change.value)};
  const std::string row = "| **" + label + "** | " + escape_cell(change.value) + " |\n";
  return {add_to_role(document, LoopSection::LoopState, std::string(kFieldTable) + row)};
}

std::string title_case(GapPriority priority) {
  std::string word(to_token(priority));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

}  // namespace

Result<std::string> set_loop_field(std::string_view bytes, LoopFieldChange change) {
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    return loop_field_edits(document, change);
  });
}

Result<std::string> set_last_activity(std::string_view bytes, Timestamp now) {
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    Edits edits = loop_field_edits(document, {"last_activity", to_text(now)});
    for (const SpecLoopDocument::Field& each : document.fields()) {
      if (!each.is_loop && each.key == "last_updated")
        edits.push_back(set_field(document.text(), each.field, to_text(now)));
    }
    return edits;
  });
}

Result<std::string> set_gap(std::string_view bytes, const LoopGapChange& change) {
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    if (!has_row(document, LoopSection::Gaps, change.id)) return not_listed("gap", change.id);
    return set_rows(document, LoopSection::Gaps, change.id, [&](const LoopColumns&, const MarkdownRow&) {
      Cells cells{{LoopColumn::Status, std::string(to_token(change.status))}};
      if (change.resolution) cells[LoopColumn::Resolution] = *change.resolution;
      return cells;
    });
  });
}

Result<std::string> add_gap(std::string_view bytes, const NewLoopGap& gap) {
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    return Edits{add_row(document, LoopSection::Gaps, kGapTable,
                         {{LoopColumn::Id, gap.id},
                          {LoopColumn::Priority, title_case(gap.priority)},
                          {LoopColumn::Text, gap.text},
                          {LoopColumn::Status, std::string(to_token(gap.status))}})};
  });
}

Result<std::string> set_question(std::string_view bytes, const LoopQuestion& question) {
  Cells cells{{LoopColumn::Id, question.id}, {LoopColumn::Status, question.status}};
  if (!question.question.empty()) cells[LoopColumn::Text] = question.question;
  if (!question.gaps.empty()) cells[LoopColumn::Gaps] = join(question.gaps, ", ");
  if (!question.options.empty()) cells[LoopColumn::Options] = question.options;
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    if (!has_row(document, LoopSection::Questions, question.id))
      return Edits{add_row(document, LoopSection::Questions, kQuestionTable, cells)};
    cells.erase(LoopColumn::Id);  // as it is written there
    return set_rows(document, LoopSection::Questions, question.id,
                    [&](const LoopColumns&, const MarkdownRow&) { return cells; });
  });
}

Result<std::string> append_history(std::string_view bytes, const LoopHistoryRow& row) {
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    return Edits{add_row(document, LoopSection::History, kHistoryTable,
                         {{LoopColumn::Id, row.gap},
                          {LoopColumn::Iteration, std::to_string(row.iteration)},
                          {LoopColumn::Action, row.action},
                          {LoopColumn::Details, row.details},
                          {LoopColumn::Question, row.question},
                          {LoopColumn::At, to_text(row.at)}})};
  });
}

Result<std::string> put_answer(std::string_view bytes, const ReceivedAnswer& answer) {
  const Cells record{{LoopColumn::Id, answer.question},
                     {LoopColumn::Answer, answer.answer},
                     {LoopColumn::At, to_text(answer.at)},
                     {LoopColumn::Applied, "no"}};
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    if (!has_row(document, LoopSection::Questions, answer.question))
      return not_listed("question", answer.question);
    Edits edits = set_rows(document, LoopSection::Questions, answer.question,
                           [&](const LoopColumns& columns, const MarkdownRow&) {
                             return answered_cells(columns, "answered", answer.answer);
                           });
    Edits replaced =
        set_rows(document, LoopSection::Answers, answer.question, [&](const LoopColumns&, const MarkdownRow&) {
          Cells cells = record;
          cells.erase(LoopColumn::Id);
          return cells;
        });
    if (replaced.empty()) replaced.push_back(add_row(document, LoopSection::Answers, kAnswerTable, record));
    append(edits, std::move(replaced));
    return edits;
  });
}

Result<std::string> mark_applied(std::string_view bytes, std::string_view question) {
  const SpecLoopClaims claims = TRY(read_spec_loop(bytes, ""));
  const auto claim = std::ranges::find(claims.questions, question, &ClaimedQuestion::id);
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    Edits edits = set_rows(document, LoopSection::Answers, question, [](const LoopColumns&, const MarkdownRow&) {
      return Cells{{LoopColumn::Applied, "yes"}};
    });
    if (claim == claims.questions.end()) {
      if (edits.empty()) return not_listed("question", question);
      return edits;
    }
    append(edits, set_rows(document, LoopSection::Questions, question,
                           [&](const LoopColumns& columns, const MarkdownRow&) {
                             return answered_cells(columns, "applied", claim->answer);
                           }));
    return edits;
  });
}

Result<std::string> set_document(std::string_view bytes, const LoopDocumentChange& change) {
  const Cells state{{LoopColumn::Status, change.status}, {LoopColumn::At, to_text(change.at)}};
  return index_edited(bytes, [&](const SpecLoopDocument& document) -> Result<Edits> {
    if (has_row(document, LoopSection::Documents, change.document)) {
      return set_rows(document, LoopSection::Documents, change.document,
                      [&](const LoopColumns&, const MarkdownRow&) { return state; });
    }
    Cells cells = state;
    cells[LoopColumn::Id] = change.document;
    cells[LoopColumn::Path] = change.path;
    return Edits{add_row(document, LoopSection::Documents, kDocumentTable, cells)};
  });
}

std::string new_spec_loop_file(const NewSpecLoop& loop) {
  const std::string now = to_text(loop.now);
  const auto row = [](std::string_view label, std::string_view value) {
    return "| **" + std::string(label) + "** | " + (value.empty() ? "N/A" : escape_cell(value)) + " |\n";
  };
  const auto section = [](LoopSection role) { return "\n## " + std::string(heading_of(role)) + "\n\n"; };
  std::string out = "# Feature Index: " + on_one_line(loop.feature) + "\n";
  out += section(LoopSection::Metadata) + std::string(kFieldTable) + row("ID", loop.feature) +
         row("Branch", loop.branch) + row("Created", now) + row("Last Updated", now) +
         row("Original Description", loop.description);
  out += section(LoopSection::Documents) + table_with(kDocumentTable, LoopSection::Documents,
                                                      {{LoopColumn::Id, "spec.md"},
                                                       {LoopColumn::Status, "absent"},
                                                       {LoopColumn::Path, loop.spec_path},
                                                       {LoopColumn::At, "N/A"}});
  const std::string iteration = loop.status == LoopStatus::NotStarted ? "0 / 10" : "1 / 10";
  out += section(LoopSection::LoopState) + std::string(kFieldTable) + row("Loop Status", to_token(loop.status)) +
         row("Current Iteration", iteration) + row("Last Activity", now) + row("Stale Count", "0 / 3") +
         row("Deferred Minor Gaps", "0");
  out += section(LoopSection::Questions) + std::string(kQuestionTable);
  out += section(LoopSection::Gaps) + std::string(kGapTable);
  out += section(LoopSection::History) + std::string(kHistoryTable);
  return out + section(LoopSection::Answers) + std::string(kAnswerTable);
}

}  // namespace reprise
