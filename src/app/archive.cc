#include "app/archive.h"

#include <boost/json.hpp>

#include "base/digest.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "model/ids.h"
#include "model/limits.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path root_of(const App& app) { return app.store / "archive"; }

fs::path folder_of(const App& app, const ArchiveEntry& entry) {
  return root_of(app) / (std::to_string(entry.number) + "-" + path_component(entry.id));
}

// What was put in the place of `path`, and taken away by undo.
fs::path replaced_place(const App& app, const ArchiveEntry& entry, const std::string& path) {
  return folder_of(app, entry) / "replaced" / fs::path(path).relative_path();
}

std::string manifest_of(const ArchiveEntry& entry) {
  JsonWriter writer;
  writer.begin_object().field("id", entry.id).field("at", to_text(entry.at)).field("by", entry.by);
  writer.field("changed_at", to_text(entry.changed_at)).field("restored", entry.restored);
  if (entry.is_run) writer.field("run", true);
  if (entry.created) writer.field("created", true);
  if (!entry.lanes.empty()) {
    writer.field("removed", entry.removed).key("lanes").begin_array();
    for (const std::string& lane : entry.lanes) writer.value(lane);
    writer.end_array();
  }
  if (!entry.replacements.empty()) {
    writer.key("replacements").begin_object();
    for (const auto& [path, digest] : entry.replacements) writer.field(path, digest);
    writer.end_object();
  }
  writer.key("paths").begin_array();
  for (const std::string& path : entry.paths) writer.value(path);
  writer.end_array().end_object();
  return writer.take() + "\n";
}

Result<void> write_manifest(App& app, const ArchiveEntry& entry) {
  return app.files.replace(folder_of(app, entry) / "manifest.json", manifest_of(entry));
}

std::optional<ArchiveEntry> parse_archive_entry(const std::string& bytes, int number) {
  boost::system::error_code error;
  const json::value value = json::parse(bytes, error);
  if (error || !value.is_object()) return std::nullopt;
  const json::object& object = value.get_object();
  ArchiveEntry entry{.number = number};
  const auto text = [&](std::string_view name) {
    const json::value* found = object.if_contains(name);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
  };
  entry.id = text("id");
  entry.by = text("by");
  entry.at = parse_timestamp(text("at")).value_or(Timestamp{});
  entry.changed_at = parse_timestamp(text("changed_at")).value_or(entry.at);
  const auto flag = [&](std::string_view name) {
    const json::value* found = object.if_contains(name);
    return found != nullptr && found->is_bool() && found->get_bool();
  };
  entry.restored = flag("restored");
  entry.removed = flag("removed");
  entry.is_run = flag("run");
  entry.created = flag("created");
  const auto list = [&](std::string_view name, std::vector<std::string>& into) {
    const json::value* found = object.if_contains(name);
    if (found == nullptr || !found->is_array()) return;
    for (const json::value& item : found->get_array()) {
      if (item.is_string()) into.emplace_back(item.get_string());
    }
  };
  list("paths", entry.paths);
  list("lanes", entry.lanes);
  if (const json::value* found = object.if_contains("replacements"); found != nullptr && found->is_object()) {
    for (const auto& [path, digest] : found->get_object()) {
      if (digest.is_string()) entry.replacements[std::string(path)] = std::string(digest.get_string());
    }
  }
  if (const std::string only = text("replacement"); !only.empty() && entry.paths.size() == 1)
    entry.replacements[entry.paths.front()] = only;
  return entry;
}

}  // namespace

