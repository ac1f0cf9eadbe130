#include "executor/projector.h"

#include "base/digest.h"
#include "model/limits.h"
#include "os/file_system.h"
#include "os/shared_file.h"

namespace reprise {

Result<std::optional<Projector::Edit>> Projector::edit_from(const std::string& base_digest, std::string now) {
  Edit edit{.before = "", .now = std::move(now), .before_digest = base_digest, .now_digest = ""};
  edit.now_digest = to_text(digest_of(edit.now));
  if (!base_digest.empty()) edit.before = TRY(journal_.text(base_digest));
  return edit;
}

Result<std::optional<Projector::Edit>> Projector::find_edit(const RunState& state) {
  known_.insert(state.state_file.digest);
  known_.insert(state.state_file.before);
  if (std::optional<Edit> displaced = TRY(find_displaced(state))) return displaced;
  const std::filesystem::path file = place(state);
  PosixFileSystem files;
  const std::optional<FileInfo> info = TRY(files.stat(file));
  if (has_looked_ && (info ? info->signature : "") == signature_) return std::nullopt;
  SharedContent content = TRY(read_shared(file, kDocumentBytesMax));
  if (!content.settled) return std::nullopt;
  has_looked_ = true;
  signature_ = content.signature;
  on_disk_ = content.exists ? to_text(digest_of(content.bytes)) : "";
  if (known_.contains(on_disk_)) {
    // Either it is what was announced, or the session that announced it ended before it was written.
    base_ = state.state_file.digest.empty() ? "" : TRY(journal_.text(state.state_file.digest));
    return std::nullopt;
  }
  return edit_from(state.state_file.digest, std::move(content.bytes));
}

// What lies beside the file was there when we last wrote: our own earlier content, or what an editor saved at
// that moment.
Result<std::optional<Projector::Edit>> Projector::find_displaced(const RunState& state) {
  if (!has_displaced_) return std::nullopt;
  const std::filesystem::path beside = displaced_name(place(state));
  SharedContent content = TRY(read_shared(beside, kDocumentBytesMax));
  if (!content.settled) return std::nullopt;
  if (content.exists && !known_.contains(to_text(digest_of(content.bytes)))) {
    return edit_from(state.state_file.before, std::move(content.bytes));
  }
  TRY_VOID(drop_displaced(place(state)));
  return std::nullopt;
}

Result<void> Projector::take(const Edit& edit, bool is_readable) {
  TRY(journal_.put_text(edit.now));
  known_.insert(edit.now_digest);
  base_ = is_readable ? edit.now : edit.before;
  return {};
}

Result<std::optional<StateFileWritten>> Projector::prepare(const RunState& state) {
  if (!has_looked_) return std::nullopt;  // somebody writes it: later
  const std::string bytes = TRY(native_.show(base_, state));
  const std::string digest = to_text(digest_of(bytes));
  if (digest == on_disk_) return std::nullopt;
  TRY(journal_.put_text(bytes));
  planned_ = bytes;
  planned_place_ = place(state);
  return StateFileWritten{.file = state.state_file.path, .before = on_disk_, .digest = digest};
}

Result<void> Projector::write() {
  if (!planned_) return {};
  TRY_VOID(make_folder_for(planned_place_));
  TRY_VOID(replace_shared(planned_place_, *planned_));
  base_ = std::move(*planned_);
  planned_.reset();
  known_.insert(on_disk_);
  on_disk_ = to_text(digest_of(base_));
  known_.insert(on_disk_);
  signature_ = "to be read again: an editor may have saved since";
  return drop_displaced(planned_place_);
}

// What was displaced goes at once if it is what we expected there; anything else stays to be read as an edit.
Result<void> Projector::drop_displaced(const std::filesystem::path& file) {
  const SharedContent content = TRY(read_shared(displaced_name(file), kDocumentBytesMax));
  has_displaced_ = !content.settled || (content.exists && !known_.contains(to_text(digest_of(content.bytes))));
  if (has_displaced_ || !content.exists) return {};
  PosixFileSystem files;
  return files.remove(displaced_name(file));
}

Result<std::string> content_to_build_on(Journal& journal, const std::filesystem::path& project,
                                        const RunState& state) {
  SharedContent content = TRY(read_shared(project / state.state_file.path, kDocumentBytesMax));
  const std::string digest = content.exists && content.settled ? to_text(digest_of(content.bytes)) : "";
  const bool is_ours = digest.empty() || digest == state.state_file.digest || digest == state.state_file.before;
  if (!is_ours) return std::move(content.bytes);
  return state.state_file.digest.empty() ? std::string() : journal.text(state.state_file.digest);
}

}  // namespace reprise
