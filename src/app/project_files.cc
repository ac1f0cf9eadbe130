#include "app/project_files.h"

#include "model/limits.h"
#include "os/machine.h"

namespace reprise {

bool is_inside(App& app, const std::string& path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string::npos) return false;
  if (const std::optional<std::string>* instead = app.files.pretended(app.project / path))
    return instead->has_value();
  const Result<std::filesystem::path> real = canonical_path(app.project / path);
  if (!real) return false;
  const std::string relative = real->lexically_relative(app.project).string();
  return !relative.empty() && !relative.starts_with("..");
}

std::optional<std::string> read_inside(App& app, const std::string& path) {
  if (!is_inside(app, path)) return std::nullopt;
  Result<std::string> bytes = app.files.read(app.project / path, kDocumentBytesMax);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

bool is_folder_inside(App& app, const std::string& path) {
  if (!is_inside(app, path)) return false;
  const Result<std::optional<FileInfo>> info = app.files.stat(app.project / path);
  return info && *info && (*info)->type == FileType::Directory;
}

}  // namespace reprise
