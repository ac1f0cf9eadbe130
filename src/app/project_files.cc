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

std::string to_project_path(const App& app, const std::string& path) {
  std::filesystem::path full = path;
  const auto home = app.environment.find("HOME");
  if (path.starts_with("~/") && home != app.environment.end())
    full = std::filesystem::path(home->second) / path.substr(2);
  if (!full.is_absolute()) {
    const std::string plain = full.lexically_normal().string();
    return plain.empty() || plain == "." || plain.find('\0') != std::string::npos ? path : plain;
  }
  full = full.lexically_normal();
  std::filesystem::path relative = full.lexically_relative(app.project);
  if (relative.empty() || relative == "." || *relative.begin() == "..") {
    // The project may have been named by way of a link.
    const Result<std::filesystem::path> folder = canonical_path(full.parent_path());
    if (folder) relative = (*folder / full.filename()).lexically_relative(app.project);
  }
  const bool is_within = !relative.empty() && relative != "." && *relative.begin() != "..";
  return is_within ? relative.string() : full.string();
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
