// Executor: the lanes that steps work in. What is about to happen to one is on record before it happens; what
// became of it afterwards.

#include <algorithm>

#include "base/strings.h"
#include "executor/executor.h"
#include "model/limits.h"
#include "os/clock.h"

namespace reprise {
namespace {

// Whether neither the step nor its lane is to blame: a lock was not released, or the disk is full.
bool is_outside_cause(const Error& error) { return is_wait_failure(error.kind) || error.is_full; }

std::string point_of(const StepPath& step, std::int64_t attempt, std::string_view when) {
  return attempt_name(step, attempt) + ":" + std::string(when);
}

std::string head_line(const std::string& text) { return printable_line(text, 100); }

// The number of the attempt that failed: behind those that the context tells of, which another program may have
// begun.
int number_of_attempt(const std::vector<std::string>& context, int retries) {
  constexpr std::string_view kWord = "Attempt ";
  int last = retries;
  for (const std::string_view line : context) {
    if (!line.starts_with(kWord)) continue;
    const std::string_view rest = line.substr(kWord.size());
    const std::optional<long long> number = parse_number(rest.substr(0, rest.find(':')), 1'000'000);
    if (number) last = static_cast<int>(*number);
  }
  return last + 1;
}

// What the run's record says a failed attempt was about, for the next one: numbered, with its last lines.
std::vector<std::string> with_failure(std::vector<std::string> context, int attempt,
                                      const AttemptFinished& event) {
  context.push_back("Attempt " + std::to_string(attempt) + ": " +
                    printable_line(event.reason, kFailureLineBytesMax));
  for (const std::string& line : event.last_lines) context.push_back(line);
  return context;
}

std::string conflict_words(const LaneState& lane, const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) names += (names.empty() ? "" : ", ") + printable_line(file, 200);
  return "lane " + lane.name + " and " + lane.base + " changed the same files differently: " + names +
         std::string(kNothingMerged) + "Merge by hand and resume: git -C " + shell_quote(lane.folder) + " merge " +
         shell_quote(lane.base);
}

// What is published, how and where to: who finds the lane later needs all three.
std::string publish_notes(const Stage& stage, const LaneState& lane) {
  return *stage.publish + ": head " + lane.head + ", target " + lane.base;
}

}  // namespace

// Makes the lane that a node has, or finds it again. The error is what stands in the way.
Result<std::optional<Error>> Executor::open_lane(int lane) {
  if (open_lanes_.contains(lane)) return std::nullopt;
  const StepPath path = graph_.node(lane).path;
  const auto found = state_.lanes.find(path);
  if (found == state_.lanes.end() || found->second.closed) {
    Result<LaneCreated> planned = lanes_.plan_lane(graph_, lane, state_);
    if (!planned) return planned.error();
    if (const std::optional<StepPath> idle = find_idle_lane()) {
      planned->taken_from = *idle;
      TRY_VOID(record(LaneClosed{*idle, "its worktree was given to lane " + planned->name}));
    }
    const std::string commit = planned->base_commit;
    TRY_VOID(record(std::move(*planned)));
    TRY_VOID(record(CheckpointReached{
        .lane = path, .name = std::string(kBeforeLaneStart), .status = "ready", .commit = commit}));
    TRY_VOID(flush());
    if (const std::optional<Error> rival = TRY(find_rival(state_.lanes.at(path)))) {
      TRY_VOID(record(LaneClosed{.lane = path, .because = rival->message}));
      return rival;
    }
  }
  const LaneState& recorded = state_.lanes.at(path);
  const LaneState* other = recorded.taken_from.text.empty() ? nullptr : &state_.lanes.at(recorded.taken_from);
  Result<LaneKeeper::Opened> opened = lanes_.open_lane(recorded, other);
  if (!opened) return opened.error();
  for (const std::string& note : opened->notes) parts_.observer.note(note);
  if (!recorded.made) {
    TRY_VOID(record(CheckpointReached{.lane = path,
                                      .name = std::string(kAfterLaneStart),
                                      .status = "complete",
                                      .commit = opened->head,
                                      .notes = "branch " + recorded.branch + ", worktree " + recorded.folder}));
  } else if (opened->head != recorded.head) {
    TRY_VOID(record(CheckpointReached{.lane = path,
                                      .name = "resumed",
                                      .status = "complete",
                                      .commit = opened->head,
                                      .notes = "there are commits in it that no step made"}));
  }
  open_lanes_.insert(lane);
  return std::nullopt;
}

