#include "cli/generate.h"

#include <map>
#include <set>
#include <vector>

#include "base/strings.h"
#include "cli/layout.h"

namespace reprise {
namespace {

constexpr std::string_view kVersion = "0.1.0";

std::string dashed(const Option& option) {
  return (option.name == "C" ? "-C" : "--" + std::string(option.name)) +
         (option.value.empty() ? "" : " " + std::string(option.value));
}

std::string usage(const CommandSpec& command) {
  std::string text = "reprise " + std::string(command.name);
  for (const Positional& positional : command.positionals) {
    text += positional.required ? " " + std::string(positional.name) : " [" + std::string(positional.name) + "]";
  }
  for (const Option& option : command.options) {
    text += option.required ? " " + dashed(option) : " [" + dashed(option) + "]";
    if (option.repeats) text += "…";
  }
  return text;
}

std::string option_lines(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options) {
    text += "  " + padded(dashed(option), 22) + " " + std::string(option.help);
    if (!option.words.empty()) text += " (" + std::string(option.words) + ")";
    text += "\n";
  }
  return text;
}

// Commands by their first word, with the second words of groups.
std::map<std::string, std::vector<const CommandSpec*>> by_first_word() {
  std::map<std::string, std::vector<const CommandSpec*>> words;
  for (const CommandSpec& command : commands())
    words[std::string(split(command.name, ' ').front())].push_back(&command);
  return words;
}

std::string second_word(const CommandSpec& command) {
  const std::vector<std::string_view> parts = split(command.name, ' ');
  return parts.size() > 1 ? std::string(parts[1]) : "";
}

// The options of all commands of one group: which of them is meant is told by its second word.
std::string option_words(const std::vector<const CommandSpec*>& specs) {
  std::string words;
  std::set<std::string_view> seen;
  for (const CommandSpec* command : specs) {
    for (const Option& option : command->options) {
      if (seen.insert(option.name).second)
        words += (words.empty() ? "" : " ") + std::string("--") + std::string(option.name);
    }
  }
  for (const Option& option : global_options())
    words += " " + (option.name == "C" ? std::string("-C") : "--" + std::string(option.name));
  return words;
}

std::string bash_script() {
  std::string names;
  std::string cases;
  for (const auto& [word, specs] : by_first_word()) {
    names += (names.empty() ? "" : " ") + word;
    std::string seconds;
    for (const CommandSpec* spec : specs) {
      if (!second_word(*spec).empty()) seconds += (seconds.empty() ? "" : " ") + second_word(*spec);
    }
    std::string positional;
    if (!seconds.empty()) {
      positional = seconds;
    } else if (!specs.front()->positionals.empty()) {
      const std::string_view kind = specs.front()->positionals.front().words;
      positional = kind == "runs"        ? "$(_reprise_runs)"
                   : kind == "workflows" ? "$(_reprise_workflows)"
                                         : std::string(kind);
    }
    cases += "    " + word + ") words=\"" + positional + " " + option_words(specs) + "\" ;;\n";
  }
  return "# bash completion for reprise\n"
         "# Only names that mean nothing to a shell are offered; whoever wrote the repository chose them.\n"
         "_reprise_names() { grep -o \"\\\"$1\\\":\\\"[A-Za-z0-9._/@-]*\\\"\" | cut -d'\"' -f4; }\n"
         "_reprise_runs() { reprise status --json 2>/dev/null | _reprise_names id; }\n"
         "_reprise_workflows() { reprise workflow list --json 2>/dev/null | _reprise_names name; }\n"
         "_reprise() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" command=\"\" words=\"\" word i\n"
         "  local -a all\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"${COMP_WORDS[i]}\" in\n"
         "      -C) ((i++)) ;;\n"
         "      -*) ;;\n"
         "      *) command=\"${COMP_WORDS[i]}\"; break ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$command\" in\n" +
         cases + "    *) words=\"" + names +
         " --help --version\" ;;\n"
         "  esac\n"
         "  # Not `compgen -W`: it would expand what is in the words.\n"
         "  read -r -d '' -a all <<<\"$words\"\n"
         "  COMPREPLY=()\n"
         "  for word in \"${all[@]}\"; do [[ $word == \"$current\"* ]] && COMPREPLY+=(\"$word\"); done\n"
         "  return 0\n"
         "}\n"
         "complete -F _reprise reprise\n";
}

std::string zsh_script() {
  std::string text = "#compdef reprise\n_reprise() {\n  local -a commands\n  commands=(\n";
  for (const auto& [word, specs] : by_first_word())
    text += "    " + shell_quote(word + ":" + std::string(specs.front()->summary)) + "\n";
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case \"$words[2]\" "
      "in\n";
  for (const auto& [word, specs] : by_first_word()) {
    text += "    " + word + ") compadd --";
    for (const CommandSpec* spec : specs) text += second_word(*spec).empty() ? "" : " " + second_word(*spec);
    text += " " + option_words(specs) + " ;;\n";
  }
  return text + "  esac\n}\ncompdef _reprise reprise\n";
}

std::string fish_script() {
  std::string text = "# fish completion for reprise\ncomplete -c reprise -f\n";
  for (const Option& option : global_options()) {
    text += "complete -c reprise " + std::string(option.name == "C" ? "-s " : "-l ") + std::string(option.name) +
            (option.value.empty() ? "" : " -r") + " -d " + shell_quote(option.help) + "\n";
  }
  for (const auto& [word, specs] : by_first_word()) {
    text += "complete -c reprise -n __fish_use_subcommand -a " + word + " -d " +
            shell_quote(specs.front()->summary) + "\n";
    std::set<std::string> seen;
    for (const CommandSpec* spec : specs) {
      const std::string condition = "'__fish_seen_subcommand_from " + word + "'";
      if (!second_word(*spec).empty())
        text += "complete -c reprise -n " + condition + " -a " + second_word(*spec) + "\n";
      for (const Option& option : spec->options) {
        if (!seen.insert(std::string(option.name)).second) continue;
        text += "complete -c reprise -n " + condition + " -l " + std::string(option.name) +
                (option.value.empty() ? "" : " -r") + " -d " + shell_quote(option.help) + "\n";
      }
    }
  }
  return text;
}

// In troff a backslash and a leading dot or quote mean something.
std::string troff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("…")) {  // the one sign in the table that is not ASCII
      out += "...";
      i += std::string_view("…").size() - 1;
    } else if (text[i] == '\\') {
      out += "\\e";
    } else if (text[i] == '-') {
      out += "\\-";
    } else {
      out += text[i];
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out = "\\&" + out;
  return out;
}

}  // namespace

