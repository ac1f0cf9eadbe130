#include "app/playbook_look.h"

#include "app/project_files.h"
#include "base/digest.h"
#include "evidence/artifact_checks.h"
#include "formats/playbook.h"
#include "formats/playbook_checks.h"
#include "model/limits.h"
#include "planner/playbook_rules.h"

namespace reprise {
namespace {

constexpr std::string_view kMarker = "[NEEDS CLARIFICATION";

class PlaybookLook {
 public:
  PlaybookLook(App& app, std::string subject) : app_(app), folder_("specs/" + std::move(subject)) {}

  void look_at_spec(PlaybookSnapshot& seen) const {
    const ClaimedField* entry = seen.claims.find_field("spec_entrypoint_path");
    seen.spec_file = folder_ + "/feature.spec.md";
    if (entry != nullptr && read_inside(app_, entry->value)) seen.spec_file = entry->value;
    const std::optional<std::string> spec = read_inside(app_, seen.spec_file);
    if (!spec) {
      seen.spec = SpecSeen::Missing;
      return;
    }
    for (std::size_t at = spec->find(kMarker); at != std::string::npos; at = spec->find(kMarker, at + 1))
      ++seen.open_markers;
    const SpecHashes hashes = spec_hashes(*spec);
    const SpecHashMatch match = match_spec_hash(hashes, seen.claims.spec_hash);
    seen.spec_digest = to_text(match == SpecHashMatch::Content ? hashes.content : hashes.raw);
    if (match != SpecHashMatch::None) seen.spec_method = match == SpecHashMatch::Content ? "content" : "raw";
    seen.spec = verdict_on(seen.claims.spec_hash, match);
  }

  void look_at_constitution(PlaybookSnapshot& seen) const {
    const std::optional<std::string> adr = read_inside(app_, folder_ + "/adr.md");
    const ConstitutionVerdict verdict =
        adr ? constitution_check(*adr) : ConstitutionVerdict{.completed = false, .reason = "there is no adr.md"};
    seen.constitution_completed = verdict.completed;
    seen.constitution_fault =
        verdict.line > 0 ? "line " + std::to_string(verdict.line) + ": " + verdict.reason : verdict.reason;
  }

  // A path in the file is meant from the project's root or from the feature's folder.
  void look_at_artifacts(PlaybookSnapshot& seen) const {
    for (const ClaimedStage& stage : seen.claims.completed) {
      for (const std::string& path : stage.artifacts) {
        ArtifactSeen& artifact = seen.artifacts[path];
        const std::optional<std::string> at_root = read_inside(app_, path);
        const std::optional<std::string> content = at_root ? at_root : read_inside(app_, folder_ + "/" + path);
        artifact.exists =
            content.has_value() || is_folder_inside(app_, path) || is_folder_inside(app_, folder_ + "/" + path);
        artifact.digest = content ? to_text(digest_of(*content)) : artifact.exists ? "a folder" : "";
      }
    }
    for (const PlaybookStageSpec& spec : kPlaybookStages) {
      if (spec.artifact.empty()) continue;
      const std::optional<std::string> content = read_inside(app_, folder_ + "/" + std::string(spec.artifact));
      ArtifactSeen& artifact = seen.of_current[std::string(spec.name)];
      if (!content) continue;
      artifact.exists = true;
      artifact.digest = to_text(digest_of(*content));
      artifact.fault = fault_of(spec.name, *content, seen);
      artifact.complete = artifact.fault.empty();
    }
  }

 private:
  static SpecSeen verdict_on(const ClaimedDigest& claim, SpecHashMatch match) {
    switch (claim.form) {
      case ClaimedHash::None: return SpecSeen::NotPinned;
      case ClaimedHash::Complete: return match == SpecHashMatch::None ? SpecSeen::Changed : SpecSeen::Same;
      case ClaimedHash::Abbreviated:  // a few digits fit many specs
      case ClaimedHash::WrongLength:
      case ClaimedHash::Unreadable: return SpecSeen::Unreadable;
    }
    return SpecSeen::Unreadable;
  }

  // The declared meaning of "looks complete" for what each stage makes.
  static std::string fault_of(std::string_view stage, const std::string& content, const PlaybookSnapshot& seen) {
    if (stage == "architect") return seen.constitution_completed ? "" : seen.constitution_fault;
    CompleteCheck check{.no_placeholders = true};
    if (stage == "tasks") check.checkboxes = 1;
    if (stage == "spec") {
      // Open questions are what the next stage is for.
      std::string without = content;
      for (std::size_t at = without.find(kMarker); at != std::string::npos; at = without.find(kMarker, at)) {
        without.replace(at, kMarker.size(), "(asked");
      }
      return check_complete(check, without).why;
    }
    return check_complete(check, content).why;
  }

  App& app_;
  std::string folder_;
};

}  // namespace

Result<PlaybookSnapshot> look_at_playbook(App& app, const std::string& subject, const std::string& state_file,
                                          std::string_view bytes) {
  PlaybookSnapshot seen{.subject = subject, .state_file = state_file};
  seen.cut_off_line = cut_off_line(bytes);
  seen.claims = TRY(read_playbook(bytes, state_file));
  seen.now = app.clock.now();
  const std::optional<FileInfo> info = TRY(app.files.stat(app.project / state_file));
  if (info) seen.file_time = info->modified;
  const PlaybookLook look(app, subject);
  look.look_at_spec(seen);
  look.look_at_constitution(seen);
  look.look_at_artifacts(seen);
  return seen;
}

}  // namespace reprise
