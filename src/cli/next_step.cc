#include "cli/next_step.h"

#include <algorithm>

#include "base/chars.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::string_view kProgram = "reprise ";

// By command: where its choices are seen. "ID" stands for the work that was named.
struct NextRow {
  std::string_view command;
  std::string_view next;
};
constexpr NextRow kNextRows[] = {
    {"accept", "reprise plan ID"},
    {"answer", "reprise inbox"},
    {"approve", "reprise inbox"},
    {"attach", "reprise status ID"},
    {"cancel", "reprise status ID"},
    {"cleanup", "reprise status ID"},
    {"events", "reprise status"},
    {"export", "reprise status ID"},
    {"fork", "reprise plan ID"},
    {"fresh", "reprise plan ID"},
    {"lock break", "reprise lock list"},
    {"log", "reprise status ID"},
    {"plan", "reprise scan"},
    {"reject", "reprise inbox"},
    {"repair", "reprise plan ID"},
    {"rescue restore", "reprise rescue list"},
    {"resume", "reprise plan ID"},
    {"retry", "reprise status ID"},
    {"rollback", "reprise status ID"},
    {"run", "reprise workflow list"},
    {"skip", "reprise status ID"},
    {"status", "reprise scan"},
    {"task create", "reprise task list"},
    {"task get", "reprise task list"},
    {"task update", "reprise task list"},
    {"why", "reprise plan ID"},
    {"workflow check", "reprise workflow list"},
    {"workflow show", "reprise workflow list"},
};

// Whether a command of ours begins with `rest`; "reprise/journal.db" and "reprise: …" are none.
bool begins_command(std::string_view rest) {
  const auto is_it = [&](const CommandSpec& command) {
    return rest.starts_with(command.name) &&
           (rest.size() == command.name.size() || !is_alphanumeric(rest[command.name.size()]));
  };
  return std::ranges::any_of(commands(), is_it);
}

bool is_command_place(std::string_view text, std::size_t at, bool as_json) {
  if (at == 0) return !as_json;
  const char before = text[at - 1];
  if (as_json) return before == '"' && (at == 1 || text[at - 2] != '\\');
  return (!is_alphanumeric(before) && before != '/') || before == 'm';  // a colour ends so
}

}  // namespace

std::string next_step(const Arguments& arguments, const Error& error) {
  if (error.is_full) return "df -h " + shell_quote(error.file.empty() ? "." : error.file);
  if (error.kind == ErrorKind::Io)
    return error.file.empty() ? "reprise doctor" : "ls -l " + shell_quote(error.file);
  if (error.kind == ErrorKind::Corrupt && error.file.ends_with(".db")) return "reprise verify";
  if (error.kind == ErrorKind::Corrupt && error.file.empty()) return "reprise doctor";
  if (error.kind == ErrorKind::Corrupt) return "${EDITOR:-vi} " + shell_quote(error.file);
  if (arguments.command == nullptr) return "reprise --help";
  const std::string usage = std::string(kProgram) + std::string(arguments.command->name) + " --help";
  const auto row = std::ranges::find(kNextRows, arguments.command->name, &NextRow::command);
  if (error.message.starts_with("--") || row == std::end(kNextRows)) return usage;
  if (!row->next.ends_with(" ID")) return std::string(row->next);
  if (arguments.positionals.empty() || error.message.starts_with("there is no run")) return "reprise scan";
  return std::string(row->next.substr(0, row->next.size() - 2)) + shell_quote(arguments.positionals.front());
}

std::string with_directory(std::string_view text, const std::string& directory, bool as_json) {
  std::string words = "-C " + shell_quote(directory) + " ";
  if (as_json) {
    words = json_string(words);
    words = words.substr(1, words.size() - 2);
  }
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find(kProgram, at);
    if (found == std::string_view::npos) return out + std::string(text.substr(at));
    const std::size_t behind = found + kProgram.size();
    out += text.substr(at, behind - at);
    if (is_command_place(text, found, as_json) && begins_command(text.substr(behind))) out += words;
    at = behind;
  }
  return out;
}

}  // namespace reprise
