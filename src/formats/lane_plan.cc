#include "formats/lane_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/strings.h"
#include "formats/lane_plan_links.h"
#include "formats/lane_plan_words.h"
#include "formats/lane_workflow.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "model/limits.h"
#include "text/markdown_document.h"

namespace reprise {
namespace {

std::size_t indent_of(std::string_view bytes, const MarkdownBlock& block) {
  const std::string_view line =
      text_of(bytes, {block.begin, block.end}).substr(block.line == 1 ? text_start(bytes) : 0);
  return std::min(line.find_first_not_of(" \t"), line.size());
}

const MarkdownSection* find_section_by(const MarkdownDocument& document, std::string_view words) {
  for (const MarkdownSection& section : document.sections()) {
    if (section.level > 0 && normal_heading(section.heading).find(words) != std::string::npos) return &section;
  }
  return nullptr;
}

// The blocks of a section with its subsections; fenced code is looked into.
std::vector<MarkdownBlock> blocks_of(const MarkdownDocument& document, const MarkdownSection& section) {
  std::vector<MarkdownBlock> blocks;
  for (std::size_t i = section.first; i < section.end; ++i) {
    const MarkdownBlock& block = document.blocks()[i];
    if (block.kind != MarkdownKind::Code) {
      blocks.push_back(block);
    } else {
      for (MarkdownBlock& inner : scan_inside(document.bytes(), block)) blocks.push_back(std::move(inner));
    }
  }
  return blocks;
}

// Reads one plan from the front to the back.
class PlanReader {
 public:
  PlanReader(const MarkdownDocument& document, const std::string& file) : document_(document), problems_(file) {
    plan_.file = file;
  }

  std::expected<PhasePlan, std::vector<Problem>> read(const MarkdownSection& index) {
    read_title();
    read_gates();
    read_index(index);
    if (plan_.lanes.empty()) problems_.add(index.line, 1, "the lane index lists no lane");
    read_lane_sections();
    check_lanes();
    if (problems_.empty()) link_lanes(plan_, needs_, problems_);
    if (!problems_.empty()) return std::unexpected(problems_.take());
    return std::move(plan_);
  }

 private:
  void read_title() {
    const auto title = std::ranges::find_if(document_.blocks(), [](const MarkdownBlock& block) {
      return block.kind == MarkdownKind::Heading && block.level == 1;
    });
    if (title == document_.blocks().end()) {
      problems_.add(1, 1, "there is no title such as \"# P1: Foundation\"");
      return;
    }
    const Titled titled = split_title(title->text);
    plan_.phase = titled.id;
    plan_.name = titled.name;
    check_name(title->line, "phase", titled.id);
  }

  void read_gates() {
    const MarkdownSection* section = find_section_by(document_, "freeze gates");
    if (section == nullptr) return;
    for (const MarkdownBlock& block : blocks_of(document_, *section)) {
      if (block.kind != MarkdownKind::ListItem || !block.checked) continue;
      const Titled gate = split_title(block.text);
      if (is_gate_id(gate.id)) plan_.gates.push_back({gate.id, gate.name, *block.checked, block.line});
    }
  }

  // Lanes are the items that are indented least; what is indented more belongs to the lane above.
  void read_index(const MarkdownSection& section) {
    std::optional<std::size_t> least;
    for (const MarkdownBlock& block : blocks_of(document_, section)) {
      const std::size_t indent = indent_of(document_.bytes(), block);
      if (block.kind == MarkdownKind::ListItem) {
        if (!least) least = indent;
        end_field();
        if (indent <= *least) {
          add_lane(block);
        } else {
          field_ = block.text;
          field_line_ = block.line;
        }
      } else if (block.kind == MarkdownKind::Paragraph && !field_.empty() && indent > *least) {
        field_ += ' ';
        field_ += trim(text_of(document_.bytes(), {block.begin, block.end}));  // a value that goes on
      }
    }
    end_field();
  }

  void add_lane(const MarkdownBlock& item) {
    if (plan_.lanes.size() == kLanesMax) {
      problems_.add(item.line, 1, "there are more than " + std::to_string(kLanesMax) + " lanes");
    }
    if (plan_.lanes.size() >= kLanesMax) return;
    const Titled titled = split_title(item.text);
    check_name(item.line, "lane", titled.id);
    if (is_gate_id(titled.id)) {
      problems_.add(item.line, 1, "a lane cannot be called " + quoted(titled.id) + ", which is a gate's name");
    }
    // Folders that differ in case only are the same on some disks.
    const auto [earlier, is_new] = lanes_.try_emplace(to_lower(titled.id), plan_.lanes.size());
    if (!is_new) {
      const PlanLane& other = plan_.lanes[earlier->second];
      problems_.add(item.line, 1,
                    "the lane " + quoted(titled.id) + " is listed twice, as " + quoted(other.id) + " in line " +
                        std::to_string(other.line));
    }
    plan_.lanes.push_back({.id = titled.id, .name = titled.name, .line = item.line});
    needs_.emplace_back().lane.line = item.line;
  }

