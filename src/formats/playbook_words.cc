#include "formats/playbook_words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "base/chars.h"
#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

struct Synonym {
  std::string_view word;
  std::string_view name;
};

template <typename Table>
std::string_view look_up(const Table& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, &Synonym::word);
  return found == std::ranges::end(table) ? word : found->name;
}

constexpr std::array kHeaderSynonyms = {
    Synonym{"stage", "current_stage"},
    Synonym{"phase", "current_stage"},
    Synonym{"current_phase", "current_stage"},
    Synonym{"feat_id", "feature"},
    Synonym{"feature_id", "feature"},
    Synonym{"feature_name", "feature"},
    Synonym{"created_at", "started_at"},
    Synonym{"created", "started_at"},
    Synonym{"started", "started_at"},
    Synonym{"updated_at", "last_updated_at"},
    Synonym{"last_updated", "last_updated_at"},
    Synonym{"updated", "last_updated_at"},
    Synonym{"pipeline_status", "status"},
    Synonym{"run_status", "status"},
    Synonym{"mode", "coordinator_mode"},
    Synonym{"debug", "debug_mode"},
    Synonym{"run", "run_id"},
    Synonym{"spec_sha256", "spec_hash"},
};

// The seed's fields, and those that later versions of the playbook write.
constexpr std::array<std::string_view, 54> kHeaderKeys = {"run_id",
                                                          "completed_stages",
                                                          "feature",
                                                          "coordinator_mode",
                                                          "debug_mode",
                                                          "spec_version",
                                                          "spec_hash",
                                                          "started_at",
                                                          "last_updated_at",
                                                          "current_stage",
                                                          "status",
                                                          "stage_status",
                                                          "spec_id",
                                                          "spec_naming",
                                                          "spec_provider",
                                                          "provider_native_root",
                                                          "provider_output_root",
                                                          "spec_entrypoint_path",
                                                          "spec_readiness_artifact",
                                                          "spec_support_paths",
                                                          "spec_mode",
                                                          "provider_mode",
                                                          "validator_result",
                                                          "validator_manual_waiver",
                                                          "spec_hash_verified_at",
                                                          "planning_preflight_status",
                                                          "planning_preflight_checked_at",
                                                          "planning_preflight_spec_hash",
                                                          "planning_preflight_failures",
                                                          "red_team_status",
                                                          "red_team_spec_hash",
                                                          "red_team_artifact",
                                                          "red_team_completed_at",
                                                          "red_team_human_decision",
                                                          "system_blueprint_path",
                                                          "system_blueprint_status",
                                                          "codebase_analysis_reports",
                                                          "reverse_spec_artifacts",
                                                          "reverse_spec_review_status",
                                                          "tasks_artifact",
                                                          "test_certification_artifact",
                                                          "test_certification_hash",
                                                          "verification_packet_artifact",
                                                          "verification_packet_hash",
                                                          "test_file_hash_status",
                                                          "latest_testrunner_report",
                                                          "testrunner_status",
                                                          "executed_test_count",
                                                          "expected_test_count",
                                                          "required_suite_status",
                                                          "coverage_status",
                                                          "flaky_test_status",
                                                          "code_review_gate_status",
                                                          "progress_ledger_path"};

struct PlaybookSectionName {
  std::string_view heading;
  PlaybookSection role;
};

