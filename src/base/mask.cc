// How the masker finds its candidates: by the first three bytes, in two tables of bits. Only then is compared.

#include "base/mask.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/secret_forms.h"
#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::string_view kMask = "***";
constexpr std::string_view kKeyBegin = "-----BEGIN ";
constexpr std::string_view kKeyEnd = "-----END ";
constexpr std::size_t kPrefixBytes = 3;          // the shortest beginning: "sk-", "eyJ"
constexpr std::size_t kKeyLineMax = 80;          // the line with BEGIN or END
constexpr std::size_t kKeyBlockMax = 32u << 10;  // a BEGIN without END must not hide the rest of the log
constexpr std::size_t kWebTokenHeaderMax = 1024;
constexpr std::size_t kWebTokenPartMin = 8;
constexpr std::size_t kBearerMin = 8;
constexpr std::size_t kBearerSure = 20;
constexpr std::size_t kBearerSpacesMax = 16;
constexpr std::size_t kBorderBytes = 16;  // the longest escape in front of a token: "ESC[38;5;123;1m"

// Sets of bytes, as bits of a table entry.
enum Alphabet : std::uint8_t {
  kAlnum = 1,       // letters and digits
  kWord = 2,        // those, "_" and "-"
  kUpper = 4,       // capitals and digits
  kWebToken = 8,    // kWord and "."
  kBearer = 16,     // what RFC 6750 allows
  kUnderscore = 32  // letters, digits and "_"
};

constexpr std::array<std::uint8_t, 256> make_alphabets() {
  std::array<std::uint8_t, 256> table = {};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    const bool is_digit = c >= '0' && c <= '9';
    if (is_capital || is_digit) table[c] |= kUpper;
    if (is_capital || is_digit || (c >= 'a' && c <= 'z')) {
      table[c] |= kAlnum | kWord | kWebToken | kBearer | kUnderscore;
    }
  }
  table['_'] |= kWord | kWebToken | kBearer | kUnderscore;
  table['-'] |= kWord | kWebToken | kBearer;
  table['.'] |= kWebToken | kBearer;
  for (const char c : {'~', '+', '/', '='}) table[static_cast<unsigned char>(c)] |= kBearer;
  return table;
}
constexpr std::array<std::uint8_t, 256> kAlphabets = make_alphabets();

bool is_in(char c, std::uint8_t alphabet) { return (kAlphabets[static_cast<unsigned char>(c)] & alphabet) != 0; }

std::size_t run_length(std::string_view text, std::uint8_t alphabet, std::size_t max) {
  std::size_t length = 0;
  while (length < text.size() && length < max && is_in(text[length], alphabet)) ++length;
  return length;
}

// Tokens that are a fixed beginning and then a number of bytes of one alphabet.
struct Shape {
  std::string_view prefix;
  std::uint8_t alphabet;
  std::size_t length_min;
};
constexpr Shape kShapes[] = {
    {"sk-", kWord, 16},
    {"ghp_", kAlnum, 16},
    {"gho_", kAlnum, 16},
    {"ghs_", kAlnum, 16},
    {"ghu_", kAlnum, 16},
    {"ghr_", kAlnum, 16},
    {"github_pat_", kUnderscore, 16},
    {"glpat-", kWord, 16},
    {"npm_", kAlnum, 20},
    {"xoxa-", kWord, 10},
    {"xoxb-", kWord, 10},
    {"xoxp-", kWord, 10},
    {"xoxr-", kWord, 10},
    {"xoxs-", kWord, 10},
    {"AKIA", kUpper, 16},
    {"ASIA", kUpper, 16},
    {"AIza", kWord, 30},
};

// Compares as far as both go. 1: `text` begins with `prefix`; 0: it still might; -1: it does not.
int compare_prefix(std::string_view text, std::string_view prefix, bool is_end) {
  const std::size_t common = std::min(text.size(), prefix.size());
  if (std::memcmp(text.data(), prefix.data(), common) != 0) return -1;
  if (common == prefix.size()) return 1;
  return is_end ? -1 : 0;
}

bool is_key_line_end(std::string_view line) {
  return line.ends_with("PRIVATE KEY-----") || line.ends_with("PRIVATE KEY BLOCK-----");
}

