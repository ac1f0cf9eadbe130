#include "app/archive.h"

#include <boost/json.hpp>

#include "base/json_writer.h"
#include "base/strings.h"
#include "model/limits.h"
#include "os/shared_file.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path root_of(const App& app) { return app.store / "archive"; }

std::string folder_name(int number, const std::string& id) {
  std::string name = std::to_string(number) + "-";
  for (const char c : id) name += c == '/' ? '_' : c;
  return name;
}

fs::path folder_of(const App& app, const ArchiveEntry& entry) {
  return root_of(app) / folder_name(entry.number, entry.id);
}

std::string manifest_of(const ArchiveEntry& entry) {
  JsonWriter writer;
  writer.begin_object().field("id", entry.id).field("at", to_text(entry.at)).field("by", entry.by);
  writer.field("restored", entry.restored).key("paths").begin_array();
  for (const std::string& path : entry.paths) writer.value(path);
  writer.end_array().end_object();
  return writer.take() + "\n";
}

Result<void> write_manifest(App& app, const ArchiveEntry& entry) {
  return app.files.replace(folder_of(app, entry) / "manifest.json", manifest_of(entry));
}

std::optional<ArchiveEntry> parse_manifest(const std::string& bytes, int number) {
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
  if (const json::value* restored = object.if_contains("restored"))
    entry.restored = restored->is_bool() && restored->get_bool();
  if (const json::value* paths = object.if_contains("paths"); paths != nullptr && paths->is_array()) {
    for (const json::value& path : paths->get_array()) {
      if (path.is_string()) entry.paths.emplace_back(path.get_string());
    }
  }
  return entry;
}

}  // namespace

Result<std::vector<ArchiveEntry>> archives(App& app) {
  std::vector<ArchiveEntry> entries;
  for (const std::string& name : TRY(app.files.list(root_of(app)))) {
    const std::optional<long long> number = parse_number(name.substr(0, name.find('-')), 1'000'000'000);
    const Result<std::string> bytes = app.files.read(root_of(app) / name / "manifest.json", kDocumentBytesMax);
    if (!number || !bytes) continue;
    if (std::optional<ArchiveEntry> entry = parse_manifest(*bytes, static_cast<int>(*number)))
      entries.push_back(std::move(*entry));
  }
  std::ranges::sort(entries, {}, &ArchiveEntry::number);
  return entries;
}

Result<ArchiveEntry> archive_paths(App& app, const std::string& id, const std::vector<std::string>& paths) {
  const std::vector<ArchiveEntry> before = TRY(archives(app));
  ArchiveEntry entry{.number = before.empty() ? 1 : before.back().number + 1, .id = id};
  entry.at = app.clock.now();
  entry.by = app.actor;
  for (const std::string& path : paths) {
    if (TRY(app.files.stat(app.project / path))) entry.paths.push_back(path);
  }
  TRY_VOID(app.files.make_directories(folder_of(app, entry)));
  TRY_VOID(write_manifest(app, entry));
  for (const std::string& path : entry.paths) {
    const fs::path target = folder_of(app, entry) / "files" / path;
    TRY_VOID(app.files.make_directories(target.parent_path()));
    TRY_VOID(move_path(app.project / path, target));
  }
  return entry;
}

Result<std::string> read_archived(App& app, const ArchiveEntry& entry, const std::string& path) {
  return app.files.read(folder_of(app, entry) / "files" / path, kDocumentBytesMax);
}

Result<void> restore(App& app, const ArchiveEntry& entry) {
  for (const std::string& path : entry.paths) {
    const bool is_archived = TRY(app.files.stat(folder_of(app, entry) / "files" / path)).has_value();
    if (is_archived && TRY(app.files.stat(app.project / path))) {
      return fail(Error{
          .kind = ErrorKind::Conflict, .message = path + " is there again; it would be overwritten", .file = path}
                      .hint("mv " + shell_quote(path) + " " + shell_quote(path + ".new")));
    }
  }
  for (const std::string& path : entry.paths) {
    const fs::path source = folder_of(app, entry) / "files" / path;
    if (!TRY(app.files.stat(source))) continue;
    TRY_VOID(make_folder_for(app.project / path));
    TRY_VOID(move_path(source, app.project / path));
  }
  ArchiveEntry done = entry;
  done.restored = true;
  return write_manifest(app, done);
}

}  // namespace reprise
