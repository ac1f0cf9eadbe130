#include "formats/playbook.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/chars.h"
#include "base/strings.h"
#include "formats/playbook_words.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "text/markdown_row.h"

namespace reprise {
namespace {

ClaimedDigest to_claim(const ReadDigest& digest) {
  switch (digest.form) {
    case DigestForm::Complete: return {ClaimedHash::Complete, digest.digits};
    case DigestForm::Abbreviated: return {ClaimedHash::Abbreviated, digest.digits};
    case DigestForm::WrongLength: return {ClaimedHash::WrongLength, digest.digits};
  }
  return {};
}

// Whether a word in prose is a file's name, and not a version, a time or a count: "v1.2", "3/3".
bool is_file_name(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  const std::string_view ending = dot == std::string_view::npos ? "" : word.substr(dot + 1);
  const bool has_ending = !ending.empty() && is_letter(ending[0]);
  const bool has_folder = word.find('/') != std::string_view::npos && std::ranges::any_of(word, is_letter);
  return (has_ending || has_folder) && !read_time(word) && !read_digest(word);
}

// Reads one document, section by section, and remembers which blocks were understood.
class PlaybookReader {
 public:
  PlaybookReader(const PlaybookDocument& document, const std::vector<MarkdownField>& header)
      : document_(document), blocks_(document.text().blocks()), fields_(header), seen_(blocks_.size(), false) {}

  PlaybookClaims read() {
    for (const PlaybookDocument::Part& part : document_.parts()) {
      if (part.section->first > 0) seen_[part.section->first - 1] = true;
      note_repeated(part);
      read_part(part);
    }
    read_header();
    list_the_rest();
    return std::move(claims_);
  }

  PlaybookClaims read_standing() {
    for (const MarkdownField& field : fields_) {
      std::string name = header_key(field.key);
      const std::string_view key = name;
      if (key != "status" && key != "stage_status" && key != "current_stage" && key != "last_updated_at") continue;
      ClaimedField claim{.key = std::move(name), .value = value_of(field), .line = field.line};
      take_statuses(claim);
      take_value(claim);
      claims_.header.push_back(std::move(claim));
    }
    take_stage_status_instead();
    if (claims_.status == PlaybookStatus::WaitingForHuman) {
      for (const PlaybookDocument::Part& part : document_.parts()) {
        if (part.role == PlaybookSection::Stages || part.role == PlaybookSection::Checkpoints) read_part(part);
      }
    }
    claims_.oddities.clear();
    claims_.unfilled.clear();
    return std::move(claims_);
  }

 private:
  void odd(int line, std::string_view text, std::string why) {
    add_oddity(claims_.oddities, line, text, std::move(why));
  }
  void unfilled(int line, std::string_view text) {
    add_oddity(claims_.unfilled, line, text, "left as the template has it");
  }

  // Marks the blocks that begin in the span.
  void understood(std::size_t begin, std::size_t end) {
    auto block = std::ranges::lower_bound(blocks_, begin, {}, &MarkdownBlock::end);
    if (block != blocks_.end() && block->end == begin) ++block;
    auto index = static_cast<std::size_t>(block - blocks_.begin());
    for (; index < blocks_.size() && blocks_[index].begin < end; ++index) seen_[index] = true;
  }
  void understood(const MarkdownField& field) {
    const std::size_t begin = field.form == FieldForm::Row ? field.row->span.begin : field.prefix.begin;
    understood(begin, std::max(field.end, begin + 1));
  }
  void understood(const MarkdownTableView& table) {
    understood(table.header.span.begin, table.header.span.begin + 1);
  }

  void note_repeated(const PlaybookDocument::Part& part) {
    if (part.role == PlaybookSection::Other || part.role == PlaybookSection::Header) return;
    if (!roles_.insert(part.role).second) {
      odd(part.section->line, part.section->heading, "a second section of this kind; both were read");
    }
  }

