#include "formats/spec_loop_words.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr std::size_t kFieldsUsual = 16;

struct LoopSectionName {
  std::string_view heading;
  LoopSection role;
};

constexpr std::array kLoopSections = {
    LoopSectionName{"feature_metadata", LoopSection::Metadata},
    LoopSectionName{"metadata", LoopSection::Metadata},
    LoopSectionName{"document_availability_matrix", LoopSection::Documents},
    LoopSectionName{"document_availability", LoopSection::Documents},
    LoopSectionName{"workflow_status", LoopSection::Workflow},
    LoopSectionName{"workflow_status_table", LoopSection::Workflow},
    LoopSectionName{"priority_loop_state", LoopSection::LoopState},
    LoopSectionName{"loop_state", LoopSection::LoopState},
    LoopSectionName{"gap_priority_queue", LoopSection::Gaps},
    LoopSectionName{"gap_queue", LoopSection::Gaps},
    LoopSectionName{"pending_questions", LoopSection::Questions},
    LoopSectionName{"unified_pending_questions", LoopSection::Questions},
    LoopSectionName{"questions", LoopSection::Questions},
    LoopSectionName{"open_questions", LoopSection::Questions},
    LoopSectionName{"gap_resolution_history", LoopSection::History},
    LoopSectionName{"received_answers", LoopSection::Answers},
    LoopSectionName{"user_answers", LoopSection::UserAnswers},
    LoopSectionName{"user_responses", LoopSection::UserAnswers},
    LoopSectionName{"answers", LoopSection::UserAnswers},
    LoopSectionName{"responses", LoopSection::UserAnswers},
};

constexpr std::array<std::string_view, 22> kKeptSections = {
    "specification_progress", "extracted_signals",          "checklist_configuration",
    "checklist_sync_state",   "traceability_matrix",        "unified_decisions_log",
    "agent_handoff_notes",    "feature_readiness",          "global_configuration",
    "global_flags",           "codebase_discovery_summary", "implementation_collision_log",
    "plan_phase_state",       "tasks_phase_state",          "plan_gap_queue",
    "tasks_gap_queue",        "plan_traceability",          "tasks_traceability",
    "cross_workflow_notes",   "workflow_dependencies",      "context_file_quick_links",
    "decisions_log"};

struct FieldName {
  std::string_view word;
  std::string_view key;
  bool only_in_section = false;  // elsewhere the word means something else
};

constexpr std::array kLoopFields = {
    FieldName{"loop_status", "loop_status"},
    FieldName{"status", "loop_status", true},
    FieldName{"current_iteration", "current_iteration"},
    FieldName{"iteration", "current_iteration", true},
    FieldName{"iteration_count", "current_iteration", true},
    FieldName{"last_activity", "last_activity"},
    FieldName{"stale_count", "stale_count"},
    FieldName{"deferred_minor_gaps", "deferred_minor_gaps"},
    FieldName{"termination_reason", "termination_reason"},
    FieldName{"pending_clarifications", "pending_clarifications"},
    FieldName{"stale_gaps", "stale_gaps", true},
    FieldName{"warning_gaps", "warning_gaps", true},
    FieldName{"known_issues", "known_issues", true},
    FieldName{"final_iteration", "final_iteration"},
};

constexpr std::array kLoopLabels = {
    FieldName{"loop_status", "Loop Status"},
    FieldName{"current_iteration", "Current Iteration"},
    FieldName{"last_activity", "Last Activity"},
    FieldName{"stale_count", "Stale Count"},
    FieldName{"deferred_minor_gaps", "Deferred Minor Gaps"},
    FieldName{"termination_reason", "Termination Reason"},
    FieldName{"pending_clarifications", "Pending Clarifications"},
    FieldName{"final_iteration", "Final Iteration"},
};

constexpr std::array kMetadataFields = {
    FieldName{"id", "id"},
    FieldName{"feature_id", "id"},
    FieldName{"feature", "id"},
    FieldName{"branch", "branch"},
    FieldName{"branch_name", "branch"},
    FieldName{"created", "created"},
    FieldName{"created_at", "created"},
    FieldName{"last_updated", "last_updated"},
    FieldName{"updated", "last_updated"},
    FieldName{"updated_at", "last_updated"},
    FieldName{"original_description", "original_description"},
    FieldName{"description", "original_description"},
    FieldName{"name", "name"},
    FieldName{"feature_name", "name"},
};

struct LoopColumnName {
  LoopSection role;
  std::string_view word;
  LoopColumn column;
};