// Two runs that want the same lane at the same moment have both said so by now, and at least one sees the other.
// Who sees one gives way; if both do, whoever is resumed first has it.
Result<std::optional<Error>> Executor::find_rival(const LaneState& lane) {
  for (const RunEntry& run : TRY(parts_.journal.runs())) {
    if (run.id == state_.id || run.archived || !run.owner)
      continue;  // what a run left behind is found by its branch
    for (const auto& [path, other] : TRY(parts_.journal.state(run.id)).lanes) {
      const bool is_same = other.branch == lane.branch || other.folder == lane.folder;
      if (other.closed || !is_same) continue;
      return Error{.kind = ErrorKind::Conflict,
                   .message = "run " + run.id.shown() + " works in the same lane",
                   .hints = {"reprise status " + shell_quote(run.id.shown())}};
    }
  }
  return std::nullopt;
}

// A lane that was published, and in which nothing is left to do: its worktree can become another's.
std::optional<StepPath> Executor::find_idle_lane() const {
  for (const auto& [path, lane] : state_.lanes) {
    if (lane.closed || lane.published.empty() || !lane.made) continue;
    const std::optional<int> node = graph_.find(path);
    if (node && graph_.node(*node).status == Graph::Status::Done) return path;
  }
  return std::nullopt;
}

// Whether the step can start in its lane. If not, a person was asked, and the step waits.
Result<bool> Executor::enter_lane(int leaf) {
  std::vector<int> around;
  for (int lane = graph_.node(leaf).lane; lane >= 0;) {
    around.push_back(lane);
    const int parent = graph_.node(lane).parent;
    lane = parent < 0 ? -1 : graph_.node(parent).lane;
  }
  for (auto lane = around.rbegin(); lane != around.rend(); ++lane) {
    const std::optional<Error> trouble = TRY(open_lane(*lane));
    if (!trouble) continue;
    TRY_VOID(hold_for_lane(leaf, *lane, *trouble));
    return false;
  }
  return true;
}

Result<void> Executor::hold_for_lane(int leaf, int lane, const Error& trouble) {
  if (is_outside_cause(trouble)) return fail(trouble);  // nothing is wrong with the lane
  held_.insert(leaf);
  const StepPath& path = graph_.node(lane).path;
  const auto known = state_.lanes.find(path);
  const std::string why = attempts_.without_secrets(trouble.message);
  std::string ask = "Lane " + (known == state_.lanes.end() ? path.text : known->second.name) +
                    " cannot be used: " + why + ". Try again?";
  if (!trouble.hints.empty()) ask += " Look: " + join(trouble.hints, " or ");
  if (known != state_.lanes.end()) {
    TRY_VOID(record(CheckpointReached{.lane = path,
                                      .name = std::string(known->second.made ? kAfterLaneStart : kBeforeLaneStart),
                                      .status = "blocked",
                                      .commit = "",
                                      .notes = why}));
  }
  return record(GateOpened{graph_.node(leaf).path, ask, {}});
}

// When the last worker of the lane started that did not end well, if none works in it now: what its git left
// behind is nobody's any more.
std::optional<Timestamp> Executor::last_death_in(int lane) const {
  for (const auto& [name, leaf] : running_) {
    if (leaf >= 0 && graph_.node(leaf).lane == lane) return std::nullopt;
  }
  std::optional<Timestamp> last;
  for (const int leaf : graph_.leaves_below(lane)) {
    const StepState* step = graph_.record(leaf);
    const bool died = step != nullptr && step->record == StepState::Record::Failed;
    if (died && (!last || *last < step->started_at)) last = step->started_at;
  }
  return last;
}

