// A place to suppose things in: an application and a journal of their own, in which a run can be previewed under
// other circumstances. The project and its store are read, never written.
//
// Work that was found in a state file is no run yet. It is made one here, in a store that lies elsewhere and goes
// with the object, so that it can be looked at as it would be after a resume took it up.

#pragma once

#include <filesystem>
#include <memory>

#include "app/app.h"
#include "app/systems.h"

namespace reprise {

class ScratchRun {
 public:
  /// Prepares it for what is meant. Invalid for work whose state file is damaged. `journal` is the project's, null
  /// if there is none; it must outlive this.
  static Result<std::unique_ptr<ScratchRun>> open(App& app, Journal* journal, const Meant& meant);
  ~ScratchRun();
  ScratchRun(const ScratchRun&) = delete;
  ScratchRun& operator=(const ScratchRun&) = delete;

  App& app() { return *app_; }
  Journal& journal() { return *journal_; }
  const RunId& run() const { return run_; }

 private:
  ScratchRun() = default;
  Result<void> take_up(const Candidate& candidate);

  std::unique_ptr<App> app_;
  std::filesystem::path folder_;  // of the store of its own; "" if there is none
  std::unique_ptr<Journal> own_journal_;
  Journal* journal_ = nullptr;
  RunId run_;
};

}  // namespace reprise
