#include "app/approvals.h"

#include "app/logs.h"
#include "base/digest.h"
#include "evidence/collector.h"
#include "model/limits.h"
#include "model/seen_mode.h"
#include "text/diff.h"

namespace reprise {

namespace {

// A shown file became executable, or is no longer.
std::string change_of_mode(App& app, const SeenFile& approved) {
  const Result<SeenFile> now = Collector(app.files, app.project).look(approved.path, &approved);
  if (!now || !has_other_mode(approved, *now)) return "";
  const std::string_view mode = mode_in(now->signature);
  if (mode == "x") return approved.path + ": is executable now\n";
  return approved.path +
         (mode == "-" ? ": is not executable any more\n" : ": other files in it are executable now\n");
}

}  // namespace

std::string change_since_approval(App& app, Journal& journal, const RunState& state, const GateState& gate) {
  std::string diff;
  if (gate.approved.empty()) return diff;
  const Masker masker = masker_of_run(app, journal, state);
  for (const SeenFile& file : gate.approved) {
    diff += change_of_mode(app, file);
    const std::string bytes = app.files.read(app.project / file.path, kShownBytesMax).value_or("");
    const Result<std::string> kept =
        file.digest.empty() ? Result<std::string>(std::string()) : journal.shown_text(file.digest);
    if (!kept || *kept == bytes || to_text(digest_of(bytes)) == file.digest) continue;
    const std::string before = masker.mask(*kept);
    const std::string now = masker.mask(bytes);
    if (before == now) diff += file.path + ": a secret in it has changed\n";
    if (before == now) continue;
    diff += unified_diff(before, now, {.before = file.path + " (approved)", .after = file.path});
  }
  return diff;
}

}  // namespace reprise
