// Plans as text for people, laid out like the output of a good diff tool.
//
// From the top: how it stands (in words, with what speaks against trusting it), findings with the gravest first,
// each with the command that deals with it on a line of its own, what waits for a person, then one row per
// decision with its reason, and last where it goes on, what that saves and costs again, and what can be typed.
//
// What always holds (plan_text_test.cc has a test per line):
//   - No line is wider than the layout's width, unless it is a command to paste or one word.
//   - A command to paste is never broken, and stands alone on its line or behind one word.
//   - Colour only repeats what words say: without it the text is the same.
//   - Text from outside comes without control sequences.

#pragma once

#include <string>

#include "cli/cli.h"
#include "model/plan.h"

namespace reprise {

/// How text is laid out.
struct PlanLayout {
  int width = 80;
  bool has_colour = false;
  bool is_verbose = false;  // every kept step, and the evidence under each decision
};

/// Returns the layout that fits the person's terminal and options.
PlanLayout layout_for(const Cli& cli);

/// Returns the plan as text.
std::string plan_text(const PlanLayout& layout, const Plan& plan);
std::string plan_text(const Cli& cli, const Plan& plan);

/// Returns the plan without what can be typed: for one that does not hold, but only might.
std::string plan_text_without_options(const PlanLayout& layout, const Plan& plan);

/// Returns the readiness in words: "ready to resume".
std::string_view words_for(Readiness readiness);

/// Returns in one phrase whether the state can be trusted: "clean", "2 warnings", "1 conflict, 2 warnings".
std::string trust_of(const Plan& plan);

/// Returns rule, reason and every piece of evidence of one decision.
std::string why_text(const PlanLayout& layout, const StepDecision& decision);
std::string why_text(const Cli& cli, const StepDecision& decision);

}  // namespace reprise
