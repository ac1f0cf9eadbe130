#include "executor/state_file.h"

#include "base/digest.h"
#include "model/limits.h"
#include "os/shared_file.h"

namespace reprise {

Result<std::optional<StateFileEdit>> PeekedStateFile::find_edit(const RunState& state) {
  if (std::exchange(has_looked_, true)) return std::nullopt;
  const StateFileState& file = state.state_file;
  if (!file.digest.empty()) base_ = TRY(text_(file.digest));
  SharedContent content = TRY(read_shared(project_ / file.path, kDocumentBytesMax));
  if (!content.settled) return std::nullopt;
  const std::string digest = content.exists ? to_text(digest_of(content.bytes)) : "";
  if (digest == file.digest || digest == file.before) return std::nullopt;
  return StateFileEdit{
      .before = base_, .now = std::move(content.bytes), .before_digest = file.digest, .now_digest = digest};
}

Result<void> PeekedStateFile::take(const StateFileEdit& edit, bool is_readable) {
  base_ = is_readable ? edit.now : edit.before;
  return {};
}

}  // namespace reprise
