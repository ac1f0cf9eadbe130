#include "text/pattern.h"

#include <regex>

namespace reprise {
namespace {

// The library's parser recurses for every bracket.
constexpr std::size_t kExpressionBytesMax = 1'000;

// The library begins a search anew at every byte of the text, which is quadratic. Skipping what comes
// before the match inside the expression makes it one pass.
constexpr std::string_view kAnythingBefore = "(?:[^]*?)";

}  // namespace

struct Pattern::Impl {
  std::regex regex;
};

Result<Pattern> Pattern::compile(std::string_view expression) {
  if (expression.size() > kExpressionBytesMax) {
    return fail(ErrorKind::Invalid,
                "the regular expression is longer than " + std::to_string(kExpressionBytesMax) + " bytes");
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
