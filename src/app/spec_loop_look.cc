#include "app/spec_loop_look.h"

#include "app/project_files.h"
#include "base/strings.h"
#include "formats/spec_loop.h"
#include "formats/spec_loop_checks.h"
#include "git/git_files.h"

namespace reprise {
namespace {

std::string spec_of(const SpecLoopClaims& claims, const std::string& folder) {
  for (const ClaimedDocument& document : claims.documents) {
    if (document.document == "spec.md" && !document.path.empty()) return document.path;
  }
  return folder + "/spec.md";
}

}  // namespace

Result<SpecLoopSnapshot> look_at_spec_loop(App& app, const std::string& subject, const std::string& state_file,
                                           std::string_view bytes) {
  SpecLoopSnapshot seen{.subject = subject, .state_file = state_file};
  seen.claims = TRY(read_spec_loop(bytes, state_file));
  seen.now = app.clock.now();
  if (const std::optional<FileInfo> info = TRY(app.files.stat(app.project / state_file))) {
    seen.file_time = info->modified;
  }
  seen.index_exists = seen.directory_exists = true;
  const std::filesystem::path git = app.store.parent_path();
  seen.branch_exists = has_branch(app.files, git, seen.claims.branch) || has_branch(app.files, git, subject);
  const std::string folder = "specs/" + subject;
  seen.spec_file = spec_of(seen.claims, folder);
  std::optional<std::string> spec = read_inside(app, seen.spec_file);
  if (!spec && read_inside(app, folder + "/" + seen.spec_file)) {
    seen.spec_file = folder + "/" + seen.spec_file;
    spec = read_inside(app, seen.spec_file);
  }
  seen.spec_exists = spec.has_value();
  seen.spec_is_filled = spec && !trim(*spec).empty() && spec->find("{{") == std::string::npos;
  seen.is_repairable = !seen.claims.faults.empty() && repair_spec_loop(bytes, state_file).has_value();
  return seen;
}

}  // namespace reprise