  void read_part(const PlaybookDocument::Part& part) {
    switch (part.role) {
      case PlaybookSection::Header: break;  // read as a whole, since it may be in two places
      case PlaybookSection::Stages: read_stages(*part.section); break;
      case PlaybookSection::Detail: read_detail(*part.section); break;
      case PlaybookSection::Iterations:
        read_tables(*part.section, PlaybookColumn::Stage, &PlaybookReader::add_iterations);
        break;
      case PlaybookSection::Clusters:
        read_tables(*part.section, PlaybookColumn::Cluster, &PlaybookReader::add_cluster);
        break;
      case PlaybookSection::Checkpoints: read_checkpoints(*part.section); break;
      case PlaybookSection::Notes: read_notes(*part.section); break;
      case PlaybookSection::Other: read_other(*part.section); break;
    }
  }

  // The value of a field; a nested list is given as one line.
  static std::string value_of(const MarkdownField& field) {
    if (field.nested.empty()) return field.value;
    return field.value.empty() ? join(field.nested, ", ") : field.value + ", " + join(field.nested, ", ");
  }

  void read_header() {
    for (const MarkdownField& field : fields_) {
      understood(field);
      ClaimedField claim{.key = header_key(field.key), .value = value_of(field), .line = field.line};
      if (is_unfilled(claim.value)) unfilled(claim.line, claim.value);
      if (!is_known_header_key(claim.key)) odd(claim.line, field.key, "an unknown field");
      take_statuses(claim);
      note_duplicate(claim);
      take_value(claim);
      claims_.header.push_back(std::move(claim));
    }
    take_stage_status_instead();
  }

  void take_statuses(const ClaimedField& claim) {
    const std::string_view key = claim.key;
    if (key == "stage_status") stage_status_ = read_status(claim.value);
    if (key == "status") take_status(claim);
  }

  void note_duplicate(const ClaimedField& claim) {
    const auto [earlier, is_new] = header_.try_emplace(claim.key, claim);
    if (is_new || earlier->second.value == claim.value) return;
    odd(claim.line, claim.key,
        "given before, in line " + std::to_string(earlier->second.line) + ", with another value");
  }

  void take_status(const ClaimedField& claim) {
    const PlaybookStatus before = claims_.status;
    claims_.status = read_status(claim.value);
    const bool is_known = claims_.status != PlaybookStatus::Unknown;
    claims_.status_remark = is_known ? trim(claim.value.substr(written_length(claim.value))) : "";
    if (!is_known && !is_unfilled(claim.value)) odd(claim.line, claim.value, "not one of the status words");
    // Two statements about the whole run that differ: neither is believed.
    if (before != PlaybookStatus::Missing && before != claims_.status) claims_.status = PlaybookStatus::Unknown;
  }

  // How much of a value its leading words take up, marks included.
  static std::size_t written_length(std::string_view value) {
    const std::string words = leading_words(value);
    const std::size_t at = value.find(words);
    if (words.empty() || at == std::string_view::npos) return value.size();
    return std::min(value.find_first_not_of("*`", at + words.size()), value.size());
  }

  // The status of a stage says that the run goes on, but not that it has ended.
  void take_stage_status_instead() {
    if (claims_.status != PlaybookStatus::Missing || !stage_status_) return;
    const PlaybookStatus status = *stage_status_;
    const bool goes_on = status == PlaybookStatus::InProgress || status == PlaybookStatus::WaitingForHuman;
    claims_.status = goes_on ? status : PlaybookStatus::Unknown;
    odd(claims_.find_field("stage_status")->line, "stage_status",
        "there is no status of the run, only one of the stage");
  }

  void take_value(const ClaimedField& claim) {
    const std::string_view key = claim.key;
    if (key == "current_stage") take_stage(claim);
    if (key == "completed_stages") take_stage_list(claim);
    if (key == "spec_hash") claims_.spec_hash = take_hash(claim.value, claim.line);
    if (key == "started_at") claims_.started_at = take_time(claim.value, claim.line);
    if (key == "last_updated_at") claims_.last_updated_at = take_time(claim.value, claim.line);
  }

  void take_stage(const ClaimedField& claim) {
    claims_.current_stage.clear();
    if (is_unfilled(claim.value) || is_nothing(claim.value)) return;
    claims_.current_stage = stage_name(claim.value);
    if (!is_known_stage(claims_.current_stage)) odd(claim.line, claim.value, "an unknown stage");
  }