Result<std::vector<ArchiveEntry>> archives(App& app) {
  std::vector<ArchiveEntry> entries;
  for (const std::string& name : TRY(app.files.list(root_of(app)))) {
    const std::optional<long long> number = parse_number(name.substr(0, name.find('-')), 1'000'000'000);
    const Result<std::string> bytes = app.files.read(root_of(app) / name / "manifest.json", kDocumentBytesMax);
    if (!number || !bytes) continue;
    if (std::optional<ArchiveEntry> entry = parse_archive_entry(*bytes, static_cast<int>(*number)))
      entries.push_back(std::move(*entry));
  }
  std::ranges::sort(entries, {}, &ArchiveEntry::number);
  return entries;
}

std::filesystem::path archived_place(const App& app, const ArchiveEntry& entry, const std::string& path) {
  return folder_of(app, entry) / "files" / fs::path(path).relative_path();
}

namespace {

Result<ArchiveEntry> new_entry(App& app, const std::string& id) {
  const std::vector<ArchiveEntry> before = TRY(archives(app));
  ArchiveEntry entry{.number = before.empty() ? 1 : before.back().number + 1, .id = id};
  entry.at = app.clock.now();
  entry.changed_at = entry.at;
  entry.by = app.actor;
  return entry;
}

Result<bool> is_there(App& app, const fs::path& path) { return TRY(app.files.stat(path)).has_value(); }

// Whether what lies at `path` may give way: it is what was put there in place of the archived file, or the same.
Result<bool> may_give_way(App& app, const ArchiveEntry& entry, const std::string& path) {
  const Result<std::string> now = app.files.read(app.project / path, kDocumentBytesMax);
  const auto replacement = entry.replacements.find(path);
  if (!now || replacement == entry.replacements.end()) return false;
  return to_text(digest_of(*now)) == replacement->second || *now == TRY(read_archived(app, entry, path));
}

// No file outside of the project is archived or written through a link that came with a clone.
Result<void> check_paths(const App& app, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) TRY_VOID(check_place_in(app.project, path));
  return {};
}

Result<void> move_into(const fs::path& from, const fs::path& to) {
  TRY_VOID(make_folder_for(to));
  return move_path(from, to);
}

}  // namespace

Result<ArchiveEntry> archive_paths(App& app, const std::string& id, const std::vector<std::string>& paths) {
  TRY_VOID(check_paths(app, paths));
  ArchiveEntry entry = TRY(new_entry(app, id));
  for (const std::string& path : paths) {
    if (TRY(is_there(app, app.project / path))) entry.paths.push_back(path);
  }
  TRY_VOID(app.files.make_directories(folder_of(app, entry)));
  TRY_VOID(write_manifest(app, entry));
  for (const std::string& path : entry.paths)
    TRY_VOID(move_into(app.project / path, archived_place(app, entry, path)));
  return entry;
}

Result<ArchiveEntry> archive_and_replace(App& app, const std::string& id, const std::string& path,
                                         const std::string& bytes) {
  return archive_and_change(app, id, {{path, bytes}});
}

Result<ArchiveEntry> archive_and_change(App& app, const std::string& id,
                                        const std::map<std::string, std::string>& contents) {
  for (const auto& [path, bytes] : contents) TRY_VOID(check_place_in(app.project, path));
  ArchiveEntry entry = TRY(new_entry(app, id));
  TRY_VOID(app.files.make_directories(folder_of(app, entry)));
  for (const auto& [path, bytes] : contents) {
    entry.paths.push_back(path);
    if (bytes.empty()) continue;
    entry.replacements[path] = to_text(digest_of(bytes));
    const fs::path place = archived_place(app, entry, path);
    TRY_VOID(app.files.make_directories(place.parent_path()));
    TRY_VOID(app.files.replace(place, TRY(app.files.read(app.project / path, kDocumentBytesMax))));
  }
  TRY_VOID(write_manifest(app, entry));
  for (const auto& [path, bytes] : contents) {
    if (!bytes.empty()) {
      TRY_VOID(app.files.replace(app.project / path, bytes));
    } else if (TRY(is_there(app, app.project / path))) {
      TRY_VOID(move_into(app.project / path, archived_place(app, entry, path)));
    }
  }
  return entry;
}

Result<std::string> read_archived(App& app, const ArchiveEntry& entry, const std::string& path) {
  return app.files.read(archived_place(app, entry, path), kDocumentBytesMax);
}

