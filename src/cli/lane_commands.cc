// rollback, rescue and checkpoint: going back in a lane, what was set aside, and the lanes' checkpoint file.

#include "app/adoption.h"
#include "app/lane_cleanup.h"
#include "app/lane_files.h"
#include "app/lane_look.h"
#include "app/rescues.h"
#include "app/rollback.h"
#include "app/state_cleanup.h"
#include "app/systems.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/handlers.h"

namespace reprise {
namespace {

std::string rollback_command_of(const LaneRollback& rollback, std::string_view to) {
  const std::vector<std::string> words = {"reprise",     "rollback", rollback.run.shown(), "--lane",
                                          rollback.name, "--to",     std::string(to),      "--yes"};
  return shell_command(words);
}

// What LN-07 wants said: where it is, where that is written down, what comes next, how to go all the way back.
void say_where_it_stands(Cli& cli, const LaneRollback& rollback, const std::string& checkpoint_file) {
  cli.say("lane " + rollback.name + " is at checkpoint " + rollback.to.name + " (" +
          rollback.to.commit.substr(0, 12) + ")");
  if (!checkpoint_file.empty()) cli.say("checkpoints: " + checkpoint_file);
  cli.say("go on: reprise resume " + shell_quote(rollback.run.shown()));
  if (rollback.to.name != kBeforeLaneStart)
    cli.say("back to the start: " + rollback_command_of(rollback, kBeforeLaneStart));
  cli.say("take it back: reprise undo");
}

void print_document(Cli& cli, const LaneRollback& rollback, const std::string& rescue, bool is_applied) {
  JsonWriter json;
  json.begin_object().field("id", rollback.run.shown()).field("lane", rollback.name).field("to", rollback.to.name);
  json.field("commit", rollback.to.commit).field("rescue", rescue).key("repeated").begin_array();
  for (const StepPath& step : rollback.repeated) json.value(step.text);
  json.end_array().key("checkpoints").begin_array();
  for (const std::string& name : rollback.checkpoints) json.value(name);
  json.end_array().field("applied", is_applied).end_object();
  cli.print(json.take() + "\n");
}

// The lane of another program that `id` means; nothing if it means none. What stands in the way of a rollback is
// an error.
Result<std::optional<Candidate>> find_lane_left(Cli& cli, App& app, Journal& journal, const Arguments& arguments,
                                                const std::string& id) {
  Result<Meant> meant = find_work(app, &journal, id);
  if (!meant || !meant->candidate || meant->candidate->system != kLanesWorkflow) return std::optional<Candidate>();
  Candidate& candidate = *meant->candidate;
  if (arguments.positional(0) == kLanesWorkflow) candidate.plan_file = arguments.positional(1);
  const LaneFound found = TRY(look_at_found_lane(app, candidate));
  for (const Finding& finding : plan_lane_found(found).findings) {
    const bool is_of_going_on = finding.code == "publish_unknown" || finding.code == "status_unknown";
    if (finding.severity == Severity::Blocking && !is_of_going_on)
      return fail(Error{.kind = ErrorKind::Conflict, .message = finding.message}.hint(finding.remedy));
  }
  if (found.git.head.empty() || !found.worktree_is_there) {
    return fail(ErrorKind::NotFound, "lane " + found.latest.lane + " has no " +
                                         (found.git.head.empty() ? "branch" : "worktree") +
                                         "; there is nothing to roll back");
  }
  cli.say("lane " + found.latest.lane + " is at " + std::string(found.latest.stage_word()) + " (" +
          std::string(found.latest.status_word()) + ")");
  return std::optional<Candidate>(std::move(candidate));
}

Result<int> rollback(Cli& cli, const Arguments& arguments, const std::string& id, const std::string& lane) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot roll a lane back");
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadWrite));
  Result<LaneMeant> known = find_lane(*journal, id, lane);
  if (!known && known.error().kind == ErrorKind::NotFound) {
    const std::optional<Candidate> left = TRY(find_lane_left(cli, *app, *journal, arguments, id));
    if (!left) return fail(known.error());
    if (!is_agreed(cli, arguments, "roll it back?")) {
      cli.say("nothing was changed. Do it: reprise rollback " + shell_quote(left->id.shown()) + " --yes");
      return kExitWaiting;
    }
    known = find_lane(*journal, TRY(adopt(*app, *journal, *left)).shown(), lane);
  }
  const LaneMeant meant = TRY(std::move(known));
  const LaneRollback planned = TRY(plan_rollback(*app, *journal, meant, arguments.value("to")));
  if (!cli.wants_json()) {
    cli.say("rolls lane " + planned.name + " (" + planned.folder + ") back from " + planned.from.substr(0, 12) +
            " to " + planned.to.name + " (" + planned.to.commit.substr(0, 12) + ")");
    for (const StepPath& step : planned.repeated) cli.say("  will run again: " + step.text);
    cli.say("  everything that is there now is kept under refs/reprise/rescue/");
  }
  if (!is_agreed(cli, arguments, "roll it back?")) {
    if (cli.wants_json()) print_document(cli, planned, "", false);
    cli.say("nothing was changed. Do it: " + rollback_command_of(planned, planned.to.name));
    return kExitWaiting;
  }
  const std::string rescue = TRY(roll_back_lane(*app, *journal, planned));
  if (cli.wants_json()) {
    print_document(cli, planned, rescue, true);
    return kExitDone;
  }
  cli.say("rolled back; what was there: reprise rescue restore " + shell_quote(rescue));
  say_where_it_stands(cli, planned, lane_run_name(planned.run) ? std::string(kCheckpointFile) : "");
  return kExitDone;
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

