// The spec loop's index files that tests read, and claims as lines that can be compared.

#pragma once

#include <string>
#include <vector>

#include "base/strings.h"
#include "formats/playbook_test_files.h"
#include "formats/spec_loop.h"

namespace reprise {

/// Our own files; those of other systems start with "foreign_".
inline std::vector<TestFile> spec_loop_fixtures() {
  return test_files_in(source_folder() / "tests/fixtures/spec_loop");
}

inline std::string spec_loop_fixture(std::string_view name) {
  return read_test_file(source_folder() / "tests/fixtures/spec_loop" / name);
}

/// Those that are index files of a spec loop.
inline std::vector<TestFile> own_spec_loop_fixtures() {
  std::vector<TestFile> files = spec_loop_fixtures();
  std::erase_if(files, [](const TestFile& file) { return file.name.starts_with("foreign_"); });
  return files;
}

/// What mutations put into an index file: Markdown, bytes that are no text, words of its own.
inline const std::vector<std::string>& spec_loop_pieces() {
  static const std::vector<std::string> pieces = {"|",           "\n",
                                                  "\r",          "- ",
                                                  "## ",         "```\n",
                                                  ": ",          "| Loop Status | completed |\n",
                                                  "\\",          "**",
                                                  "---",         "<!--",
                                                  "\t",          std::string(1, '\0'),
                                                  "\xFF",        "C1.1",
                                                  "G-001",       "| a | b |\n|---|---|\n",
                                                  "{{x}}",       "null",
                                                  "answered — x"};
  return pieces;
}

inline std::string to_line(const ClaimedQuestion& question) {
  return "question " + question.id + " [" + join(question.gaps, " ") + "] " + question.question + " (" +
         question.options + ") " + std::string(to_token(question.status)) + (question.applied ? " applied" : "") +
         " = " + question.answer;
}

inline std::string to_line(const ClaimedGap& gap) {
  return "gap " + gap.id + " " + std::string(to_token(gap.priority)) + " " + std::string(to_token(gap.status)) +
         " " + gap.text + " = " + gap.resolution;
}

/// The claims as one line each, without the file's lines, so that two readings can be compared.
inline std::vector<std::string> claim_lines(const SpecLoopClaims& claims) {
  std::vector<std::string> lines;
  const auto number = [](const ClaimedCount& count) { return count.number ? std::to_string(*count.number) : "?"; };
  lines.push_back("feature " + claims.feature);
  for (const ClaimedField& field : claims.metadata) lines.push_back("metadata " + field.key + " = " + field.value);
  for (const ClaimedField& field : claims.loop) lines.push_back("loop " + field.key + " = " + field.value);
  lines.push_back("status " + std::string(to_token(claims.status)));
  lines.push_back("iteration " + number(claims.iteration) + " stale " + number(claims.stale));
  for (const ClaimedQuestion& question : claims.questions) lines.push_back(to_line(question));
  for (const ClaimedGap& gap : claims.gaps) lines.push_back(to_line(gap));
  for (const ClaimedResolution& each : claims.history) lines.push_back("history " + each.gap + " " + each.words);
  for (const ClaimedAnswer& each : claims.answers) {
    lines.push_back("answer " + each.question + " " + (each.applied ? "applied" : "not applied") + " " +
                    (each.at ? to_text(each.at->time) : "?") + " = " + each.answer);
  }
  for (const ClaimedDocument& each : claims.documents)
    lines.push_back("document " + each.document + " " + each.status + " " + each.path);
  for (const ClaimedWorkflow& each : claims.workflows)
    lines.push_back("workflow " + each.workflow + " " + each.status);
  for (const Oddity& each : claims.oddities) lines.push_back("odd " + each.text + ": " + each.why);
  for (const Oddity& each : claims.unfilled) lines.push_back("unfilled " + each.text);
  for (const LoopFault& each : claims.faults) lines.push_back("fault " + each.text + ": " + each.wrong);
  return lines;
}

}  // namespace reprise
