// A file that we write and other programs edit: nobody's change is lost, and none is read half.
//
// Editors save in two ways: they rename a new file over the old one, or they empty the file and write it anew.
// So a file is read only while nobody has it open for writing (a read lease of the kernel says so), and it is
// replaced by exchanging it with the new one in a single step: what was there at that very moment is left beside
// it, whether or not it is what we had read, and the caller looks at it before it goes.
//
// Where the file system has no leases or no exchange (some network ones) the same is tried with what there is: a
// file that is the same in two readings, and a rename after one more look.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace reprise {

/// What was found in a shared file.
struct SharedContent {
  bool exists = false;
  bool settled = true;  // false: somebody is writing it at this moment; look again
  std::string bytes;
  std::string signature;  // changes whenever the content may have
};

/// How often, and after which pause, whoever finds a file being written looks again.
inline constexpr int kLookAgainMax = 200;
inline constexpr Duration kLookAgainAfter{5};

/// Reads `path`. Invalid if it is longer than `bytes_max` or not a regular file; Denied, Io.
Result<SharedContent> read_shared(const std::filesystem::path& path, std::size_t bytes_max);

/// Makes the folders that `path` is to lie in, as the person would: with the usual modes. For a path in the
/// project use make_place_in().
Result<void> make_folder_for(const std::filesystem::path& path);

/// Checks the folders of `below`, a path relative to the project's folder `root`, before a file is written there.
/// Fails with Refused and names the link if one of them is a symbolic link that leads out of `root`, into its .git
/// or .reprise, or nowhere: links come with a clone, and what they lead to is not the project's. Links inside of
/// the project are fine. An absolute `below` is not checked: the user's settings name it. The last component is
/// not checked either: replace_shared() replaces a link there, open_for_append() refuses it.
Result<void> check_place_in(const std::filesystem::path& root, const std::filesystem::path& below);

/// Creates the folders of `below` and returns its whole path. Every file of the project that Reprise writes gets
/// its path here. Fails like check_place_in(), before anything is created.
Result<std::filesystem::path> make_place_in(const std::filesystem::path& root, const std::filesystem::path& below);

/// Moves a file or folder to a place that is free, in one step and durably. Conflict if something is there.
Result<void> move_path(const std::filesystem::path& from, const std::filesystem::path& to);

/// Returns the name beside `path` under which replace_shared() leaves what it displaced, if it is free; else a
/// number is added to it.
std::filesystem::path displaced_name(const std::filesystem::path& path);

/// Returns what lies beside `path` under such names.
std::vector<std::filesystem::path> displaced_files(const std::filesystem::path& path);

/// Makes `bytes` the content of `path`, durably, and leaves what was there as one more of displaced_files(): to be
/// read and then removed. What is among them already stays, whoever still writes it. A reader sees the whole old
/// or the whole new content. The folder must exist.
Result<void> replace_shared(const std::filesystem::path& path, std::string_view bytes);

/// Removes what a replace_shared() that was cut off left half made.
Result<void> discard_unfinished(const std::filesystem::path& path);

}  // namespace reprise