// What is in the lane before a step starts, so that everything the step does can be taken back.
Result<bool> Executor::take_before(int leaf, std::int64_t attempt) {
  const int lane = graph_.node(leaf).lane;
  const StepPath& path = graph_.node(lane).path;
  const std::string point = point_of(graph_.node(leaf).path, attempt, "before");
  if (const std::optional<Timestamp> since = last_death_in(lane)) {
    if (const Result<void> cleared = lanes_.clear_locks(state_.lanes.at(path), *since); !cleared) {
      TRY_VOID(hold_for_lane(leaf, lane, cleared.error()));
      return false;
    }
  }
  Result<LaneKeeper::Taken> taken = lanes_.take(state_.id, state_.lanes.at(path), point, parts_.clock.now());
  if (!taken) {
    TRY_VOID(hold_for_lane(leaf, lane, taken.error()));
    return false;
  }
  TRY_VOID(record(CheckpointReached{
      .lane = path, .name = point, .status = "complete", .commit = taken->head, .snapshot = taken->snapshot}));
  return true;
}

// What a step left in its lane is committed if it succeeded, and kept in a snapshot in any case.
Result<void> Executor::settle_in_lane(int leaf, ConcludedAttempt& concluded) {
  AttemptFinished& event = concluded.event;
  const StepPath& path = graph_.node(graph_.node(leaf).lane).path;
  const auto found = state_.lanes.find(path);
  if (found == state_.lanes.end()) return {};
  const LaneState& lane = found->second;
  const StepState& step = *state_.find_step(event.step);
  if (event.outcome == AttemptOutcome::Done) {
    const Stage& stage = *graph_.node(leaf).stage;
    const std::string about = event.summary.empty() ? graph_.resolve(leaf, stage.prompt) : event.summary;
    const std::string first = std::string(trim(std::string_view(about).substr(0, about.find('\n'))));
    const Result<std::string> commit =
        lanes_.commit(lane, stage.name + (first.empty() ? "" : ": " + head_line(first)),
                      state_.id.text + "/" + attempt_name(event.step, event.attempt.value), step.started_at);
    // The attempt stays open, and the next session concludes it.
    if (!commit && is_outside_cause(commit.error())) return fail(commit.error());
    if (!commit) {
      event.outcome = AttemptOutcome::Failed;
      event.reason = "it ended well, but what it did could not be committed: " +
                     attempts_.without_secrets(commit.error().message);
    } else if (!lanes_.holds_record(lane, *commit).value_or(true)) {
      event.outcome = AttemptOutcome::Failed;
      event.reason = "it ended well, but it took the lane's branch back behind " + lane.head.substr(0, 12) +
                     ", the last commit on record; what it did is kept in a snapshot";
    }
  }
  const std::string point = point_of(event.step, event.attempt.value, "after");
  const Result<LaneKeeper::Taken> taken = lanes_.take(state_.id, lane, point, parts_.clock.now());
  if (!taken && is_outside_cause(taken.error())) return fail(taken.error());
  if (!taken) {
    parts_.observer.note("lane " + lane.name + ": no snapshot could be taken: " + taken.error().message);
    return {};
  }
  for (const std::string& note : taken->notes) parts_.observer.note(note);
  const bool is_done = event.outcome == AttemptOutcome::Done;
  const bool is_kept = !taken->head.empty() && lanes_.holds_record(lane, taken->head).value_or(false);
  concluded.more.push_back(CheckpointReached{.lane = path,
                                             .name = point,
                                             .status = is_done ? "complete" : "failed",
                                             .commit = is_kept ? taken->head : "",
                                             .snapshot = taken->snapshot,
                                             .notes = is_done ? "" : event.reason});
  add_tests_checkpoint(leaf, taken->head, concluded);
  return {};
}

