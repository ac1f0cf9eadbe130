// The names of things: runs, stages, steps, events, attempts, leases. Types, so that they cannot be
// confused with other text and numbers or with one another.

#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace reprise {

/// A name that is a type of its own. `Tag` only tells the types apart.
template <typename Tag>
struct Name {
  std::string text;
  auto operator<=>(const Name&) const = default;
};

/// "<workflow>/<subject>", with "@n" appended for the n-th run of one subject where n > 1. `text` is the id under
/// which a run is stored, and the only part that is compared.
template <>
struct Name<struct RunTag> {
  std::string text;
  bool has_siblings = false;  // other runs of its subject exist; the journal fills it in

  /// Returns the id to print: the one that addresses this run and no other. The first of several runs is "ID@1",
  /// because the plain ID means the newest of them.
  std::string shown() const;

  bool operator==(const Name& other) const { return text == other.text; }
  auto operator<=>(const Name& other) const { return text <=> other.text; }
};
using RunId = Name<struct RunTag>;
/// The path of a step: "build", "lanes/api/check", "polish/2/fix". Stable: made of names and
/// iteration numbers, never of positions in a file.
using StepPath = Name<struct StepTag>;

template <typename Tag>
struct Count {
  std::int64_t value = 0;
  auto operator<=>(const Count&) const = default;
};

using EventNumber = Count<struct EventTag>;      // 1, 2, 3 … within a run; 0: before the first
using LeaseToken = Count<struct LeaseTag>;       // grows with every acquisition of a run
using AttemptNumber = Count<struct AttemptTag>;  // 1, 2, 3 … within a step

/// Whether `text` may be a run id that we make or take: [A-Za-z0-9._-]{1,64}, not "." or "..", and
/// not starting with "-".
bool is_run_name(std::string_view text);

/// Whether `text` may be the serial of a run: [0-9a-f-]{1,64}.
bool is_serial(std::string_view text);
/// Returns the name of a run that no other run has, in this journal or another, now or later: its id and its
/// serial. Runs made before there were serials have only their id.
std::string run_key(const RunId& run, std::string_view serial);

/// Returns the subject of a run, its id without "@n", and n; 1 if there is none.
std::string_view subject_of(const RunId& run);
std::int64_t number_of(const RunId& run);
/// Whether `text` ends with "@n".
bool has_number(std::string_view text);
/// Returns the id with its number, "@1" included: it addresses this run whatever runs of its subject are made
/// later.
std::string numbered(const RunId& run);

/// How well a text that a person typed names a run or found work; better ones first.
enum class NameFit { Exact, Segments, Prefix, None };
/// Returns how well `text` names `id`. A text without a number names every run of the subject. "2.1" is not a
/// prefix of "2.10" or "2.1.1": a number never means a longer one.
NameFit fit_of(const RunId& id, std::string_view text);

/// Returns `text` as one component of a step path: other bytes than [A-Za-z0-9._-] become "%XX".
std::string path_component(std::string_view text);

}  // namespace reprise

template <typename Tag>
struct std::hash<reprise::Name<Tag>> {
  std::size_t operator()(const reprise::Name<Tag>& name) const noexcept {
    return std::hash<std::string>()(name.text);
  }
};