constexpr std::array kPlaybookSections = {
    PlaybookSectionName{"metadata", PlaybookSection::Header},
    PlaybookSectionName{"header", PlaybookSection::Header},
    PlaybookSectionName{"header_metadata", PlaybookSection::Header},
    PlaybookSectionName{"run_metadata", PlaybookSection::Header},
    PlaybookSectionName{"completed_stages", PlaybookSection::Stages},
    PlaybookSectionName{"stage_ledger", PlaybookSection::Stages},
    PlaybookSectionName{"stage_history", PlaybookSection::Stages},
    PlaybookSectionName{"stages", PlaybookSection::Stages},
    PlaybookSectionName{"stages_completed", PlaybookSection::Stages},
    PlaybookSectionName{"completed", PlaybookSection::Stages},
    PlaybookSectionName{"current_stage_detail", PlaybookSection::Detail},
    PlaybookSectionName{"current_stage_details", PlaybookSection::Detail},
    PlaybookSectionName{"current_stage", PlaybookSection::Detail},
    PlaybookSectionName{"iteration_counts", PlaybookSection::Iterations},
    PlaybookSectionName{"iteration_count", PlaybookSection::Iterations},
    PlaybookSectionName{"failure_clusters", PlaybookSection::Clusters},
    PlaybookSectionName{"human_checkpoints_cleared", PlaybookSection::Checkpoints},
    PlaybookSectionName{"human_checkpoints", PlaybookSection::Checkpoints},
    PlaybookSectionName{"checkpoints", PlaybookSection::Checkpoints},
    PlaybookSectionName{"approvals", PlaybookSection::Checkpoints},
    PlaybookSectionName{"human_approvals", PlaybookSection::Checkpoints},
    PlaybookSectionName{"notes", PlaybookSection::Notes},
    PlaybookSectionName{"note", PlaybookSection::Notes},
};

constexpr std::array<std::string_view, 15> kStages = {
    "spec",        "clarify",  "red-team", "architect", "tasks",  "tdd",  "programmer", "testrunner",
    "code-review", "security", "refactor", "qa-e2e",    "devops", "docs", "done"};
constexpr std::array kStageSynonyms = {Synonym{"software-architect", "architect"},
                                       Synonym{"test-runner", "testrunner"}, Synonym{"codereview", "code-review"},
                                       Synonym{"redteam", "red-team"}};

constexpr std::array<std::string_view, 12> kCompletedWords = {"complete", "completed", "done",      "approved",
                                                              "applied",  "pass",      "passed",    "cleared",
                                                              "finished", "accepted",  "certified", "signed_off"};
constexpr std::array<std::string_view, 17> kNotCompletedWords = {
    "pending",  "not_started", "in_progress", "waiting_for_human", "waiting", "failed",
    "fail",     "aborted",     "cancelled",   "blocked",           "running", "queued",
    "retrying", "escalated",   "dispatched",  "not_run",           "skipped"};

struct PlaybookColumnName {
  std::string_view word;
  PlaybookColumn column;
};

constexpr std::array kPlaybookColumnNames = {
    PlaybookColumnName{"stage", PlaybookColumn::Stage},
    PlaybookColumnName{"stage_name", PlaybookColumn::Stage},
    PlaybookColumnName{"phase", PlaybookColumn::Stage},
    PlaybookColumnName{"checkpoint", PlaybookColumn::Stage},
    PlaybookColumnName{"human_checkpoint", PlaybookColumn::Stage},
    PlaybookColumnName{"completed_at", PlaybookColumn::CompletedAt},
    PlaybookColumnName{"completed", PlaybookColumn::CompletedAt},
    PlaybookColumnName{"date", PlaybookColumn::CompletedAt},
    PlaybookColumnName{"finished_at", PlaybookColumn::CompletedAt},
    PlaybookColumnName{"timestamp", PlaybookColumn::CompletedAt},
    PlaybookColumnName{"output_artifact", PlaybookColumn::Artifact},
    PlaybookColumnName{"output_artifacts", PlaybookColumn::Artifact},
    PlaybookColumnName{"artifact", PlaybookColumn::Artifact},
    PlaybookColumnName{"artifacts", PlaybookColumn::Artifact},
    PlaybookColumnName{"output", PlaybookColumn::Artifact},
    PlaybookColumnName{"output_hash", PlaybookColumn::Hash},
    PlaybookColumnName{"hash", PlaybookColumn::Hash},
    PlaybookColumnName{"artifact_hash", PlaybookColumn::Hash},
    PlaybookColumnName{"status", PlaybookColumn::Status},
    PlaybookColumnName{"result", PlaybookColumn::Status},
    PlaybookColumnName{"approved", PlaybookColumn::Status},
    PlaybookColumnName{"cleared", PlaybookColumn::Status},
    PlaybookColumnName{"cycle_count", PlaybookColumn::Cycles},
    PlaybookColumnName{"cycles", PlaybookColumn::Cycles},
    PlaybookColumnName{"count", PlaybookColumn::Cycles},
    PlaybookColumnName{"budget", PlaybookColumn::Budget},
    PlaybookColumnName{"cluster", PlaybookColumn::Cluster},
    PlaybookColumnName{"failure_cluster", PlaybookColumn::Cluster},
    PlaybookColumnName{"first_seen", PlaybookColumn::FirstSeen},
    PlaybookColumnName{"retry_count", PlaybookColumn::Retries},
    PlaybookColumnName{"retries", PlaybookColumn::Retries},
    PlaybookColumnName{"notes", PlaybookColumn::Notes},
    PlaybookColumnName{"note", PlaybookColumn::Notes},
};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// What a checkpoint is about, and what says that it is one. Between the two stand only words that change nothing:
// an exception that was approved is no approval of the whole.
constexpr std::array kCheckpointSubjects = {Synonym{"spec", "Spec approval"},
                                            Synonym{"specification", "Spec approval"},
                                            Synonym{"architecture", "Architecture sign-off"},
                                            Synonym{"architect", "Architecture sign-off"},
                                            Synonym{"adr", "Architecture sign-off"},
                                            Synonym{"convergence", "Convergence escalation"},
                                            Synonym{"security", "Security sign-off"}};
