#include "formats/lane_plan_words.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

std::string_view without_end_marks(std::string_view word) {
  while (!word.empty() && std::string_view(".,;:!?)]").find(word.back()) != std::string_view::npos) {
    word.remove_suffix(1);
  }
  while (!word.empty() && (word[0] == '(' || word[0] == '[')) word.remove_prefix(1);
  return word;
}

void add_named(std::vector<std::string>& ids, const std::string& text) {
  const std::size_t before = ids.size();
  for (const std::string_view word : split(text, ' ')) {
    const std::string_view id = without_end_marks(word);
    const bool is_lane = to_upper(id.substr(0, 3)) == "SL-" && is_lane_name(id);
    if (is_lane || is_gate_id(id)) ids.emplace_back(id);
  }
  if (ids.size() == before) ids.push_back(text);
}

}  // namespace

bool is_gate_id(std::string_view word) {
  return word.size() > 3 && to_upper(word.substr(0, 3)) == "IF-" && is_lane_name(word);
}

std::string without_marks(std::string_view text) {
  std::string out(trim(text));
  std::erase_if(out, [](char c) { return c == '*' || c == '`'; });
  return std::string(trim(out));
}

Titled split_title(std::string_view text) {
  const std::string plain = without_marks(text);
  std::size_t end = plain.size();
  std::size_t behind = plain.size();
  for (const std::string_view mark : {" -- ", " — ", " – ", " - ", ": ", "—", "–", ":"}) {
    const std::size_t at = plain.find(mark);
    if (at >= end) continue;
    end = at;
    behind = at + mark.size();
  }
  return {std::string(trim(plain.substr(0, end))), std::string(trim(plain.substr(behind)))};
}

std::vector<std::string> gates_in(std::string_view text) {
  std::vector<std::string> gates;
  std::string plain = without_marks(text);
  std::ranges::replace(plain, ',', ' ');
  for (const std::string_view word : split(plain, ' ')) {
    const std::string_view id = without_end_marks(word);
    if (is_gate_id(id)) gates.emplace_back(id);
  }
  return gates;
}

std::vector<std::string> commands_in(std::string_view cell) {
  std::vector<std::string> commands;
  const auto add = [&](std::string_view text) {
    if (!is_nothing(text)) commands.emplace_back(trim(text));
  };
  if (cell.find('`') == std::string_view::npos) {
    for (std::size_t at = 0; at <= cell.size();) {
      const std::size_t end = std::min(cell.find("<br", at), cell.size());
      add(cell.substr(at, end - at));
      at = std::min(cell.find('>', end), cell.size()) + 1;
    }
    return commands;
  }
  for (std::size_t open = cell.find('`'); open != std::string_view::npos; open = cell.find('`', open)) {
    const std::size_t inside = std::min(cell.find_first_not_of('`', open), cell.size());
    const std::string fence(inside - open, '`');
    const std::size_t close = std::min(cell.find(fence, inside), cell.size());
    add(cell.substr(inside, close - inside));
    open = std::min(close + fence.size(), cell.size());
  }
  return commands;
}

std::vector<std::string> files_in(std::string_view cell) {
  constexpr std::string_view kBreak = "<br>";
  std::string text;
  for (std::size_t at = cell.find(kBreak); at != std::string_view::npos; at = cell.find(kBreak)) {
    text.append(cell.substr(0, at)).push_back(',');
    cell.remove_prefix(at + kBreak.size());
  }
  return read_list(text.append(cell));
}

std::vector<std::string> named_in(std::string_view value) {
  std::vector<std::string> ids;
  for (const std::string& part : read_list(value)) {
    if (is_lane_name(part)) {
      ids.push_back(part);
    } else {
      for (const std::string& id : read_ids(part)) add_named(ids, id);
    }
  }
  return ids;
}

ParallelSafe parallel_in(std::string_view value) {
  const std::string word = leading_token(value);
  if (word.starts_with("yes")) return ParallelSafe::Yes;
  if (word.starts_with("no")) return ParallelSafe::No;
  return word.starts_with("mixed") ? ParallelSafe::Mixed : ParallelSafe::NotSaid;
}

std::optional<TaskColumn> task_column(std::string_view heading) {
  static constexpr std::array<std::pair<std::string_view, TaskColumn>, 16> kColumns = {
      {{"task_id", TaskColumn::Id},
       {"task", TaskColumn::Id},
       {"task_type", TaskColumn::Type},
       {"type", TaskColumn::Type},
       {"depends_on", TaskColumn::DependsOn},
       {"depends", TaskColumn::DependsOn},
       {"dependencies", TaskColumn::DependsOn},
       {"files_in_scope", TaskColumn::Files},
       {"files", TaskColumn::Files},
       {"tests_owned_files", TaskColumn::Tests},
       {"tests_owned", TaskColumn::Tests},
       {"test_command(s)", TaskColumn::Commands},
       {"test_commands", TaskColumn::Commands},
       {"test_command", TaskColumn::Commands},
       {"acceptance_criteria", TaskColumn::Acceptance},
       {"acceptance", TaskColumn::Acceptance}}};
  const std::string key = normal_key(heading);
  const auto* found =
      std::ranges::find(kColumns, key, [](const auto& column) { return std::string_view(column.first); });
  return found == kColumns.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace reprise
