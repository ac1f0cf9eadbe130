// Where the values of a YAML document stand in its bytes: what yaml.h knows of their beginnings, and the ends.
//
// Nothing is guessed: a place that cannot be told is nothing. Whoever changes the bytes reads the result again.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "text/document.h"
#include "text/yaml.h"

namespace reprise {

/// The spans of one document. Keeps views only: the bytes and the document outlive it.
class YamlSpans {
 public:
  explicit YamlSpans(std::string_view bytes);

  /// Where a node begins; nothing if its position is not in the bytes.
  std::optional<std::size_t> begin_of(const YamlNode& node) const;
  /// The bytes of a scalar, quotes included; `indent` is the column of what it belongs to, for block scalars.
  std::optional<TextSpan> scalar_span(const YamlNode& scalar, std::size_t indent) const;
  /// Whether a list or map is written with brackets or braces.
  bool is_flow(const YamlNode& node) const;
  /// The first byte behind the colon of a key.
  std::optional<std::size_t> behind_colon(const YamlNode& key) const;
  /// The bytes of a null that stands behind `key`; empty, right behind the colon, if nothing is written there.
  std::optional<TextSpan> null_span(const YamlNode& key) const;
  /// The first byte behind an entry of a map, its value included.
  std::optional<std::size_t> end_of(const YamlNode::Entry& entry) const;
  /// The first byte behind an element of a list that begins at the column `indent`.
  std::optional<std::size_t> end_of(const YamlNode& element, std::size_t indent) const;
  /// The end of the line that holds `at`, without its line ending.
  std::size_t line_end(std::size_t at) const;
  /// The quote that a node begins with: '"', '\'', or 0.
  char quote_of(const YamlNode& node) const;

 private:
  std::optional<std::size_t> flow_end(std::size_t begin) const;
  std::size_t quoted_end(std::size_t begin) const;
  std::size_t block_scalar_end(std::size_t begin, std::size_t indent) const;

  std::string_view bytes_;
  std::vector<std::size_t> line_begins_;  // as the reader counts lines: after each "\n"
};

}  // namespace reprise
