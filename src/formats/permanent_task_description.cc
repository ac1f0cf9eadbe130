#include "formats/permanent_task_description.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "formats/state_words.h"
#include "formats/task_phase_words.h"
#include "text/markdown_document.h"

namespace reprise {
namespace {

// Less finished comes first.
int rank(PhaseSignal signal) {
  switch (signal) {
    case PhaseSignal::Failed: return 0;
    case PhaseSignal::Pending: return 1;
    case PhaseSignal::Partial: return 2;
    case PhaseSignal::Unknown: return 3;
    case PhaseSignal::Passed: return 4;
  }
  return 0;
}

std::optional<std::size_t> find_column(const MarkdownRow& header, std::string_view name) {
  const auto found = std::ranges::find_if(
      header.cells, [&](const std::string& cell) { return normal_key(plain_value(cell)) == name; });
  if (found == header.cells.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.cells.begin());
}

class DescriptionReader {
 public:
  explicit DescriptionReader(const std::string& text) : document_(text) {
    for (const MarkdownSection& section : document_.sections()) {
      document_.for_each_table(section, [&](const MarkdownTableView& table) { read_table(table); });
    }
    if (phases_.empty()) read_bullets();
    for (const MarkdownSection& section : document_.sections()) {
      for (const MarkdownField& field : document_.fields(section)) read_field(field);
      if (normal_heading(section.heading).find("decision") != std::string::npos) read_decisions(section);
    }
    for (const auto& [phase, claimed] : phases_) found_.phases.push_back(claimed);
  }
  PermanentDescription take() { return std::move(found_); }

 private:
  void add(const PhaseLabel& label, PhaseSignal signal, const std::string& text) {
    found_.names_older_phase |= label.is_beyond;
    for (const TaskPhase phase : label.phases) {
      const auto [place, is_new] = phases_.try_emplace(phase, ClaimedPhase{phase, signal, text});
      if (is_new || place->second.signal == signal) continue;
      if (std::ranges::find(found_.contradicted, phase) == found_.contradicted.end())
        found_.contradicted.push_back(phase);
      if (rank(signal) < rank(place->second.signal)) place->second = {phase, signal, text};
    }
  }

  // Only a table whose first column is the phase: others tell of decisions or tasks and name a phase beside them.
  void read_table(const MarkdownTableView& table) {
    const std::optional<std::size_t> phase = find_column(table.header, "phase");
    const std::optional<std::size_t> status = find_column(table.header, "status");
    if (phase != 0 || !status) return;
    for (const MarkdownRow& row : table.rows) {
      if (row.cells.size() <= *status) continue;
      const std::optional<PhaseLabel> label = read_phase_label(plain_value(row.cells[0]));
      if (!label) continue;
      add(*label, read_phase_signal(row.cells[*status]).value_or(PhaseSignal::Unknown), row.cells[*status]);
    }
  }

  // "- Phase 0: COMPLETE", "- **P1** (design) — in progress", "- [x] P2". An item without a known word is prose.
  void read_bullets() {
    for (const MarkdownBlock& block : document_.blocks()) {
      if (block.kind != MarkdownKind::ListItem) continue;
      const std::optional<PhaseLabel> label = read_phase_label(block.text);
      if (!label) continue;
      const std::string rest = behind_separator(std::string_view(block.text).substr(label->end));
      std::optional<PhaseSignal> signal = read_phase_signal(rest);
      if (!signal && block.checked) signal = *block.checked ? PhaseSignal::Passed : PhaseSignal::Pending;
      if (signal) add(*label, *signal, rest);
    }
  }

  static std::string behind_separator(std::string_view rest) {
    for (const std::string_view separator : {":", " — ", " – ", " - ", "→", "->", "="}) {
      const std::size_t at = rest.find(separator);
      if (at != rest.npos) return plain_value(trim(rest.substr(at + separator.size())));
    }
    return plain_value(trim(rest));
  }

  void read_field(const MarkdownField& field) {
    static constexpr std::array<std::pair<std::string_view, std::string PermanentDescription::*>, 10> kFields = {
        {{"tier", &PermanentDescription::tier},
         {"pipeline_tier", &PermanentDescription::tier},
         {"branch", &PermanentDescription::branch},
         {"git_branch", &PermanentDescription::branch},
         {"working_branch", &PermanentDescription::branch},
         {"repository", &PermanentDescription::repository},
         {"repo", &PermanentDescription::repository},
         {"project_path", &PermanentDescription::repository},
         {"status", &PermanentDescription::status},
         {"pt_status", &PermanentDescription::status}}};
    const std::string key = normal_key(field.key);
    for (const auto& [name, target] : kFields) {
      if (name == key && (found_.*target).empty() && !is_nothing(field.value) && !is_unfilled(field.value))
        found_.*target = plain_value(field.value);
    }
  }

  void read_decisions(const MarkdownSection& section) {
    document_.for_each_table(section, [&](const MarkdownTableView& table) {
      for (const MarkdownRow& row : table.rows) found_.decisions.push_back(join(row.cells, " — "));
    });
    for (std::size_t i = section.first; i < section.own_end; ++i) {
      const MarkdownBlock& block = document_.blocks()[i];
      if (block.kind == MarkdownKind::ListItem) found_.decisions.push_back(block.text);
    }
  }

  MarkdownDocument document_;
  std::map<TaskPhase, ClaimedPhase> phases_;
  PermanentDescription found_;
};

}  // namespace

PermanentDescription read_permanent_description(const std::string& text) { return DescriptionReader(text).take(); }

}  // namespace reprise