// What a cleanup removes or puts away, before it is agreed to and after it was done.
void print_cleanup(Cli& cli, const LaneCleanup& lanes, const StateCleanup* state, bool is_applied) {
  if (!cli.wants_json()) return;
  std::vector<std::string> stories;
  if (state != nullptr) {
    for (const auto& [path, bytes] : state->stories) stories.push_back(path);
  }
  JsonWriter json;
  json.begin_object().field("id", lanes.run.shown());
  write_names(json, "worktrees", lanes.folders);
  write_names(json, "leftovers", lanes.leftovers);
  write_names(json, "paths", state != nullptr ? state->put_away : std::vector<std::string>());
  write_names(json, "stories", stories);
  cli.print(json.field("applied", is_applied).end_object().take() + "\n");
}

// Interrupted work that was found: its state is put away, stories in the middle go back.
Result<int> clean_up_found(Cli& cli, App& app, const Candidate& candidate, const Arguments& arguments) {
  const StateCleanup planned = TRY(plan_state_cleanup(app, candidate));
  for (const std::string& file : planned.put_away) cli.say("puts away " + printable_line(file, 200));
  if (!planned.diff.empty() && !cli.wants_json()) cli.print(printable(planned.diff));
  if (planned.put_away.empty() && planned.stories.empty()) {
    print_cleanup(cli, {.run = planned.id}, &planned, false);
    cli.say("there is nothing to clean up");
    return kExitDone;
  }
  if (!is_agreed(cli, arguments, "do it?")) {
    print_cleanup(cli, {.run = planned.id}, &planned, false);
    cli.say("nothing was changed. Do it: reprise cleanup " + shell_quote(planned.id.shown()) + " --yes");
    return kExitWaiting;
  }
  TRY_VOID(clean_up_state(app, planned));
  print_cleanup(cli, {.run = planned.id}, &planned, true);
  cli.say("cleaned up; `reprise undo` takes it back. Start anew: reprise run " + candidate.workflow + " " +
          shell_quote(candidate.subject));
  return kExitDone;
}

std::string delete_command_of(const Leftover& left) {
  return "sudo rm -rf -- " + shell_quote(left.folder.string());
}

