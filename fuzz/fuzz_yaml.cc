// YAML: any bytes give a tree or an error with a position, and the tree is whole.

#include "fuzz.h"
#include "text/yaml.h"

using namespace reprise;

namespace {

std::size_t count_nodes(const YamlNode& node) {
  std::size_t count = 1;
  check(node.line() >= 1 && node.column() >= 1);
  for (const YamlNode& element : node.elements()) count += count_nodes(element);
  for (const YamlNode::Entry& entry : node.entries()) count += count_nodes(entry.key) + count_nodes(entry.value);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const YamlLimits limits{.bytes = 64u << 10, .nodes = 1'000, .string_bytes = 1'000, .depth = 16};
  const Result<YamlDocument> document = YamlDocument::parse(as_text(data, size), "f", limits);
  if (document) {
    check(count_nodes(document->root()) <= limits.nodes);
  } else {
    check(document.error().line >= 1 && document.error().column >= 1 && !document.error().message.empty());
  }
  return 0;
}