std::string version_text() { return "reprise " + std::string(kVersion) + "\n"; }

std::string help_text() {
  std::string text =
      "reprise runs multi-stage work, and when it is interrupted goes on from the right place.\n\nusage: reprise "
      "[-C DIR] COMMAND …\n";
  std::string_view group;
  for (const CommandSpec& command : commands()) {
    if (command.group != group) text += "\n" + std::string(group = command.group) + "\n";
    text += "  " + padded(std::string(command.name), 16) + " " + std::string(command.summary) + "\n";
  }
  return text + "\nEverywhere\n" + option_lines(global_options()) + "\n`reprise COMMAND --help` says more.\n";
}

std::string help_text(const CommandSpec& command) {
  std::string text = "usage: " + usage(command) + "\n\n" + std::string(command.summary) + "\n";
  if (!command.options.empty()) text += "\n" + option_lines(command.options);
  std::vector<Option> everywhere(global_options().begin(), global_options().end());
  for (Option& option : everywhere) {
    if (option.name == "json" && command.json == JsonForm::Lines)
      option.help = "print one JSON document per line on stdout; never ask";
    if (option.name == "json" && command.json == JsonForm::None)
      option.help = "change nothing: the output is text";
  }
  return text + "\nEverywhere\n" + option_lines(everywhere);
}

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return "";
}

std::string man_page() {
  std::string text =
      ".TH REPRISE 1 \"\" \"reprise " + std::string(kVersion) +
      "\" \"User Commands\"\n.SH NAME\nreprise \\- run multi\\-stage work and go on after any interruption\n"
      ".SH SYNOPSIS\n.B reprise\n[\\-C DIR] COMMAND ...\n.SH COMMANDS\n";
  for (const CommandSpec& command : commands()) {
    text += ".TP\n.B " + troff(usage(command)) + "\n" + troff(command.summary) + "\n";
    for (const Option& option : command.options)
      text += ".RS\n.TP\n.B " + troff(dashed(option)) + "\n" + troff(option.help) + "\n.RE\n";
  }
  text += ".SH OPTIONS\n";
  for (const Option& option : global_options())
    text += ".TP\n.B " + troff(dashed(option)) + "\n" + troff(option.help) + "\n";
  text += ".SH EXIT STATUS\n";
  static constexpr std::pair<std::string_view, std::string_view> kCodes[] = {
      {"0", "done, or nothing to do"},
      {"1", "the work failed"},
      {"2", "wrong usage, broken definition or input"},
      {"3", "waiting for a person"},
      {"4", "blocked by a finding"},
      {"5", "held by another process"},
      {"6", "the store or the disk failed; nothing after the last acknowledged event was recorded"},
      {"129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM, state saved"}};
  for (const auto& [code, meaning] : kCodes)
    text += ".TP\n.B " + std::string(code) + "\n" + std::string(meaning) + "\n";
  return text;
}

}  // namespace reprise
