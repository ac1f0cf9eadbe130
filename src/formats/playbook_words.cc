#include "formats/playbook_words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

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
constexpr std::array<std::string_view, 53> kHeaderKeys = {"run_id",
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
    PlaybookSectionName{"current_stage_detail", PlaybookSection::Detail},
    PlaybookSectionName{"current_stage_details", PlaybookSection::Detail},
    PlaybookSectionName{"current_stage", PlaybookSection::Detail},
    PlaybookSectionName{"iteration_counts", PlaybookSection::Iterations},
    PlaybookSectionName{"iteration_count", PlaybookSection::Iterations},
    PlaybookSectionName{"failure_clusters", PlaybookSection::Clusters},
    PlaybookSectionName{"human_checkpoints_cleared", PlaybookSection::Checkpoints},
    PlaybookSectionName{"human_checkpoints", PlaybookSection::Checkpoints},
    PlaybookSectionName{"checkpoints", PlaybookSection::Checkpoints},
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

}  // namespace

PlaybookSection section_role(std::string_view heading) {
  const auto found = std::ranges::find(kPlaybookSections, leading_token(heading), &PlaybookSectionName::heading);
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

bool is_known_header_key(std::string_view key) { return contains(kHeaderKeys, key); }

std::string stage_name(std::string_view text) {
  std::string name = leading_token(text);
  std::ranges::replace(name, '_', '-');
  return std::string(look_up(kStageSynonyms, name));
}

bool is_known_stage(std::string_view name) { return contains(kStages, name); }

bool is_checkpoint_name(std::string_view stage) {
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"human-", "-checkpoint", "-approval", "-sign-off", "checkpoint"},
      [&](std::string_view part) {
        return part.starts_with('-') ? stage.ends_with(part) : stage.starts_with(part);
      });
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
  if (title == sections.end()) return;
  title_ = &*title;
  parts_.push_back({title_, PlaybookSection::Header});
  std::size_t skipped = 0;
  for (auto section = title + 1; section != sections.end(); ++section) {
    if (section->first <= skipped) continue;
    const PlaybookSection role = section_role(section->heading);
    // What stands below an unknown heading, or among the notes, belongs to that; old runs are kept there.
    if (role == PlaybookSection::Other || role == PlaybookSection::Notes) skipped = section->end;
    parts_.push_back({&*section, role});
  }
}

const MarkdownSection* PlaybookDocument::find(PlaybookSection role) const {
  const auto found = std::ranges::find(parts_, role, &Part::role);
  return found == parts_.end() ? nullptr : found->section;
}

std::vector<MarkdownField> PlaybookDocument::header_fields() const {
  std::vector<MarkdownField> fields;
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
