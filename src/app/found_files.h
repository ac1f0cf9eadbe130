// Reads files of the project that other programs left: whatever they are, nothing outside of the project is read,
// and what is left alone is told with its path and why.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scan.h"
#include "base/result.h"
#include "os/folder_reader.h"

namespace reprise {

/// Why a link that leads to nothing is no state file.
inline constexpr std::string_view kLinkToNothing = "it is a link to a file that is not there";

class FoundFiles {
 public:
  /// What is left alone is added to `ignored`, which must outlive this.
  FoundFiles(App& app, std::vector<IgnoredFile>& ignored);

  /// Returns the sorted names in a folder of the project. None if there is no such folder, if it lies outside or
  /// if it cannot be listed; the latter two are told.
  std::vector<std::string> list(const std::string& folder);

  /// Reads a file with the time of its last change. NotFound: there is none, or it lies outside, which is told.
  /// Other errors name path and cause.
  Result<FolderReader::File> read(const std::string& path);

  bool is_folder(const std::string& path);
  /// Returns when `path` was last changed; nothing if there is no such file or folder in the project.
  std::optional<Timestamp> time_of(const std::string& path);

  /// Tells that a file is left alone.
  void ignore(std::string path, std::string why) { ignored_.push_back({std::move(path), std::move(why)}); }
  /// The same for a file that is at no place of a state, and one of many there.
  void pass_over(std::string path, std::string why) {
    ignored_.push_back({.path = std::move(path), .why = std::move(why), .is_at_state_place = false});
  }
  /// Returns sentence_about() a file of this project.
  std::string sentence(const std::string& path, const Error& error) const;

 private:
  App& app_;
  FolderReader below_;
  std::vector<IgnoredFile>& ignored_;
};

/// Returns an error as one sentence about a file of the project: the file, the line if there is one, the cause.
std::string sentence_about(const App& app, const std::string& path, const Error& error);

}  // namespace reprise
