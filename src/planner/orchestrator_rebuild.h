// A state that cannot be trusted, made anew (OR-14): from the statuses of stories first, then from artifacts, then
// from change logs, in the seed's order of trust. What none of the three can tell is taken from what single lines
// of the damaged file still give, and named as that.
//
// Every fact has its source, so that a person can look before the state is used; what nothing tells is listed and
// stays without a value, never guessed. The rebuilt state never claims more than its sources: of two readings the
// one that repeats work wins over the one that leaves some out. Pure.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/orchestrator_snapshot.h"

namespace reprise {

/// Where a fact comes from, the most trusted first.
enum class FactSource : std::uint8_t { Story, Artifact, ChangeLog, ExecutionPlan, OldState, Nothing };
inline constexpr TokenTable<FactSource, 6> kFactSourceTokens = {{{FactSource::Story, "story"},
                                                                 {FactSource::Artifact, "artifact"},
                                                                 {FactSource::ChangeLog, "change_log"},
                                                                 {FactSource::ExecutionPlan, "execution_plan"},
                                                                 {FactSource::OldState, "old_state"},
                                                                 {FactSource::Nothing, "nothing"}}};
constexpr std::string_view to_token(FactSource source) { return token_in(kFactSourceTokens, source); }

/// One thing that the rebuilt state says.
struct RebuiltFact {
  std::string what;   // "story 3.4", "wave 2", "iteration"
  std::string value;  // "completed"
  FactSource source = FactSource::Nothing;
  std::string file;  // "" where there is none
  int line = 0;      // 0 where there is none
};

/// A state made anew; `kind` says which of the claims are to be written.
struct RebuiltState {
  OrchestratorKind kind = OrchestratorKind::Epic;
  bool possible = false;             // there is a state to write; a story cycle and a spec pipeline have none
  std::vector<RebuiltFact> facts;    // in the order of the state
  std::vector<std::string> unknown;  // what nothing tells
  EpicClaims epic;
  QaLoopClaims qa_loop;
  FlowClaims flow;
};

/// Returns the state that stories, artifacts and change logs give. The snapshot's own claims are those of the
/// damaged file, as far as it could be read.
RebuiltState rebuild_state(const OrchestratorSnapshot& snapshot);

/// The parts of it for a QA loop and a general state.
void rebuild_qa_loop(const OrchestratorSnapshot& snapshot, RebuiltState& out);
void rebuild_flow(const OrchestratorSnapshot& snapshot, RebuiltState& out);

/// Returns the last row of a change log that is a transition to a known status; null if there is none.
const StoryChange* last_transition(const StoryClaims& story);

}  // namespace reprise
