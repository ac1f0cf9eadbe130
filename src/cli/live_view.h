// What a person sees while a run goes on: on a terminal a line per running step with its time, a progress
// bar and what waits for a person, drawn over and over; elsewhere one plain line per thing that happened.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "model/observer.h"

namespace reprise {

class LiveView : public Observer {
 public:
  LiveView(Cli& cli, Clock& clock) : cli_(cli), clock_(clock) { cli_.begin_live(); }
  ~LiveView() override {
    finish();
    cli_.end_live();
  }
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  void step_started(const StepStarted& started) override;
  void step_finished(const AttemptFinished& finished) override;
  void step_kept(const StepPath& step, const std::string& why) override;
  void retry_scheduled(const StepPath& step, Duration in, const std::string& why) override;
  void gate_opened(const GateOpened& gate) override;
  void gate_decided(const GateDecided& gate) override;
  void question_asked(const QuestionAsked& question) override;
  void progress(const Progress& progress) override;
  void note(const std::string& text) override;
  void tick() override;
  bool wants_ticks() const override { return cli_.has_live_screen(); }

  /// Shows a question and what has been typed of its answer as the last lines; "" for no question.
  void set_prompt(const std::string& question, const std::string& typed);
  /// Takes the drawn lines away, so that other text can follow; the next tick draws them again.
  void hide();
  /// The same for good: what ran and waited is forgotten.
  void finish();

 private:
  void line(const std::string& text);
  void show_wait(const std::string& text, const std::vector<std::string>& hints);
  void redraw(const std::string& text);
  std::vector<std::string> live_lines() const;

  Cli& cli_;
  Clock& clock_;
  std::map<std::string, Duration> running_;  // step: since when
  std::map<std::string, std::string> waiting_;
  Progress progress_;
  std::string question_;
  std::string typed_;
  int drawn_ = 0;
  bool is_hidden_ = false;
  LockWaitListener waits_{[this](const auto& text, const auto& hints) { show_wait(text, hints); }};
};

}  // namespace reprise