constexpr std::array<std::string_view, 16> kApprovalWords = {
    "approval", "approved", "approve",  "accepted", "acceptance", "sign",      "signed",     "signoff",
    "signs",    "review",   "reviewed", "cleared",  "escalation", "escalated", "checkpoint", "gate"};
constexpr std::array<std::string_view, 24> kFillerWords = {
    "human",    "of",     "the",     "for",     "by",   "off",  "is",       "was",
    "has",      "been",   "and",     "adr",     "md",   "file", "decision", "record",
    "document", "design", "feature", "package", "plan", "cp",   "final",    "a"};
constexpr std::array<std::string_view, 8> kRefusalWords = {"not",      "rejected",  "refused", "denied",
                                                           "declined", "withdrawn", "revoked", "pending"};

std::vector<std::string> plain_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : to_lower(text) + " ") {
    if (is_alphanumeric(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

bool is_filler(std::string_view word) {
  const std::string_view number = word.starts_with("cp") ? word.substr(2) : word.substr(word[0] == 'v' ? 1 : 0);
  const bool is_number = number.find_first_not_of("0123456789") == std::string_view::npos;
  return contains(kFillerWords, word) || is_number;
}

// "3. Completed Stages", "2.1) Notes", "Step 4: Notes".
std::string_view without_number(std::string_view heading) {
  std::string_view rest = trim(heading);
  const std::size_t word = rest.find(' ');
  if (word != std::string_view::npos && to_lower(rest.substr(0, word)) == "step") rest = trim(rest.substr(word));
  const std::size_t end = rest.find_first_not_of("0123456789.)");
  const bool is_numbered = end != 0 && end != std::string_view::npos && is_digit(rest[0]);
  if (!is_numbered || (rest[end] != ' ' && rest[end] != ':')) return heading;
  return trim(rest.substr(end + 1));
}

// Marks in front of an item that say that it is not done.
constexpr std::array<std::string_view, 7> kOpenMarks = {"❌", "⏳", "🔄", "⬜", "☐", "🚧", "✗"};
// What ends a stage's name in an item; each is a comma to what comes behind.
constexpr std::array<std::string_view, 13> kItemMarks = {"→", "⇒", "➜", "->", "=>",  "[", "]",
                                                         "(", ")", "—", "–",  " - ", ": "};

std::string commas_for_marks(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto mark = std::ranges::find_if(kItemMarks, [&](std::string_view m) { return text.starts_with(m); });
    if (mark == kItemMarks.end()) {
      out += text[0];
      text.remove_prefix(1);
    } else {
      out += ", ";
      text.remove_prefix(mark->size());
    }
  }
  return out;
}

// Sections that keep what was: they are never taken for what is.
bool is_about_the_past(std::string_view heading) {
  const std::vector<std::string> words = plain_words(heading);
  return std::ranges::any_of(words, [](const std::string& word) {
    return contains(std::array<std::string_view, 10>{"previous", "old", "archive", "archived", "history",
                                                     "earlier", "prior", "former", "past", "example"},
                    word);
  });
}

// The lines of the front matter as fields; a value is read without its quotes.
std::vector<MarkdownField> front_matter_fields(std::string_view bytes, const MarkdownBlock& block) {
  std::vector<MarkdownField> fields;
  int line = block.line - 1;
  for (std::size_t begin = block.begin; begin < block.end;) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n", begin), block.end);
    ++line;
    std::optional<MarkdownField> field;
    if (end > begin && is_letter(bytes[begin])) field = read_field(bytes, {begin, end});
    const std::size_t next = end + (bytes.substr(end).starts_with("\r\n") ? 2 : 1);
    if (field) {
      const char quote = field->value.empty() ? ' ' : field->value[0];
      const std::size_t close = quote == '"' || quote == '\'' ? field->value.find(quote, 1) : std::string::npos;
      if (close != std::string::npos) field->value = field->value.substr(1, close - 1);
      field->form = FieldForm::Line;
      field->line = line;
      field->end = std::min(next, block.end);
      fields.push_back(std::move(*field));
    }
    begin = next;
  }
  return fields;
}

}  // namespace

