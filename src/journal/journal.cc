#include "journal/journal.h"

#include <unordered_map>

namespace reprise {

void mark_siblings(std::vector<RunEntry>& all) {
  std::unordered_map<std::string_view, int> counts;
  for (const RunEntry& entry : all) ++counts[subject_of(entry.id)];
  for (RunEntry& entry : all) entry.id.has_siblings = counts[subject_of(entry.id)] > 1;
}

}  // namespace reprise
