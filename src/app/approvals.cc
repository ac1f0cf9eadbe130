#include "app/approvals.h"

#include "model/limits.h"
#include "text/diff.h"

namespace reprise {

std::string change_since_approval(App& app, Journal& journal, const GateState& gate) {
  std::string diff;
  for (const SeenFile& file : gate.approved) {
    const std::string now = app.files.read(app.project / file.path, kShownBytesMax).value_or("");
    const Result<std::string> before =
        file.digest.empty() ? Result<std::string>(std::string()) : journal.text(file.digest);
    if (!before || *before == now) continue;
    diff += unified_diff(*before, now, {.before = file.path + " (approved)", .after = file.path});
  }
  return diff;
}

}  // namespace reprise
