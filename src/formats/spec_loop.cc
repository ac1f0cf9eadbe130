#include "formats/spec_loop.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/strings.h"
#include "formats/spec_loop_checks.h"
#include "formats/spec_loop_links.h"
#include "formats/spec_loop_words.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "model/limits.h"

namespace reprise {
namespace {

// A few bytes can stand for a thousand ids.
constexpr std::size_t kIdCellBytesMax = 2'000;
constexpr std::size_t kLinksMax = 100'000;

std::string with_line_ends(std::string text) {
  for (std::size_t at = text.find("<br>"); at != std::string::npos; at = text.find("<br>", at)) {
    text.replace(at, 4, "\n");
  }
  return text;
}

// "answered — 15 minutes": what stands behind the status word.
std::string remark_behind(std::string_view value) {
  const std::string words = leading_words(value);
  const std::size_t at = value.find(words);
  if (words.empty() || at == std::string_view::npos) return "";
  std::string_view rest = trim(value.substr(at + words.size()));
  for (const std::string_view mark : {"—", "–", "-", ":"}) {
    if (rest.starts_with(mark)) return std::string(trim(rest.substr(mark.size())));
  }
  return "";
}

// Reads one document, section by section.
class SpecLoopReader {
 public:
  enum class Depth { Whole, Standing };

  SpecLoopReader(const SpecLoopDocument& document, Depth depth)
      : document_(document),
        depth_(depth),
        has_user_answers_(document.find(LoopSection::UserAnswers) != nullptr) {}

  SpecLoopClaims read() {
    claims_.status_line = std::max(document_.title().line, 1);
    claims_.feature = document_.feature();
    for (const SpecLoopDocument::Part& part : document_.parts()) read_part(part);
    read_fields();
    link_questions(claims_);
    claims_.faults = integrity_faults(claims_);
    if (!is_whole()) {
      for (ClaimedQuestion& question : claims_.questions) question.question.clear();
    }
    return std::move(claims_);
  }

 private:
  using Row = const MarkdownRow&;

  bool is_whole() const { return depth_ == Depth::Whole; }

  void odd(int line, std::string_view text, std::string why) {
    if (is_whole()) add_oddity(claims_.oddities, line, text, std::move(why));
  }
  void unfilled(int line, std::string_view text) {
    if (is_whole()) add_oddity(claims_.unfilled, line, text, "left as the template has it");
  }

  void read_part(const SpecLoopDocument::Part& part) {
    switch (part.role) {
      case LoopSection::Title:
      case LoopSection::Metadata:
      case LoopSection::Kept: return;  // fields are read as a whole, since they may be in several places
      case LoopSection::LoopState: claims_.status_line = part.section->line; return;
      case LoopSection::Other:
        odd(part.section->line, part.section->heading, "an unknown section; it is kept as it is");
        return;
      case LoopSection::Documents: return is_whole() ? read_tables(part, &SpecLoopReader::add_document) : void();
      case LoopSection::Workflow: return is_whole() ? read_workflow(part) : void();
      case LoopSection::Gaps: return read_tables(part, &SpecLoopReader::add_gap);
      case LoopSection::Questions: return read_tables(part, &SpecLoopReader::add_question);
      case LoopSection::History: return read_tables(part, &SpecLoopReader::add_resolution);
      case LoopSection::Answers: return read_tables(part, &SpecLoopReader::add_answer);
      case LoopSection::UserAnswers: return read_user_answers(part);
    }
  }

  using AddRow = void (SpecLoopReader::*)(const LoopColumns&, Row);

  void read_tables(const SpecLoopDocument::Part& part, AddRow add) {
    document_.text().for_each_table(*part.section, [&](const MarkdownTableView& table) {
      const LoopColumns columns(table.header, part.role);
      if (!columns.has(LoopColumn::Id)) {
        odd(table.header.line, join(table.header.cells, " | "), "a table without a column for what it is about");
        return;
      }
      claims_.links_questions = claims_.links_questions || columns.has(LoopColumn::Gaps) ||
                                (part.role == LoopSection::Gaps && columns.has(LoopColumn::Question));
      for (const MarkdownRow& row : table.rows) read_row(columns, table, row, add);
    });
  }