Result<int> cleanup(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot remove lanes");
  const Result<std::unique_ptr<Journal>> known = open_journal(*app, OpenMode::ReadOnly);
  const Meant meant = TRY(find_work(*app, known ? known->get() : nullptr, arguments.positional(0)));
  if (meant.candidate) return clean_up_found(cli, *app, *meant.candidate, arguments);
  const std::unique_ptr<Journal> journal = TRY(open_journal(*app, OpenMode::ReadWrite));
  LaneCleanup planned = TRY(plan_cleanup(*app, *journal, TRY(find_run(*journal, arguments.positional(0)))));
  planned.with_ignored = arguments.has("ignored");
  for (const std::string& folder : planned.folders) cli.say("removes the worktree " + printable_line(folder, 200));
  for (const std::string& folder : planned.leftovers)
    cli.say("deletes files that an earlier cleanup could not delete: " + printable_line(folder, 200));
  if (planned.lanes.empty() && planned.leftovers.empty()) {
    print_cleanup(cli, planned, nullptr, false);
    cli.say("there is nothing to clean up");
    return kExitDone;
  }
  if (!is_agreed(cli, arguments, "remove them? branches stay, and what is not committed is set aside")) {
    print_cleanup(cli, planned, nullptr, false);
    cli.say("nothing was changed. Do it: reprise cleanup " + shell_quote(planned.run.shown()) +
            (planned.with_ignored ? " --ignored" : "") + " --yes");
    return kExitWaiting;
  }
  const std::vector<Leftover> left = TRY(close_lanes(*app, *journal, planned));
  if (planned.lanes.empty() && !left.empty()) {
    return fail(
        Error{.kind = ErrorKind::Io, .message = left.front().why, .file = left.front().folder.string()}.hint(
            delete_command_of(left.front())));
  }
  planned.leftovers.clear();
  for (const Leftover& each : left)
    planned.leftovers.push_back(each.folder.lexically_relative(app->project).string());
  print_cleanup(cli, planned, nullptr, true);
  say_leftovers(cli, left);
  if (planned.lanes.empty()) {
    cli.say("deleted");
    return kExitDone;
  }
  cli.say(planned.with_ignored ? "removed; `reprise undo` brings them back, without what git ignores"
                               : "removed; `reprise undo` brings them back");
  return kExitDone;
}

Result<int> rescue_list(Cli& cli) {
  App* app = TRY(cli.app());
  const std::vector<Rescue> rescues = TRY(list_all_rescues(*app));
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().key("rescues").begin_array();
    for (const Rescue& rescue : rescues) {
      json.begin_object().field("ref", rescue.ref).field("of", rescue.of).field("commit", rescue.commit);
      json.field("at", to_text(rescue.time)).field("reason", rescue.reason).field("branch", rescue.branch);
      json.field("head", rescue.head).field("files", static_cast<std::int64_t>(rescue.files));
      json.field("lone_commits", static_cast<std::int64_t>(rescue.lone_commits)).end_object();
    }
    cli.print(json.end_array().end_object().take() + "\n");
    return kExitDone;
  }
  if (rescues.empty()) cli.say("nothing was set aside");
  for (const Rescue& rescue : rescues) {
    cli.print(rescue.ref + "  " + to_text(rescue.time) + "  " + printable_line(rescue.reason, 100) + "\n  " +
              std::to_string(rescue.files) + " changed file(s), " + std::to_string(rescue.lone_commits) +
              " commit(s) that nothing else holds\n");
  }
  return kExitDone;
}

Result<int> rescue_restore(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Invalid, "a worker cannot bring back what was set aside");
  const RestoredRescue restored = TRY(bring_back(*app, arguments.positional(0)));
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().field("ref", restored.ref).field("folder", restored.folder);
    json.field("written", static_cast<std::int64_t>(restored.written));
    json.field("removed", static_cast<std::int64_t>(restored.removed)).end_object();
    cli.print(json.take() + "\n");
    return kExitDone;
  }
  cli.say("brought back into " + restored.folder + ": " + std::to_string(restored.written) + " file(s) written, " +
          std::to_string(restored.removed) + " removed; what was there is kept, see: reprise rescue list");
  return kExitDone;
}

void write_record(JsonWriter& json, const LaneCheckpoint& record) {
  json.begin_object().field("run_id", record.run_id).field("phase", record.phase).field("lane", record.lane);
  json.field("stage", record.stage_word()).field("status", record.status_word());
  json.field("base_branch", record.base_branch).field("worktree_path", record.worktree_path);
  json.field("log_path", record.log_path)
      .field("timestamp", to_text(record.timestamp))
      .field("notes", record.notes);
  json.field("resume_hint", record.resume_hint).field("rollback_hint", record.rollback_hint);
  if (record.retry_attempt) json.field("retry_attempt", static_cast<std::int64_t>(*record.retry_attempt));
  if (record.max_retries) json.field("max_retries", static_cast<std::int64_t>(*record.max_retries));
  if (!record.failure_context.empty()) {
    json.key("failure_context").begin_array();
    for (const std::string& line : record.failure_context) json.value(line);
    json.end_array();
  }
  json.end_object();
}

