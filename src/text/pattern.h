// A regular expression from a workflow, searched in text that a worker wrote.
//
// Worker's text may be long and hostile, so the search is the kind that reads each byte once for every
// part of the expression: no stack that grows with the text, no exponential time. The price is that
// back-references and lookaheads are not available.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reprise {

class Pattern {
 public:
  /// Reads an ECMAScript regular expression; "^" and "$" match at line ends. Fails with Invalid if it is not one,
  /// or if it has a lookahead.
  static Result<Pattern> compile(std::string_view expression);

  /// Whether the expression is found anywhere in `text`.
  bool is_found_in(std::string_view text) const;

 private:
  struct Impl;
  explicit Pattern(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace reprise