namespace {

// What was made is taken away, if it is still what was made.
Result<void> remove_created(App& app, const ArchiveEntry& entry) {
  for (const std::string& path : entry.paths) {
    const auto made = entry.replacements.find(path);
    const Result<std::string> now = app.files.read(app.project / path, kDocumentBytesMax);
    if (!now && now.error().kind == ErrorKind::NotFound) continue;
    if (!now) return fail(now.error());
    if (made == entry.replacements.end() || to_text(digest_of(*now)) != made->second)
      return fail(
          Error{.kind = ErrorKind::Conflict, .message = path + " was changed since it was made", .file = path}
              .hint("mv " + shell_quote(path) + " " + shell_quote(path + ".removed")));
    TRY_VOID(move_into(app.project / path, replaced_place(app, entry, path)));
  }
  return mark_restored(app, entry, true);
}

}  // namespace

Result<void> restore(App& app, const ArchiveEntry& entry) {
  TRY_VOID(check_paths(app, entry.paths));
  if (entry.created) return remove_created(app, entry);
  for (const std::string& path : entry.paths) {
    const bool is_archived = TRY(is_there(app, archived_place(app, entry, path)));
    if (is_archived && TRY(is_there(app, app.project / path)) && !TRY(may_give_way(app, entry, path))) {
      return fail(Error{
          .kind = ErrorKind::Conflict, .message = path + " is there again; it would be overwritten", .file = path}
                      .hint("mv " + shell_quote(path) + " " + shell_quote(path + ".new")));
    }
  }
  for (const std::string& path : entry.paths) {
    const fs::path source = archived_place(app, entry, path);
    if (!TRY(is_there(app, source))) continue;
    if (TRY(is_there(app, app.project / path)))
      TRY_VOID(move_into(app.project / path, replaced_place(app, entry, path)));
    TRY_VOID(move_into(source, app.project / path));
  }
  return mark_restored(app, entry, true);
}

Result<void> set_aside_again(App& app, const ArchiveEntry& entry) {
  TRY_VOID(check_paths(app, entry.paths));
  for (const std::string& path : entry.paths) {
    const fs::path place = archived_place(app, entry, path);
    if (!TRY(is_there(app, place)) && TRY(is_there(app, app.project / path)))
      TRY_VOID(move_into(app.project / path, place));
    const fs::path replaced = replaced_place(app, entry, path);
    if (TRY(is_there(app, replaced))) TRY_VOID(move_into(replaced, app.project / path));
  }
  return mark_restored(app, entry, false);
}

Result<void> mark_restored(App& app, ArchiveEntry entry, bool restored) {
  entry.restored = restored;
  entry.changed_at = app.clock.now();
  return write_manifest(app, entry);
}

Result<void> note_created(App& app, const std::string& id, const std::string& path) {
  ArchiveEntry entry = TRY(new_entry(app, id));
  entry.created = true;
  entry.paths = {path};
  entry.replacements[path] = to_text(digest_of(TRY(app.files.read(app.project / path, kDocumentBytesMax))));
  TRY_VOID(app.files.make_directories(folder_of(app, entry)));
  return write_manifest(app, entry);
}

Result<void> note_run(App& app, const std::string& id, const std::vector<std::string>& lanes) {
  ArchiveEntry entry = TRY(new_entry(app, id));
  entry.is_run = true;
  entry.lanes = lanes;
  TRY_VOID(app.files.make_directories(folder_of(app, entry)));
  return write_manifest(app, entry);
}

Result<ArchiveEntry> note_lanes(App& app, const std::string& id, const std::vector<std::string>& lanes,
                                bool removed) {
  ArchiveEntry entry = TRY(new_entry(app, id));
  entry.lanes = lanes;
  entry.removed = removed;
  TRY_VOID(app.files.make_directories(folder_of(app, entry)));
  TRY_VOID(write_manifest(app, entry));
  return entry;
}

Result<void> forget_note(App& app, const ArchiveEntry& entry) {
  return app.files.remove_tree(folder_of(app, entry));
}

}  // namespace reprise