constexpr std::array kLoopColumnNames = {
    LoopColumnName{LoopSection::Gaps, "gap_id", LoopColumn::Id},
    LoopColumnName{LoopSection::Gaps, "gap", LoopColumn::Id},
    LoopColumnName{LoopSection::Gaps, "id", LoopColumn::Id},
    LoopColumnName{LoopSection::Gaps, "priority", LoopColumn::Priority},
    LoopColumnName{LoopSection::Gaps, "question", LoopColumn::Text},
    LoopColumnName{LoopSection::Gaps, "description", LoopColumn::Text},
    LoopColumnName{LoopSection::Gaps, "original_gap", LoopColumn::Text},
    LoopColumnName{LoopSection::Gaps, "summary", LoopColumn::Text},
    LoopColumnName{LoopSection::Gaps, "status", LoopColumn::Status},
    LoopColumnName{LoopSection::Gaps, "resolution", LoopColumn::Resolution},
    LoopColumnName{LoopSection::Gaps, "clarification", LoopColumn::Question},
    LoopColumnName{LoopSection::Gaps, "clarification_id", LoopColumn::Question},
    LoopColumnName{LoopSection::Gaps, "question_id", LoopColumn::Question},
    LoopColumnName{LoopSection::Questions, "id", LoopColumn::Id},
    LoopColumnName{LoopSection::Questions, "question_id", LoopColumn::Id},
    LoopColumnName{LoopSection::Questions, "clarification_id", LoopColumn::Id},
    LoopColumnName{LoopSection::Questions, "question", LoopColumn::Text},
    LoopColumnName{LoopSection::Questions, "question_summary", LoopColumn::Text},
    LoopColumnName{LoopSection::Questions, "summary", LoopColumn::Text},
    LoopColumnName{LoopSection::Questions, "gaps", LoopColumn::Gaps},
    LoopColumnName{LoopSection::Questions, "gap", LoopColumn::Gaps},
    LoopColumnName{LoopSection::Questions, "gap_id", LoopColumn::Gaps},
    LoopColumnName{LoopSection::Questions, "gap_ids", LoopColumn::Gaps},
    LoopColumnName{LoopSection::Questions, "source_gaps", LoopColumn::Gaps},
    LoopColumnName{LoopSection::Questions, "options", LoopColumn::Options},
    LoopColumnName{LoopSection::Questions, "priority", LoopColumn::Priority},
    LoopColumnName{LoopSection::Questions, "status", LoopColumn::Status},
    LoopColumnName{LoopSection::Questions, "answer", LoopColumn::Answer},
    LoopColumnName{LoopSection::Questions, "user_answer", LoopColumn::Answer},
    LoopColumnName{LoopSection::Questions, "response", LoopColumn::Answer},
    LoopColumnName{LoopSection::History, "gap_id", LoopColumn::Id},
    LoopColumnName{LoopSection::History, "gap", LoopColumn::Id},
    LoopColumnName{LoopSection::History, "id", LoopColumn::Id},
    LoopColumnName{LoopSection::History, "iteration", LoopColumn::Iteration},
    LoopColumnName{LoopSection::History, "action", LoopColumn::Action},
    LoopColumnName{LoopSection::History, "status", LoopColumn::Action},
    LoopColumnName{LoopSection::History, "details", LoopColumn::Details},
    LoopColumnName{LoopSection::History, "resolution", LoopColumn::Details},
    LoopColumnName{LoopSection::History, "resolved_via", LoopColumn::Question},
    LoopColumnName{LoopSection::History, "priority", LoopColumn::Priority},
    LoopColumnName{LoopSection::History, "original_gap", LoopColumn::Text},
    LoopColumnName{LoopSection::History, "timestamp", LoopColumn::At},
    LoopColumnName{LoopSection::History, "at", LoopColumn::At},
    LoopColumnName{LoopSection::History, "date", LoopColumn::At},
    LoopColumnName{LoopSection::Answers, "question", LoopColumn::Id},
    LoopColumnName{LoopSection::Answers, "id", LoopColumn::Id},
    LoopColumnName{LoopSection::Answers, "question_id", LoopColumn::Id},
    LoopColumnName{LoopSection::Answers, "answer", LoopColumn::Answer},
    LoopColumnName{LoopSection::Answers, "applied", LoopColumn::Applied},
    LoopColumnName{LoopSection::Answers, "received_at", LoopColumn::At},
    LoopColumnName{LoopSection::UserAnswers, "id", LoopColumn::Id},
    LoopColumnName{LoopSection::UserAnswers, "question_id", LoopColumn::Id},
    LoopColumnName{LoopSection::UserAnswers, "clarification", LoopColumn::Id},
    LoopColumnName{LoopSection::UserAnswers, "clarification_id", LoopColumn::Id},
    LoopColumnName{LoopSection::UserAnswers, "question", LoopColumn::Text},
    LoopColumnName{LoopSection::UserAnswers, "question_summary", LoopColumn::Text},
    LoopColumnName{LoopSection::UserAnswers, "answer", LoopColumn::Answer},
    LoopColumnName{LoopSection::UserAnswers, "user_answer", LoopColumn::Answer},
    LoopColumnName{LoopSection::UserAnswers, "response", LoopColumn::Answer},
    LoopColumnName{LoopSection::UserAnswers, "value", LoopColumn::Answer},
    LoopColumnName{LoopSection::UserAnswers, "applied", LoopColumn::Applied},
    LoopColumnName{LoopSection::UserAnswers, "received_at", LoopColumn::At},
    LoopColumnName{LoopSection::UserAnswers, "timestamp", LoopColumn::At},
    LoopColumnName{LoopSection::Documents, "document", LoopColumn::Id},
    LoopColumnName{LoopSection::Documents, "status", LoopColumn::Status},
    LoopColumnName{LoopSection::Documents, "path", LoopColumn::Path},
    LoopColumnName{LoopSection::Documents, "last_modified", LoopColumn::At},
    LoopColumnName{LoopSection::Workflow, "workflow", LoopColumn::Id},
    LoopColumnName{LoopSection::Workflow, "status", LoopColumn::Status},
    LoopColumnName{LoopSection::Workflow, "last_run", LoopColumn::At},
};