  void read_row(const LoopColumns& columns, const MarkdownTableView& table, Row row, AddRow add) {
    if (is_whole()) note_row(table, row);
    if (is_unfilled(columns.cell(row, LoopColumn::Id))) return;
    if (!columns.id(row).empty()) return (this->*add)(columns, row);
    if (is_whole() && !std::ranges::all_of(row.cells, is_nothing))
      odd(row.line, join(row.cells, " | "), "a row that does not say what it is about");
  }

  void note_row(const MarkdownTableView& table, Row row) {
    if (row.cells.size() > table.header.cells.size()) {
      odd(row.line, join(row.cells, " | "), "has more cells than the table has columns");
    }
    if (std::ranges::any_of(row.cells,
                            [](const std::string& cell) { return cell.find("{{") != std::string::npos; }))
      unfilled(row.line, join(row.cells, " | "));
  }

  void read_workflow(const SpecLoopDocument::Part& part) {
    for (const MarkdownField& field : document_.text().fields(*part.section)) {
      if (normal_key(field.key) != "current_phase" || is_unfilled(field.value)) continue;
      claims_.workflows.push_back({.workflow = "", .status = leading_token(field.value), .line = field.line});
    }
    document_.text().for_each_table(*part.section, [&](const MarkdownTableView& table) {
      const LoopColumns columns(table.header, part.role);
      if (!columns.has(LoopColumn::Id)) return;
      for (const MarkdownRow& row : table.rows) read_row(columns, table, row, &SpecLoopReader::add_workflow);
    });
  }

  void add_workflow(const LoopColumns& columns, Row row) {
    claims_.workflows.push_back({.workflow = columns.id(row),
                                 .status = leading_token(columns.cell(row, LoopColumn::Status)),
                                 .line = row.line});
  }

  void add_document(const LoopColumns& columns, Row row) {
    claims_.documents.push_back({.document = columns.id(row),
                                 .status = leading_token(columns.cell(row, LoopColumn::Status)),
                                 .path = plain_value(columns.cell(row, LoopColumn::Path)),
                                 .line = row.line});
  }

  void add_gap(const LoopColumns& columns, Row row) {
    ClaimedGap gap{.id = columns.id(row), .line = row.line};
    const std::string& priority = columns.cell(row, LoopColumn::Priority);
    gap.priority = read_gap_priority(priority);
    gap.written = columns.cell(row, LoopColumn::Status);
    gap.status = read_gap_status(gap.written);
    if (is_whole()) gap.text = columns.cell(row, LoopColumn::Text);
    gap.resolution = columns.cell(row, LoopColumn::Resolution);
    if (gap.priority == GapPriority::Unknown && columns.has(LoopColumn::Priority))
      odd(row.line, priority, "not a priority: Critical, Important or Minor");
    if (gap.status == GapStatus::Unknown)
      odd(row.line, gap.written, "not a gap's status: pending, clarifying, resolved, deferred or known_gap");
    if (!gap_ids_.insert(gap.id).second) odd(row.line, gap.id, "this gap is listed before");
    gap.questions = take_ids(columns.cell(row, LoopColumn::Question), row.line);
    claims_.gaps.push_back(std::move(gap));
  }

  std::vector<std::string> take_ids(const std::string& cell, int line) {
    if (cell.size() > kIdCellBytesMax || links_ > kLinksMax) {
      odd(line, cell.substr(0, 80), "names too many ids; they were not read");
      return {};
    }
    std::vector<std::string> ids = read_ids(cell);
    links_ += ids.size();
    return ids;
  }

  void add_question(const LoopColumns& columns, Row row) {
    ClaimedQuestion question{.id = columns.id(row), .line = row.line};
    if (is_whole() || has_user_answers_) question.question = columns.cell(row, LoopColumn::Text);
    question.gaps = take_ids(columns.cell(row, LoopColumn::Gaps), row.line);
    question.written = columns.cell(row, LoopColumn::Status);
    question.status = read_question_status(question.written);
    if (is_whole()) question.options = columns.cell(row, LoopColumn::Options);
    const std::string& answer = columns.cell(row, LoopColumn::Answer);
    if (!is_nothing(answer)) question.answer = with_line_ends(answer);
    const bool is_answered =
        question.status == QuestionStatus::Answered || question.status == QuestionStatus::Applied;
    if (is_answered && !columns.has(LoopColumn::Answer))
      question.answer = with_line_ends(remark_behind(question.written));
    if (question.status == QuestionStatus::Unknown && is_nothing(question.written)) {
      question.status = question.answer.empty() ? QuestionStatus::Open : QuestionStatus::Answered;
    } else if (question.status == QuestionStatus::Unknown) {
      odd(row.line, question.written,
          "not a question's status: awaiting_answer, pending, answered, applied or deferred");
    }
    claims_.questions.push_back(std::move(question));
  }

