// Markdown and the checks on it: blocks cover the document, and every check gives an answer. The first
// line of the input is the heading, table and expression that the rest is checked for.

#include "evidence/artifact_checks.h"
#include "fuzz.h"
#include "text/markdown.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = as_text(data, size);
  const std::string first(input.substr(0, input.find('\n')));
  const std::string_view content = input.substr(std::min(input.size(), first.size() + 1));
  std::size_t end = 0;
  for (const MarkdownBlock& block : scan_markdown(content)) {
    check(block.begin == end && block.end > block.begin && block.line >= 1);
    end = block.end;
  }
  check(end == content.size());
  for (const CompleteCheck& wanted :
       {CompleteCheck{.heading = first}, CompleteCheck{.table = first}, CompleteCheck{.checkboxes = 2},
        CompleteCheck{.no_placeholders = true}, CompleteCheck{.matches = first.substr(0, 30)}}) {
    const CheckAnswer answer = check_complete(wanted, content);
    check(answer.passed == answer.why.empty());
  }
  return 0;
}
