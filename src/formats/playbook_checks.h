// Two questions that the playbook asks about files it names: is the spec the one that was approved, and is the
// Constitution Check of the architecture decision completed?

#pragma once

#include <string>
#include <string_view>

#include "base/digest.h"
#include "model/playbook.h"

namespace reprise {

/// The digests that a playbook may have recorded for a spec. Documents disagree on what is hashed, so both
/// are compared.
struct SpecHashes {
  Digest raw;      // of the file as it is
  Digest content;  // without the header metadata, with line ends and spaces at line ends made equal
};
SpecHashes spec_hashes(std::string_view spec);

enum class SpecHashMatch { None, Raw, Content };
/// Returns which of the two the file's claim is. A claim that is not a complete digest matches none.
SpecHashMatch match_spec_hash(const SpecHashes& hashes, const ClaimedDigest& claim);

/// Whether a Constitution Check was completed, and if not, why.
struct ConstitutionVerdict {
  bool completed = false;
  std::string reason;  // "" if it is completed
  int line = 0;        // what the reason is about; 0: the whole file
};

/// Looks for the heading "Constitution Check" with a table that has a verdict in each row (COMPLIES, EXCEPTION,
/// N/A, or another way to say one of them), and for each exception a row in the table "Complexity Justification".
/// A table of Articles has a row for each of I to VIII.
ConstitutionVerdict constitution_check(std::string_view adr);

}  // namespace reprise
