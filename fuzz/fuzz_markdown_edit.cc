// Edits of Markdown: sections cover the blocks, every place lies in the document, and a cell, a row, a box and
// a section that were written are read back. The first line of the input is the value that is written.

#include "base/strings.h"
#include "fuzz.h"
#include "text/diff.h"
#include "text/markdown_edit.h"
#include "text/markdown_row.h"

using namespace reprise;

namespace {

void check_place(const MarkdownDocument& document, TextSpan place) {
  check(place.begin <= place.end && place.end <= document.bytes().size());
}

void check_table(const MarkdownDocument& document, const MarkdownSection& section, std::size_t at,
                 const std::string& value) {
  const MarkdownTable table = document.tables(section)[at];
  const std::size_t place = static_cast<std::size_t>(&section - document.sections().data());
  const auto reread = [&](const std::vector<TextEdit>& edits) {
    const MarkdownDocument after(apply_edits(document.bytes(), edits));
    check(after.sections().size() == document.sections().size());
    return after.tables(after.sections()[place]).at(at);
  };
  const MarkdownTable longer =
      reread({append_row(document, table, std::vector<std::string>(table.header.cells.size(), value))});
  check(longer.rows.size() == table.rows.size() + 1);
  check(longer.rows.back().cells.at(0) == value);
  if (table.rows.empty()) return;
  const std::size_t last = table.header.cells.size() - 1;
  const MarkdownTable set = reread({set_cell(document, table.rows[0], last, value)});
  check(last < set.rows.at(0).cells.size() ? set.rows[0].cells[last] == value : value.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = as_text(data, size);
  const std::size_t first = std::min(input.find('\n'), input.size());
  const std::string value = on_one_line(input.substr(0, first));
  const MarkdownDocument document(std::string(input.substr(std::min(first + 1, input.size()))));
  check(apply_edits(document.bytes(), {}) == document.bytes());
  for (const MarkdownSection& section : document.sections()) {
    check(section.first <= section.own_end && section.own_end <= section.end);
    check(section.end <= document.blocks().size());
    check_place(document, document.body(section));
    for (const MarkdownField& field : document.fields(section)) {
      check_place(document, field.place);
      (void)apply_edits(document.bytes(), {set_field(document, field, value)});
      (void)apply_edits(document.bytes(), {add_field(document, field, "key", value)});
    }
    for (const MarkdownBlock& box : document.boxes(section)) check(box.box.size() == 1);
    const std::size_t tables = std::min<std::size_t>(document.tables(section).size(), 3);
    for (std::size_t i = 0; i < tables; ++i) check_table(document, section, i, value);
    (void)apply_edits(document.bytes(), {append_to_section(document, section, "text")});
  }
  const std::string longer = apply_edits(document.bytes(), {append_section(document, 2, "Ours", "text")});
  check(MarkdownDocument(longer).find_section("ours") != nullptr);
  check(unified_diff(document.bytes(), longer, {"a", "b"}) != "");
  return 0;
}
