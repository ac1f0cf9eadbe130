#include "text/pattern.h"

#include <regex>

namespace reprise {
namespace {

// The library's parser recurses for every bracket.
constexpr std::size_t kExpressionBytesMax = 1'000;

// The library begins a search anew at every byte of the text, which is quadratic. Skipping what comes
// before the match inside the expression makes it one pass.
constexpr std::string_view kAnythingBefore = "(?:[^]*?)";

// Whether the expression has "(?=" or "(?!" as a group. The library runs a lookahead as a separate search at each
// byte, so its time grows with the square of the text or worse, and nothing can interrupt it.
bool has_lookahead(std::string_view expression) {
  bool is_in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\') {
      ++i;
    } else if (is_in_class) {
      is_in_class = c != ']';
    } else if (c == '[') {
      is_in_class = true;
    } else if (c == '(' && (expression.substr(i + 1, 2) == "?=" || expression.substr(i + 1, 2) == "?!")) {
      return true;
    }
  }
  return false;
}

}  // namespace

struct Pattern::Impl {
  std::regex regex;
};

Result<Pattern> Pattern::compile(std::string_view expression) {
  if (expression.size() > kExpressionBytesMax) {
    return fail(ErrorKind::Invalid,
                "the regular expression is longer than " + std::to_string(kExpressionBytesMax) + " bytes");
  }
  if (has_lookahead(expression)) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "lookaheads are not supported"}.hint(
        "an expression without (?= and (?!, or complete: {run: [grep, -qP, REGEX, FILE]}"));
  }
  try {
    using namespace std::regex_constants;
    // Alone first: "a)(b" must not become an expression by what is put around it.
    const syntax_option_type options = ECMAScript | nosubs | multiline | __polynomial;
    static_cast<void>(std::regex(expression.begin(), expression.end(), options));
    const std::string whole = std::string(kAnythingBefore) + "(?:" + std::string(expression) + ")";
    return Pattern(std::make_shared<const Impl>(std::regex(whole, options)));
  } catch (const std::regex_error& error) {
    return fail(ErrorKind::Invalid, std::string("not a regular expression: ") + error.what());
  }
}

bool Pattern::is_found_in(std::string_view text) const {
  try {
    return std::regex_search(text.begin(), text.end(), impl_->regex, std::regex_constants::match_continuous);
  } catch (const std::regex_error&) {
    return false;  // out of its own bounds: what cannot be searched is not found
  }
}

}  // namespace reprise
