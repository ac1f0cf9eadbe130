// Resuming, from what was typed to the work itself: which piece of work is meant, what it would do, who agrees to
// it, and then the work. What was shown is looked at again after every question; if it is no longer so, that is
// said, and the new plan is shown instead of acting on the old one.

#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/resume_proposal.h"
#include "app/session.h"
#include "app/systems.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/consent.h"
#include "cli/live_view.h"
#include "os/signals.h"

namespace reprise {

class Resumer {
 public:
  /// `is_confirmed`: the person has agreed already.
  Resumer(Cli& cli, App& app, Arguments arguments, SignalWatch& signals, bool is_confirmed);

  /// Resumes what `text` means, or what there is to resume if it is empty; returns the exit code.
  Result<int> resume(const std::string& text);

 private:
  /// What a part of the way came to: nothing means that the next part follows.
  struct Stop {
    bool again = false;  // something was changed or chosen: from the start, with what is known now
    int exit = 0;
  };
  using MaybeStop = std::optional<Stop>;

  Result<std::expected<Meant, Stop>> find_meant(Journal* journal);
  Meant with_words_of_person(Meant meant) const;
  Result<std::expected<Meant, Stop>> choose_among(Journal* journal, const std::vector<Candidate>& open);
  Result<void> say_open_siblings(const RunId& run);
  Result<std::expected<Meant, Stop>> take_latest(Journal* journal, const std::vector<Candidate>& open);
  Result<int> say_nothing_to_resume();

  Result<std::expected<RunId, Stop>> take_up(const Candidate& candidate);
  Result<MaybeStop> agree_on_found(const Candidate& candidate);
  Result<Stop> work_on(const RunId& run, bool is_agreed);
  Result<MaybeStop> agree_on_run(std::unique_ptr<Session>& session);

  Mode mode_for(const Proposal& proposal) const;
  ConsentRequest request_for(const Proposal& proposal, const PreflightReport* report) const;
  Result<MaybeStop> act_on(const Consent& consent, const Proposal& proposal);
  Result<Stop> leave_by(const WayOut& way, const Proposal& proposal);
  Result<Stop> start_from_phase(const Proposal& proposal);
  void say_changes(const std::vector<std::string>& changes);
  void show_hand_over(const Proposal& proposal);
  bool is_silent() const { return cli_.wants_json() || cli_.is_quiet(); }

  Cli& cli_;
  App& app_;
  Arguments arguments_;
  SignalWatch& signals_;
  bool is_confirmed_ = false;
  bool must_ask_ = false;         // what was shown is not so any more
  std::string text_;              // what is meant, once that is known
  std::vector<std::string> log_;  // what was decided without asking
  std::string preflight_;         // the report as JSON
};

}  // namespace reprise