// Returns the length of "-----BEGIN RSA PRIVATE KEY-----" at the start of `text`; 0 if it is none, and
// npos if that cannot be told yet.
std::size_t key_line_length(std::string_view text, std::string_view begin, bool is_end) {
  const int fits = compare_prefix(text, begin, is_end);
  if (fits <= 0) return fits == 0 ? std::string_view::npos : 0;
  for (std::size_t i = begin.size(); i < std::min(text.size(), kKeyLineMax); ++i) {
    const char c = text[i];
    if (c == '-' && is_key_line_end(text.substr(0, i + 1))) return i + 1;
    if (c != '-' && c != ' ' && !is_in(c, kUpper)) return 0;
  }
  return text.size() >= kKeyLineMax || is_end ? 0 : std::string_view::npos;
}

}  // namespace

// What is looked for. Copies of a masker share it.
struct Masker::Patterns {
  explicit Patterns(std::span<const std::string> values) : secrets(values, kSecretBytesMin) {
    for (const std::string& form : secrets.forms()) first_bytes[static_cast<unsigned char>(form.front())] = true;
    if (!secrets.forms().empty()) first_bytes['\\'] = true;
    secrets.add_beginnings(first_pairs, second_pairs);
    for (const Shape& shape : kShapes) add_prefix(shape.prefix);
    for (const std::string_view other : {kKeyBegin, std::string_view("eyJ"), std::string_view("Bearer"),
                                         std::string_view("bearer"), std::string_view("BEARER")}) {
      add_prefix(other);
    }
  }

  void add_prefix(std::string_view text) {
    first_bytes[static_cast<unsigned char>(text.front())] = true;
    first_pairs.add(text[0], text[1]);
    second_pairs.add(text[1], text[2]);
  }

  KnownSecrets secrets;
  BytePairs first_pairs;   // of bytes that a secret may begin with
  BytePairs second_pairs;  // the same for its second and third byte
  std::array<bool, 256> first_bytes = {};
};

Masker::Masker(std::span<const std::string> secrets) : patterns_(std::make_shared<const Patterns>(secrets)) {}

// Returns the first place from `from` on where a secret may begin, as far as the text that is there can say.
std::size_t Masker::next_candidate(std::string_view text, std::size_t from) const {
  const Patterns& patterns = *patterns_;
  const char* const data = text.data();
  std::size_t i = from;
  for (; i + kPrefixBytes <= text.size(); ++i) {
    if (patterns.first_pairs.has(data + i) && patterns.second_pairs.has(data + i + 1)) return i;
  }
  if (i + 2 == text.size() && !patterns.first_pairs.has(data + i)) ++i;
  if (i + 1 == text.size() && !patterns.first_bytes[static_cast<unsigned char>(data[i])]) ++i;
  return i;
}

Masker::Match Masker::match_secret(std::string_view rest, bool is_end) const {
  const KnownSecrets::Match match = patterns_->secrets.match(rest, is_end);
  if (match.what == KnownSecrets::Match::What::No) return {};
  const bool is_open = match.what == KnownSecrets::Match::What::Open;
  return {.what = is_open ? Match::What::Undecided : Match::What::Secret, .length = match.length};
}

