// The brief: everything a worker is told, as Markdown for an agent and as JSON for a program.
//
// Nothing relies on remembered context: task, inputs, what must be produced, what an earlier attempt
// left and how it failed, what people answered, and how to report. Text that came from workers is
// bounded, stripped of control sequences and fenced: it is data, not instruction.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/run_state.h"
#include "model/workflow.h"

namespace reprise {

struct Brief {
  std::string run;
  std::string workflow;
  std::string subject;
  std::string directory;
  std::string stage;
  std::string step;
  std::int64_t attempt = 1;
  std::string lane = "-";
  std::string role;
  std::string agent;               // that the task of a list names; "" if it names none
  std::vector<std::string> files;  // that the task says it works on
  std::string task;
  std::string background;  // what the whole is about
  std::map<std::string, std::string> values;
  std::vector<SeenFile> inputs;
  std::vector<Product> produces;
  ResumeRule resume = ResumeRule::Restart;
  bool is_continued = false;                 // this attempt goes on from where an earlier one came to
  bool has_failed = false;                   // that one failed; else it was cut off
  std::vector<std::string> partial;          // products that an earlier attempt left
  std::vector<std::string> partial_results;  // what it left in words
  std::vector<std::string> failure_context;
  struct QuestionPart {
    std::string id;
    std::string text;
    std::optional<std::string> answer;
  };
  std::vector<QuestionPart> questions;
  struct GapPart {
    std::string id;
    std::string priority;
    std::string text;
  };
  std::vector<GapPart> gaps;  // those that are open
  std::vector<std::string> notes;
  std::string result_path;
};

std::string to_markdown(const Brief& brief);
std::string to_context_json(const Brief& brief);

}  // namespace reprise
