// The Task API: task lists as people and agents look at and change them (TP-01).

#include <algorithm>

#include "app/task_lists.h"
#include "app/task_secrets.h"
#include "app/task_store_journal.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/handlers.h"

namespace reprise {
namespace {

using Strings = std::vector<std::string>;

struct ShownList {
  TaskListPlace place;
  TaskListClaims claims;
};

// The lists that are to be shown: the named one, or those of the project, or all.
Result<std::vector<ShownList>> shown_lists(App& app, const Arguments& arguments) {
  std::vector<TaskListPlace> places;
  std::vector<RunId> runs;
  if (const std::string name = arguments.value("list"); !name.empty()) {
    if (const std::optional<RunId> run = TRY(run_with_list(app, name))) {
      runs.push_back(*run);
    } else {
      places.push_back(TRY(choose_task_list(app, name)));
    }
  } else {
    runs = TRY(runs_with_lists(app));
    places = TRY(find_task_lists(app));
    std::erase_if(places, [&](const TaskListPlace& place) { return !place.belongs && !arguments.has("all"); });
  }
  std::vector<ShownList> lists;
  for (TaskListPlace& place : places) {
    TaskListClaims claims = TRY(read_task_list(app, place));
    lists.push_back({std::move(place), std::move(claims)});
  }
  for (const RunId& run : runs) {
    const TaskListPlace place{.id = run.text, .folder = {}, .belongs = true, .why = "it is the list of a run"};
    lists.push_back({place, TRY(open_task_journal(app, run)->list())});
  }
  return lists;
}

// A task's own phase; of the permanent one the phase that it says all is in.
std::string phase_word(const TaskListClaims& claims, const TaskClaim& task) {
  if (task.phase) return std::string(to_token(*task.phase));
  const bool is_chosen = claims.permanent && claims.permanent->id == task.id;
  if (is_chosen && claims.permanent->current_phase) return std::string(to_token(*claims.permanent->current_phase));
  return task.phase_word;
}

std::string status_word(const TaskClaim& task) {
  if (task.is_damaged) return "damaged";
  return task.status == TaskStatus::Unknown ? task.status_word : std::string(to_token(task.status));
}

void write_strings(JsonWriter& json, std::string_view key, const Strings& values) {
  json.key(key).begin_array();
  for (const std::string& value : values) json.value(value);
  json.end_array();
}

void write_task(JsonWriter& json, const TaskListClaims& claims, const TaskClaim& task) {
  json.begin_object().field("id", task.id).field("subject", task.subject);
  json.field("status", task.is_damaged ? "damaged" : to_token(task.status)).field("status_word", task.status_word);
  json.field("owner", task.owner).field("phase", phase_word(claims, task));
  write_strings(json, "blocks", task.blocks);
  write_strings(json, "blockedBy", task.blocked_by);
  write_strings(json, "open_blockers", open_blockers(claims.tasks, task));
  json.field("permanent", task.is_permanent).field("internal", task.is_internal).key("metadata").begin_object();
  for (const auto& [key, value] : task.metadata) json.field(key, value);
  json.end_object().end_object();
}

void write_list(JsonWriter& json, const ShownList& list) {
  json.begin_object().field("id", list.place.id).field("folder", list.place.folder.string());
  json.field("belongs", list.place.belongs).field("why", list.place.why);
  json.field("permanent", list.claims.permanent ? list.claims.permanent->id : "");
  json.key("tasks").begin_array();
  for (const TaskClaim& task : list.claims.tasks) write_task(json, list.claims, task);
  json.end_array().key("oddities").begin_array();
  for (const Oddity& oddity : list.claims.oddities) {
    json.begin_object()
        .field("file", oddity.text)
        .field("line", oddity.line)
        .field("why", oddity.why)
        .end_object();
  }
  json.end_array().end_object();
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out = printable_line(text.empty() ? "-" : text, 40);
  if (out.size() < width) out.resize(width, ' ');
  return out + "  ";
}

std::string task_line(const TaskListClaims& claims, const TaskClaim& task) {
  std::string line = "  " + padded(task.id, 3) + padded(status_word(task), 11) + padded(task.owner, 8) +
                     padded(phase_word(claims, task), 2) +
                     printable_line(task.is_damaged ? "(its file cannot be read)" : task.subject, 100);
  if (const Strings open = open_blockers(claims.tasks, task); !open.empty())
    line += "  (waits for " + printable_line(join(open, ", "), 100) + ")";
  return line + "\n";
}

void show_list(Cli& cli, const ShownList& list) {
  cli.print(printable_line(list.place.id, 100) + "  (" + printable_line(list.place.why, 200) + ")\n");
  for (const TaskClaim& task : list.claims.tasks) cli.pass_on(task_line(list.claims, task));
  for (const Oddity& oddity : list.claims.oddities) {
    const std::string place = oddity.line > 0 ? ":" + std::to_string(oddity.line) : "";
    cli.print("  ! " + printable_line(oddity.text, 80) + place + ": " + printable_line(oddity.why, 300) + "\n");
  }
}

Result<int> list(Cli& cli, const Arguments& arguments) {
  const std::vector<ShownList> lists = TRY(shown_lists(*TRY(cli.app()), arguments));
  if (cli.wants_json()) {
    JsonWriter json;
    json.begin_object().key("lists").begin_array();
    for (const ShownList& each : lists) write_list(json, each);
    cli.print(json.end_array().end_object().take() + "\n");
    return kExitDone;
  }
  if (lists.empty())
    cli.say(arguments.has("all")
                ? "there are no task lists"
                : "no task list belongs to this project; see all of them: reprise task list --all");
  for (const ShownList& each : lists) show_list(cli, each);
  return kExitDone;
}

// The list that a command is about.
Result<std::unique_ptr<TaskStore>> open_store(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (const std::optional<RunId> run = TRY(run_with_list(*app, arguments.value("list"))))
    return open_task_journal(*app, *run);
  Result<TaskListPlace> place = choose_task_list(*app, arguments.value("list"));
  if (!place && place.error().kind == ErrorKind::NotFound) {  // the only list may be a run's
    const std::vector<RunId> runs = TRY(runs_with_lists(*app));
    if (runs.size() == 1) return open_task_journal(*app, runs.front());
  }
  return open_task_folder(*app, TRY(std::move(place)));
}

Result<int> get(Cli& cli, const Arguments& arguments) {
  const std::unique_ptr<TaskStore> store = TRY(open_store(cli, arguments));
  std::string bytes = TRY(store->get(arguments.positional(0)));
  if (!bytes.ends_with('\n')) bytes += '\n';
  cli.pass_on(cli.wants_json() ? bytes : printable(bytes));
  return kExitDone;
}

Result<std::vector<JsonSetting>> metadata_in(const Arguments& arguments) {
  std::vector<JsonSetting> settings;
  for (const std::string& text : arguments.values("metadata")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorKind::Invalid, "--metadata wants KEY=VALUE, not \"" + printable_line(text, 80) + "\"");
    settings.push_back({text.substr(0, equals), as_json_value(std::string_view(text).substr(equals + 1))});
  }
  return settings;
}

std::optional<std::string> given(const Arguments& arguments, std::string_view option) {
  return arguments.has(option) ? std::optional(arguments.value(option)) : std::nullopt;
}

// A worker whose step runs again names its tasks again: each of them is made once. One without a phase belongs to
// that of its step.
void make_once(const App& app, NewTask& task) {
  if (!app.is_worker()) return;
  task.once = true;
  const auto step = app.environment.find("REPRISE_STEP");
  const bool has_phase = std::ranges::find(task.metadata, "phase", &JsonSetting::key) != task.metadata.end();
  if (has_phase || step == app.environment.end()) return;
  const std::string phase = step->second.substr(0, step->second.find('/'));
  if (value_in(kTaskPhaseTokens, phase)) task.metadata.push_back({"phase", '"' + phase + '"'});
}

Result<int> create(Cli& cli, const Arguments& arguments) {
  NewTask task{.subject = arguments.value("subject"),
               .description = arguments.value("description"),
               .active_form = arguments.value("active-form"),
               .owner = arguments.value("owner"),
               .blocks = arguments.values("blocks"),
               .blocked_by = arguments.values("blocked-by"),
               .metadata = TRY(metadata_in(arguments))};
  if (trim(task.subject).empty()) return fail(ErrorKind::Invalid, "task create needs --subject");
  take_secrets_out(*TRY(cli.app()), task);
  const std::unique_ptr<TaskStore> store = TRY(open_store(cli, arguments));
  make_once(*TRY(cli.app()), task);
  const std::string id = TRY(store->create(task));
  JsonWriter json;
  cli.print(cli.wants_json() ? json.begin_object().field("id", id).end_object().take() + "\n" : id + "\n");
  return kExitDone;
}

Result<int> update(Cli& cli, const Arguments& arguments) {
  const std::string id = arguments.positional(0);
  const std::unique_ptr<TaskStore> store = TRY(open_store(cli, arguments));
  const std::string status = arguments.value("status");
  TaskChange change{.subject = given(arguments, "subject"),
                    .description = given(arguments, "description"),
                    .active_form = given(arguments, "active-form"),
                    .owner = given(arguments, "owner"),
                    .status = value_in(kTaskStatusTokens, status),
                    .metadata = TRY(metadata_in(arguments)),
                    .add_blocks = arguments.values("add-blocks"),
                    .add_blocked_by = arguments.values("add-blocked-by"),
                    .remove_blocks = arguments.values("remove-blocks"),
                    .remove_blocked_by = arguments.values("remove-blocked-by")};
  if (change.subject && trim(*change.subject).empty()) return fail(ErrorKind::Invalid, "a task needs a subject");
  take_secrets_out(*TRY(cli.app()), change);
  if (status == "deleted") {
    TRY_VOID(store->remove(id));
  } else {
    TRY_VOID(store->update(id, change));
  }
  if (!cli.wants_json()) return kExitDone;
  JsonWriter json;
  json.begin_object().field("id", id);
  if (status == "deleted") json.field("deleted", true);
  cli.print(json.end_object().take() + "\n");
  return kExitDone;
}

}  // namespace

int task_list_command(Cli& cli, const Arguments& arguments) { return cli.finish(list(cli, arguments)); }
int task_get_command(Cli& cli, const Arguments& arguments) { return cli.finish(get(cli, arguments)); }
int task_create_command(Cli& cli, const Arguments& arguments) { return cli.finish(create(cli, arguments)); }
int task_update_command(Cli& cli, const Arguments& arguments) { return cli.finish(update(cli, arguments)); }

}  // namespace reprise
