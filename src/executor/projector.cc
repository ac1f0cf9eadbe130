#include "executor/projector.h"

#include <utility>

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
  if (!has_begun_) {
    has_begun_ = true;
    known_ = {state.state_file.digest, state.state_file.before};
    in_file_ = state.state_file.digest;
    TRY_VOID(check_place_in(project_, state.state_file.path));
    TRY_VOID(discard_unfinished(place(state)));
    if (!displaced_files(place(state)).empty()) TRY_VOID(know_all_on_record(state));
  }
  if (!TRY(look(state))) return std::nullopt;
  if (std::optional<Edit> displaced = TRY(find_displaced(state))) return displaced;
  if (!unread_) return std::nullopt;
  std::optional<Edit> edit = TRY(edit_from(in_file_, std::move(*unread_)));
  unread_.reset();
  in_file_ = edit->now_digest;
  return edit;
}

// A session that was killed may have left beside the file what it, or one before it, had written or taken long
// ago.
Result<void> Projector::know_all_on_record(const RunState& state) {
  for (EventNumber seen{0};;) {
    const std::vector<RecordedEvent> events = TRY(journal_.events(state.id, seen, kEventsPerReadMax));
    if (events.empty()) return {};
    for (const RecordedEvent& each : events) {
      if (const auto* written = std::get_if<StateFileWritten>(&each.event)) known_.insert(written->digest);
      if (const auto* edited = std::get_if<StateFileEdited>(&each.event)) known_.insert(edited->digest);
    }
    seen = events.back().number;
  }
}

// Reads the file if it may have changed. False: it is being written at this moment. Then nothing else is taken in
// either: an edit is recorded together with what is written next, so that the record knows what is in the file.
Result<bool> Projector::look(const RunState& state) {
  PosixFileSystem files;
  const std::optional<FileInfo> info = TRY(files.stat(place(state)));
  if (has_looked_ && (info ? info->signature : "") == signature_) return true;
  SharedContent content = TRY(read_shared(place(state), kDocumentBytesMax));
  if (!content.settled) return false;
  // Whatever is there, either it is what was announced, or the session that announced it ended before it was
  // written.
  if (!has_looked_ && !state.state_file.digest.empty()) base_ = TRY(journal_.text(state.state_file.digest));
  has_looked_ = true;
  signature_ = content.signature;
  on_disk_ = content.exists ? to_text(digest_of(content.bytes)) : "";
  unread_.reset();
  if (!is_known(on_disk_)) {
    unread_ = std::move(content.bytes);
  } else {
    in_file_ = on_disk_;
  }
  return true;
}

// What lies beside the file was there when we wrote: our own earlier content, or what an editor saved at that
// moment.
Result<std::optional<Projector::Edit>> Projector::find_displaced(const RunState& state) {
  if (!has_displaced_) return std::nullopt;
  for (const std::filesystem::path& beside : displaced_files(place(state))) {
    SharedContent content = TRY(read_shared(beside, kDocumentBytesMax));
    if (!content.settled || !content.exists) continue;
    if (!is_known(to_text(digest_of(content.bytes))))
      return edit_from(state.state_file.before, std::move(content.bytes));
  }
  TRY_VOID(drop_displaced(place(state)));
  return std::nullopt;
}

Result<void> Projector::take(const Edit& edit, bool is_readable) {
  TRY(journal_.put_text(edit.now));
  taken_.insert(edit.now_digest);
  base_ = is_readable ? edit.now : edit.before;
  return {};
}

// What was found stays where a person can open it, whatever is written over it.
Result<std::string> Projector::keep(const Edit& edit, const RunState& state) {
  const std::filesystem::path folder = store_ / "edits" / path_component(state.id.text);
  const std::string name = std::filesystem::path(state.state_file.path).filename().string();
  const std::filesystem::path kept = folder / (to_hex(shortened(digest_of(edit.now))) + "-" + name);
  TRY_VOID(files_.make_directories(folder));
  TRY_VOID(files_.replace(kept, edit.now));
  return kept.lexically_relative(project_).string();
}

Result<std::optional<StateFileWritten>> Projector::prepare(const RunState& state) {
  if (!has_looked_) return std::nullopt;  // somebody writes it: later
  const std::string bytes = TRY(native_.show(base_, state));
  if (bytes.empty()) return std::nullopt;  // there is nothing to show yet
  const std::string digest = to_text(digest_of(bytes));
  if (digest == on_disk_ && state.state_file.digest == on_disk_) return std::nullopt;
  TRY(journal_.put_text(bytes));
  planned_ = bytes;
  planned_file_ = state.state_file.path;
  // What was not read yet is not on record: it will lie beside the file, and be found there.
  return StateFileWritten{
      .file = state.state_file.path, .before = unread_ ? in_file_ : on_disk_, .digest = digest};
}

Result<void> Projector::write() {
  known_.merge(std::exchange(taken_, {}));
  if (planned_) {
    base_ = std::move(*planned_);
    planned_.reset();
    const std::string digest = to_text(digest_of(base_));
    known_.insert(digest);
    if (digest != on_disk_) {
      TRY_VOID(replace_shared(TRY(make_place_in(project_, planned_file_)), base_));
      on_disk_ = digest;
      in_file_ = digest;
      unread_.reset();  // if there was any, it lies beside now
      has_displaced_ = true;
      signature_ = "to be read again: an editor may have saved since";
    }
  }
  return has_displaced_ && !planned_file_.empty() ? drop_displaced(project_ / planned_file_) : Result<void>();
}

// What was displaced goes at once if it is what we expected there, and on record; anything else stays to be read
// as an edit.
Result<void> Projector::drop_displaced(const std::filesystem::path& file) {
  PosixFileSystem files;
  has_displaced_ = false;
  for (const std::filesystem::path& beside : displaced_files(file)) {
    const SharedContent content = TRY(read_shared(beside, kDocumentBytesMax));
    if (!content.exists) continue;
    if (content.settled && known_.contains(to_text(digest_of(content.bytes)))) {
      TRY_VOID(files.remove(beside));
    } else {
      has_displaced_ = true;
    }
  }
  return {};
}

Result<void> write_announced(Journal& journal, const std::filesystem::path& project, const RunState& state) {
  const StateFileState& file = state.state_file;
  if (file.path.empty() || file.digest.empty()) return {};
  const std::filesystem::path place = project / file.path;
  const SharedContent content = TRY(read_shared(place, kDocumentBytesMax));
  const std::string digest = content.exists ? to_text(digest_of(content.bytes)) : "";
  if (content.settled && digest == file.before && digest != file.digest) {
    TRY_VOID(replace_shared(TRY(make_place_in(project, file.path)), TRY(journal.text(file.digest))));
  }
  PosixFileSystem files;
  for (const std::filesystem::path& displaced : displaced_files(place)) {
    const SharedContent old = TRY(read_shared(displaced, kDocumentBytesMax));
    const std::string known = to_text(digest_of(old.bytes));
    if (old.exists && old.settled && (known == file.before || known == file.digest))
      TRY_VOID(files.remove(displaced));
  }
  return {};
}

}  // namespace reprise