// "3. Pending Questions" is a heading that was numbered.
std::string heading_token(std::string_view heading) {
  const std::size_t digits = std::min(heading.find_first_not_of("0123456789"), heading.size());
  if (digits > 0 && heading.substr(digits).starts_with('.')) heading.remove_prefix(digits + 1);
  return leading_token(heading);
}

// "**Status**: `pending` | `answered`" below a table says which values there are, not which one it is.
bool is_legend(const MarkdownField& field) {
  if (field.form == FieldForm::Row) return false;
  return normal_key(field.key).ends_with("_values") || field.value.find('|') != std::string::npos;
}

MarkdownField field_of(const MarkdownRow& row) {
  MarkdownField field{.form = FieldForm::Row, .line = row.line, .key = plain_value(row.cells[0]), .row = &row};
  field.value = row.cells[1];
  field.place = row.places[1];
  field.end = row.span.end;
  return field;
}

// "| Loop Status | clarifying |" as the table's first line.
bool is_headless(const MarkdownTableView& table) {
  return table.header.cells.size() == 2 && !loop_key(table.header.cells[0], false).empty();
}

}  // namespace

LoopSection loop_section(std::string_view heading) {
  const std::string token = heading_token(heading);
  const auto found = std::ranges::find(kLoopSections, token, &LoopSectionName::heading);
  if (found != kLoopSections.end()) return found->role;
  return std::ranges::find(kKeptSections, token) == kKeptSections.end() ? LoopSection::Other : LoopSection::Kept;
}

std::string_view heading_of(LoopSection role) {
  switch (role) {
    case LoopSection::Title: return "Feature Index";
    case LoopSection::Metadata: return "Feature Metadata";
    case LoopSection::Documents: return "Document Availability Matrix";
    case LoopSection::Workflow: return "Workflow Status";
    case LoopSection::LoopState: return "Priority Loop State";
    case LoopSection::Gaps: return "Gap Priority Queue";
    case LoopSection::Questions: return "Pending Questions";
    case LoopSection::History: return "Gap Resolution History";
    case LoopSection::Answers: return "Received Answers";
    case LoopSection::UserAnswers: return "User Answers";
    case LoopSection::Kept:
    case LoopSection::Other: return "";
  }
  return "";
}

bool is_spec_loop_title(std::string_view heading) {
  return leading_token(heading) == "feature_index" || normal_heading(heading).starts_with("feature index:");
}

std::string feature_in_title(std::string_view heading) {
  const std::size_t colon = heading.find(':');
  if (colon == std::string_view::npos) return "";
  const std::string_view id = heading.substr(colon + 1);
  return is_unfilled(id) || is_nothing(id) ? "" : plain_value(id);
}