  ClaimedDigest take_hash(std::string_view text, int line) {
    if (is_nothing_yet(text) || is_unfilled(text)) return {};
    const std::optional<ReadDigest> digest = read_digest(text);
    if (!digest) {
      odd(line, text, "not a SHA-256 digest");
      return {ClaimedHash::Unreadable, ""};
    }
    if (digest->form == DigestForm::WrongLength) {
      odd(line, text,
          "has " + std::to_string(digest->digits.size()) + " hexadecimal digits, a SHA-256 digest has 64");
    }
    return to_claim(*digest);
  }

  std::optional<ClaimedTime> take_time(std::string_view text, int line) {
    if (is_nothing_yet(text) || is_unfilled(text)) return std::nullopt;
    const std::optional<ReadTime> time = read_time(text);
    if (time) return ClaimedTime{.time = time->time, .whole_day = time->whole_day};
    odd(line, text, "not a point in time");
    return std::nullopt;
  }

  std::optional<long long> take_number(std::string_view text, int line) {
    if (is_nothing(text) || is_unfilled(text)) return std::nullopt;
    const std::optional<Fraction> number = read_fraction(text);
    if (!number) {
      odd(line, text, "not a number");
      return std::nullopt;
    }
    return number->number;
  }

  using AddRow = void (PlaybookReader::*)(const PlaybookColumns&, const MarkdownRow&);

  // Reads the rows of the tables that have the column; a table without it is left among the rest.
  void read_tables(const MarkdownSection& section, PlaybookColumn column, AddRow add) {
    document_.text().for_each_table(section, [&](const MarkdownTableView& table) {
      const PlaybookColumns columns(table.header);
      if (!columns.has(column)) return;
      understood(table);
      for (const MarkdownRow& row : table.rows) {
        note_length(table, row);
        const std::string& name = columns.cell(row, column);
        if (has_gap(columns, row)) unfilled(row.line, join(row.cells, " | "));
        if (!is_nothing(name) && !is_unfilled(name)) (this->*add)(columns, row);
      }
    });
    read_rows_behind_gaps(section, column, add);
  }

  // Rows below a blank line are no part of the table to Markdown, but they are to whoever added them.
  void read_rows_behind_gaps(const MarkdownSection& section, PlaybookColumn column, AddRow add) {
    std::optional<PlaybookColumns> columns;
    const std::string_view bytes = document_.text().bytes();
    for (std::size_t i = section.first; i < section.own_end; ++i) {
      const MarkdownBlock& block = blocks_[i];
      if (block.kind == MarkdownKind::Blank) continue;
      const std::size_t begin = std::max(block.begin, text_start(bytes));
      const std::string_view line = trim(bytes.substr(begin, block.end - begin));
      if (block.kind == MarkdownKind::Table) {
        columns.emplace(block.header);
      } else if (block.kind != MarkdownKind::Paragraph || !line.starts_with('|') || !columns) {
        columns.reset();
      } else if (columns->has(column)) {
        const auto at = static_cast<std::size_t>(line.data() - bytes.data());
        const MarkdownRow row = split_row(bytes, {at, at + line.size()}, block.line);
        understood(block.begin, block.end);
        const std::string& name = columns->cell(row, column);
        if (!is_nothing(name) && !is_unfilled(name)) (this->*add)(*columns, row);
      }
    }
  }

  // Prose may look like a template; what is read as a value may not.
  static bool has_gap(const PlaybookColumns& columns, const MarkdownRow& row) {
    static constexpr std::array kValues = {
        PlaybookColumn::Stage,  PlaybookColumn::CompletedAt, PlaybookColumn::Artifact,
        PlaybookColumn::Hash,   PlaybookColumn::Status,      PlaybookColumn::Cycles,
        PlaybookColumn::Budget, PlaybookColumn::FirstSeen,   PlaybookColumn::Retries};
    return std::ranges::any_of(kValues,
                               [&](PlaybookColumn column) { return is_unfilled(columns.cell(row, column)); });
  }

  void note_length(const MarkdownTableView& table, const MarkdownRow& row) {
    if (row.cells.size() <= table.header.cells.size()) return;
    odd(row.line, join(row.cells, " | "), "more cells than the table has columns");
  }

