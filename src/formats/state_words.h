// Words in state files, read as people and agents write them: keys, statuses, nothing, numbers, lists, times.
//
// Reading is tolerant and never guesses: what is not understood is nothing, and the text as written stays
// available to whoever has to decide. A value that still lists its alternatives or holds a placeholder is a
// template that was not filled in, never one of its alternatives. Pure functions of text.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace reprise {

bool is_one_of(std::string_view word, std::span<const std::string_view> words);

/// Returns a key as it is compared: lower case, words joined by "_", whether they were separated by spaces,
/// hyphens, underscores or a capital letter; marks of emphasis and a colon at the end are dropped.
std::string normal_key(std::string_view key);

/// Returns a value without marks of emphasis and code around it, and without symbols such as emoji and
/// arrows at its ends: "✅ **Done**" is "Done".
std::string plain_value(std::string_view value);

/// Returns the word or words that a value begins with, before " — ", " - ", "(", "|", ",", ";" or a sentence's
/// end, plain: "**DONE** (again)" is "DONE". "" if nothing is left.
std::string leading_words(std::string_view value);

/// Returns the leading words as they are compared, in the form of normal_key(): "In Progress" and
/// "IN_PROGRESS — since today" are "in_progress".
std::string leading_token(std::string_view value);

/// Whether a value stands for nothing: empty, "N/A", "none", "null", "-", "—", "TBD", with or without a remark
/// behind it.
bool is_nothing(std::string_view value);
/// The same for a value that is a date or a digest, where "pending", "not computed" and "not started" too say
/// that there is none yet.
bool is_nothing_yet(std::string_view value);

/// Whether a value was left as a template has it: "A | B | C", "{{name}}", "<name>".
bool is_unfilled(std::string_view value);

/// "3 / 10", "3/10" or "3": a number, maybe out of another; a remark may follow.
struct Fraction {
  long long number = 0;
  std::optional<long long> out_of;
  bool operator==(const Fraction&) const = default;
};
std::optional<Fraction> read_fraction(std::string_view value);

/// Returns the ids that a text lists, separated by commas, semicolons or "and", with ranges filled in:
/// "P4-P6, P9" is P4, P5, P6, P9. Marks, brackets and remarks in parentheses are dropped. A range that has
/// no numbers, runs backwards or is longer than kIdRangeMax is one id as written.
std::vector<std::string> read_ids(std::string_view value);
inline constexpr int kIdRangeMax = 1'000;

/// Returns the parts of a list of values separated by commas, plain. Commas in parentheses and code do not
/// separate; a part that stands for nothing is dropped.
std::vector<std::string> read_list(std::string_view value);

/// Returns the paths that a value names: "`a.md`, b/c.md (+ d.md)", "[text](a.md)". Prose is left out.
std::vector<std::string> read_paths(std::string_view value);

/// A point in time as it was written.
struct ReadTime {
  Timestamp time;
  bool whole_day = false;  // only the date was given: it was at some time of that day
  bool operator==(const ReadTime&) const = default;
};
/// Reads the time that a value begins with; a remark may follow. Nothing if it does not begin with one.
std::optional<ReadTime> read_time(std::string_view value);

/// A digest as it was written: complete, cut short ("sha256:a3f8…"), or of the wrong length.
enum class DigestForm { Complete, Abbreviated, WrongLength };
struct ReadDigest {
  DigestForm form = DigestForm::Complete;
  std::string digits;  // in lower case
  bool operator==(const ReadDigest&) const = default;
};
/// Reads the SHA-256 digest that a value begins with, with or without "sha256:"; nothing if there is none.
std::optional<ReadDigest> read_digest(std::string_view value);

}  // namespace reprise
