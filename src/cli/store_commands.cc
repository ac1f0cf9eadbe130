// Commands about the project and its store: init, workflow, doctor, verify, completion, man.

#include <algorithm>

#include "app/definitions.h"
#include "app/maintain.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "cli/generate.h"
#include "cli/handlers.h"

namespace reprise {
namespace {

// Text of several lines, the further ones below the first.
std::string indented(const std::string& text, std::size_t width) {
  std::string out;
  for (const char c : printable(text)) out += c == '\n' ? "\n" + std::string(width, ' ') : std::string(1, c);
  return out;
}

std::string_view token(DoctorLine::Answer answer) {
  switch (answer) {
    case DoctorLine::Answer::Ok: return "ok";
    case DoctorLine::Answer::Warning: return "warning";
    case DoctorLine::Answer::Bad: return "bad";
  }
  return "bad";
}

Result<int> show_doctor(Cli& cli) {
  App* app = TRY(cli.app());
  const std::vector<DoctorLine> lines = TRY(doctor(*app));
  bool is_bad = false;
  JsonWriter json;
  json.begin_object().key("checks").begin_array();
  for (const DoctorLine& line : lines) {
    is_bad = is_bad || line.answer == DoctorLine::Answer::Bad;
    json.begin_object()
        .field("answer", token(line.answer))
        .field("subject", line.subject)
        .field("message", line.message);
    json.field("remedy", line.remedy).end_object();
    if (cli.wants_json()) continue;
    const int code = line.answer == DoctorLine::Answer::Ok        ? 32
                     : line.answer == DoctorLine::Answer::Warning ? 33
                                                                  : 31;
    cli.print(cli.colour(std::string(token(line.answer)), code) + "  " + printable_line(line.subject, 80) + ": " +
              indented(line.message, 4) + "\n");
    if (!line.remedy.empty()) cli.print("    " + printable_line(line.remedy, 300) + "\n");
  }
  json.end_array().end_object();
  if (cli.wants_json()) cli.print(json.take() + "\n");
  return is_bad ? kExitFailed : kExitDone;
}

// What integrity_check says of an index, by its own words.
bool is_of_index(const ChainFault& fault) {
  return fault.message.starts_with("database: ") && fault.message.find("index") != std::string::npos;
}

Result<int> verify_store(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  if (arguments.has("reindex")) TRY_VOID(TRY(open_journal(*app, OpenMode::ReadWrite))->rebuild_indexes());
  Result<std::unique_ptr<Journal>> journal = open_journal(*app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind != ErrorKind::NotFound) return fail(journal.error());
  const std::vector<ChainFault> faults = journal ? TRY((*journal)->verify()) : std::vector<ChainFault>();
  JsonWriter json;
  json.begin_object().field("intact", faults.empty()).key("faults").begin_array();
  for (const ChainFault& fault : faults) {
    json.begin_object()
        .field("run", fault.run.shown())
        .field("event", fault.number.value)
        .field("message", fault.message)
        .end_object();
    if (!cli.wants_json())
      cli.print(printable_line(fault.run.shown(), 100) + ": event " + std::to_string(fault.number.value) + ": " +
                printable_line(fault.message, 400) + "\n");
  }
  json.end_array().end_object();
  if (cli.wants_json()) {
    cli.print(json.take() + "\n");
  } else if (faults.empty()) {
    cli.print(journal ? "intact: every event is there, in order and unchanged\n"
                      : "intact: nothing has run here yet\n");
  }
  if (std::ranges::any_of(faults, is_of_index))
    cli.say("an index does not say what its table says; it can be made anew: reprise verify --reindex");
  return faults.empty() ? kExitDone : kExitFailed;
}

Result<int> init(Cli& cli) {
  App* app = TRY(cli.app());
  const InitReport report = TRY(init_project(*app));
  JsonWriter json;
  json.begin_object().field("wrote_config", report.wrote_config).key("systems").begin_array();
  for (const std::string& system : report.systems) json.value(system);
  json.end_array().end_object();
  if (cli.wants_json()) {
    cli.print(json.take() + "\n");
    return kExitDone;
  }
  cli.print(report.wrote_config ? "wrote .reprise/config.yaml; say there which programs are your workers\n"
                                : ".reprise/config.yaml is there already and was left as it is\n");
  for (const std::string& system : report.systems) cli.print("found state of: " + system + "\n");
  if (!report.systems.empty()) cli.print("see what was interrupted: reprise scan\n");
  return kExitDone;
}

Result<int> list_workflows(Cli& cli) {
  App* app = TRY(cli.app());
  const std::vector<WorkflowEntry> entries = TRY(list_definitions(*app));
  JsonWriter json;
  json.begin_object().key("workflows").begin_array();
  for (const WorkflowEntry& entry : entries) {
    json.begin_object()
        .field("name", entry.name)
        .field("file", entry.file)
        .field("description", entry.description);
    json.field("problem", entry.problem).end_object();
    if (cli.wants_json()) continue;
    cli.print(entry.name + "  " + entry.file +
              (entry.description.empty() ? "" : "  " + printable_line(entry.description, 200)) + "\n");
    if (!entry.problem.empty()) cli.print("  " + indented(entry.problem, 2) + "\n");
  }
  json.end_array().end_object();
  if (cli.wants_json()) cli.print(json.take() + "\n");
  if (!cli.wants_json() && entries.empty()) cli.print("no workflow in .reprise/workflows yet\n");
  return kExitDone;
}

Result<int> check_workflow(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  const std::vector<Problem> problems = TRY(check_definition(*app, arguments.positional(0)));
  JsonWriter json;
  json.begin_object().key("problems").begin_array();
  for (const Problem& problem : problems) {
    json.begin_object().field("file", problem.file).field("line", problem.line).field("column", problem.column);
    json.field("message", problem.message).field("allowed", problem.allowed).end_object();
    if (!cli.wants_json()) cli.print(printable(to_text(problem)) + "\n");
  }
  json.end_array().end_object();
  if (cli.wants_json()) cli.print(json.take() + "\n");
  if (!cli.wants_json() && problems.empty()) cli.print("sound\n");
  if (!problems.empty()) cli.say("  try: ${EDITOR:-vi} " + shell_quote(problems.front().file));
  return problems.empty() ? kExitDone : kExitUsage;
}

Result<int> show_workflow(Cli& cli, const Arguments& arguments) {
  App* app = TRY(cli.app());
  cli.pass_on(TRY(load_definition(*app, arguments.positional(0))).text + "\n");
  return kExitDone;
}

}  // namespace

int init_command(Cli& cli, const Arguments&) { return cli.finish(init(cli)); }
int workflow_list_command(Cli& cli, const Arguments&) { return cli.finish(list_workflows(cli)); }
int workflow_show_command(Cli& cli, const Arguments& arguments) {
  return cli.finish(show_workflow(cli, arguments));
}
int workflow_check_command(Cli& cli, const Arguments& arguments) {
  return cli.finish(check_workflow(cli, arguments));
}
int workflow_schema_command(Cli& cli, const Arguments&) {
  cli.pass_on(workflow_schema());
  return kExitDone;
}
int doctor_command(Cli& cli, const Arguments&) { return cli.finish(show_doctor(cli)); }
int verify_command(Cli& cli, const Arguments& arguments) { return cli.finish(verify_store(cli, arguments)); }

int completion_command(Cli& cli, const Arguments& arguments) {
  const std::string script = completion_script(arguments.positional(0));
  if (script.empty())
    return cli.report(Error{.kind = ErrorKind::Invalid, .message = "completion is there for bash, zsh and fish"});
  cli.pass_on(script);
  return kExitDone;
}

int man_command(Cli& cli, const Arguments&) {
  cli.pass_on(man_page());
  return kExitDone;
}

}  // namespace reprise