  void read_stages(const MarkdownSection& section) {
    read_tables(section, PlaybookColumn::Stage, &PlaybookReader::add_stage);
    ClaimedStage* above = nullptr;  // the stage of the item above
    for (std::size_t i = section.first; i < section.own_end; ++i) {
      const MarkdownBlock& block = blocks_[i];
      if (block.kind == MarkdownKind::ListItem) above = add_item(block, above);
    }
  }

  // An item of a list of stages. What is no stage may name the files of the one above it.
  ClaimedStage* add_item(const MarkdownBlock& block, ClaimedStage* above) {
    const std::optional<StageItem> item = read_stage_item(block.text);
    const std::string name = stage_name(block.text);
    if (!item && !block.checked && !is_checkpoint_name(name)) {
      const bool is_nested =
          above != nullptr && block.begin < block.end && is_blank(document_.text().bytes()[block.begin]);
      std::vector<std::string> paths;
      if (is_nested) paths = read_paths(block.text.substr(block.text.find(':') + 1));
      if (!paths.empty()) understood(block.begin, block.end);
      if (!paths.empty()) std::ranges::move(paths, std::back_inserter(above->artifacts));
      return above;
    }
    understood(block.begin, block.end);
    const bool is_ticked = block.checked.value_or(true);
    ClaimedStage stage{.stage = name, .written = block.text, .line = block.line};
    if (item) stage = stage_of(*item, block.line);
    add_stage(std::move(stage),
              is_ticked && (!item || item->completed) ? StageStanding::Completed : StageStanding::NotCompleted);
    return item && is_ticked && item->completed ? &claims_.completed.back() : nullptr;
  }

  // Behind the name stand, in any order, files, a time and a digest.
  static ClaimedStage stage_of(const StageItem& item, int line) {
    ClaimedStage stage{.stage = item.stage, .written = item.written, .line = line};
    stage.artifacts = read_paths(item.rest);
    std::erase_if(stage.artifacts, [](const std::string& path) { return !is_file_name(path); });
    for (const std::string_view part : split(item.rest, ',')) {
      const std::string_view text = trim(part);
      const std::optional<ReadTime> time = read_time(text);
      if (time && !stage.completed_at) stage.completed_at = ClaimedTime{time->time, time->whole_day};
      const std::size_t digest = text.find("sha256:");
      if (digest == std::string_view::npos) continue;
      if (const std::optional<ReadDigest> read = read_digest(text.substr(digest))) stage.hash = to_claim(*read);
    }
    return stage;
  }

  // "completed_stages: spec, clarify" in the header.
  void take_stage_list(const ClaimedField& claim) {
    std::string list = claim.value;
    std::erase_if(list, [](char c) { return c == '[' || c == ']' || c == '"' || c == '\''; });
    for (const std::string& name : read_list(list)) {
      if (const std::optional<StageItem> item = read_stage_item(name))
        add_stage(stage_of(*item, claim.line),
                  item->completed ? StageStanding::Completed : StageStanding::NotCompleted);
    }
  }

  void add_stage(const PlaybookColumns& columns, const MarkdownRow& row) {
    const std::string written = plain_value(columns.cell(row, PlaybookColumn::Stage));
    ClaimedStage stage{.stage = stage_name(written), .written = written, .line = row.line};
    stage.status = columns.cell(row, PlaybookColumn::Status);
    const bool has_status = columns.has(PlaybookColumn::Status);
    const StageStanding standing = has_status ? stage_standing(stage.status) : StageStanding::Completed;
    stage.completed_at = take_time(columns.cell(row, PlaybookColumn::CompletedAt), row.line);
    stage.hash = take_hash(columns.cell(row, PlaybookColumn::Hash), row.line);
    const std::string& artifact = columns.cell(row, PlaybookColumn::Artifact);
    stage.artifacts = read_paths(artifact);
    if (stage.artifacts.empty() && !is_nothing_yet(artifact) && !is_unfilled(artifact))
      odd(row.line, artifact, "names no file");
    add_stage(std::move(stage), standing);
  }