// What the record says of the lane itself, where no other checkpoint tells how its work went: that it failed, why
// and at which command, and that it goes on again.
void Executor::add_work_checkpoint(int leaf, ConcludedAttempt& concluded) const {
  const Graph::Node& node = graph_.node(leaf);
  const StepPath& path = graph_.node(node.lane).path;
  const LaneState& lane = state_.lanes.at(path);
  const CheckpointState* const start = lane.find_checkpoint(kAfterLaneStart);
  if (start == nullptr || !node.stage->publish.empty()) return;
  const AttemptFinished& event = concluded.event;
  const bool is_told = std::ranges::any_of(concluded.more, [](const Event& more) {
    const CheckpointReached* const reached = std::get_if<CheckpointReached>(&more);
    return reached != nullptr && (reached->name == kRetryAttempt || reached->name == kAfterLaneTests);
  });
  CheckpointReached standing{.lane = path, .name = std::string(kAfterLaneStart)};
  if (event.outcome == AttemptOutcome::Done) {
    if (start->status == "complete") return;
    standing.status = "complete";
    standing.notes = "branch " + lane.branch + ", worktree " + lane.folder;
  } else {
    if (is_told) return;
    standing.status = event.outcome == AttemptOutcome::NeedsHuman ? "blocked" : "failed";
    standing.notes = event.step.text + ": " + printable_line(event.reason, kFailureLineBytesMax) +
                     "; last command: " + printable_line(attempts_.command_of(graph_, leaf), kFailureLineBytesMax);
  }
  concluded.more.push_back(std::move(standing));
}

void Executor::add_tests_checkpoint(int leaf, const std::string& head, ConcludedAttempt& concluded) const {
  const Graph::Node& node = graph_.node(leaf);
  const Graph::Node& lane = graph_.node(node.lane);
  const AttemptFinished& event = concluded.event;
  if (lane.stage->lane->tests != node.stage->name || !event.exit_code) return;
  const bool passed = event.outcome == AttemptOutcome::Done;
  std::string command = node.stage->command.line;
  std::vector<std::string> words = node.stage->command.argv;
  for (std::string& word : words) word = attempts_.without_secrets(word);  // quoted, a secret is another text
  if (command.empty()) command = shell_command(words);
  concluded.more.push_back(
      CheckpointReached{.lane = lane.path,
                        .name = std::string(kAfterLaneTests),
                        .status = passed ? "complete" : "failed",
                        .commit = head,
                        .notes = "test_cmd: " + command + "; exit_code: " + std::to_string(*event.exit_code)});
  const auto recorded = state_.lanes.find(lane.path);
  const CheckpointState* const retry =
      recorded == state_.lanes.end() ? nullptr : recorded->second.find_checkpoint(kRetryAttempt);
  if (!passed || retry == nullptr || retry->status == "complete") return;
  concluded.more.push_back(CheckpointReached{.lane = lane.path,
                                             .name = std::string(kRetryAttempt),
                                             .status = "complete",
                                             .commit = "",
                                             .snapshot = "",
                                             .notes = retry->notes,
                                             .retry_attempt = retry->retry_attempt,
                                             .max_retries = retry->max_retries,
                                             .failure_context = retry->failure_context});
}