PlaybookSection section_role(std::string_view heading) {
  const std::string name = leading_token(without_number(heading));
  const auto found = std::ranges::find(kPlaybookSections, name, &PlaybookSectionName::heading);
  return found == kPlaybookSections.end() ? PlaybookSection::Other : found->role;
}

std::string_view section_heading(PlaybookSection role) {
  switch (role) {
    case PlaybookSection::Header: return "Metadata";
    case PlaybookSection::Stages: return "Completed Stages";
    case PlaybookSection::Detail: return "Current Stage Detail";
    case PlaybookSection::Iterations: return "Iteration Counts";
    case PlaybookSection::Clusters: return "Failure Clusters";
    case PlaybookSection::Checkpoints: return "Human Checkpoints Cleared";
    case PlaybookSection::Notes: return "Notes";
    case PlaybookSection::Other: return "";
  }
  return "";
}

bool is_playbook_title(std::string_view heading) {
  return leading_token(heading) == "pipeline_state" || normal_heading(heading).starts_with("pipeline state:");
}

std::string header_key(std::string_view key) { return std::string(look_up(kHeaderSynonyms, normal_key(key))); }

bool is_playbook_header(const std::vector<MarkdownField>& fields, bool has_title) {
  bool stage = false;
  bool hash = false;
  bool status = false;
  for (const MarkdownField& field : fields) {
    const std::string written = normal_key(field.key);
    const std::string key = header_key(field.key);
    const bool known_stage = key == "current_stage" && is_known_stage(stage_name(field.value));
    stage = stage || written == "current_stage" || known_stage || (has_title && key == "current_stage");
    hash = hash || key == "spec_hash";
    status =
        status || written == "status" || (key == "status" && read_status(field.value) != PlaybookStatus::Unknown);
  }
  return has_title ? stage || hash : (stage ? 1 : 0) + (hash ? 1 : 0) + (status ? 1 : 0) >= 2;
}

bool is_known_header_key(std::string_view key) { return contains(kHeaderKeys, key); }

std::string stage_name(std::string_view text) {
  std::string name = leading_token(text);
  std::ranges::replace(name, '_', '-');
  return std::string(look_up(kStageSynonyms, name));
}

bool is_known_stage(std::string_view name) { return contains(kStages, name); }

bool is_checkpoint_name(std::string_view stage) {
  const std::vector<std::string> words = plain_words(stage);
  const bool is_approved = std::ranges::any_of(words, [](const std::string& word) {
    return word == "approval" || word == "approved" || word == "signed" || word == "signoff";
  });
  if (is_approved && !checkpoint_of(stage).empty()) return true;
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"human-", "-checkpoint", "-approval", "-sign-off", "checkpoint"},
      [&](std::string_view part) {
        return part.starts_with('-') ? stage.ends_with(part) : stage.starts_with(part);
      });
}

