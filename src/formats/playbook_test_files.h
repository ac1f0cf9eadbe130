// The playbook files that tests read: our own, and real ones where they are at hand.

#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "formats/playbook.h"

namespace reprise {

struct TestFile {
  std::string name;
  std::string bytes;
};

inline std::string read_test_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline std::vector<TestFile> test_files_in(const std::filesystem::path& folder) {
  std::vector<TestFile> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back({entry.path().filename().string(), read_test_file(entry.path())});
  }
  std::ranges::sort(files, {}, &TestFile::name);
  return files;
}

inline std::filesystem::path source_folder() { return REPRISE_SOURCE_PATH; }

/// Our own files; those of other systems start with "foreign_".
inline std::vector<TestFile> playbook_fixtures() {
  return test_files_in(source_folder() / "tests/fixtures/playbook");
}
/// Files of real runs, empty where they are not at hand.
inline std::vector<TestFile> playbook_corpus() {
  return test_files_in(source_folder() / "../shared/corpus/pipeline-state");
}

inline std::string playbook_fixture(std::string_view name) {
  return read_test_file(source_folder() / "tests/fixtures/playbook" / name);
}

/// What mutations put into a playbook's file: Markdown, bytes that are no text, words of its own.
inline const std::vector<std::string>& playbook_pieces() {
  static const std::vector<std::string> pieces = {"|",
                                                  "\n",
                                                  "\r",
                                                  "- ",
                                                  "## ",
                                                  "```\n",
                                                  ": ",
                                                  "status: COMPLETE\n",
                                                  "\\",
                                                  "**",
                                                  "---",
                                                  "<!--",
                                                  "\t",
                                                  std::string(1, '\0'),
                                                  "\xFF",
                                                  "sha256:",
                                                  "| a | b |\n|---|---|\n",
                                                  "{{x}}"};
  return pieces;
}

/// The claims as one line each, without the file's lines, so that two readings can be compared.
inline std::vector<std::string> claim_lines(const PlaybookClaims& claims) {
  std::vector<std::string> lines;
  const auto number = [](std::optional<long long> value) { return value ? std::to_string(*value) : "?"; };
  for (const ClaimedField& field : claims.header) lines.push_back("header " + field.key + " = " + field.value);
  lines.push_back("status " + std::string(to_token(claims.status)) + " " + claims.status_remark);
  lines.push_back("stage " + claims.current_stage);
  for (const ClaimedStage& stage : claims.completed) {
    std::string line = "completed " + stage.stage + " " + stage.status + " " + stage.hash.digits;
    if (stage.completed_at) line += " " + to_text(stage.completed_at->time);
    for (const std::string& artifact : stage.artifacts) line += " " + artifact;
    lines.push_back(line);
  }
  for (const ClaimedStage& stage : claims.not_completed)
    lines.push_back("open " + stage.stage + " " + stage.status);
  for (const ClaimedField& field : claims.detail.fields)
    lines.push_back("detail " + field.key + " = " + field.value);
  for (const ClaimedIterations& each : claims.iterations) {
    lines.push_back("iterations " + each.stage + " " + number(each.cycles) + "/" + number(each.budget) + " " +
                    each.status);
  }
  for (const ClaimedCluster& each : claims.clusters) {
    lines.push_back("cluster " + each.cluster + " " + number(each.retries) + " " + each.stage + " " + each.notes);
  }
  for (const ClaimedCheckpoint& each : claims.checkpoints) {
    lines.push_back("checkpoint " + each.name + (each.ticked ? " ticked" : " open"));
  }
  lines.push_back("notes " + claims.notes);
  for (const Oddity& each : claims.oddities) lines.push_back("odd " + each.text + ": " + each.why);
  for (const Oddity& each : claims.unfilled) lines.push_back("unfilled " + each.text);
  return lines;
}

}  // namespace reprise