// The lane's attempts are counted together: numbered from 1, and when the last has failed too, that is the end
// (LN-08).
void Executor::count_retry_of_lane(int leaf, ConcludedAttempt& concluded) const {
  AttemptFinished& event = concluded.event;
  const Graph::Node& lane = graph_.node(graph_.node(leaf).lane);
  std::optional<int> max = lane.stage->lane->retries;
  const bool failed = event.outcome == AttemptOutcome::Failed || event.outcome == AttemptOutcome::TimedOut;
  const auto recorded = state_.lanes.find(lane.path);
  if (!max || !failed || recorded == state_.lanes.end()) return;
  const LaneState& state = recorded->second;
  // Where the plan says nothing, what the program said counts that the lane was taken over from.
  if (const CheckpointState* adopted = state.find_checkpoint(kAdopted); adopted != nullptr && *max == 0)
    max = adopted->max_retries;
  const bool is_over = state.retries >= *max;
  if (is_over) event.retry_at.reset();
  if (!is_over && !event.retry_at)
    event.retry_at = parts_.clock.now() + graph_.node(leaf).stage->delay.value_or(kRetryDelayFirst);
  if (*max == 0) return;
  const int attempt = is_over ? *max : state.retries + 1;
  concluded.more.push_back(CheckpointReached{
      .lane = lane.path,
      .name = std::string(kRetryAttempt),
      .status = is_over ? "failed" : "retrying",
      .commit = "",
      .snapshot = "",
      .notes = event.step.text + ": " + printable_line(event.reason, kFailureLineBytesMax),
      .retry_attempt = attempt,
      .max_retries = *max,
      .failure_context =
          with_failure(state.failure_context, number_of_attempt(state.failure_context, state.retries), event)});
}

// A further attempt that starts at an earlier stage: what that stage did does not count any more.
void Executor::reset_for_retry(int leaf, ConcludedAttempt& concluded) const {
  const Graph::Node& node = graph_.node(leaf);
  if (node.stage->retry_from.empty() || !concluded.event.retry_at ||
      concluded.event.outcome == AttemptOutcome::Later)
    return;
  for (const int sibling : graph_.node(node.parent).children) {
    if (graph_.node(sibling).stage->name != *node.stage->retry_from) continue;
    for (const int earlier : graph_.leaves_below(sibling)) {
      const StepState* step = graph_.record(earlier);
      if (step == nullptr || step->record != StepState::Record::Done) continue;
      concluded.more.push_back(StepReset{
          graph_.node(earlier).path, "retry_from", "",
          concluded.event.step.text + " failed: " + printable_line(concluded.event.reason, kFailureLineBytesMax)});
    }
  }
}

// Two lanes that change the same files will have to be merged by somebody: better to know early.
Result<void> Executor::warn_of_overlaps(int leaf) {
  const int own = graph_.node(leaf).lane;
  const auto mine = state_.lanes.find(graph_.node(own).path);
  for (const int other : open_lanes_) {
    const auto theirs = state_.lanes.find(graph_.node(other).path);
    if (other == own || mine == state_.lanes.end() || theirs == state_.lanes.end()) continue;
    if (theirs->second.closed || !theirs->second.published.empty() || theirs->second.base != mine->second.base)
      continue;
    const std::pair<int, int> pair = std::minmax(own, other);
    if (overlaps_told_.contains(pair)) continue;
    const Result<std::vector<std::string>> both = lanes_.changed_by_both(mine->second, theirs->second);
    if (!both || both->empty()) continue;
    overlaps_told_.insert(pair);
    std::string names;
    for (const std::string& file : *both) names += (names.empty() ? "" : ", ") + printable_line(file, 100);
    const std::string note = "lanes " + mine->second.name + " and " + theirs->second.name +
                             " both change: " + names.substr(0, kMessageBytesMax);
    parts_.observer.note("warning: " + note);
    TRY_VOID(record(NoteAdded{note, ""}));
  }
  return {};
}

// ---- publishing: a step that no worker does

