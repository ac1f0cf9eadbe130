#include "formats/flow_phases.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "formats/state_words.h"

namespace reprise {
namespace {

constexpr std::array kStoryPhaseNames = {KnownPhase{"create", "sm"}, KnownPhase{"validate", "po"},
                                         KnownPhase{"implement", "dev"}, KnownPhase{"qa", "qa"}};
constexpr std::array kSpecPhaseNames = {KnownPhase{"gather", "pm"}, KnownPhase{"assess", "architect"},
                                        KnownPhase{"research", "analyst"}, KnownPhase{"write", "pm"},
                                        KnownPhase{"critique", "qa"}};
constexpr std::array kDevelopmentPhaseNames = {
    KnownPhase{"1_validation", "po"},   KnownPhase{"2_development", "dev"}, KnownPhase{"3_self_healing", "dev"},
    KnownPhase{"4_quality_gate", "qa"}, KnownPhase{"5_push", "devops"},     KnownPhase{"6_checkpoint", "po"}};

// Two words for one phase.
struct Synonym {
  std::string_view word;
  std::string_view phase;  // of any of the workflows, without its number
};
constexpr std::array kSynonyms = {Synonym{"creation", "create"},
                                  Synonym{"create_story", "create"},
                                  Synonym{"story_creation", "create"},
                                  Synonym{"draft", "create"},
                                  Synonym{"validation", "validate"},
                                  Synonym{"validate_story", "validate"},
                                  Synonym{"story_validation", "validate"},
                                  Synonym{"implementation", "implement"},
                                  Synonym{"implement_story", "implement"},
                                  Synonym{"develop", "implement"},
                                  Synonym{"development", "implement"},
                                  Synonym{"dev", "implement"},
                                  Synonym{"review", "qa"},
                                  Synonym{"qa_review", "qa"},
                                  Synonym{"qa_gate", "qa"},
                                  Synonym{"quality_gate", "qa"},
                                  Synonym{"gather_requirements", "gather"},
                                  Synonym{"requirements", "gather"},
                                  Synonym{"assess_complexity", "assess"},
                                  Synonym{"assessment", "assess"},
                                  Synonym{"complexity", "assess"},
                                  Synonym{"write_spec", "write"},
                                  Synonym{"spec_write", "write"},
                                  Synonym{"spec", "write"},
                                  Synonym{"critic", "critique"}};

bool has_part(std::string_view key, std::string_view part) { return key.find(part) != std::string_view::npos; }

// "development" for "2_development" and "Phase 2: development".
std::string bare_word(std::string_view written) {
  std::string key = normal_key(written);
  if (key.starts_with("phase_")) key.erase(0, 6);
  const std::size_t letter = std::min(key.find_first_not_of("0123456789_.-: "), key.size());
  if (letter > 0 && letter < key.size()) key.erase(0, letter);
  return key;
}

std::string_view phase_meant(std::string_view word) {
  const auto synonym = std::ranges::find(kSynonyms, word, &Synonym::word);
  return synonym == kSynonyms.end() ? word : synonym->phase;
}

}  // namespace

std::span<const KnownPhase> phases_of_workflow(std::string_view workflow) {
  const std::string key = normal_key(workflow);
  if (has_part(key, "development_cycle") && !has_part(key, "story")) return kDevelopmentPhaseNames;
  if (has_part(key, "dev_cycle")) return kDevelopmentPhaseNames;
  const bool is_story_cycle = key == "sdc" || key.starts_with("sdc_") || key.ends_with("_sdc") ||
                              key == "story_cycle" || key == "story_lifecycle" ||
                              (has_part(key, "story") && has_part(key, "development"));
  if (is_story_cycle) return kStoryPhaseNames;
  if (key == "spec" || (has_part(key, "spec") && has_part(key, "pipeline"))) return kSpecPhaseNames;
  return {};
}

std::optional<std::size_t> find_known_phase(std::span<const KnownPhase> phases, std::string_view written) {
  const std::string_view text = trim(written);
  const std::string word = bare_word(text);
  if (const std::optional<long long> number = parse_number(word, static_cast<long long>(phases.size()))) {
    return *number >= 1 ? std::optional(static_cast<std::size_t>(*number) - 1) : std::nullopt;
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const std::string own = bare_word(phases[i].name);
    if (word == own || phase_meant(word) == phase_meant(own)) return i;
  }
  return std::nullopt;
}

}  // namespace reprise