std::string loop_key(std::string_view key, bool in_section) {
  const auto found = std::ranges::find(kLoopFields, normal_key(key), &FieldName::word);
  if (found == kLoopFields.end() || (found->only_in_section && !in_section)) return "";
  return std::string(found->key);
}

std::string_view loop_label(std::string_view key) {
  const auto found = std::ranges::find(kLoopLabels, key, &FieldName::word);
  return found == kLoopLabels.end() ? key : found->key;
}

std::string metadata_key(std::string_view key) {
  std::string word = normal_key(key);
  const auto found = std::ranges::find(kMetadataFields, word, &FieldName::word);
  return found == kMetadataFields.end() ? word : std::string(found->key);
}

bool is_known_metadata_key(std::string_view key) {
  return std::ranges::find(kMetadataFields, key, &FieldName::key) != kMetadataFields.end();
}

LoopStatus read_loop_status(std::string_view value) {
  if (is_unfilled(value)) return LoopStatus::Unknown;
  const LoopStatus status = value_in(kLoopStatusTokens, leading_token(value)).value_or(LoopStatus::Unknown);
  return status == LoopStatus::Missing ? LoopStatus::Unknown : status;
}

GapStatus read_gap_status(std::string_view value) {
  if (is_unfilled(value)) return GapStatus::Unknown;
  return value_in(kGapStatusTokens, leading_token(value)).value_or(GapStatus::Unknown);
}

GapPriority read_gap_priority(std::string_view value) {
  return value_in(kGapPriorityTokens, leading_token(value)).value_or(GapPriority::Unknown);
}

QuestionStatus read_question_status(std::string_view value) {
  if (is_unfilled(value)) return QuestionStatus::Unknown;
  const std::string token = leading_token(value);
  if (token == "awaiting_answer" || token == "pending" || token == "awaiting") return QuestionStatus::Open;
  return value_in(kQuestionStatusTokens, token).value_or(QuestionStatus::Unknown);
}

LoopColumns::LoopColumns(const MarkdownRow& header, LoopSection role) {
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string word = leading_token(header.cells[i]);
    const auto found = std::ranges::find_if(
        kLoopColumnNames, [&](const LoopColumnName& name) { return name.role == role && name.word == word; });
    if (found == kLoopColumnNames.end()) continue;
    std::optional<std::size_t>& at = at_[static_cast<std::size_t>(found->column)];
    if (!at) at = i;
  }
  // "| Question | Answer |": the question is named by its id, or by its words.
  std::optional<std::size_t>& id = at_[static_cast<std::size_t>(LoopColumn::Id)];
  if (role == LoopSection::UserAnswers && !id) id = find(LoopColumn::Text);
}

const std::string& LoopColumns::cell(const MarkdownRow& row, LoopColumn column) const {
  static const std::string kNone;
  const std::optional<std::size_t> at = find(column);
  return at && *at < row.cells.size() ? row.cells[*at] : kNone;
}

std::string LoopColumns::id(const MarkdownRow& row) const {
  const std::string& cell_text = cell(row, LoopColumn::Id);
  return is_nothing(cell_text) ? "" : plain_value(cell_text);
}

SpecLoopDocument::SpecLoopDocument(std::string bytes) : text_(std::move(bytes)) {
  const std::vector<MarkdownSection>& sections = text_.sections();
  const auto documented = std::ranges::find_if(sections, [](const MarkdownSection& section) {
    return section.level > 0 && is_spec_loop_title(section.heading);
  });
  has_documented_title_ = documented != sections.end();
  title_ = has_documented_title_ ? &*documented : &sections.front();
  const bool has_own_title = !has_documented_title_ && sections.size() > 1 && sections[1].level == 1 &&
                             loop_section(sections[1].heading) == LoopSection::Other;
  if (has_own_title) title_ = &sections[1];
  find_parts();
  state_in_title_ = find(LoopSection::LoopState) == nullptr && has_state_in_title();
}

void SpecLoopDocument::find_parts() {
  const std::vector<MarkdownSection>& sections = text_.sections();
  parts_.reserve(sections.size());
  if (title_ != &sections.front()) parts_.push_back({&sections.front(), LoopSection::Title});
  parts_.push_back({title_, LoopSection::Title});
  std::size_t skipped = 0;
  for (const MarkdownSection* section = title_ + 1; section <= &sections.back(); ++section) {
    if (section->first <= skipped) continue;
    const LoopSection role = loop_section(section->heading);
    // What stands below a heading that is not ours belongs to that: another phase's state, an old loop. Without
    // the documented title such a heading may as well hold the whole index.
    if (role == LoopSection::Kept || (role == LoopSection::Other && has_documented_title_)) skipped = section->end;
    parts_.push_back({section, role});
  }
}