Result<void> Executor::publish_lane(int leaf) {
  // No worker may be waiting to be started while the lane is published: the end of a lost guard's workers would be
  // taken for the end of the publication, which is ours.
  const int lost_before = lost_guards_;
  TRY_VOID(flush());
  if (lost_guards_ != lost_before) return {};  // its turn comes again
  if (!TRY(enter_lane(leaf))) return {};
  const Graph::Node& node = graph_.node(leaf);
  const StepPath& path = graph_.node(node.lane).path;
  const StepState* before = state_.find_step(node.path);
  const AttemptStarted started{.step = node.path,
                               .attempt = {(before == nullptr ? 0 : before->attempts) + 1},
                               .work = work_digest(*node.stage)};
  if (!TRY(take_before(leaf, started.attempt.value))) return {};
  const LaneState lane = state_.lanes.at(path);
  if (const Result<std::vector<std::string>> files = lanes_.uncommitted(lane); files && !files->empty()) {
    return hold_for_lane(leaf, node.lane,
                         Error{.kind = ErrorKind::Conflict,
                               .message = "it holds changes that are not committed and would not be published: " +
                                          printable_line(join(*files, ", "), 300)}
                             .hint("git -C " + shell_quote(lane.folder) + " status"));
  }
  TRY_VOID(record(started));
  TRY_VOID(record(CheckpointReached{.lane = path,
                                    .name = std::string(kPrePr),
                                    .status = "ready",
                                    .commit = lane.head,
                                    .notes = publish_notes(*node.stage, lane)}));
  TRY_VOID(flush());
  const Duration begun = parts_.clock.monotonic();
  Result<Publication> published = lanes_.publish(lane, *node.stage->publish, title_of(lane), body_of(lane));
  // git repeats what hooks and the remote print.
  std::string& said = published ? published->result : published.error().message;
  said = attempts_.without_secrets(said);
  if (!published && is_outside_cause(published.error())) return fail(published.error());
  ConcludedAttempt concluded;
  concluded.event = {.step = node.path, .attempt = started.attempt};
  concluded.event.took = parts_.clock.monotonic() - begun;
  take_publication(lane, published, concluded);
  plan_next_attempt(*node.stage, *state_.find_step(node.path), concluded.event);
  count_retry_of_lane(leaf, concluded);
  escalate(*node.stage, concluded);
  ++executed_;
  const AttemptFinished event = concluded.event;
  TRY_VOID(record(event));
  for (Event& more : concluded.more) TRY_VOID(record(std::move(more)));
  if (event.outcome != AttemptOutcome::Done && !event.retry_at) failed_here_.insert(event.step);
  after_attempt(leaf, event);
  return {};
}

void Executor::take_publication(const LaneState& lane, const Result<Publication>& published,
                                ConcludedAttempt& concluded) const {
  AttemptFinished& event = concluded.event;
  if (!published) {
    const bool is_away = published.error().kind == ErrorKind::Unavailable;
    event.outcome = is_away ? AttemptOutcome::Later : AttemptOutcome::Failed;
    event.reason = published.error().message;
  } else if (!published->conflicts.empty()) {
    event.outcome = AttemptOutcome::Failed;
    event.reason = conflict_words(lane, published->conflicts);
  } else {
    event.summary = published->result;
  }
  const bool is_done = event.outcome == AttemptOutcome::Done;
  concluded.more.push_back(CheckpointReached{
      .lane = graph_.node(graph_.node(*graph_.find(event.step)).lane).path,
      .name = std::string(kPrePr),
      .status = is_done ? "complete" : "failed",
      .commit = lane.head,
      .notes = is_done ? event.summary
                       : publish_notes(*graph_.node(*graph_.find(event.step)).stage, lane) + ": " + event.reason});
}

std::string Executor::title_of(const LaneState& lane) const {
  return workflow_.name + " " + lane.name + (state_.subject.empty() ? "" : " (" + state_.subject + ")");
}

std::string Executor::body_of(const LaneState& lane) const {
  std::string body = "Lane " + lane.name + " of run " + state_.id.text + ", from " + lane.base + " at " +
                     lane.base_commit.substr(0, 12) + ".\n";
  for (const auto& [path, step] : state_.steps) {
    if (step.record == StepState::Record::Done && !step.summary.empty())
      body += "\n- " + path.text + ": " + printable_line(*step.summary, 300);
  }
  return body + "\n";
}

}  // namespace reprise