  void add_resolution(const LoopColumns& columns, Row row) {
    ClaimedResolution resolution{.gap = columns.id(row), .line = row.line};
    const std::string& iteration = columns.cell(row, LoopColumn::Iteration);
    if (const std::optional<Fraction> number = read_fraction(iteration)) {
      resolution.iteration = number->number;
    } else if (!is_nothing(iteration)) {
      odd(row.line, iteration, "not a number");
    }
    resolution.words = join(row.cells, " | ");
    claims_.history.push_back(std::move(resolution));
  }

  void add_answer(const LoopColumns& columns, Row row) {
    ClaimedAnswer answer{.question = columns.id(row), .line = row.line};
    answer.answer = with_line_ends(columns.cell(row, LoopColumn::Answer));
    const std::string applied = leading_token(columns.cell(row, LoopColumn::Applied));
    answer.recorded = applied == "yes" || applied == "true";
    if (!*answer.recorded && applied != "no" && applied != "false")
      odd(row.line, columns.cell(row, LoopColumn::Applied), "neither yes nor no; it is taken as no");
    answer.at = take_time(columns.cell(row, LoopColumn::At), row.line);
    claims_.answers.push_back(std::move(answer));
  }

  // Another tool's section: a table, or a list "C2.1: 30 minutes". Only an answer is one that says something.
  void read_user_answers(const SpecLoopDocument::Part& part) {
    read_tables(part, &SpecLoopReader::add_user_answer);
    for (const MarkdownField& field : document_.text().fields_outside_tables(*part.section)) {
      std::string answer = field.value;
      for (const std::string& item : field.nested) {
        const std::size_t colon = item.find(':');
        if (colon != std::string::npos && leading_token(item.substr(0, colon)) == "answer")
          answer = trim(item.substr(colon + 1));
      }
      if (is_nothing(answer) || is_unfilled(answer)) continue;
      claims_.answers.push_back({.question = plain_value(field.key), .answer = answer, .line = field.line});
    }
  }

  void add_user_answer(const LoopColumns& columns, Row row) {
    const std::string& answer = columns.cell(row, LoopColumn::Answer);
    if (is_nothing(answer) || is_unfilled(answer)) return;
    if (columns.has(LoopColumn::Applied)) return add_answer(columns, row);
    claims_.answers.push_back({.question = columns.id(row),
                               .answer = with_line_ends(answer),
                               .at = take_time(columns.cell(row, LoopColumn::At), row.line),
                               .line = row.line});
  }

  void read_fields() {
    for (const SpecLoopDocument::Field& each : document_.fields()) {
      ClaimedField claim{.key = each.key, .value = each.field.value, .line = each.field.line};
      if (is_whole()) note_field(claim);
      if (each.is_loop) {
        take_loop_field(claim, each.field.key);
        claims_.loop.push_back(std::move(claim));
      } else {
        take_metadata(claim, each.field.key);
        claims_.metadata.push_back(std::move(claim));
      }
    }
  }

  // A description may list alternatives of its own.
  static bool is_left_open(const ClaimedField& claim) {
    if (claim.key == "original_description" || claim.key == "name")
      return claim.value.find("{{") != std::string::npos;
    return is_unfilled(claim.value);
  }

  void note_field(const ClaimedField& claim) {
    if (is_left_open(claim)) unfilled(claim.line, claim.value);
    const auto [earlier, is_new] = fields_.try_emplace(claim.key, claim);
    if (is_new || earlier->second.value == claim.value) return;
    odd(claim.line, claim.key,
        "given before, in line " + std::to_string(earlier->second.line) + ", with another value");
  }

  void take_metadata(const ClaimedField& claim, std::string_view written) {
    const std::string_view key = claim.key;
    if (!is_known_metadata_key(key)) odd(claim.line, written, "an unknown field");
    if (key == "created" || key == "last_updated") take_time(claim.value, claim.line);
    if (is_unfilled(claim.value) || is_nothing(claim.value)) return;
    if (key == "branch") claims_.branch = plain_value(claim.value);
    if (key != "id") return;
    const std::string id = plain_value(claim.value);
    if (!claims_.feature.empty() && claims_.feature != id) odd(claim.line, id, "the title names another feature");
    claims_.feature = id;
  }