std::string_view checkpoint_of(std::string_view text) {
  const std::vector<std::string> words = plain_words(text);
  bool is_approval = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto subject = std::ranges::find(kCheckpointSubjects, words[i], &Synonym::word);
    if (subject == kCheckpointSubjects.end()) {
      is_approval = is_approval || contains(kApprovalWords, words[i]);
      if (!is_filler(words[i]) && !contains(kApprovalWords, words[i])) return "";
      continue;
    }
    if (is_approval || words.size() == 1) return subject->name;
    for (std::size_t behind = i + 1; behind < words.size(); ++behind) {
      if (contains(kApprovalWords, words[behind])) return subject->name;
      if (!is_filler(words[behind])) return "";
    }
    return "";
  }
  return "";
}

bool says_refused(std::string_view text) {
  return std::ranges::any_of(plain_words(text),
                             [](const std::string& word) { return contains(kRefusalWords, word); });
}

std::optional<StageItem> read_stage_item(std::string_view text) {
  text = trim(text);
  const bool is_open =
      std::ranges::any_of(kOpenMarks, [&](std::string_view mark) { return text.starts_with(mark); });
  std::string plain = commas_for_marks(plain_value(text));
  if (plain.ends_with(':')) plain.pop_back();
  std::size_t end = std::min(plain.find(','), plain.size());
  std::string name = stage_name(plain.substr(0, end));
  if (!is_known_stage(name)) {
    end = std::min(plain.find_first_of(", "), plain.size());
    name = stage_name(plain.substr(0, end));
  }
  if (!is_known_stage(name)) return std::nullopt;
  StageItem item{.stage = name, .written = std::string(trim(plain.substr(0, end))), .completed = !is_open};
  item.rest = trim(plain.substr(end));
  while (item.rest.starts_with(',')) item.rest = trim(std::string_view(item.rest).substr(1));
  for (const std::string_view part : split(item.rest, ',')) {
    const std::string token = leading_token(part);
    const bool is_not =
        contains(kNotCompletedWords, token) || contains(kNotCompletedWords, token.substr(0, token.find('_')));
    if (is_not) item.completed = false;
  }
  return item;
}

StageStanding stage_standing(std::string_view status) {
  const std::string token = leading_token(status);
  if (contains(kCompletedWords, token)) return StageStanding::Completed;
  if (contains(kNotCompletedWords, token) || is_nothing(status)) return StageStanding::NotCompleted;
  const std::string_view mark = trim(status);
  return mark == "✅" || mark == "✓" || mark == "✔" ? StageStanding::Completed : StageStanding::Unknown;
}

PlaybookStatus read_status(std::string_view value) {
  if (is_unfilled(value)) return PlaybookStatus::Unknown;
  const std::string token = leading_token(value);
  if (token == "in_progress") return PlaybookStatus::InProgress;
  if (token == "waiting_for_human") return PlaybookStatus::WaitingForHuman;
  if (token == "complete" || token == "completed") return PlaybookStatus::Complete;
  if (token == "failed") return PlaybookStatus::Failed;
  if (token == "cancelled" || token == "canceled") return PlaybookStatus::Cancelled;
  if (token == "aborted") return PlaybookStatus::Aborted;
  return PlaybookStatus::Unknown;
}

PlaybookColumns::PlaybookColumns(const MarkdownRow& header) {
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const auto found =
        std::ranges::find(kPlaybookColumnNames, leading_token(header.cells[i]), &PlaybookColumnName::word);
    if (found == kPlaybookColumnNames.end()) continue;
    std::optional<std::size_t>& at = at_[static_cast<std::size_t>(found->column)];
    if (!at) at = i;
  }
}

const std::string& PlaybookColumns::cell(const MarkdownRow& row, PlaybookColumn column) const {
  static const std::string kNone;
  const std::optional<std::size_t> at = find(column);
  return at && *at < row.cells.size() ? row.cells[*at] : kNone;
}