namespace {

enum class Verdict { No, Open, Yes };

Verdict judge_shape(std::string_view rest, const Shape& shape, bool is_end) {
  const int fits = compare_prefix(rest, shape.prefix, is_end);
  if (fits <= 0) return fits == 0 ? Verdict::Open : Verdict::No;
  const std::string_view body = rest.substr(shape.prefix.size());
  const std::size_t length = run_length(body, shape.alphabet, shape.length_min);
  if (length == shape.length_min) return Verdict::Yes;
  return length == body.size() && !is_end ? Verdict::Open : Verdict::No;
}

// "header.payload": the third part, and the parts of encrypted ones, are skipped with it.
Verdict judge_web_token(std::string_view rest, bool is_end, std::size_t& length) {
  const int fits = compare_prefix(rest, "eyJ", is_end);
  if (fits <= 0) return fits == 0 ? Verdict::Open : Verdict::No;
  const std::size_t header = run_length(rest, kWord, kWebTokenHeaderMax);
  if (header == rest.size()) return is_end ? Verdict::No : Verdict::Open;
  if (rest[header] != '.' || header < kWebTokenPartMin) return Verdict::No;
  const std::string_view payload = rest.substr(header + 1);
  const std::size_t part = run_length(payload, kWord, kWebTokenPartMin);
  length = header + 1 + part;
  if (part == kWebTokenPartMin) return Verdict::Yes;
  return part == payload.size() && !is_end ? Verdict::Open : Verdict::No;
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

// Whether `before` ends with an escape whose last byte is a letter or a digit: "\n", "\u000a", "%3D", "ESC[32m".
bool ends_with_escape(std::string_view before) {
  const std::size_t size = before.size();
  if (size >= 2 && before[size - 2] == '\\') return std::string_view("abefnrtv0").contains(before.back());
  const std::size_t hex =
      static_cast<std::size_t>(std::ranges::find_if_not(before.rbegin(), before.rend(), is_hex) - before.rbegin());
  if (hex >= 2 && size >= 3 && before[size - 3] == '%') return true;
  if (hex >= 2 && size >= 4 && before.substr(size - 4, 2) == "\\x") return true;
  if (hex >= 4 && size >= 6 && before.substr(size - 6, 2) == "\\u") return true;
  std::size_t at = size - 1;
  while (at > 0 && ((before[at - 1] >= '0' && before[at - 1] <= '9') || before[at - 1] == ';')) --at;
  if (at == 0 || before[at - 1] != '[') return false;
  return at + 1 < size || (at >= 2 && before[at - 2] == '\x1b');
}

bool ends_in_word(std::string_view before) {
  return !before.empty() && is_in(before.back(), kAlnum) && !ends_with_escape(before);
}

// A word after "Bearer" is a token if it is long, or not so long and has a digit: prose has neither.
Verdict judge_bearer(std::string_view rest, bool is_end, std::size_t& kept, std::size_t& length) {
  static constexpr std::string_view kWordItself = "bearer";
  for (std::size_t i = 0; i < kWordItself.size(); ++i) {
    if (i == rest.size()) return is_end ? Verdict::No : Verdict::Open;
    if (static_cast<char>(rest[i] | 0x20) != kWordItself[i]) return Verdict::No;
  }
  kept = kWordItself.size();
  while (kept < rest.size() && kept < kWordItself.size() + kBearerSpacesMax && rest[kept] == ' ') ++kept;
  if (kept == rest.size()) return is_end ? Verdict::No : Verdict::Open;
  if (kept == kWordItself.size()) return Verdict::No;
  const std::string_view token = rest.substr(kept);
  length = kept + run_length(token, kBearer, kBearerSure);
  const std::string_view start = token.substr(0, length - kept);
  if (start.size() == kBearerSure) return Verdict::Yes;
  if (start.size() == token.size() && !is_end) return Verdict::Open;
  const bool has_digit = std::ranges::any_of(start, [](char c) { return c >= '0' && c <= '9'; });
  return start.size() >= kBearerMin && has_digit ? Verdict::Yes : Verdict::No;
}

}  // namespace

bool Masker::is_inside_word(std::string_view text, std::size_t at) const {
  if (at >= kBorderBytes) return ends_in_word(text.substr(at - kBorderBytes, kBorderBytes));
  return ends_in_word(before_ + std::string(text.substr(0, at)));
}

Masker::Match Masker::match_at(std::string_view text, std::size_t at, bool is_end) const {
  using What = Match::What;
  const std::string_view rest = text.substr(at);
  const Match secret = match_secret(rest, is_end);
  if (secret.what != What::Nothing || rest.front() == '\\') return secret;
  const std::size_t key = key_line_length(rest, kKeyBegin, is_end);
  if (key == std::string_view::npos) return {.what = What::Undecided};
  if (key > 0) return {.what = What::KeyBlock, .length = key};
  if (is_inside_word(text, at)) return {};  // "task-…" is not "sk-…"
  for (const Shape& shape : kShapes) {
    const Verdict verdict = judge_shape(rest, shape, is_end);
    if (verdict == Verdict::Open) return {.what = What::Undecided};
    if (verdict == Verdict::Yes) {
      return {.what = What::Token, .length = shape.prefix.size() + shape.length_min, .alphabet = shape.alphabet};
    }
  }
  std::size_t length = 0;
  Verdict verdict = judge_web_token(rest, is_end, length);
  if (verdict == Verdict::Yes) return {.what = What::Token, .length = length, .alphabet = kWebToken};
  if (verdict == Verdict::Open) return {.what = What::Undecided};
  std::size_t kept = 0;
  verdict = judge_bearer(rest, is_end, kept, length);
  if (verdict == Verdict::Yes) return {.what = What::Token, .kept = kept, .length = length, .alphabet = kBearer};
  return {.what = verdict == Verdict::Open ? What::Undecided : What::Nothing};
}

std::size_t Masker::skip_key_block(std::string_view text, std::size_t from, bool is_end) {
  std::size_t at = from;
  while (at < text.size() && skipped_ <= kKeyBlockMax) {
    std::size_t next = at + 1;
    if (text[at] == '-') {
      const std::size_t line = key_line_length(text.substr(at), kKeyEnd, is_end);
      if (line == std::string_view::npos) return at;
      if (line > 0) {
        state_ = State::Text;
        return at + line;
      }
    } else {
      next = std::min({text.find('-', at), text.size(), at + 1 + kKeyBlockMax - skipped_});
    }
    skipped_ += next - at;
    at = next;
  }
  if (skipped_ > kKeyBlockMax) state_ = State::Text;
  return at;
}

// Returns where the token or key block that is being skipped ends, as far as the text that is there can say.
std::size_t Masker::end_of_shape(std::string_view text, std::size_t from, bool is_end) {
  if (state_ == State::Text) return from;
  if (state_ == State::KeyBlock) return skip_key_block(text, from, is_end);
  const std::size_t end = from + run_length(text.substr(from), alphabet_, text.size());
  if (end < text.size()) state_ = State::Text;
  return end;
}

// Skips what is masked: the bytes decided on, the rest of their shape, and known secrets that begin in them and
// end later. Returns where it stopped; hidden_ is 0 unless more text is needed to tell whether a secret begins
// there.
std::size_t Masker::skip(std::string_view text, std::size_t from, bool is_end) {
  std::size_t end = end_of_shape(text, from + hidden_, is_end);
  for (std::size_t at = next_candidate(text, from); at < end; at = next_candidate(text, at + 1)) {
    const bool is_short = at + kPrefixBytes > text.size();
    const Match match = is_short ? Match{.what = is_end ? Match::What::Nothing : Match::What::Undecided}
                                 : match_secret(text.substr(at), is_end);
    if (match.what == Match::What::Undecided) {
      hidden_ = end - at;
      return at;
    }
    if (match.what != Match::What::Secret || at + match.length <= end) continue;
    end = at + match.length;
    state_ = State::Text;
  }
  hidden_ = 0;
  return end;
}

// Handles `text` as far as it can be decided; returns how far that is.
std::size_t Masker::scan(std::string_view text, bool is_end, std::string& out) {
  using What = Match::What;
  std::size_t shown = 0;  // everything before it is in `out` or was masked
  std::size_t at = 0;
  while (at < text.size()) {
    if (hidden_ > 0 || state_ != State::Text) {
      shown = at = skip(text, at, is_end);
      if (hidden_ > 0 || state_ != State::Text) return at;
      continue;
    }
    at = next_candidate(text, at);
    if (at >= text.size()) break;
    const bool is_short = at + kPrefixBytes > text.size();  // whether it begins a secret is not worth asking
    if (is_short && !is_end) break;
    const Match match = is_short ? Match{} : match_at(text, at, is_end);
    if (match.what == What::Undecided) break;
    if (match.what == What::Nothing) {
      ++at;
      continue;
    }
    out.append(text.substr(shown, at + match.kept - shown));
    out += kMask;
    shown = at = at + match.kept;
    hidden_ = match.length - match.kept;
    alphabet_ = match.alphabet;
    skipped_ = 0;
    if (match.what == What::Token) state_ = State::Token;
    if (match.what == What::KeyBlock) state_ = State::KeyBlock;
  }
  const std::size_t end = std::min(at, text.size());
  out.append(text.substr(shown, end - shown));
  return end;
}

void Masker::feed(std::string_view chunk, std::string& out) {
  if (chunk.empty()) return;
  std::string joined;
  std::string_view text = chunk;
  if (!held_.empty()) {
    joined = std::move(held_);
    joined += chunk;
    text = joined;
  }
  const std::size_t done = scan(text, false, out);
  before_ += text.substr(done > kBorderBytes ? done - kBorderBytes : 0, std::min(done, kBorderBytes));
  if (before_.size() > kBorderBytes) before_.erase(0, before_.size() - kBorderBytes);
  held_ = std::string(text.substr(done));
}

void Masker::finish(std::string& out) {
  const std::string text = std::move(held_);
  scan(text, true, out);
  held_.clear();
  hidden_ = 0;
  state_ = State::Text;
  before_.clear();
}

std::string Masker::mask(std::string_view text) const {
  Masker copy = *this;
  std::string out;
  out.reserve(text.size());
  copy.feed(text, out);
  copy.finish(out);
  return out;
}

std::string Masker::mask_shown(std::string_view text) const {
  std::string masked = mask(text);
  const std::string shown = printable(masked);
  if (shown == masked) return masked;
  std::string again = mask(shown);
  return again == shown ? masked : again;
}

}  // namespace reprise