  void end_field() {
    const std::string text = std::exchange(field_, "");
    if (text.empty() || plan_.lanes.empty()) return;
    const std::string plain = without_marks(text);
    const std::size_t colon = std::min(plain.find(':'), plain.size());
    const std::string key = normal_key(plain.substr(0, colon));
    const std::string_view value = trim(std::string_view(plain).substr(std::min(colon + 1, plain.size())));
    PlanLane& lane = plan_.lanes.back();
    if (key == "depends_on") {
      needs_.back().lane.line = field_line_;
      needs_.back().lane.ids = needs_in(value, field_line_);
    }
    if (key == "blocks") lane.blocks = needs_in(value, field_line_);
    if (key == "parallel_safe") lane.parallel_safe = parallel_in(value);
    if (key == "retries") lane.retries = retries_in(value);
  }

  int retries_in(std::string_view value) {
    if (is_nothing(value)) return 0;
    const std::optional<long long> number = parse_number(leading_words(value), kRetriesMax);
    if (!number) {
      problems_.add(field_line_, 1,
                    "not a number of retries: " + quoted(value) + "; 0 to " + std::to_string(kRetriesMax));
    }
    return static_cast<int>(number.value_or(0));
  }

  std::vector<std::string> needs_in(std::string_view value, int line) {
    std::vector<std::string> ids = named_in(value);
    if (ids.size() > kNamedMax) problems_.add(line, 1, "more than " + std::to_string(kNamedMax) + " dependencies");
    ids.resize(std::min(ids.size(), kNamedMax));
    return ids;
  }

  // Below a lane's heading stand its tasks and the gates that it provides.
  void read_lane_sections() {
    for (const MarkdownBlock& block : document_.blocks()) {
      if (block.kind == MarkdownKind::Heading) {
        enter(block);
      } else if (block.kind == MarkdownKind::Table) {
        read_table(block);
      } else if (block.kind == MarkdownKind::Code && !section_.empty()) {
        for (const MarkdownBlock& inner : scan_inside(document_.bytes(), block)) {
          if (inner.kind == MarkdownKind::Table) read_table(inner);
        }
      } else if (lane_) {
        read_provided(block);
      }
    }
  }

  void enter(const MarkdownBlock& heading) {
    std::string id = split_title(heading.text).id;
    if (to_lower(id).starts_with("lane ")) id = trim(std::string_view(id).substr(5));
    const auto found = lanes_.find(to_lower(id));
    const bool is_listed = found != lanes_.end() && plan_.lanes[found->second].id == id;
    if (is_listed || to_upper(id).starts_with("SL-")) {
      lane_ = is_listed ? std::optional(found->second) : std::nullopt;
      section_ = id;
      level_ = heading.level;
      providing_ = false;
    } else if (heading.level <= level_) {
      lane_.reset();
      section_.clear();
    } else {
      providing_ = is_providing(heading.text);
    }
  }

  static bool is_providing(std::string_view text) {
    return normal_key(text.substr(0, text.find(':'))) == "interfaces_provided";
  }

  void read_provided(const MarkdownBlock& block) {
    const std::string_view text = trim(text_of(document_.bytes(), {block.begin, block.end}));
    std::vector<std::string>& provides = plan_.lanes[*lane_].provides;
    if (block.kind == MarkdownKind::Paragraph) {
      providing_ = is_providing(text);
      if (providing_) std::ranges::move(gates_in(text), std::back_inserter(provides));
    } else if (block.kind == MarkdownKind::ListItem && providing_) {
      std::vector<std::string> gates = gates_in(block.text);
      if (!gates.empty()) provides.push_back(std::move(gates[0]));
    }
  }

  void read_table(const MarkdownBlock& table) {
    std::map<TaskColumn, std::size_t> columns;
    for (std::size_t i = 0; i < table.header.cells.size(); ++i) {
      if (const std::optional<TaskColumn> column = task_column(table.header.cells[i]))
        columns.try_emplace(*column, i);
    }
    if (section_.empty() || !columns.contains(TaskColumn::Id)) return;
    if (!lane_) {
      problems_.add(table.line, 1, "tasks of " + quoted(section_) + ", which the lane index does not list");
      return;
    }
    for (const MarkdownRow& row : table.rows) read_task(row, columns);
  }

