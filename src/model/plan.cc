#include "model/plan.h"

#include "base/strings.h"

namespace reprise {
namespace {

std::string words_for(const RecordSeen& record) {
  using What = RecordSeen::What;
  if (record.what == What::Untried) return "no attempt is recorded";
  if (record.what == What::Skipped) return "skipped";
  std::string words = "attempt " + std::to_string(record.attempts);
  switch (record.what) {
    case What::Succeeded: words += " succeeded"; break;
    case What::Running: words += " is running"; break;
    case What::Ended: words += " ended; not in the journal yet"; break;
    case What::CutOff: words += " has no recorded end"; break;
    case What::Stopped: words += " was stopped"; break;
    default: words += " did not succeed"; break;
  }
  if (record.exit_code) words += ", exit " + std::to_string(*record.exit_code);
  if (record.signal != 0) words += ", signal " + std::to_string(record.signal);
  return words;
}

}  // namespace

std::vector<Evidence> StepDecision::evidence() const {
  std::vector<Evidence> all;
  if (record.what != RecordSeen::What::Nothing) all.push_back({"event", step.text, words_for(record)});
  all.insert(all.end(), seen.begin(), seen.end());
  return all;
}

std::string words_for_refused_edit(const std::string& file, const std::string& refused, const std::string& kept) {
  return printable_line(file, 200) + " was edited; not taken over: " + printable_line(refused, 400) +
         (kept.empty() ? "" : " (what was found is kept in " + printable_line(kept, 300) + ")");
}

}  // namespace reprise
