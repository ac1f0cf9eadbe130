// What git prints, or a broken git, or a file name that looks like it: read without a crash, and no name is made
// up.

#include "fuzz.h"
#include "git/git_output.h"
#include "lanes/snapshot_workshop.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view output = as_text(data, size);
  const auto is_in = [&](std::string_view name) { return output.find(name) != std::string_view::npos; };
  const TreeStatus status = parse_status(output);
  for (const StatusEntry& entry : status.changed) check(is_in(entry.path));
  for (const std::string& path : status.conflicted) check(is_in(path));
  for (const std::string& path : status.untracked) check(is_in(path));
  for (const std::string& path : status.ignored) check(is_in(path));
  for (const WorktreeEntry& entry : parse_worktree_list(output)) {
    check(is_in(entry.path.native()) && is_in(entry.head));
    check(!entry.branch || is_in(*entry.branch));
  }
  for (const MergeConflict& conflict : parse_merge_tree(output).conflicts) check(is_in(conflict.path));
  if (const Result<std::vector<IndexEntry>> entries = parse_entries(output)) {
    for (const IndexEntry& entry : *entries) check(is_in(entry.path));
  }
  return 0;
}