  void read_task(const MarkdownRow& row, const std::map<TaskColumn, std::size_t>& columns) {
    const auto cell = [&](TaskColumn column) -> std::string_view {
      const auto at = columns.find(column);
      if (at == columns.end() || at->second >= row.cells.size()) return "";
      return row.cells[at->second];
    };
    if (std::ranges::all_of(row.cells, [](const std::string& text) { return text.empty(); })) return;
    if (++tasks_ > kStagesMax / 2) {
      if (tasks_ == kStagesMax / 2 + 1) problems_.add(row.line, 1, "there are too many tasks");
      return;
    }
    LaneTask task{.id = without_marks(cell(TaskColumn::Id)), .line = row.line};
    task.type = leading_token(cell(TaskColumn::Type));
    task.files_in_scope = files_in(cell(TaskColumn::Files));
    task.tests_owned = files_in(cell(TaskColumn::Tests));
    task.test_commands = commands_in(cell(TaskColumn::Commands));
    task.acceptance = is_nothing(cell(TaskColumn::Acceptance)) ? "" : trim(cell(TaskColumn::Acceptance));
    check_name(row.line, "task", task.id);
    check_task(task, cell(TaskColumn::Type), cell(TaskColumn::Commands));
    needs_[*lane_].tasks.push_back({needs_in(without_marks(cell(TaskColumn::DependsOn)), row.line), row.line});
    plan_.lanes[*lane_].tasks.push_back(std::move(task));
  }

  void check_task(const LaneTask& task, std::string_view type, std::string_view commands) {
    if (is_nothing(type)) {
      problems_.add(task.line, 1, "the task " + quoted(task.id) + " has no type");
    } else if (!is_lane_name(task.type) || is_unfilled(type)) {
      problems_.add(task.line, 1, "the task " + quoted(task.id) + " has no usable type: " + quoted(type));
    }
    if (trim(commands).empty()) {
      problems_.add(task.line, 1, "the task " + quoted(task.id) + " has no test command, and no \"-\" for none");
    }
    if (task.id == kLaneTestsStage || task.id == kLanePublishStage) {
      problems_.add(task.line, 1, "a task cannot be called " + quoted(task.id) + ", which every lane has already");
    }
    const auto [earlier, is_new] = task_lines_.try_emplace(task.id, task.line);
    if (is_new) return;
    problems_.add(
        task.line, 1,
        "the task " + quoted(task.id) + " is listed twice, first in line " + std::to_string(earlier->second));
  }

  void check_name(int line, std::string_view what, std::string_view name) {
    if (is_lane_name(name)) return;
    problems_.add(line, 1,
                  "not a name for a " + std::string(what) + ": " + quoted(name) +
                      "; 1 to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, without \"..\", "
                      "not ending in \".\" or \".lock\"");
  }

  void check_lanes() {
    for (const PlanLane& lane : plan_.lanes) {
      const bool has_command =
          std::ranges::any_of(lane.tasks, [](const LaneTask& task) { return !task.test_commands.empty(); });
      if (lane.tasks.empty()) {
        problems_.add(lane.line, 1, "the lane " + quoted(lane.id) + " has no tasks");
      } else if (!has_command) {
        problems_.add(lane.line, 1, "the lane " + quoted(lane.id) + " has no test command");
      }
    }
  }

  const MarkdownDocument& document_;
  Problems problems_;
  PhasePlan plan_;
  std::vector<LaneNeeds> needs_;              // of the plan's lanes
  std::map<std::string, std::size_t> lanes_;  // by their ids in lower case
  std::map<std::string, int> task_lines_;
  int tasks_ = 0;
  std::string field_;  // of the index, as far as it was read
  int field_line_ = 0;
  std::optional<std::size_t> lane_;  // whose section is read
  std::string section_;              // its id, also of one that is not listed
  int level_ = 0;
  bool providing_ = false;
};

}  // namespace

bool is_phase_plan(std::string_view bytes) {
  if (find_damage(bytes, "")) return false;
  const MarkdownDocument document{std::string(bytes)};
  return find_section_by(document, "lane index") != nullptr;
}

std::expected<PhasePlan, std::vector<Problem>> read_phase_plan(std::string_view bytes, const std::string& file) {
  if (const std::optional<Error> damage = find_damage(bytes, file)) {
    return std::unexpected(std::vector{Problem{file, damage->line, damage->column, damage->message, {}}});
  }
  const MarkdownDocument document{std::string(bytes)};
  const MarkdownSection* index = find_section_by(document, "lane index");
  if (index == nullptr) {
    return std::unexpected(
        std::vector{Problem{file, 0, 0, "not a phase plan: it has no section \"Lane Index\"", {}}});
  }
  return PlanReader(document, file).read(*index);
}

}  // namespace reprise
