// YAML as people write it for us, as a tree with positions. Read only.
//
// Takes the plain part of YAML: maps, lists and scalars. Tags, a second document, keys that come twice and, unless
// they are asked for, anchors and aliases are refused, and every limit holds before memory is spent on what
// exceeds it. The tree is flat (nodes in one vector, text in one string): ten thousand stages fit in a few MiB.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace reprise {

/// What a document may cost. The figures are the caller's: see model/limits.h.
struct YamlLimits {
  std::size_t bytes = 0;
  std::size_t nodes = 0;
  std::size_t string_bytes = 0;
  int depth = 0;
  bool aliases = false;  // *name is taken as a copy of what &name marks; what is copied counts as nodes
};

enum class YamlKind : std::uint8_t { Null, Scalar, Sequence, Map };

class YamlDocument;

/// One node of a document: a handle, valid as long as the document is neither moved nor destroyed.
class YamlNode {
 public:
  YamlKind kind() const;
  bool is_null() const { return kind() == YamlKind::Null; }
  bool is_scalar() const { return kind() == YamlKind::Scalar; }
  bool is_sequence() const { return kind() == YamlKind::Sequence; }
  bool is_map() const { return kind() == YamlKind::Map; }

  /// Returns the text of a scalar; "" for anything else.
  std::string_view text() const;
  /// Whether the scalar was quoted or a block scalar: then "5" and "true" are text.
  bool is_quoted() const;
  /// Where the node begins, 1-based; the column counts bytes.
  int line() const;
  int column() const;

  /// Returns the elements of a list in order; nothing for anything else.
  std::vector<YamlNode> elements() const;
  struct Entry;
  /// Returns the entries of a map in order; nothing for anything else. Keys are scalars and differ.
  std::vector<Entry> entries() const;

 private:
  friend class YamlDocument;
  YamlNode(const YamlDocument* document, std::uint32_t index) : document_(document), index_(index) {}

  const YamlDocument* document_;
  std::uint32_t index_;
};

struct YamlNode::Entry {
  YamlNode key;
  YamlNode value;
};

/// A whole document.
class YamlDocument {
 public:
  /// Reads `bytes`. Invalid, with `file`, line and column, if it is not YAML of the kind described above
  /// or goes beyond `limits`. An empty document is a Null node.
  static Result<YamlDocument> parse(std::string_view bytes, const std::string& file, const YamlLimits& limits);

  YamlNode root() const { return YamlNode(this, 0); }

 private:
  friend class YamlNode;
  friend class YamlTreeBuilder;

  struct Record {
    std::uint32_t line;
    std::uint32_t column;
    std::uint32_t text_begin;
    std::uint32_t text_size;  // of a scalar; number of children otherwise
    std::uint32_t next;       // next sibling; 0: none. A child comes right after its parent.
    YamlKind kind;
    bool quoted;
  };

  std::vector<Record> records_;
  std::string text_;
};

}  // namespace reprise