PlaybookDocument::PlaybookDocument(std::string bytes) : text_(std::move(bytes)) {
  const std::vector<MarkdownSection>& sections = text_.sections();
  const auto title = std::ranges::find_if(sections, [](const MarkdownSection& section) {
    return section.level > 0 && is_playbook_title(section.heading);
  });
  has_title_ = title != sections.end();
  const auto first = has_title_ ? title : sections.begin();
  parts_.push_back({&*first, PlaybookSection::Header});
  bool has_header = has_key_field(*first);
  if (has_title_) section_level_ = first->level + 1;
  std::size_t skipped = 0;
  for (auto section = first + 1; section != sections.end(); ++section) {
    if (section->first <= skipped) continue;
    PlaybookSection role = role_of(*section);
    const bool is_own_title = !has_title_ && section == first + 1 && section->level == 1;
    if (role == PlaybookSection::Other && (is_own_title || (!has_header && has_key_field(*section))))
      role = PlaybookSection::Header;
    if (role == PlaybookSection::Header) has_header = has_header || has_key_field(*section);
    // What stands below an unknown heading, or among the notes, belongs to that; old runs are kept there.
    if (role == PlaybookSection::Other || role == PlaybookSection::Notes) skipped = section->end;
    parts_.push_back({&*section, role});
  }
}

bool PlaybookDocument::has_key_field(const MarkdownSection& section) const {
  const std::vector<MarkdownField> fields = text_.fields(section);
  return std::ranges::any_of(fields, [](const MarkdownField& field) {
    const std::string key = normal_key(field.key);
    return key == "current_stage" || key == "spec_hash";
  });
}

PlaybookSection PlaybookDocument::role_of(const MarkdownSection& section) const {
  const PlaybookSection role = section_role(section.heading);
  if (role != PlaybookSection::Other || is_about_the_past(section.heading)) return role;
  const std::vector<MarkdownBlock> boxes = text_.boxes(section);
  if (std::ranges::any_of(boxes, [](const MarkdownBlock& box) { return !checkpoint_of(box.text).empty(); }))
    return PlaybookSection::Checkpoints;
  PlaybookSection found = PlaybookSection::Other;
  text_.for_each_table(section, [&](const MarkdownTableView& table) {
    const PlaybookColumns columns(table.header);
    if (found != PlaybookSection::Other) return;
    if (columns.has(PlaybookColumn::Cluster)) found = PlaybookSection::Clusters;
    if (!columns.has(PlaybookColumn::Stage)) return;
    if (columns.has(PlaybookColumn::Cycles)) found = PlaybookSection::Iterations;
    if (columns.has(PlaybookColumn::Artifact) && columns.has(PlaybookColumn::CompletedAt))
      found = PlaybookSection::Stages;
  });
  return found;
}

const MarkdownBlock* PlaybookDocument::find_last_stage_item() const {
  const MarkdownBlock* last = nullptr;
  for (const Part& part : parts_) {
    if (part.role != PlaybookSection::Stages) continue;
    for (std::size_t i = part.section->first; i < part.section->own_end; ++i) {
      const MarkdownBlock& block = text_.blocks()[i];
      if (block.kind == MarkdownKind::ListItem && read_stage_item(block.text)) last = &block;
    }
  }
  return last;
}

const MarkdownSection* PlaybookDocument::find(PlaybookSection role) const {
  const auto found = std::ranges::find(parts_, role, &Part::role);
  return found == parts_.end() ? nullptr : found->section;
}

std::vector<MarkdownField> PlaybookDocument::header_fields() const {
  std::vector<MarkdownField> fields;
  const std::vector<MarkdownBlock>& blocks = text_.blocks();
  if (!blocks.empty() && blocks[0].kind == MarkdownKind::FrontMatter)
    fields = front_matter_fields(text_.bytes(), blocks[0]);
  for (const Part& part : parts_) {
    if (part.role != PlaybookSection::Header) continue;
    std::vector<MarkdownField> more = text_.fields(*part.section);
    if (fields.empty()) {
      fields = std::move(more);
    } else {
      std::ranges::move(more, std::back_inserter(fields));
    }
  }
  return fields;
}

std::optional<MarkdownTable> PlaybookDocument::find_table(PlaybookSection role, PlaybookColumn column) const {
  for (const Part& part : parts_) {
    if (part.role != role) continue;
    for (MarkdownTable& table : text_.tables(*part.section)) {
      if (PlaybookColumns(table).has(column)) return std::move(table);
    }
  }
  return std::nullopt;
}

}  // namespace reprise