  void take_loop_field(const ClaimedField& claim, std::string_view written) {
    const std::string_view key = claim.key;
    if (key == "loop_status") return take_status(claim);
    if (key == "current_iteration") {
      claims_.iteration = take_count(claim, kLoopIterationsMax);
    } else if (key == "final_iteration") {
      if (claims_.iteration.line == 0) claims_.iteration = take_count(claim, kLoopIterationsMax);
    } else if (key == "stale_count") {
      claims_.stale = take_count(claim, kLoopStaleMax);
    } else if (key == "last_activity") {
      claims_.last_activity = take_time(claim.value, claim.line);
    } else if (key == "termination_reason") {
      claims_.termination_reason =
          is_unfilled(claim.value) || is_nothing(claim.value) ? "" : plain_value(claim.value);
    } else if (is_whole() && loop_key(key, true).empty()) {
      odd(claim.line, written, "an unknown field");
    }
  }

  void take_status(const ClaimedField& claim) {
    const LoopStatus before = claims_.status;
    claims_.status = is_nothing(claim.value) ? LoopStatus::Missing : read_loop_status(claim.value);
    claims_.status_written = claim.value;
    claims_.status_line = claim.line;
    if (claims_.status == LoopStatus::Unknown && !is_unfilled(claim.value))
      odd(claim.line, claim.value, "not one of the loop's status words");
    // Two statements about the whole loop that differ: neither is believed.
    if (has_status_ && before != claims_.status) claims_.status = LoopStatus::Unknown;
    has_status_ = true;
  }

  ClaimedCount take_count(const ClaimedField& claim, long long max) {
    ClaimedCount count{.number = {}, .out_of = {}, .written = claim.value, .line = claim.line};
    if (is_unfilled(claim.value) || is_nothing(claim.value)) return count;
    const std::optional<Fraction> fraction = read_fraction(claim.value);
    if (!fraction) {
      odd(claim.line, claim.value, "not a number");
      return count;
    }
    count.number = fraction->number;
    count.out_of = fraction->out_of;
    if (count.out_of && *count.out_of != max)
      odd(claim.line, claim.value, "the documented maximum is " + std::to_string(max));
    return count;
  }

  std::optional<ClaimedTime> take_time(std::string_view text, int line) {
    if (is_nothing_yet(text) || is_unfilled(text)) return std::nullopt;
    const std::optional<ReadTime> time = read_time(text);
    if (!time) {
      odd(line, text, "not a point in time");
      return std::nullopt;
    }
    return ClaimedTime{.time = time->time, .whole_day = time->whole_day};
  }

  const SpecLoopDocument& document_;
  Depth depth_;
  bool has_user_answers_;  // which may name a question by its words
  std::unordered_map<std::string, ClaimedField> fields_;
  std::unordered_set<std::string> gap_ids_;
  bool has_status_ = false;
  std::size_t links_ = 0;
  SpecLoopClaims claims_;
};

Error foreign_index(std::string_view file) {
  return {
      .kind = ErrorKind::Invalid,
      .message = "is not the index of a spec loop: it has no section Priority Loop State and no field Loop Status",
      .file = std::string(file)};
}

Result<SpecLoopClaims> read_to(SpecLoopReader::Depth depth, std::string_view bytes, std::string_view file) {
  if (std::optional<Error> damage = find_damage(bytes, file)) return fail(std::move(*damage));
  const SpecLoopDocument document{std::string(bytes)};
  if (!document.is_recognised()) {
    std::optional<Error> cut = find_cut_in_title(bytes, "# Feature Index", is_spec_loop_title, file);
    return fail(cut ? std::move(*cut) : foreign_index(file));
  }
  return SpecLoopReader(document, depth).read();
}

}  // namespace

bool is_spec_loop(std::string_view bytes) {
  return !find_damage(bytes, "") && SpecLoopDocument(std::string(bytes)).is_recognised();
}

Result<SpecLoopClaims> read_spec_loop(std::string_view bytes, std::string_view file) {
  return read_to(SpecLoopReader::Depth::Whole, bytes, file);
}

Result<SpecLoopClaims> read_spec_loop_standing(std::string_view bytes, std::string_view file) {
  return read_to(SpecLoopReader::Depth::Standing, bytes, file);
}

}  // namespace reprise