Result<int> checkpoint_list(Cli& cli) {
  App* app = TRY(cli.app());
  const LaneCheckpoints read = TRY(read_checkpoints(*app));
  const std::vector<LaneCheckpoint>& records = read.records;
  for (const Oddity& oddity : read.unusable()) {
    cli.say("ignored " + std::string(kCheckpointFile) + " line " + std::to_string(oddity.line) + ": " +
            oddity.why);
  }
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().key("checkpoints").begin_array();
    for (const LaneCheckpoint& record : records) write_record(json, record);
    cli.print(json.end_array().end_object().take() + "\n");
    return kExitDone;
  }
  if (records.empty()) cli.say("there are no checkpoints");
  for (const LaneCheckpoint& record : records) {
    cli.print(printable_line(record.run_id + "  " + record.phase + "  " + record.lane + "  ", 200) +
              printable_line(record.stage_word(), 60) + "  " + printable_line(record.status_word(), 40) + "  " +
              to_text(record.timestamp) + "\n");
  }
  return kExitDone;
}

Result<int> checkpoint_put(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (app->is_worker()) return fail(ErrorKind::Denied, "a worker cannot record checkpoints: its run does");
  LaneCheckpoint record{
      .run_id = arguments.value("run-id"), .phase = arguments.value("phase"), .lane = arguments.value("lane")};
  for (const char* name : {"run-id", "phase", "lane", "stage", "status"}) {
    if (arguments.value(name).empty())
      return fail(ErrorKind::Invalid, "checkpoint put needs --" + std::string(name));
  }
  const std::optional<LaneStage> stage = value_in(kLaneStageTokens, arguments.value("stage"));
  const std::optional<LaneStatus> status = value_in(kLaneStatusTokens, arguments.value("status"));
  if (!stage || !status) {
    std::string words;
    if (!stage) {
      for (const auto& [value, word] : kLaneStageTokens) words += (words.empty() ? "" : ", ") + std::string(word);
    } else {
      for (const auto& [value, word] : kLaneStatusTokens) words += (words.empty() ? "" : ", ") + std::string(word);
    }
    return fail(ErrorKind::Invalid, std::string(stage ? "--status" : "--stage") + " is one of " + words +
                                        ", not \"" +
                                        printable_line(arguments.value(stage ? "status" : "stage"), 60) + "\"");
  }
  record.stage = *stage;
  record.status = *status;
  record.notes = arguments.value("notes");
  record.base_branch = arguments.value("base");
  record.worktree_path = arguments.value("worktree");
  TRY_VOID(complete_record(*app, arguments.value("plan"), record));
  TRY_VOID(put_checkpoints(*app, {record}));
  if (cli.wants_json()) {
    JsonWriter json;
    write_record(json, record);
    cli.print(json.take() + "\n");
  }
  return kExitDone;
}

}  // namespace

void say_leftovers(Cli& cli, const std::vector<Leftover>& left) {
  for (const Leftover& each : left) {
    cli.say("warning: the worktree is removed, but some of its files are left in " +
            printable_line(each.folder.string(), 300) + ": " + printable_line(each.why, 400));
    cli.say("  try: " + printable_line(delete_command_of(each), 2000));
  }
}

int rollback_command(Cli& cli, const Arguments& arguments) {
  return cli.finish(rollback(cli, arguments, arguments.positional(0), arguments.value("lane")));
}
int rollback_named_command(Cli& cli, const Arguments& arguments, const std::string& id, const std::string& lane) {
  return cli.finish(rollback(cli, arguments, id, lane));
}
int cleanup_command(Cli& cli, const Arguments& arguments) { return cli.finish(cleanup(cli, arguments)); }
int rescue_list_command(Cli& cli, const Arguments&) { return cli.finish(rescue_list(cli)); }
int rescue_restore_command(Cli& cli, const Arguments& arguments) {
  return cli.finish(rescue_restore(cli, arguments));
}
int checkpoint_list_command(Cli& cli, const Arguments&) { return cli.finish(checkpoint_list(cli)); }
int checkpoint_put_command(Cli& cli, const Arguments& arguments) {
  return cli.finish(checkpoint_put(cli, arguments));
}

}  // namespace reprise