std::string SpecLoopDocument::feature() const {
  return has_documented_title_ ? feature_in_title(title_->heading) : "";
}

int SpecLoopDocument::section_level() const {
  if (has_documented_title_) return title_->level + 1;
  const auto is_documented = [](const Part& part) {
    return part.role != LoopSection::Title && part.role != LoopSection::Other;
  };
  const auto found = std::ranges::find_if(parts_, is_documented);
  return found == parts_.end() ? 2 : found->section->level;
}

const MarkdownSection* SpecLoopDocument::find(LoopSection role) const {
  const auto found = std::ranges::find(parts_, role, &Part::role);
  return found == parts_.end() ? nullptr : found->section;
}

void SpecLoopDocument::add_fields(const Part& part, std::vector<Field>& fields) const {
  const bool in_section =
      part.role == LoopSection::LoopState || (part.role == LoopSection::Title && state_in_title_);
  const auto add = [&](MarkdownField field) {
    std::string key = loop_key(field.key, in_section);
    const bool is_loop = part.role == LoopSection::LoopState || !key.empty();
    if (key.empty()) key = is_loop ? normal_key(field.key) : metadata_key(field.key);
    fields.push_back({std::move(field), std::move(key), is_loop});
  };
  const std::size_t first = fields.size();
  for (MarkdownField& field : text_.front_matter_fields(*part.section)) add(std::move(field));
  for (MarkdownField& field : text_.fields_outside_tables(*part.section)) {
    if (!is_legend(field)) add(std::move(field));
  }
  text_.for_each_table(*part.section, [&](const MarkdownTableView& table) {
    if (table.fenced || table.header.cells.size() < 2) return;
    if (is_headless(table)) add(field_of(table.header));
    for (const MarkdownRow& row : table.rows) {
      if (row.cells.size() > 1 && !trim(row.cells[0]).empty()) add(field_of(row));
    }
  });
  const auto begin = fields.begin() + static_cast<std::ptrdiff_t>(first);
  const auto line_of = [](const Field& each) { return each.field.line; };
  if (!std::ranges::is_sorted(begin, fields.end(), {}, line_of))
    std::ranges::stable_sort(begin, fields.end(), {}, line_of);
}

std::vector<SpecLoopDocument::Field> SpecLoopDocument::fields() const {
  std::vector<Field> fields;
  fields.reserve(kFieldsUsual);
  for (const Part& part : parts_) {
    const bool has_fields = part.role == LoopSection::Title || part.role == LoopSection::Metadata ||
                            part.role == LoopSection::LoopState;
    if (has_fields) add_fields(part, fields);
  }
  return fields;
}

std::optional<MarkdownTable> SpecLoopDocument::find_field_table(const MarkdownSection& section) const {
  for (MarkdownTable& table : text_.tables(section)) {
    if (!table.fenced && table.header.cells.size() >= 2) return std::move(table);
  }
  return std::nullopt;
}

std::vector<MarkdownTable> SpecLoopDocument::tables(LoopSection role) const {
  std::vector<MarkdownTable> found;
  for (const Part& part : parts_) {
    if (part.role != role) continue;
    for (MarkdownTable& table : text_.tables(*part.section)) {
      if (LoopColumns(table, role).has(LoopColumn::Id)) found.push_back(std::move(table));
    }
  }
  return found;
}

// "Status: clarifying" and "Iteration: 2 / 10" are the loop's where no section says so.
bool SpecLoopDocument::has_state_in_title() const {
  bool has_iteration = false, has_status = false;
  for (const Field& each : fields()) {
    if (each.key == "loop_status") return false;
    has_iteration = has_iteration || loop_key(each.field.key, true) == "current_iteration";
    has_status = has_status || (loop_key(each.field.key, true) == "loop_status" &&
                                read_loop_status(each.field.value) != LoopStatus::Unknown);
  }
  return has_iteration && has_status;
}

bool SpecLoopDocument::is_recognised() const {
  if (find(LoopSection::LoopState) != nullptr || state_in_title_) return true;
  if (find(LoopSection::Gaps) != nullptr && find(LoopSection::Questions) != nullptr) return true;
  return std::ranges::any_of(fields(), [](const Field& field) { return field.key == "loop_status"; });
}

}  // namespace reprise
