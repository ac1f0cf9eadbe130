// Transcripts: what is typed and what comes back, as plain text files.
//
//   # a comment
//   $ command            a line of shell, run in a scratch repository
//   > more of it         continuation lines, for here-documents
//   output               stdout and stderr together, as shown
//   ? 3                  the exit code, where it is not 0
//
// What differs from run to run is shown as <time>, <took>, <pid>, <host>, <digest>, <id> and <project>.
// UPDATE=1 rewrites the files from what really happens; the diff is then the review.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "world.h"

namespace reprise::cli_test {

/// One command of a transcript, and what came back.
struct Entry {
  std::vector<std::string> before;   // comments and empty lines
  std::vector<std::string> command;  // its lines, without "$ " and "> "
  std::vector<std::string> output;
  int exit = 0;
};
std::vector<Entry> read_transcript(const fs::path& path);

/// Runs the entry's command in `world` and returns the entry as it is now; as it was if it has no command.
Entry run(const Entry& entry, const World& world);

/// Returns the same text for the same events, whenever and wherever they happen.
std::string normalised(std::string text, const World& world);

/// Returns the entry as its lines in the file.
std::string as_text(const Entry& entry);
std::string joined(const std::vector<std::string>& lines);

}  // namespace reprise::cli_test
