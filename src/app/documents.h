// The JSON documents of the contract (section 3), the same for every front end.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/outcome.h"
#include "app/scan.h"
#include "app/status.h"
#include "base/error.h"
#include "executor/executor.h"
#include "model/plan.h"

namespace reprise {

std::string plan_document(const Plan& plan);
/// The document that `run` and `resume` end with.
std::string outcome_document(const Outcome& outcome);
std::string status_document(std::span<const RunView> runs, bool with_detail);
std::string scan_document(const ScanResult& result);
std::string inbox_document(const std::vector<InboxItem>& items);
std::string error_document(const Error& error);
/// One line of `events --json`.
std::string event_document(const RunId& run, const RecordedEvent& event);

}  // namespace reprise