  void add_stage(ClaimedStage stage, StageStanding standing) {
    const bool completed = standing == StageStanding::Completed;
    if (standing == StageStanding::Unknown) odd(stage.line, stage.status, "not a word for the status of a stage");
    if (is_checkpoint_name(stage.stage)) {
      add_checkpoint(stage.written, completed, stage.line);
      return;
    }
    if (!is_known_stage(stage.stage)) odd(stage.line, stage.written, "an unknown stage");
    (completed ? claims_.completed : claims_.not_completed).push_back(std::move(stage));
  }

  void read_detail(const MarkdownSection& section) {
    for (const MarkdownField& field : document_.text().fields(section)) {
      understood(field);
      const std::string key = normal_key(field.key);
      const std::string value = value_of(field);
      if (is_unfilled(value)) unfilled(field.line, value);
      const bool usable = !is_unfilled(value) && !is_nothing(value);
      if (key == "stage" && usable) claims_.detail.stage = stage_name(value);
      if (key == "job_status" && usable) claims_.detail.job_status = leading_token(value);
      if (key == "retry_count") claims_.detail.retry_count = take_number(value, field.line);
      claims_.detail.fields.push_back({.key = key, .value = value, .line = field.line});
    }
  }

  void add_iterations(const PlaybookColumns& columns, const MarkdownRow& row) {
    claims_.iterations.push_back({.stage = stage_name(columns.cell(row, PlaybookColumn::Stage)),
                                  .cycles = take_number(columns.cell(row, PlaybookColumn::Cycles), row.line),
                                  .budget = take_number(columns.cell(row, PlaybookColumn::Budget), row.line),
                                  .status = columns.cell(row, PlaybookColumn::Status),
                                  .line = row.line});
  }

  void add_cluster(const PlaybookColumns& columns, const MarkdownRow& row) {
    claims_.clusters.push_back({.cluster = plain_value(columns.cell(row, PlaybookColumn::Cluster)),
                                .first_seen = take_time(columns.cell(row, PlaybookColumn::FirstSeen), row.line),
                                .retries = take_number(columns.cell(row, PlaybookColumn::Retries), row.line),
                                .stage = stage_name(columns.cell(row, PlaybookColumn::Stage)),
                                .notes = columns.cell(row, PlaybookColumn::Notes),
                                .line = row.line});
  }

  void read_checkpoints(const MarkdownSection& section) {
    read_tables(section, PlaybookColumn::Stage, &PlaybookReader::add_checkpoint_row);
    for (std::size_t i = section.first; i < section.own_end; ++i) {
      const MarkdownBlock& block = blocks_[i];
      if (block.kind != MarkdownKind::ListItem) continue;
      if (block.checked) add_checkpoint(block.text, *block.checked, block.line);
      if (!block.checked && !add_unboxed(block)) continue;
      understood(block.begin, block.end);
    }
  }

  // "Spec approval: approved by Ana", "✅ Spec approval".
  bool add_unboxed(const MarkdownBlock& block) {
    const std::size_t colon = block.text.find(':');
    const std::string name = colon == std::string::npos ? block.text : block.text.substr(0, colon);
    if (checkpoint_of(name).empty()) return false;
    const std::string_view text = trim(block.text);
    const std::string_view behind = colon == std::string::npos ? "" : text.substr(text.find(':') + 1);
    const bool is_marked =
        text.starts_with("✅") || text.starts_with("✔") || text.starts_with("✓") || text.starts_with("☑");
    const std::string token = leading_token(behind);
    const bool is_said = stage_standing(behind) == StageStanding::Completed ||
                         stage_standing(token.substr(0, token.find('_'))) == StageStanding::Completed;
    if (!is_marked && stage_standing(behind) == StageStanding::Unknown && !is_said) return false;
    add_checkpoint(name, is_marked || is_said, block.line);
    return true;
  }

  void add_checkpoint_row(const PlaybookColumns& columns, const MarkdownRow& row) {
    const std::string& status = columns.cell(row, PlaybookColumn::Status);
    const std::string token = leading_token(status);
    const bool is_box = trim(status) == "[x]" || trim(status) == "[X]" || token == "yes" || token == "x";
    add_checkpoint(columns.cell(row, PlaybookColumn::Stage),
                   is_box || (!status.empty() && stage_standing(status) == StageStanding::Completed), row.line);
  }

