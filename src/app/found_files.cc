#include "app/found_files.h"

#include "app/project_files.h"
#include "model/limits.h"

namespace reprise {
namespace {

constexpr std::string_view kOutside = "it is a link to a place outside of the project";

}  // namespace

FoundFiles::FoundFiles(App& app, std::vector<IgnoredFile>& ignored)
    : app_(app), below_(app.project), ignored_(ignored) {}

std::vector<std::string> FoundFiles::list(const std::string& folder) {
  Result<std::vector<std::string>> names = app_.files.list(app_.project / folder);
  if (!names) {
    ignored_.push_back({.path = folder, .why = sentence(folder, names.error()), .is_closed = true});
    return {};
  }
  if (!names->empty() && !is_inside(app_, folder)) {
    ignore(folder, std::string(kOutside));
    return {};
  }
  return std::move(*names);
}

Result<FolderReader::File> FoundFiles::read(const std::string& path) {
  FolderReader::File file;
  const bool is_pretended = app_.files.pretended(app_.project / path) != nullptr;
  const FolderReader::Answer answer =
      is_pretended ? FolderReader::Answer::Unclear : below_.read(path, kDocumentBytesMax, file);
  if (answer == FolderReader::Answer::Read) return file;
  if (answer == FolderReader::Answer::Missing) return fail(ErrorKind::NotFound, "");
  const Result<std::optional<FileInfo>> info = app_.files.stat(app_.project / path);
  if (!info) return fail(info.error());
  if (!*info && !is_pretended) ignore(path, std::string(kLinkToNothing));
  if (!*info || (*info)->type != FileType::Regular) return fail(ErrorKind::NotFound, "");
  if (!is_inside(app_, path)) {
    ignore(path, std::string(kOutside));
    return fail(ErrorKind::NotFound, "");
  }
  file.modified = (*info)->modified;
  file.bytes = TRY(app_.files.read(app_.project / path, kDocumentBytesMax));
  return file;
}

bool FoundFiles::is_folder(const std::string& path) { return is_folder_inside(app_, path); }

std::string FoundFiles::sentence(const std::string& path, const Error& error) const {
  return sentence_about(app_, path, error);
}

std::optional<Timestamp> FoundFiles::time_of(const std::string& path) {
  if (!is_inside(app_, path)) return std::nullopt;
  const Result<std::optional<FileInfo>> info = app_.files.stat(app_.project / path);
  if (!info || !*info) return std::nullopt;
  return (*info)->modified;
}

std::string sentence_about(const App& app, const std::string& path, const Error& error) {
  std::string cause = error.message;
  // Messages of the file system begin with the whole path, which is said already.
  const std::string whole = (app.project / path).string();
  if (cause.starts_with(whole)) cause.erase(0, whole.size());
  while (cause.starts_with(':') || cause.starts_with(' ')) cause.erase(0, 1);
  return path + ": " + (error.line > 0 ? "line " + std::to_string(error.line) + ": " : "") + cause;
}

}  // namespace reprise
