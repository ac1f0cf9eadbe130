// The desk: all interrupted work of a project as one list of entries, what matters most first (ALL-01). Values
// only: nothing here prints, and but for read_desk(), complete() and look_at() nothing here looks at the disk.
//
//   DK1  Every candidate is in exactly one entry. State files about one feature are one entry: a playbook and a
//        spec loop of one folder, the cycle and the QA loop of one story and the epic it is part of, and the
//        runs of one subject.
//   DK2  Entries are in the order of DeskRank, then newest first, then by id; the same list gives the same order.
//   DK3  What has not been looked at is shown as such: a rank without a plan is what the state file alone tells.
//   DK4  A file that cannot be read is an entry or a problem with its path and cause; the rest is still listed.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scan.h"

namespace reprise {

/// What an entry is to the person who comes back. The order of the values is the order of the list.
enum class DeskRank {
  Waits,     // for a person: an approval or an answer
  Clean,     // interrupted, and nothing speaks against going on; or not looked at yet
  Warnings,  // interrupted, with warnings
  Blocked,   // by a conflict, or damaged
  Failed,
  Running,  // somebody is working on it
};

enum class TrustKind { Unseen, Clean, Warnings, Conflicts, Damaged };
inline constexpr TokenTable<TrustKind, 5> kTrustTokens = {{{TrustKind::Unseen, "unseen"},
                                                           {TrustKind::Clean, "clean"},
                                                           {TrustKind::Warnings, "warnings"},
                                                           {TrustKind::Conflicts, "conflicts"},
                                                           {TrustKind::Damaged, "damaged"}}};
constexpr std::string_view to_token(TrustKind kind) { return token_in(kTrustTokens, kind); }

/// How far a state can be believed: what its plan found, and one warning more if another state file of the same
/// work says otherwise.
struct Trust {
  TrustKind kind = TrustKind::Unseen;
  int warnings = 0;
  int conflicts = 0;
};

/// What one state file claims of a piece of work.
struct DeskClaim {
  std::string who;       // the id, or the path of a further file
  std::string says;      // in the file's own words: "IN_PROGRESS at architect"; "" if that is not known
  std::string workflow;  // whose words these are
  std::string standing;  // in our words, comparable between workflows; "" if that is not known
  Timestamp at;          // its last activity
};

/// One piece of work: what is known of it, and what a plan makes of it.
struct DeskEntry {
  std::vector<Candidate> members;      // all that tell of it; never empty
  std::size_t chosen = 0;              // the member that is resumed, planned and so on
  std::vector<DeskClaim> other_files;  // further files of the chosen member, once looked at
  std::optional<Plan> plan;            // of the chosen member, once looked at
  std::string problem;                 // why there is no plan though it was looked at

  const Candidate& candidate() const { return members[chosen]; }
  bool is_looked_at() const { return plan.has_value() || !problem.empty(); }
};

struct Desk {
  std::vector<DeskEntry> entries;
  std::vector<IgnoredFile> ignored;
  std::vector<std::string> problems;  // what could not be read, with path and cause
};

/// Makes the entries, in order. `open` is what can be resumed, `rest` what is finished or being worked on: of this
/// only what somebody works on, or what stands beside open work of the same feature, is kept.
std::vector<DeskEntry> make_entries(std::vector<Candidate> open, std::vector<Candidate> rest);

/// Puts the entries in order (DK2).
void put_in_order(std::vector<DeskEntry>& entries);

DeskRank rank_of(const DeskEntry& entry);
Trust trust_of(const DeskEntry& entry);

/// Returns what each state file claims, newest first; one line per member and further file.
std::vector<DeskClaim> claims_of(const DeskEntry& entry);
/// Returns in one sentence how the newest of them and another differ; "" if there is but one or they agree. Words
/// are compared within one workflow, standings between two. Runs of one's own workflow are a history: a later run
/// does not contradict an earlier one.
std::string disagreement_of(const DeskEntry& entry);

/// Returns the command that a person would type next.
std::string next_command(const DeskEntry& entry);

/// Returns a text that is the same as long as acting on the entry means the same; ages do not count.
std::string fingerprint(const DeskEntry& entry);

/// Whether the entry speaks of `text`, in any case of letters: in its ids, subject, stage or description.
bool is_about(const DeskEntry& entry, std::string_view text);

/// Finds the entry that holds `id`; null if none does.
DeskEntry* find_entry(Desk& desk, const RunId& id);

/// Returns what can be listed at once: all state files are read, and nothing else is looked at.
Result<Desk> read_desk(App& app);
/// Adds what is not needed at first sight: what others work on, and finished work beside open one.
void complete(App& app, Desk& desk);
/// Makes the plan of the entry's chosen member. Changes nothing but the entry.
void look_at(App& app, DeskEntry& entry);

/// Returns the scan document with "desk" in every candidate: trust, saved, waiting_for, next.
std::string desk_document(const Desk& desk);

}  // namespace reprise