  // A checkpoint is known by its first words; what follows them is a remark.
  void add_checkpoint(const std::string& text, bool ticked, int line) {
    std::string name(checkpoint_of(text));
    if (name.empty()) name = leading_words(text);
    const bool is_refused = ticked && says_refused(text);
    if (is_refused)
      odd(line, text, "is ticked, but its words say that it was not approved; it is asked for again");
    claims_.checkpoints.push_back(
        {.name = name.empty() ? text : name, .ticked = ticked && !is_refused, .line = line});
  }

  void read_notes(const MarkdownSection& section) {
    const std::size_t begin =
        section.first < blocks_.size() ? blocks_[section.first].begin : document_.text().bytes().size();
    const std::size_t end = section.end == 0 ? begin : std::max(begin, blocks_[section.end - 1].end);
    understood(begin, end);
    if (!claims_.notes.empty()) claims_.notes += "\n\n";
    claims_.notes += trim(text_of(document_.text().bytes(), {begin, end}));
  }

  void read_other(const MarkdownSection& section) {
    odd(section.line, section.heading, "an unknown section; it is kept as it is");
    for (std::size_t i = section.first; i < section.end; ++i) seen_[i] = true;
  }

  void list_the_rest() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const MarkdownBlock& block = blocks_[i];
      if (seen_[i] || block.kind == MarkdownKind::Blank || block.kind == MarkdownKind::Comment) continue;
      const std::string_view text = trim(text_of(document_.text().bytes(), {block.begin, block.end}));
      odd(block.line, text.substr(0, text.find_first_of("\r\n")), "was not understood; it is kept as it is");
    }
  }

  const PlaybookDocument& document_;
  const std::vector<MarkdownBlock>& blocks_;
  const std::vector<MarkdownField>& fields_;  // of the header
  std::vector<bool> seen_;
  std::set<PlaybookSection> roles_;
  std::map<std::string, ClaimedField> header_;
  std::optional<PlaybookStatus> stage_status_;
  PlaybookClaims claims_;
};

Error foreign_playbook(std::string_view file) {
  return {.kind = ErrorKind::Invalid,
          .message =
              "is not a playbook's state file: it has no title \"Pipeline State\" with a field spec_hash or "
              "current_stage below it, and without the title not two of status, current_stage and spec_hash",
          .file = std::string(file)};
}

Result<PlaybookClaims> read_with(PlaybookClaims (PlaybookReader::*read)(), std::string_view bytes,
                                 std::string_view file) {
  if (std::optional<Error> damage = find_damage(bytes, file)) return fail(std::move(*damage));
  const PlaybookDocument document{std::string(bytes)};
  const std::vector<MarkdownField> header = document.header_fields();
  if (!is_playbook_header(header, document.has_title())) {
    std::optional<Error> cut = find_cut_in_title(bytes, "# Pipeline State", is_playbook_title, file);
    return fail(cut ? std::move(*cut) : foreign_playbook(file));
  }
  return (PlaybookReader(document, header).*read)();
}

}  // namespace

bool is_playbook(std::string_view bytes) {
  if (find_damage(bytes, "")) return false;
  const PlaybookDocument document{std::string(bytes)};
  return is_playbook_header(document.header_fields(), document.has_title());
}

bool is_cut_off_early(std::string_view bytes) {
  const std::vector<std::string_view> lines = split(bytes, '\n');
  if (lines.back().empty() || to_lower(trim(lines.front())) != "# pipeline state") return false;
  return std::all_of(lines.begin() + 1, lines.end(),
                     [](std::string_view line) { return trim(line).empty() || trim(line).starts_with("-"); });
}

int cut_off_line(std::string_view bytes) {
  const std::string_view last = bytes.substr(bytes.rfind('\n') + 1);
  const bool is_row = trim(last).starts_with("|");
  if (!is_row || (trim(last).size() > 1 && trim(last).ends_with("|"))) return 0;
  return static_cast<int>(std::ranges::count(bytes, '\n')) + 1;
}

Result<PlaybookClaims> read_playbook(std::string_view bytes, std::string_view file) {
  return read_with(&PlaybookReader::read, bytes, file);
}

Result<PlaybookClaims> read_playbook_standing(std::string_view bytes, std::string_view file) {
  return read_with(&PlaybookReader::read_standing, bytes, file);
}

}  // namespace reprise
